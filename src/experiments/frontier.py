"""Pareto front of the arms by quality and expense."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from .statistics.samples import Direction


class Expense(StrEnum):
    """An expense of a trial."""

    COST = "cost_usd"
    SECONDS = "seconds"


@dataclass(frozen=True, slots=True)
class ArmPoint:
    """An arm: the mean of the primary metric, and the mean cost and seconds of its trials.

    Cost is None for an unknown price.
    """

    arm: str
    value: float
    cost_usd: float | None
    seconds: float


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """An arm: what it reaches, and at what expense.

    `front` is whether no other arm is better in one of the two and no worse in the other.
    """

    arm: str
    value: float
    expense: float
    front: bool


@dataclass(frozen=True, slots=True)
class Frontier:
    """All arms on the same items.

    Args:
        expense: What expenses are: dollars a trial, or seconds.
        why: Why they are no dollars; "" if they are.
        points: The arms.
    """

    expense: Expense
    why: str
    points: tuple[FrontierPoint, ...]


def frontier(arms: Sequence[ArmPoint], direction: Direction) -> Frontier | None:
    """The Pareto front of `arms`; None if neither cost nor time is known of any of them.

    Args:
        arms: What is known of each.
        direction: Which values of the primary metric are good.
    """
    costs = [one.cost_usd for one in arms if one.cost_usd is not None]
    if len(costs) == len(arms) and any(costs):
        return _front(arms, costs, direction, Expense.COST, "")
    seconds = [one.seconds for one in arms]
    if not any(seconds):
        return None
    paid = "nothing was paid" if len(costs) == len(arms) else "the price of a model is not known"
    return _front(arms, seconds, direction, Expense.SECONDS, paid)


def _front(
    arms: Sequence[ArmPoint],
    expenses: Sequence[float],
    direction: Direction,
    expense: Expense,
    why: str,
) -> Frontier:
    sign = 1 if direction is Direction.HIGHER else -1
    both = [(sign * one.value, -each) for one, each in zip(arms, expenses, strict=True)]
    return Frontier(
        expense,
        why,
        tuple(
            FrontierPoint(one.arm, one.value, each, not any(_beats(other, mine) for other in both))
            for one, each, mine in zip(arms, expenses, both, strict=True)
        ),
    )


def _beats(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[0] >= other[0] and one[1] >= other[1] and one != other
