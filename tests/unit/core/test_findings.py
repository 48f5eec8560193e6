"""Findings over iterations: merged, compared, and no longer changing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from foureyes import Examination, Finding, GateDecision, PipelineResult, ReviewCriterion, Severity
from foureyes import RunStatus as Status
from foureyes.datatypes import FindingChanges
from hypothesis import given
from hypothesis import strategies as st
from support.loop_agents import (
    APPROVE,
    BRIEF,
    REJECT,
    ListedCritic,
    ListedDrafter,
    ListedEvidence,
    Loop,
    conclusion,
    finding,
    vote,
)


async def merged(*found: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings of a draft in which a critic each found these."""
    critics = [ListedCritic(f"critic-{n}", vote(REJECT, *one)) for n, one in enumerate(found)]
    loop = Loop(ListedDrafter(), critics, max_iterations=1)
    return (await loop.pipeline().run(BRIEF, ())).findings


async def test_findings_come_worst_first_and_in_document_order() -> None:
    late = finding("late", Severity.LOW, at=9)
    early = finding("early", Severity.LOW, at=3)
    whole = finding("whole", Severity.LOW)
    worst = finding("worst", Severity.CRITICAL, at=20)
    assert await merged([late, early], [whole, worst]) == (worst, whole, early, late)


async def test_of_two_with_one_id_the_worse_is_kept() -> None:
    mild, bad = finding("f", Severity.LOW, at=1), finding("f", Severity.HIGH, at=2)
    assert await merged([mild], [bad]) == (bad,)
    assert await merged([bad], [mild]) == (bad,)


@given(st.lists(st.tuples(st.sampled_from("abcde"), st.sampled_from(Severity)), max_size=12))
def test_each_finding_is_kept_once(pairs: list[tuple[str, Severity]]) -> None:
    found = asyncio.run(merged(*([finding(name, severity)] for name, severity in pairs)))
    assert sorted(f.id for f in found) == sorted({name for name, _ in pairs})
    assert [f.severity.rank for f in found] == sorted(f.severity.rank for f in found)


@pytest.mark.parametrize("decision", GateDecision)
async def test_only_a_failed_gate_makes_a_finding(decision: GateDecision) -> None:
    critic = ListedCritic("critic", vote(APPROVE))
    evidence = ListedEvidence(conclusion(decision))
    loop = Loop(ListedDrafter(), [critic], evidence=evidence, max_iterations=1)
    findings = (await loop.pipeline().run(BRIEF, ())).findings
    if decision is not GateDecision.FAIL:
        assert findings == ()
        return
    assert [f.type for f in findings] == [ReviewCriterion.GATE]
    assert "a reason" in findings[0].problem
    assert findings[0].recommendation == "a change"


async def examined(*sets: str) -> PipelineResult:
    """A run in which the critic finds the letters of each set, one after the other."""
    votes: list[Examination] = [vote(REJECT, *map(finding, letters)) for letters in sets]
    loop = Loop(ListedDrafter(), [ListedCritic("critic", *votes)], max_iterations=len(sets))
    return await loop.pipeline().run(BRIEF, ())


async def test_changes_count_new_resolved_and_recurring() -> None:
    result = await examined("ab", "bcd", "")
    changes = [FindingChanges(2, 0, 0), FindingChanges(2, 1, 1), FindingChanges(0, 3, 0)]
    assert [one.changes for one in result.iterations] == changes


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
async def test_a_loop_stalls_when_nothing_is_resolved_or_a_set_returns(
    sets: tuple[str, ...], stalled: bool
) -> None:
    result = await examined(*sets)
    expected = Status.STALLED if stalled else Status.MAX_ITERATIONS
    assert (result.status, len(result.iterations)) == (expected, len(sets))
