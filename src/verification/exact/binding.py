"""Whether a claim's figures stand beside the same words as in the source.

"44 minutes at Pinfold and 38 at Tansy Hill" has both figures of a source and binds them to the
wrong places. The words next to a claimed figure are compared with the words next to it in the
source, and with those next to other figures of its kind there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from ...claims.model import DateSpan, Figure, TableCell
from ..passages.rows import label_of, row_label
from ..passages.terms import terms
from ..passages.units import Unit, UnitKind

# What follows another of these speaks of another figure.
_PARTS = re.compile(
    r"[,;()|—–]|\b(?:and|but|while|whereas|against|or|then|respectively)\b|\. ", re.IGNORECASE
)
# Further away they speak of something else; set by hand.
_MOST_WORDS = 10

Context = frozenset[str]


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
    text, label = unit.text, _head_terms(label_of(unit.text))
    bound: list[BoundFigure] = []
    for value in figures:
        start = text.rfind("; ", 0, value.start) + 1
        title, colon, _ = text[start : value.start].partition(": ")
        bound.append(
            BoundFigure(value, frozenset((*label, *(_head_terms(title) if colon else ()))))
        )
    return tuple(bound)


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
        for key, value in {_key(o.value): o.value for o in alike}.items()
    }
    # A word that stands beside no figure of the source speaks neither for one nor for another.
    whole = sum(1 / max(1, seen[word]) for word in one.words)

    def fit(words: Context) -> float:
        return sum(1 / seen[word] for word in one.words & words if word in seen) / whole

    rivals = [(fit(other.words), other) for other in alike if not equal[_key(other.value)]]
    rival = max((share for share, _ in rivals), default=0.0)
    best = tuple(other for share, other in rivals if share == rival)
    around = best[0].around if best else frozenset[str]()
    # A neighbour in the same sentence or row shares all that stands around it.
    own = tuple(other for other in alike if equal[_key(other.value)])
    own_fits = [fit(o.words if o.around == around else o.around | o.words) for o in own]
    return Fit(one, max(own_fits, default=None), rival, own, best)


def _key(value: Figure) -> tuple[object, ...]:
    if isinstance(value, DateSpan):
        return value.first, value.last, value.granularity, value.yearless
    return value.kind, value.unit, value.low, value.high, value.modifier, value.step, value.text


def is_equal(one: Figure, other: Figure) -> bool:
    """Whether two figures are written alike, units aside; cheaper than to compare them."""
    if isinstance(one, DateSpan) or isinstance(other, DateSpan):
        return (
            isinstance(one, DateSpan)
            and isinstance(other, DateSpan)
            and (one.first, one.last) == (other.first, other.last)
        )
    return (one.low, one.high) == (other.low, other.high)


def _kind(value: Figure) -> str:
    return "date" if isinstance(value, DateSpan) else value.kind
