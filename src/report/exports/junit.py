"""JUnit XML: each claim as a test case, for the dashboards of CI systems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from ...base.vocabulary import Severity, Verdict
from ...review.types import WebVerdict
from ...verification.model import LedgerEntry
from ..review_report import Appendix
from ..summary import join_sentences
from ..wording import shortened, text_environment
from .documents import ExportedRecord, ReviewedDocument
from .model import ExaminedDocument

_FAIL_ON = Severity.MEDIUM
"""Least severity at which a test case fails, as in `check`."""


@dataclass(frozen=True, slots=True)
class Case:
    """A test case: of the claim or finding in `line`, or of a whole for None.

    `outcome` is "" for one that passes, else ``failure``, ``error`` or ``skipped``; `told` are its
    kinds and messages, the worst first.
    """

    name: str
    line: int | None = None
    outcome: str = ""
    told: tuple[tuple[str, str], ...] = ()


def export(record: ExportedRecord) -> Iterator[str]:
    """Yield the document of `record` as test cases.

    Of a run or a check, each claim is a case, and the whole document; of a review, each finding and
    each claim that was looked up, in suites of their own. A case fails with findings of medium
    severity or worse, or if it is contradicted. It is an error if nobody answered for it, and
    skipped if there is nothing to check, nothing could be read, or nothing settles it.
    """
    document = record.document
    if isinstance(document, ReviewedDocument):
        suites = [(document.path, _finding_cases(document))]
        if document.appendix is not None:
            name = f"{document.path}: external verification"
            suites.append((name, _looked_up_cases(document.appendix)))
    else:
        suites = [(document.path, _claim_cases(document))]
    counted = [(name, cases, Counter(one.outcome for one in cases)) for name, cases in suites]
    template = text_environment().get_template("junit.xml.jinja")
    return template.generate(suites=counted, path=document.path)


def _of_line(line: int, text: str, outcome: str = "", *told: tuple[str, str]) -> Case:
    return Case(f"line {line}: {shortened(text)}", line, outcome, told)


def _claim_cases(document: ExaminedDocument) -> list[Case]:
    failures: dict[str | None, list[tuple[str, str]]] = {}
    if (gate := document.gate) is not None and gate.fail_code is not None:
        failures[None] = [(gate.fail_code.value, gate.reason)]
    for one in document.findings:
        if one.severity.at_least(_FAIL_ON):
            said = f"{one.severity}: {join_sentences(one.problem, one.evidence)}"
            failures.setdefault(one.claim_id, []).append((one.type.value, said))
    cases = [_claim(entry, failures.pop(entry.claim_id, ())) for entry in document.entries]
    told = tuple(chain.from_iterable(failures.values()))
    return [*cases, Case("the whole document", None, "failure" if told else "", told)]


def _claim(entry: LedgerEntry, failures: Sequence[tuple[str, str]]) -> Case:
    line, text = entry.location.line, entry.text
    if entry.open_slot:
        return _of_line(line, text, "error", ("open_slot", "nobody answered for this claim"))
    if failures:
        return _of_line(line, text, "failure", *failures)
    if entry.unchecked or entry.verdict in (Verdict.NOT_CHECKABLE, Verdict.SOURCE_UNAVAILABLE):
        return _of_line(line, text, "skipped", ("", f"{entry.verdict}: {entry.reason}"))
    return _of_line(line, text)


def _finding_cases(document: ReviewedDocument) -> list[Case]:
    undone = (("not_done", "; ".join(document.unfinished)),) if document.unfinished else ()
    cases = [Case("every part of the review", None, "error" if undone else "", undone)]
    for one in document.findings:
        finding = one.finding
        failed = finding.severity.at_least(_FAIL_ON)
        told = ((one.flaw, f"{finding.severity}: {finding.problem}"),) if failed else ()
        words = f"{finding.number} {finding.quote}"
        cases.append(_of_line(finding.place.line, words, "failure" if failed else "", *told))
    return cases


_LOOKED_UP = {
    WebVerdict.CONTRADICTED: "failure",
    WebVerdict.DISPUTED: "failure",
    WebVerdict.UNVERIFIABLE: "skipped",
}
"""The outcome of a claim that was looked up; one that is confirmed passes."""


def _looked_up_cases(appendix: Appendix) -> list[Case]:
    cases: list[Case] = []
    for one in appendix.checked:
        verdict, outcome = one.result.verdict, _LOOKED_UP.get(one.result.verdict, "")
        kind = verdict.value.lower() if outcome == "failure" else ""
        told = ((kind, one.result.reason),) if outcome else ()
        cases.append(_of_line(one.claim.place.line, one.claim.statement, outcome, *told))
    return cases
