"""A server on loopback in threads of its own, for tests whose own thread is busy."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Self

NO_HEADERS: Mapping[str, str] = {}


class Handler(BaseHTTPRequestHandler):
    """Answers the requests of a connection to its `owner` and prints nothing."""

    protocol_version = "HTTP/1.1"
    owner: Any

    def setup(self) -> None:
        super().setup()
        assert isinstance(self.server, _HttpServer)
        self.owner = self.server.owner

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output clean."""

    def received(self) -> bytes:
        """The body of the request."""
        return self.rfile.read(int(self.headers.get("content-length", 0)))

    def send(
        self, status: int, kind: str, data: bytes, headers: Mapping[str, str] = NO_HEADERS
    ) -> None:
        """Send a whole answer."""
        self.send_response(status)
        for name, value in {"content-type": kind, **headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class ThreadServer:
    """A context manager; `closing` is set before it ends.

    It can hang up and listen again, each time at the same address.
    """

    handler: ClassVar[type[Handler]] = Handler

    def __init__(self) -> None:
        self.closing = threading.Event()
        self._port = 0
        self._httpd: _HttpServer | None = None

    def __enter__(self) -> Self:
        self.listen()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self.hang_up()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def listen(self) -> None:
        """Accept connections; no change if it does."""
        if self._httpd is None:
            httpd = self._httpd = _HttpServer(("127.0.0.1", self._port), self.handler)
            httpd.owner = self
            self._port = httpd.server_address[1]
            threading.Thread(target=httpd.serve_forever, args=(0.05,), daemon=True).start()

    def hang_up(self) -> None:
        """Let new connections be refused; those that are open are served."""
        httpd, self._httpd = self._httpd, None
        if httpd is not None:
            httpd.shutdown()
            httpd.server_close()


class _HttpServer(ThreadingHTTPServer):
    daemon_threads = True
    owner: ThreadServer
