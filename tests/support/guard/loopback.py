"""Keeps a Python process off the network: only loopback addresses and Unix sockets connect."""

from __future__ import annotations

import ipaddress
import sys
from typing import cast

GUARDED = {"socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo"}

refused: list[str] = []
"""Every attempt of this process so far, so that a caller which swallows the error is seen too."""


class NetworkRefused(RuntimeError):
    """A test tried to reach something that is not this machine.

    Not an `OSError`, so that no code takes it for an ordinary network failure.
    """


def ip_address(host: object) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """`host` as an address, or None when it is a name. A zone is left out."""
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def is_local(host: object) -> bool:
    """Whether `host` (a name, an address, or None for this machine) stays on this machine."""
    if host in (None, "", b"", "localhost", b"localhost"):
        return True
    address = ip_address(host)
    return address is not None and address.is_loopback


def check(event: str, args: tuple[object, ...]) -> None:
    """Audit hook: raise `NetworkRefused` where a guarded event names another machine."""
    if event not in GUARDED:
        return
    if event == "socket.getaddrinfo":
        host = args[0]
        allowed = is_local(host) or ip_address(host) is not None
    else:
        # A Unix socket's address is no tuple; a connected socket gives None.
        address = args[1]
        host = cast("tuple[object, ...]", address)[0] if isinstance(address, tuple) else None
        allowed = is_local(host)
    if not allowed:
        refused.append(f"{event} {host!r}")
        raise NetworkRefused(f"tests may only reach this machine, not {host!r}")


def install() -> None:
    """Guard this process until it ends; an audit hook cannot be removed."""
    sys.addaudithook(check)
