from __future__ import annotations

import pytest
from foureyes import Finding, IssueType, Severity, Verdict
from foureyes.datatypes import CheckReport, Passage
from foureyes.verification.assessing.combine import combine_verdicts
from foureyes.verification.passages.retrieval import SourceIndex
from support.claim_kit import PAGE, check, cited, claims_of, registry, sources

WRONG = "The club repaired 48 of 60 boats, or 85 percent."
RIGHT = "The club repaired 48 of 60 boats, or 80 percent."


def every(report: CheckReport) -> tuple[Finding, ...]:
    """The findings of a report before those of one sentence are put together."""
    return tuple(found for one in report.assessments for found in one.findings)


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
    (found,) = arithmetic(every(check(f"# Title\n\n{sentence}\n", sources({}))))
    assert found.severity.at_least(severity)


@pytest.mark.parametrize("stated", [Verdict.UNVERIFIABLE, Verdict.CONTRADICTED])
def test_a_checkers_own_verdict_keeps_the_finding(stated: Verdict) -> None:
    found = sources({PAGE: WRONG})
    report = check(cited(WRONG), found)
    (claim,) = claims_of(cited(WRONG))
    index = SourceIndex(found, registry().lexicon)
    passage = Passage("P1", PAGE, f"sha of {PAGE}", 0, len(WRONG), WRONG, 0.5)
    combined = combine_verdicts(claim, report.assessments[0], stated, passage, index, registry())
    assert len(arithmetic(combined.findings)) == 1


def test_a_claim_that_the_document_contradicts_is_contradicted() -> None:
    report = check(f"# Report\n\n{WRONG}\n", sources({}))
    assert report.assessments[0].verdict is Verdict.CONTRADICTED
    assert "48 / 60 = 80 %" in report.assessments[0].reason


def test_other_languages_are_left_alone() -> None:
    draft = "# Bericht\n\nDie Kisten wiegen 12 * 7 = 94 kg, und das ist sehr viel mehr als sonst.\n"
    assert arithmetic(check(draft, sources({})).findings) == []
