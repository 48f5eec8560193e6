"""The rules of hosts for programs, in `robots.txt` (RFC 9309)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio

from ..base.vocabulary import SourceState
from .addresses import WebAddress
from .failure import AddressRefused, FetchFailed
from .plain_text import decode
from .politeness import HostTurns
from .reading import Answer

if TYPE_CHECKING:
    from protego import Protego

AGENT = "foureyes"
"""The name that a site's rules may be meant for."""

_MOST_BYTES = 500 * 1024
_LONGEST_DELAY = 30.0
_NO_RULES = frozenset(
    (SourceState.DEAD, SourceState.BLOCKED, SourceState.PAYWALLED, SourceState.UNSUPPORTED_TYPE)
)
"""Where there are no rules to read, everything is allowed."""


@dataclass(slots=True)
class _Host:
    known: anyio.Event = field(default_factory=anyio.Event)
    rules: Protego | None = None
    failure: FetchFailed | None = None


class Robots:
    """The rules of the hosts of one run, each read once.

    Args:
        load: Loads an address, past these rules.
        turns: Told of the delay that a host asks for.
    """

    def __init__(self, load: Callable[[str], Awaitable[Answer]], turns: HostTurns) -> None:
        self._load = load
        self._turns = turns
        self._hosts: dict[str, _Host] = {}

    async def require(self, address: WebAddress) -> None:
        """Let `address` pass if its host's rules do.

        Raises:
            AddressRefused: They do not.
            FetchFailed: `not_fetched`: they could not be read, and may forbid it.
        """
        origin = address.url[: address.url.index("/", len(address.scheme) + 3)]
        host = self._hosts.get(origin)
        if host is None:
            host = self._hosts[origin] = _Host()
            try:
                await self._read(origin, address.host, host)
            except BaseException:
                # Whoever waits reads them himself.
                del self._hosts[origin]
                raise
            finally:
                host.known.set()
        await host.known.wait()
        if self._hosts.get(origin) is not host:
            return await self.require(address)
        if host.failure is not None:
            raise host.failure
        if host.rules is not None and not host.rules.can_fetch(address.url, AGENT):
            raise AddressRefused(f"robots.txt of {address.host} does not allow it")
        return None

    async def _read(self, origin: str, name: str, host: _Host) -> None:
        from protego import Protego

        try:
            answer = await self._load(f"{origin}/robots.txt")
        except FetchFailed as failure:
            if failure.state not in _NO_RULES:
                reason = f"robots.txt of {name} could not be read: {failure.reason}"
                host.failure = FetchFailed(SourceState.NOT_FETCHED, reason)
            return
        host.rules = Protego.parse(decode(answer.body[:_MOST_BYTES]))
        delay = host.rules.crawl_delay(AGENT)
        if delay is not None:
            self._turns.slow_down(name, min(delay, _LONGEST_DELAY))
