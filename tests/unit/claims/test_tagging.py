"""Entities of a tagger of the user's, beside those of the rules."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from foureyes.base.errors import InputError
from foureyes.claims.model import Entity, EntityType
from foureyes.claims.tagging import SpacyTagger, with_tagged_entities
from foureyes.cli.app import execute
from support.claim_kit import claims_of

TEXT = "Halden paid the yard of brightwater 40 crowns on 3 May 2024."


def found(text: str, words: str, kind: EntityType) -> Entity:
    start = text.index(words)
    return Entity(words, kind, start, start + len(words))


def test_a_tagger_gives_types_and_further_names_and_takes_nothing_away() -> None:
    (claim,) = claims_of(TEXT)
    assert [e.type for e in claim.entities if e.text == "Halden"] == [None]
    tags = [
        found(TEXT, "Halden", EntityType.LOCATION),
        found(TEXT, "brightwater", EntityType.ORG),
        found(TEXT, "3 May", EntityType.PERSON),
    ]
    (tagged,) = with_tagged_entities([claim], lambda _: tags)
    by_text = {entity.text: entity.type for entity in tagged.entities}
    assert by_text["Halden"] is EntityType.LOCATION
    assert by_text["brightwater"] is EntityType.ORG
    assert EntityType.PERSON not in by_text.values()
    assert {entity.text for entity in claim.entities} <= by_text.keys()
    assert [e.start for e in tagged.entities] == sorted(e.start for e in tagged.entities)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A pipeline that knows two names, and a date that is not asked for."""
    spacy: Any = importlib.import_module("spacy")
    pipeline = spacy.blank("en")
    ruler = pipeline.add_pipe("entity_ruler")
    ruler.add_patterns(
        [
            {"label": "GPE", "pattern": "Halden"},
            {"label": "ORG", "pattern": "brightwater"},
            {"label": "DATE", "pattern": "3 May 2024"},
        ]
    )
    folder = tmp_path / "model"
    pipeline.to_disk(folder)
    return folder


def test_a_spacy_pipeline_is_a_tagger(model: Path) -> None:
    assert [(e.text, e.type) for e in SpacyTagger(str(model))(TEXT)] == [
        ("Halden", EntityType.LOCATION),
        ("brightwater", EntityType.ORG),
    ]


def test_claims_lists_what_it_finds(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draft = tmp_path / "draft.md"
    draft.write_text(f"{TEXT}\n", encoding="utf-8")
    assert execute(["claims", str(draft), "--json", "--spacy", str(model)]) == 0
    (claim,) = json.loads(capsys.readouterr().out)
    assert ("brightwater", "ORG") in {(e["text"], e["type"]) for e in claim["entities"]}


def test_a_model_that_is_not_there_is_named(model: Path) -> None:
    with pytest.raises(InputError, match="cannot load the model 'no_such_model'"):
        SpacyTagger("no_such_model")


def test_without_the_extra_it_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(InputError, match=r"foureyes\[spacy\]"):
        SpacyTagger("en_core_web_sm")
