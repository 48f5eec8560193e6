"""The reports of a folder at a loopback address, for a browser on this machine alone.

Each report is made from its run directory when it is asked for: what lies there as `report.html`
may be old, or not ours.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import IO, cast
from urllib.parse import quote, unquote, urlsplit

from ...base.errors import FoureyesError, InputError, RunDirectoryError, StorageError
from ...core.run_store import RUN_FOLDER, read_manifest
from .model import Label, Tone
from .page import content_policy, listing_page, report_pieces
from .run_report import RunReport, end_label

HOST = "127.0.0.1"
_HEADERS: Mapping[str, str] = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_KEPT_IN_MEMORY = 16_000_000
_COPY_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class ListedRun:
    """A run of the folder. `href` leads to its report, "" where it cannot be read."""

    title: str
    end: Label
    iterations: int
    started: str
    href: str


class ReportServer(ThreadingHTTPServer):
    """Serves the reports of the runs in `folder`, or of the run that `folder` is.

    Args:
        folder: Run directories lie in it, or it is one.
        port: 0 takes one that is free.

    Raises:
        InputError: `folder` is none, or the port cannot be had.
    """

    daemon_threads = True

    def __init__(self, folder: Path, port: int = 0) -> None:
        if not folder.is_dir():
            raise InputError(f"{str(folder)!r} is not a folder", "give one with run directories")
        self.folder = folder
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
        """Where the list of runs is."""
        return f"http://{HOST}:{self.server_port}/"

    def runs(self) -> dict[str, Path]:
        """The run directories by their names, which are all that an address can lead to."""
        root = self.folder.resolve()
        if (root / RUN_FOLDER.manifest_file).is_file():
            return {root.name: root}
        return {
            path.name: path
            for path in sorted(root.iterdir(), reverse=True)
            # A link could lead out of the folder.
            if not path.is_symlink() and (path / RUN_FOLDER.manifest_file).is_file()
        }


class _Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD for the list and for each report."""

    server_version = "foureyes"
    sys_version = ""
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self) -> None:
        """Answer with the page."""
        self._answer()

    def do_HEAD(self) -> None:
        """Answer with what the page is."""
        self._answer()

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet: what a request holds has no business on a terminal."""

    def _answer(self) -> None:
        server = cast("ReportServer", self.server)
        if self.headers.get("Host", "") not in server.hosts:
            self._text(HTTPStatus.MISDIRECTED_REQUEST, "this server answers for 127.0.0.1 alone")
            return
        path = urlsplit(self.path).path
        runs = server.runs()
        if path == "/":
            self._send(HTTPStatus.OK, "text/html", _listing(server.folder, runs))
            return
        name = unquote(path.removeprefix("/").removesuffix("/"))
        run = runs.get(name)
        if run is None:
            self._text(HTTPStatus.NOT_FOUND, "there is no such report")
            return
        try:
            self._report(run)
        except (RunDirectoryError, StorageError) as error:
            self._text(HTTPStatus.INTERNAL_SERVER_ERROR, str(error))

    def _report(self, run: Path) -> None:
        """Send a report, which is made whole before anything of it is sent."""
        report = RunReport(run)
        with tempfile.SpooledTemporaryFile(max_size=_KEPT_IN_MEMORY) as file:
            for piece in report_pieces(report):
                file.write(piece.encode("utf-8"))
            size = file.tell()
            file.seek(0)
            self._head(HTTPStatus.OK, "text/html", size)
            self._copy(file)

    def _copy(self, file: IO[bytes]) -> None:
        while self.command == "GET" and (part := file.read(_COPY_BYTES)):
            self.wfile.write(part)

    def _text(self, status: HTTPStatus, text: str) -> None:
        self._send(status, "text/plain", text + "\n")

    def _send(self, status: HTTPStatus, kind: str, text: str) -> None:
        body = text.encode("utf-8", "backslashreplace")
        self._head(status, kind, len(body))
        if self.command == "GET":
            self.wfile.write(body)

    def _head(self, status: HTTPStatus, kind: str, size: int) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(size))
        self.send_header("Content-Security-Policy", content_policy() + "; frame-ancestors 'none'")
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.end_headers()


def _listing(folder: Path, runs: Mapping[str, Path]) -> str:
    return listing_page({"folder": folder.resolve().name, "runs": list(_listed(runs))})


def _listed(runs: Mapping[str, Path]) -> Iterator[ListedRun]:
    for name, path in runs.items():
        try:
            manifest = read_manifest(path)
        except FoureyesError as error:
            yield ListedRun(name, Label(f"damaged: {error}", "⚠", Tone.BAD), 0, "", "")
            continue
        end = end_label(manifest.status, manifest.approval_basis)
        started = f"{manifest.started:%Y-%m-%d %H:%M:%S} UTC"
        count = len(manifest.iterations)
        yield ListedRun(manifest.title, end, count, started, f"/{quote(name, safe='')}/")
