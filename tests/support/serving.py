"""Sites for a test whose own thread is busy."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import TypeVar

from anyio.from_thread import start_blocking_portal

SiteT = TypeVar("SiteT")


@contextmanager
def served(site: AbstractAsyncContextManager[SiteT, None]) -> Generator[SiteT]:
    """`site`, open in a thread of its own."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(site) as opened:
        yield opened
