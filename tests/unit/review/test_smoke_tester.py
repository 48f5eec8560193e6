"""The smoke tester: one answer for each item."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from foureyes import Error, FailureKind, Success
from foureyes.core.tasks import AgentResult
from foureyes.datatypes import Polarity
from foureyes.review.types import SmokeItem
from pydantic import JsonValue
from support.agent_kit import offline
from support.review_kit import GOOD_ITEM, OTHER_ITEM, smoke_context, smoke_tester
from support.scripted_backend import Fill, Move, ScriptedBackend

CLAIM = SmokeItem("c-1", "40 tonnes", 3, "It lifts 40 tonnes.", polarity=Polarity.ASSERTED)


def filled(**answers: tuple[str, str]) -> Fill:
    values: dict[str, JsonValue] = {}
    for name, (verdict, reason) in answers.items():
        place = f"/items/{name.replace('_', '-')}"
        values |= {f"{place}/verdict": verdict, f"{place}/reason": reason}
    return Fill(values)


async def smoked(folder: Path, move: Move, *items: SmokeItem) -> AgentResult[Mapping[str, str]]:
    return await smoke_tester(ScriptedBackend([move] * 3)).process(smoke_context(folder, *items))


async def test_what_failed_is_told_with_its_reason(tmp_path: Path) -> None:
    move = filled(c_1=("failed", "The quotation has about."), T_1=("VERIFIED", ""))
    result = await smoked(tmp_path, move, CLAIM, GOOD_ITEM)
    assert isinstance(result, Success)
    assert result.output == {"c-1": "The quotation has about."}


UNREADABLE = [
    (filled(T_1=("FAILED", " ")), "/items/T-1/reason: say why"),
    (filled(T_1=("probably", "")), "none of FAILED, VERIFIED"),
    (filled(), "/items/T-1/verdict is not filled"),
    (Fill(filled(T_1=("VERIFIED", "")).values, coverage=0.5), "only 50 % of the text"),
]


@pytest.mark.parametrize(("move", "told"), UNREADABLE, ids=[told for _, told in UNREADABLE])
async def test_a_form_that_cannot_be_read_verifies_nothing(
    move: Fill, told: str, tmp_path: Path
) -> None:
    result = await smoked(tmp_path, move, GOOD_ITEM)
    assert isinstance(result, Error)
    assert result.kind is FailureKind.MALFORMED
    assert told in result.message


async def test_offline_what_code_let_pass_is_verified(tmp_path: Path) -> None:
    result = await smoke_tester(offline()).process(smoke_context(tmp_path, GOOD_ITEM, OTHER_ITEM))
    assert isinstance(result, Success)
    assert result.output == {}


def test_claims_come_with_whose_they_are(tmp_path: Path) -> None:
    agent = smoke_tester(ScriptedBackend([]))
    task = agent.build_task(smoke_context(tmp_path, CLAIM))
    assert '"polarity": "ASSERTED"' in task.template
    assert "Test the claims" in task.user_prompt
    assert "Test the findings" in agent.build_task(smoke_context(tmp_path, GOOD_ITEM)).user_prompt
