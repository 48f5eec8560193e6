"""The protocol over streamable HTTP, on 127.0.0.1 alone and for whoever has the token."""

from __future__ import annotations

import hmac
import secrets
import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn
from mcp.server.lowlevel.server import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ..base.errors import InputError, SettingsError
from ..base.files import make_folder, read_document, write_atomic
from .processes import Processes

HOST = "127.0.0.1"
PATH = "/mcp"
LEAST_TOKEN = 20
"""Characters of a token that nobody guesses."""
MOST_SESSIONS = 100
CLOSING_SECONDS = 3
"""How long connections may take to end by themselves when the server is stopped."""


def new_token() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(32)


def token_in(file: Path) -> str:
    """The token in `file`, which is made, for its owner alone, where it is missing.

    Raises:
        SettingsError: What is in it is too short, or no token.
        InputError: It cannot be read.
        StorageError: It cannot be written.
    """
    if not file.exists():
        token = new_token()
        make_folder(file.parent)
        write_atomic(file, token + "\n", private=True)
        return token
    token = read_document(file, max_bytes=4_096).strip()
    if len(token) < LEAST_TOKEN or not token.isascii() or not token.isprintable() or " " in token:
        raise SettingsError(
            f"{str(file)!r} holds no token of at least {LEAST_TOKEN} characters",
            "remove the file, and one is made",
        )
    return token


def listen(port: int) -> socket.socket:
    """A socket that listens at `port`, 0 for one that is free, for this machine alone.

    Raises:
        InputError: The port cannot be had.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen()
    except (OSError, OverflowError) as error:
        listener.close()
        raise InputError(f"port {port} cannot be had: {error}", "give another --port") from error
    return listener


async def serve_http(
    server: Server[Processes],
    listener: socket.socket,
    token: str,
    most_bytes: int,
    ready: Callable[[str], None],
) -> None:
    """Serve clients that come to `listener` with `token` until the task is cancelled.

    `most_bytes` is the longest message; `ready` is called with the address, which can be used then.
    """
    port = listener.getsockname()[1]
    places = [f"{name}:{port}" for name in (HOST, "localhost")]
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=most_bytes,
        max_sessions=MOST_SESSIONS,
        # A page elsewhere that has its own name resolve to this machine sends that name.
        transport_security=TransportSecuritySettings(
            allowed_hosts=places, allowed_origins=[f"http://{place}" for place in places]
        ),
    )
    config = uvicorn.Config(
        _with_token(app, token),
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=CLOSING_SECONDS,
    )
    # Who connects to the listening socket before it is served waits.
    ready(f"http://{HOST}:{port}{PATH}")
    await uvicorn.Server(config).serve(sockets=[listener])


def _with_token(app: ASGIApp, token: str) -> ASGIApp:
    """The part of `app` that is for those who have the token."""
    expected = f"Bearer {token}".encode()

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            given = Headers(scope=scope).get("authorization", "").encode("utf-8", "replace")
            if not hmac.compare_digest(given, expected):
                refusal = PlainTextResponse(
                    "the header Authorization with the server's token is missing",
                    status_code=401,
                    headers={"WWW-Authenticate": "Bearer"},
                )
                await refusal(scope, receive, send)
                return
        await app(scope, receive, send)

    return guarded
