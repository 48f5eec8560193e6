"""The word lists are data that a user may replace."""

from __future__ import annotations

import importlib.resources
from pathlib import Path

import pytest
from foureyes import RegistryError
from foureyes.datatypes import BlockKind
from foureyes.documents.parse import parse_document
from foureyes.documents.words import load_document_words

PACKAGED = importlib.resources.files("foureyes.config") / "registry" / "documents.yaml"


def test_a_users_own_lists_take_the_place_of_the_packaged_ones(tmp_path: Path) -> None:
    text = PACKAGED.read_text(encoding="utf-8")
    own = text.replace("  - references\n", "  - literaturnachweis\n", 1)
    (tmp_path / "documents.yaml").write_text(own, encoding="utf-8")
    document = "# Literaturnachweis\n\n- Olm, T. (2020). Gezeiten.\n"
    assert parse_document(document).sentences[-1].kind is BlockKind.LIST_ITEM
    words = load_document_words(tmp_path)
    assert parse_document(document, words).sentences[-1].kind is BlockKind.REFERENCE


def test_an_unknown_list_is_refused(tmp_path: Path) -> None:
    text = PACKAGED.read_text(encoding="utf-8") + "\nsurnames:\n  - olm\n"
    (tmp_path / "documents.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(RegistryError, match="surnames"):
        load_document_words(tmp_path)


def test_every_word_is_in_lower_case() -> None:
    lists = load_document_words().model_dump().values()
    assert [word for words in lists for word in words if word != word.casefold()] == []
