"""How far observers agree beyond chance."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import TypeAlias, assert_never

from ...base.errors import StatisticsError


class Level(StrEnum):
    """Level of measurement of the values, which decides the distance of two of them."""

    NOMINAL = "nominal"
    """Names: equal or not."""
    ORDINAL = "ordinal"
    """Ranks: as far apart as values were given between them."""
    INTERVAL = "interval"
    """Numbers: as far apart as their difference."""
    RATIO = "ratio"
    """Numbers from 0 up: as far apart as their difference relative to their sum."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Krippendorff's alpha and what it rests on.

    Args:
        alpha: 1 is full agreement, 0 what chance gives, less is systematic disagreement; None if
            all values are equal: agreement then cannot be told from having only one value.
        level: The level of measurement.
        units: How many units had at least two values.
        values: How many values those units had.
    """

    alpha: float | None
    level: Level
    units: int
    values: int


Value: TypeAlias = str | float
Distance: TypeAlias = Callable[[Value, Value], float]


def krippendorff_alpha(units: Sequence[Sequence[Value | None]], level: Level) -> Agreement:
    """Krippendorff's alpha for any number of observers, with values missing.

    Source: Krippendorff (2004), Content Analysis, chapter 11: alpha = 1 - observed / expected
    disagreement. A unit counts each pair of its m values with 1 / (m - 1); units with
    fewer than two values tell nothing and are left out.

    Args:
        units: For each unit the values its observers gave, None where one gave none.
        level: What the values mean. Names need `NOMINAL`; the other levels need numbers.

    Raises:
        StatisticsError: No unit has two values, or a value is not of the level.
    """
    given = [[value for value in unit if value is not None] for unit in units]
    paired = [values for values in given if len(values) > 1]
    if not paired:
        raise StatisticsError(
            "no unit has the values of two observers", "agreement needs two values of one unit"
        )
    counts = Counter(value for values in paired for value in values)
    _check_values(counts, level)
    distance = _distance(level, counts)
    total = counts.total()
    observed = math.fsum(
        distance(one, other) / (len(values) - 1)
        for values in paired
        for one, other in combinations(values, 2)
    )
    expected = math.fsum(
        counts[one] * counts[other] * distance(one, other) for one, other in combinations(counts, 2)
    ) / (total - 1)
    alpha = 1 - observed / expected if expected else None
    return Agreement(alpha, level, len(paired), total)


def _check_values(counts: Counter[Value], level: Level) -> None:
    if level is Level.NOMINAL:
        return
    for value in counts:
        if isinstance(value, str) or not math.isfinite(value):
            raise StatisticsError(
                f"the value {value!r} has no {level} distance", "give numbers, or use nominal"
            )
        if level is Level.RATIO and value < 0:
            raise StatisticsError(f"the value {value:g} is below 0", "use interval")


def _distance(level: Level, counts: Counter[Value]) -> Distance:
    """The squared difference of two values (Krippendorff 2004, 11.3.4)."""
    match level:
        case Level.NOMINAL:
            return lambda one, other: float(one != other)
        case Level.ORDINAL:
            places = _middle_ranks(counts)
            return lambda one, other: (places[one] - places[other]) ** 2
        case Level.INTERVAL:
            return lambda one, other: (float(one) - float(other)) ** 2
        case Level.RATIO:
            return _ratio_distance
        case _:
            assert_never(level)


def _middle_ranks(counts: Counter[Value]) -> dict[Value, float]:
    """Where each value stands when all are laid in a row; equal ones share the middle."""
    places: dict[Value, float] = {}
    below = 0
    for value in sorted(counts, key=float):
        places[value] = below + counts[value] / 2
        below += counts[value]
    return places


def _ratio_distance(one: Value, other: Value) -> float:
    total = float(one) + float(other)
    return ((float(one) - float(other)) / total) ** 2 if total else 0.0
