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
from .commands import CommandGroup
from .options import Json, RunDir, argument, option, print_json, switch
from .sources import note_left_out
from .terminal import print_line, print_lines, print_note, write

STANDARD_OUTPUT = Path("-")

Exported = Annotated[Path, argument("DIR", "The run, review or check to write.")]
Format = Annotated[ExportFormat, option("--format", "|".join(ExportFormat), "What to write.")]
Out = Annotated[Path, option("--output", "FILE", "Where to write it; - is standard output.", "-o")]
Publisher = Annotated[
    str, option("--publisher", "NAME", "For claim-review: whose fact check it is.")
]
Reported = Annotated[
    Path, argument("DIR", "The run, document review, batch, check or experiment to report.")
]
Page = Annotated[
    Path | None,
    option("--output", "FILE", "Where to write it. [default: report.html in DIR]", "-o"),
]
Viewed = Annotated[
    Path, argument("DIR", "A folder of runs, reviews, batches and experiments, or one.")
]
Port = Annotated[int, option("--port", "PORT", "0 takes one that is free.", min=0, max=65535)]
PackedRun = Annotated[Path, argument("RUN_DIR", "The run to pack.")]
PackOut = Annotated[
    Path | None,
    option("--output", "FILE", "Where to write it. [default: evidence_pack.zip in RUN_DIR]", "-o"),
]
Pack = Annotated[Path, argument("PACK", "The evidence_pack.zip to check.")]
Digest = Annotated[
    str,
    option(
        "--digest", "SHA256", "What was told when the pack was made: fails if this is another pack."
    ),
]

app = CommandGroup()


@app.command()
def export(folder: Exported, form: Format, out: Out, publisher: Publisher = "foureyes") -> int:
    """Write a run, a review or a check (its document, and what was found in it) as another format.

    prov-json tells how it came about, csl-json and bibtex what it rests on.
    """
    exported = export_record(folder, form, publisher=publisher)
    note_left_out(exported.left_out)
    if out == STANDARD_OUTPUT:
        for piece in exported.pieces:
            write(piece)
        return ExitCode.OK
    with atomic_file(out) as file:
        file.writelines(piece.encode() for piece in exported.pieces)
    print_line(f"{form}: {out}")
    return ExitCode.OK


@app.command()
def html(
    directory: Reported,
    out: Page = None,
    show: Annotated[bool, switch("--open", "Open it in your browser.")] = False,
) -> int:
    """Write the report of DIR, from its files alone, as one HTML file that loads nothing."""
    if (directory / EXPERIMENT_PAGES.manifest_file).is_file():
        folder = ExperimentFolder(directory)
        path = write_experiment_page(folder, analyse_folder(folder), out)
    else:
        path = write_report(directory, out)
    print_line(f"report: {path}")
    if show:
        _open(path.absolute().as_uri())
    return ExitCode.OK


@app.command()
def reports(
    folder: Viewed,
    port: Port = 0,
    show: Annotated[bool, switch("--open", "Open the list in your browser.")] = False,
) -> int:
    """Serve the reports of runs, reviews, batches and experiments in DIR, until Ctrl-C.

    On 127.0.0.1, for this machine alone. A folder of DIR may hold them, too.
    """
    with ReportServer(folder, port, [EXPERIMENT_PAGES]) as server:
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
    if not webbrowser.open(address):
        print_note(f"no browser could be started; open {address}")


@app.command()
def log(run_dir: RunDir) -> int:
    """Show what happened in a run, in order."""
    print_lines(timeline(run_dir))
    return ExitCode.OK


@app.command()
def create(run_dir: PackedRun, out: PackOut = None, json: Json = False) -> int:
    """Write the run in RUN_DIR, with all that it rests on, into one file that anyone can check."""
    written = pack_run(run_dir, out)
    if json:
        print_json(WrittenPack, written)
        return ExitCode.OK
    print_line(f"pack:   {written.path} ({counted(written.members, 'file')})")
    print_line(f"digest: {written.digest}")
    print_line("keep the digest: pack verify --digest tells with it whether the pack is this one")
    return ExitCode.OK


@app.command()
def verify(pack_file: Pack, digest: Digest = "", json: Json = False) -> int:
    """Check everything in PACK again, from it alone: no network, no model, no settings.

    Exit codes: 0 everything holds, 1 something differs, 4 it is no evidence pack.
    """
    report = verify_pack(pack_file, digest=digest)
    if json:
        print_json(PackReport, report)
    else:
        print_lines(pack_lines(report))
    return ExitCode.OK if report.holds else ExitCode.NOT_APPROVED
