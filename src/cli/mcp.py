"""The command `mcp`: the tools for other programs, over the Model Context Protocol."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..assembly.model import LOOP_ROLES, REVIEW_ROLES
from ..assembly.settings import load_settings
from ..base.errors import InputError
from ..base.logs import quiet_logs
from ..core.approval import ExitCode
from .document_review import REVIEW_OPTIONS
from .options import RUN_OPTIONS, Config, with_settings
from .signals import run_until_stopped
from .terminal import print_line

if TYPE_CHECKING:
    from mcp.server.lowlevel.server import Server

    from ..mcp_server.processes import Processes

_OF_EXIT_CODES = ("require_approval", "require_independent")
MCP_OPTIONS = tuple(
    name for name in dict.fromkeys((*RUN_OPTIONS, *REVIEW_OPTIONS)) if name not in _OF_EXIT_CODES
)
"""All settings that runs, reviews and checks go by: a call can change none of them."""

EPILOG = (
    "Without --http it speaks over standard input and output, for the program that starts it. "
    "Tools read no file but inside --root, and write nothing but runs and reviews."
)


Roots = Annotated[
    list[Path] | None,
    typer.Option(
        "--root",
        metavar="DIR",
        help="A folder whose files tools may read. Repeatable. [default: none; texts only]",
    ),
]
Http = Annotated[
    bool, typer.Option("--http", help="Serve streamable HTTP on 127.0.0.1, with a token.")
]
Port = Annotated[
    int | None,
    typer.Option(
        "--port",
        metavar="PORT",
        min=0,
        max=65535,
        help="For --http; 0 takes one that is free. [default: 8765]",
    ),
]
TokenFile = Annotated[
    Path | None,
    typer.Option(
        "--token-file",
        metavar="FILE",
        help="For --http: the token that clients must have; made if there is no such file. "
        "[default: a new token, which is printed]",
    ),
]
ParallelCalls = Annotated[
    int,
    typer.Option(
        "--max-parallel-calls",
        metavar="N",
        min=1,
        max=64,
        help="Most calls at work at once, and half as many runs and reviews beside them.",
    ),
]
CallSeconds = Annotated[
    float,
    typer.Option(
        "--call-seconds",
        metavar="SECONDS",
        min=1,
        max=86_400,
        help="Most seconds of a call that is no run or review.",
    ),
]
RunMinutes = Annotated[
    float,
    typer.Option(
        "--run-minutes",
        metavar="MINUTES",
        min=1,
        max=10_000,
        help="Most minutes of a call that runs or reviews; it is cancelled then and can go on "
        "in another.",
    ),
]
DocumentBytes = Annotated[
    int,
    typer.Option(
        "--max-document-bytes",
        metavar="BYTES",
        min=1_000,
        max=20_000_000,
        help="Maximum input size of a call, in bytes.",
    ),
]


@with_settings(MCP_OPTIONS, (*LOOP_ROLES, *REVIEW_ROLES))
def mcp(
    roots: Roots = None,
    http: Http = False,
    port: Port = None,
    token_file: TokenFile = None,
    parallel_calls: ParallelCalls = 4,
    call_seconds: CallSeconds = 120,
    run_minutes: RunMinutes = 60,
    document_bytes: DocumentBytes = 2_000_000,
    config: Config = None,
    **flags: object,
) -> int:
    """Offer checks, sources, runs and reviews to other programs as tools, until they are gone."""
    from ..mcp_server.service import Limits, Service, real_roots

    if not http and (port is not None or token_file is not None):
        raise InputError("--port and --token-file are for --http", "add --http")
    loaded = load_settings(flags, config=config)
    limits = Limits(parallel_calls, call_seconds, run_minutes, document_bytes)
    service = Service(loaded, real_roots(roots or ()), limits)
    quiet_logs()
    # The SDK takes its time to load.
    from ..mcp_server.server import build_server

    server = build_server(service)
    if http:
        return _over_http(server, 8765 if port is None else port, token_file, limits.message_bytes)
    from ..mcp_server.stdio import serve_stdio

    return _until_stopped(serve_stdio(server, limits.message_bytes))


def _over_http(
    server: Server[Processes], port: int, token_file: Path | None, most_bytes: int
) -> int:
    from ..mcp_server.http import listen, new_token, serve_http, token_in

    token = token_in(token_file) if token_file else new_token()

    def ready(address: str) -> None:
        print_line(f"address: {address} (Ctrl-C ends)")
        print_line(f"token: in {token_file}" if token_file else f"token: {token}")
        sys.stdout.flush()

    return _until_stopped(serve_http(server, listen(port), token, most_bytes, ready))


def _until_stopped(serving: Coroutine[object, object, None]) -> int:
    try:
        run_until_stopped(serving)
    except asyncio.CancelledError:
        return ExitCode.CANCELLED
    return ExitCode.OK
