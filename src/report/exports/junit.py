"""JUnit XML: each claim as a test case, for the dashboards of CI systems."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from ...base.finding import Finding
from ...base.printable import visible
from ...base.vocabulary import Severity, Verdict
from ...review.types import WebVerdict
from ...verification.model import LedgerEntry
from ..review_report import Appendix
from .documents import ReviewedDocument
from .model import ExaminedDocument

Cases = Callable[[], Iterator[ET.Element]]
"""Factory of the test cases of a suite."""
_NAME_CHARS = 160


def junit_xml(documents: Iterable[ExaminedDocument], fail_on: Severity) -> Iterator[str]:
    """Yield a suite for each document: a case for each claim and one for the whole document.

    A case fails with findings of `fail_on` or worse. It is an error if nobody answered for the
    claim, and skipped if there is nothing to check or nothing could be read.
    """
    return suites_xml((one.path, lambda one=one: _cases(one, fail_on)) for one in documents)


def suites_xml(suites: Iterable[tuple[str, Cases]]) -> Iterator[str]:
    """Yield the text of suites by name; each factory is called twice, to count and to write."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="foureyes">\n'
    for name, cases in suites:
        yield from _suite(name, cases)
    yield "</testsuites>\n"


def case(suite: str, name: str) -> ET.Element:
    """The case `name` of the document or group `suite`; it passes."""
    return ET.Element("testcase", classname=visible(suite), name=name)


def claim_case(suite: str, path: str, line: int, text: str) -> ET.Element:
    """Make the case of a claim or finding in `line` of `path`."""
    shown = " ".join(visible(text).split())
    name = shown if len(shown) <= _NAME_CHARS else f"{shown[: _NAME_CHARS - 1]}…"
    made = case(suite, f"line {line}: {name}")
    made.set("file", visible(path))
    made.set("line", str(line))
    return made


def failed(case: ET.Element, failures: Sequence[tuple[str, str]]) -> None:
    """Add one failure with the first kind and message; its text lists all of them."""
    if not failures:
        return
    kind, message = failures[0]
    failure = ET.SubElement(case, "failure", type=kind, message=visible(message))
    failure.text = visible("\n".join(said for _, said in failures))


def erred(case: ET.Element, kind: str, message: str) -> None:
    """Add an error: the outcome is unknown."""
    ET.SubElement(case, "error", type=kind, message=visible(message))


def skipped(case: ET.Element, message: str) -> None:
    """There was nothing to check, or nothing to check it by."""
    ET.SubElement(case, "skipped", message=visible(message))


def _suite(name: str, cases: Cases) -> Iterator[str]:
    count, outcomes = 0, Counter[str]()
    for one in cases():
        count += 1
        outcomes.update(child.tag for child in one)
    suite = ET.Element(
        "testsuite",
        name=visible(name),
        tests=str(count),
        failures=str(outcomes["failure"]),
        errors=str(outcomes["error"]),
        skipped=str(outcomes["skipped"]),
    )
    opened = ET.tostring(suite, encoding="unicode", short_empty_elements=False)
    yield f"  {opened.removesuffix('</testsuite>')}\n"
    for one in cases():
        ET.indent(one, level=2)
        yield f"    {ET.tostring(one, encoding='unicode')}\n"
    yield "  </testsuite>\n"


def _cases(document: ExaminedDocument, fail_on: Severity) -> Iterator[ET.Element]:
    found: dict[str | None, list[Finding]] = {}
    for finding in document.findings:
        found.setdefault(finding.claim_id, []).append(finding)
    for entry in document.entries:
        yield _claim(document.path, entry, found.pop(entry.claim_id, ()), fail_on)
    yield _whole(document, [one for findings in found.values() for one in findings], fail_on)


def _whole(
    document: ExaminedDocument, findings: Sequence[Finding], fail_on: Severity
) -> ET.Element:
    made = case(document.path, "the whole document")
    gate = document.gate
    failures = list(_failures(findings, fail_on))
    if gate is not None and gate.fail_code is not None:
        failures.insert(0, (gate.fail_code.value, gate.reason))
    failed(made, failures)
    return made


def _claim(
    path: str, entry: LedgerEntry, findings: Sequence[Finding], fail_on: Severity
) -> ET.Element:
    made = claim_case(path, path, entry.location.line, entry.text)
    failures = list(_failures(findings, fail_on))
    if entry.open_slot:
        erred(made, "open_slot", "nobody answered for this claim")
    elif failures:
        failed(made, failures)
    elif entry.unchecked or entry.verdict in (Verdict.NOT_CHECKABLE, Verdict.SOURCE_UNAVAILABLE):
        skipped(made, f"{entry.verdict}: {entry.reason}")
    return made


def _failures(findings: Iterable[Finding], fail_on: Severity) -> Iterator[tuple[str, str]]:
    for finding in findings:
        if finding.severity.at_least(fail_on):
            said = "; ".join(part for part in (finding.problem, finding.evidence) if part)
            yield finding.type.value, f"{finding.severity}: {said}"


def review_junit(document: ReviewedDocument, fail_on: Severity) -> Iterator[str]:
    """A suite of the findings, and one of the claims that were looked up outside.

    A finding of `fail_on` or worse fails, as does a claim that is contradicted. What was not done
    is an error, and a claim that nothing settles is skipped.
    """
    suites = [(document.path, lambda: _finding_cases(document, fail_on))]
    if (appendix := document.appendix) is not None:
        name = f"{document.path}: external verification"
        suites.append((name, lambda: _looked_up_cases(name, document.path, appendix)))
    return suites_xml(suites)


def _finding_cases(document: ReviewedDocument, fail_on: Severity) -> Iterator[ET.Element]:
    whole = case(document.path, "every part of the review")
    if document.unfinished:
        erred(whole, "not_done", "; ".join(document.unfinished))
    yield whole
    for one in document.findings:
        finding = one.finding
        made = claim_case(
            document.path, document.path, finding.place.line, f"{finding.number} {finding.quote}"
        )
        if finding.severity.at_least(fail_on):
            failed(made, [(one.flaw, f"{finding.severity}: {finding.problem}")])
        yield made


def _looked_up_cases(suite: str, path: str, appendix: Appendix) -> Iterator[ET.Element]:
    for one in appendix.checked:
        made = claim_case(suite, path, one.claim.place.line, one.claim.statement)
        result = one.result
        match result.verdict:
            case WebVerdict.CONTRADICTED | WebVerdict.DISPUTED:
                failed(made, [(result.verdict.value.lower(), result.reason)])
            case WebVerdict.UNVERIFIABLE:
                skipped(made, result.reason)
            case WebVerdict.CONFIRMED:
                pass
        yield made
