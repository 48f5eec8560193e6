"""Turns at hosts: how many requests at one time, and how soon after each other."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio

from .policy import PolitenessPolicy


@dataclass(slots=True)
class _Host:
    places: anyio.Semaphore
    interval: float
    next_start: float = 0.0


class HostTurns:
    """Hands out turns by `policy`. One object serves every request of a `Fetcher`."""

    def __init__(self, policy: PolitenessPolicy) -> None:
        self._policy = policy
        self._hosts: dict[str, _Host] = {}
        self._total = anyio.Semaphore(policy.in_total)

    @asynccontextmanager
    async def turn(self, host: str) -> AsyncGenerator[None]:
        """Wait for a turn at `host`; it lasts as long as the block."""
        state = self._state(host)
        async with state.places:
            now = anyio.current_time()
            start = max(now, state.next_start)
            state.next_start = start + state.interval
            await anyio.sleep(start - now)
            async with self._total:
                yield

    def hold(self, host: str, seconds: float) -> None:
        """Give no turn at `host` for `seconds`, as the host has asked."""
        state = self._state(host)
        state.next_start = max(state.next_start, anyio.current_time() + seconds)

    def slow_down(self, host: str, seconds: float) -> None:
        """Leave at least `seconds` between two starts at `host` from now on."""
        state = self._state(host)
        state.interval = max(state.interval, seconds)
        state.next_start = max(state.next_start, anyio.current_time() + seconds)

    def _state(self, host: str) -> _Host:
        if host not in self._hosts:
            self._hosts[host] = _Host(anyio.Semaphore(self._policy.per_host), self._policy.interval)
        return self._hosts[host]
