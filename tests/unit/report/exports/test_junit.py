"""JUnit XML, read back by a parser that CI systems' readers resemble."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from foureyes import CheckResult, ExportFormat, GateDecision, Severity
from foureyes.datatypes import CheckRecord
from junitparser import Error, Failure, JUnitXml, Skipped, TestSuite
from support.ferry import exported, record_of


def suite_of(record: CheckRecord, folder: Path) -> TestSuite:
    (suite,) = JUnitXml.fromstring(exported(record, ExportFormat.JUNIT, folder).encode())
    assert isinstance(suite, TestSuite)
    return suite


def outcomes(suite: TestSuite) -> dict[str, list[type]]:
    cases: list[Any] = list(suite)
    return {
        str(case.name).partition(":")[0]: [type(result) for result in case.result] for case in cases
    }


def test_a_claim_with_a_finding_fails_and_a_supported_one_passes(
    checked: CheckResult, tmp_path: Path
) -> None:
    suite = suite_of(record_of(checked), tmp_path)
    found = outcomes(suite)
    assert found["line 3"] == [Failure]
    assert found["line 5"] == []
    assert found["the whole document"] == [Failure]
    failing = sum(kinds == [Failure] for kinds in found.values())
    assert (suite.tests, suite.failures, suite.errors) == (len(found), failing, 0)


@pytest.mark.parametrize(
    ("severity", "fails"),
    [(Severity.LOW, False), (Severity.MEDIUM, True), (Severity.CRITICAL, True)],
)
def test_only_findings_of_medium_severity_or_worse_count(
    checked: CheckResult, tmp_path: Path, severity: Severity, fails: bool
) -> None:
    record = record_of(checked)
    found = tuple(replace(one, severity=severity) for one in record.outcome.findings)
    passed = replace(record.outcome.gate, decision=GateDecision.PASS, fail_code=None)
    outcome = replace(record.outcome, findings=found, gate=passed)
    suite = suite_of(replace(record, outcome=outcome), tmp_path)
    assert (outcomes(suite)["line 3"] == [Failure]) is fails
    assert any(outcomes(suite).values()) is fails


def test_a_claim_nobody_answered_for_is_an_error_and_one_that_was_unread_is_skipped(
    checked: CheckResult, tmp_path: Path
) -> None:
    first, second, *rest = checked.report.ledger.entries
    entries = (replace(first, open_slot=True), replace(second, unchecked=True), *rest)
    suite = suite_of(replace(record_of(checked), entries=entries), tmp_path)
    found = outcomes(suite)
    assert (found["line 3"], found["line 5"]) == ([Error], [Skipped])
    assert (suite.errors, suite.skipped) == (1, 1)


@pytest.mark.parametrize("hostile", ["]]><x>", "\x00\x1b[31m", "<!DOCTYPE a [", "&lol;"])
def test_hostile_text_stays_text(checked: CheckResult, hostile: str, tmp_path: Path) -> None:
    first, *rest = checked.report.ledger.entries
    entries = (replace(first, text=hostile), *rest)
    record = record_of(checked, hostile)
    findings = tuple(replace(one, problem=hostile) for one in record.outcome.findings)
    outcome = replace(record.outcome, findings=findings)
    suite = suite_of(replace(record, outcome=outcome, entries=entries), tmp_path)
    assert suite.tests == len(entries) + 1
