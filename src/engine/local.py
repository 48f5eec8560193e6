"""The local engine: one run or review directory, held by this process."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic

from ..core.budget import Budget
from ..core.config import BudgetConfig
from ..core.record_folder import JournalSteps
from ..core.run_analytics import RunAnalytics
from ..core.run_store import FolderT


@dataclass(frozen=True, slots=True)
class LocalRun(Generic[FolderT]):
    """An open run or review directory: its store, journal and analytics."""

    store: FolderT
    steps: JournalSteps
    analytics: RunAnalytics

    def budget(self, limits: BudgetConfig, *, priced: bool) -> Budget:
        """The run's budget, with what its earlier sittings used.

        Raises:
            SettingsError: There is a dollar limit and the price is not known.
        """
        return Budget(limits, spent=self.analytics.spent(), priced=priced)


@contextmanager
def open_run(
    store: FolderT,
    *,
    fetch_allowances: Mapping[str, int] | None = None,
) -> Generator[LocalRun[FolderT]]:
    """Hold the run directory of `store` while the block runs.

    `fetch_allowances` are shown beside the fetches of each agent.

    Raises:
        RunDirectoryError: Another process holds it, or it is damaged.
    """
    with store.lock():
        analytics = RunAnalytics(store.events(), store.append, fetch_allowances)
        yield LocalRun(store, JournalSteps(store.journal, store.flush), analytics)
