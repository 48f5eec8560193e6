"""A count of several kinds at once: "15 hospitals and clinics" of 4 hospitals and 11 clinics."""

from __future__ import annotations

import re
from typing import NamedTuple

from ...claims.model import Claim, Modifier, Quantity, QuantityKind
from ...claims.quantities import find_quantities
from ..passages.retrieval import SourceText

# "15 public hospitals, clinics and surgeries", from behind the number.
_KINDS = re.compile(r"(?: [^\W\d_]+){1,3}?(?:, [^\W\d_]+){0,3},? and [^\W\d_]+")


class PartCounts(NamedTuple):
    """A count of several kinds; `restated` is the claim with the source's count of each."""

    claimed: Quantity
    agrees: bool
    working: str
    restated: str


def find_parts(claim: Claim, source: SourceText, most: int, context: str) -> PartCounts | None:
    """The first such count of `claim`, if the source counts each of its kinds, and each once.

    They are looked for in its best units, in as few as have them, and in `most` at most.
    """
    for one in claim.quantities:
        match = _KINDS.match(claim.text, one.end) if one.kind is QuantityKind.COUNT else None
        if match is None or one.modifier is not Modifier.EXACT or one.low != one.high:
            continue
        kinds = re.split(r",? and |, ", match[0].strip())
        counted = [find_quantities(f"2 {kind}", source.lexicon) for kind in kinds]
        for size in range(1, most + 1):
            units = source.best_units(claim.text, size, context=context)
            found = [value for unit in units for value in source.figures_in(unit)]
            there = [value for value in found if isinstance(value, Quantity) and value.unit]
            sizes = [{x.low for x in there if like and x.unit == like[0].unit} for like in counted]
            if any(len(every) > 1 for every in sizes):
                break
            if all(sizes):
                known = [size for (size,) in sizes]
                *firsts, last = (f"{n:f} {kind}" for n, kind in zip(known, kinds, strict=True))
                whole = f"{', '.join(firsts)} and {last}"
                text = claim.text[: one.start] + whole + claim.text[match.end() :]
                working = f"{' + '.join(f'{n:,f}' for n in known)} = {sum(known):,f}"
                return PartCounts(one, sum(known) == one.low, working, text)
    return None
