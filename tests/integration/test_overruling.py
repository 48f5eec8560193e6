"""A contradiction that code found stands, whatever an agent answers, through the whole loop."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest
from foureyes import (
    AgentTask,
    Critic,
    Error,
    Examination,
    GateDecision,
    IterationWork,
    PipelineResult,
    Recommendation,
    RunStatus,
    Stance,
    TaskTools,
    Turn,
    TurnUsage,
    Verdict,
    run_analysis_async,
)
from foureyes.datatypes import FactCheckInput
from pydantic import JsonValue
from support.agent_kit import AS_OF, fact_checker, registry
from support.evidence_run import evidence, open_reader
from support.http_site import HttpSite
from support.loop_agents import APPROVE, BRIEF, ListedCritic, ListedDrafter, Loop, vote

PAGE = """The city built 42 kilometres of bicycle lanes in 2024. The lanes cost 8 million euros.
The bridge was opened on 3 May 2019. The council did not approve the tunnel.
The mayor said that "the lanes will be paid for by the tram fund".
"""
WRONG = (
    "The city built 60 kilometres of bicycle lanes in 2024",
    "The bridge was opened on 3 June 2019",
    "The council approved the tunnel",
    'The mayor said that "the lanes will be paid for by the bus fund"',
)
TRUE = "The lanes cost 8 million euros ({})."
INVENTED = "Our pilot with 500 riders cut accidents by 73%"
PARTS = "Paint cost $3 million and asphalt $4 million, a total of $9 million"


@pytest.fixture
async def site() -> AsyncGenerator[HttpSite]:
    async with HttpSite() as opened:
        opened.page("/lanes.txt", PAGE, media_type="text/plain")
        yield opened


class Defiant:
    """Answers the same for every claim, names the source's words for it, and approves."""

    name = "defiant"
    independent = True

    def __init__(self, verdict: Verdict) -> None:
        self._verdict = verdict

    async def run(self, task: AgentTask[object], folder: Path) -> Turn | Error:
        assert isinstance(task.inputs, FactCheckInput)
        values: dict[str, JsonValue] = {
            "/recommendation": "approve",
            "/recommendation_reason": "All of it is right.",
            "/additional_claims": [],
            "/issues": [],
        }
        for work in task.inputs.claims:
            place, quotes = f"/claims/{work.claim.id}", work.assessment.evidence
            values[f"{place}/verdict"] = self._verdict.value
            values[f"{place}/passage"] = quotes[0].quote if quotes else ""
            values[f"{place}/reason"] = "Code is mistaken."
        tools = TaskTools(task, folder)
        tools.prompt()
        assert await tools.call("fill_slots", {"values": values}) == "done"
        return tools.turn(TurnUsage())


class Vouching:
    """A critic of somebody's own: it hands every claim on as supported, with a real quote."""

    name = "fact_checker"

    def __init__(self, verdict: Verdict = Verdict.SUPPORTED) -> None:
        self._verdict = verdict

    async def examine(self, work: IterationWork) -> Examination | Error:
        assert work.evidence is not None
        answers = tuple(
            replace(
                one,
                verdict=one.verdict if one.verdict is Verdict.SUPPORTED else self._verdict,
                decided=True,
                findings=(),
                evidence=tuple(replace(e, stance=Stance.SUPPORTS) for e in one.evidence),
            )
            for one in work.evidence.assessments.values()
        )
        return replace(vote(APPROVE), assessments=answers)


def body(site: HttpSite) -> str:
    url = site.url("/lanes.txt")
    wrong = " ".join(f"{claim} ({url})." for claim in WRONG)
    return f"{TRUE.format(url)} {wrong}\n\n{PARTS}."


async def run_on(folder: Path, site: HttpSite, critic: Critic, body: str) -> PipelineResult:
    draft = f"# Lanes\n\n{body}\n"
    async with open_reader(folder, site) as reader:
        pair = (ListedCritic("reviewer", vote(APPROVE)), critic)
        loop = Loop(ListedDrafter(), pair, evidence=evidence(reader, registry()), max_iterations=1)
        return await loop.pipeline().run(BRIEF, (), draft=draft)


def contradicted(result: PipelineResult) -> set[str]:
    assert result.delivered is not None
    assert result.delivered.conclusion is not None
    entries = result.delivered.conclusion.ledger.entries
    return {entry.text for entry in entries if entry.open_contradiction}


ALL = {f"{claim}." for claim in (*WRONG, PARTS)}


@pytest.mark.parametrize("verdict", Verdict)
async def test_no_answer_of_the_fact_checker_lifts_what_code_found(
    verdict: Verdict, tmp_path: Path, site: HttpSite
) -> None:
    result = await run_analysis_async(
        BRIEF,
        draft=f"# Lanes\n\n{body(site)}\n",
        critics=[fact_checker(Defiant(verdict))],
        mode="analyze_review_with_fact_check",
        max_iterations=1,
        allowed_hosts=[site.authority],
        as_of=AS_OF,
        out=tmp_path / "runs",
    )
    assert contradicted(result) >= ALL
    assert result.status is not RunStatus.APPROVED
    assert result.delivered is not None
    assert result.delivered.failures == {}
    examination = result.delivered.examinations["fact_checker"]
    assert examination.stated_recommendation is APPROVE
    assert examination.recommendation is Recommendation.REJECT


async def test_nor_does_a_critic_that_approves_and_vouches_for_every_claim(
    tmp_path: Path, site: HttpSite
) -> None:
    result = await run_on(tmp_path, site, Vouching(), body(site))
    assert contradicted(result) == ALL
    assert result.delivered is not None
    assert result.delivered.conclusion is not None
    assert result.delivered.conclusion.gate.decision is GateDecision.FAIL
    assert result.status is RunStatus.MAX_ITERATIONS
    assert {finding.claim for finding in result.findings} >= ALL


@pytest.mark.parametrize("verdict", [Verdict.NOT_CHECKABLE, Verdict.PARTIALLY_SUPPORTED])
async def test_nor_is_an_invented_result_excused_from_being_checked(
    verdict: Verdict, tmp_path: Path, site: HttpSite
) -> None:
    text = f"{TRUE.format(site.url('/lanes.txt'))}\n\n{INVENTED}."
    result = await run_on(tmp_path, site, Vouching(verdict), text)
    assert result.delivered is not None
    assert result.delivered.conclusion is not None
    conclusion = result.delivered.conclusion
    told = {entry.text: entry.verdict for entry in conclusion.ledger.entries}
    assert told[f"{INVENTED}."] is Verdict.UNVERIFIABLE
    assert conclusion.gate.metrics.rate == 0.5
    assert result.status is RunStatus.INCONCLUSIVE
