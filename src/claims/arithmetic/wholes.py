"""Parts that cannot make up the whole that the same sentence names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from ..model import Modifier, Quantity, QuantityKind
from .bounds import Bounds, bounds
from .calculation import Calculation, CalculationKind, figure
from .figures import Figures

_OF_WHICH = re.compile(r"\bof (?:which|whom|these|them)\b", re.IGNORECASE)
_MADE_OF = re.compile(
    r"\b(?:compris\w+|made up of|consist\w* of|composed of|divided into|split (?:into|between)"
    r"|broken down into)\b",
    re.IGNORECASE,
)
_EXHAUSTIVE = re.compile(
    r"\b(?:split|divided|breakdown|made up|consist\w*|compris\w*|composed|distribut\w+|came from"
    r"|comes from|the rest|the remaining|the remainder)\b",
    re.IGNORECASE,
)
_JOINED = re.compile(r",|\band\b|\bplus\b")
_OTHER = re.compile(r"\b(?:than|compared|against|versus|(?:up|down) from|from \d|respectively)\b|;")
_LONGEST_GAP = 60
_FEWEST = 2
_HUNDRED = Fraction(100)
_COUNTED = frozenset({QuantityKind.COUNT, QuantityKind.MONEY})


def find_wholes(one: Figures) -> Iterator[Calculation]:
    """Parts "of which" that exceed their whole, and shares that exceed a hundred per cent."""
    if len(one.quantities) <= _FEWEST or _OTHER.search(one.text):
        return
    yield from _counted(one)
    yield from _shares(one)


def _counted(one: Figures) -> Iterator[Calculation]:
    whole, *parts = one.quantities
    lead = one.text[whole.end : parts[0].start]
    every = _MADE_OF.search(lead) is not None
    if whole.kind not in _COUNTED or not (every or _OF_WHICH.search(lead)):
        return
    exact = all(part.modifier is Modifier.EXACT and part.low == part.high for part in parts)
    # "12 ships, of which 5 frigates": the parts of a count have names of their own.
    alike = all(part.kind is whole.kind and part.low < whole.low for part in parts)
    if not (exact and alike and _is_list(one, parts)):
        return
    total = _total(parts)
    held = bounds(whole)
    agrees = total.meets(held) or (not every and total.low <= held.high)
    if every or not agrees:
        yield _calculation(parts, Fraction(whole.low), agrees=agrees)


def _shares(one: Figures) -> Iterator[Calculation]:
    parts = [part for part in one.quantities if part.kind is QuantityKind.PERCENT]
    if any(one.text.startswith(" of ", part.end) for part in parts[1:]):
        return  # shares of several wholes
    if len(parts) <= _FEWEST or not _EXHAUSTIVE.search(one.text) or not _is_list(one, parts):
        return
    if _total(parts).low > _HUNDRED:
        yield _calculation(parts, _HUNDRED, agrees=False)


def _is_list(one: Figures, parts: Sequence[Quantity]) -> bool:
    gaps = [one.text[left.end : right.start] for left, right in pairwise(parts)]
    return len(parts) >= _FEWEST and all(
        len(gap) <= _LONGEST_GAP and "." not in gap and _JOINED.search(gap) for gap in gaps
    )


def _total(parts: Sequence[Quantity]) -> Bounds:
    held = [bounds(part) for part in parts]
    low = sum((one.low for one in held), Fraction())
    return Bounds(low, sum((one.high for one in held), Fraction()))


def _calculation(parts: Sequence[Quantity], whole: Fraction, *, agrees: bool) -> Calculation:
    total = sum((Fraction(part.low) for part in parts), Fraction())
    return Calculation(
        CalculationKind.WHOLE,
        parts[0].start,
        parts[-1].end,
        stated=whole,
        computed=total,
        agrees=agrees,
        working=f"{' + '.join(part.text for part in parts)} = {figure(total)}",
    )
