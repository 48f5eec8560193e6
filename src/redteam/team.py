"""The red team: each lens over one document, and all its flaws in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..base.printable import counted
from .analytical import find_analytical_flaws
from .model import Flaw, FlawKind, Lens
from .reading import Reading
from .textual import find_textual_flaws

MOST_OF_A_KIND = 100


def find_flaws(reading: Reading, lens: Lens) -> tuple[Flaw, ...]:
    """The flaws found through one lens, in document order; one flaw of a kind at a place."""
    # Only a model looks through the third.
    find = {Lens.TEXTUAL: find_textual_flaws, Lens.ANALYTICAL: find_analytical_flaws}.get(lens)
    found = find(reading) if find else ()
    flaws = {(one.kind, one.location.start, one.problem): one for one in found}
    ordered = sorted(flaws.values(), key=lambda one: (one.location.start, one.kind))
    return tuple(_bounded(ordered))


def _bounded(flaws: Sequence[Flaw]) -> Iterator[Flaw]:
    """At most `MOST_OF_A_KIND` flaws of each kind; the first of them says how many more there are.

    Each flaw is defended, compiled and tested by itself, so that thousands would take minutes.
    """
    total, listed = Counter(flaw.kind for flaw in flaws), Counter[FlawKind]()
    for flaw in flaws:
        listed[flaw.kind] += 1
        more = total[flaw.kind] - MOST_OF_A_KIND
        if listed[flaw.kind] == 1 and more > 0:
            problem = f"{flaw.problem} {counted(more, 'more place')} of this kind are not listed."
            yield replace(flaw, problem=problem)
        elif listed[flaw.kind] <= MOST_OF_A_KIND:
            yield flaw
