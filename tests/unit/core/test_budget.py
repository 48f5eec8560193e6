"""Limits over all agents of a run."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from decimal import Decimal

import pytest
from foureyes import BudgetExceeded, SettingsError, TurnLimits, TurnUsage
from foureyes.core.budget import Budget
from foureyes.datatypes import BudgetConfig, Spent

LIMITS = TurnLimits()


def usage(cost: str | None = "0", *, tokens: int = 0, tools: int = 0) -> TurnUsage:
    price = None if cost is None else Decimal(cost)
    return TurnUsage(cost_usd=price, output_tokens=tokens, tool_calls=tools)


@dataclass
class Clock:
    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


def used_up(limits: BudgetConfig, spent: TurnUsage) -> str:
    """Turns of `spent` until the budget refuses; returns the limit's name and how many fitted."""
    budget = Budget(limits)
    for number in range(100):
        try:
            budget.reserve(f"{number}", LIMITS)
        except BudgetExceeded as error:
            return f"{error.name} after {number}"
        budget.settle(f"{number}", spent)
    return "never"


@pytest.mark.parametrize(
    ("limits", "spent", "expected"),
    [
        (BudgetConfig(), usage("100", tokens=10**9, tools=10**6), "never"),
        (BudgetConfig(max_usd=Decimal(1)), usage("0.25"), "cost_usd after 4"),
        (BudgetConfig(max_usd=Decimal(1)), usage("0.4"), "cost_usd after 2"),
        (BudgetConfig(max_tokens=100), usage(tokens=30), "tokens after 3"),
        (BudgetConfig(max_tool_calls=10), usage(tools=5), "tool_calls after 2"),
        (BudgetConfig(max_turns=3), usage(), "turns after 3"),
        (BudgetConfig(max_usd=Decimal(1)), usage(None), "cost_usd after 1"),
    ],
)
def test_a_turn_is_refused_when_its_estimate_passes_a_limit(
    limits: BudgetConfig, spent: TurnUsage, expected: str
) -> None:
    assert used_up(limits, spent) == expected


def after_one_turn(limits: BudgetConfig, spent: TurnUsage) -> Budget:
    budget = Budget(limits)
    budget.reserve("1/analyst", LIMITS)
    budget.settle("1/analyst", spent)
    return budget


def test_turns_under_way_count_with_their_reservation() -> None:
    budget = after_one_turn(BudgetConfig(max_usd=Decimal(1)), usage("0.4"))
    budget.reserve("1/reviewer", LIMITS)
    with pytest.raises(BudgetExceeded) as caught:
        budget.reserve("1/fact_checker", LIMITS)
    assert caught.value.args == ("cost_usd", 1.0, 1.2)
    budget.settle("1/reviewer", usage("0.1"))
    budget.reserve("1/fact_checker", LIMITS)


def test_a_turn_is_reserved_at_no_more_than_its_own_limit() -> None:
    budget = after_one_turn(BudgetConfig(max_usd=Decimal(1)), usage("0.4"))
    capped = TurnLimits(max_cost_usd=Decimal("0.2"))
    for number in range(3):
        budget.reserve(f"{number}", capped)
    with pytest.raises(BudgetExceeded):
        budget.reserve("4", capped)


def test_a_name_may_be_reserved_twice_at_once() -> None:
    budget = Budget(BudgetConfig(max_turns=3))
    budget.reserve("a", LIMITS)
    budget.reserve("a", LIMITS)
    budget.settle("a", usage())
    budget.settle("a", usage())
    budget.reserve("a", LIMITS)
    with pytest.raises(BudgetExceeded, match="turns"):
        budget.reserve("a", LIMITS)


def test_parallel_threads_never_pass_a_limit() -> None:
    budget = Budget(BudgetConfig(max_turns=50))

    def turn(number: int) -> bool:
        try:
            budget.reserve(f"{number}", LIMITS)
        except BudgetExceeded:
            return False
        budget.settle(f"{number}", usage())
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(turn, range(200))) == 50


def test_a_dollar_limit_needs_a_price() -> None:
    with pytest.raises(SettingsError, match="price of the model is unknown"):
        Budget(BudgetConfig(max_usd=Decimal(1)), priced=False)
    Budget(BudgetConfig(max_minutes=1), priced=False)


def test_a_turn_may_cost_what_others_leave_and_no_more_than_its_own_limit() -> None:
    budget = after_one_turn(BudgetConfig(max_usd=Decimal(1)), usage("0.25"))
    capped = TurnLimits(max_cost_usd=Decimal("0.1"))
    budget.reserve("1/reviewer", LIMITS)
    assert budget.narrow(LIMITS).max_cost_usd == Decimal("0.75")
    budget.reserve("1/fact_checker", LIMITS)
    assert budget.narrow(LIMITS).max_cost_usd == Decimal("0.5")
    assert budget.narrow(capped) == capped
    assert Budget(BudgetConfig()).narrow(LIMITS) == LIMITS


def test_a_resumed_run_goes_on_with_what_is_left() -> None:
    clock = Clock()
    limits = BudgetConfig(max_usd=Decimal(1), max_minutes=2)
    budget = Budget(limits, spent=Spent(3, usage("0.9"), active_s=90), clock=clock)
    assert budget.remaining_s() == 30
    with pytest.raises(BudgetExceeded, match="cost_usd"):
        budget.reserve("a", LIMITS)


def test_time_runs_out() -> None:
    clock = Clock()
    budget = Budget(BudgetConfig(max_minutes=1), clock=clock)
    budget.reserve("a", LIMITS)
    clock.now += 61
    assert budget.remaining_s() == 0
    with pytest.raises(BudgetExceeded, match=r"minutes limit of 1 would be exceeded \(1\.01"):
        budget.reserve("b", LIMITS)


async def test_work_past_the_deadline_is_cancelled() -> None:
    budget = Budget(BudgetConfig(max_minutes=0.02 / 60))
    assert await budget.within_time(asyncio.sleep(5, "done"), "late") == "late"


async def test_work_within_the_deadline_gives_its_result() -> None:
    for limits in (BudgetConfig(), BudgetConfig(max_minutes=1)):
        assert await Budget(limits).within_time(asyncio.sleep(0, "done"), "late") == "done"


async def test_a_timeout_of_the_work_itself_is_not_the_deadline() -> None:
    async def work() -> str:
        raise TimeoutError("the work's own")

    with pytest.raises(TimeoutError, match="the work's own"):
        await Budget(BudgetConfig(max_minutes=1)).within_time(work(), "late")
