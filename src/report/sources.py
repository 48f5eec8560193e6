"""The sources of a document and their gaps, in words for a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..base.vocabulary import SourceState
from ..sources.scoring.appraisal import Appraisal, RatedSource
from ..sources.scoring.gaps import Gap

SOURCE_COLUMNS = ("tier", "score", "state", "date", "source")
SHOWN_SOURCES = 20


def source_rows(appraisal: Appraisal) -> Iterator[tuple[str, ...]]:
    """The cells of the worst sources, worst first; the others can be counted by `hidden_count`."""
    worst = sorted(appraisal.rated, key=lambda rated: (-rated.score.tier, rated.score.total))
    for rated in worst[:SHOWN_SOURCES]:
        score = rated.score
        day = score.dated.isoformat() if score.dated else "-"
        yield tier_text(rated), str(score.total), rated.source.state, day, rated.source.url


def sources_line(appraisal: Appraisal) -> str:
    """Count the sources by tier, and list the types of the gaps."""
    counts = Counter(rated.score.tier.name for rated in appraisal.rated)
    tiers = ", ".join(f"{counts[name]} {name}" for name in sorted(counts)) or "none"
    gaps = ", ".join(gap.type for gap in appraisal.gaps)
    return f"sources: {tiers}" + (f"; gaps: {gaps}" if gaps else "")


def hidden_count(appraisal: Appraisal) -> int:
    """Count the sources that `source_rows` leaves out."""
    return max(0, len(appraisal.rated) - SHOWN_SOURCES)


def tier_text(rated: RatedSource) -> str:
    """Badge, tier and mark; of a rejected source that it is."""
    score = rated.score
    return "rejected" if score.rejected else f"{score.badge} {score.tier.name} {score.mark}"


def gap_line(gap: Gap) -> str:
    """Describe a gap: its type, the figures that show it, and a suggestion."""
    return f"{gap.type}: {gap.trigger}; {gap.suggestion}"


def source_notes(rated: RatedSource) -> Iterator[str]:
    """Yield notes on a source beside its score, one a line."""
    source, score = rated.source, rated.score
    if not score.read:
        by = "its text does not count" if source.snapshot else "scored by its address alone"
        yield f"{source.state}: {source.reason}; {by}"
    elif source.state is not SourceState.OK:
        yield f"{source.state}: {source.reason}"
    yield from score.notes
    waiting = [why for why in score.review if why not in score.notes]
    if waiting and rated.undecided:
        yield f"for review: {'; '.join(waiting)}"
    if score.override is not None:
        made = score.override
        decided = "rejected" if made.tier is None else f"approved as {made.tier.name}"
        yield f"{decided} by {made.by} on {made.at:%Y-%m-%d}: {made.why}"
