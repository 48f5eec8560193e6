from __future__ import annotations

import pytest
from foureyes import AnalystConfig, BaseAgentConfig, FactCheckerConfig, JudgeConfig
from pydantic import ValidationError


@pytest.mark.parametrize(
    ("alias", "tool"),
    [("WebFetch", "fetch_source"), ("WebSearch", "search_sources"), ("Grep", "grep_document")],
)
def test_a_tool_of_the_cli_that_reaches_too_far_means_ours(alias: str, tool: str) -> None:
    for name in (alias, tool):
        assert BaseAgentConfig(allowed_tools=("Read", "Edit", name)).allows(tool)
    assert not BaseAgentConfig(allowed_tools=("Read", "Edit")).allows(tool)


@pytest.mark.parametrize(
    ("tools", "said"),
    [
        (("Read", "Edit", "Bash"), "no agent can have 'Bash': choose from Read, Edit, TodoWrite"),
        (("Read",), "cannot work without 'Edit'"),
        ((), "cannot work without 'Read'"),
    ],
)
def test_a_tool_that_cannot_be_is_refused(tools: tuple[str, ...], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        BaseAgentConfig(allowed_tools=tools)


def test_each_agent_may_have_what_its_work_needs() -> None:
    assert FactCheckerConfig().allows("fetch_source")
    assert AnalystConfig().allows("search_sources")
    assert JudgeConfig().allows("grep_document")
