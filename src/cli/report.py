"""The commands `report`, `view` and `export`: records as pages, and in formats of other tools."""

from __future__ import annotations

from pathlib import Path

from ..assembly.exporting import export_record
from ..base.files import atomic_file
from ..core.approval import ExitCode
from ..experiments.page import ExperimentRecords
from ..report.exports import ExportFormat
from ..report.html.page import write_report
from ..report.html.serving import ReportServer
from .sources_cite import note_left_out
from .streams import write
from .terminal import print_line, print_note

STANDARD_OUTPUT = Path("-")


def export(folder: Path, form: ExportFormat, out: Path, publisher: str) -> None:
    """Write the run, review or check in `folder` as `form` to `out`, or to standard output.

    Raises:
        InputError: There is no such record, or it has nothing that the format could express.
        StorageError: The file system refused.
    """
    exported = export_record(folder, form, publisher=publisher)
    note_left_out(exported.left_out)
    if out == STANDARD_OUTPUT:
        for piece in exported.pieces:
            write(piece)
        return
    with atomic_file(out) as file:
        file.writelines(piece.encode() for piece in exported.pieces)
    print_line(f"{form}: {out}")


def report(directory: Path, out: Path | None, *, show: bool) -> int:
    """Write the report of any record, and open it where that is wanted."""
    experiments = ExperimentRecords()
    if experiments.holds(directory):
        path = experiments.written(directory, out)
    else:
        path = write_report(directory, out)
    print_line(f"report: {path}")
    if show:
        _open(path.absolute().as_uri())
    return ExitCode.OK


def view(folder: Path, port: int, *, show: bool) -> int:
    """Serve the reports of a folder until Ctrl-C."""
    with ReportServer(folder, port, [ExperimentRecords()]) as server:
        print_line(f"reports: {server.url} (Ctrl-C ends)")
        if not server.records():
            print_note(f"there is no run, no review and no experiment in {str(folder)!r} yet")
        if show:
            _open(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print_line()
    return ExitCode.OK


def _open(address: str) -> None:
    """Open `address` in the person's browser, if there is one."""
    # Looks for browsers when it is imported, which takes its time.
    import webbrowser

    if not webbrowser.open(address):
        print_note(f"no browser could be started; open {address}")
