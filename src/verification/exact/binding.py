"""Whether a claim's values stand where the source has them: beside the same words, in its row.

"44 minutes at Pinfold and 38 at Tansy Hill" has both figures of a source and binds them to the
wrong places. The words next to a claimed figure are compared with the words next to it in the
source, and with those next to other figures of its kind there.

Values may also be given the other way round, or in another place of a table: "changed from gas to
coal" of "changed from coal to gas"; "good in 2025" of a row that has it under 2021.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, permutations, zip_longest

from ...claims.arithmetic.calculation import bounds, same_sort
from ...claims.model import DateSpan, Figure, Quantity, QuantityKind, TableCell
from ..passages.rows import label_of, row_cells, row_label, title_of
from ..passages.units import Unit, UnitKind, terms

# What follows another of these speaks of another figure.
_PARTS = re.compile(
    r"[,;()|—–]|\b(?:and|but|while|whereas|against|or|then|respectively)\b|\. ", re.IGNORECASE
)
# Further away they speak of something else; set by hand.
_MOST_WORDS = 10

Context = frozenset[str]
# Share of a row label's words that the claim has to name the row.
_NAMED = 0.5
# "Line B", "Unit 3": one letter or number tells the row from the others.
_MARK = re.compile(r"(?<=\s)(?:[A-Z]|\d+)\b")
_PART = r"[\w.,%€$£₹-]+"
_VALUE = rf"({_PART}(?: {_PART}){{0,4}}?)"
_FROM_TO = re.compile(
    rf"\bfrom {_VALUE}(?: in \d{{4}})? to {_VALUE}(?= in \b| over\b| between\b|[.;,]|$| and\b)"
)
_TO_FROM = re.compile(
    rf"\bto {_VALUE}(?: in \d{{4}})? from {_VALUE}(?= in \b| over\b|[.;,]|$| and\b)"
)
_NUMBER = re.compile(r"(?P<number>[€$£₹]?\d[\d.,]*)(?: (?P<unit>.+))?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_COMPARES = re.compile(
    r"(?P<how> (?:(?P<more>more|higher)|less|fewer|lower) than) "
    r"(?:in (?P<year>(?:19|20)\d\d)\b|(?:\w+ ){1,2}(?P<period>year|season|quarter|month|week)\b)"
)
# Characters round a figure in which the time that it is for may stand.
_BESIDE = 30
# Share of a claim's words in a sentence on the same matter.
_SAME_MATTER = 0.6
# All words, but for the rounding of a sum of shares.
_WHOLE = 0.999
Way = tuple[str, str]


@dataclass(frozen=True, slots=True)
class BoundFigure:
    """A figure with the words that stand beside it, and all those of its unit and headings.

    `unit` is the unit of the source that it stands in, None for a figure of the claim.
    """

    value: Figure
    words: Context
    around: Context = frozenset()
    unit: Unit | None = None


def bound_in_text(text: str, figures: Sequence[Figure]) -> tuple[BoundFigure, ...]:
    """The figures of a sentence, each with the words of its part of the sentence."""
    ends = [(match.start(), match.end()) for match in _PARTS.finditer(text)]
    starts = [0, *(end for _, end in ends)]
    stops = [*(start for start, _ in ends), len(text)]
    parts = list(zip(starts, stops, strict=True))
    return tuple(
        BoundFigure(value, _words_beside(text, value, parts, figures)) for value in figures
    )


def _words_beside(
    text: str, value: Figure, parts: Sequence[tuple[int, int]], figures: Sequence[Figure]
) -> Context:
    start, end = next((part for part in parts if part[0] <= value.start < part[1]), (0, len(text)))
    inside = [one for one in figures if start <= one.start < end]
    before = max((one.end for one in inside if one.end <= value.start), default=start)
    after = min((one.start for one in inside if one.start >= value.end), default=end)
    left = terms(text[before : value.start])[-_MOST_WORDS:]
    right = terms(text[value.end : after])[:_MOST_WORDS]
    return frozenset((*left, *right))


def bound_in_cells(
    cells: Sequence[TableCell], figures: Sequence[Figure]
) -> tuple[BoundFigure, ...]:
    """The figures of a claim that is a table row, each with the row's label and column's title.

    A figure in the label is not bound: it names the row. Nor is one in a column without a title.
    """
    label = row_label(cell.text for cell in cells)
    return tuple(
        BoundFigure(value, frozenset((*_head_terms(label), *_head_terms(cell.title))))
        for value in figures
        for cell in cells
        if cell.title and cell.text != label and cell.start <= value.start < cell.end
    )


def _head_terms(head: str) -> list[str]:
    """The terms of a row's label or a column's title, which may be "A", "#" or "Before"."""
    return terms(head) or [head.strip().lower()]


def _bound_in_row(unit: Unit, figures: Sequence[Figure]) -> tuple[BoundFigure, ...]:
    """The figures of a table row, each with the row's first cell and the title of its column."""
    label = _head_terms(label_of(unit.text))
    titles = (title_of(unit.text, value.start) for value in figures)
    return tuple(
        BoundFigure(value, frozenset((*label, *(() if title is None else _head_terms(title)))))
        for value, title in zip(figures, titles, strict=True)
    )


def bound_in_unit(unit: Unit, figures: Sequence[Figure]) -> tuple[BoundFigure, ...]:
    """The figures of a unit of a source with the words beside them."""
    around = frozenset(terms(" ".join((*unit.path, unit.text))))
    if unit.kind is UnitKind.ROW:
        bound = _bound_in_row(unit, figures)
    else:
        bound = bound_in_text(unit.text, figures)
    return tuple(replace(one, around=around, unit=unit) for one in bound)


@dataclass(frozen=True, slots=True)
class Fit:
    """How well the words beside a claimed figure fit figures of the source, shares of 0 to 1.

    `own` is the best fit of the figures that are equal, `equals`, None if there are none; `rival`
    that of another one of its kind; `rivals` are the others that fit as well as the best.
    """

    claimed: BoundFigure
    own: float | None
    rival: float
    equals: tuple[BoundFigure, ...]
    rivals: tuple[BoundFigure, ...]

    @property
    def is_best(self) -> bool:
        """Whether the figure stands in the source, and no other fits its words better."""
        return self.own is not None and self.own >= self.rival


def misbinding(fits: Iterable[Fit]) -> float:
    """How much better (-1 to 1) the words beside a claimed figure fit another one of the source.

    The figure for which that is most counts. 0 where no claimed figure stands in the source, or no
    word beside it does.
    """
    gaps = [fit.rival - fit.own for fit in fits if fit.own is not None and fit.rivals]
    return max(gaps, default=0.0)


def fits(
    claimed: Sequence[BoundFigure],
    found: Sequence[BoundFigure],
    same: Callable[[Figure, Figure], bool],
) -> tuple[Fit, ...]:
    """The fit of each claimed figure that stands beside words."""
    seen = Counter(word for one in found for word in one.words)
    return tuple(_fit(one, found, seen, same) for one in claimed if one.words)


def _fit(
    one: BoundFigure,
    found: Sequence[BoundFigure],
    seen: Counter[str],
    same: Callable[[Figure, Figure], bool],
) -> Fit:
    alike = [other for other in found if _kind(other.value) == _kind(one.value)]
    # A table has many cells and few values.
    equal = {
        key: same(one.value, value)
        for key, value in {key_of(o.value): o.value for o in alike}.items()
    }
    # A word that stands beside no figure of the source speaks neither for one nor for another.
    whole = math.fsum(1 / max(1, seen[word]) for word in one.words)

    def fit(words: Context) -> float:
        return math.fsum(1 / seen[word] for word in one.words & words if word in seen) / whole

    rivals = [(fit(other.words), other) for other in alike if not equal[key_of(other.value)]]
    rival = max((share for share, _ in rivals), default=0.0)
    best = tuple(other for share, other in rivals if share == rival)
    around = best[0].around if best else frozenset[str]()
    # A neighbour in the same sentence or row shares all that stands around it.
    own = tuple(other for other in alike if equal[key_of(other.value)])
    own_fits = [fit(o.words if o.around == around else o.around | o.words) for o in own]
    return Fit(one, max(own_fits, default=None), rival, own, best)


def key_of(value: Figure) -> tuple[object, ...]:
    """The kind of figures that are compared alike."""
    if isinstance(value, DateSpan):
        return value.first, value.last, value.granularity, value.yearless, value.fiscal
    return value.kind, value.unit, value.low, value.high, value.modifier, value.step, value.text


def is_equal(one: Figure, other: Figure) -> bool:
    """Whether two figures are written alike, units aside; cheaper than to compare them."""
    return ends_of(one) == ends_of(other)


def ends_of(value: Figure) -> tuple[object, object]:
    """The first and last day of a date, the least and most of a quantity."""
    if isinstance(value, DateSpan):
        return value.first, value.last
    return value.low, value.high


def _kind(value: Figure) -> str:
    return "date" if isinstance(value, DateSpan) else value.kind


def share_of_other_rows(
    claim: str, labels: Iterable[Context], holders: Iterable[Sequence[Unit]]
) -> float:
    """Share of the claim's figures that stand in rows, but in none that the claim names, 0–1.

    `labels` are the words of the rows' labels; each of `holders` are the units that print one
    figure of the claim. 0 if the claim names no row of a table.
    """
    words = set(terms(claim))
    shares = {own: len(own & words) / len(own) for own in labels}
    best = max(shares.values(), default=0.0)
    if best < _NAMED:
        return 0.0
    named = [own for own, share in shares.items() if share >= best]
    strayed = [
        not any(_is_about(unit, named) for unit in units)
        for units in holders
        if any(unit.kind is UnitKind.ROW for unit in units)
    ]
    return sum(strayed) / len(strayed) if strayed else 0.0


def _is_about(unit: Unit, named: Sequence[Context]) -> bool:
    words = set(terms(unit.text))
    return any(len(own & words) >= _NAMED * len(own) for own in named)


@dataclass(frozen=True, slots=True)
class Swap:
    """Values as stated by the source and by the claim, and the unit that proves the difference."""

    found: str
    claimed: str
    unit: Unit


def find_swap(claim: str, figures: Iterable[Figure], units: Sequence[Unit]) -> Swap | None:
    """The first unit that gives the claim's values in another order or under another column."""
    way = _way(claim)
    numbers = " ".join(str(one.low) for one in figures if isinstance(one, Quantity))
    swaps = (
        _in_row(claim, numbers, way, unit)
        if unit.kind is UnitKind.ROW
        else _in_sentence(claim, way, unit)
        for unit in units
    )
    return next(filter(None, swaps), None)


def find_other_cell(
    fits: Sequence[Fit], differs: Callable[[Figure, Figure], bool], *, cited: bool
) -> Swap | None:
    """The first figure of a claimed table row beside another one in the source's own cell for it.

    That is the cell whose row and column have all words of the claimed ones, which the figure
    itself has nowhere. The row has to have another figure of the claim in its own cell: a table of
    something else may have the same heads. Where the claim cites the source (`cited`), one cell
    alone may fit instead. `differs` tells whether two figures can't both be right.
    """
    stated = [one.unit for fit in fits if fit.is_best for one in fit.equals]
    for fit in fits:
        cells = [one.unit for one in fit.rivals if one.unit and one.unit.kind is UnitKind.ROW]
        alone = len(cells) == len(fit.rivals) and fit.rival >= _WHOLE and not fit.is_best
        alone = alone and (all(cell in stated for cell in cells) or (cited and len(cells) == 1))
        if cells and alone and all(differs(fit.claimed.value, one.value) for one in fit.rivals):
            found = " or ".join(dict.fromkeys(one.value.text for one in fit.rivals))
            return Swap(found, fit.claimed.value.text, cells[0])
    return None


def find_other_difference(
    claim: str,
    figures: Sequence[Figure],
    units: Sequence[Unit],
    values: Callable[[Unit], Sequence[Figure]],
) -> Swap | None:
    """A difference that the claim works out wrong: "212, 45 fewer than in 2023" of 212 and 247.

    The source has the figure of the claim and one other of its sort alone, which stands with the
    time that it is compared with.
    """
    own = [one for one in figures if isinstance(one, Quantity) and one.low == one.high]
    for gap, one in permutations(own, 2):
        compares = _COMPARES.match(claim, gap.end)
        bare = gap.kind is QuantityKind.COUNT and not gap.unit
        if compares is None or not (bare or same_sort(one, gap)):
            continue
        for unit, other in _counterparts(one, units, values):
            beside = unit.text[max(0, other.start - _BESIDE) : other.end + _BESIDE]
            years = {*_YEAR.findall(beside)} - {*_YEAR.findall(claim)}
            year, period = compares["year"], compares["period"]
            then = year in beside if year else years or period in beside
            change = (one.low - other.low) * (1 if compares["more"] else -1)
            if then and not bounds(gap).low <= Fraction(change) <= bounds(gap).high:
                claimed = f"{gap.text}{compares['how']}"
                return Swap(f"{one.text} against {other.text}", claimed, unit)
    return None


def _counterparts(
    one: Quantity, units: Sequence[Unit], values: Callable[[Unit], Sequence[Figure]]
) -> Iterator[tuple[Unit, Quantity]]:
    """The only other figure of the sort of `one` in its unit or, if it has none, in the next."""
    for unit, after in zip_longest(units, units[1:]):
        alike = _of_sort(one, values(unit))
        others = [(unit, q) for q in alike if not is_equal(q, one)]
        if alike and not others and after:
            others = [(after, q) for q in _of_sort(one, values(after))]
        if len(others) == 1 and any(is_equal(q, one) for q in alike):
            yield others[0]


def _of_sort(one: Quantity, figures: Sequence[Figure]) -> list[Quantity]:
    return [q for q in figures if isinstance(q, Quantity) and same_sort(q, one) and q.low == q.high]


def _way(text: str) -> Way | None:
    """The values that a text goes from and to; None if it tells of several changes or none."""
    found = [(one[1], one[2]) for one in _FROM_TO.finditer(text)]
    found += [(one[2], one[1]) for one in _TO_FROM.finditer(text)]
    if len(found) != 1:
        return None
    first, last = map(_folded, found[0])
    # Of "from 31 to 38 days" both are days.
    parts = [_NUMBER.fullmatch(one) for one in (first, last)]
    units = {part["unit"] for part in parts if part and part["unit"]}
    if all(parts) and len(units) == 1:
        first, last = (f"{part['number']} {units.copy().pop()}" for part in parts if part)
    return first, last


def goes_alike(claim: str, unit: Unit) -> bool:
    """Whether claim and unit, on the same matter, go from the same value to the same other one."""
    way = _way(claim)
    return way is not None and way == _way(unit.text) and _is_on_it(claim, unit)


def _is_on_it(claim: str, unit: Unit) -> bool:
    wanted = set(terms(claim))
    return len(wanted & set(terms(unit.text))) >= _SAME_MATTER * len(wanted)


def _folded(value: str) -> str:
    words = value.lower().replace("%", " percent").strip(" .,")
    return re.sub(r"^(?:the|an?) ", "", " ".join(words.split()))


def _in_sentence(claim: str, way: Way | None, unit: Unit) -> Swap | None:
    if way is None or way[0] == way[1] or _way(unit.text) != way[::-1]:
        return None
    return _turned(way, unit) if _is_on_it(claim, unit) else None


def _turned(way: Way, unit: Unit) -> Swap:
    """A change that the source tells the other way round."""
    return Swap(f"from {way[1]} to {way[0]}", f"from {way[0]} to {way[1]}", unit)


def _in_row(claim: str, numbers: str, way: Way | None, unit: Unit) -> Swap | None:
    written = label_of(unit.text)
    label = {term for term in terms(written) if not term[0].isdigit()}
    if not label or len(label & set(terms(claim))) < _NAMED * len(label):
        return None
    if not all(re.search(rf"\b{mark}\b", claim) for mark in _MARK.findall(written)):
        return None
    cells = [part.partition(": ") for part in row_cells(unit.text)]
    values = {title: _folded(value) for title, _, value in cells[1:] if value}
    if way is None:
        return _other_column(f"{_folded(claim)} {numbers}", values, unit)
    years = combinations([value for title, value in values.items() if _YEAR.fullmatch(title)], 2)
    pairs = set(years)
    return _turned(way, unit) if way not in pairs and way[::-1] in pairs else None


def _other_column(text: str, values: dict[str, str], unit: Unit) -> Swap | None:
    """A value of the named column's neighbour, where the claim names one column alone."""
    named = [title for title in values if _stands(_folded(title), text)]
    # A column may be named only to compare with it: "a third more than in 2023".
    compared = r"\b(?:than|as|since|against|with|to|from|until|before|after) (?:\w+ )?"
    if len(named) != 1 or re.search(compared + re.escape(_folded(named[0])), text):
        return None
    own = values[named[0]]
    others = {value for value in values.values() if value != own and _stands(value, text)}
    if _stands(own, text) or len(others) != 1:
        return None
    return Swap(f"{named[0]}: {own}", f"{named[0]}: {others.pop()}", unit)


def _stands(words: str, text: str) -> bool:
    return bool(re.search(rf"(?<![\w.,]){re.escape(words)}(?![\w]|[.,]\d)", text))
