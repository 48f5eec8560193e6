"""The result of the check of a pack, in lines."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.printable import counted
from ..report.evidence_pack import Difference, PackCheck
from ..report.summary import headline
from .verify import PackReport

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


def pack_lines(report: PackReport) -> Iterator[str]:
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
