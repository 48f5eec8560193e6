"""Values that the source gives the other way round, or in another place of a table.

"Changed from gas to coal" of "changed from coal to gas"; "good in 2025" of a row that has it under
2021; a row of the claim's own table that has 43 where the source's row has 31.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...claims.model import Figure
from ..passages.rows import label_of
from ..passages.terms import terms
from ..passages.units import Unit, UnitKind
from .binding import Fit

_PART = r"[\w.,%€$£₹-]+"
_VALUE = rf"({_PART}(?: {_PART}){{0,4}}?)"
_FROM_TO = re.compile(
    rf"\bfrom {_VALUE}(?: in \d{{4}})? to {_VALUE}(?= in \b| over\b| between\b|[.;,]|$| and\b)"
)
_TO_FROM = re.compile(
    rf"\bto {_VALUE}(?: in \d{{4}})? from {_VALUE}(?= in \b| over\b|[.;,]|$| and\b)"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
# Share of the label's words by which a claim names a row, and of a claim's words in a sentence.
_NAMED, _SAME_MATTER = 0.5, 0.6
# All words, but for the rounding of a sum of shares.
_WHOLE = 0.999
Way = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Swap:
    """Values as stated by the source and by the claim, and the unit that proves the difference."""

    found: str
    claimed: str
    unit: Unit


def find_swap(claim: str, units: Sequence[Unit]) -> Swap | None:
    """The first unit that gives the claim's values in another order or under another column."""
    way = _way(claim)
    for unit in units:
        if unit.kind is UnitKind.ROW:
            swap = _in_row(claim, way, unit)
        else:
            swap = _in_sentence(claim, way, unit)
        if swap:
            return swap
    return None


def find_other_cell(fits: Sequence[Fit], differs: Callable[[Figure, Figure], bool]) -> Swap | None:
    """The first figure of a claimed table row beside another one in the source's own cell for it.

    That is the cell whose row and column have all words of the claimed ones, which the figure
    itself has nowhere. The row has to have another figure of the claim in its own cell: a table of
    something else may have the same heads. `differs` tells whether two figures can't both be right.
    """
    stated = [one.unit for fit in fits if fit.is_best for one in fit.equals]
    for fit in fits:
        cells = [one.unit for one in fit.rivals if one.unit and one.unit.kind is UnitKind.ROW]
        alone = len(cells) == len(fit.rivals) and fit.rival >= _WHOLE and not fit.is_best
        alone = alone and all(cell in stated for cell in cells)
        if cells and alone and all(differs(fit.claimed.value, one.value) for one in fit.rivals):
            found = " or ".join(dict.fromkeys(one.value.text for one in fit.rivals))
            return Swap(found, fit.claimed.value.text, cells[0])
    return None


def _way(text: str) -> Way | None:
    """The values that a text goes from and to; None if it tells of several changes or none."""
    found = [(one[1], one[2]) for one in _FROM_TO.finditer(text)]
    found += [(one[2], one[1]) for one in _TO_FROM.finditer(text)]
    return (_key(found[0][0]), _key(found[0][1])) if len(found) == 1 else None


def _key(value: str) -> str:
    words = value.lower().replace("%", " percent").strip(" .,")
    return re.sub(r"^(?:the|an?) ", "", " ".join(words.split()))


def _in_sentence(claim: str, way: Way | None, unit: Unit) -> Swap | None:
    theirs = _way(unit.text)
    if way is None or theirs is None or way == theirs or set(way) != set(theirs):
        return None
    wanted = set(terms(claim))
    if len(wanted & set(terms(unit.text))) < _SAME_MATTER * len(wanted):
        return None
    return Swap(f"from {theirs[0]} to {theirs[1]}", f"from {way[0]} to {way[1]}", unit)


def _in_row(claim: str, way: Way | None, unit: Unit) -> Swap | None:
    label = {term for term in terms(label_of(unit.text)) if not term[0].isdigit()}
    if not label or len(label & set(terms(claim))) < _NAMED * len(label):
        return None
    cells = [part.partition(": ") for part in unit.text.removeprefix("- ").split("; ")]
    values = {title: _key(value) for title, _, value in cells[1:] if value}
    years = {title: value for title, value in values.items() if _YEAR.fullmatch(title)}
    if way is not None:
        return _backwards(way, list(years.values()), unit)
    return _other_column(claim, values, unit)


def _backwards(way: Way, values: Sequence[str], unit: Unit) -> Swap | None:
    """A change that a row of years has only the other way round."""
    pairs = {(one, two) for at, one in enumerate(values) for two in values[at + 1 :]}
    if way in pairs or way[::-1] not in pairs:
        return None
    return Swap(f"from {way[1]} to {way[0]}", f"from {way[0]} to {way[1]}", unit)


def _other_column(claim: str, values: dict[str, str], unit: Unit) -> Swap | None:
    """A value of the named column's neighbour, where the claim names one column alone."""
    text = _key(claim)
    named = [title for title in values if _stands(_key(title), text)]
    if len(named) != 1 or _is_compared(_key(named[0]), text):
        return None
    own = values[named[0]]
    others = {value for value in values.values() if value != own and _stands(value, text)}
    if _stands(own, text) or len(others) != 1:
        return None
    return Swap(f"{named[0]}: {own}", f"{named[0]}: {others.pop()}", unit)


def _is_compared(title: str, text: str) -> bool:
    """Whether a column is named only to compare with it: "a third more than in 2023"."""
    before = (
        rf"\b(?:than|as|since|against|with|to|from|until|before|after) (?:\w+ )?{re.escape(title)}"
    )
    return bool(re.search(before, text))


def _stands(words: str, text: str) -> bool:
    return bool(re.search(rf"(?<![\w.,]){re.escape(words)}(?![\w]|[.,]\d)", text))
