"""The critics' answers, claim by claim."""

from __future__ import annotations

from dataclasses import replace

import pytest
from foureyes import Examination, GateDecision, Verdict
from foureyes.datatypes import CitationState, ClaimAssessment
from support.loop_agents import (
    APPROVE,
    BRIEF,
    ListedCritic,
    ListedDrafter,
    ListedEvidence,
    Loop,
    conclusion,
    vote,
)

S, U, C = Verdict.SUPPORTED, Verdict.UNVERIFIABLE, Verdict.CONTRADICTED


def checker(*verdicts: Verdict | None) -> Examination:
    """A checker's answer for claims c0, c1, …; None leaves one out."""
    answers = tuple(
        ClaimAssessment(f"c{number}", verdict, CitationState.DIRECT, "because")
        for number, verdict in enumerate(verdicts)
        if verdict is not None
    )
    return replace(vote(APPROVE), assessments=answers)


@pytest.mark.parametrize(
    ("examinations", "verdicts"),
    [
        ([], {}),
        ([vote(APPROVE)], {}),
        ([vote(APPROVE), checker(S, None, C)], {"c0": S, "c2": C}),
        ([checker(S), checker(U)], {"c0": U}),
        ([checker(U), checker(S)], {"c0": U}),
        ([checker(S, S), checker(None, C)], {"c0": S, "c1": C}),
    ],
)
async def test_an_answer_that_does_not_support_outweighs_one_that_does(
    examinations: list[Examination], verdicts: dict[str, Verdict]
) -> None:
    evidence = ListedEvidence(conclusion(GateDecision.PASS))
    critics = [ListedCritic(f"critic-{n}", one) for n, one in enumerate(examinations)]
    await Loop(ListedDrafter(), critics, evidence=evidence).pipeline().run(BRIEF, ())
    assert {name: answer.verdict for name, answer in evidence.answers[0].items()} == verdicts
