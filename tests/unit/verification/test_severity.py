"""How bad an issue is, and the vote that follows (decisions 2, 3, 4, 8, 18 and 22)."""

from __future__ import annotations

import pytest
from foureyes import Finding, IssueType, Recommendation, Severity
from foureyes.datatypes import ClaimCategory, SourceState, Strictness
from foureyes.verification.severity import at_most, recommend, severity_counts, worse
from hypothesis import given
from hypothesis import strategies as st
from support.claim_kit import registry

POLICY = registry().severity
LEVELS = {"c": Severity.CRITICAL, "h": Severity.HIGH, "m": Severity.MEDIUM, "l": Severity.LOW}


def findings(levels: str) -> list[Finding]:
    return [
        Finding(f"f-{index}", LEVELS[level], IssueType.ERROR, "", "", origin="engine")
        for index, level in enumerate(levels)
    ]


@pytest.mark.parametrize(
    ("levels", "strict", "normal", "lenient"),
    [
        ("", "approve", "approve", "approve"),
        ("lllllllll", "approve", "approve", "approve"),
        ("m", "reject", "approve", "approve"),
        ("mml", "reject", "approve", "approve"),
        ("mmm", "reject", "reject", "approve"),
        ("mmmmmmm", "reject", "reject", "approve"),
        ("h", "reject", "reject", "reject"),
        ("c", "reject", "reject", "reject"),
        ("clmh", "reject", "reject", "reject"),
    ],
)
def test_strictness_says_which_issues_reject(
    levels: str, strict: str, normal: str, lenient: str
) -> None:
    votes = {one: recommend(findings(levels), one, POLICY) for one in Strictness}
    assert votes == {
        Strictness.STRICT: strict,
        Strictness.NORMAL: normal,
        Strictness.LENIENT: lenient,
    }


def test_each_issue_is_counted_once_in_one_of_four() -> None:
    assert severity_counts(findings("chhmmmll")) == {
        Severity.CRITICAL: 1,
        Severity.HIGH: 2,
        Severity.MEDIUM: 3,
        Severity.LOW: 2,
    }
    assert list(severity_counts([]).values()) == [0, 0, 0, 0]


@given(st.text("chml", max_size=8), st.sampled_from("chml"), st.sampled_from(Strictness))
def test_another_issue_never_turns_a_rejection_into_an_approval(
    levels: str, more: str, strictness: Strictness
) -> None:
    if recommend(findings(levels), strictness, POLICY) is Recommendation.REJECT:
        assert recommend(findings(levels + more), strictness, POLICY) is Recommendation.REJECT


@pytest.mark.parametrize(
    ("change", "severity", "load_bearing"),
    [
        (0.01, "low", "medium"),
        (0.0999, "low", "medium"),
        (0.10, "medium", "medium"),
        (0.15, "medium", "medium"),
        (0.20, "medium", "medium"),
        (12 / 10 - 1, "medium", "medium"),
        (0.201, "high", "high"),
        (20 / 30, "high", "high"),
        (-0.15, "medium", "medium"),
        (None, "high", "high"),
    ],
)
def test_a_number_is_as_wrong_as_it_is_far_from_the_sources(
    change: float | None, severity: str, load_bearing: str
) -> None:
    assert POLICY.of_number(change, load_bearing=False) == severity
    assert POLICY.of_number(change, load_bearing=True) == load_bearing


def test_an_unsourced_claim_is_judged_by_what_it_states() -> None:
    table = {one: (issue.type, issue.severity) for one, issue in POLICY.unsourced.items()}
    assert table == {
        ClaimCategory.OWN_RESULT: (IssueType.FABRICATED, Severity.CRITICAL),
        ClaimCategory.STATISTICAL: (IssueType.UNSOURCED, Severity.HIGH),
        ClaimCategory.MARKET: (IssueType.UNSOURCED, Severity.HIGH),
        ClaimCategory.COMPANY_METRIC: (IssueType.UNSOURCED, Severity.MEDIUM),
        ClaimCategory.GENERAL: (IssueType.UNSOURCED, Severity.LOW),
    }
    assert POLICY.own_estimate is Severity.LOW


NO_FAULT = {
    SourceState.OK,
    SourceState.MOVED,
    SourceState.REFUSED_BY_POLICY,
    SourceState.NOT_FETCHED,
}
GONE = {SourceState.DEAD, SourceState.SOFT_404, SourceState.BLOCKED}


@pytest.mark.parametrize("state", SourceState)
def test_a_source_that_cannot_be_read_is_as_bad_as_its_state(state: SourceState) -> None:
    issue = POLICY.source_states.get(state)
    if state is SourceState.REFUSED_BY_POLICY:
        assert issue is not None
        assert issue.severity is Severity.LOW
    elif state in NO_FAULT:
        assert issue is None
    else:
        assert issue is not None
        assert issue.severity is (Severity.HIGH if state in GONE else Severity.MEDIUM)
        assert issue.advice


@pytest.mark.parametrize("left", Severity)
@pytest.mark.parametrize("right", Severity)
def test_the_worse_and_the_milder_of_two_are_the_two(left: Severity, right: Severity) -> None:
    assert {worse(left, right), at_most(left, right)} == {left, right}
    assert worse(left, right).at_least(at_most(left, right))


def test_a_contradiction_a_changed_quote_and_an_inherited_citation_are_capped_as_decided() -> None:
    assert POLICY.verified_false is POLICY.altered_quote is Severity.HIGH
    assert POLICY.inherited_at_most is POLICY.outdated is Severity.MEDIUM
    assert POLICY.spare_source is POLICY.unverifiable_general is Severity.LOW
    assert POLICY.unverifiable_wording is Severity.LOW
