"""Sources of runs and documents: fetched, scored, compared with live pages, cited."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from ..base.errors import InputError
from ..base.files import append_line, read_document, scratch_folder
from ..base.logs import quiet_logs
from ..base.vocabulary import FetchMode, SourceState, Verdict
from ..core.iteration import LEDGER_FILE, ClaimsFile, claims_name
from ..core.result import PipelineResult
from ..core.run_store import RunStore
from ..documents.parse import parse_document
from ..review.store import ReviewStore
from ..review.types import ReviewPhase, WebChecked
from ..sources.addresses import address_key
from ..sources.drift import SourceDrift, diff_sources
from ..sources.local_files import LocalSources
from ..sources.model import SourceSet
from ..sources.scoring.appraisal import Appraisal, RatedSource, appraise, log_validation
from ..sources.scoring.citations import CitationFormat, CitedSource, choose_format, cited_source
from ..sources.scoring.gaps import (
    GapChoice,
    GapDecision,
    GapMemory,
    GapType,
    gap_decisions,
    open_gaps,
)
from ..sources.scoring.model import Override
from ..sources.scoring.overrides import override_for, overrides_in
from ..sources.scoring.rules import ScoringRegistry, load_scoring
from ..sources.snapshot_store import SnapshotStore
from ..verification.model import Ledger
from .materials import open_fetcher
from .model import LoadedSettings
from .record_config import ReviewRunConfig, RunConfig, read_record

VALIDATION_LOG = "source_validation.log"
"""In a run directory: a line for each time that sources of the run were scored."""


@dataclass(frozen=True, slots=True)
class SourceAppraiser:
    """Scores the sources of one document or run, and logs each time that it did.

    Sources should be about `topic`; ages are measured at `as_of`. The file `log` gets the line,
    too.
    """

    registry: ScoringRegistry
    as_of: date
    topic: str
    log: Path | None = None

    def __call__(self, sources: SourceSet) -> Appraisal:
        """The scores of `sources`, with the errors of `logged`."""
        return self.logged(sources)[0]

    def logged(self, sources: SourceSet) -> tuple[Appraisal, str]:
        """The scores of `sources`, and the line that was logged.

        Raises:
            SnapshotError: The text of a source is missing.
            StorageError: The log file cannot be written.
        """
        quiet_logs()
        begun = time.perf_counter()
        appraisal = appraise(sources, self.registry, as_of=self.as_of, topic=self.topic)
        seconds = time.perf_counter() - begun
        line = log_validation(appraisal, seconds, datetime.now(UTC))
        if self.log is not None:
            append_line(self.log, line)
        return appraisal, line


def remember_gaps(memory: Path, as_of: date, result: PipelineResult, run_dir: Path) -> None:
    """Put a row for each gap of an ended run that nobody has decided about into the memory table.

    Raises:
        StorageError: The table cannot be read or written.
    """
    conclusion = result.delivered.conclusion if result.delivered else None
    if conclusion is None or conclusion.appraisal is None:
        return
    found, decisions = conclusion.appraisal, gap_decisions(run_dir).all()
    if gaps := open_gaps(found.gaps, found.topic, decisions, as_of=as_of):
        GapMemory(memory).register(gaps, found.topic, on=as_of)


async def fetch_sources(urls: Iterable[str], loaded: LoadedSettings) -> SourceSet:
    """The sources at `urls` with their texts, fetched as a run fetches what a draft cites.

    Raises:
        InputError: A setting or a registry file is broken.
    """
    settings = loaded.settings
    with scratch_folder("sources") as folder:
        async with open_fetcher(folder, settings, LocalSources(), loaded.limiter) as fetcher:
            found = await fetcher.fetch_all(urls, limit=settings.max_fetches)
        return SnapshotStore(folder).source_set(found)


async def diff_run(run_dir: Path, loaded: LoadedSettings) -> tuple[SourceDrift, ...]:
    """Compare the sources of a run with their live pages, and the quotes that its ledger rests on.

    Nothing in the run directory is changed, and no shared copy stands for a live page.

    Raises:
        RunDirectoryError: It is no run directory, or its ledger is damaged.
        SnapshotError: A stored snapshot is missing or was changed.
    """
    store = RunStore.open(run_dir)
    changes = {"fetch": FetchMode.LIVE, "source_cache": "none"}
    settings = loaded.settings.model_copy(update=changes)
    with scratch_folder("sources") as folder:
        async with open_fetcher(folder, settings, LocalSources(), loaded.limiter) as fetcher:
            stored, live = SnapshotStore(store.sources), SnapshotStore(folder)
            return await diff_sources(stored, live, fetcher, ledger_quotes(store.path))


def ledger_quotes(run_dir: Path) -> dict[str, list[str]]:
    """The quotes that the ledger of a run rests on, by the sha256 of their snapshot.

    Raises:
        RunDirectoryError: The ledger is damaged.
    """
    ledger = run_ledger(run_dir)
    if ledger is None:
        return {}
    quotes: dict[str, list[str]] = defaultdict(list)
    for entry in ledger.entries:
        for item in entry.evidence:
            if item.quote not in quotes[item.sha256]:
                quotes[item.sha256].append(item.quote)
    return dict(quotes)


def run_ledger(run_dir: Path) -> Ledger | None:
    """The ledger of a run's last examined draft, None in a run without a fact checker.

    Raises:
        RunDirectoryError: The ledger is damaged.
    """
    return read_record(Ledger, run_dir / "verify" / LEDGER_FILE)


def run_claims(store: RunStore) -> ClaimsFile | None:
    """Claims and sources of the draft that a run delivers, None in a run without a fact checker.

    Raises:
        RunDirectoryError: The file is damaged.
    """
    best = store.manifest.best_iteration
    return read_record(ClaimsFile, store.path / "iterations" / claims_name(best)) if best else None


async def score_urls(
    urls: Iterable[str], loaded: LoadedSettings, *, topic: str = ""
) -> tuple[Appraisal, str]:
    """Fetch addresses as a run does and score them; returns the line that was logged, too.

    Args:
        urls: The addresses.
        loaded: The settings.
        topic: What they should be about where the settings do not say it.

    Raises:
        InputError: A setting or a registry file is broken.
    """
    settings = loaded.settings
    appraiser = SourceAppraiser(
        load_scoring(settings.registry_dir),
        as_of=settings.as_of or datetime.now(UTC).date(),
        topic=settings.topic or topic,
    )
    return appraiser.logged(await fetch_sources(urls, loaded))


def run_scores(run_dir: Path, loaded: LoadedSettings, *, cited: bool = True) -> Appraisal:
    """The sources of a run scored again, with what people have decided.

    Day, topic and rules are the run's where `loaded` has no others.

    Args:
        run_dir: The run.
        loaded: `as_of`, `topic` and `registry_dir` count.
        cited: Only what the delivered draft cites, not everything the run has read.

    Raises:
        RunDirectoryError: It is no run directory, or is damaged.
        SnapshotError: A stored snapshot is missing or was changed.
        RegistryError: A rule file is broken.
    """
    store = RunStore.open(run_dir)
    mine, theirs = loaded.settings, store.config(RunConfig).settings
    snapshots = SnapshotStore(store.sources)
    claims = run_claims(store)
    sources = tuple(claims.sources.values()) if claims else ()
    if not cited or claims is None:
        # What was not fetched is not among the stored.
        known = {address_key(s.url): s for s in (*sources, *snapshots.sources())}
        sources = tuple(sorted(known.values(), key=lambda source: source.url))
    return appraise(
        snapshots.source_set(sources),
        run_rules(run_dir, loaded),
        as_of=mine.as_of or store.manifest.as_of,
        topic=mine.topic or theirs.topic or store.manifest.title,
        overrides=overrides_in(run_dir).all(),
    )


def run_rules(run_dir: Path, loaded: LoadedSettings) -> ScoringRegistry:
    """The rules of scoring that the settings choose, else those of the run.

    Raises:
        RunDirectoryError: It is no run directory, or is damaged.
        RegistryError: A rule file is broken.
    """
    theirs = RunStore.open(run_dir).config(RunConfig).settings.registry_dir
    return load_scoring(loaded.settings.registry_dir or theirs)


def override_source(
    run_dir: Path, rated: RatedSource, words: str, *, by: str, why: str
) -> Override:
    """Record a person's decision on a source of a run; it holds whenever scores are computed.

    Args:
        run_dir: The run.
        rated: The source, as `run_scores` gives it.
        words: "approve tier 2", "use tier 3 instead" or "reject source".
        by: Who decides.
        why: Their reason.

    Raises:
        InputError: The words are no decision, or who or why is missing.
        StorageError: The record cannot be written.
    """
    override = override_for(rated.score, words, by=by, at=datetime.now(UTC), why=why)
    overrides_in(run_dir).add(override)
    return override


def rated_source(appraisal: Appraisal, url: str) -> RatedSource:
    """The source with the address `url`.

    Raises:
        InputError: There is none.
    """
    key = address_key(url)
    for rated in appraisal.rated:
        if address_key(rated.source.url) == key:
            return rated
    raise InputError(f"the run has no source {url!r}", "see `foureyes sources list RUN_DIR`")


def decide_gap(
    appraisal: Appraisal,
    gap: GapType,
    choice: GapChoice,
    *,
    by: str,
    why: str = "",
    until: date | None = None,
    run_dir: Path | None = None,
    memory: Path | None = None,
) -> GapDecision:
    """Record a person's choice about a gap, in the run and in the memory table where given.

    Args:
        appraisal: What has the gap.
        gap: Which.
        choice: What to do about it.
        by: Who decides.
        why: Their reason; may be empty.
        until: For how long a gap is deferred.
        run_dir: The run, which is the session of the decision.
        memory: The file with the table.

    Raises:
        InputError: There is no such gap.
        StorageError: A record cannot be written.
    """
    if gap not in {each.type for each in appraisal.gaps}:
        found = ", ".join(each.type for each in appraisal.gaps) or "none"
        raise InputError(f"there is no gap {gap.value!r}", f"found: {found}")
    now = datetime.now(UTC)
    decision = GapDecision(gap, appraisal.topic, choice, by, now, why=why, deferred_until=until)
    if run_dir is not None:
        gap_decisions(run_dir).add(decision)
    if memory is not None:
        GapMemory(memory).resolve(decision)
    return decision


@dataclass(frozen=True, slots=True)
class Citations:
    """Sources in the order of their first mention; `form` is the YAML format that suits them.

    `unread` are the addresses that were asked and gave nothing to read: nobody can vouch for them.
    """

    sources: tuple[CitedSource, ...]
    form: CitationFormat
    unread: tuple[str, ...] = ()


def run_citations(run_dir: Path, loaded: LoadedSettings) -> Citations:
    """Citations of the delivered draft of a run.

    Raises:
        RunDirectoryError: It is no run directory, or is damaged.
        SnapshotError: A stored snapshot is missing or was changed.
        RegistryError: A rule file is broken.
    """
    ledger = run_ledger(run_dir)
    entries = ledger.entries if ledger else ()
    disputed = any(entry.verdict is Verdict.DISPUTED for entry in entries)
    return _cited(run_scores(run_dir, loaded), run_rules(run_dir, loaded), disputed=disputed)


def review_citations(review_dir: Path, loaded: LoadedSettings) -> Citations:
    """Citations of the sources that a document review read.

    Raises:
        InputError: It has looked nothing up.
        RunDirectoryError: It is no review directory, or is damaged.
        SnapshotError: A stored snapshot is missing or was changed.
        RegistryError: A rule file is broken.
    """
    store = ReviewStore.open(review_dir)
    web = store.phase(ReviewPhase.WEB, WebChecked)
    if web is None:
        raise InputError(
            f"the review in {str(review_dir)!r} has looked nothing up",
            "go on with it, without --no-web",
        )
    mine, theirs = loaded.settings, store.config(ReviewRunConfig).settings
    rules = load_scoring(mine.registry_dir or theirs.registry_dir)
    appraisal = appraise(
        SnapshotStore(store.sources).source_set(web.sources),
        rules,
        as_of=mine.as_of or store.manifest.as_of,
        topic=mine.topic or theirs.topic or store.manifest.title,
    )
    return _cited(appraisal, rules, disputed=False)


async def document_citations(path: Path, loaded: LoadedSettings) -> Citations:
    """Citations of the document `path`, fetched as `foureyes check` does.

    Raises:
        InputError: The document, a setting or a registry file cannot be used.
    """
    document = parse_document(read_document(path))
    appraisal, _ = await score_urls(document.cited_urls(), loaded, topic=document.title)
    return _cited(appraisal, load_scoring(loaded.settings.registry_dir), disputed=False)


def _cited(appraisal: Appraisal, registry: ScoringRegistry, *, disputed: bool) -> Citations:
    # Addresses that differ in spelling alone are one source.
    first = {address_key(rated.source.url): rated for rated in reversed(appraisal.rated)}
    in_order = [rated for rated in appraisal.rated if rated in first.values()]
    sources = tuple(
        cited_source(rated.given, rated.score, registry)
        for rated in in_order
        if _citable(rated.source.state)
    )
    form = choose_format(sources, registry.rules.citations, disputed=disputed)
    unread = (rated.source.url for rated in in_order if not _citable(rated.source.state))
    return Citations(sources, form, tuple(unread))


def _citable(state: SourceState) -> bool:
    """Whether a source was read, or was not to be."""
    return state.readable or state is SourceState.NOT_FETCHED
