"""Scores of sources, and how they drifted, in lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ..base.printable import counted
from ..sources.drift import SourceDrift
from ..sources.scoring.model import RatedSource
from .wording import source_notes, tier_text


def drift_lines(drifts: Sequence[SourceDrift]) -> Iterator[str]:
    """Yield each source with its changes and lost quotes, then the sums."""
    if not drifts:
        yield "the run has no web source that was read"
        return
    for drift in drifts:
        yield f"{drift.change} {drift.url}: {drift.reason}"
        for quote in drift.quotes:
            if quote.stands:
                yield f"    stands: {quote.quote!r}"
                continue
            yield f"    LOST:   {quote.quote!r}"
        yield from (f"    - {line}" for line in drift.removed)
        yield from (f"    + {line}" for line in drift.added)
    counts = Counter(drift.change for drift in drifts)
    lost = sum(len(drift.lost) for drift in drifts)
    used = sum(len(drift.quotes) for drift in drifts)
    sums = ", ".join(f"{count} {change}" for change, count in counts.items())
    stand = counted(used, "quote stands", "quotes stand")
    yield f"{counted(len(drifts), 'source')}: {sums}; {used - lost} of {stand}"


def explain_score(rated: RatedSource) -> Iterator[str]:
    """All reasons for a score, line by line, and an empty one."""
    score = rated.score
    yield f"{tier_text(rated)}  {score.total}/100  {rated.source.url}"
    if rated.given.title:
        yield f"  {rated.given.title}"
    for name, part in score.parts.items():
        shown = [text for text in part.evidence if text not in part.reason]
        evidence = f": {'; '.join(shown)}" if shown else ""
        points = f"{part.points:>3}/{part.out_of:<3}"
        yield f"  {name:<13}{points} {part.reason}{evidence}"
    flags = (
        (score.reliable, "reliable"),
        (score.low_reliability, "low reliability"),
        (score.authoritative, "authoritative"),
    )
    said = ", ".join(name for holds, name in flags if holds)
    domain = f"domain tier {score.domain_tier}, authority weight {score.weight:g}"
    yield f"  {'':<13}{said + '; ' if said else ''}{domain}"
    yield from (f"  ! {text}" for text in source_notes(rated))
    yield ""
