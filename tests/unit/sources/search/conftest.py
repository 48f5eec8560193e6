from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
from foureyes.base.registry import load_registry_file
from foureyes.sources.policy import SEARCH_FILE, SearchPolicy
from support.http_site import HttpSite

QUICK = {
    "connect": 2,
    "read": 0.4,
    "attempt": 1.5,
    "body_bytes": 100_000,
    "attempts": 2,
    "first_wait": 0.01,
    "longest_wait": 0.05,
    "jitter": 0,
    "retry_after_cap": 1,
}


@pytest.fixture(scope="session")
def packaged() -> SearchPolicy:
    return load_registry_file(SearchPolicy, SEARCH_FILE)


@pytest.fixture(scope="session")
def policy(packaged: SearchPolicy) -> SearchPolicy:
    """The packaged policy with waits that suit a test."""
    return SearchPolicy.model_validate({**packaged.model_dump(), "transfer": QUICK})


@pytest.fixture
async def site() -> AsyncGenerator[HttpSite]:
    async with HttpSite() as opened:
        yield opened
