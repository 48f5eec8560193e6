"""Scores of sources, their gaps, and what people decide about both, in runs and by themselves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from ..base.errors import InputError
from ..core.run_store import RunStore
from ..sources.addresses import address_key
from ..sources.scoring.appraisal import Appraisal, RatedSource, appraise
from ..sources.scoring.gaps import GapChoice, GapDecision, GapMemory, GapType, gap_decisions
from ..sources.scoring.model import Override
from ..sources.scoring.overrides import override_for, overrides_in
from ..sources.scoring.rules import ScoringRegistry, load_scoring
from ..sources.snapshot_store import SnapshotStore
from .appraising import SourceAppraiser
from .model import LoadedSettings
from .record_config import RunConfig
from .sources import fetch_sources, run_claims


@dataclass(frozen=True, slots=True)
class ScoredUrls:
    """Addresses with their scores, and the line that was logged."""

    appraisal: Appraisal
    log_line: str


async def score_urls(urls: Iterable[str], loaded: LoadedSettings, *, topic: str = "") -> ScoredUrls:
    """Fetch addresses as a run does and score what they give.

    Args:
        urls: The addresses.
        loaded: The settings.
        topic: What they should be about where the settings do not say it.

    Raises:
        InputError: A setting or a registry file is broken.
    """
    settings = loaded.settings
    appraiser = SourceAppraiser(
        scoring_rules(loaded),
        as_of=settings.as_of or datetime.now(UTC).date(),
        topic=settings.topic or topic,
    )
    appraisal = appraiser(await fetch_sources(urls, loaded))
    return ScoredUrls(appraisal, appraiser.line)


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


def scoring_rules(loaded: LoadedSettings) -> ScoringRegistry:
    """The rules of scoring that the settings choose.

    Raises:
        RegistryError: A rule file is broken.
    """
    return load_scoring(loaded.settings.registry_dir)


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
