"""The blue defender: nothing is killed but by words that stand in the document."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from foureyes import Error, FailureKind, Severity, Success
from foureyes.core.tasks import AgentResult
from foureyes.datatypes import Defence, DefenceOutcome, Lens, RedFinding
from foureyes.redteam.model import FlawKind
from pydantic import JsonValue
from support.agent_kit import offline
from support.review_kit import (
    ACRONYM,
    blue_defender,
    defence_context,
)
from support.scripted_backend import Fill, ScriptedBackend

SUM = RedFinding(
    "a-sum", Lens.ANALYTICAL, "40 tonnes", 3, FlawKind.ARITHMETIC_ERROR, "It does not come out.",
    Severity.HIGH, by_rules=True,
)  # fmt: skip


def defence(outcome: str, words: str, finding: RedFinding = ACRONYM) -> Fill:
    place = f"/defences/{finding.id}"
    values: dict[str, JsonValue] = {
        f"{place}/outcome": outcome,
        f"{place}/words": words,
        f"{place}/argument": "It is told elsewhere.",
    }
    return Fill(values)


async def defended(folder: Path, move: Fill, finding: RedFinding = ACRONYM) -> AgentResult[Defence]:
    backend = ScriptedBackend([move] * 3, independent=True)
    return await blue_defender(backend).process(defence_context(folder, finding))


@pytest.mark.parametrize(
    ("word", "outcome"),
    [("Killed", DefenceOutcome.KILLED), ("weaken", DefenceOutcome.WEAKENED)],
)
async def test_a_defence_rests_on_the_documents_own_words(
    word: str, outcome: DefenceOutcome, tmp_path: Path
) -> None:
    result = await defended(tmp_path, defence(word, 'The crane lifts "about" 40 tonnes'))
    assert isinstance(result, Success)
    assert result.output == Defence(
        "t-acronym", outcome, "It is told elsewhere.", "The crane lifts “about” 40 tonnes"
    )


@pytest.mark.parametrize("outcome", ["killed", "weakened"])
@pytest.mark.parametrize(
    "words", ["", "The HBQ is the harbour board.", "HBQ", "the HBQ", "…", "tonnes. … HBQ left."]
)
async def test_without_such_words_nothing_is_killed_and_nothing_weakened(
    outcome: str, words: str, tmp_path: Path
) -> None:
    result = await defended(tmp_path, defence(outcome, words))
    assert isinstance(result, Error)
    assert result.kind is FailureKind.MALFORMED
    assert "stand in the document" in result.message


async def test_a_finding_that_nothing_answers_survives(tmp_path: Path) -> None:
    result = await defended(tmp_path, defence("survived", "words that stand nowhere"))
    assert isinstance(result, Success)
    assert (result.output.outcome, result.output.quote) == (DefenceOutcome.SURVIVED, "")


@pytest.mark.parametrize(
    ("finding", "outcome"),
    [
        (SUM, DefenceOutcome.WEAKENED),
        (replace(SUM, by_rules=False), DefenceOutcome.KILLED),
        (replace(SUM, issue="inconsistent_number"), DefenceOutcome.WEAKENED),
        (replace(SUM, issue="broken_reference"), DefenceOutcome.WEAKENED),
        (replace(SUM, issue="unsupported_statistic"), DefenceOutcome.KILLED),
    ],
    ids=["reckoned by code", "said by an agent", "compared", "looked up", "another fault"],
)
async def test_no_words_kill_what_code_has_reckoned_out(
    finding: RedFinding, outcome: DefenceOutcome, tmp_path: Path
) -> None:
    result = await defended(tmp_path, defence("killed", "The crane lifts", finding), finding)
    assert isinstance(result, Success)
    assert result.output.outcome is outcome


def test_it_sees_one_finding_and_the_document(tmp_path: Path) -> None:
    task = blue_defender(ScriptedBackend([])).build_task(defence_context(tmp_path))
    assert task.name == "1/blue/t-acronym"
    assert list(task.readable) == ["document.md"]
    assert ACRONYM.problem in task.template
    assert ACRONYM.problem not in task.user_prompt + task.system_prompt


async def test_offline_nobody_defends_a_finding(tmp_path: Path) -> None:
    result = await blue_defender(offline()).process(defence_context(tmp_path, ACRONYM))
    assert isinstance(result, Success)
    assert result.output.outcome is DefenceOutcome.SURVIVED
    assert result.output.argument
