"""The reports of a folder at a loopback address, for a browser on this machine alone.

Each report is rendered from its directory on request, because a `report.html` there may be old or
foreign.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import cast
from urllib.parse import quote, unquote_to_bytes, urlsplit

from ...base.errors import FoureyesError, InputError, RunDirectoryError
from ..batch import read_summary
from ..wording import Label, Tone
from .model import ListedRecord
from .page import (
    PAGES,
    RecordKind,
    RecordPages,
    content_policy,
    kind_of,
    listing_page,
    open_report,
    report_pieces,
)

HOST = "127.0.0.1"
_HEADERS: Mapping[str, str] = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class ReportServer(ThreadingHTTPServer):
    """Serves the reports of the runs and the reviews in `folder`, or of the one that it is.

    Args:
        folder: Their directories lie in it or in a folder of it (`runs`, `reviews`).
        port: 0 takes one that is free.
        more: What else of it has pages.

    Raises:
        InputError: `folder` is none, or the port cannot be had.
    """

    daemon_threads = True

    def __init__(self, folder: Path, port: int = 0, more: Sequence[RecordPages] = ()) -> None:
        if not folder.is_dir():
            raise InputError(f"{str(folder)!r} is not a folder", "give one with runs or reviews")
        self.folder = folder
        self._kinds = (*PAGES.values(), *more)
        try:
            super().__init__((HOST, port), _Handler)
        except (OSError, OverflowError) as error:
            raise InputError(
                f"port {port} cannot be had: {error}", "give another --port"
            ) from error
        # A page elsewhere that has its own name resolve to this machine sends that name as host.
        self.hosts = frozenset(f"{name}:{self.server_port}" for name in (HOST, "localhost"))

    @property
    def url(self) -> str:
        """Address of the list."""
        return f"http://{HOST}:{self.server_port}/"

    def records(self) -> dict[str, Path]:
        """The directories by their place below the folder, the latest first.

        An address can lead to nothing else.
        """
        root = self.folder.resolve()
        if self._pages_of(root):
            return {root.name: root}
        found: list[Path] = []
        for path in _folders(root):
            found += [path] if self._pages_of(path) else filter(self._pages_of, _folders(path))
        found.sort(key=lambda path: path.name, reverse=True)
        return {path.relative_to(root).as_posix(): path for path in found}

    def _pages_of(self, directory: Path) -> RecordPages | None:
        # Unlike `Path.is_file` it treats unreadable paths as missing.
        is_file = os.path.isfile
        return next((one for one in self._kinds if is_file(directory / one.manifest_file)), None)

    def pieces(self, directory: Path) -> Iterator[str]:
        """The page of one of the `records`, piece by piece.

        Raises:
            InputError: It is damaged.
        """
        pages = self._pages_of(directory)
        if pages is None:
            return report_pieces(open_report(directory))
        return report_pieces(pages.open(directory), pages.templates)

    def listed(self) -> Iterator[ListedRecord]:
        """Yield the list entries of the `records`."""
        for name, path in self.records().items():
            try:
                if pages := self._pages_of(path):
                    yield replace(pages.listed(path), href=f"/{quote(os.fsencode(name))}/")
            except FoureyesError as error:
                kind = kind_of(path) or ""
                yield ListedRecord(name, kind, Label(f"damaged: {error}", "⚠", Tone.BAD), "")


def _document(records: Mapping[str, Path], name: str) -> Path | None:
    """The record of a document that the summary of a batch names; an address leads to no other."""
    for batch, path in records.items():
        if name.startswith(f"{batch}/") and kind_of(path) is RecordKind.BATCH:
            place = name.removeprefix(f"{batch}/")
            with suppress(RunDirectoryError):
                if place in {one.report for one in read_summary(path).documents}:
                    record = (path / place).parent
                    return record if record.resolve().is_relative_to(path) else None
    return None


def _folders(folder: Path) -> Iterator[Path]:
    """The folders in `folder`; a link could lead out of it."""
    try:
        paths = [*folder.iterdir()]
    except OSError:
        # One that may not be read holds nothing for us.
        return
    yield from (path for path in paths if path.is_dir() and not path.is_symlink())


class _Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD for the list and for each report."""

    server_version = "foureyes"
    sys_version = ""
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self) -> None:
        """Answer with the page; a HEAD request gets its head alone."""
        server = cast("ReportServer", self.server)
        if self.headers.get("Host", "") not in server.hosts:
            self._text(HTTPStatus.MISDIRECTED_REQUEST, "this server answers for 127.0.0.1 alone")
            return
        path = urlsplit(self.path).path
        if path == "/":
            values = {"folder": server.folder.resolve().name, "records": list(server.listed())}
            self._send(HTTPStatus.OK, "text/html", listing_page(values))
            return
        name = os.fsdecode(unquote_to_bytes(path.removeprefix("/").removesuffix("/")))
        records = server.records()
        record = records.get(name) or _document(records, name)
        if record is None:
            self._text(HTTPStatus.NOT_FOUND, "there is no such report")
            return
        try:
            self._send(HTTPStatus.OK, "text/html", "".join(server.pieces(record)))
        except FoureyesError as error:
            self._text(HTTPStatus.INTERNAL_SERVER_ERROR, str(error))

    do_HEAD = do_GET

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing: requests may contain control characters."""

    def _text(self, status: HTTPStatus, text: str) -> None:
        self._send(status, "text/plain", text + "\n")

    def _send(self, status: HTTPStatus, kind: str, text: str) -> None:
        body = text.encode("utf-8", "backslashreplace")
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", content_policy() + "; frame-ancestors 'none'")
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)
