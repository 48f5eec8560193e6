"""The command `check`: findings as a linter prints them."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..assembly.check import CheckResult, check_text
from ..assembly.model import LoadedSettings
from ..base.counting import counted
from ..base.errors import DocumentError, InputError
from ..base.files import read_document, write_atomic
from ..base.finding import Finding
from ..base.records import to_json
from ..base.vocabulary import Severity
from ..core.approval import ExitCode
from ..core.record_folder import program_version
from ..report.baseline import NOTHING_ACCEPTED, Baseline, baseline_of, read_baseline
from ..report.check_outcome import (
    CheckOutcome,
    CheckRecord,
    CitedCopy,
    FixedCopy,
    ToldFinding,
    told_findings,
)
from ..report.exports.json_text import json_pieces
from ..report.exports.sarif import sarif_log
from ..report.sources import SOURCE_COLUMNS, gap_line, hidden, source_rows
from ..report.summary import gate_line, gate_rule_line, joined, places_told, uncompared
from ..report.written_copies import WrittenCopy
from ..review.originals import is_html, read_as_text
from ..sources.scoring.appraisal import Appraisal
from ..verification.repair.marking import MarkStyle
from ..verification.repair.planning import Repair, quoted
from .reader_note import remark_unread
from .signals import run_until_stopped
from .tables import Column, show_table
from .terminal import complain, remark, say

WORST_FIRST = (ExitCode.FAILED, ExitCode.NOT_APPROVED, ExitCode.INCONCLUSIVE)
"""Which code several documents have together."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What else to do: copies to write beside a document, files of findings.

    Findings in the `baseline` do not count. `sarif` and `new_baseline` are files to write.
    """

    fix: bool = False
    cite: MarkStyle | None = None
    sarif: Path | None = None
    baseline: Path | None = None
    new_baseline: Path | None = None


def check_files(
    documents: Sequence[Path],
    sources: tuple[str, ...],
    fail_on: Severity,
    loaded: LoadedSettings,
    wishes: Wishes,
    *,
    as_json: bool,
) -> int:
    """Check each file and print what was found; returns the worst exit code.

    The code of a file is that of the original, whatever is written into copies. A file that cannot
    be checked keeps the others from nothing.

    Raises:
        InputError: The baseline cannot be used.
        StorageError: A file cannot be written.
    """
    baseline = read_baseline(wishes.baseline) if wishes.baseline else NOTHING_ACCEPTED
    codes: list[ExitCode] = []
    checked: list[tuple[str, CheckRecord]] = []
    failures: list[str] = []
    for document in dict.fromkeys(documents):
        try:
            text = _text(document, wishes)
            result = run_until_stopped(check_text(text, str(document), sources, loaded))
        except asyncio.CancelledError:
            return ExitCode.CANCELLED
        except InputError as error:
            if len(documents) == 1 and not wishes.sarif:
                raise
            complain(error)
            failures.append(f"{document.as_posix()}: {error}")
            codes.append(ExitCode.FAILED)
            continue
        accepted = baseline.accepted(document.as_posix(), result.findings)
        code = result.exit_code_for(fail_on, accepted)
        codes.append(code)
        checked.append((document.as_posix(), result.record(code)))
        show_result(result, code, wishes, document, accepted, as_json=as_json)
    remark_unread(loaded.settings)
    if wishes.sarif is not None:
        write_sarif(wishes.sarif, checked, baseline, failures)
    if wishes.new_baseline is not None:
        entries = ((path, record.outcome.findings) for path, record in checked)
        write_atomic(wishes.new_baseline, baseline_of(entries).model_dump_json(indent=2) + "\n")
    return next((code for code in WORST_FIRST if code in codes), ExitCode.OK)


def _text(document: Path, wishes: Wishes) -> str:
    """The text to check; that of HTML is another one than the file's, so that nobody copies it."""
    if not is_html(document):
        return read_document(document)
    wanted = [flag for flag, wish in (("--fix", wishes.fix), ("--cite", wishes.cite)) if wish]
    if wanted:
        raise DocumentError(
            f"{str(document)!r} is HTML, and {wanted[0]} writes copies of text alone",
            "leave it out, or save the page as Markdown",
        )
    text = read_as_text(document)
    remark(f"{document} is HTML: lines are those of its text as Markdown")
    return text


def show_result(
    result: CheckResult,
    code: ExitCode,
    wishes: Wishes,
    document: Path,
    accepted: Collection[str],
    *,
    as_json: bool,
) -> None:
    """Write the copies that are wanted, and print what was found."""
    fixed = write_fixed(result, document) if wishes.fix else None
    cited = write_cited(result, document, wishes.cite) if wishes.cite else None
    if as_json:
        outcome = result.outcome(code, fixed, cited, accepted)
        say(to_json(CheckOutcome, outcome, indent=None))
        return
    for line in lines(result, accepted):
        say(line)
    show_sources(result.appraisal)
    say(gate_line(result.gate))
    say(gate_rule_line(result.gate))
    for line in copies_told(result, fixed, cited):
        say(line)


def write_sarif(
    path: Path,
    checked: Iterable[tuple[str, CheckRecord]],
    baseline: Baseline,
    failures: Sequence[str],
) -> None:
    """Write one SARIF log of all documents."""
    documents = [replace(record.examined(), path=name) for name, record in checked]
    accepted = {one.path: baseline.accepted(one.path, one.findings) for one in documents}
    log = sarif_log(documents, accepted, foureyes=program_version(), failures=failures)
    write_atomic(path, "".join(json_pieces(log)))


def write_fixed(result: CheckResult, document: Path) -> FixedCopy:
    """Write ``NAME.fixed.md`` beside ``NAME.md``, if a repair is certain."""
    fixed = result.fixed()
    path = WrittenCopy.FIXED.path(document) if fixed.made else None
    if path is not None:
        write_atomic(path, fixed.text)
    return FixedCopy(str(path) if path else None, fixed.made, fixed.left)


def write_cited(result: CheckResult, document: Path, style: MarkStyle) -> CitedCopy:
    """Write ``NAME.cited.md`` beside ``NAME.md``, if a mark is missing."""
    cited = result.cited(style)
    path = WrittenCopy.CITED.path(document) if cited.marks else None
    if path is not None:
        write_atomic(path, cited.text)
    return CitedCopy(str(path) if path else None, cited.marks)


def lines(result: CheckResult, accepted: Collection[str] = ()) -> Iterator[str]:
    """What is wrong, and what was not looked at; of `accepted` findings only how many.

    A finding is a line as editors read it (``path:line:column severity type verdict: message``),
    with the claim, the words of the source and the way out below it.
    """
    for finding in told_findings(result.report):
        if finding.id in accepted:
            continue
        yield f"{place(result.path, finding)} {finding.severity} {kind(finding)}: {what(finding)}"
        yield f"    claim:   {quoted(finding.claim)}"
        repair = finding.repair
        if repair is None:
            continue
        if repair.quote:
            label = "nearest:" if repair.nearest else "source: "
            yield f"    {label} {quoted(repair.quote)} ({repair.source})"
        yield f"    fix:     {repair.action}{' (--fix does it)' if repair.automatic else ''}"
    if accepted:
        yield f"accepted in the baseline: {counted(len(accepted), 'finding')}"
    for item in uncompared(result.report.ledger.entries):
        yield f"not checked: {item.what}: {item.reason}{places_told(item)}"
    for source in result.not_fetched:
        yield f"not fetched: {source.url}: {source.reason}"


def kind(finding: ToldFinding) -> str:
    """The type of a finding and the verdict on its claim, unless they are the same word."""
    if finding.verdict is None or finding.verdict == str(finding.type):
        return str(finding.type)
    return f"{finding.type} {finding.verdict}"


def what(finding: Finding) -> str:
    """What is wrong, and what shows it."""
    return joined(finding.problem, finding.evidence)


def copies_told(
    result: CheckResult, fixed: FixedCopy | None, cited: CitedCopy | None
) -> Iterator[str]:
    """What was changed in the copies, and what is left to a person."""
    if fixed is not None:
        every = counted(len(fixed.made) + len(fixed.left), "finding")
        where = f": {fixed.path}" if fixed.path else ", so no copy is written"
        yield f"fixed: {len(fixed.made)} of {every}{where}"
        for repair in fixed.made:
            yield f"    line {result.document.position(repair.start)[0]}: {repair.action}"
        for action, places in grouped(result, fixed.left):
            yield f"    left to you, {places}: {action}"
    if cited is not None:
        added = f"{counted(cited.marks, 'mark')} added: {cited.path}"
        yield f"cited: {added if cited.path else 'there is no mark to add, so no copy is written'}"


def grouped(result: CheckResult, left: Iterable[Repair]) -> Iterator[tuple[str, str]]:
    """What is to be done, and the lines where."""
    lines: dict[str, dict[int, None]] = {}
    for repair in left:
        line, _ = result.document.position(repair.start)
        lines.setdefault(repair.action, {})[line] = None
    for action, where in lines.items():
        yield action, f"line{'s' if len(where) > 1 else ''} {', '.join(map(str, where))}"


def show_sources(found: Appraisal) -> None:
    """The worst sources as a table, how many more there are, and the gaps."""
    if found.rated:
        show_table([Column(name) for name in SOURCE_COLUMNS], source_rows(found))
    if more := hidden(found):
        say(f"and {counted(more, 'better source')}, see --json")
    for gap in found.gaps if found.rated else ():
        say(f"gap {gap_line(gap)}")


def place(path: str, finding: Finding) -> str:
    """Where a finding is, as editors read it."""
    if finding.location is None:
        return f"{path}:1:1"
    return f"{path}:{finding.location.line}:{finding.location.column}"
