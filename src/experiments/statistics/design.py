"""Declarations made before results are seen: metrics, level and power."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass

from ...base.errors import StatisticsError
from .bootstrap import DRAWS as RESAMPLES
from .paired import DRAWS
from .samples import Direction, Scale


@dataclass(frozen=True, slots=True)
class MetricSpec:
    """A metric as it was declared before the results were seen.

    Args:
        name: Its name.
        scale: What values it takes.
        direction: Which of them are good.
        margin: The smallest difference that matters, in the metric's unit (for a share, 0.05 is
            five points); None if only a difference is looked for.
    """

    name: str
    scale: Scale
    direction: Direction = Direction.HIGHER
    margin: float | None = None

    def __post_init__(self) -> None:
        if self.margin is not None and not 0 < self.margin < math.inf:
            raise StatisticsError(
                f"metric {self.name!r} has the margin {self.margin}", "give a number above 0"
            )


@dataclass(frozen=True, slots=True)
class Design:
    """How a comparison is judged.

    Args:
        alpha: The two-sided level; at a look before the end, that look's level.
        power: The power that the minimum detectable effect is stated for.
        family: How many comparisons belong together. Their p-values are adjusted by Holm;
            equivalence is shown at alpha / family each.
        seed: Where everything random starts.
        draws: Drawn signs, where there are too many to count all.
        resamples: Bootstrap resamples.
        equivalence_alpha: What both one-sided tests of equivalence may err together; None for
            2 alpha / family, which holds without looks before the end.
        factors: What Holm's procedure multiplies p by for 1, 2, … tests left; () for these numbers.
    """

    alpha: float = 0.05
    power: float = 0.8
    family: int = 1
    seed: int = 0
    draws: int = DRAWS
    resamples: int = RESAMPLES
    _: KW_ONLY
    equivalence_alpha: float | None = None
    factors: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        for name, value in (("alpha", self.alpha), ("power", self.power)):
            if not 0 < value < 1:
                raise StatisticsError(f"{name} is {value}", "give a number between 0 and 1")
        if self.alpha >= 0.5 or self.power <= self.alpha:
            raise StatisticsError(
                f"alpha {self.alpha:g} with power {self.power:g} tests nothing",
                "alpha is mostly 0.05 and below 0.5, power mostly 0.8",
            )
        if self.family < 1:
            raise StatisticsError(f"a family of {self.family} metrics", "there is at least one")

    @property
    def equivalence_level(self) -> float:
        """The level of the interval that shows equivalence."""
        if self.equivalence_alpha is not None:
            return 1 - self.equivalence_alpha
        return 1 - 2 * self.alpha / self.family
