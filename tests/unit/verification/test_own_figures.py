from __future__ import annotations

import pytest
from foureyes.base.finding import Finding
from foureyes.base.vocabulary import IssueType, Severity, Verdict
from foureyes.verification.combine import combine_verdicts
from foureyes.verification.model import Passage

from tests.support.claim_kit import PAGE, check, cited, claims_of, registry, sources

WRONG = "The club repaired 48 of 60 boats, or 85 percent."
RIGHT = "The club repaired 48 of 60 boats, or 80 percent."


def arithmetic(findings: tuple[Finding, ...]) -> list[Finding]:
    return [found for found in findings if found.type is IssueType.ARITHMETIC]


def test_a_sum_that_does_not_come_out_is_found_with_its_working() -> None:
    report = check(cited(WRONG), sources({PAGE: WRONG}))
    (found,) = arithmetic(report.findings)
    assert found.evidence == "48 / 60 = 80 %; the text says 85"
    assert found.claim_id == report.claims[0].id
    assert found.correction is None
    assert report.assessments[0].verdict is Verdict.SUPPORTED


def test_a_right_sum_is_not_mentioned() -> None:
    assert check(cited(RIGHT), sources({PAGE: RIGHT})).findings == ()


@pytest.mark.parametrize(
    ("sentence", "severity"),
    [
        ("Sales rose from 400 to 500 tonnes, a 26 percent increase.", Severity.LOW),
        ("Sales rose from 400 to 500 tonnes, a 29 percent increase.", Severity.MEDIUM),
        ("Sales rose from 400 to 500 tonnes, a 45 percent increase.", Severity.HIGH),
    ],
)
def test_the_error_weighs_as_a_numeric_error_does(sentence: str, severity: Severity) -> None:
    (found,) = arithmetic(check(f"# Title\n\n{sentence}\n", sources({})).findings)
    assert found.severity.at_least(severity)


@pytest.mark.parametrize("stated", [Verdict.UNVERIFIABLE, Verdict.CONTRADICTED])
def test_a_checkers_own_verdict_keeps_the_finding(stated: Verdict) -> None:
    report = check(cited(WRONG), sources({PAGE: WRONG}))
    (claim,) = claims_of(cited(WRONG))
    passage = Passage("P1", PAGE, f"sha of {PAGE}", 0, len(WRONG), WRONG, 0.5)
    combined = combine_verdicts(claim, report.assessments[0], stated, passage, registry())
    assert len(arithmetic(combined.findings)) == 1
