"""Limits on calls that cost or burden others, counted where the call is made."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Protocol


class LimitName(StrEnum):
    """Kind of call that is counted over all workers, where the call is made.

    A model call is one request of a session to its model. A fetch is one request over HTTP to a
    site or to a search provider.
    """

    MODEL = "model"
    FETCH = "fetch"


SLACK_S: Mapping[LimitName, float] = MappingProxyType({LimitName.MODEL: 1.0, LimitName.FETCH: 0.25})
"""How long a call may take to begin after it was counted; windows are that much longer. The CLI
sends a request 20 to 100 ms after it is told that it may, later on a busy machine."""


@dataclass(frozen=True, slots=True)
class CallLimit:
    """How many calls there may be. None means no limit.

    `at_once` calls under way, and `calls` begun in any `seconds` (a sliding window, not a bucket).
    """

    at_once: int | None = None
    calls: int | None = None
    seconds: float = 60.0


class CallLimiter(Protocol):
    """Holds calls back until every limit allows them."""

    def place(self, name: LimitName) -> AbstractAsyncContextManager[None]:
        """One of the places for calls at once, waited for, and kept while the block runs."""
        ...

    async def begin(self, name: LimitName) -> None:
        """Wait until the window has room for one more call, which is then counted."""
        ...


@asynccontextmanager
async def one_call(limiter: CallLimiter, name: LimitName) -> AsyncGenerator[None]:
    """A place for one call, which is counted as begun, kept while the block runs."""
    async with limiter.place(name):
        await limiter.begin(name)
        yield


class _Unlimited:
    def place(self, name: LimitName) -> AbstractAsyncContextManager[None]:  # noqa: ARG002
        return nullcontext()

    async def begin(self, name: LimitName) -> None:
        """Wait for nothing."""


UNLIMITED: CallLimiter = _Unlimited()
"""The limiter of a run that no engine has placed."""
