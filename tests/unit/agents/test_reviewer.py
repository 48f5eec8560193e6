"""The reviewer: its words read, its vote and counts computed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from foureyes import (
    Error,
    FailureKind,
    Finding,
    IssueType,
    IterationResult,
    Recommendation,
    Review,
    ReviewCriterion,
    ReviewerConfig,
    ReviewerContext,
    Severity,
    Success,
    run_analysis_async,
)
from foureyes.datatypes import ReviewerInput, Strictness
from pydantic import JsonValue
from support.agent_kit import reviewer
from support.evidence_run import services
from support.loop_agents import finding, quality
from support.scripted_backend import Fill, ScriptedBackend

DRAFT = "# Costs\n\n## Summary\n\nThe costs are “low” and\nwill stay low.\n"
CRITERIA = [c.value for c in ReviewCriterion if c.is_reviewed]


def issue(severity: str = "high", **more: str) -> dict[str, JsonValue]:
    fields: dict[str, JsonValue] = {
        "severity": severity,
        "criterion": "Coverage",
        "quote": 'The costs are "low" and will stay low.',
        "problem": "No amount is given.",
        "evidence": "",
        "recommendation": "State the amount.",
    }
    return fields | more


def review(vote: str, *issues: JsonValue) -> Fill:
    values: dict[str, JsonValue] = {
        "/recommendation": vote,
        "/recommendation_reason": "Because.",
        "/summary": "Short.",
        "/strengths": ["Clear."],
        "/issues": list(issues),
        "/top_priorities": [],
    }
    for name in CRITERIA:
        values[f"/criteria/{name}/score"] = "0.9"
        values[f"/criteria/{name}/reason"] = "Fine."
    return Fill(values)


def context(folder: Path, previous: tuple[Finding, ...] = ()) -> ReviewerContext:
    return ReviewerContext(
        iteration=1,
        max_iterations=3,
        services=services(folder),
        analysis_input_path=Path("iterations/analysis_iteration_1.md"),
        feedback_output_path=Path("iterations/reviewer_feedback_iteration_1.json"),
        inputs=ReviewerInput("What does it cost?", DRAFT, previous),
    )


def test_a_long_document_can_be_searched(tmp_path: Path) -> None:
    inputs = ReviewerInput("What does it cost?", "The crane lifts 40 tonnes.\n" * 1000)
    agent = reviewer(ScriptedBackend([]))
    long = agent.build_task(replace(context(tmp_path), inputs=inputs))
    assert [tool.name for tool in long.tools] == ["grep_document"]
    assert agent.build_task(context(tmp_path)).tools == ()


async def reviewed(folder: Path, fill: Fill, strictness: Strictness = Strictness.NORMAL) -> Review:
    agent = reviewer(
        ScriptedBackend([fill], independent=True), ReviewerConfig(strictness=strictness)
    )
    result = await agent.process(context(folder))
    assert isinstance(result, Success), result
    return result.output


VOTES: list[tuple[str, list[str], Strictness, Recommendation]] = [
    ("approve", [], Strictness.NORMAL, Recommendation.APPROVE),
    ("approve", ["high"], Strictness.NORMAL, Recommendation.REJECT),
    ("reject", ["low"], Strictness.NORMAL, Recommendation.APPROVE),
    ("approve", ["medium"], Strictness.NORMAL, Recommendation.APPROVE),
    ("approve", ["medium"], Strictness.STRICT, Recommendation.REJECT),
    ("reject", ["medium"] * 3, Strictness.LENIENT, Recommendation.APPROVE),
]


@pytest.mark.parametrize(("vote", "severities", "strictness", "counts"), VOTES)
async def test_code_computes_the_vote_from_the_issues(
    vote: str,
    severities: list[str],
    strictness: Strictness,
    counts: Recommendation,
    tmp_path: Path,
) -> None:
    issues = [issue(word, problem=f"Problem {'I' * n}") for n, word in enumerate(severities)]
    feedback = (await reviewed(tmp_path, review(vote, *issues), strictness)).feedback
    assert feedback.recommendation is counts
    assert feedback.stated_recommendation == vote
    assert sum(feedback.severity_counts.model_dump().values()) == len(severities)
    assert feedback.basis == "language model (backend scripted)"


async def test_an_issue_is_located_by_its_quotation(tmp_path: Path) -> None:
    found = await reviewed(tmp_path, review("reject", issue()))
    (finding,) = found.findings
    assert finding.location is not None
    assert (finding.location.line, finding.location.section) == (5, "Costs > Summary")
    assert (finding.type, finding.severity) == (ReviewCriterion.COVERAGE, Severity.HIGH)
    assert found.feedback.issues[0].line == 5
    assert found.feedback.criteria["structure"].score == 0.9


async def test_an_issue_quoted_from_nowhere_is_kept_for_the_whole_document(tmp_path: Path) -> None:
    found = await reviewed(tmp_path, review("reject", issue(quote="These are not its words.")))
    assert found.findings[0].location is None
    assert found.feedback.issues[0].location == "whole document"


async def test_the_same_issue_twice_counts_once_at_its_worse(tmp_path: Path) -> None:
    found = await reviewed(tmp_path, review("reject", issue("low"), issue("high"), issue("low")))
    assert [finding.severity for finding in found.findings] == [Severity.HIGH]


UNREADABLE = [
    (review("perhaps"), "/recommendation: "),
    (review("reject"), "a rejection names at least one issue"),
    (review("approve", issue(criterion="taste")), "/issues/0/criterion: 'taste' is none of"),
    (review("approve", issue("blocker")), "/issues/0/severity: "),
]


@pytest.mark.parametrize(("fill", "problem"), UNREADABLE)
async def test_what_cannot_be_read_is_no_vote(fill: Fill, problem: str, tmp_path: Path) -> None:
    backend = ScriptedBackend([fill] * 3)
    result = await reviewer(backend).process(context(tmp_path))
    assert isinstance(result, Error)
    assert result.kind is FailureKind.MALFORMED
    assert problem in result.message
    assert len(backend.tasks) == 3


def test_a_revision_shows_the_last_findings(tmp_path: Path) -> None:
    finding = Finding("f-1", Severity.LOW, IssueType.OUTDATED, "", "Old.", origin="fact_checker")
    agent = reviewer(ScriptedBackend([]))
    first, second = (agent.build_task(context(tmp_path, p)) for p in ((), (finding,)))
    assert "last round" not in first.user_prompt
    assert "1. [low, outdated, raised by fact_checker] (the document as a whole): Old." in (
        second.user_prompt
    )
    assert list(first.readable) == ["brief.md", "analysis.md"]
    assert "rejected at 1 issue of severity high or critical, or at 3 of severity medium" in (
        first.system_prompt
    )


async def delivered(folder: Path, backend: ScriptedBackend) -> IterationResult:
    """The only iteration of a run over the draft, whose reviewer asks `backend`."""
    result = await run_analysis_async(
        "What does it cost?",
        draft=DRAFT,
        critics=[reviewer(backend)],
        mode="analyze_and_review",
        max_iterations=1,
        reader="none",
        out=folder / "runs",
    )
    return result.iterations[0]


async def test_the_critic_hands_on_vote_and_artefact(tmp_path: Path) -> None:
    iteration = await delivered(tmp_path, ScriptedBackend([review("approve", issue())]))
    answer = iteration.examinations["reviewer"]
    assert (answer.recommendation, answer.stated_recommendation) == (
        Recommendation.REJECT,
        Recommendation.APPROVE,
    )
    assert answer.assessments is None
    assert answer.artefact is not None
    assert answer.artefact.name == "reviewer_feedback_iteration_1.json"
    path = json.loads(answer.artefact.text)["analysis_path"]
    assert path == "iterations/analysis_iteration_1.md"


async def test_a_failed_turn_is_the_critics_failure(tmp_path: Path) -> None:
    iteration = await delivered(tmp_path, ScriptedBackend([review("hm")] * 3))
    assert iteration.failures["reviewer"].kind is FailureKind.MALFORMED


def test_codes_own_scores_of_the_draft_are_told_to_a_reviewer_that_has_them(tmp_path: Path) -> None:
    first, revised = context(tmp_path), context(tmp_path, (finding("f1"),))
    agent = reviewer(ScriptedBackend([]))
    for known in (first, revised):
        inputs = replace(known.inputs, critique=quality(0.6).critique)
        told = agent.build_task(replace(known, inputs=inputs)).user_prompt
        assert "- coverage 0.60: a reason; remedy: a remedy\n" in told
        assert "coverage 0.60" not in agent.build_task(known).user_prompt
