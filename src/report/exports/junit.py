"""JUnit XML: each claim as a test case, for the dashboards of CI systems."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ...base.finding import Finding
from ...base.printable import visible
from ...base.vocabulary import Severity, Verdict
from ...verification.model import LedgerEntry
from .model import ExaminedDocument

_NAME_CHARS = 160


def junit_xml(documents: Iterable[ExaminedDocument], fail_on: Severity) -> str:
    """A suite for each document, in it a case for each claim and one for the whole document.

    A case fails with findings of `fail_on` or worse, errs where nobody answered for the claim, and
    is skipped where there is nothing to check or nothing could be read.
    """
    root = ET.Element("testsuites", name="foureyes")
    for document in documents:
        root.append(_suite(document, fail_on))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suite(document: ExaminedDocument, fail_on: Severity) -> ET.Element:
    known = {entry.claim_id for entry in document.ledger.entries}
    cases = [_whole(document, [f for f in document.findings if f.claim_id not in known], fail_on)]
    for entry in document.ledger.entries:
        found = [one for one in document.findings if one.claim_id == entry.claim_id]
        cases.append(_case(document.path, entry, found, fail_on))
    outcomes = Counter(child.tag for case in cases for child in case)
    suite = ET.Element(
        "testsuite",
        name=visible(document.path),
        tests=str(len(cases)),
        failures=str(outcomes["failure"]),
        errors=str(outcomes["error"]),
        skipped=str(outcomes["skipped"]),
    )
    suite.extend(cases)
    return suite


def _whole(
    document: ExaminedDocument, findings: Sequence[Finding], fail_on: Severity
) -> ET.Element:
    case = ET.Element("testcase", classname=visible(document.path), name="the whole document")
    gate = document.gate
    failures = list(_failures(findings, fail_on))
    if gate is not None and gate.fail_code is not None:
        failures.insert(0, (gate.fail_code.value, gate.reason))
    _outcome(case, failures)
    return case


def _case(
    path: str, entry: LedgerEntry, findings: Sequence[Finding], fail_on: Severity
) -> ET.Element:
    text = " ".join(visible(entry.text).split())
    name = text if len(text) <= _NAME_CHARS else f"{text[: _NAME_CHARS - 1]}…"
    case = ET.Element(
        "testcase",
        classname=visible(path),
        name=f"line {entry.location.line}: {name}",
        file=visible(path),
        line=str(entry.location.line),
    )
    failures = list(_failures(findings, fail_on))
    if entry.open_slot:
        ET.SubElement(case, "error", type="open_slot", message="nobody answered for this claim")
    elif failures:
        _outcome(case, failures)
    elif entry.unchecked or entry.verdict in (Verdict.NOT_CHECKABLE, Verdict.SOURCE_UNAVAILABLE):
        ET.SubElement(case, "skipped", message=visible(f"{entry.verdict}: {entry.reason}"))
    return case


def _failures(findings: Iterable[Finding], fail_on: Severity) -> Iterator[tuple[str, str]]:
    for finding in findings:
        if finding.severity.at_least(fail_on):
            said = "; ".join(part for part in (finding.problem, finding.evidence) if part)
            yield finding.type.value, f"{finding.severity}: {said}"


def _outcome(case: ET.Element, failures: Sequence[tuple[str, str]]) -> None:
    """One failure with the first message; what else there is stands in its text."""
    if not failures:
        return
    kind, message = failures[0]
    failure = ET.SubElement(case, "failure", type=kind, message=visible(message))
    failure.text = visible("\n".join(said for _, said in failures))
