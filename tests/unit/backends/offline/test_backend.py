"""The offline backend: every agent's template filled through the one slot writer, by rules."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from foureyes import (
    AgentTask,
    AnalystContext,
    JudgeContext,
    OfflineBackend,
    Recommendation,
    RegistryError,
    ReplyError,
    ReviewerContext,
    Role,
    Success,
    Turn,
)
from foureyes.datatypes import (
    AnalystInput,
    JudgeInput,
    MarkdownDraft,
    ReviewerInput,
    RunServices,
)
from support.agent_kit import (
    analyst,
    evidence_of,
    fact_checker,
    fact_context,
    judge,
    material,
    offline,
    reviewer,
)
from support.commands import ROOT
from support.evidence_run import services
from support.loop_agents import quality

BRIEF = "How many containers did the port of Ostmere handle in 2024?"
PORT = material(
    "https://port.example/a", "The port of Ostmere handled 4.1 million containers in 2024.\n"
)


PATH = Path("iterations/analysis_iteration_1.md")


def to_review(services: RunServices, inputs: ReviewerInput) -> ReviewerContext:
    return ReviewerContext(
        iteration=1,
        max_iterations=3,
        services=services,
        analysis_input_path=PATH,
        feedback_output_path=Path("feedback.json"),
        inputs=inputs,
    )


def to_judge(services: RunServices, inputs: JudgeInput) -> JudgeContext:
    return JudgeContext(
        iteration=1,
        max_iterations=1,
        services=services,
        analysis_input_path=PATH,
        judgement_output_path=Path("judgement.json"),
        inputs=inputs,
    )


async def test_all_four_agents_do_their_work(tmp_path: Path) -> None:
    run = services(tmp_path)
    context = AnalystContext(
        iteration=1,
        max_iterations=3,
        services=run,
        analysis_output_path=PATH,
        inputs=AnalystInput(BRIEF, (PORT,)),
    )
    written = await analyst(offline()).process(context)
    assert isinstance(written, Success)
    draft = written.output.markdown
    reviewed = await reviewer(offline()).process(to_review(run, ReviewerInput(BRIEF, draft)))
    assert isinstance(reviewed, Success)
    assert reviewed.output.feedback.recommendation is Recommendation.APPROVE
    evidence = evidence_of(draft, {PORT.url: PORT.text})
    checked = await fact_checker(offline()).process(fact_context(run, evidence))
    assert isinstance(checked, Success)
    assert checked.output.fact_check.recommendation is Recommendation.APPROVE
    judged = await judge(offline()).process(to_judge(run, JudgeInput(BRIEF, draft, {}, ())))
    assert isinstance(judged, Success)
    assert judged.output.recommendation is Recommendation.APPROVE
    assert "no language model was used" in judged.output.basis
    assert checked.usage.cost_usd == 0


async def test_codes_own_critique_is_told_and_withholds_the_judges_approval(tmp_path: Path) -> None:
    run, failed, draft = services(tmp_path), quality(0.6).critique, f"# Port\n\n{PORT.text}"
    inputs = JudgeInput(BRIEF, draft, {}, (), critique=failed)
    judged = await judge(offline()).process(to_judge(run, inputs))
    assert isinstance(judged, Success)
    assert judged.output.stated_recommendation is Recommendation.REJECT
    assert judged.output.summary.endswith("By count, quality fail: 0.60 (coverage 0.60).")
    given = ReviewerInput(BRIEF, draft, critique=failed)
    reviewed = await reviewer(offline()).process(to_review(run, given))
    assert isinstance(reviewed, Success)
    assert "before the fact check: quality fail: 0.60" in reviewed.output.feedback.summary


async def test_the_same_inputs_give_the_same_file(tmp_path: Path) -> None:
    task = reviewer_task(tmp_path)
    first, second = [await offline().run(task, tmp_path) for _ in range(2)]
    assert isinstance(first, Turn)
    assert isinstance(second, Turn)
    assert first.text == second.text == (tmp_path / task.file_name).read_text("utf-8")
    assert task.policy.problems(first.text) == ()
    assert first.read_coverage == 1.0


def reviewer_task(folder: Path) -> AgentTask[ReviewerInput]:
    given = ReviewerInput(BRIEF, "# Port\n\nIt may possibly grow.\n")
    return reviewer(offline()).build_task(to_review(services(folder), given))


async def test_a_task_that_rules_cannot_do_is_refused(tmp_path: Path) -> None:
    task = reviewer_task(tmp_path)
    unknown: AgentTask[object] = AgentTask(
        Role.REVIEWER, "1/x", "?", "", "", "f.json", task.template, task.policy
    )
    with pytest.raises(ReplyError, match="no offline rules for str"):
        await offline().run(unknown, tmp_path)
    with pytest.raises(ReplyError, match="no form with slots"):
        await offline().run(replace(task, policy=MarkdownDraft((), (), 10)), tmp_path)


def test_the_backend_is_not_independent() -> None:
    backend = OfflineBackend()
    assert (backend.name, backend.independent) == ("offline", False)


def test_a_pattern_that_is_none_is_refused(tmp_path: Path) -> None:
    packaged = ROOT / "config" / "registry" / "extraction.yaml"
    text = packaged.read_text(encoding="utf-8")
    (tmp_path / "extraction.yaml").write_text(text.replace("unfit:\n", "unfit:\n  - (\n"))
    with pytest.raises(RegistryError, match=r"extraction.yaml: unfit.0: Input should be a valid"):
        OfflineBackend(tmp_path)
