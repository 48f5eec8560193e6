"""What `foureyes doctor` is told about the backend."""

from __future__ import annotations

from pathlib import Path

import pytest
from foureyes.backends.claude import Credential, CredentialKind
from foureyes.backends.claude.probe import probe
from foureyes.core.types import Error
from support.claude_turn import MODEL, MakeSettings, Play, Tripwire, fills, unsafe
from support.messages_server import Fault, MessagesServer, Trouble

pytestmark = pytest.mark.cli


async def test_a_working_installation_is_ready(
    server: MessagesServer, settings: MakeSettings
) -> None:
    found = await probe(settings())
    assert found.ready
    assert found.asked == (MODEL,)
    assert found.cli_version[0].isdigit()
    assert found.base_url == server.url
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        (Trouble(Fault.STATUS, 401), "the key is refused (HTTP 401"),
        (Trouble(Fault.STATUS, 404), "no Anthropic Messages API at this address"),
        (Trouble(Fault.STATUS, 500), "the request is refused (HTTP 500"),
        (Trouble(Fault.HTML), "not streamed"),
        (Trouble(Fault.CUT_STREAM), "no answer"),
        (Trouble(Fault.GARBLED_STREAM), "lacks the events content_block_start"),
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


async def test_a_stream_without_event_lines_is_named(
    server: MessagesServer, settings: MakeSettings
) -> None:
    server.default = lambda _request: Trouble(Fault.NO_EVENT_LINES)
    found = await probe(settings())
    assert found.problems[0].endswith("the stream has no 'event:' lines")


@pytest.mark.parametrize(
    ("script", "said"), [(None, "does not start"), ("echo no >&2; exit 2", "ends with code 2: no")]
)
async def test_a_cli_that_does_not_run_is_named(
    server: MessagesServer, settings: MakeSettings, tmp_path: Path, script: str | None, said: str
) -> None:
    cli = tmp_path / "cli"
    if script:
        cli.write_text(f"#!/bin/sh\n{script}\n")
        cli.chmod(0o755)
    found = await probe(settings(cli_path=cli))
    assert [said in problem for problem in found.problems] == [True]


async def test_a_token_is_sent_as_a_token(server: MessagesServer, settings: MakeSettings) -> None:
    await probe(settings(credential=Credential(CredentialKind.AUTH_TOKEN, "dummy")))
    headers = server.requests.pop().headers
    assert headers["authorization"] == "Bearer dummy"
    assert "x-api-key" not in headers


@pytest.mark.parametrize(
    ("environ", "found"),
    [
        ({"ANTHROPIC_API_KEY": "sk"}, ["ANTHROPIC_API_KEY"]),
        ({"MY_OAUTH_SECRET": "x", "PATH": "/bin"}, ["MY_OAUTH_SECRET"]),
        ({"CLAUDE_CODE_USE_BEDROCK": "1"}, ["CLAUDE_CODE_USE_BEDROCK"]),
        ({"HTTPS_PROXY": "http://proxy:1"}, ["HTTPS_PROXY"]),
        ({"HTTPS_PROXY": "http://127.0.0.1:1", "OPENAI_API_KEY": ""}, []),
    ],
)
def test_the_guard_knows_what_could_pay_for_a_model(
    environ: dict[str, str], found: list[str]
) -> None:
    assert unsafe(environ) == found


def test_no_test_can_point_a_backend_elsewhere(settings: MakeSettings) -> None:
    with pytest.raises(AssertionError):
        settings(base_url="https://models.example")


async def test_what_the_cli_sends_elsewhere_ends_at_the_tripwire(
    server: MessagesServer, play: Play, tripwire: Tripwire, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Without the exception for this machine even the loopback server is "elsewhere".
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "")
    server.default = fills()
    error = await play(retries=0, request_timeout_s=3)
    assert isinstance(error, Error)
    assert server.requests == []
    assert tripwire.calls
    tripwire.calls.clear()
