"""What `foureyes doctor` is told about the backend."""

from __future__ import annotations

from pathlib import Path

import pytest
from foureyes import Credential, CredentialKind, Role
from foureyes.backends.claude.endpoint import Answer, Check, State, probe
from foureyes.core.forms import form_of
from integration.claude.strict_requests import strict
from support.claude_turn import MODEL, MakeSettings, fills_probe
from support.messages_server import Fault, MessagesServer, Reply, Request, Trouble

pytestmark = pytest.mark.cli

SLOT = form_of(Answer).template.text.split('"')[3]


def words(_request: Request) -> Reply:
    """A model that answers in words."""
    return Reply("It is a report.")


def problems(found: tuple[Check, ...]) -> list[str]:
    """Why the backend cannot run."""
    missing = (check for check in found if check.state is State.MISSING)
    return [f"{check.subject}: {check.detail}" for check in missing]


async def test_a_model_that_fills_a_form_is_ready(
    server: MessagesServer, settings: MakeSettings
) -> None:
    server.default = fills_probe
    (found,) = await probe(settings())
    assert found.state is State.OK
    assert found.subject == f"{server.url}, model {MODEL}"


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        (Trouble(Fault.STATUS, 400), "on demand: 400"),
        (Trouble(Fault.STATUS, 401), "right key with --api-key-env"),
        (Trouble(Fault.STATUS, 404), "correct --model, or --base-url"),
        pytest.param(Trouble(Fault.STATUS, 500), "on demand: 500", marks=pytest.mark.soak),
        pytest.param(Trouble(Fault.HTML), "may not stream", marks=pytest.mark.soak),
        (Trouble(Fault.CUT_STREAM), "lost"),
        (Trouble(Fault.GARBLED_STREAM), "Parse error"),
        (Trouble(Fault.NO_EVENT_LINES), "may not stream"),
    ],
    ids=str,
)
async def test_what_a_server_lacks_is_named(
    server: MessagesServer, settings: MakeSettings, trouble: Trouble, said: str
) -> None:
    server.default = lambda _request: trouble
    (problem,) = problems(await probe(settings()))
    assert said in problem
    assert MODEL in problem
    assert "\n" not in problem


async def test_a_model_that_calls_no_tool_is_found_out(
    server: MessagesServer, settings: MakeSettings
) -> None:
    server.default = words
    (problem,) = problems(await probe(settings()))
    assert "switch tool calls on in the server" in problem


async def test_a_strict_server_will_do_for_a_model_that_is_not_anthropics(
    server: MessagesServer, settings: MakeSettings
) -> None:
    server.default = strict(fills_probe)
    assert problems(await probe(settings(models=dict.fromkeys(Role, "local")))) == []


async def test_without_a_question_it_is_enough_that_the_server_answers(
    server: MessagesServer, settings: MakeSettings
) -> None:
    (found,) = await probe(settings(), ask=False)
    assert (found.subject, found.state) == (server.url, State.OK)
    assert server.requests == []


@pytest.mark.parametrize("ask", [True, False])
async def test_a_server_that_is_not_there_is_named(settings: MakeSettings, ask: bool) -> None:
    (problem,) = problems(await probe(settings(base_url="http://127.0.0.1:9"), ask=ask))
    assert problem.startswith("http://127.0.0.1:9: no answer")


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
    assert [said in problem for problem in problems(found)] == [True]


async def test_a_token_is_sent_as_a_token(server: MessagesServer, settings: MakeSettings) -> None:
    server.default = fills_probe
    await probe(settings(credential=Credential(CredentialKind.AUTH_TOKEN, "dummy")))
    for request in server.requests:
        assert request.headers["authorization"] == "Bearer dummy"
        assert "x-api-key" not in request.headers
    server.requests.clear()
