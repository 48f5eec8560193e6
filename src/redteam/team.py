"""The red team: each lens over one document, and all its flaws in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import assert_never

from ..base.counting import counted
from .analytical import analytical_flaws
from .model import Flaw, FlawKind, Lens
from .reading import Reading
from .strategic import strategic_flaws
from .textual import textual_flaws

MOST_OF_A_KIND = 100


def find_flaws(reading: Reading, lens: Lens) -> tuple[Flaw, ...]:
    """What one lens sees, in the order of the document; one flaw of a kind at a place."""
    match lens:
        case Lens.TEXTUAL:
            found = textual_flaws(reading)
        case Lens.ANALYTICAL:
            found = analytical_flaws(reading)
        case Lens.STRATEGIC:
            found = strategic_flaws(reading)
        case _:
            assert_never(lens)
    flaws = {(one.kind, one.location.start, one.problem): one for one in found}
    ordered = sorted(flaws.values(), key=lambda one: (one.location.start, one.kind))
    return tuple(_bounded(ordered))


def _bounded(flaws: Iterable[Flaw]) -> Iterator[Flaw]:
    """At most `MOST_OF_A_KIND` flaws of each kind; the first of them says how many more there are.

    Each is defended, compiled and tested by itself: thousands alike would take minutes, and tell
    nobody more.
    """
    counts: Counter[FlawKind] = Counter()
    kept: list[Flaw] = []
    for flaw in flaws:
        counts[flaw.kind] += 1
        if counts[flaw.kind] <= MOST_OF_A_KIND:
            kept.append(flaw)
    for flaw in kept:
        more = counts.pop(flaw.kind, 0) - MOST_OF_A_KIND
        if more > 0:
            problem = f"{flaw.problem} {counted(more, 'more place')} of this kind are not listed."
            yield replace(flaw, problem=problem)
        else:
            yield flaw
