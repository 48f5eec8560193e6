"""The figures of a source's first units, so kept that those like one of a claim are found at once.

A long document asks for thousands of figures, and a long source has thousands.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from weakref import WeakKeyDictionary

from ...claims.model import DateSpan, Figure, Granularity, Quantity, QuantityKind
from ..passages.retrieval import SourceText
from ..passages.rows import label_of
from ..passages.units import Unit, UnitKind, terms
from ..policy import NumberPolicy
from .binding import BoundFigure, bound_in_unit, ends_of, key_of
from .comparison import reach_of, sizes_of
from .derivation import check_figures

MOST_SCANNED = 600
"""Units of a source that are searched for a figure that its best ones lack."""


class ScannedFigures:
    """Figures of the first `MOST_SCANNED` units of a source and of the headings above them.

    `labels` are the words of the labels of table rows.
    """

    def __init__(self, source: SourceText) -> None:
        self.units = source.units[:MOST_SCANNED]
        self._lexicon = source.lexicon
        self._bound: dict[Unit, tuple[BoundFigure, ...]] = {}
        self._places: defaultdict[object, set[int]] = defaultdict(set)
        self._labelled: defaultdict[str, set[int]] = defaultdict(set)
        found: dict[object, Figure] = {}
        for number, unit in enumerate(self.units):
            for term in terms(label_of(unit.text)) if unit.kind is UnitKind.ROW else ():
                self._labelled[term].add(number)
            for figure in source.figures_in(unit):
                self._places[ends_of(figure)].add(number)
            for figure in source.figures(unit):
                found.setdefault(key_of(figure), figure)
                self._places[key_of(figure)].add(number)
        rows = {label_of(unit.text) for unit in self.units if unit.kind is UnitKind.ROW}
        own = (frozenset(one for one in terms(row) if not one[0].isdigit()) for row in rows)
        self.labels: Collection[frozenset[str]] = frozenset(filter(None, own))
        dates = [one for one in found.values() if isinstance(one, DateSpan)]
        self._dates = sorted(dates, key=lambda one: one.first)
        self._yearless = [one for one in self._dates if one.yearless]
        self._years = {one.first.year: [one] for one in self._dates if not one.yearless}
        self._quantities = [one for one in found.values() if isinstance(one, Quantity)]
        sizes = [sizes_of(one, self._lexicon) for one in self._quantities]
        self._always = [at for at, own_sizes in enumerate(sizes) if not own_sizes]
        self._sizes = sorted((size, at) for at, own_sizes in enumerate(sizes) for size in own_sizes)
        whole = [one for one in self._dates if not one.yearless]
        self._year_ends = {day.year for one in whole for day in (one.first, one.last)}
        self._days = {one.first.day for one in dates if one.granularity is Granularity.DAY}
        self._ranges = {(one.unit, one.low, one.high, one.kind) for one in self._quantities}
        self._points = {(one.unit, one.low) for one in self._quantities if one.low == one.high}

    def is_printed(self, value: Figure, policy: NumberPolicy) -> bool:
        """Whether a figure stands there, in whatever unit or form."""
        found = tuple(self._like(value, policy))
        return check_figures((value,), found, self._lexicon, policy)[0].is_printed

    def printing(self, value: Quantity, policy: NumberPolicy) -> tuple[Unit, ...]:
        """The units that print a quantity."""
        numbers = set[int]()
        for one in self._like(value, policy):
            if check_figures((value,), (one,), self._lexicon, policy)[0].is_printed:
                numbers |= self._places[key_of(one)]
        return tuple(self.units[number] for number in sorted(numbers))

    def _like(self, value: Figure, policy: NumberPolicy) -> Iterator[Figure]:
        """All figures that may be `value`, and some that are not."""
        if isinstance(value, Quantity):
            yield from self._within(reach_of(value, self._lexicon, policy))
        elif value.yearless:
            yield from self._dates
        else:
            begin = bisect_left(self._dates, value.first, key=lambda one: one.first)
            end = bisect_right(self._dates, value.last, key=lambda one: one.first)
            year = value.first.year
            yield from (*self._dates[begin:end], *self._yearless, *self._years.get(year, ()))
            yield from self._within([(year, year)])

    def _within(self, reach: Iterable[tuple[float, float]]) -> Iterator[Quantity]:
        found = set(self._always)
        for low, high in reach:
            begin = bisect_left(self._sizes, low, key=lambda one: one[0])
            end = bisect_right(self._sizes, high, key=lambda one: one[0])
            found.update(at for _, at in self._sizes[begin:end])
        return (self._quantities[at] for at in sorted(found))

    def stands_otherwise(self, value: Figure) -> bool:
        """Whether a figure is printed with another limit, or as a part of others, or in parts.

        "Fewer than 40" and "at least 40", the year 2024 in "2024–2026", the 11th in "2024-08-11", a
        range by its two ends. What that says of the claim, the reader tells.
        """
        if isinstance(value, DateSpan):
            return value.granularity is Granularity.YEAR and value.first.year in self._year_ends
        if value.kind is QuantityKind.ORDINAL:
            return value.low in self._days
        low, high, units = value.low, value.high, {value.unit, ""}
        if any((unit, low, high, value.kind) in self._ranges for unit in units):
            return True
        ends = (any((unit, end) in self._points for unit in units) for end in (low, high))
        return low != high and all(ends)

    def further(
        self, best: Collection[Unit], stated: Iterable[Figure], label: Iterable[str]
    ) -> list[Unit]:
        """The units besides `best` that print one of `stated`, or are rows labelled alike."""
        numbers = set[int]().union(*(self._places.get(ends_of(one), ()) for one in stated))
        numbers |= set[int]().union(*(self._labelled.get(term, ()) for term in label))
        left_out = set(best)
        units = (self.units[number] for number in sorted(numbers))
        return [unit for unit in units if unit not in left_out]

    def bound(self, unit: Unit, source: SourceText) -> tuple[BoundFigure, ...]:
        """The figures of a unit of `source` with the words beside them."""
        if unit not in self._bound:
            if len(self._bound) >= 2 * MOST_SCANNED:
                self._bound.clear()
            self._bound[unit] = bound_in_unit(unit, source.figures_in(unit))
        return self._bound[unit]


_SCANNED: WeakKeyDictionary[SourceText, ScannedFigures] = WeakKeyDictionary()


def scanned_figures(source: SourceText) -> ScannedFigures:
    """The scanned figures of a source, made once."""
    found = _SCANNED.get(source)
    if found is None:
        found = _SCANNED[source] = ScannedFigures(source)
    return found
