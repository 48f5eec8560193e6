"""The commands `report` and `view`: runs, reviews and experiments for people, in a browser."""

from __future__ import annotations

from pathlib import Path

from ..core.approval import ExitCode
from ..experiments.html.page import ExperimentRecords
from ..report.html.page import write_report
from ..report.html.serving import ReportServer
from .terminal import remark, say


def report(directory: Path, out: Path | None, *, show: bool) -> int:
    """Write the report of any record, and open it where that is wanted."""
    experiments = ExperimentRecords()
    if experiments.holds(directory):
        path = experiments.written(directory, out)
    else:
        path = write_report(directory, out)
    say(f"report: {path}")
    if show:
        _open(path.absolute().as_uri())
    return ExitCode.OK


def view(folder: Path, port: int, *, show: bool) -> int:
    """Serve the reports of a folder until Ctrl-C."""
    with ReportServer(folder, port, [ExperimentRecords()]) as server:
        say(f"reports: {server.url} (Ctrl-C ends)")
        if not server.records():
            remark(f"there is no run, no review and no experiment in {str(folder)!r} yet")
        if show:
            _open(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say()
    return ExitCode.OK


def _open(address: str) -> None:
    """Open `address` in the person's browser, if there is one."""
    # Looks for browsers when it is imported, which takes its time.
    import webbrowser

    if not webbrowser.open(address):
        remark(f"no browser could be started; open {address}")
