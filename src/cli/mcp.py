"""The command `mcp`: the tools for other programs, over the Model Context Protocol."""

from __future__ import annotations

import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated

from mcp.server.lowlevel.server import Server

from ..assembly.model import LOOP_ROLES, REVIEW_ROLES, LoadedSettings
from ..base.errors import InputError
from ..base.logs import quiet_logs
from ..base.vocabulary import ExitCode
from ..mcp_server.http import listen, new_token, serve_http, token_in
from ..mcp_server.processes import Processes
from ..mcp_server.server import build_server
from ..mcp_server.service import Limits, Service, real_roots
from ..mcp_server.stdio import serve_stdio
from .commands import CommandGroup
from .options import REVIEW_OPTIONS, RUN_OPTIONS, option, switch, with_settings
from .terminal import print_line, run_until_stopped

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
    option(
        "--root",
        "DIR",
        "A folder whose files tools may read. Repeatable. [default: none; texts only]",
    ),
]
Http = Annotated[bool, switch("--http", "Serve streamable HTTP on 127.0.0.1, with a token.")]
Port = Annotated[
    int | None,
    option(
        "--port", "PORT", "For --http; 0 takes one that is free. [default: 8765]", min=0, max=65535
    ),
]
TokenFile = Annotated[
    Path | None,
    option(
        "--token-file",
        "FILE",
        "For --http: the token that clients must have; made if there is no such file. "
        "[default: a new token, which is printed]",
    ),
]
ParallelCalls = Annotated[
    int,
    option(
        "--max-parallel-calls",
        "N",
        "Most calls at work at once, and half as many runs and reviews beside them.",
        min=1,
        max=64,
    ),
]
CallSeconds = Annotated[
    float,
    option(
        "--call-seconds",
        "SECONDS",
        "Most seconds of a call that is no run or review.",
        min=1,
        max=86_400,
    ),
]
RunMinutes = Annotated[
    float,
    option(
        "--run-minutes",
        "MINUTES",
        "Most minutes of a call that runs or reviews; it is cancelled then and can go on in "
        "another.",
        min=1,
        max=10_000,
    ),
]
DocumentBytes = Annotated[
    int,
    option(
        "--max-document-bytes",
        "BYTES",
        "Maximum input size of a call, in bytes.",
        min=1_000,
        max=20_000_000,
    ),
]

app = CommandGroup()


@app.command(epilog=EPILOG)
@with_settings(MCP_OPTIONS, (*LOOP_ROLES, *REVIEW_ROLES), traced=True)
def mcp(
    roots: Roots = None,
    http: Http = False,
    port: Port = None,
    token_file: TokenFile = None,
    parallel_calls: ParallelCalls = 4,
    call_seconds: CallSeconds = 120,
    run_minutes: RunMinutes = 60,
    document_bytes: DocumentBytes = 2_000_000,
    *,
    loaded: LoadedSettings,
) -> int:
    """Offer checks, sources, runs and reviews to other programs as tools, until they are gone."""
    if not http and (port is not None or token_file is not None):
        raise InputError("--port and --token-file are for --http", "add --http")
    limits = Limits(parallel_calls, call_seconds, run_minutes, document_bytes)
    service = Service(loaded, real_roots(roots or ()), limits)
    quiet_logs()
    server = build_server(service)
    if http:
        serving = _over_http(server, 8765 if port is None else port, token_file, limits)
    else:
        serving = serve_stdio(server, limits.message_bytes)
    run_until_stopped(serving)
    return ExitCode.OK


def _over_http(
    server: Server[Processes], port: int, token_file: Path | None, limits: Limits
) -> Coroutine[object, object, None]:
    token = token_in(token_file) if token_file else new_token()

    def ready(address: str) -> None:
        print_line(f"address: {address} (Ctrl-C ends)")
        print_line(f"token: in {token_file}" if token_file else f"token: {token}")
        sys.stdout.flush()

    return serve_http(server, listen(port), token, limits.message_bytes, ready)
