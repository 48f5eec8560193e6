"""The commands `pack` and `verify-pack`: a run as one file, and that file checked again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from ..base.printable import counted
from ..base.vocabulary import ExitCode
from ..packs.verify import PackReport, pack_run, verify_pack
from ..report.evidence_pack import Difference, PackCheck, WrittenPack
from ..report.summary import headline
from .commands import CommandGroup
from .options import Json, argument, option, print_json
from .terminal import print_line, print_lines

SHOWN_DIFFERENCES = 40
DONE = {
    PackCheck.MEMBERS: "members are as the manifest lists them",
    PackCheck.RECORDS: "records of sources, times, order and parties agree",
    PackCheck.RULES: "rules of its own are those that its settings name",
    PackCheck.SNAPSHOTS: "snapshots were read again from their bytes",
    PackCheck.QUOTES: "quotes were looked up at their places",
    PackCheck.VERDICTS: "claims were verified again",
    PackCheck.VOTES: "votes, their counts and scores were computed again",
    PackCheck.END: "iterations were concluded again: ledger, gate, sources, end",
    PackCheck.REPLAY: "replay of the whole run",
}
WITHIN = {PackCheck.CONTAINER: PackCheck.MEMBERS, PackCheck.CONCLUSIONS: PackCheck.END}
"""Checks that are reported on the line of another check."""

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
def pack(run_dir: RunDir, out: Out = None, json: Json = False) -> int:
    """Write the run in RUN_DIR, with all that it rests on, into one file that anyone can check."""
    written = pack_run(run_dir, out)
    if json:
        print_json(WrittenPack, written)
        return ExitCode.OK
    print_line(f"pack:   {written.path} ({counted(written.members, 'file')})")
    print_line(f"digest: {written.digest}")
    print_line("keep the digest: verify-pack --digest tells with it whether the pack is this one")
    return ExitCode.OK


@app.command("verify-pack")
def verify(pack_file: Pack, digest: Digest = "", json: Json = False) -> int:
    """Check everything in PACK again, from it alone: no network, no model, no settings.

    Exit codes: 0 everything holds, 1 something differs, 4 it is no evidence pack.
    """
    report = verify_pack(pack_file, digest=digest)
    if json:
        print_json(PackReport, report)
    else:
        print_lines(lines(report))
    return ExitCode.OK if report.holds else ExitCode.NOT_APPROVED


def lines(report: PackReport) -> Iterator[str]:
    """Yield the result of a pack check as lines."""
    yield f"pack:   {report.pack}"
    if report.title:
        end = headline(report.status, report.approval_basis) if report.status else "not ended"
        yield f"run:    {report.run_id}, {report.title}: {end} (foureyes {report.foureyes})"
    yield f"digest: {report.digest}"
    wrong = {WITHIN.get(one.check, one.check) for one in report.differences}
    if report.digest_given:
        yield f"        it is {'not ' if PackCheck.DIGEST in wrong else ''}the one given"
    else:
        yield "        compare it with the one told when the pack was made, or give --digest"
    yield ""
    for check, words in DONE.items():
        without = check is PackCheck.RULES and not report.checked.get(check) and check not in wrong
        if check in report.checked and not without:
            mark = "DIFFERS" if check in wrong else "ok"
            yield f"{mark:>7}  {report.checked[check]:>6}  {words}"
    if report.own_rules:
        yield f"   note  the run went by its own rules: {', '.join(report.own_rules)}"
    for name in report.own_code:
        yield f"   note  not asked again, its answers are those on record: {name}"
    for name, change in report.versions.items():
        yield f"   note  another version of {name}: {change}"
    if report.not_recomputed:
        count = counted(len(report.not_recomputed), "member")
        yield f"   note  not recomputed, but hashed and held against the rest: {count}, see --json"
    yield ""
    yield from result_lines(report)


def result_lines(report: PackReport) -> Iterator[str]:
    """The differences, or that there is none."""
    found = report.differences
    if not found:
        yield "everything in the pack holds"
        return
    yield f"{counted(len(found), 'difference')}:"
    for one in found[:SHOWN_DIFFERENCES]:
        yield f"  {difference_line(one)}"
    if len(found) > SHOWN_DIFFERENCES:
        yield f"  and {len(found) - SHOWN_DIFFERENCES} more, see --json"
    if any(one.other_version for one in found):
        yield "(other version): it was computed by another version; this need not be tampering"


def difference_line(one: Difference) -> str:
    """Format a difference on one line: place, claim, recorded and found value."""
    where = ": ".join(
        part for part in (one.member, one.claim_id and f"claim {one.claim_id}") if part
    )
    place = f": {one.place}" if one.place else ""
    mark = " (other version)" if one.other_version else ""
    return f"{where or one.check}{place}: recorded {one.recorded!r}, found {one.found!r}{mark}"
