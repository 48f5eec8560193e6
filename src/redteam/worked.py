"""Sums within one sentence, recognised by its words, that do not come out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby

from ..claims.arithmetic.figures import Figures
from ..claims.model import Modifier, Quantity, QuantityKind
from ..documents.model import BlockKind
from .model import Flaw, FlawKind
from .reading import Reading
from .rules import SumRules

_TWO, _THREE = 2, 3
_PLAIN = frozenset({QuantityKind.COUNT, QuantityKind.MONEY, QuantityKind.MEASURE})
_HALF = Decimal("0.5")
_ROUNDING = Decimal("0.05")


@dataclass(frozen=True, slots=True)
class _Slip:
    """A result at `stated` that is not `working`."""

    stated: Quantity
    working: str


def find_wrong_sums(reading: Reading) -> Iterator[tuple[int, Flaw]]:
    """Shares, products, totals and rests that the other two figures of the sentence do not give.

    Only a sentence with two figures and their result is judged, by a word that names the result;
    "of these" takes the whole from the sentence before. Each comes with the index of its
    sentence.
    """
    rules = reading.rules.sums
    for _, group in groupby(reading.figures, key=lambda one: one.sentence.block):
        before: Figures | None = None
        for one in group:
            if one.sentence.kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM):
                slip = _slip(one, before, rules)
                if slip is not None:
                    flaw = reading.flaw(
                        FlawKind.ARITHMETIC_ERROR,
                        one.sentence,
                        f"It does not come out: {slip.working}.",
                        span=(slip.stated.start, slip.stated.end),
                    )
                    yield one.sentence.index, flaw
            before = one


def _slip(one: Figures, before: Figures | None, rules: SumRules) -> _Slip | None:
    plain = _plain(one)
    shares = [each for each in one.quantities if each.kind is QuantityKind.PERCENT]
    if plain is None or not all(map(_is_exact, shares)):
        return None
    if before and rules.of_these.search(one.text) and (carried := _plain(before)):
        if len(carried) != 1:
            return None
        plain = [*carried, *plain]
    if len(plain) == _TWO and len(shares) == 1:
        if rules.change.search(one.text):
            return _change(one.text, plain, shares[0])
        return _share(one.text, plain, shares[0], rules)
    if len(plain) == _THREE and not shares:
        return _product(one.text, plain, rules) or _rest(one.text, plain, rules)
    return None


def _plain(figures: Figures) -> list[Quantity] | None:
    """The figures that a sum may be of, None if one of them is not exact."""
    found = [one for one in figures.quantities if one.kind in _PLAIN]
    return found if all(map(_is_exact, found)) else None


def _is_exact(one: Quantity) -> bool:
    return one.low == one.high and one.modifier is Modifier.EXACT


def _share(text: str, plain: Sequence[Quantity], share: Quantity, rules: SumRules) -> _Slip | None:
    """Of 740 lamps 251 are broken, which is 34 per cent."""
    whole, part = sorted(plain, key=lambda one: -one.low)
    if not part.low or whole.low == part.low or not rules.share.search(text[: whole.start][-30:]):
        return None
    if rules.other_whole.match(text, share.end) or whole.kind is not part.kind:
        return None
    right = 100 * part.low / whole.low
    slack = share.step * _HALF + _ROUNDING
    if any(abs(share.low - one) <= slack for one in (right, 100 - right)):
        return None
    return _Slip(share, f"{part.text} of {whole.text} are {right:.4g} %")


def _change(text: str, plain: Sequence[Quantity], share: Quantity) -> _Slip | None:
    """Up from 400 to 520 cents, that is by 30 per cent."""
    one, other = plain
    if not one.low or share.start < other.end or text[one.end : other.start].split()[-1:] != ["to"]:
        return None
    if not text[: one.start].endswith("from "):
        return None
    right = 100 * abs(other.low - one.low) / one.low
    if abs(share.low - right) <= share.step * _HALF + _ROUNDING:
        return None
    return _Slip(share, f"from {one.text} to {other.text} is {right:.4g} %")


def _product(text: str, plain: Sequence[Quantity], rules: SumRules) -> _Slip | None:
    """31 chairs in each of 27 rows, 837 chairs altogether."""
    stated = _find_result(text, plain, rules)
    if stated is None or stated.low.adjusted() < 0:
        return None
    one, other = (each for each in plain if each is not stated)
    if rules.each.search(text):
        if one.low * other.low == stated.low:
            return None
        return _Slip(stated, f"{one.text} × {other.text} = {one.low * other.low:f}")
    joined = " and " in text[min(one.end, other.end) : max(one.start, other.start)]
    if stated.low < max(one.low, other.low) or not (joined or one.unit == other.unit):
        return None
    if one.low + other.low == stated.low or one.low * other.low == stated.low:
        return None
    return _Slip(stated, f"{one.text} + {other.text} = {one.low + other.low:f}")


def _find_result(text: str, plain: Iterable[Quantity], rules: SumRules) -> Quantity | None:
    """The figure that is called the result of the others."""
    for one in plain:
        if rules.total_after.match(text, one.end) or rules.total_before.search(text[: one.start]):
            return one
    return None


def _rest(text: str, plain: Sequence[Quantity], rules: SumRules) -> _Slip | None:
    """Of 790 places 237 are rented out, and the remaining 553 are free."""
    if not rules.rest.search(text):
        return None
    whole, *others = plain
    if whole.low <= others[0].low or whole.low == others[0].low + others[1].low:
        return None
    left = whole.low - others[0].low
    return _Slip(others[1], f"{whole.text} − {others[0].text} = {left:f}")
