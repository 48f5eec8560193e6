"""Differences, items and arms as drawings: where each mark lies, and what it says in words.

Places across are percentages, so that a drawing is as wide as the page; those down are pixels.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ..report.html.model import Label, Tone
from .analysis import Analysis, Frontier
from .markdown import format_expense, name_expense
from .statistics.comparison import Concluded, Conclusion
from .statistics.samples import Direction, MetricSpec
from .treatments import Compared, ItemPair

CONCLUSIONS: Mapping[Conclusion, Label] = MappingProxyType(
    {
        Conclusion.BETTER: Label("better", "✓", Tone.GOOD),
        Conclusion.WORSE: Label("worse", "✗", Tone.BAD),
        Conclusion.EQUIVALENT: Label("equivalent", "≈", Tone.OPEN),
        Conclusion.INCONCLUSIVE: Label("inconclusive", "?", Tone.MIXED),
    }
)
BINS, MOST_DOTS, DOT = 41, 18, 8
"""Columns of dots, the most in one of them, and the height of a dot in pixels."""
MAP_HEIGHT, _MAP_ROOM = 260, 24


_STEPS = (1.0, 2.0, 5.0, 10.0)
_TICKS = 5
_EDGE = 7.0
"""Percent from an end within which a figure is written towards the middle."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A named value: where it lies, and on which side of it its text ends."""

    at: float
    text: str

    @property
    def anchor(self) -> str:
        """The class of its text."""
        if self.at < _EDGE:
            return "start"
        return "end-of" if self.at > 100 - _EDGE else "middle"


@dataclass(frozen=True, slots=True)
class Axis:
    """The values from `low` to `high`, which differ."""

    low: float
    high: float

    def at(self, value: float) -> float:
        """Where `value` lies, in percent."""
        # Halves, so that ends which are far apart do not overflow.
        return 100 * (value / 2 - self.low / 2) / (self.high / 2 - self.low / 2)

    @property
    def ticks(self) -> tuple[Tick, ...]:
        """At most six round values."""
        return tuple(Tick(self.at(value), f"{value:.6g}") for value in self._round())

    def _round(self) -> Iterator[float]:
        raw = self.high / _TICKS - self.low / _TICKS
        power = 10.0 ** math.floor(math.log10(raw))
        step = next(power * one for one in _STEPS if power * one >= raw)
        first = math.ceil(self.low / step)
        for number in range(first, first + _TICKS + 1):
            if number * step <= self.high:
                yield number * step


def axis_of(values: Iterable[float], room: float = 0.06) -> Axis:
    """An axis that holds `values`, with `room` at both ends as a share of what they span."""
    given = [*values]
    low, high = min(given), max(given)
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        wide = abs(low) / 2 or 1.0
        return Axis(low - wide, high + wide)
    more = room * (high - low)
    return Axis(low - more, high + more)


@dataclass(frozen=True, slots=True)
class Ground:
    """Background of a drawing of differences: 0, the margin as a band, and ticks."""

    zero: float
    band: tuple[float, float] | None
    ticks: tuple[Tick, ...]


@dataclass(frozen=True, slots=True)
class ForestRow:
    """A treatment's difference with its interval, and both in words."""

    text: str
    label: Label
    low: float
    high: float
    at: float


@dataclass(frozen=True, slots=True)
class Forest:
    """The differences of all treatments on one metric."""

    title: str
    ground: Ground
    rows: tuple[ForestRow, ...]


@dataclass(frozen=True, slots=True)
class Dot:
    """An item, or some of them."""

    at: float
    down: float
    tone: Tone


@dataclass(frozen=True, slots=True)
class Dots:
    """The differences of all items of a treatment; `height` is in pixels."""

    title: str
    text: str
    ground: Ground
    dots: tuple[Dot, ...]
    height: int


@dataclass(frozen=True, slots=True)
class Spot:
    """An arm by its number in the list, and it in words."""

    number: int
    text: str
    at: float
    down: float
    front: bool


@dataclass(frozen=True, slots=True)
class Map:
    """Arms by expense and by the primary metric. `front` are those on the front, in order."""

    across: str
    up: str
    spots: tuple[Spot, ...]
    front: tuple[Spot, ...]
    ticks: tuple[Tick, ...]
    levels: tuple[Tick, ...]
    """Their places are pixels down."""


def forests(analysis: Analysis) -> Iterator[Forest]:
    """A drawing for each declared metric that was compared."""
    by_metric: defaultdict[str, list[tuple[Compared, Concluded]]] = defaultdict(list)
    for one in analysis.declared:
        if one.concluded is not None:
            by_metric[one.metric].append((one, one.concluded))
    for metric, found in by_metric.items():
        spec = found[0][1].comparison.metric
        intervals = [concluded.comparison.interval for _, concluded in found]
        reach = [end for one in intervals for end in (one.low, one.high)]
        axis, ground = _ground(reach, spec)
        primary = " (primary)" if found[0][0].primary else ""
        yield Forest(
            f"{metric}{primary}: {_good_side(spec)}",
            ground,
            tuple(_forest_row(one.treatment, concluded, axis) for one, concluded in found),
        )


def _forest_row(treatment: str, concluded: Concluded, axis: Axis) -> ForestRow:
    found = concluded.comparison
    return ForestRow(
        f"{treatment}: {found.difference:+.3f} "
        f"({found.interval.low:+.3f} to {found.interval.high:+.3f})",
        CONCLUSIONS[concluded.conclusion],
        axis.at(found.interval.low),
        axis.at(found.interval.high),
        axis.at(found.difference),
    )


def _ground(values: Sequence[float], spec: MetricSpec) -> tuple[Axis, Ground]:
    margin = spec.margin
    edges = [] if margin is None else [-margin, margin]
    axis = axis_of([*values, 0.0, *edges])
    band = None if margin is None else (axis.at(-margin), axis.at(margin))
    return axis, Ground(axis.at(0.0), band, axis.ticks)


def _good_side(spec: MetricSpec) -> str:
    match spec.direction:
        case Direction.HIGHER:
            return "right of 0 is better"
        case Direction.LOWER:
            return "left of 0 is better"


def dots(analysis: Analysis) -> Iterator[Dots]:
    """A drawing for each treatment that was compared on the primary metric, all to one scale."""
    by_treatment: defaultdict[str, list[float]] = defaultdict(list)
    for pair in analysis.pairs:
        by_treatment[pair.treatment].append(difference(pair))
    # Symmetric, so that 0 has a column of its own.
    reach = max((abs(one) for found in by_treatment.values() for one in found), default=0.0) or 1.0
    columns = {name: _columns(found, reach) for name, found in by_treatment.items()}
    highest = max((one for each in columns.values() for one in _heights(each).values()), default=0)
    for treatment, found in by_treatment.items():
        axis, ground = _ground([-reach, reach], analysis.primary)
        each = -(-highest // MOST_DOTS)
        placed = _placed(columns[treatment], each, analysis.primary.direction)
        height = DOT * (1 + max(one.down for one in placed) + 1)
        yield Dots(
            f"{treatment}: {_good_side(analysis.primary)}",
            _counted(found, each, analysis.primary.direction),
            ground,
            tuple(
                Dot(
                    axis.at(one.at * reach / (BINS // 2)),
                    height - DOT * (one.down + 0.75),
                    one.tone,
                )
                for one in placed
            ),
            round(height),
        )


def difference(pair: ItemPair) -> float:
    """Difference of an item's two values; 0 where rounding alone made it."""
    found = pair.treatment_value - pair.baseline_value
    largest = max(abs(pair.treatment_value), abs(pair.baseline_value))
    return 0.0 if abs(found) <= 1e-12 * largest else found


def tone_of(change: float, direction: Direction) -> Tone:
    """Whether a difference is good."""
    if not change:
        return Tone.MUTED
    return Tone.GOOD if (change > 0) is (direction is Direction.HIGHER) else Tone.BAD


_Columns = Mapping[tuple[int, int], int]
"""How many items there are by their column, counted from that of 0, and the sign of the change."""


def _columns(found: Sequence[float], reach: float) -> _Columns:
    return Counter(
        (round(value / reach * (BINS // 2)), (value > 0) - (value < 0)) for value in found
    )


def _heights(columns: _Columns) -> Counter[int]:
    heights: Counter[int] = Counter()
    for (column, _), count in columns.items():
        heights[column] += count
    return heights


def _placed(columns: _Columns, each: int, direction: Direction) -> list[Dot]:
    """Dots by their column and how many are below them; up to `each` items share one."""
    placed: list[Dot] = []
    stacked: Counter[int] = Counter()
    for (column, sign), count in sorted(columns.items()):
        for _ in range(-(-count // each)):
            placed.append(Dot(column, stacked[column], tone_of(sign, direction)))
            stacked[column] += 1
    return placed


def _counted(found: Sequence[float], each: int, direction: Direction) -> str:
    tones = Counter(tone_of(value, direction) for value in found)
    text = (
        f"{len(found)} items: {tones[Tone.GOOD]} better, {tones[Tone.MUTED]} the same, "
        f"{tones[Tone.BAD]} worse; from {min(found):+.3g} to {max(found):+.3g}"
    )
    return f"{text}. A dot is up to {each} items" if each > 1 else text


def frontier_map(found: Frontier, spec: MetricSpec) -> Map:
    """The arms of a frontier; good values are above whatever the metric's direction."""
    across = axis_of([0.0, *(one.expense for one in found.points)])
    up = axis_of((one.value for one in found.points), room=0.15)
    flip = spec.direction is Direction.LOWER

    def down(value: float) -> float:
        share = up.at(value) if flip else 100 - up.at(value)
        return share / 100 * (MAP_HEIGHT - 2 * _MAP_ROOM) + _MAP_ROOM

    spots = tuple(
        Spot(
            number,
            f"{one.arm}: {one.value:.3f} at {format_expense(found.expense, one.expense)}",
            across.at(one.expense),
            down(one.value),
            one.front,
        )
        for number, one in enumerate(found.points, start=1)
    )
    levels = tuple(
        Tick(down(up.low + tick.at / 100 * (up.high - up.low)), tick.text) for tick in up.ticks
    )
    return Map(
        name_expense(found.expense),
        f"{spec.name}, the better the higher up",
        spots,
        tuple(sorted((one for one in spots if one.front), key=lambda one: (one.at, one.down))),
        across.ticks,
        levels,
    )
