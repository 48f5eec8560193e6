"""The word lists are data that a user may replace."""

from __future__ import annotations

import importlib.resources
from pathlib import Path

import foureyes
import pytest
import yaml
from foureyes import RegistryError
from foureyes.datatypes import BlockKind

PACKAGED = importlib.resources.files("foureyes.config") / "registry" / "documents.yaml"
DOCUMENT = "# Literaturnachweis\n\n- Olm, T. (2020). Gezeiten.\n"


def last_kind(registry_dir: Path | None = None) -> BlockKind:
    result = foureyes.check(DOCUMENT, fetch="none", registry_dir=registry_dir)
    return result.document.sentences[-1].kind


def test_a_users_own_lists_take_the_place_of_the_packaged_ones(tmp_path: Path) -> None:
    text = PACKAGED.read_text(encoding="utf-8")
    own = text.replace("  - references\n", "  - literaturnachweis\n", 1)
    (tmp_path / "documents.yaml").write_text(own, encoding="utf-8")
    assert last_kind() is BlockKind.LIST_ITEM
    assert last_kind(tmp_path) is BlockKind.REFERENCE


def test_an_unknown_list_is_refused(tmp_path: Path) -> None:
    text = PACKAGED.read_text(encoding="utf-8") + "\nsurnames:\n  - olm\n"
    (tmp_path / "documents.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(RegistryError, match="surnames"):
        last_kind(tmp_path)


def test_every_word_is_in_lower_case() -> None:
    text = PACKAGED.read_text(encoding="utf-8")
    lists: dict[str, list[str]] = yaml.load(text, yaml.BaseLoader)
    words = [word for entries in lists.values() for word in entries]
    assert [word for word in words if word != word.casefold()] == []
