"""What `foureyes doctor` is told about the backend."""

from __future__ import annotations

from pathlib import Path

import pytest
from foureyes import Credential, CredentialKind, Role
from foureyes.backends.claude.endpoint import BackendProbe, State, probe
from integration.claude.strict_requests import strict
from support.claude_turn import MODEL, MakeSettings
from support.messages_server import (
    Answer,
    Fault,
    MessagesServer,
    Reply,
    Request,
    Rule,
    ToolCall,
    Trouble,
)

pytestmark = pytest.mark.cli

CALL = Reply("", (ToolCall("Read", {"file_path": "/report.md"}),))


def calls(_request: Request) -> Reply:
    """A model that calls the tool it is asked to call."""
    return CALL


def words(_request: Request) -> Reply:
    """A model that answers in words."""
    return Reply("It is a report.")


def calls_when_forced(request: Request) -> Reply:
    """A model that calls a tool only if it must."""
    return CALL if "tool_choice" in request.body else words(request)


def thinks(_request: Request) -> Reply:
    """A model that uses up its tokens."""
    return Reply("Hm.", stop_reason="max_tokens")


def refusing(part: str) -> Rule:
    """A server that takes no request with `part` in it."""

    def rule(request: Request) -> Answer:
        held = request.body.get(part)
        refused = isinstance(held, list) if part == "system" else held is not None
        return Trouble(Fault.STATUS, 400) if refused else CALL

    return rule


def states(found: BackendProbe) -> dict[str, State]:
    """What was found, by its subject."""
    return {check.subject: check.state for check in found.checks}


async def test_a_working_installation_is_ready(
    server: MessagesServer, settings: MakeSettings
) -> None:
    server.default = calls
    found = await probe(settings())
    assert found.ready
    assert found.asked == (MODEL,)
    assert found.cli_version[0].isdigit()
    assert found.base_url == server.url
    assert set(states(found).values()) == {State.OK}
    assert len(found.checks) == 4


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        (Trouble(Fault.STATUS, 401), "the key is refused: name"),
        (Trouble(Fault.STATUS, 404), "no Anthropic Messages API at this address"),
        (Trouble(Fault.STATUS, 500), "the request is refused (HTTP 500: on demand: 500)"),
        (Trouble(Fault.HTML), "not streamed"),
        (Trouble(Fault.CUT_STREAM), "no answer"),
        (Trouble(Fault.GARBLED_STREAM), "garbled"),
        (Trouble(Fault.NO_EVENT_LINES), "no 'event:' lines"),
    ],
    ids=str,
)
async def test_what_a_server_lacks_is_named(
    server: MessagesServer, settings: MakeSettings, trouble: Trouble, said: str
) -> None:
    server.default = lambda _request: trouble
    found = await probe(settings())
    assert not found.ready
    assert said in found.problems[0]
    assert MODEL in found.problems[0]


@pytest.mark.parametrize(
    ("part", "said"),
    [("tools", "takes no tools"), ("system", "no list of system"), ("metadata", "metadata")],
)
async def test_the_part_that_a_server_refuses_is_named(
    server: MessagesServer, settings: MakeSettings, part: str, said: str
) -> None:
    server.default = refusing(part)
    found = await probe(settings())
    assert [said in problem for problem in found.problems] == [True]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (words, "switch tool calls on in the server"),
        (calls_when_forced, "only when forced"),
        (thinks, "no tool call within 2048 tokens"),
    ],
)
async def test_a_model_that_takes_tools_but_calls_none_is_found_out(
    server: MessagesServer, settings: MakeSettings, rule: Rule, said: str
) -> None:
    server.default = rule
    found = await probe(settings())
    assert [said in problem for problem in found.problems] == [True]
    assert found.asked == (MODEL,)


@pytest.mark.parametrize(("model", "said"), [("local", "hold none"), (MODEL, "other than claude-")])
async def test_a_strict_server_will_do_for_models_that_are_not_anthropics(
    server: MessagesServer, settings: MakeSettings, model: str, said: str
) -> None:
    server.default = strict(calls)
    found = await probe(settings(models=dict.fromkeys(Role, model)))
    (note,) = [check for check in found.checks if check.state is State.NOTE]
    assert note.subject.endswith("further fields")
    assert said in note.detail
    assert found.ready


async def test_names_that_only_the_cli_knows_are_not_asked(
    server: MessagesServer, settings: MakeSettings
) -> None:
    found = await probe(settings(models={Role.ANALYST: "opus", Role.JUDGE: "opus"}))
    assert (found.ready, found.asked, server.requests) == (True, (), [])
    assert states(found) == {server.url: State.OK, "model opus": State.NOTE}


async def test_without_a_question_it_is_enough_that_the_server_answers(
    server: MessagesServer, settings: MakeSettings
) -> None:
    found = await probe(settings(), ask=False)
    assert found.ready
    assert (found.asked, server.requests) == ((), [])


@pytest.mark.parametrize("ask", [True, False])
async def test_a_server_that_is_not_there_is_named(settings: MakeSettings, ask: bool) -> None:
    found = await probe(settings(base_url="http://127.0.0.1:9"), ask=ask)
    assert found.problems[0].startswith("http://127.0.0.1:9")


@pytest.mark.parametrize(
    ("script", "said"), [(None, "does not start"), ("echo no >&2; exit 2", "ends with code 2: no")]
)
async def test_a_cli_that_does_not_run_is_named(
    settings: MakeSettings, tmp_path: Path, script: str | None, said: str
) -> None:
    cli = tmp_path / "cli"
    if script:
        cli.write_text(f"#!/bin/sh\n{script}\n")
        cli.chmod(0o755)
    found = await probe(settings(cli_path=cli), ask=False)
    assert [said in problem for problem in found.problems] == [True]


async def test_a_token_is_sent_as_a_token(server: MessagesServer, settings: MakeSettings) -> None:
    server.default = calls
    await probe(settings(credential=Credential(CredentialKind.AUTH_TOKEN, "dummy")))
    for request in server.requests:
        assert request.headers["authorization"] == "Bearer dummy"
        assert "x-api-key" not in request.headers
    server.requests.clear()
