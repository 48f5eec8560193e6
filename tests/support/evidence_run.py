"""The evidence of one run over a site on loopback."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from foureyes.base.registry import load_registry_file
from foureyes.base.vocabulary import FetchMode
from foureyes.core.budget import Budget
from foureyes.core.config import BudgetConfig
from foureyes.core.evidence import DocumentEvidence
from foureyes.core.evidence_parts import EvidenceParts
from foureyes.core.record_folder import JournalSteps
from foureyes.core.run_analytics import RunAnalytics
from foureyes.core.source_tools import SourceReader
from foureyes.core.work import Progress, RunServices
from foureyes.sources.fetcher import Fetcher
from foureyes.sources.guard import Guard
from foureyes.sources.policy import FETCH_FILE, FetchPolicy
from foureyes.sources.snapshot_store import SnapshotStore
from foureyes.verification.registry import Registry
from support.http_site import HttpSite
from support.loop_agents import AS_OF

QUICK = {
    "timeouts": {
        "connect": 2,
        "read": 0.5,
        "attempt": 1.5,
        "source": 20,
        "host": 20,
        "extraction": 10,
    },
    "politeness": {"per_host": 2, "in_total": 16, "interval": 0},
    "retries": {
        "attempts": 1,
        "first_wait": 0.01,
        "longest_wait": 0.05,
        "jitter": 0,
        "retry_after_cap": 1,
    },
}


def ignore(progress: Progress) -> None:
    """Show nothing."""


def services(folder: Path) -> RunServices:
    """Real services with a journal in `folder`."""
    journal = folder / "journal"
    journal.mkdir(exist_ok=True)
    steps = JournalSteps(journal)
    return RunServices(steps, RunAnalytics(), Budget(BudgetConfig()), ignore, folder)


@asynccontextmanager
async def open_reader(
    folder: Path,
    site: HttpSite,
    *,
    mode: FetchMode = FetchMode.LIVE,
    allowed_hosts: Iterable[str] = (),
) -> AsyncGenerator[SourceReader]:
    """A reader with its snapshots in `folder` that reaches `site` and nothing else."""
    packaged = load_registry_file(FetchPolicy, FETCH_FILE)
    policy = FetchPolicy.model_validate({**packaged.model_dump(), **QUICK})
    guard = Guard(policy, allowed_hosts=[site.authority])
    store = SnapshotStore(folder / "sources")
    async with Fetcher(store, policy, guard, mode=mode) as fetcher:
        yield SourceReader(fetcher, store, allowed_hosts)


def evidence(
    reader: SourceReader, registry: Registry, *, max_fetches: int = 200, max_webfetches: int = 20
) -> DocumentEvidence:
    """The evidence stage of a run."""
    return DocumentEvidence(
        EvidenceParts(
            reader,
            registry,
            as_of=AS_OF,
            max_fetches=max_fetches,
            max_webfetches=max_webfetches,
        )
    )
