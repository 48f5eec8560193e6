"""Agents, the requests to their models and their tool calls."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..tasks import Error, FailureKind, Turn, TurnUsage
from .spans import (
    CANCELLED,
    FAILED,
    REFUSED,
    Attributes,
    Value,
    bounded,
    instruments,
    mark_failed,
    open_span,
    start_span,
    use_span,
)

if TYPE_CHECKING:
    from opentelemetry.trace import Span

PROVIDERS = {"claude": "anthropic", "offline": "foureyes", "replay": "foureyes"}
"""`gen_ai.provider.name` by backend; another backend's is its own name."""


class Invocation:
    """One session of a backend. `model` is who is asked, "" as long as the backend does not say."""

    def __init__(self, span: Span | None, named: Attributes, *, paid: bool) -> None:
        self._span = span
        self._named = named
        self._paid = paid
        self._started = time.perf_counter()
        self.model = ""

    @property
    def named(self) -> Attributes:
        """The attributes that an invocation shares with its requests."""
        return bounded(
            {
                "gen_ai.provider.name": self._named["gen_ai.provider.name"],
                "gen_ai.request.model": self.model,
            }
        )

    def set_model(self, model: str) -> None:
        """Set the model that is asked."""
        self.model = model
        if self._span is not None:
            self._span.set_attributes(bounded({"gen_ai.request.model": model}))

    def end(self, outcome: Turn | Error) -> None:
        """Record how the session ended and what it used."""
        failure = outcome.kind.value if isinstance(outcome, Error) else ""
        model = outcome.model if isinstance(outcome, Turn) else ""
        self.record_usage(outcome.usage, failure, model)

    def record_usage(self, usage: TurnUsage, failure: str = "", model: str = "") -> None:
        """Record what the session used; `failure` is its `error.type`, `model` who answered."""
        answered = {"gen_ai.response.model": model}
        if self._span is not None:
            self._span.set_attributes(bounded({**answered, **_usage(usage)}))
            if failure:
                mark_failed(self._span, failure)
        measured = instruments()
        # The tokens and the dollars of a replay were spent by the run that it replays.
        if measured is None or not self._paid:
            return
        common = bounded(
            {
                **self.named,
                **answered,
                "gen_ai.operation.name": "invoke_agent",
                "gen_ai.agent.name": self._named["gen_ai.agent.name"],
            }
        )
        seconds = time.perf_counter() - self._started
        measured.operations.record(seconds, bounded({**common, "error.type": failure}))
        for kind, count in (("input", usage.tokens_in), ("output", usage.output_tokens)):
            if count:
                measured.tokens.record(count, {**common, "gen_ai.token.type": kind})
        if usage.cost_usd:
            measured.cost.add(float(usage.cost_usd), common)


_INVOCATION: ContextVar[Invocation | None] = ContextVar("foureyes_invocation", default=None)


def _usage(usage: TurnUsage) -> Attributes:
    """Usage as attributes; a backend without a model has no tokens, and no cost is no zero."""
    attributes: dict[str, Value] = {"foureyes.tool_calls": usage.tool_calls}
    if usage.requests:
        attributes |= {**_input_attributes(usage), "foureyes.requests": usage.requests}
        attributes["gen_ai.usage.output_tokens"] = usage.output_tokens
    if usage.cost_usd is not None:
        attributes["foureyes.cost"] = float(usage.cost_usd)
    return attributes


def _input_attributes(usage: TurnUsage) -> dict[str, Value]:
    return {
        "gen_ai.usage.input_tokens": usage.tokens_in,
        "gen_ai.usage.cache_read.input_tokens": usage.cache_read_tokens,
        "gen_ai.usage.cache_creation.input_tokens": usage.cache_write_tokens,
    }


@contextmanager
def invoke_agent(agent: str, iteration: int, task: str, backend: str) -> Generator[Invocation]:
    """One session of `backend` for the task `task` (``2/fact_checker/batch-03``)."""
    named: dict[str, Value] = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": agent,
        "gen_ai.provider.name": PROVIDERS.get(backend, backend),
        "foureyes.backend": backend,
        "foureyes.iteration": iteration,
        "foureyes.task": task,
        "foureyes.batch": task.partition("/batch-")[2],
    }
    with open_span(f"invoke_agent {agent}", named) as span:
        invocation = Invocation(span, named, paid=backend != "replay")
        token = _INVOCATION.set(invocation)
        try:
            yield invocation
        finally:
            _INVOCATION.reset(token)


@dataclass(slots=True)
class _Request:
    """A request with its answer, which may still grow; times are ns."""

    id: str
    span: Span | None
    named: Attributes
    requested: int
    responded: int


@dataclass(slots=True)
class _Call:
    """A tool call without a result."""

    tool: str
    span: Span | None
    refused: bool = False
    taken: bool = False


class Conversation:
    """The requests and the tool calls within one session, as a backend reports them.

    Args:
        model: Who is asked.
    """

    def __init__(self, model: str) -> None:
        self._model = model
        self._requested: int | None = None
        self._request: _Request | None = None
        self._calls: dict[str, _Call] = {}
        invocation = _INVOCATION.get()
        if invocation is not None:
            invocation.set_model(model)
        self._named: Attributes = {
            **(invocation.named if invocation is not None else {}),
            "gen_ai.operation.name": "chat",
        }

    def start_request(self) -> None:
        """The model is asked, or was given the result of a tool."""
        self._requested = time.time_ns()

    def record_response(self, answer: str, model: str, usage: TurnUsage) -> None:
        """The answer with the id `answer` has come, or another part of it.

        Of `usage` only the input is final when an answer begins.
        """
        now = time.time_ns()
        if self._request is not None and self._request.id == answer:
            self._request.responded = now
            return
        self._end_request()
        requested = now if self._requested is None else self._requested
        named = bounded({**self._named, "gen_ai.response.model": model})
        opened = {**named, "gen_ai.response.id": answer, **_input_attributes(usage)}
        span = start_span(f"chat {self._model}", opened, "CLIENT", at=requested)
        self._request = _Request(answer, span, named, requested, now)
        self._requested = None

    def start_tool_call(self, call: str, tool: str, *, refused: bool = False) -> None:
        """The model has called `tool`; reporting it twice is no second call."""
        if call not in self._calls:
            named = {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": tool,
                "gen_ai.tool.call.id": call,
                "gen_ai.tool.type": "function",
            }
            self._calls[call] = _Call(tool, start_span(f"execute_tool {tool}", named))
        self._calls[call].refused |= refused

    @contextmanager
    def run_tool(self, tool: str) -> Generator[None]:
        """The handler of a call of `tool` in this process; of several at once, the oldest."""
        waiting = (one for one in self._calls.values() if one.tool == tool and not one.taken)
        call = next(waiting, None)
        if call is not None:
            call.taken = True
        with use_span(call.span if call is not None else None):
            yield

    def end_tool_call(self, call: str, *, failed: bool) -> None:
        """The result of the call has gone to the model, which is asked anew."""
        ended = self._calls.pop(call, None)
        if ended is not None and ended.span is not None:
            if failed or ended.refused:
                mark_failed(ended.span, REFUSED if ended.refused else FAILED)
            ended.span.end()
        self.start_request()

    def close(self, failure: FailureKind | None) -> None:
        """The session is over; `failure` is why a last request has no answer."""
        self._end_request()
        if failure is not None and self._requested is not None:
            span = start_span(f"chat {self._model}", self._named, "CLIENT", at=self._requested)
            self._measure(self._requested, time.time_ns(), {**self._named, "error.type": failure})
            if span is not None:
                mark_failed(span, failure)
                span.end()
        for call in self._calls.values():
            if call.span is not None:
                mark_failed(call.span, CANCELLED)
                call.span.end()
        self._calls.clear()

    def _end_request(self) -> None:
        request, self._request = self._request, None
        if request is not None:
            if request.span is not None:
                request.span.end(request.responded)
            self._measure(request.requested, request.responded, request.named)

    def _measure(self, requested: int, responded: int, named: Attributes) -> None:
        if (measured := instruments()) is not None:
            measured.operations.record(max(0, responded - requested) / 1e9, dict(named))
