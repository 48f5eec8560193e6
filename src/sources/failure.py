"""How a fetch ends when there is nothing to read, and when it is tried again."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio

from ..base.errors import SourceError
from ..base.vocabulary import SourceState
from .policy import RetryPolicy, Transfer

T = TypeVar("T")


class FetchFailed(SourceError):
    """Carries a source's state from where its fetch broke to where its `Source` is made.

    It never leaves this package: `Fetcher.fetch` returns the state as a value.

    Args:
        state: What the source is to be called.
        reason: One line for the report.
        transient: Whether another attempt may end better.
        retry_after: The seconds that the server asks to wait before that attempt.
    """

    def __init__(
        self,
        state: SourceState,
        reason: str,
        transient: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(reason)
        self.args = (state, reason, transient, retry_after)
        self.state = state
        self.reason = reason
        self.transient = transient
        self.retry_after = retry_after


class NoSuchHost(FetchFailed):
    """No name server knows `host`, though names can be looked up here."""

    def __init__(self, host: str, reason: str) -> None:
        super().__init__(SourceState.DEAD, reason)
        self.args = (host, reason)
        self.host = host


class AddressRefused(FetchFailed):
    """The guard does not let this address be fetched."""

    def __init__(self, reason: str) -> None:
        super().__init__(SourceState.REFUSED_BY_POLICY, reason)
        self.args = (reason,)


async def with_retries(
    attempt: Callable[[], Awaitable[T]],
    bounds: RetryPolicy | Transfer,
    may_go_on: Callable[[], bool] = lambda: True,
) -> T:
    """The result of `attempt`, which is made again after a wait while its failure may pass.

    A wait that the server asks for is kept; without one, waits double.

    Raises:
        FetchFailed: The last attempt's.
    """
    wait, left = bounds.first_wait, bounds.attempts
    while True:
        try:
            return await attempt()
        except FetchFailed as failure:
            left -= 1
            if not failure.transient or not left or not may_go_on():
                raise
            asked = failure.retry_after
        usual = min(wait, bounds.longest_wait) + random.uniform(0, bounds.jitter)
        await anyio.sleep(usual if asked is None else asked)
        wait *= 2
