from __future__ import annotations

from pathlib import Path

import pytest
from foureyes import PromptError, PromptLibrary, ToolFailure
from foureyes.agents.source_tools import SECTIONS, WebResearchProtocol
from foureyes.sources.scoring.rules import load_scoring
from rs_bpe import openai

MAX_TOKENS = 1400
"""Web-research spec, FR-007; a section has no limit there, and keeps to the same."""


@pytest.fixture(scope="module")
def protocol() -> WebResearchProtocol:
    return WebResearchProtocol(PromptLibrary(), load_scoring())


def tokens(text: str) -> int:
    return len(openai.o200k_base().encode(text))


def test_the_protocol_stays_below_its_limit_of_tokens(protocol: WebResearchProtocol) -> None:
    assert tokens(protocol.text()) < MAX_TOKENS


@pytest.mark.parametrize("section", SECTIONS)
def test_each_section_is_named_by_the_protocol_and_short(
    section: str, protocol: WebResearchProtocol
) -> None:
    assert f"`{section}`" in protocol.text()
    assert 200 < tokens(protocol.section(section)) < MAX_TOKENS


def test_the_worked_examples_add_up_to_the_scores_of_the_spec(
    protocol: WebResearchProtocol,
) -> None:
    rules = protocol.section("source-validation-rules")
    assert "40 + 28 + 18 + 9 = 95" in rules
    assert "10 + 0 + 10 + 8 = 28" in rules


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ("source-validation-rules", ["Authority", "Recency", "Completeness", "Relevance"]),
        ("tier-system", ["🟢 T1", "🔵 T2", "🟡 T3", "🟠 T4", "🔴 T5", "reject source"]),
        ("citation-templates", ["Minimal", "Standard", "Detailed", "accessed_date"]),
        (
            "gap-detection",
            [
                "missing_official_docs",
                "outdated_sources",
                "insufficient_coverage",
                "low_reliability",
                "| Date | Gap Type | Topic | Trigger | Resolution | Deferred Until |",
            ],
        ),
    ],
)
def test_a_section_holds_what_its_name_promises(
    section: str, words: list[str], protocol: WebResearchProtocol
) -> None:
    text = protocol.section(section)
    assert [word for word in words if word not in text] == []


async def test_the_tool_hands_out_a_section_and_refuses_other_names(
    protocol: WebResearchProtocol,
) -> None:
    tool = protocol.tool()
    assert await tool.handler({"section": "tier-system"}) == protocol.section("tier-system")
    with pytest.raises(ToolFailure, match="there is no section 'judge/system'"):
        await tool.handler({"section": "judge/system"})


def test_a_users_section_with_an_unknown_variable_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "web-research"
    folder.mkdir()
    (folder / "tier-system.md").write_text("Tiers: {{ tiers_of_mine }}\n", "utf-8")
    with pytest.raises(PromptError, match="line 1: unknown variable 'tiers_of_mine'"):
        WebResearchProtocol(PromptLibrary(tmp_path), load_scoring())
