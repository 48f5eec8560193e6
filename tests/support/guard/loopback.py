"""Keeps a Python process to this machine, and away from whatever could pay for a model.

Only loopback addresses and Unix sockets connect, a user's credentials cannot be opened, and a
session of the CLI is started only with a loopback address, a dummy key and a home of its own.
"""

from __future__ import annotations

import ipaddress
import os
import pwd
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias, cast
from urllib.parse import urlsplit

LOG_VARIABLE = "GUARD_LOG"
"""Names the file that gets a line for each refusal: one that its caller swallowed is seen too."""
NETWORK = {"socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo"}
CREDENTIALS = (
    *(".claude", ".claude.json", ".config/claude", ".config/anthropic", ".anthropic"),
    *(".config/foureyes", ".aws", ".azure", ".config/gcloud", ".netrc"),
)
"""Where programs keep keys, below the home of the user who runs the tests."""
SESSION = "stream-json"
"""An argument of every session of the CLI."""
KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN")
PROVIDERS = ("CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY")

Environment: TypeAlias = Mapping[str, str] | Mapping[bytes, bytes]

real_home = Path(pwd.getpwuid(os.getuid()).pw_dir)
private = tuple(str(real_home / name) for name in CREDENTIALS)


class Refused(RuntimeError):
    """A test tried what no test may do.

    Not an `OSError`, so that no code takes it for an ordinary failure.
    """


class NetworkRefused(Refused):
    """Something that is not this machine."""


class CredentialsRefused(Refused):
    """A real user's key."""


class SessionRefused(Refused):
    """A session that could reach a real model."""


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
    """Audit hook: raise a `Refused` where a guarded event goes too far."""
    if event == "open":
        # An open file's number has no path; whoever opened it was checked.
        if str(args[0]).startswith(private):
            refuse(CredentialsRefused(f"tests may not open {args[0]}"))
    elif event == "subprocess.Popen":
        given = os.environ if args[3] is None else cast("Environment", args[3])
        environ = {os.fsdecode(name): os.fsdecode(value) for name, value in given.items()}
        if problem := session_problem(args[1], environ):
            refuse(SessionRefused(f"tests may not start a session {problem}"))
    elif event in NETWORK:
        check_network(event, args)


def check_network(event: str, args: tuple[object, ...]) -> None:
    """Refuse another machine's name or address."""
    if event == "socket.getaddrinfo":
        host = args[0]
        allowed = is_local(host) or ip_address(host) is not None
    else:
        # A Unix socket's address is no tuple; a connected socket gives None.
        address = args[1]
        host = cast("tuple[object, ...]", address)[0] if isinstance(address, tuple) else None
        allowed = is_local(host)
    if not allowed:
        refuse(NetworkRefused(f"tests may only reach this machine, not {host!r}"))


def session_problem(command: object, environ: Mapping[str, str]) -> str:
    """What is wrong with starting `command`; "" unless it is a session of the CLI."""
    words = [command] if isinstance(command, str) else list(cast("tuple[object, ...]", command))
    if SESSION not in map(str, words):
        return ""
    address = environ.get("ANTHROPIC_BASE_URL", "")
    if not address or not is_local(urlsplit(address).hostname):
        return f"that asks {address or 'the real provider'}"
    for name in KEYS:
        key = environ.get(name, "")
        if key not in ("", "none") and "dummy" not in key:
            return f"whose {name} is no dummy"
    if provider := next((name for name in PROVIDERS if environ.get(name)), None):
        return f"with {provider}"
    home, folder = environ.get("HOME", ""), environ.get("CLAUDE_CONFIG_DIR", "")
    if not home.startswith("/") or real_home.is_relative_to(home):
        return f"whose home is {home or 'not set'}"
    return f"whose settings are in {folder}" if folder.startswith(private) else ""


def refuse(error: Refused) -> None:
    """Raise `error` and leave a trace that outlives whoever swallows it."""
    log = os.environ.get(LOG_VARIABLE)
    if log:
        with Path(log).open("a", encoding="utf-8") as file:
            file.write(f"{error}\n")
    raise error


def refusals() -> list[str]:
    """What was refused to this process and its children since `forgive`."""
    log = Path(os.environ[LOG_VARIABLE])
    return log.read_text("utf-8").splitlines() if log.is_file() else []


def forgive() -> None:
    """Forget what was refused so far."""
    Path(os.environ[LOG_VARIABLE]).unlink(missing_ok=True)


def install() -> None:
    """Guard this process until it ends; an audit hook cannot be removed."""
    sys.addaudithook(check)
