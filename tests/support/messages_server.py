"""A loopback server that speaks the part of the Anthropic Messages API that the CLI uses.

It answers by rule: a rule is a pure function of one request, which carries the whole conversation,
so that a request sent twice gets the same answer. Turns are told apart by the header
``x-foureyes-turn``. Every failure a real server can show is available as a `Trouble`.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, TypeAlias

from support.thread_server import NO_HEADERS, Handler, ThreadServer

TURN_HEADER = "x-foureyes-turn"
STALL_S = 60.0
"""How long a stalled answer holds its connection, unless the server is closed first."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call the model makes."""

    name: str
    input: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of the model; without calls it ends the turn."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    delay_s: float = 0.0
    stop_reason: str | None = None


class Fault(StrEnum):
    """How an answer can go wrong."""

    STATUS = "status"
    SLOW_HEADERS = "slow headers"
    STALLED_STREAM = "stalled stream"
    CUT_STREAM = "cut stream"
    GARBLED_STREAM = "garbled stream"
    NO_EVENT_LINES = "no event lines"
    HTML = "html"
    REFUSED = "connection refused"
    REDIRECT = "redirect"
    FLOOD = "flood"


NONSENSE: Mapping[Fault, bytes] = {
    Fault.NO_EVENT_LINES: b'data: {"type": "message_stop"}\n\n',
    Fault.GARBLED_STREAM: b"event: message_start\ndata: {\x00\xff not json\n\n",
}


@dataclass(frozen=True, slots=True)
class Trouble:
    """A failure on demand. `status` and `retry_after_s` are used by `Fault.STATUS`.

    `location` is where `Fault.REDIRECT` leads; `Fault.FLOOD` streams text until nobody listens.

    `Fault.REFUSED` stops the whole server, until it is told to `listen` again.
    """

    fault: Fault
    status: int = 500
    retry_after_s: int | None = None
    location: str = ""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A tool call of the conversation with its result."""

    call: ToolCall
    result: str
    is_error: bool


@dataclass
class Request:
    """One recorded request; times are `time.monotonic()` seconds."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    size_bytes: int
    started: float
    ended: float = 0.0

    @property
    def turn(self) -> str:
        return self.headers.get(TURN_HEADER, "")

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @property
    def tools(self) -> tuple[str, ...]:
        return tuple(tool["name"] for tool in self.body.get("tools", []))

    @property
    def messages(self) -> list[Mapping[str, Any]]:
        return self.body.get("messages", [])

    @property
    def system(self) -> str:
        return _text_of(self.body.get("system", ""))

    @cached_property
    def prompt(self) -> str:
        """The texts of the user, without tool results."""
        return "\n".join(_text_of(m["content"]) for m in self.messages if m["role"] == "user")

    @property
    def step(self) -> int:
        """How many answers the conversation already holds."""
        return sum(message["role"] == "assistant" for message in self.messages)

    @cached_property
    def exchanges(self) -> tuple[Exchange, ...]:
        """The finished tool calls, in order."""
        calls: dict[str, ToolCall] = {}
        found: list[Exchange] = []
        for block in self._blocks():
            if block["type"] == "tool_use":
                calls[block["id"]] = ToolCall(block["name"], block["input"])
            elif block["type"] == "tool_result":
                call = calls[block["tool_use_id"]]
                text = _text_of(block.get("content", ""))
                found.append(Exchange(call, text, bool(block.get("is_error"))))
        return tuple(found)

    def _blocks(self) -> Iterator[Mapping[str, Any]]:
        for message in self.messages:
            if not isinstance(message["content"], str):
                yield from message["content"]


def _text_of(content: str | list[Mapping[str, Any]]) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(block["text"] for block in content if block["type"] == "text")


Answer: TypeAlias = Reply | Trouble
Rule: TypeAlias = Callable[[Request], Answer]


def done(_request: Request) -> Reply:
    """A model that does nothing."""
    return Reply("Done.")


def scripted(*answers: Answer) -> Rule:
    """The n-th answer for a conversation of n answers so far; then the turn ends."""

    def rule(request: Request) -> Answer:
        return answers[request.step] if request.step < len(answers) else Reply("Done.")

    return rule


def failing_first(times: int, trouble: Trouble, then: Rule) -> Rule:
    """`trouble` for the first `times` requests, whatever they hold; then `then`."""
    left = [times]
    lock = threading.Lock()

    def rule(request: Request) -> Answer:
        with lock:
            left[0] -= 1
            fails = left[0] >= 0
        return trouble if fails else then(request)

    return rule


class MessagesServer(ThreadServer):
    """The server; `rules` maps a turn's name, or its part before the first ``#``, to its rule."""

    def __init__(self, default: Rule = done) -> None:
        super().__init__()
        self.rules: dict[str, Rule] = {}
        self.default: Rule = default
        self.requests: list[Request] = []

    def reset(self) -> None:
        """Forget the rules and the recorded requests, and listen."""
        self.listen()
        self.rules.clear()
        self.requests.clear()
        self.default = done

    def of(self, turn: str) -> list[Request]:
        """The recorded message requests of one turn, in order of arrival."""
        return [request for request in self.requests if request.turn == turn]

    def rule_for(self, turn: str) -> Rule:
        return self.rules.get(turn) or self.rules.get(turn.partition("#")[0]) or self.default


class _Handler(Handler):
    owner: MessagesServer

    def do_HEAD(self) -> None:
        self.send(200, "text/plain", b"")

    def do_POST(self) -> None:
        data = self.received()
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.path, headers, json.loads(data), len(data), time.monotonic())
        if self.path.startswith("/v1/messages/count_tokens"):
            self._json(200, {"input_tokens": tokens(len(data))})
        elif self.path.startswith("/v1/messages"):
            self.owner.requests.append(request)
            try:
                self._answer(request, self.owner.rule_for(request.turn)(request))
            except ConnectionError:
                self.close_connection = True
            finally:
                request.ended = time.monotonic()
        else:
            self._json(404, _error(404))

    def _answer(self, request: Request, answer: Answer) -> None:
        if isinstance(answer, Trouble):
            self._fail(request, answer)
            return
        if answer.delay_s:
            self.owner.closing.wait(answer.delay_s)
        if request.body.get("stream"):
            self._start_stream()
            for name, event in _events(request, answer):
                self._event(name, event)
            self._chunk(b"")
        else:
            self._json(200, _message(request, answer))

    def _flood(self, opening: list[tuple[str, dict[str, Any]]]) -> None:
        self._start_stream()
        for name, event in opening:
            self._event(name, event)
        delta = {"type": "text_delta", "text": "flood " * 10_000}
        while not self.owner.closing.is_set():
            self._event("content_block_delta", {"index": 0, "delta": delta})

    def _fail(self, request: Request, trouble: Trouble) -> None:  # noqa: C901 - one case each
        opening = list(_events(request, Reply("I will look at the file now.")))[:3]
        match trouble.fault:
            case Fault.STATUS:
                wait = trouble.retry_after_s
                headers = {} if wait is None else {"retry-after": str(wait)}
                self._json(trouble.status, _error(trouble.status), headers)
                return
            case Fault.REFUSED:
                self.owner.hang_up()
            case Fault.HTML:
                self.send(200, "text/html", b"<html><body>Sign in</body></html>")
                return
            case Fault.REDIRECT:
                self.send(trouble.status, "text/plain", b"", {"location": trouble.location})
                return
            case Fault.FLOOD:
                self._flood(opening[:2])
            case Fault.SLOW_HEADERS:
                self._stall()
            case Fault.STALLED_STREAM:
                self._start_stream()
                for name, event in opening:
                    self._event(name, event)
                self._stall()
            case Fault.CUT_STREAM:
                self._start_stream()
                for name, event in opening:
                    self._event(name, event)
            case Fault.NO_EVENT_LINES | Fault.GARBLED_STREAM:
                self._start_stream()
                self._chunk(NONSENSE[trouble.fault])
                self._chunk(b"")
        self.close_connection = True

    def _stall(self) -> None:
        """Wait until the server closes or the client hangs up."""
        deadline = time.monotonic() + STALL_S
        self.connection.settimeout(0.1)
        while time.monotonic() < deadline and not self.owner.closing.is_set():
            try:
                if not self.connection.recv(1):
                    return
            except TimeoutError:
                continue

    def _start_stream(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()

    def _event(self, name: str, event: Mapping[str, Any]) -> None:
        self._chunk(f"event: {name}\ndata: {json.dumps({'type': name, **event})}\n\n".encode())

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.flush()

    def _json(
        self, status: int, value: Mapping[str, Any], headers: Mapping[str, str] = NO_HEADERS
    ) -> None:
        self.send(status, "application/json", json.dumps(value).encode(), headers)


MessagesServer.handler = _Handler


def tokens(size_bytes: int) -> int:
    """An estimate on the high side: one token for three bytes."""
    return -(-size_bytes // 3)


def _error(status: int) -> Mapping[str, Any]:
    names = {401: "authentication_error", 403: "permission_error", 404: "not_found_error"}
    names |= {400: "invalid_request_error", 429: "rate_limit_error", 529: "overloaded_error"}
    kind = names.get(status, "api_error")
    return {"type": "error", "error": {"type": kind, "message": f"on demand: {status}"}}


def _content(request: Request, reply: Reply) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = []
    if reply.text:
        blocks.append({"type": "text", "text": reply.text})
    for number, call in enumerate(reply.calls):
        # The id must differ between turns and steps, and be equal when a request is repeated.
        call_id = f"toolu_{request.step:03d}_{number:02d}"
        blocks.append(
            {"type": "tool_use", "id": call_id, "name": call.name, "input": dict(call.input)}
        )
    return blocks


def _message(request: Request, reply: Reply) -> dict[str, Any]:
    content = _content(request, reply)
    return {
        "id": f"msg_{abs(hash((request.turn, request.step))):020d}",
        "type": "message",
        "role": "assistant",
        "model": request.model,
        "content": content,
        "stop_reason": reply.stop_reason or ("tool_use" if reply.calls else "end_turn"),
        "stop_sequence": None,
        "usage": {
            "input_tokens": tokens(request.size_bytes),
            "output_tokens": tokens(len(json.dumps(content))),
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
        },
    }


def _events(request: Request, reply: Reply) -> Iterator[tuple[str, dict[str, Any]]]:
    message = _message(request, reply)
    usage = message["usage"]
    start: dict[str, Any] = {
        **message,
        "content": [],
        "stop_reason": None,
        "usage": {**usage, "output_tokens": 1},
    }
    yield "message_start", {"message": start}
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            empty: dict[str, Any] = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": block["text"]}
        else:
            empty = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield "content_block_start", {"index": index, "content_block": empty}
        yield "content_block_delta", {"index": index, "delta": delta}
        yield "content_block_stop", {"index": index}
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield "message_delta", {"delta": ending, "usage": {"output_tokens": usage["output_tokens"]}}
    yield "message_stop", {}
