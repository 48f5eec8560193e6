from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from foureyes.base.registry import load_registry_file
from foureyes.sources.fetcher import Fetcher
from foureyes.sources.guard import Guard
from foureyes.sources.policy import FetchPolicy
from foureyes.sources.snapshot_store import SnapshotStore
from support.http_site import HttpSite

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
        "attempts": 2,
        "first_wait": 0.01,
        "longest_wait": 0.05,
        "jitter": 0,
        "retry_after_cap": 1,
    },
}


@pytest.fixture(scope="session")
def packaged_policy() -> FetchPolicy:
    return load_registry_file(FetchPolicy, "fetch.yaml")


@pytest.fixture(scope="session")
def policy(packaged_policy: FetchPolicy) -> FetchPolicy:
    """The packaged policy with waits that suit a test."""
    return FetchPolicy.model_validate({**packaged_policy.model_dump(), **QUICK})


@pytest.fixture
async def site() -> AsyncGenerator[HttpSite]:
    async with HttpSite() as opened:
        yield opened


@pytest.fixture
def store(tmp_path: Path) -> SnapshotStore:
    return SnapshotStore(tmp_path / "sources")


@pytest.fixture
def guard(policy: FetchPolicy, site: HttpSite) -> Guard:
    """Lets the test's own site through, and nothing else that is local."""
    return Guard(policy, allowed_hosts=[site.authority])


@pytest.fixture
async def fetcher(
    store: SnapshotStore, policy: FetchPolicy, guard: Guard
) -> AsyncGenerator[Fetcher]:
    async with Fetcher(store, policy, guard) as opened:
        yield opened
