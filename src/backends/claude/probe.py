"""Whether the backend could run here, for `foureyes doctor`."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import anyio
import httpx2

from ...base.registry import first_line
from .launcher import bundled_cli
from .settings import ANTHROPIC_URL, KEPT_VARIABLES, ClaudeSettings, CredentialKind

VERSION_TIMEOUT_S = 20.0
HTTP_TIMEOUT_S = 20.0
NEEDED_EVENTS = (
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
)
"""The events of a streamed answer that the CLI cannot do without."""


@dataclass(frozen=True, slots=True)
class BackendProbe:
    """What was found. `problems` keep the backend from running, one line each.

    `asked` lists the models that answered a request; it is empty if none was sent.
    """

    cli: str
    cli_version: str
    base_url: str
    asked: tuple[str, ...]
    problems: tuple[str, ...]

    @property
    def ready(self) -> bool:
        """Whether nothing is missing."""
        return not self.problems


async def probe(settings: ClaudeSettings, *, ask: bool | None = None) -> BackendProbe:
    """Try the CLI and the server.

    A server is asked a question (a few tokens for each model) or only has to answer at all. `ask`
    says which; None asks all but Anthropic's own, where a question costs money.
    """
    if ask is None:
        ask = settings.base_url.rstrip("/") != ANTHROPIC_URL
    cli, version, problems = await _probe_cli(settings)
    asked: list[str] = []
    async with httpx2.AsyncClient(timeout=HTTP_TIMEOUT_S) as client:
        if ask:
            for model in sorted(set(settings.models.values())):
                found = await _probe_model(client, settings, model)
                problems += [f"{settings.base_url}, model {model}: {text}" for text in found]
                asked += [] if found else [model]
        else:
            problems += await _probe_address(client, settings.base_url)
    return BackendProbe(str(cli), version, settings.base_url, tuple(asked), tuple(problems))


async def _probe_cli(settings: ClaudeSettings) -> tuple[Path, str, list[str]]:
    cli = settings.cli_path or bundled_cli()
    try:
        with anyio.fail_after(VERSION_TIMEOUT_S):
            kept = {name: value for name, value in os.environ.items() if name in KEPT_VARIABLES}
            done = await anyio.run_process([str(cli), "--version"], check=False, env=kept)
    except (OSError, TimeoutError) as error:
        return cli, "", [f"the CLI {str(cli)!r} does not start: {first_line(str(error))}"]
    version = first_line(done.stdout.decode("utf-8", "replace"))
    if done.returncode != 0:
        words = first_line(done.stderr.decode("utf-8", "replace"))
        return cli, "", [f"the CLI {str(cli)!r} ends with code {done.returncode}: {words}"]
    return cli, version, []


async def _probe_address(client: httpx2.AsyncClient, url: str) -> list[str]:
    try:
        await client.head(url)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        return [f"{url} does not answer: {first_line(str(error)) or type(error).__name__}"]
    return []


async def _probe_model(
    client: httpx2.AsyncClient, settings: ClaudeSettings, model: str
) -> list[str]:
    """What is wrong with the streamed answer to one small request."""
    url = f"{settings.base_url.rstrip('/')}/v1/messages?beta=true"
    try:
        async with client.stream(
            "POST", url, headers=_headers(settings), json=_question(model)
        ) as response:
            text = (await response.aread()).decode("utf-8", "replace")
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        return [f"no answer: {first_line(str(error)) or type(error).__name__}"]
    if response.status_code != 200:
        return [_refusal(response.status_code, text)]
    if "event-stream" not in response.headers.get("content-type", ""):
        return ["the answer is not streamed: the server must send server-sent events"]
    return _missing_events(text)


def _refusal(status: int, text: str) -> str:
    reasons = {
        401: "the key is refused",
        403: "the key may not use it",
        404: "no such model, or no Anthropic Messages API at this address",
    }
    return f"{reasons.get(status, 'the request is refused')} (HTTP {status}: {first_line(text)})"


def _missing_events(text: str) -> list[str]:
    lines = text.splitlines()
    events = {line.removeprefix("event:").strip() for line in lines if line.startswith("event:")}
    if not events:
        return ["the stream has no 'event:' lines"]
    missing = [name for name in NEEDED_EVENTS if name not in events]
    return [f"the stream lacks the events {', '.join(missing)}"] if missing else []


def _headers(settings: ClaudeSettings) -> dict[str, str]:
    key = settings.credential
    if key.kind is CredentialKind.API_KEY:
        own = {"x-api-key": key.value}
    else:
        own = {"authorization": f"Bearer {key.value}"}
    return {"anthropic-version": "2023-06-01", **settings.headers, **own}


def _question(model: str) -> dict[str, object]:
    """A request with a tool, because a server that takes no tools is of no use."""
    schema = {"type": "object", "properties": {"file_path": {"type": "string"}}}
    return {
        "model": model,
        "max_tokens": 16,
        "stream": True,
        "tools": [{"name": "Read", "description": "Reads a file.", "input_schema": schema}],
        "messages": [{"role": "user", "content": "Say yes."}],
    }
