"""JUnit XML, read back by a parser that CI systems' readers resemble."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from foureyes import CheckResult, Severity
from foureyes.report.exports.junit import junit_xml
from junitparser import Error, Failure, JUnitXml, Skipped, TestSuite
from support.ferry import examined


def suite_of(xml: Iterable[str]) -> TestSuite:
    (suite,) = JUnitXml.fromstring("".join(xml).encode())
    assert isinstance(suite, TestSuite)
    return suite


def outcomes(suite: TestSuite) -> dict[str, list[type]]:
    cases: list[Any] = list(suite)
    return {
        str(case.name).partition(":")[0]: [type(result) for result in case.result] for case in cases
    }


def test_a_claim_with_a_finding_fails_and_a_supported_one_passes(checked: CheckResult) -> None:
    suite = suite_of(junit_xml([examined(checked)], Severity.MEDIUM))
    found = outcomes(suite)
    assert found["line 3"] == [Failure]
    assert found["line 5"] == []
    assert found["the whole document"] == [Failure]
    failing = sum(kinds == [Failure] for kinds in found.values())
    assert (suite.tests, suite.failures, suite.errors) == (len(found), failing, 0)


def test_only_findings_of_the_severity_count(checked: CheckResult) -> None:
    document = replace(examined(checked), gate=None)
    found = outcomes(suite_of(junit_xml([document], Severity.CRITICAL)))
    assert not any(found.values())


def test_a_claim_nobody_answered_for_is_an_error_and_one_that_was_unread_is_skipped(
    checked: CheckResult,
) -> None:
    first, second, *rest = checked.report.ledger.entries
    entries = (replace(first, open_slot=True), replace(second, unchecked=True), *rest)
    suite = suite_of(junit_xml([replace(examined(checked), entries=entries)], Severity.HIGH))
    found = outcomes(suite)
    assert (found["line 3"], found["line 5"]) == ([Error], [Skipped])
    assert (suite.errors, suite.skipped) == (1, 1)


@pytest.mark.parametrize("hostile", ["]]><x>", "\x00\x1b[31m", "\ud800", "<!DOCTYPE a [", "&lol;"])
def test_hostile_text_stays_text(checked: CheckResult, hostile: str) -> None:
    first, *rest = checked.report.ledger.entries
    entries = (replace(first, text=hostile), *rest)
    findings = tuple(replace(one, problem=hostile) for one in checked.findings)
    document = replace(examined(checked), path=hostile, entries=entries, findings=findings)
    suite = suite_of(junit_xml([document], Severity.LOW))
    assert suite.tests == len(entries) + 1
