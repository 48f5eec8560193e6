"""Stands between a session's CLI and its model server: no redirect is followed, no flood passed on.

The CLI follows redirects to wherever they lead, with the key and the whole prompt, and keeps all
that it is sent in memory. Through the relay it sees an error instead of a redirect, and its
connection ends where an answer is longer than any model's.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import h11
import httpx2

from ...base.printable import printable

MOST_ANSWER_BYTES = 8 * 1024 * 1024
"""Of one answer, decoded: 60,000 streamed tokens. The CLI needs 30 bytes of memory for each."""
MOST_SESSION_BYTES = 24 * 1024 * 1024
"""Of all answers of a session."""
_MOST_HEAD_BYTES = 256 * 1024
_MOST_REQUEST_BYTES = 256 * 1024 * 1024
_PIECE = 64 * 1024
_CONNECT_S = 30.0
# Those that hold for one connection alone, and what is told anew because the body is decoded.
_OWN_HEADERS = frozenset(
    {
        *("host", "connection", "keep-alive", "proxy-connection", "te", "trailer", "upgrade"),
        *("transfer-encoding", "content-length", "content-encoding", "accept-encoding"),
    }
)
_CLOSE = ("connection", "close")
Headers = list[tuple[str, str]]


class TooLongAnswer(Exception):
    """The server has sent more than a session may be sent."""


@asynccontextmanager
async def relay(base_url: str, on_flood: Callable[[int], None]) -> AsyncGenerator[str]:
    """An address on this machine that leads to `base_url`; it ends with the block.

    Args:
        base_url: The server's address.
        on_flood: Called with the bound in bytes when the session is sent more than that.

    Yields:
        The address to give the CLI in its place. Whoever does not know it is turned away.
    """
    token = secrets.token_urlsafe(24)
    timeout = httpx2.Timeout(None, connect=_CONNECT_S)
    # The certificates that the CLI itself would trust.
    trusted = httpx2.create_ssl_context()
    if further := os.environ.get("NODE_EXTRA_CA_CERTS"):
        trusted.load_verify_locations(further)
    async with httpx2.AsyncClient(
        verify=trusted, timeout=timeout, follow_redirects=False
    ) as client:
        station = _Relay(client, base_url.rstrip("/"), f"/{token}", on_flood)
        server = await asyncio.start_server(station.accept, "127.0.0.1", 0)
        try:
            yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/{token}"
        finally:
            server.close()
            await station.end()


Send = Callable[[h11.Event], Awaitable[None]]


@dataclass(slots=True)
class _Relay:
    """Serves one request a connection."""

    client: httpx2.AsyncClient
    base_url: str
    prefix: str
    on_flood: Callable[[int], None]
    left: int = MOST_SESSION_BYTES
    _tasks: set[asyncio.Task[None]] = field(default_factory=set["asyncio.Task[None]"])

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection until either side ends it."""
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = h11.Connection(h11.SERVER, max_incomplete_event_size=_MOST_HEAD_BYTES)

        async def send(event: h11.Event) -> None:
            writer.write(connection.send(event) or b"")
            await writer.drain()

        try:
            received = await _read_request(connection, reader)
            if received is not None:
                await _while_open(reader, self._answer(*received, send))
        except (OSError, h11.ProtocolError, httpx2.HTTPError, httpx2.InvalidURL, TooLongAnswer):
            # The CLI sees a connection that ends, as if its server had ended it, and knows what
            # to do about that.
            pass
        finally:
            writer.close()

    async def end(self) -> None:
        """Break off whatever is under way."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _answer(self, request: h11.Request, body: bytes, send: Send) -> None:
        path = request.target.decode("ascii", "replace")
        if not path.startswith(self.prefix + "/"):
            await _refuse(send, 404, "not_found_error", "no such address")
            return
        url = self.base_url + path.removeprefix(self.prefix)
        asked = [(n.decode("latin-1"), value.decode("latin-1")) for n, value in request.headers]
        headers = [*_kept(asked), ("accept-encoding", "identity")]
        method = request.method.decode("ascii", "replace")
        asking = self.client.stream(method, url, headers=headers, content=body)
        try:
            async with asking as response:
                await self._pass_on(response, send)
        except (httpx2.ConnectError, httpx2.ConnectTimeout):
            host = printable(urlsplit(url).netloc)[:100]
            message = f"the model server {host} cannot be reached"
            await _refuse(send, 503, "api_error", message)

    async def _pass_on(self, response: httpx2.Response, send: Send) -> None:
        if 300 <= response.status_code < 400:
            await _refuse(send, 421, "invalid_request_error", _redirect_target(response))
            return
        headers = [*_kept(response.headers.multi_items()), _CLOSE]
        await send(h11.Response(status_code=response.status_code, headers=headers))
        size = 0
        async for piece in response.aiter_bytes(_PIECE):
            size += len(piece)
            self.left -= len(piece)
            if self.left < 0 or size > MOST_ANSWER_BYTES:
                self.on_flood(MOST_SESSION_BYTES if self.left < 0 else MOST_ANSWER_BYTES)
                raise TooLongAnswer
            await send(h11.Data(data=piece))
        await send(h11.EndOfMessage())


async def _read_request(
    connection: h11.Connection, reader: asyncio.StreamReader
) -> tuple[h11.Request, bytes] | None:
    """The request on a connection; None if there is none, or one that is too long."""
    request: h11.Request | None = None
    body = bytearray()
    while not isinstance(event := connection.next_event(), h11.EndOfMessage):
        if event is h11.NEED_DATA:
            connection.receive_data(await reader.read(_PIECE))
        elif isinstance(event, h11.Request):
            request = event
        elif isinstance(event, h11.Data) and len(body) < _MOST_REQUEST_BYTES:
            body += event.data
        else:
            return None
    return None if request is None else (request, bytes(body))


async def _while_open(reader: asyncio.StreamReader, answer: Coroutine[Any, Any, None]) -> None:
    """Answer, but no longer than the CLI listens."""
    answering = asyncio.ensure_future(answer)
    leaving = asyncio.ensure_future(reader.read(1))
    try:
        await asyncio.wait((answering, leaving), return_when=asyncio.FIRST_COMPLETED)
        if answering.done():
            answering.result()
    finally:
        for task in (answering, leaving):
            task.cancel()
        await asyncio.gather(answering, leaving, return_exceptions=True)


async def _refuse(send: Send, status: int, kind: str, message: str) -> None:
    error = {"type": "error", "error": {"type": kind, "message": message}}
    headers = [("content-type", "application/json"), _CLOSE]
    await send(h11.Response(status_code=status, headers=headers))
    await send(h11.Data(data=json.dumps(error).encode()))
    await send(h11.EndOfMessage())


def _kept(headers: Headers) -> Headers:
    return [(name, value) for name, value in headers if name.lower() not in _OWN_HEADERS]


def _redirect_target(response: httpx2.Response) -> str:
    host = urlsplit(response.headers.get("location", "")).netloc or "another address"
    return (
        f"the model server redirects to {printable(host)[:100]}, which is not followed with a key: "
        "name the final address with --base-url"
    )


def without_proxy(inherited: Mapping[str, str]) -> dict[str, str]:
    """The variables that let the CLI reach the relay itself, whatever proxy it has."""
    return {
        name: ",".join(filter(None, (inherited.get(name), "127.0.0.1")))
        for name in ("NO_PROXY", "no_proxy")
    }
