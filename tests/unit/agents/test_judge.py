"""The judge: its recommendation is computed, and can only withhold."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from foureyes import (
    Error,
    Finding,
    GateDecision,
    IssueType,
    JudgeContext,
    Ledger,
    Recommendation,
    Severity,
    Stance,
    Success,
    Verdict,
)
from foureyes.datatypes import JudgeInput, WeighedEvidence
from pydantic import JsonValue
from support.agent_kit import judge
from support.evidence_run import services
from support.loop_agents import entry, gate, quality
from support.scripted_backend import Fill, ScriptedBackend

PAGE = "https://port.example/a"
DRAFT = f"# Ships\n\nThe port counted 812 ships in 2024 ({PAGE}).\n"
CLAIM = "The port counted 812 ships in 2024."
QUOTE = WeighedEvidence(PAGE, "0" * 64, CLAIM, 0, len(CLAIM), Stance.SUPPORTS)
LEDGER = Ledger(1, (replace(entry(CLAIM, Verdict.SUPPORTED), evidence=(QUOTE,)),))
GATE = gate(GateDecision.PASS)
INPUTS = JudgeInput("How many?", DRAFT, {"reviewer.json": "{}"}, (), LEDGER, GATE)
NAMES = (
    "accuracy", "depth", "novelty", "structure", "coverage", "citation_density", "consistency",
    "readability",
)  # fmt: skip
SEVERE = Finding("f-1", Severity.HIGH, IssueType.UNSOURCED, "x", "y", origin="engine")


def judgement(vote: str = "approve", **scores: JsonValue) -> Fill:
    values: dict[str, JsonValue] = {"/recommendation": vote, "/summary": "Good."}
    for name in NAMES:
        values[f"/criteria/{name}/score"] = scores.get(name, 0.9)
        values[f"/criteria/{name}/reason"] = "So it is."
    return Fill(values)


CASES = [
    ("all is well", judgement(), INPUTS, Recommendation.APPROVE),
    ("its own word", judgement("reject"), INPUTS, Recommendation.REJECT),
    ("a severe finding", judgement(), replace(INPUTS, open_findings=(SEVERE,)),
     Recommendation.REJECT),
    ("the gate", judgement(), replace(INPUTS, gate=replace(GATE, decision=GateDecision.FAIL)),
     Recommendation.REJECT),
    ("the critique", judgement(), replace(INPUTS, critique=quality(0.6).critique),
     Recommendation.REJECT),
    ("one very low score", judgement(depth=0.2), INPUTS, Recommendation.REJECT),
    ("a low mean", judgement(**dict.fromkeys(NAMES, 0.4)), INPUTS, Recommendation.REJECT),
    ("no scores", judgement(**dict.fromkeys(NAMES, "null")), INPUTS, Recommendation.APPROVE),
    ("no gate", judgement(), replace(INPUTS, gate=None, ledger=None), Recommendation.APPROVE),
]  # fmt: skip


@pytest.mark.parametrize(("name", "fill", "inputs", "counts"), CASES, ids=[c[0] for c in CASES])
async def test_anything_at_all_against_it_withholds_approval(
    name: str, fill: Fill, inputs: JudgeInput, counts: Recommendation, tmp_path: Path
) -> None:
    result = await judge(ScriptedBackend([fill])).process(context(tmp_path, inputs, 1))
    assert isinstance(result, Success)
    assert result.output.recommendation is counts
    assert len(result.output.open_findings) == len(inputs.open_findings)


async def test_what_cannot_be_read_is_no_judgement(tmp_path: Path) -> None:
    backend = ScriptedBackend([judgement(depth="deep")] * 3)
    result = await judge(backend).process(context(tmp_path, INPUTS, 1))
    assert isinstance(result, Error)
    assert "/criteria/depth/score" in result.message


def context(folder: Path, inputs: JudgeInput, iteration: int) -> JudgeContext:
    return JudgeContext(
        iteration=iteration,
        max_iterations=iteration,
        services=services(folder),
        analysis_input_path=Path("a.md"),
        judgement_output_path=Path("judgement.json"),
        inputs=inputs,
    )


def test_the_judge_reads_the_claims_and_the_critics_files(tmp_path: Path) -> None:
    long = "x" * 60_001
    inputs = replace(INPUTS, artefacts={"reviewer.json": "{}", "fact_check.json": long})
    task = judge(ScriptedBackend([])).build_task(context(tmp_path, inputs, 1))
    assert list(task.readable) == ["brief.md", "analysis.md", "reviewer.json", "claims.md"]
    assert "812 ships" in task.readable["claims.md"]
    assert PAGE in task.readable["claims.md"]
    without = replace(inputs, ledger=None)
    task = judge(ScriptedBackend([])).build_task(context(tmp_path, without, 1))
    assert "fact_check-part-1-of-2.json" in task.readable
    assert [tool.name for tool in task.tools] == ["grep_document"]


def test_a_revised_document_and_its_open_findings_are_announced(tmp_path: Path) -> None:
    agent = judge(ScriptedBackend([]))
    first = agent.build_task(context(tmp_path, INPUTS, 1)).user_prompt
    revised = replace(INPUTS, open_findings=(SEVERE,))
    second = agent.build_task(context(tmp_path, revised, 2)).user_prompt
    assert "No finding is open." in first
    assert "1. [high, unsourced, raised by engine] x: y" in second
    assert "the version of round 2" in second


def test_codes_own_scores_are_told_to_a_judge_that_has_them(tmp_path: Path) -> None:
    agent = judge(ScriptedBackend([]))
    told = replace(INPUTS, critique=quality(0.6).critique)
    for iteration in (1, 2):
        tasks = [agent.build_task(context(tmp_path, i, iteration)) for i in (INPUTS, told)]
        line = "- coverage 0.60: a reason; remedy: a remedy\n"
        assert [line in task.user_prompt for task in tasks] == [False, True]


def test_no_file_is_named_to_a_judge_that_it_cannot_read(tmp_path: Path) -> None:
    agent = judge(ScriptedBackend([]))
    told = replace(INPUTS, critique=quality(0.6).critique)
    for iteration in (1, 2):
        task = agent.build_task(context(tmp_path, told, iteration))
        named = set(re.findall(r"`([\w.-]+\.(?:json|md))`", task.user_prompt))
        assert named == {*task.readable, task.file_name}
