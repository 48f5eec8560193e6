"""The red team: each lens over one document, and all its flaws in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..base.printable import counted
from .analytical import find_analytical_flaws
from .model import Flaw, FlawKind, Lens
from .reading import Reading
from .textual import find_reference_flaws, find_wording_flaws

MOST_OF_A_KIND = 100


def find_flaws(reading: Reading, lens: Lens) -> tuple[Flaw, ...]:
    """The flaws found through one lens, in document order; one flaw of a kind at a place."""
    match lens:
        case Lens.TEXTUAL:
            found = (*find_reference_flaws(reading), *find_wording_flaws(reading))
        case Lens.ANALYTICAL:
            found = tuple(find_analytical_flaws(reading))
        case Lens.STRATEGIC:
            found = ()
    flaws = {(one.kind, one.location.start, one.problem): one for one in found}
    ordered = sorted(flaws.values(), key=lambda one: (one.location.start, one.kind))
    return tuple(_bounded(ordered))


def _bounded(flaws: Iterable[Flaw]) -> Iterator[Flaw]:
    """At most `MOST_OF_A_KIND` flaws of each kind; the first of them says how many more there are.

    Each flaw is defended, compiled and tested by itself, so that thousands would take minutes.
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
