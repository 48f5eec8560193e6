"""Forms made from pydantic models, and the records read from them."""

from __future__ import annotations

import json
from decimal import Decimal
from enum import StrEnum
from typing import Any, Literal

import pytest
from foureyes import EditRefused, ReplyError, TemplateError
from foureyes.core.edit_policy import fill_slots
from foureyes.core.forms import form_of
from pydantic import BaseModel, Field, create_model


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


FILLED = Form(score=1, sure=True, kind="long", cost=Decimal("2.5"), best=Place(words="a"))


def test_every_field_is_a_slot_with_its_words_and_every_list_shows_one_example() -> None:
    assert json.loads(form_of(Form).template.text) == {
        "score": "[TODO: how good (a number)]",
        "sure": "[TODO: sure (true or false)]",
        "note": "[TODO: note (may be empty)]",
        "kind": "[TODO: kind (one of short, long)]",
        "cost": "[TODO: cost (a number)]",
        "places": [
            {
                "words": "[TODO: /places/-/words: the words (at most 300 characters)]",
                "tone": '[TODO: /places/-/tone: tone (one of plain, warm) (null for "plain")]',
                "other": "[TODO: /places/-/other: other (one of plain, warm) (null for none)]",
            }
        ],
        "names": ["[TODO: who is named]"],
        "best": {
            "words": "[TODO: /best/words: the words (at most 300 characters)]",
            "tone": '[TODO: /best/tone: tone (one of plain, warm) (null for "plain")]',
            "other": "[TODO: /best/other: other (one of plain, warm) (null for none)]",
        },
    }


def test_a_record_is_read_back_from_the_form_that_it_fills() -> None:
    form, filled = form_of(Form), FILLED.model_copy(update={"places": [Place(words="b")]})
    text = fill_slots(form.template.text, form.template.policy, form.values(filled))
    assert (form.read(text), form.template.policy.problems(text)) == (filled, ())


def test_null_stands_for_a_default_and_nowhere_else() -> None:
    form = form_of(Form)
    text = fill_slots(form.template.text, form.template.policy, form.values(FILLED))
    assert form.read(text.replace('"plain"', "null")).best.tone is Tone.PLAIN
    with pytest.raises(ReplyError, match="/score"):
        form.read(text.replace("1.0", "null"))


def test_a_list_grows_to_its_length_and_nothing_is_added_to_the_form() -> None:
    form = form_of(Form)
    too_many = FILLED.model_copy(update={"places": [Place(words=word) for word in "abc"]})
    with pytest.raises(EditRefused, match="at most 2 are allowed"):
        fill_slots(form.template.text, form.template.policy, form.values(too_many))
    with pytest.raises(EditRefused, match="/extra is not part of the form"):
        form.template.policy.check(form.template.text, '{"extra": 1}')


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
    with pytest.raises(TemplateError, match=said):
        form_of(unfit)
