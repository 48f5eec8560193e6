"""The Claude Code plugin says what the prompts say, and gives each agent what the spec gives it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import cast

import pytest
from foureyes.datatypes import ClaimTopic, Materiality, Polarity, Temporality, WebVerdict
from plugin_texts import PLUGIN, rendered, written
from support.yaml_text import read_yaml

TEXTS = written()
AGENTS = {
    "red-textual": ("opus", "red", "Read, Grep"),
    "red-analytical": ("opus", "red", "Read, Grep"),
    "red-strategic": ("opus", "red", "Read, Grep"),
    "blue-defender": ("sonnet", "blue", "Read, Grep"),
    "smoke-test": ("sonnet", "cyan", "Read, Grep"),
    "claim-extractor": ("opus", "green", "Read, Grep"),
    "web-verifier": ("sonnet", "green", "Read, WebSearch"),
}
"""Model, colour and tools (document review spec, tables of phases 4a, 4a-v and 4b)."""


def head(name: str) -> Mapping[str, str]:
    """The front matter of a file."""
    return cast("Mapping[str, str]", read_yaml(TEXTS[name].split("---\n")[1]))


def test_texts_are_what_the_prompts_make_or_make_plugin_was_forgotten() -> None:
    assert rendered() == TEXTS


def test_manifest_names_the_version_of_the_spec() -> None:
    manifest = json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_text("utf-8"))
    assert (manifest["name"], manifest["version"]) == ("document-review-pipeline", "0.3.0")


def test_agents_are_the_seven_of_the_spec() -> None:
    found = {
        one["name"]: (one["model"], one["color"], one["tools"])
        for one in (head(name) for name in TEXTS if name.startswith("agents/"))
    }
    assert found == AGENTS


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_is_named_as_its_file_and_says_what_it_is_for(name: str) -> None:
    front = head(f"agents/{name}.md")
    assert front["name"] == name
    assert "document review" in front["description"]


@pytest.mark.parametrize(
    ("agent", "field", "words"),
    [
        ("claim-extractor", "Category", [one.value for one in ClaimTopic]),
        ("claim-extractor", "Materiality", [one.value for one in Materiality]),
        ("claim-extractor", "Temporality", [one.value for one in Temporality]),
        ("claim-extractor", "Assertion polarity", [one.value for one in Polarity]),
        ("web-verifier", "Temporality", [one.value for one in Temporality]),
        ("web-verifier", "Web result", [one.value for one in WebVerdict]),
        ("smoke-test", "### [number]", ["VERIFIED", "FAILED"]),
    ],
)
def test_the_words_of_an_answer_are_those_of_the_library(
    agent: str, field: str, words: list[str]
) -> None:
    found = re.search(rf"^\W*{re.escape(field)}:\W*(.+?)\]?$", TEXTS[f"agents/{agent}.md"], re.M)
    assert found is not None
    assert found[1].split(" | ") == words


def test_the_command_names_every_agent_and_every_flag() -> None:
    command = TEXTS["commands/review-document.md"]
    assert [name for name in AGENTS if f"`{name}`" not in command] == []
    flags = set(re.findall(r"--[a-z-]+", head("commands/review-document.md")["argument-hint"]))
    readme = (PLUGIN / "README.md").read_text("utf-8")
    assert flags == {"--no-web", "--verify-background", "--yes"}
    assert [flag for flag in flags if f"`{flag}`" not in readme or f"`{flag}`" not in command] == []


def test_the_command_may_search_nothing_unasked() -> None:
    assert "Web" not in head("commands/review-document.md")["allowed-tools"]
