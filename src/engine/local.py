"""The local engine: one run directory, held by this process."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import anyio

from ..core.budget import Budget
from ..core.config import BudgetConfig
from ..core.journal import JournalSteps
from ..core.run_analytics import RunAnalytics
from ..core.run_store import RunStore

MAX_PARALLEL_TURNS = 4
"""Agent turns at once: a session of the Claude backend takes about 105 MiB (design, section 4)."""


@dataclass(frozen=True, slots=True)
class LocalRun:
    """What a pipeline needs of the run directory it works in.

    `turns` bounds how many agent turns go on at once.
    """

    store: RunStore
    steps: JournalSteps
    analytics: RunAnalytics
    turns: anyio.Semaphore

    def budget(self, limits: BudgetConfig, *, priced: bool) -> Budget:
        """The run's budget, with what its earlier sittings used.

        Raises:
            SettingsError: There is a dollar limit and the price is not known.
        """
        return Budget(limits, spent=self.analytics.spent(), priced=priced)


@contextmanager
def open_run(
    store: RunStore,
    *,
    max_parallel_turns: int = MAX_PARALLEL_TURNS,
    fetch_allowances: Mapping[str, int] | None = None,
) -> Generator[LocalRun]:
    """Hold the run directory of `store` while the block runs.

    `fetch_allowances` are shown beside the fetches of each agent.

    Raises:
        RunDirectoryError: Another process holds it, or it is damaged.
    """
    with store.lock():
        analytics = RunAnalytics(store.events(), store.append, fetch_allowances)
        turns = anyio.Semaphore(max_parallel_turns)
        yield LocalRun(store, JournalSteps(store.journal), analytics, turns)
