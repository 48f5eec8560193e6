"""Which arms no other one beats in both quality and expense."""

from __future__ import annotations

import pytest
from foureyes.experiments.analysis import ArmPoint, Expense, frontier
from foureyes.experiments.statistics.samples import Direction

HIGHER, LOWER = Direction.HIGHER, Direction.LOWER


@pytest.mark.parametrize(
    ("values", "direction", "front"),
    [
        ((0.5, 0.9, 0.7), HIGHER, (True, True, False)),
        ((0.5, 0.9, 0.7), LOWER, (True, False, False)),
        ((0.9, 0.9, 0.9), HIGHER, (True, False, False)),
        ((0.1, 0.2, 0.3), HIGHER, (True, True, True)),
    ],
)
def test_an_arm_is_on_the_front_unless_another_is_better_and_no_dearer(
    values: tuple[float, ...], direction: Direction, front: tuple[bool, ...]
) -> None:
    arms = [ArmPoint(str(at), value, 0.01 * at + 0.01, 1) for at, value in enumerate(values)]
    found = frontier(arms, direction)
    assert found is not None
    assert tuple(one.front for one in found.points) == front


def test_equal_arms_are_both_on_the_front() -> None:
    found = frontier([ArmPoint("a", 1, 0.5, 1), ArmPoint("b", 1, 0.5, 1)], HIGHER)
    assert found is not None
    assert [one.front for one in found.points] == [True, True]


@pytest.mark.parametrize(
    ("costs", "expense", "why"),
    [
        ((0.1, 0.2), Expense.COST, ""),
        ((0.0, 0.2), Expense.COST, ""),
        ((0.0, 0.0), Expense.SECONDS, "nothing was paid"),
        ((None, 0.2), Expense.SECONDS, "the price of a model is not known"),
    ],
)
def test_seconds_stand_in_for_costs_that_are_not_there_and_it_is_told(
    costs: tuple[float | None, ...], expense: Expense, why: str
) -> None:
    found = frontier([ArmPoint(str(cost), 1, cost, 3) for cost in costs], HIGHER)
    assert found is not None
    assert (found.expense, found.why) == (expense, why)


def test_without_cost_and_time_there_is_none() -> None:
    assert frontier([ArmPoint("a", 1, 0, 0), ArmPoint("b", 1, None, 0)], HIGHER) is None
