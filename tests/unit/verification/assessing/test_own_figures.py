from __future__ import annotations

from pathlib import Path

import pytest
from foureyes import CheckResult, Finding, IssueType, Severity, Verdict
from support.checking import checked, held_to

WRONG = "The club repaired 48 of 60 boats, or 85 percent."
RIGHT = "The club repaired 48 of 60 boats, or 80 percent."


def every(result: CheckResult) -> tuple[Finding, ...]:
    """The findings of a check before those of one sentence are put together."""
    return tuple(found for one in result.report.assessments for found in one.findings)


def cited(sentence: str) -> str:
    return f"{sentence.rstrip('.')} (page.md).\n"


def arithmetic(findings: tuple[Finding, ...]) -> list[Finding]:
    return [found for found in findings if found.type is IssueType.ARITHMETIC]


def test_a_sum_that_does_not_come_out_is_found_with_its_working(tmp_path: Path) -> None:
    report = held_to(tmp_path, cited(WRONG), WRONG).report
    (found,) = arithmetic(report.findings)
    assert found.evidence == "48 / 60 = 80 %; the text says 85"
    assert found.claim_id == report.claims[0].id
    assert found.correction is None
    assert report.assessments[0].verdict is Verdict.SUPPORTED


def test_a_right_sum_is_not_mentioned(tmp_path: Path) -> None:
    assert held_to(tmp_path, cited(RIGHT), RIGHT).findings == ()


@pytest.mark.parametrize(
    ("sentence", "severity"),
    [
        ("Sales rose from 400 to 500 tonnes, a 26 percent increase.", Severity.LOW),
        ("Sales rose from 400 to 500 tonnes, a 29 percent increase.", Severity.MEDIUM),
        ("Sales rose from 400 to 500 tonnes, a 45 percent increase.", Severity.HIGH),
    ],
)
def test_the_error_weighs_as_a_numeric_error_does(sentence: str, severity: Severity) -> None:
    (found,) = arithmetic(every(checked(f"# Title\n\n{sentence}\n")))
    assert found.severity.at_least(severity)


def test_a_claim_that_the_document_contradicts_is_contradicted() -> None:
    report = checked(f"# Report\n\n{WRONG}\n").report
    assert report.assessments[0].verdict is Verdict.CONTRADICTED
    assert "48 / 60 = 80 %" in report.assessments[0].reason


def test_other_languages_are_left_alone() -> None:
    draft = "# Bericht\n\nDie Kisten wiegen 12 * 7 = 94 kg, und das ist sehr viel mehr als sonst.\n"
    assert arithmetic(every(checked(draft))) == []
