"""The figures of a source's first units, kept by size: long documents ask for thousands."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable
from weakref import WeakKeyDictionary

from ...claims.model import Figure, Quantity
from ..passages.retrieval import SourceText
from ..passages.rows import label_of
from ..passages.units import Unit, UnitKind, terms
from ..policy import NumberPolicy
from .binding import BoundFigure, bound_in_unit, ends_of, key_of
from .comparison import printed_forms, reach_of, sizes_of
from .derivation import check_figure

MOST_SCANNED = 600
"""Units of a source that are searched for a figure that its best ones lack."""


class ScannedFigures:
    """Figures of the first `MOST_SCANNED` units of a source and of the headings above them.

    `figures` are those that differ, `forms` theirs, `labels` the words of the labels of table rows.
    """

    def __init__(self, source: SourceText) -> None:
        self.units, self._lexicon = source.units[:MOST_SCANNED], source.lexicon
        # Units by their figures, as compared and as written, and by the words of a row's label.
        self._places: defaultdict[object, set[int]] = defaultdict(set)
        found, labels = dict[object, Figure](), set[frozenset[str]]()
        for number, unit in enumerate(self.units):
            label = terms(label_of(unit.text)) if unit.kind is UnitKind.ROW else []
            labels.add(frozenset(term for term in label if not term[0].isdigit()))
            figures = source.figures(unit)
            found |= {key_of(one): one for one in figures}
            written = map(ends_of, source.figures_in(unit))
            for key in (*label, *written, *map(key_of, figures)):
                self._places[key].add(number)
        self.figures, self.labels = tuple(found.values()), labels - {frozenset()}
        sized = [
            (sizes_of(one, self._lexicon) if isinstance(one, Quantity) else (), at)
            for at, one in enumerate(self.figures)
        ]
        # Dates, and what has no size that is sure, are compared with everything.
        self._always = {at for sizes, at in sized if not sizes}
        self.forms = printed_forms(self.figures)
        self._bound: dict[Unit, tuple[BoundFigure, ...]] = {}
        self._sizes = sorted((size, at) for sizes, at in sized for size in sizes)

    def bound(self, unit: Unit, source: SourceText) -> tuple[BoundFigure, ...]:
        """The figures of a unit of the `source`, scanned or not, with the words beside them."""
        if unit not in self._bound:
            self._bound[unit] = bound_in_unit(unit, source.figures_in(unit))
        return self._bound[unit]

    def _like(self, value: Figure, policy: NumberPolicy) -> list[Figure]:
        """All figures that may be `value`, and some that are not."""
        found = set(self._always)
        for low, high in reach_of(value, self._lexicon, policy):
            begin = bisect_left(self._sizes, low, key=lambda one: one[0])
            end = bisect_right(self._sizes, high, key=lambda one: one[0])
            found.update(at for _, at in self._sizes[begin:end])
        return [self.figures[at] for at in sorted(found)]

    def is_printed(self, value: Figure, policy: NumberPolicy) -> bool:
        """Whether a figure stands there, in whatever unit or form."""
        like = self._like(value, policy)
        return check_figure(value, like, self._lexicon, policy).is_printed

    def printing(self, value: Quantity, policy: NumberPolicy) -> list[Unit]:
        """The units that print a quantity."""
        numbers = set[int]()
        for one in self._like(value, policy):
            if check_figure(value, (one,), self._lexicon, policy).is_printed:
                numbers |= self._places[key_of(one)]
        return [self.units[number] for number in sorted(numbers)]

    def further(
        self, best: Collection[Unit], stated: Iterable[Figure], label: Iterable[str]
    ) -> list[Unit]:
        """The units besides `best` that have one of `stated`, or are rows labelled alike."""
        keys = (*label, *map(ends_of, stated))
        numbers = set[int]().union(*(self._places.get(key, ()) for key in keys))
        return [self.units[at] for at in sorted(numbers) if self.units[at] not in best]


_SCANNED: WeakKeyDictionary[SourceText, ScannedFigures] = WeakKeyDictionary()


def scanned_figures(source: SourceText) -> ScannedFigures:
    """The scanned figures of a source, made once."""
    return _SCANNED.get(source) or _SCANNED.setdefault(source, ScannedFigures(source))
