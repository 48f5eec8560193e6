"""The commands `pack create` and `verify`: a run as one file, and that file checked again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from ..base.printable import counted
from ..base.vocabulary import ExitCode
from ..packs.verify import PackReport, pack_lines, pack_run, verify_pack
from ..report.evidence_pack import WrittenPack
from .commands import CommandGroup
from .options import Json, argument, option, print_json
from .terminal import print_line, print_lines

RunDir = Annotated[Path, argument("RUN_DIR", "The run to pack.")]
Out = Annotated[
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
def create(run_dir: RunDir, out: Out = None, json: Json = False) -> int:
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
