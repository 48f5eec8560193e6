"""Whether the backend can run here: the CLI, and a model server asked as a session asks it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import anyio
import httpx2
from pydantic import BaseModel, JsonValue, TypeAdapter, ValidationError

from ...base.registry import first_line
from .launcher import bundled_cli
from .settings import (
    ALIASES,
    ANTHROPIC_URL,
    KEPT_VARIABLES,
    ClaudeSettings,
    CredentialKind,
    price_known,
)

NEEDED_EVENTS = (
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
)
"""The events of a streamed answer that the CLI cannot do without."""

VERSION_TIMEOUT_S = 20.0
CONNECT_TIMEOUT_S = 10.0


@dataclass(frozen=True, slots=True)
class Streamed:
    """The contents of a stream. `calls` are the tools called with readable arguments."""

    problem: str = ""
    calls: tuple[str, ...] = ()
    stop_reason: str = ""


class _Block(BaseModel):
    type: str = ""
    name: str = ""
    input: JsonValue = None


class _Delta(BaseModel):
    partial_json: str = ""
    stop_reason: str | None = None


class _Trouble(BaseModel):
    message: str = ""


class _Event(BaseModel):
    type: str = ""
    index: int = 0
    error: _Trouble | None = None
    content_block: _Block = _Block()
    delta: _Delta = _Delta()


def read_stream(text: str) -> Streamed:
    """Read the stream `text`; `problem` names what the CLI would miss in it."""
    names: set[str] = set()
    called: dict[int, _Block] = {}
    arguments: dict[int, str] = {}
    stop_reason = ""
    for name, data in _events(text):
        if name == "error":
            return Streamed(f"the server broke off: {error_message(data)}")
        names.add(name)
        try:
            event = _Event.model_validate_json(data)
        except ValidationError:
            return Streamed("the stream is garbled")
        stop_reason = event.delta.stop_reason or stop_reason
        if event.content_block.type == "tool_use":
            called[event.index] = event.content_block
        if event.delta.partial_json:
            arguments[event.index] = arguments.get(event.index, "") + event.delta.partial_json
    calls = [block.name for index, block in called.items() if _readable(block, arguments, index)]
    return Streamed(_problem(names), tuple(calls), stop_reason)


def error_message(text: str) -> str:
    """The message of an error body in one line, or the whole body if it has another shape."""
    try:
        error = _Event.model_validate_json(text).error
    except ValidationError:
        error = None
    return first_line(error.message if error else text)


def _events(text: str) -> Iterator[tuple[str, str]]:
    name = ""
    # Not splitlines(): a JSON string may hold other line ends than these.
    for line in text.replace("\r", "\n").split("\n"):
        field, _, value = line.partition(":")
        if field == "event":
            name = value.strip()
        elif field == "data" and name:
            yield name, value.strip()
            name = ""


def _problem(names: set[str]) -> str:
    if not names:
        return "the stream has no 'event:' lines"
    missing = [name for name in NEEDED_EVENTS if name not in names]
    return f"the stream lacks the events {', '.join(missing)}" if missing else ""


def _readable(block: _Block, arguments: dict[int, str], index: int) -> bool:
    if index not in arguments:
        return isinstance(block.input, dict)
    try:
        return isinstance(TypeAdapter(JsonValue).validate_json(arguments[index]), dict)
    except ValidationError:
        return False


QUESTION_TIMEOUT_S = 60.0
"""A local server may have to load the model first."""
MODEL_TIMEOUT_S = 150.0
"""Bound of all questions about one model."""
MAX_ANSWER_BYTES = 1_000_000
MAX_TOKENS = 2048
"""Room for a model that thinks before it calls."""
TOOL = "Read"

READ_TOOL: Mapping[str, object] = {
    "name": TOOL,
    "description": "Reads a file.",
    "input_schema": {
        "type": "object",
        "properties": {"file_path": {"type": "string", "description": "The absolute path."}},
        "required": ["file_path"],
    },
}

REASONS = {
    401: "the key is refused: name the variable that holds the right one with --api-key-env",
    403: "the key may not use this model",
    404: "no such model, or no Anthropic Messages API at this address (leave /v1 out)",
    429: "too many requests: wait, or raise the server's limit",
}
"""Meanings of statuses; after any other refused request the parts are tried one by one."""

PARTS: Mapping[str, str] = {
    "tools": "it takes no tools: switch tool calls on in the server, or choose another model",
    "system": "it takes no list of system blocks: a newer version of the server may",
    "metadata": "it refuses the field metadata: a newer version of the server may take it",
}
"""Parts of every request, and what to do where a server refuses one."""


NOT_STREAMED = Streamed("the answer is not streamed: the server must send server-sent events")


class State(StrEnum):
    """Whether a run needs what was looked at, and has it."""

    OK = "ok"
    MISSING = "missing"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at; `detail` is one line, with what to do if it is missing."""

    subject: str
    state: State
    detail: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The response. `status` is 0, and `text` the reason, if there was none."""

    status: int
    kind: str
    text: str

    @property
    def refusal(self) -> str:
        """The server's own words."""
        words = error_message(self.text)
        return f"HTTP {self.status}: {words}" if self.status else words


class Server:
    """A model server, asked with the key and headers of a session."""

    def __init__(self, client: httpx2.AsyncClient, settings: ClaudeSettings) -> None:
        self._client = client
        self._settings = settings
        self.url = settings.base_url.rstrip("/")

    async def messages(self, body: Mapping[str, object]) -> Answer:
        """Ask a question."""
        data = bytearray()
        url = f"{self.url}/v1/messages?beta=true"
        try:
            async with self._client.stream(
                "POST", url, headers=self._headers(), json=dict(body)
            ) as response:
                async for chunk in response.aiter_bytes():
                    data += chunk
                    if len(data) > MAX_ANSWER_BYTES:
                        break
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            return Answer(0, "", first_line(str(error)) or type(error).__name__)
        kind = response.headers.get("content-type", "")
        return Answer(response.status_code, kind, data.decode("utf-8", "replace"))

    def _headers(self) -> dict[str, str]:
        key = self._settings.credential
        if key.kind is CredentialKind.API_KEY:
            own = {"x-api-key": key.value}
        else:
            own = {"authorization": f"Bearer {key.value}"}
        return {
            "anthropic-version": "2023-06-01",
            "anthropic-beta": "claude-code-20250219",
            **self._settings.headers,
            **own,
        }


async def check_model(server: Server, model: str) -> tuple[Check, ...]:
    """Look at everything a session needs of `model`, in at most `MODEL_TIMEOUT_S`."""
    found: list[Check] = []
    try:
        with anyio.fail_after(MODEL_TIMEOUT_S):
            await _examine(server, model, found)
    except TimeoutError:
        detail = f"no end after {MODEL_TIMEOUT_S:g} s: load the model first, or choose a faster one"
        found.append(Check(_subject(server, model), State.MISSING, detail))
    return tuple(found)


async def _examine(server: Server, model: str, found: list[Check]) -> None:
    """Add to `found` one check after the other, so that what was seen outlives a time-out."""
    subject = _subject(server, model)
    question = ask_to_read(model)
    answer = await server.messages(question)
    if answer.status != 200:
        found.append(Check(subject, State.MISSING, await _why_refused(server, question, answer)))
        return
    detail = "answers; it takes the key, the model's name and a list of system blocks"
    found.append(Check(subject, State.OK, detail))
    streamed = read_stream(answer.text) if "event-stream" in answer.kind else NOT_STREAMED
    if streamed.problem:
        found.append(Check(f"{subject}: stream", State.MISSING, streamed.problem))
        return
    found.append(Check(f"{subject}: stream", State.OK, "server-sent events with their names"))
    found.append(await _check_tool_use(server, question, streamed, f"{subject}: tool use"))
    found.append(await _check_further_fields(server, model, f"{subject}: further fields"))


def _subject(server: Server, model: str) -> str:
    return f"{server.url}, model {model}"


def ask_to_read(model: str) -> dict[str, object]:
    """A question that only a tool call answers, built like a session's requests."""
    return {
        "model": model,
        "max_tokens": MAX_TOKENS,
        "stream": True,
        "system": _texts("You answer questions about files.", "Read a file before you answer."),
        "metadata": {"user_id": "foureyes-doctor"},
        "tools": [READ_TOOL],
        "messages": [
            {"role": "user", "content": _texts(f"Read /report.md with the tool {TOOL}, now.")}
        ],
    }


def _texts(*texts: str) -> Sequence[Mapping[str, str]]:
    return [{"type": "text", "text": text} for text in texts]


async def _why_refused(server: Server, question: Mapping[str, object], answer: Answer) -> str:
    if not answer.status:
        return f"no answer ({answer.refusal}): start the server, or correct --base-url"
    reason = REASONS.get(answer.status)
    if reason is None:
        for part, advice in PARTS.items():
            leaner = {name: value for name, value in question.items() if name != part}
            if (await server.messages({**leaner, "max_tokens": 1})).status == 200:
                reason = advice
                break
    return f"{reason or 'the request is refused'} ({answer.refusal})"


async def _check_tool_use(
    server: Server, question: Mapping[str, object], streamed: Streamed, subject: str
) -> Check:
    if TOOL in streamed.calls:
        return Check(subject, State.OK, "the model called the tool it was asked to call")
    if streamed.stop_reason == "max_tokens":
        detail = f"no tool call within {MAX_TOKENS} tokens: choose a model that thinks less"
        return Check(subject, State.MISSING, detail)
    forced = await server.messages({**question, "tool_choice": {"type": "any"}})
    if forced.status == 200 and TOOL in read_stream(forced.text).calls:
        detail = "the model calls a tool only when forced: choose one trained for tool calls"
    else:
        detail = (
            "asked to call a tool, the model answered in words: switch tool calls on in the server "
            "(docs/model-servers.md), or choose a model trained for them"
        )
    return Check(subject, State.MISSING, detail)


async def _check_further_fields(server: Server, model: str, subject: str) -> Check:
    """Try what sessions send to Anthropic's own models only."""
    question = ask_to_read(model)
    further = {
        "thinking": {"type": "adaptive"},
        "output_config": {"effort": "low"},
        "messages": [
            {"role": "user", "content": _texts("Say yes.")},
            {"role": "system", "content": "The user is in a hurry."},
        ],
    }
    answer = await server.messages({**question, **further, "max_tokens": 64})
    if answer.status == 200:
        return Check(subject, State.OK, "what only Anthropic's own models know is accepted")
    if price_known(model):
        detail = "are refused: if it is not Anthropic's, let the server name it other than claude-…"
        return Check(subject, State.NOTE, f"{detail} ({answer.refusal})")
    return Check(subject, State.NOTE, "are refused; requests for this model hold none")


@dataclass(frozen=True, slots=True)
class BackendProbe:
    """The result of a probe.

    `asked` lists the models that answered a question; it is empty if none was put.
    """

    cli: str
    cli_version: str
    base_url: str
    asked: tuple[str, ...]
    checks: tuple[Check, ...]

    @property
    def problems(self) -> tuple[str, ...]:
        """The reasons why the backend cannot run, one line each."""
        missing = (check for check in self.checks if check.state is State.MISSING)
        return tuple(f"{check.subject}: {check.detail}" for check in missing)

    @property
    def ready(self) -> bool:
        """Whether nothing is missing."""
        return not self.problems


async def probe(settings: ClaudeSettings, *, ask: bool | None = None) -> BackendProbe:
    """Try the CLI and the server.

    A server is asked questions (some hundred tokens for each model) or only has to answer at all.
    `ask` says which; None asks all but Anthropic's own, where questions cost money.
    """
    if ask is None:
        ask = settings.base_url.rstrip("/") != ANTHROPIC_URL
    cli = settings.cli_path or bundled_cli()
    version, problem = await _cli_version(str(cli))
    checks = [Check("the CLI", State.MISSING, problem)] if problem else []
    models = set(settings.models.values()) if ask else set[str]()
    asked: list[str] = []
    timeout = httpx2.Timeout(QUESTION_TIMEOUT_S, connect=CONNECT_TIMEOUT_S)
    async with httpx2.AsyncClient(timeout=timeout) as client:
        for model in sorted(models - ALIASES):
            found = await check_model(Server(client, settings), model)
            checks += found
            asked += [] if found[0].state is State.MISSING else [model]
        if not models - ALIASES:
            checks.append(await _check_address(client, settings.base_url))
    for model in sorted(models & ALIASES):
        detail = "not asked: only the CLI knows what it stands for; name a model with --model"
        checks.append(Check(f"model {model}", State.NOTE, detail))
    return BackendProbe(str(cli), version, settings.base_url, tuple(asked), tuple(checks))


async def _cli_version(cli: str) -> tuple[str, str]:
    """The version, and why there is none."""
    kept = {name: value for name, value in os.environ.items() if name in KEPT_VARIABLES}
    try:
        # Without a home of its own the CLI would look into the user's.
        with tempfile.TemporaryDirectory() as home, anyio.fail_after(VERSION_TIMEOUT_S):
            command = [cli, "--version"]
            done = await anyio.run_process(command, check=False, env={**kept, "HOME": home})
    except (OSError, TimeoutError) as error:
        return "", f"{cli!r} does not start: {first_line(str(error))}"
    if done.returncode != 0:
        words = first_line(done.stderr.decode("utf-8", "replace"))
        return "", f"{cli!r} ends with code {done.returncode}: {words}"
    return first_line(done.stdout.decode("utf-8", "replace")), ""


async def _check_address(client: httpx2.AsyncClient, url: str) -> Check:
    try:
        await client.head(url)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        reason = first_line(str(error)) or type(error).__name__
        return Check(url, State.MISSING, f"no answer ({reason}): check the network and the address")
    return Check(url, State.OK, "answers; no question was put")
