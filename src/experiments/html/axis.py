"""Where values lie on an axis, in percent of its length, and which of them are named."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

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
