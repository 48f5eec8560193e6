"""Commands over records: `report html`, `export` and `log`, `serve reports`, `pack`."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

from ..assembly.exporting import ExportFormat, export_record
from ..base.files import atomic_file
from ..base.printable import counted
from ..base.vocabulary import ExitCode
from ..experiments.folder import ExperimentFolder, analyse_folder
from ..experiments.page import EXPERIMENT_PAGES, write_experiment_page
from ..packs.verify import PackReport, pack_lines, pack_run, verify_pack
from ..report.evidence_pack import WrittenPack
from ..report.html.page import write_report
from ..report.html.serving import ReportServer
from ..report.run_text import timeline
from . import terminal
from ._options import CommandGroup, CommandOptions, JsonOptions, RunDir, argument, option
from ._sources import note_left_out

STANDARD_OUTPUT = Path("-")

app = CommandGroup()


class ExportOptions(CommandOptions):
    """Options of `report export`."""

    folder: Annotated[Path, argument("DIR")]
    """The run, review or check to write."""
    form: Annotated[ExportFormat, option(None, "--format")]
    """What to write."""
    output: Annotated[Path, option("FILE", "-o")]
    """Where to write it; - is standard output."""
    publisher: Annotated[str, option("NAME")] = "foureyes"
    """For claim-review: whose fact check it is."""


@app.command()
def export(options: ExportOptions) -> None:
    """Write a run, a review or a check (its document, and what was found in it) as another format.

    prov-json tells how it came about, csl-json and bibtex what it rests on.
    """
    out = options.output
    exported = export_record(options.folder, options.form, publisher=options.publisher)
    note_left_out(exported.left_out)
    if out == STANDARD_OUTPUT:
        for piece in exported.pieces:
            terminal.write(piece)
        return
    with atomic_file(out) as file:
        file.writelines(piece.encode() for piece in exported.pieces)
    terminal.line(f"{options.form}: {out}")


class HtmlOptions(CommandOptions):
    """Options of `report html`."""

    directory: Annotated[Path, argument("DIR")]
    """The run, document review, batch, check or experiment to report."""
    output: Annotated[Path | None, option("FILE", "-o")] = None
    """Where to write it. [default: report.html in DIR]"""
    open: bool = False
    """Open it in your browser."""


@app.command()
def html(options: HtmlOptions) -> None:
    """Write the report of DIR, from its files alone, as one HTML file that loads nothing."""
    directory = options.directory
    if (directory / EXPERIMENT_PAGES.manifest_file).is_file():
        folder = ExperimentFolder(directory)
        path = write_experiment_page(folder, analyse_folder(folder), options.output)
    else:
        path = write_report(directory, options.output)
    terminal.line(f"report: {path}")
    if options.open:
        _open(path.absolute().as_uri())


class ReportsOptions(CommandOptions):
    """Options of `serve reports`."""

    folder: Annotated[Path, argument("DIR")]
    """A folder of runs, reviews, batches and experiments, or one."""
    port: Annotated[int, option("PORT", min=0, max=65535)] = 0
    """0 takes one that is free."""
    open: bool = False
    """Open the list in your browser."""


@app.command()
def reports(options: ReportsOptions) -> None:
    """Serve the reports of runs, reviews, batches and experiments in DIR, until Ctrl-C.

    On 127.0.0.1, for this machine alone. A folder of DIR may hold them, too.
    """
    with ReportServer(options.folder, options.port, [EXPERIMENT_PAGES]) as server:
        terminal.line(f"reports: {server.url} (Ctrl-C ends)")
        if not server.records():
            where = str(options.folder)
            terminal.note(f"there is no run, no review and no experiment in {where!r} yet")
        if options.open:
            _open(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            terminal.line()


def _open(address: str) -> None:
    """Open `address` in the person's browser, if there is one."""
    if not webbrowser.open(address):
        terminal.note(f"no browser could be started; open {address}")


@app.command()
def log(run_dir: RunDir) -> None:
    """Show what happened in a run, in order."""
    terminal.lines(timeline(run_dir))


class CreateOptions(JsonOptions):
    """Options of `pack create`."""

    run_dir: Annotated[Path, argument("RUN_DIR")]
    """The run to pack."""
    output: Annotated[Path | None, option("FILE", "-o")] = None
    """Where to write it. [default: evidence_pack.zip in RUN_DIR]"""


@app.command()
def create(options: CreateOptions) -> None:
    """Write the run in RUN_DIR, with all that it rests on, into one file that anyone can check."""
    written = pack_run(options.run_dir, options.output)
    lines = (
        f"pack:   {written.path} ({counted(written.members, 'file')})",
        f"digest: {written.digest}",
        "keep the digest: pack verify --digest tells with it whether the pack is this one",
    )
    options.print_record(WrittenPack, written, lines)


class VerifyOptions(JsonOptions):
    """Options of `pack verify`."""

    pack: Annotated[Path, argument("PACK")]
    """The evidence_pack.zip to check."""
    digest: Annotated[str, option("SHA256")] = ""
    """What was told when the pack was made: fails if this is another pack."""


@app.command()
def verify(options: VerifyOptions) -> int:
    """Check everything in PACK again, from it alone: no network, no model, no settings.

    Exit codes: 0 everything holds, 1 something differs, 4 it is no evidence pack.
    """
    report = verify_pack(options.pack, digest=options.digest)
    options.print_record(PackReport, report, pack_lines(report))
    return ExitCode.OK if report.holds else ExitCode.NOT_APPROVED
