"""The budget of a whole run: reserved before each turn, settled after it (decision 15)."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal
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


@dataclass(frozen=True, slots=True)
class _Amount:
    cost_usd: Decimal = Decimal(0)
    tokens: int = 0
    tool_calls: int = 0
    turns: int = 0

    def __add__(self, other: _Amount) -> _Amount:
        return _Amount(
            self.cost_usd + other.cost_usd,
            self.tokens + other.tokens,
            self.tool_calls + other.tool_calls,
            self.turns + other.turns,
        )


NO_LIMITS = BudgetConfig()


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
        limits: BudgetConfig = NO_LIMITS,
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
        self._settled = _amount(spent.usage, spent.turns)
        self._unpriced = spent.usage.cost_usd is None
        self._reserved: dict[str, list[_Amount]] = {}

    def reserve(self, name: str, limits: TurnLimits) -> None:
        """Reserve for the turn `name`.

        Raises:
            BudgetExceeded: A limit would be passed; the error names limit and need.
        """
        with self._lock:
            estimate = self._estimate(limits)
            self._check(self._settled + self._reserved_in_all() + estimate)
            self._reserved.setdefault(name, []).append(estimate)

    def settle(self, name: str, usage: TurnUsage) -> None:
        """Replace the reservation of `name` by what the turn used."""
        with self._lock:
            amounts = self._reserved[name]
            amounts.pop()
            if not amounts:
                del self._reserved[name]
            self._settled += _amount(usage, 1)
            self._unpriced = self._unpriced or usage.cost_usd is None

    def narrow(self, limits: TurnLimits) -> TurnLimits:
        """`limits` of a reserved turn, its cost limited to what other turns leave of the run's.

        Others are taken to cost what is reserved for them.
        """
        if self._limits.max_usd is None:
            return limits
        with self._lock:
            others = self._reserved_in_all().cost_usd - self._estimate(limits).cost_usd
            left = max(self._limits.max_usd - self._settled.cost_usd - others, Decimal(0))
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

    def _estimate(self, limits: TurnLimits) -> _Amount:
        turns = max(self._settled.turns, 1)
        mean = self._settled.cost_usd / turns
        own = limits.max_cost_usd
        return _Amount(
            cost_usd=mean if own is None else min(mean, own),
            tokens=self._settled.tokens // turns,
            tool_calls=self._settled.tool_calls // turns,
            turns=1,
        )

    def _reserved_in_all(self) -> _Amount:
        every = (amount for amounts in self._reserved.values() for amount in amounts)
        return sum(every, _Amount())

    def _check(self, total: _Amount) -> None:
        limits = self._limits
        if limits.max_usd is not None and self._unpriced:
            raise BudgetExceeded("cost_usd", float(limits.max_usd), float("inf"))
        needs = (
            ("cost_usd", limits.max_usd, total.cost_usd),
            ("tokens", limits.max_tokens, total.tokens),
            ("tool_calls", limits.max_tool_calls, total.tool_calls),
            ("turns", limits.max_turns, total.turns),
        )
        for name, limit, need in needs:
            if limit is not None and need > limit:
                raise BudgetExceeded(name, float(limit), float(need))
        if self.remaining_s() == 0.0:
            minutes = limits.max_minutes or 0.0
            raise BudgetExceeded("minutes", minutes, (self._clock() - self._started) / 60)


def _amount(usage: TurnUsage, turns: int) -> _Amount:
    tokens = (
        usage.input_tokens
        + usage.output_tokens
        + usage.cache_read_tokens
        + usage.cache_write_tokens
    )
    return _Amount(usage.cost_usd or Decimal(0), tokens, usage.tool_calls, turns)
