"""The budget of a whole run: reserved before each turn, settled after it (decision 15)."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import chain
from typing import TypeVar

from ..base.errors import BudgetExceeded, SettingsError
from .config import BudgetConfig
from .tasks import TurnLimits, TurnUsage

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class Spent:
    """The usage of a run so far, over all of its sessions.

    `turns` counts turns, `usage` is their sum. `active_s` are the seconds for which the run was at
    work.
    """

    turns: int = 0
    usage: TurnUsage = field(default_factory=TurnUsage)
    active_s: float = 0.0


class Budget:
    """Limits over all agents of a run, safe for parallel tasks and threads.

    A turn is reserved at the mean of the turns settled so far, and at no more dollars than its own
    limit; the first turns, whose cost nobody knows, at nothing. It is refused when what is settled,
    reserved and estimated passes a limit.

    Args:
        limits: The run's limits.
        spent: What earlier sessions of a resumed run used.
        priced: Whether the price of every turn will be known.
        clock: Seconds on a clock that never goes back.

    Raises:
        SettingsError: There is a dollar limit and a price is unknown.
    """

    def __init__(
        self,
        limits: BudgetConfig,
        *,
        spent: Spent | None = None,
        priced: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if limits.max_usd is not None and not priced:
            raise SettingsError(
                "the price of the model is unknown, so a limit in dollars cannot be held",
                "leave out --budget-usd, or limit tokens or minutes",
            )
        spent = spent or Spent()
        self._limits = limits
        self._clock = clock
        self._started = clock() - spent.active_s
        self._lock = threading.Lock()
        self._settled, self._turns = spent.usage, spent.turns
        self._reserved = defaultdict[str, list[TurnUsage]](list)

    def reserve(self, name: str, limits: TurnLimits) -> None:
        """Reserve for the turn `name`.

        Raises:
            BudgetExceeded: A limit would be passed; the error names limit and need.
        """
        with self._lock:
            estimate = self._estimate(limits)
            self._check([*chain(*self._reserved.values()), estimate])
            self._reserved[name].append(estimate)

    def settle(self, name: str, usage: TurnUsage) -> None:
        """Replace the reservation of `name` by what the turn used."""
        with self._lock:
            self._reserved[name].pop()
            self._settled += usage
            self._turns += 1

    def narrow(self, limits: TurnLimits) -> TurnLimits:
        """`limits` of a reserved turn, its cost limited to what other turns leave of the run's.

        Others are taken to cost what is reserved for them.
        """
        if self._limits.max_usd is None:
            return limits
        with self._lock:
            reserved = sum(map(_cost, chain(*self._reserved.values())))
            taken = _cost(self._settled) + reserved - _cost(self._estimate(limits))
            left = max(self._limits.max_usd - taken, Decimal(0))
        own = limits.max_cost_usd
        return replace(limits, max_cost_usd=left if own is None else min(own, left))

    def remaining_s(self) -> float | None:
        """Seconds until the run's deadline, not below 0; None when there is none."""
        if self._limits.max_minutes is None:
            return None
        return max(0.0, self._limits.max_minutes * 60 - (self._clock() - self._started))

    async def within_time(self, work: Awaitable[T], late: U) -> T | U:
        """The result of `work`; `late` if the run's deadline passes first, which cancels `work`."""
        deadline = asyncio.timeout(self.remaining_s())
        try:
            async with deadline:
                return await work
        except TimeoutError:
            if not deadline.expired():
                raise
            return late

    def _estimate(self, limits: TurnLimits) -> TurnUsage:
        turns = max(self._turns, 1)
        mean, own = _cost(self._settled) / turns, limits.max_cost_usd
        cost = mean if own is None else min(mean, own)
        tokens, calls = _tokens(self._settled) // turns, self._settled.tool_calls // turns
        return TurnUsage(cost_usd=cost, input_tokens=tokens, tool_calls=calls)

    def _check(self, reserved: Sequence[TurnUsage]) -> None:
        limits, total = self._limits, sum(reserved, self._settled)
        if limits.max_usd is not None and total.cost_usd is None:
            raise BudgetExceeded("cost_usd", float(limits.max_usd), float("inf"))
        needs = (
            ("cost_usd", limits.max_usd, _cost(total)),
            ("tokens", limits.max_tokens, _tokens(total)),
            ("tool_calls", limits.max_tool_calls, total.tool_calls),
            ("turns", limits.max_turns, self._turns + len(reserved)),
        )
        for name, limit, need in needs:
            if limit is not None and need > limit:
                raise BudgetExceeded(name, float(limit), float(need))
        if self.remaining_s() == 0.0:
            minutes = limits.max_minutes or 0.0
            raise BudgetExceeded("minutes", minutes, (self._clock() - self._started) / 60)


def _cost(usage: TurnUsage) -> Decimal:
    return usage.cost_usd or Decimal(0)


def _tokens(usage: TurnUsage) -> int:
    return usage.tokens_in + usage.output_tokens
