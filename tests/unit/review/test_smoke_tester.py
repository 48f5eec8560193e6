"""The smoke tester: one answer for each item, and what code failed stays failed."""

from __future__ import annotations

from pathlib import Path

import pytest
from foureyes import Error, FailureKind, Success
from foureyes.core.tasks import AgentResult
from foureyes.datatypes import Polarity
from foureyes.review.types import SmokeAnswer, SmokeItem, SmokeVerdict
from pydantic import JsonValue
from support.agent_kit import offline
from support.review_kit import BAD_ITEM, GOOD_ITEM, smoke_context, smoke_tester
from support.scripted_backend import Fail, Fill, Move, ScriptedBackend

CLAIM = SmokeItem("c-1", "40 tonnes", 3, "It lifts 40 tonnes.", polarity=Polarity.ASSERTED)


def filled(**answers: tuple[str, str]) -> Fill:
    values: dict[str, JsonValue] = {}
    for name, (verdict, reason) in answers.items():
        place = f"/items/{name.replace('_', '-')}"
        values |= {f"{place}/verdict": verdict, f"{place}/reason": reason}
    return Fill(values)


async def smoked(
    folder: Path, move: Move, *items: SmokeItem
) -> AgentResult[tuple[SmokeAnswer, ...]]:
    return await smoke_tester(ScriptedBackend([move] * 3)).process(smoke_context(folder, *items))


async def test_each_item_is_answered_in_order(tmp_path: Path) -> None:
    move = filled(c_1=("failed", "The quotation has about."), T_1=("VERIFIED", ""))
    result = await smoked(tmp_path, move, CLAIM, GOOD_ITEM)
    assert isinstance(result, Success)
    assert result.output == (
        SmokeAnswer("c-1", SmokeVerdict.FAILED, "The quotation has about."),
        SmokeAnswer("T-1", SmokeVerdict.VERIFIED),
    )


async def test_nobody_lifts_what_code_has_failed(tmp_path: Path) -> None:
    move = filled(T_1=("VERIFIED", ""), T_2=("VERIFIED", "It is there."))
    result = await smoked(tmp_path, move, GOOD_ITEM, BAD_ITEM)
    assert isinstance(result, Success)
    assert result.output[1] == SmokeAnswer("T-2", SmokeVerdict.FAILED, BAD_ITEM.fault)


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


def long_items(count: int) -> list[SmokeItem]:
    return [SmokeItem(f"T-{n}", "The HBQ met in May. " * 50, 5, "x" * 500) for n in range(count)]


async def test_a_long_share_is_answered_in_several_forms(tmp_path: Path) -> None:
    items = long_items(30)
    agent, context = smoke_tester(offline()), smoke_context(tmp_path, *items)
    result = await agent.process(context)
    assert isinstance(result, Success)
    assert [answer.id for answer in result.output] == [item.id for item in items]
    assert len(list((tmp_path / "journal").iterdir())) == 4


async def test_a_share_of_which_one_form_failed_has_no_answer(tmp_path: Path) -> None:
    items = long_items(10)
    first = filled(**{f"T_{n}": ("VERIFIED", "") for n in range(8)})
    backend = ScriptedBackend([first, Fail(Error(FailureKind.REFUSED, "no"))])
    result = await smoke_tester(backend).process(smoke_context(tmp_path, *items))
    assert isinstance(result, Error)
    assert [task.name for task in backend.tasks] == [
        "1/smoke/findings-1",
        "1/smoke/findings-1/form-02",
    ]
    assert all(len(task.template.encode()) <= 16 * 1024 for task in backend.tasks)
    assert result.usage.messages == 1


async def test_nothing_to_test_needs_no_tester(tmp_path: Path) -> None:
    result = await smoke_tester(ScriptedBackend([])).process(smoke_context(tmp_path))
    assert isinstance(result, Success)
    assert result.output == ()


async def test_offline_what_code_compared_is_the_answer(tmp_path: Path) -> None:
    result = await smoke_tester(offline()).process(smoke_context(tmp_path, GOOD_ITEM, BAD_ITEM))
    assert isinstance(result, Success)
    assert [answer.verdict for answer in result.output] == ["VERIFIED", "FAILED"]


def test_claims_come_with_whose_they_are(tmp_path: Path) -> None:
    agent = smoke_tester(ScriptedBackend([]))
    task = agent.build_task(smoke_context(tmp_path, CLAIM))
    assert '"polarity": "ASSERTED"' in task.template
    assert "Test the claims" in task.user_prompt
    assert "Test the findings" in agent.build_task(smoke_context(tmp_path, GOOD_ITEM)).user_prompt
