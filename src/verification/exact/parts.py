"""A count of several kinds at once: "15 hospitals and clinics" of 4 hospitals and 11 clinics."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from ...claims.model import Claim, Modifier, Quantity, QuantityKind
from ...claims.quantities import find_quantities
from ..passages.retrieval import SourceText
from ..passages.units import Unit

# "15 public hospitals, clinics and surgeries", from behind the number.
_KINDS = re.compile(r"(?: [^\W\d_]+){1,3}?(?:, [^\W\d_]+){0,3},? and [^\W\d_]+")
_BETWEEN = re.compile(r",? and |, ")


@dataclass(frozen=True, slots=True)
class PartCounts:
    """A count of several kinds, and `restated`, the claim with the source's count of each."""

    claimed: Quantity
    sizes: Sequence[Decimal]
    restated: str

    @property
    def agrees(self) -> bool:
        """Whether the parts come to what is claimed."""
        return sum(self.sizes) == self.claimed.low

    @property
    def working(self) -> str:
        """The sum of the parts."""
        return f"{' + '.join(f'{size:,f}' for size in self.sizes)} = {sum(self.sizes):,f}"


def find_parts(claim: Claim, source: SourceText, most: int, context: str) -> PartCounts | None:
    """The first such count of `claim`, if the source counts each of its kinds, and each once.

    They are looked for in its best units, in as few as have them, and in `most` at most.
    """
    for one in claim.quantities:
        counted = one.kind is QuantityKind.COUNT and one.modifier is Modifier.EXACT and one.unit
        match = _KINDS.match(claim.text, one.end) if counted and one.low == one.high else None
        kinds = _BETWEEN.split(match[0].strip()) if match else []
        nouns = [found[0].unit for kind in kinds if (found := _counts(f"2 {kind}", source))]
        if match is None or len(nouns) < len(kinds) or not all(nouns):
            continue
        for size in range(1, most + 1):
            units = source.best_units(claim.text, size, context=context)
            sizes = [_sizes_of(noun, units, source) for noun in nouns]
            if any(len(every) > 1 for every in sizes):
                break
            if all(sizes):
                known = [size for (size,) in sizes]
                said = [f"{size:f} {kind}" for size, kind in zip(known, kinds, strict=True)]
                whole = f"{', '.join(said[:-1])} and {said[-1]}"
                text = f"{claim.text[: one.start]}{whole}{claim.text[match.end() :]}"
                return PartCounts(one, known, text)
    return None


def _counts(text: str, source: SourceText) -> Sequence[Quantity]:
    return find_quantities(text, source.lexicon)


def _sizes_of(noun: str, units: Sequence[Unit], source: SourceText) -> set[Decimal]:
    return {
        one.low
        for unit in units
        for one in source.figures_in(unit)
        if isinstance(one, Quantity) and one.unit == noun and one.low == one.high
    }
