"""Servers of other models refuse fields, headers and roles that only Anthropic knows."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import pytest
from claude_agent_sdk import ClaudeAgentOptions
from foureyes import AgentTask, ClaudeBackend, Role, Turn
from foureyes.backends.claude._session import Session
from foureyes.backends.claude.settings import PLAIN_REQUESTS
from integration.claude.strict_requests import strict, unknown_parts
from support.claude_turn import MODEL, MakeSettings, Play, fills, laid_out, review_task
from support.commands import ROOT
from support.messages_server import MessagesServer

pytestmark = pytest.mark.cli

LOCAL = dict.fromkeys(Role, "local")
UNKNOWN_WITHOUT = {
    "CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS": {
        "context-management-2025-06-27",
        "thinking-token-count-2026-05-13",
    },
    "CLAUDE_CODE_MODEL_CAPABILITIES": {"role system", "output_config", "effort-2025-11-24"},
    "CLAUDE_CODE_DISABLE_THINKING": {"thinking"},
    "DISABLE_INTERLEAVED_THINKING": {"interleaved-thinking-2025-05-14"},
    "DISABLE_PROMPT_CACHING": {"cache_control"},
    "CLAUDE_CODE_ATTRIBUTION_HEADER": {"billing line"},
    "CLAUDE_CODE_MAX_OUTPUT_TOKENS": {"max_tokens"},
}


class LackingSession(Session):
    """A session without some of the variables."""

    lacking: Sequence[str] = ()

    def options(self) -> ClaudeAgentOptions:
        options = super().options()
        return dataclasses.replace(options, env={**options.env, **dict.fromkeys(self.lacking, "")})


async def test_a_strict_server_gets_nothing_that_it_does_not_know(
    server: MessagesServer, play: Play
) -> None:
    server.default = strict(fills())
    turn = await play(models=LOCAL)
    assert isinstance(turn, Turn)
    assert (turn.read_coverage, len(server.requests)) == (1.0, 3)


def test_every_variable_has_its_test_and_is_documented() -> None:
    assert UNKNOWN_WITHOUT.keys() == PLAIN_REQUESTS.keys()
    text = (ROOT / "docs" / "model-servers.md").read_text("utf-8")
    assert [f"{n}={v}" for n, v in PLAIN_REQUESTS.items() if f"{n}={v}`" not in text] == []


@pytest.mark.parametrize(
    "variables",
    [
        pytest.param([*UNKNOWN_WITHOUT], id="all"),
        *(pytest.param([one], id=one, marks=pytest.mark.soak) for one in UNKNOWN_WITHOUT),
    ],
)
async def test_each_variable_keeps_something_back(
    server: MessagesServer, settings: MakeSettings, tmp_path: Path, variables: Sequence[str]
) -> None:
    class Backend(ClaudeBackend):
        def _open_session(self, task: AgentTask[object], folder: Path, home: Path) -> Session:
            session = LackingSession(self.settings, task, folder, home)
            session.lacking = variables
            return session

    task = review_task()
    await Backend(settings(models=LOCAL)).run(task, laid_out(task, tmp_path / "work"))
    unknown = set[str]().union(*(UNKNOWN_WITHOUT[one] for one in variables))
    found = set(unknown_parts(server.requests[0]))
    # Without all of them there is more, such as what says how to think.
    assert found == unknown if len(variables) == 1 else found > unknown


async def test_anthropics_own_models_keep_all_features(server: MessagesServer, play: Play) -> None:
    await play(models=dict.fromkeys(Role, MODEL))
    assert {"thinking", "context_management"} <= set(server.requests[0].body)
