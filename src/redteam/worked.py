"""Sums within one sentence, recognised by its words, that do not come out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, groupby, islice

from ..claims.arithmetic.calculation import Bounds, bounds, figure, meets_sum, quotients
from ..claims.arithmetic.figures import Figures
from ..claims.model import Modifier, Quantity, QuantityKind
from ..documents.model import BlockKind
from .model import Flaw, FlawKind
from .reading import Reading
from .rules import SumRules

_PLAIN = frozenset({QuantityKind.COUNT, QuantityKind.MONEY, QuantityKind.MEASURE})
_OF_THESE = re.compile(r"\b(?:of|among) (?:these|those|them|which)\b", re.IGNORECASE)
_OTHER_WHOLE = re.compile(r"\s*of (?!them|these|those|the total|all)", re.IGNORECASE)


def find_wrong_sums(reading: Reading) -> Iterator[tuple[int, Flaw]]:
    """Shares, products, totals and rests that the other two figures of the sentence do not give.

    Only a sentence with two figures and their result is judged, by a word that names the result;
    "of these" takes the whole from the sentence before. Each comes with the index of its
    sentence.
    """
    for _, group in groupby(reading.figures, key=lambda one: one.sentence.block):
        before: Figures | None = None
        for one in group:
            if one.sentence.kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM):
                for stated, working in _find_slip(one, before, reading.rules.sums):
                    flaw = reading.flaw(
                        FlawKind.ARITHMETIC_ERROR,
                        one.sentence,
                        f"It does not come out: {working}.",
                        span=(stated.start, stated.end),
                    )
                    yield one.sentence.index, flaw
            before = one


def _find_slip(
    figures: Figures, before: Figures | None, rules: SumRules
) -> Iterator[tuple[Quantity, str]]:
    """A result that does not come out, and what its figures come to."""
    text, plain = figures.text, _plain(figures)
    shares = [each for each in figures.quantities if each.kind is QuantityKind.PERCENT]
    if before and _OF_THESE.search(text) and (carried := _plain(before)):
        plain = [*carried, *plain] if len(carried) == 1 else []
    if any(each.low != each.high or each.modifier is not Modifier.EXACT for each in plain + shares):
        return
    match plain, shares:
        case [one, other], [share] if rules.changes.search(text):
            yield from _change(text, one, other, share)
        case [_, _], [share]:
            yield from _share(text, plain, share, rules)
        case [whole, first, last], []:
            rest = _rest(text, whole, first, last, rules)
            yield from islice(chain(_total(text, plain, rules), rest), 1)
        case _:
            pass


def _plain(figures: Figures) -> list[Quantity]:
    """The figures that a sum may be of."""
    return [one for one in figures.quantities if one.kind in _PLAIN]


def _share(
    text: str, plain: Sequence[Quantity], share: Quantity, rules: SumRules
) -> Iterator[tuple[Quantity, str]]:
    """Of 740 lamps 251 are broken, which is 34 per cent."""
    part, whole = sorted(plain, key=lambda one: one.low)
    if not 0 < part.low < whole.low or not rules.wholes.search(text[: whole.start][-30:]):
        return
    if whole.kind is not part.kind or _OTHER_WHOLE.match(text, share.end):
        return
    found = quotients(bounds(part), bounds(whole))
    low, high = 100 * found.low, 100 * found.high
    either = (Bounds(low, high), Bounds(100 - high, 100 - low))
    if not any(one.meets(bounds(share)) for one in either):
        right = 100 * Fraction(part.low) / Fraction(whole.low)
        yield share, f"{part.text} of {whole.text} are {figure(right)} %"


def _change(
    text: str, old: Quantity, new: Quantity, share: Quantity
) -> Iterator[tuple[Quantity, str]]:
    """Up from 400 to 520 cents, that is by 30 per cent."""
    between = text[old.end : new.start].split()[-1:]
    if not old.low or share.start < new.end or between != ["to"]:
        return
    if not text[: old.start].endswith("from "):
        return
    found = quotients(bounds(new), bounds(old))
    low, high = sorted(100 * abs(end - 1) for end in (found.low, found.high))
    if not Bounds(low, high).meets(bounds(share)):
        right = 100 * abs(Fraction(new.low) / Fraction(old.low) - 1)
        yield share, f"from {old.text} to {new.text} is {figure(right)} %"


def _total(text: str, plain: Sequence[Quantity], rules: SumRules) -> Iterator[tuple[Quantity, str]]:
    """31 chairs in each of 27 rows, 837 chairs altogether."""
    stated = next((one for one in plain if _is_result(text, one, rules)), None)
    if stated is None or stated.low < 1:
        return
    one, other = (each for each in plain if each is not stated)
    product = one.low * other.low
    if rules.eaches.search(text):
        if product != stated.low:
            yield stated, f"{one.text} × {other.text} = {product:f}"
        return
    joined = " and " in text[min(one.end, other.end) : max(one.start, other.start)]
    if stated.low < max(one.low, other.low) or not (joined or one.unit == other.unit):
        return
    if product != stated.low and not meets_sum((one, other), stated):
        yield stated, f"{one.text} + {other.text} = {one.low + other.low:f}"


def _is_result(text: str, one: Quantity, rules: SumRules) -> bool:
    """Whether the figure is called the result of the others."""
    after = rules.totals_after.match(text, one.end)
    return bool(after or rules.totals_before.search(text[: one.start]))


def _rest(
    text: str, whole: Quantity, taken: Quantity, rest: Quantity, rules: SumRules
) -> Iterator[tuple[Quantity, str]]:
    """Of 790 places 237 are rented out, and the remaining 553 are free."""
    if rules.rests.search(text) and whole.low > taken.low and not meets_sum((taken, rest), whole):
        yield rest, f"{whole.text} − {taken.text} = {whole.low - taken.low:f}"
