"""The red team: each lens over one document, and all its flaws in order."""

from __future__ import annotations

from typing import assert_never

from .analytical import analytical_flaws
from .model import Flaw, Lens
from .reading import Reading
from .strategic import strategic_flaws
from .textual import textual_flaws


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
    return tuple(sorted(flaws.values(), key=lambda one: (one.location.start, one.kind)))
