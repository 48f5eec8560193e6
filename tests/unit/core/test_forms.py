"""Forms made from pydantic models, and the records read from them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

import pytest
from foureyes import (
    Agent,
    AgentTask,
    Error,
    FoureyesError,
    Issue,
    IterationResult,
    TaskTools,
    Turn,
    TurnUsage,
    run_analysis_async,
)
from pydantic import BaseModel, Field, JsonValue, create_model
from support.scripted_backend import Fill, Move, ScriptedBackend, Write


class Tone(StrEnum):
    """A vocabulary."""

    PLAIN = "plain"
    WARM = "warm"


class Place(BaseModel):
    """A record in a list."""

    words: str = Field(description="the words", max_length=300)
    tone: Tone = Tone.PLAIN
    other: Tone | None = None


class Form(BaseModel):
    """Everything that a form can hold."""

    score: float = Field(ge=0, le=1, description="how good")
    sure: bool
    note: str = ""
    kind: Literal["short", "long"]
    cost: Decimal
    places: list[Place] = Field(default_factory=list[Place], max_length=2)
    names: list[str] = Field(default_factory=list[str], description="who is named")
    best: Place


VALUES: Mapping[str, JsonValue] = {
    "/score": 1,
    "/sure": True,
    "/note": "",
    "/kind": "long",
    "/cost": 2.5,
    "/places": [{"words": "b", "tone": "warm", "other": None}],
    "/names": [],
    "/best/words": "a",
    "/best/tone": "plain",
    "/best/other": "warm",
}


class Filled:
    """Runs of an agent with the form, the records that it filled in, and what it was asked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.forms: list[Form] = []
        self.tasks: list[AgentTask[object]] = []

    def keep(self, form: Form) -> list[Issue]:
        self.forms.append(form)
        return []

    async def run(self, *moves: Move) -> IterationResult:
        backend = ScriptedBackend(moves)
        return await self.ask(backend, backend.tasks)

    async def ask(
        self, backend: ScriptedBackend | Growing, tasks: list[AgentTask[object]]
    ) -> IterationResult:
        result = await run_analysis_async(
            "# Tone\n",
            draft="# Tone\n\nIt is warm.\n",
            agents=[Agent("tone", "Say how it sounds.", Form, findings=self.keep)],
            backend=backend,
            mode="analyze",
            max_iterations=1,
            reader="none",
            out=self.folder / "runs",
        )
        self.tasks = tasks
        return result.iterations[0]


class Growing:
    """A backend that asks for one entry more than a list may have."""

    name = "growing"
    independent = False

    def __init__(self) -> None:
        self.said = ""

    async def run(self, task: AgentTask[object], folder: Path) -> Turn | Error:
        tools = TaskTools(task, folder)
        places: list[JsonValue] = [{"words": word, "tone": None, "other": None} for word in "abc"]
        self.said = await tools.call("fill_slots", {"values": {"/places": places}})
        return tools.turn(TurnUsage())


@pytest.fixture
def filled(tmp_path: Path) -> Filled:
    return Filled(tmp_path)


async def test_every_field_is_a_slot_with_its_words_and_every_list_shows_one_example(
    filled: Filled,
) -> None:
    await filled.run(Fill(VALUES))
    assert json.loads(filled.tasks[0].template) == {
        "score": "[TODO: /score: how good (a number)]",
        "sure": "[TODO: /sure: sure (true or false)]",
        "note": "[TODO: /note: note (may be empty)]",
        "kind": "[TODO: /kind: kind (one of short, long)]",
        "cost": "[TODO: /cost: cost (a number)]",
        "places": [
            {
                "words": "[TODO: /places/-/words: the words (at most 300 characters)]",
                "tone": '[TODO: /places/-/tone: tone (one of plain, warm) (null for "plain")]',
                "other": "[TODO: /places/-/other: other (one of plain, warm) (null for none)]",
            }
        ],
        "names": ["[TODO: /names/-: who is named]"],
        "best": {
            "words": "[TODO: /best/words: the words (at most 300 characters)]",
            "tone": '[TODO: /best/tone: tone (one of plain, warm) (null for "plain")]',
            "other": "[TODO: /best/other: other (one of plain, warm) (null for none)]",
        },
    }


async def test_a_record_is_read_back_from_the_form_that_it_fills(filled: Filled) -> None:
    assert (await filled.run(Fill(VALUES))).failures == {}
    best = Place(words="a", other=Tone.WARM)
    places = [Place(words="b", tone=Tone.WARM)]
    expected = Form(score=1, sure=True, kind="long", cost=Decimal("2.5"), places=places, best=best)
    assert filled.forms[0] == expected


async def test_null_stands_for_a_default_and_nowhere_else(filled: Filled) -> None:
    await filled.run(Fill({**VALUES, "/best/tone": None}))
    assert filled.forms[0].best.tone is Tone.PLAIN
    failed = await filled.run(*[Fill({**VALUES, "/score": None})] * 3)
    assert "/score" in failed.failures["tone"].message


async def test_a_list_grows_to_its_length_and_nothing_is_added_to_the_form(filled: Filled) -> None:
    growing = Growing()
    await filled.ask(growing, [])
    assert "at most 2 are allowed" in growing.said
    failed = await filled.run(*[Write('{"extra": 1}')] * 3)
    assert "/extra is not part of the form" in failed.failures["tone"].message


class Inner(BaseModel):
    """A record that holds itself."""

    more: list[Inner]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (dict[str, int], "no place for such a field"),
        (Place | None, "no place for such a field"),
        (tuple[int, str], "no place for such a field"),
        (Inner, "Inner stands within itself"),
        (Any, "no place for such a field"),
        (type, "Cannot generate a JsonSchema"),
    ],
)
def test_what_a_form_cannot_hold_is_refused(kind: Any, said: str) -> None:
    unfit = create_model("Unfit", field=(kind, ...))
    with pytest.raises(FoureyesError, match=said):
        Agent("tone", "Say how it sounds.", unfit)
