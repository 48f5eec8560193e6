"""The pages of simulated reports, served on loopback: one address for each site."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterable
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from .pages import Page


class Sites:
    """Sites on loopback addresses of their own; what they answer may be added to at any time."""

    def __init__(self, hosts: tuple[str, ...], pages: dict[str, Page]) -> None:
        self.hosts = hosts
        self._pages = pages

    def add(self, pages: Iterable[Page]) -> None:
        """Answer with these pages from now on."""
        self._pages.update({page.url: page for page in pages})


@contextmanager
def serving(count: int) -> Generator[Sites]:
    """`count` sites at 127.0.0.2, 127.0.0.3, …; an address without a page is not found."""
    pages: dict[str, Page] = {}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            found = pages.get(f"http://{self.headers['Host']}{self.path}")
            body = found.body if found else b"<h1>Not found</h1>"
            self.send_response(found.status if found else 404)
            self.send_header("Content-Type", found.kind if found else "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    class Site(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            """A client that hangs up is no news."""

    with ExitStack() as stack:
        hosts: list[str] = []
        for number in range(count):
            site = Site((f"127.0.0.{number + 2}", 0), Handler)
            site.daemon_threads = True
            threading.Thread(target=site.serve_forever, daemon=True).start()
            stack.callback(site.server_close)
            stack.callback(site.shutdown)
            hosts.append(f"{site.server_address[0]!s}:{site.server_address[1]}")
        yield Sites(tuple(hosts), pages)
