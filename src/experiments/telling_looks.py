"""What reports tell of looks."""

from __future__ import annotations

from collections.abc import Iterator

from .analysis import Analysis

LOOK_HEADINGS = ("look", "fraction", "items", "level", "treatment", "p", "adjusted p",
                 "difference", "decision")  # fmt: skip


def looks_told(analysis: Analysis) -> str:
    """How far the looks of an experiment have come that has taken some."""
    last = analysis.looks[-1]
    where = f"look {last.number} of {last.of}, on {last.items} of {analysis.items} items"
    if last.stops:
        return (
            f"the experiment stopped early at {where}; all comparisons are of these items, at the "
            "level of this look"
        )
    return f"the experiment did not stop early; the last was {where}"


def look_rows(analysis: Analysis) -> list[tuple[str, ...]]:
    """A row for each treatment at each look."""
    return [
        (
            f"{look.number} of {look.of}",
            f"{look.fraction:.3f}",
            str(look.items),
            f"{look.level:.3g}",
            one.treatment,
            "" if one.p is None else f"{one.p:.3g}",
            "" if one.adjusted_p is None else f"{one.adjusted_p:.3g}",
            "" if one.difference is None else f"{one.difference:+.3f}",
            one.conclusion.value,
        )
        for look in analysis.looks
        for one in look.decisions
    ]


def looks_in_words(analysis: Analysis) -> Iterator[str]:
    """A sentence for each treatment at each look, then how far they have come."""
    for look in analysis.looks:
        for one in look.decisions:
            p = "nothing could be compared" if one.p is None else f"p = {one.p:.3g}"
            yield (
                f"Look {look.number} of {look.of} saw {look.items} items, a share of "
                f"{look.fraction:.3f}, and was held against the level {look.level:.3g}: "
                f"{one.treatment} {one.conclusion.value}, {p}"
            )
    if analysis.looks:
        told = looks_told(analysis)
        yield told[0].upper() + told[1:]
