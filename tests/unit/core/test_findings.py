"""Findings over iterations: merged, compared, and no longer changing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from foureyes import Finding, GateDecision, ReviewCriterion, Severity
from foureyes.core.iteration import FindingHistory, gate_findings, merge_findings
from foureyes.datatypes import FindingChanges
from hypothesis import given
from hypothesis import strategies as st
from support.loop_agents import finding, gate


def test_findings_come_worst_first_and_in_document_order() -> None:
    late = finding("late", Severity.LOW, at=9)
    early = finding("early", Severity.LOW, at=3)
    whole = finding("whole", Severity.LOW)
    worst = finding("worst", Severity.CRITICAL, at=20)
    assert merge_findings([[late, early], [whole, worst]]) == (worst, whole, early, late)


def test_of_two_with_one_id_the_worse_is_kept() -> None:
    mild, bad = finding("f", Severity.LOW, at=1), finding("f", Severity.HIGH, at=2)
    assert merge_findings([[mild], [bad]]) == (bad,)
    assert merge_findings([[bad], [mild]]) == (bad,)


@given(st.lists(st.tuples(st.sampled_from("abcde"), st.sampled_from(Severity)), max_size=12))
def test_each_finding_is_kept_once(pairs: list[tuple[str, Severity]]) -> None:
    merged = merge_findings([[finding(name, severity)] for name, severity in pairs])
    assert sorted(f.id for f in merged) == sorted({name for name, _ in pairs})
    assert [f.severity.rank for f in merged] == sorted(f.severity.rank for f in merged)


@pytest.mark.parametrize("decision", GateDecision)
def test_only_a_failed_gate_makes_a_finding(decision: GateDecision) -> None:
    findings = gate_findings(gate(decision))
    if decision is not GateDecision.FAIL:
        assert findings == ()
        return
    assert [f.type for f in findings] == [ReviewCriterion.GATE]
    assert "a reason" in findings[0].problem
    assert findings[0].recommendation == "a change"


def history(*sets: str) -> tuple[list[FindingChanges], FindingHistory]:
    found = FindingHistory()
    return [found.add(of(letters)) for letters in sets], found


def of(letters: str) -> Sequence[Finding]:
    return [finding(letter) for letter in letters]


def test_changes_count_new_resolved_and_recurring() -> None:
    changes, _ = history("ab", "bcd", "")
    assert changes == [FindingChanges(2, 0, 0), FindingChanges(2, 1, 1), FindingChanges(0, 3, 0)]


@pytest.mark.parametrize(
    ("sets", "stalled"),
    [
        (("ab",), False),
        (("ab", "ab"), True),
        (("ab", "a"), False),
        (("ab", "abc"), False),
        (("ab", "abc", "abcd"), True),
        (("ab", "abc", "bcd"), False),
        (("ab", "a", "ab"), True),
        (("ab", "abc", "ac", "acd"), False),
        (("", ""), True),
    ],
)
def test_a_loop_stalls_when_nothing_is_resolved_or_a_set_returns(
    sets: tuple[str, ...], stalled: bool
) -> None:
    assert history(*sets)[1].stalled is stalled
