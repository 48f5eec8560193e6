"""How a fetch ends when there is nothing to read, and when it is tried again."""

from __future__ import annotations

import random
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from http.client import responses
from typing import TYPE_CHECKING, TypeVar

import anyio

from ..base.errors import SourceError
from ..base.vocabulary import SourceState
from .policy import RetryPolicy

if TYPE_CHECKING:
    import httpx2

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


def too_large(limit: int) -> FetchFailed:
    """The failure of a source of more than `limit` bytes."""
    return FetchFailed(SourceState.TOO_LARGE, f"it is larger than {limit:,} bytes")


class AddressRefused(FetchFailed):
    """The guard does not let this address be fetched."""

    def __init__(self, reason: str) -> None:
        super().__init__(SourceState.REFUSED_BY_POLICY, reason)
        self.args = (reason,)


async def with_retries(
    attempt: Callable[[], Awaitable[T]],
    bounds: RetryPolicy,
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


_STATES = {
    **{402: SourceState.PAYWALLED, 404: SourceState.DEAD, 408: SourceState.TIMEOUT},
    **{410: SourceState.DEAD, 429: SourceState.RATE_LIMITED, 999: SourceState.BLOCKED},
}
_PASSING = (408, 429, 500, 502, 503, 504)


def failure_of(response: httpx2.Response, retry_after_cap: float) -> FetchFailed | None:
    """The failure that a status means, or None for success.

    A server that asks to wait longer than `retry_after_cap` seconds is not worth another attempt.
    """
    status = response.status_code
    if 200 <= status < 300:
        return None
    wait = _retry_after(response.headers.get("retry-after", ""))
    named = f"the server answered {status} {responses.get(status, '')}".rstrip()
    if status == HTTPStatus.TOO_MANY_REQUESTS and wait is not None:
        named += f", asking to wait {wait:g} s"
    other = SourceState.BLOCKED if 400 <= status < 500 else SourceState.SERVER_ERROR
    passes = status in _PASSING and (wait is None or wait <= retry_after_cap)
    return FetchFailed(_STATES.get(status, other), named, passes, wait)


def _retry_after(value: str) -> float | None:
    """The seconds in a Retry-After header: a number, or a date from now."""
    if re.fullmatch(r"[0-9]{1,9}", value.strip()):
        return float(value)
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())
