"""Sources of runs and documents: fetched, scored, compared with live pages."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from ..base.files import append_line, scratch_folder
from ..base.logs import quiet_logs
from ..base.vocabulary import FetchMode
from ..core.iteration import LEDGER_FILE, ClaimsFile, claims_name
from ..core.record_folder import read_record
from ..core.result import PipelineResult
from ..core.run_store import RunStore
from ..sources.addresses import address_key
from ..sources.drift import SourceDrift, diff_sources
from ..sources.model import SourceSet
from ..sources.scoring.appraisal import appraise, log_validation, overrides_in
from ..sources.scoring.gaps import GapMemory, gap_decisions, open_gaps
from ..sources.scoring.model import Appraisal
from ..sources.scoring.rules import ScoringRegistry, load_scoring
from ..sources.snapshot_store import SnapshotStore
from ..verification.model import Ledger
from .materials import open_fetcher
from .model import LoadedSettings
from .record_config import RunConfig

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
        """The scores of `sources`.

        Raises:
            SnapshotError: The text of a source is missing.
            StorageError: The log file cannot be written.
        """
        return self.logged(sources)[0]

    def logged(self, sources: SourceSet) -> tuple[Appraisal, str]:
        """The scores of `sources`, and the line that was logged; errors as of a call."""
        quiet_logs()
        begun = time.perf_counter()
        appraisal = appraise(sources, self.registry, as_of=self.as_of, topic=self.topic)
        line = log_validation(appraisal, time.perf_counter() - begun, datetime.now(UTC))
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
        async with open_fetcher(folder, settings, limiter=loaded.limiter) as fetcher:
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
        async with open_fetcher(folder, settings, limiter=loaded.limiter) as fetcher:
            stored, live = SnapshotStore(store.sources), SnapshotStore(folder)
            return await diff_sources(stored, live, fetcher, ledger_quotes(store.path))


def ledger_quotes(run_dir: Path) -> dict[str, list[str]]:
    """The quotes that the ledger of a run rests on, by the sha256 of their snapshot.

    Raises:
        RunDirectoryError: The ledger is damaged.
    """
    ledger = run_ledger(run_dir)
    quotes: dict[str, list[str]] = defaultdict(list)
    for entry in ledger.entries if ledger else ():
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
    as_of = settings.as_of or datetime.now(UTC).date()
    scoring = load_scoring(settings.registry_dir)
    appraiser = SourceAppraiser(scoring, as_of, settings.topic or topic)
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
    snapshots, claims = SnapshotStore(store.sources), None
    if best := store.manifest.best_iteration:
        claims = read_record(ClaimsFile, store.path / "iterations" / claims_name(best))
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
