"""A small web site on loopback that can misbehave in every way a real one does."""

from __future__ import annotations

import asyncio
import datetime
import ipaddress
import json
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from types import TracebackType
from typing import Self

NO_HEADERS: Mapping[str, str] = {}
ANY = "*"
"""Stands for all paths at which nothing was put."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it arrived; header names are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes = b""

    def json(self) -> dict[str, object]:
        return json.loads(self.body)


Handler = Callable[[Request, asyncio.StreamWriter], Awaitable[None]]


@dataclass(slots=True)
class HttpSite:
    """Serves what was put on it and keeps a list of the requests. Use it with `async with`.

    A path that was given several pages answers with one after the other and stays at the last.
    """

    host: str = "127.0.0.1"
    tls: ssl.SSLContext | None = None
    requests: list[Request] = field(default_factory=list[Request])
    most_at_one_time: int = 0
    _pages: dict[str, list[Handler]] = field(default_factory=dict[str, list[Handler]])
    _server: asyncio.Server | None = None
    _port: int = 0
    _now: int = 0
    _closing: asyncio.Event = field(default_factory=asyncio.Event)

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, self.host, 0, ssl=self.tls)
        self._port = int(self._server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.set()
        if self._server is not None:
            self._server.close()
        # Those that hang end now.
        await asyncio.sleep(0)

    @property
    def authority(self) -> str:
        return f"{self.host}:{self._port}"

    @property
    def port(self) -> int:
        return self._port

    def url(self, path: str) -> str:
        return f"{'https' if self.tls else 'http'}://{self.authority}{path}"

    def paths(self) -> list[str]:
        """The paths that were asked for, in order."""
        return [request.path for request in self.requests]

    def page(
        self,
        path: str,
        body: str | bytes = "",
        *,
        status: int = 200,
        media_type: str = "text/html; charset=utf-8",
        headers: Mapping[str, str] = NO_HEADERS,
    ) -> str:
        """Put an ordinary page at `path`; its address is returned."""
        data = body.encode() if isinstance(body, str) else body
        given = {"Content-Type": media_type, "Content-Length": str(len(data)), **headers}

        async def send(_: Request, writer: asyncio.StreamWriter) -> None:
            writer.write(head(status, given) + data)

        return self.handle(path, send)

    def redirect(self, path: str, location: str, status: int = 302) -> str:
        """Put a redirect at `path`; its address is returned."""
        return self.page(path, status=status, headers={"Location": location})

    def handle(self, path: str, handler: Handler) -> str:
        """Let `handler` write the whole answer at `path`; the connection is closed after it."""
        self._pages.setdefault(path, []).append(handler)
        return self.url(path)

    def tell(self, body: object, status: int = 200, **headers: str) -> None:
        """Answer next, at any path, with `body`: bytes as they are, anything else as JSON."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        self.page(ANY, data, status=status, media_type="application/json", headers=names)

    def hang(self, path: str) -> str:
        """Let `path` not answer as long as the site is open; its address is returned."""

        async def wait(_: Request, _writer: asyncio.StreamWriter) -> None:
            await self._closing.wait()

        return self.handle(path, wait)

    def forget(self, path: str) -> None:
        """Take what was put at `path` away."""
        self._pages.pop(path, None)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            start = await reader.readexactly(1)
            if start == b"\x16":
                # Someone speaks TLS to a site that does not.
                writer.write(head(400, NO_HEADERS))
                return
            text = start + await reader.readuntil(b"\r\n\r\n")
            request = await _parse(text.decode("latin-1"), reader)
            self.requests.append(request)
            self._now += 1
            self.most_at_one_time = max(self.most_at_one_time, self._now)
            await self._answer(request, writer)
        except (OSError, asyncio.IncompleteReadError):
            return
        finally:
            writer.close()

    async def _answer(self, request: Request, writer: asyncio.StreamWriter) -> None:
        handlers = self._pages.get(request.path) or self._pages.get(ANY, [_not_found])
        handler = handlers.pop(0) if len(handlers) > 1 else handlers[0]
        try:
            await handler(request, writer)
            await writer.drain()
        finally:
            self._now -= 1


def head(status: int, headers: Mapping[str, str]) -> bytes:
    """The first lines of an answer, up to the empty one."""
    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:
        phrase = "Unknown"
    lines = [f"HTTP/1.1 {status} {phrase}", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


async def _not_found(_: Request, writer: asyncio.StreamWriter) -> None:
    body = b"<h1>Not Found</h1>"
    writer.write(head(404, {"Content-Type": "text/html", "Content-Length": str(len(body))}) + body)


async def _parse(text: str, reader: asyncio.StreamReader) -> Request:
    first, *lines = text.split("\r\n")
    method, path, *_ = first.split()
    fields = [line.partition(":") for line in lines if line]
    headers = {name.lower(): value.strip() for name, _, value in fields}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(method, path, headers, body)


def writes(*pieces: bytes, pause: float = 0.0) -> Handler:
    """An answer of these bytes, with a pause of so many seconds behind each piece."""

    async def handler(_: Request, writer: asyncio.StreamWriter) -> None:
        for piece in pieces or (b"",):
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause)

    return handler


def endless(start: bytes, piece: bytes, pause: float = 0.0) -> Handler:
    """An answer that goes on with `piece` as long as somebody listens."""

    async def handler(_: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(start)
        while not writer.is_closing():
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause)

    return handler


def searxng(
    results: Sequence[Mapping[str, object]], unresponsive: Sequence[Sequence[str]] = ()
) -> Mapping[str, object]:
    """What SearXNG tells of these results."""
    return {
        "query": "harbour",
        "number_of_results": 0,
        "results": [{"engine": "one", "score": 1.0, "img_src": "", **r} for r in results],
        **{name: [] for name in ("answers", "corrections", "infoboxes", "suggestions")},
        "unresponsive_engines": unresponsive,
    }


def certificate(
    folder: Path, host: str, *, days: tuple[int, int] = (-1, 1)
) -> tuple[ssl.SSLContext, Path]:
    """A server context with a self-signed certificate for `host`, and the certificate's file.

    It is valid between the two `days` counted from now.
    """
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, host)])
    now = datetime.datetime.now(datetime.UTC)
    try:
        place: x509.GeneralName = x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        place = x509.DNSName(host)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + datetime.timedelta(days=days[0]))
        .not_valid_after(now + datetime.timedelta(days=days[1]))
        .add_extension(x509.SubjectAlternativeName([place]), critical=False)
        .sign(key, hashes.SHA256())
    )
    public, private = folder / "site.pem", folder / "site.key"
    public.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(public, private)
    return context, public
