"""A declared agent: its form, its vote, and what its functions and its backend may do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from foureyes import (
    Agent,
    AgentBackend,
    Correction,
    Error,
    Examination,
    FailureKind,
    Finding,
    InputError,
    Issue,
    Reads,
    Recommendation,
    ReplyError,
    ReviewCriterion,
    Severity,
    finding_id,
    run_analysis_async,
)
from pydantic import BaseModel, Field, JsonValue
from support.scripted_backend import Fill, Move, ScriptedBackend, Write

APPROVE, REJECT = Recommendation.APPROVE, Recommendation.REJECT
DRAFT = "# Costs\n\nThe famous station cost $30 billion.\n"


class Praise(BaseModel):
    """The form of the agent under test."""

    summary: str = Field(description="the tone in one sentence")
    praise: list[Issue]


AGENT = Agent("plain_words", "Find praise.", Praise)
FAMOUS: Mapping[str, JsonValue] = {
    "quote": "famous",
    "problem": "This is praise.",
    "recommendation": "Leave it out.",
    "evidence": "",
    "severity": None,
    "replacement": "",
}


async def asked(
    tmp_path: Path, agent: Agent[Praise], *moves: Move, backend: AgentBackend | None = None
) -> Examination | Error:
    """What a run over the draft has of the agent alone."""
    result = await run_analysis_async(
        "# Costs\n",
        draft=DRAFT,
        agents=[agent],
        backend=backend or ScriptedBackend(moves, independent=True),
        mode="analyze",
        max_iterations=1,
        reader="none",
        out=tmp_path / "runs",
    )
    (iteration,) = result.iterations
    return {**iteration.failures, **iteration.examinations}[agent.name]


def filled(*praise: Mapping[str, JsonValue]) -> Fill:
    return Fill({"/summary": "warm", "/praise": [dict(one) for one in praise]})


async def test_what_the_form_lists_becomes_located_findings_and_a_vote(tmp_path: Path) -> None:
    answer = await asked(tmp_path, AGENT, filled(FAMOUS))
    assert isinstance(answer, Examination)
    (finding,) = answer.findings
    assert (answer.recommendation, answer.independent, finding.severity, finding.origin) == (
        REJECT,
        True,
        Severity.HIGH,
        "plain_words",
    )
    assert finding.location is not None
    assert (finding.location.line, finding.correction) == (3, Correction(13, 19, ""))
    assert answer.artefact is not None
    assert answer.artefact.name == "plain_words_iteration_1.json"


@pytest.mark.parametrize(
    ("issues", "vote"),
    [
        ([], APPROVE),
        ([{**FAMOUS, "severity": "low"}], APPROVE),
        ([{**FAMOUS, "severity": "Medium"}], APPROVE),
        ([{**FAMOUS, "severity": "high"}], REJECT),
    ],
)
async def test_the_vote_follows_from_the_severities(
    tmp_path: Path, issues: list[Mapping[str, JsonValue]], vote: Recommendation
) -> None:
    answer = await asked(tmp_path, AGENT, filled(*issues))
    assert isinstance(answer, Examination)
    assert answer.recommendation is vote


@pytest.mark.parametrize(
    "spoiled",
    [
        Write('{"summary": "warm", "praise": [], "recommendation": "approve"}'),
        Write('{"summary": "warm"}'),
        Write("approved"),
        Fill({"/summary": "warm", "/praise": [{**FAMOUS, "severity": "grave"}]}),
        Fill({"/praise": []}),
    ],
)
async def test_a_form_that_cannot_be_read_is_mended_and_else_a_failure(
    tmp_path: Path, spoiled: Move
) -> None:
    mended = await asked(tmp_path, AGENT, spoiled, filled(FAMOUS))
    failed = await asked(tmp_path, AGENT, *[spoiled] * 3)
    assert isinstance(mended, Examination)
    assert mended.recommendation is REJECT
    assert isinstance(failed, Error)
    assert failed.kind is FailureKind.MALFORMED


async def test_an_adviser_decides_nothing_whatever_it_answers(tmp_path: Path) -> None:
    adviser = replace(AGENT, veto=False)
    rejecting = await asked(tmp_path, adviser, filled(FAMOUS))
    failed = await asked(tmp_path, adviser, *[Write("no")] * 3)
    assert isinstance(rejecting, Examination)
    assert isinstance(failed, Examination)
    assert (rejecting.recommendation, rejecting.advisory, len(rejecting.findings)) == (
        APPROVE,
        True,
        1,
    )
    assert (failed.advisory, failed.unfinished[0].kind) == (True, FailureKind.MALFORMED)


async def test_a_program_makes_findings_of_the_form_itself(tmp_path: Path) -> None:
    mine = Finding(
        finding_id(ReviewCriterion.HEDGING, "x"),
        Severity.MEDIUM,
        ReviewCriterion.HEDGING,
        "",
        "x",
        origin="somebody",
    )

    def both(form: Praise) -> list[Issue | Finding]:
        return [mine, *form.praise]

    agent = replace(AGENT, findings=both)
    answer = await asked(tmp_path, agent, filled(FAMOUS))
    assert isinstance(answer, Examination)
    assert [one.origin for one in answer.findings] == ["plain_words"] * 2


def refusing(form: Praise) -> list[Issue]:
    if len(form.praise) < 2:
        raise ReplyError("/praise: name two")
    return form.praise


async def test_a_program_may_have_the_form_corrected(tmp_path: Path) -> None:
    backend = ScriptedBackend([filled(FAMOUS), filled(FAMOUS, {**FAMOUS, "quote": "station"})])
    answer = await asked(tmp_path, replace(AGENT, findings=refusing), backend=backend)
    assert isinstance(answer, Examination)
    assert "/praise: name two" in backend.tasks[1].user_prompt


def leave(_form: Praise) -> list[Issue]:
    raise SystemExit(0)


async def test_a_program_that_leaves_ends_only_its_own_turn(tmp_path: Path) -> None:
    answer = await asked(tmp_path, replace(AGENT, findings=leave), *[filled(FAMOUS)] * 3)
    assert isinstance(answer, Error)
    assert answer.message.startswith("findings of plain_words called sys.exit(0)")


async def test_it_is_given_what_it_reads_and_its_prompt_as_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "prompt.md"
    file.write_text("Praise {{ is }} {% bad %}.\n", encoding="utf-8")
    agent = replace(AGENT, prompt=file, reads=(Reads.DRAFT,))
    backend = ScriptedBackend([filled()])
    await asked(tmp_path, agent, backend=backend)
    assert backend.tasks[0].system_prompt.startswith("Praise {{ is }} {% bad %}.\n")
    assert dict(backend.tasks[0].readable) == {"analysis.md": DRAFT}


class Nothing(BaseModel):
    """A form from which nothing follows."""

    summary: str


class Unfit(BaseModel):
    """A form that has no fixed keys."""

    scores: dict[str, float]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Agent("Plain words", "x", Praise), "'Plain words' cannot be a critic's name"),
        (lambda: Agent("reviewer", "x", Praise), "'reviewer' cannot be a critic's name: foureyes"),
        (lambda: Agent("tone", " ", Praise), "the agent 'tone' has an empty prompt"),
        (lambda: Agent("tone", "x", Nothing), "nothing in the form of 'tone' becomes a finding"),
        (lambda: Agent("tone", "x", Unfit), "Unfit: /scores: a form has no place"),
    ],
)
def test_what_cannot_work_is_refused_at_once(make: Callable[[], object], said: str) -> None:
    with pytest.raises(InputError) as caught:
        make()
    assert caught.value.message.startswith(said)


async def test_a_prompt_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        await asked(tmp_path, replace(AGENT, prompt=tmp_path / "none.md"))
