"""JUnit XML: each claim as a test case, for the dashboards of CI systems."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from ...base.printable import visible
from ...base.vocabulary import Severity, Verdict
from ...review.types import WebVerdict
from ...verification.model import LedgerEntry
from ..review_report import Appendix
from ..summary import join_sentences
from ..wording import shortened
from .documents import ExportedRecord, ReviewedDocument
from .model import ExaminedDocument

_FAIL_ON = Severity.MEDIUM
"""Least severity at which a test case fails, as in `check`."""


def export(record: ExportedRecord) -> Iterator[str]:
    """Yield the document of `record` as test cases."""
    document = record.document
    if isinstance(document, ReviewedDocument):
        return review_junit(document, _FAIL_ON)
    return junit_xml([document], _FAIL_ON)


def junit_xml(documents: Iterable[ExaminedDocument], fail_on: Severity) -> Iterator[str]:
    """Yield a suite for each document: a case for each claim and one for the whole document.

    A case fails with findings of `fail_on` or worse. It is an error if nobody answered for the
    claim, and skipped if there is nothing to check or nothing could be read.
    """
    return _suites((one.path, _cases(one, fail_on)) for one in documents)


def review_junit(document: ReviewedDocument, fail_on: Severity) -> Iterator[str]:
    """A suite of the findings, and one of the claims that were looked up outside.

    A finding of `fail_on` or worse fails, as does a claim that is contradicted. What was not done
    is an error, and a claim that nothing settles is skipped.
    """
    suites = [(document.path, _finding_cases(document, fail_on))]
    if document.appendix is not None:
        name = f"{document.path}: external verification"
        suites.append((name, _looked_up_cases(name, document.path, document.appendix)))
    return _suites(suites)


def _suites(suites: Iterable[tuple[str, Iterator[ET.Element]]]) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="foureyes">\n'
    for name, cases in suites:
        yield from _suite(name, [*cases])
    yield "</testsuites>\n"


def _suite(name: str, cases: Sequence[ET.Element]) -> Iterator[str]:
    outcomes = Counter(child.tag for case in cases for child in case)
    suite = ET.Element(
        "testsuite",
        name=visible(name),
        tests=str(len(cases)),
        failures=str(outcomes["failure"]),
        errors=str(outcomes["error"]),
        skipped=str(outcomes["skipped"]),
    )
    opened = ET.tostring(suite, encoding="unicode", short_empty_elements=False)
    yield f"  {opened.removesuffix('</testsuite>')}\n"
    for one in cases:
        ET.indent(one, level=2)
        yield f"    {ET.tostring(one, encoding='unicode')}\n"
    yield "  </testsuite>\n"


def _case(suite: str, name: str) -> ET.Element:
    """The case `name` of the document or group `suite`; it passes."""
    return ET.Element("testcase", classname=visible(suite), name=name)


def _claim_case(suite: str, path: str, line: int, text: str) -> ET.Element:
    """Make the case of a claim or finding in `line` of `path`."""
    made = _case(suite, f"line {line}: {shortened(visible(text))}")
    made.set("file", visible(path))
    made.set("line", str(line))
    return made


def _add(case: ET.Element, outcome: str, *told: tuple[str, str]) -> None:
    """Give `case` an outcome with the first kind and message; the text of a failure lists all."""
    kind, message = told[0]
    made = ET.SubElement(case, outcome, message=visible(message))
    if kind:
        made.set("type", kind)
    if outcome == "failure":
        made.text = visible("\n".join(said for _, said in told))


def _cases(document: ExaminedDocument, fail_on: Severity) -> Iterator[ET.Element]:
    failures: dict[str | None, list[tuple[str, str]]] = {}
    if (gate := document.gate) is not None and gate.fail_code is not None:
        failures[None] = [(gate.fail_code.value, gate.reason)]
    for one in document.findings:
        if one.severity.at_least(fail_on):
            said = f"{one.severity}: {join_sentences(one.problem, one.evidence)}"
            failures.setdefault(one.claim_id, []).append((one.type.value, said))
    for entry in document.entries:
        yield _claim(document.path, entry, failures.pop(entry.claim_id, ()))
    whole = _case(document.path, "the whole document")
    if failures:
        _add(whole, "failure", *chain.from_iterable(failures.values()))
    yield whole


def _claim(path: str, entry: LedgerEntry, failures: Sequence[tuple[str, str]]) -> ET.Element:
    made = _claim_case(path, path, entry.location.line, entry.text)
    if entry.open_slot:
        _add(made, "error", ("open_slot", "nobody answered for this claim"))
    elif failures:
        _add(made, "failure", *failures)
    elif entry.unchecked or entry.verdict in (Verdict.NOT_CHECKABLE, Verdict.SOURCE_UNAVAILABLE):
        _add(made, "skipped", ("", f"{entry.verdict}: {entry.reason}"))
    return made


def _finding_cases(document: ReviewedDocument, fail_on: Severity) -> Iterator[ET.Element]:
    whole = _case(document.path, "every part of the review")
    if document.unfinished:
        _add(whole, "error", ("not_done", "; ".join(document.unfinished)))
    yield whole
    for one in document.findings:
        finding = one.finding
        words = f"{finding.number} {finding.quote}"
        made = _claim_case(document.path, document.path, finding.place.line, words)
        if finding.severity.at_least(fail_on):
            _add(made, "failure", (one.flaw, f"{finding.severity}: {finding.problem}"))
        yield made


def _looked_up_cases(suite: str, path: str, appendix: Appendix) -> Iterator[ET.Element]:
    for one in appendix.checked:
        made = _claim_case(suite, path, one.claim.place.line, one.claim.statement)
        result = one.result
        match result.verdict:
            case WebVerdict.CONTRADICTED | WebVerdict.DISPUTED:
                _add(made, "failure", (result.verdict.value.lower(), result.reason))
            case WebVerdict.UNVERIFIABLE:
                _add(made, "skipped", ("", result.reason))
            case WebVerdict.CONFIRMED:
                pass
        yield made
