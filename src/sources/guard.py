"""Which addresses may be fetched: the public internet, and what the user allows by name.

A name is looked up once for a connection, every answer is checked, and the connection goes to an
address that was checked (`transport.CheckedBackend`), so that a second answer changes nothing.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress

from ..base.errors import SettingsError
from ..base.vocabulary import SourceState
from .addresses import AddressError, WebAddress, ascii_host, parse_web_address, why_not_global
from .failure import AddressRefused, FetchFailed, NoSuchHost
from .policy import FetchPolicy

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
"""Looks up a host name for a port: its IP addresses, best first. Raises `socket.gaierror`."""

LOCAL_NAMES = frozenset(
    ("localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp", "private")
)


async def system_resolver(host: str, port: int) -> Sequence[str]:
    """Look `host` up as the operating system does."""
    # Imported here: `import foureyes` must stay fast.
    import anyio

    answers = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(answer[4][0]) for answer in answers]


class Guard:
    """Lets through what is public and what the user allows.

    Args:
        policy: Gives the refused ports, the control names and the longest address.
        allowed_hosts: Hosts that may be anywhere, as ``host`` or ``host:port`` (tests,
            intranets). Only the user may name them.
        resolver: Looks names up.

    Raises:
        SettingsError: An allowed host cannot be read.
    """

    def __init__(
        self,
        policy: FetchPolicy,
        *,
        allowed_hosts: Iterable[str] = (),
        resolver: Resolver = system_resolver,
    ) -> None:
        self._policy = policy
        self._allowed = frozenset(map(_allowed_host, allowed_hosts))
        self._resolver = resolver
        self._names_work = False

    def require(self, url: str) -> WebAddress:
        """The address of `url`, if the checks that need no look-up let it be fetched.

        Raises:
            AddressRefused: It may not.
        """
        try:
            address = parse_web_address(url, max_characters=self._policy.limits.url_characters)
        except AddressError as error:
            raise AddressRefused(f"the address is refused: {error}") from error
        if not self._is_allowed(address.host, address.port):
            self._check_host(address.host)
            if address.port in self._policy.refused_ports:
                raise AddressRefused(f"port {address.port} is not a web server's")
        return address

    async def checked_addresses(self, host: str, port: int) -> tuple[str, ...]:
        """Look `host` up once; every address found may be connected to. Never empty.

        Raises:
            AddressRefused: One of the addresses is not public and the host is not allowed.
            FetchFailed: There is no such host (`dead`), or names cannot be looked up here
                (`not_fetched`).
        """
        free = self._is_allowed(host, port)
        if not free:
            self._check_host(host)
        literal = _literal(host)
        answers = [str(literal)] if literal else await self._look_up(host, port)
        for answer in () if free else answers:
            if reason := why_not_global(ipaddress.ip_address(answer)):
                raise AddressRefused(f"{host} leads to {answer}: {reason}")
        return tuple(dict.fromkeys(answers))

    def _is_allowed(self, host: str, port: int) -> bool:
        return (host, None) in self._allowed or (host, port) in self._allowed

    def _check_host(self, host: str) -> None:
        literal = _literal(host)
        if literal is not None:
            if reason := why_not_global(literal):
                raise AddressRefused(f"{host} is not public: {reason}")
        elif host.rpartition(".")[2] in LOCAL_NAMES or host.endswith(".home.arpa"):
            raise AddressRefused(f"{host} is a name of the local network")
        elif "." not in host:
            raise AddressRefused(f"{host} is not a public host name")

    async def _look_up(self, host: str, port: int) -> Sequence[str]:
        try:
            answers = await self._resolver(host, port)
        except socket.gaierror as error:
            if not await self._names_can_be_found():
                reason = f"{host} could not be looked up, nor can any name: the network is down"
                raise FetchFailed(SourceState.NOT_FETCHED, reason) from error
            if error.errno == socket.EAI_AGAIN:
                reason = f"{host} could not be looked up: its name server does not answer"
                raise FetchFailed(SourceState.NOT_FETCHED, reason, True) from error
            raise NoSuchHost(host, f"there is no host {host}") from error
        if not answers:
            raise NoSuchHost(host, f"{host} has no address")
        return answers

    async def _names_can_be_found(self) -> bool:
        # A machine without a network often reports every name as unknown, and a link must not be
        # called dead for that.
        for name in () if self._names_work else self._policy.control_names:
            try:
                self._names_work = bool(await self._resolver(name, 443))
            except socket.gaierror:
                continue
            break
        return self._names_work


def _literal(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    with suppress(ValueError):
        return ipaddress.ip_address(host)
    return None


def _allowed_host(entry: str) -> tuple[str, int | None]:
    match = re.fullmatch(r"(\[[^\[\]]+\]|[^:/\[\]]+)(?::([0-9]{1,5}))?", entry.strip())
    try:
        if match is None:
            raise AddressError("it is not a host or host:port")
        return ascii_host(match[1]), int(match[2]) if match[2] else None
    except AddressError as error:
        raise SettingsError(
            f"allowed host {entry!r}: {error}", "write host or host:port, [v6-address]:port"
        ) from error
