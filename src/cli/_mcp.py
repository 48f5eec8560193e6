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
from ..mcp_server.http import listen, new_token, serve_http, token_in
from ..mcp_server.processes import Processes
from ..mcp_server.server import build_server
from ..mcp_server.service import Limits, Service, real_roots
from ..mcp_server.stdio import serve_stdio
from . import terminal
from ._options import REVIEW_OPTIONS, RUN_OPTIONS, CommandGroup, CommandOptions, option

_OF_EXIT_CODES = ("require_approval", "require_independent")
MCP_OPTIONS = tuple(
    name for name in dict.fromkeys((*RUN_OPTIONS, *REVIEW_OPTIONS)) if name not in _OF_EXIT_CODES
)
"""All settings that runs, reviews and checks go by: a call can change none of them."""

EPILOG = (
    "Without --http it speaks over standard input and output, for the program that starts it. "
    "Tools read no file but inside --root, and write nothing but runs and reviews."
)

app = CommandGroup()


class McpOptions(CommandOptions):
    """Options of the server beside the settings of its calls."""

    roots: Annotated[list[Path] | None, option("DIR", "--root")] = None
    """A folder whose files tools may read. Repeatable. [default: none; texts only]"""
    http: bool = False
    """Serve streamable HTTP on 127.0.0.1, with a token."""
    port: Annotated[int | None, option("PORT", min=0, max=65535)] = None
    """For --http; 0 takes one that is free. [default: 8765]"""
    token_file: Annotated[Path | None, option("FILE")] = None
    """For --http: the token that clients must have; made if there is no such file. [default: a new
    token, which is printed]
    """
    max_parallel_calls: Annotated[int, option("N", min=1, max=64)] = 4
    """Most calls at work at once, and half as many runs and reviews beside them."""
    call_seconds: Annotated[float, option("SECONDS", min=1, max=86_400)] = 120
    """Most seconds of a call that is no run or review."""
    run_minutes: Annotated[float, option("MINUTES", min=1, max=10_000)] = 60
    """Most minutes of a call that runs or reviews; it is cancelled then and can go on in another.
    """
    max_document_bytes: Annotated[int, option("BYTES", min=1_000, max=20_000_000)] = 2_000_000
    """Maximum input size of a call, in bytes."""


@app.command(epilog=EPILOG, settings=MCP_OPTIONS, agents=(*LOOP_ROLES, *REVIEW_ROLES), traced=True)
def mcp(options: McpOptions, loaded: LoadedSettings) -> None:
    """Offer checks, sources, runs and reviews to other programs as tools, until they are gone."""
    if not options.http and (options.port is not None or options.token_file is not None):
        raise InputError("--port and --token-file are for --http", "add --http")
    limits = Limits(
        options.max_parallel_calls,
        options.call_seconds,
        options.run_minutes,
        options.max_document_bytes,
    )
    service = Service(loaded, real_roots(options.roots or ()), limits)
    quiet_logs()
    server = build_server(service)
    if options.http:
        port = 8765 if options.port is None else options.port
        serving = _over_http(server, port, options.token_file, limits)
    else:
        serving = serve_stdio(server, limits.message_bytes)
    terminal.run_until_stopped(serving)


def _over_http(
    server: Server[Processes], port: int, token_file: Path | None, limits: Limits
) -> Coroutine[object, object, None]:
    token = token_in(token_file) if token_file else new_token()

    def ready(address: str) -> None:
        terminal.line(f"address: {address} (Ctrl-C ends)")
        terminal.line(f"token: in {token_file}" if token_file else f"token: {token}")
        sys.stdout.flush()

    return serve_http(server, listen(port), token, limits.message_bytes, ready)
