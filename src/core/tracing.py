"""Spans, evaluation events and metrics of runs, reviews and checks, for OpenTelemetry.

Everything about tracing is here; the rest of foureyes opens a span around what it does anyway::

    invoke_workflow foureyes.run       run id, mode, status, iterations
      iteration                        gen_ai.evaluation.result of each critic and the gate
        ask analyst
          invoke_agent analyst         one session of a backend: model, tokens, cost, outcome
            chat MODEL                 one request to the model
            execute_tool NAME
        gather_evidence
          fetch                        one address over the network: host, state
        ask reviewer                   the critics are siblings
        ask fact_checker
          invoke_agent fact_checker    one for each batch of claims
        conclude
      ask judge
      finish                           a report, the evidence pack

A document review has its phases in place of the iterations, a check its two steps. `ask` is there
for a critic of the user's own, who may do all its work without a backend.

Names, attributes and buckets are those of OpenTelemetry's GenAI semantic conventions 1.41.1, the
last release that holds them (their own repository has none yet), and `gen_ai.workflow.duration`
from that repository. Whatever begins with ``foureyes.`` is ours. An evaluation is an event by
OpenTelemetry's data model of logs, as the conventions have it: a log record with a name, in the
span of the iteration that made what was evaluated. Its score is 1 for approve and 0 for reject, the
supported share of the checkable claims for the gate, and the score itself for the critique and the
judge's criteria.

`error.type` is a `FailureKind`, ``cancelled``, ``refused`` (a tool call), ``failed`` (a tool call,
a run) or the class of an exception.

No text of a prompt, a document, a claim or a finding is recorded. What a model or a document named
(a model, a tool, a host) is made printable and cut to `MAX_CHARS`.

The API is all that is needed: spans join the caller's, and go nowhere without a provider.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias
from urllib.parse import urlsplit

from opentelemetry import trace
from opentelemetry._logs import LoggerProvider, get_logger_provider
from opentelemetry.metrics import MeterProvider, get_meter_provider
from opentelemetry.trace import Span, TracerProvider
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from ..base.errors import RecordEnded
from ..base.printable import printable
from ..base.vocabulary import Recommendation, Verdict
from ..sources.model import Source
from ..verification.model import GateResult
from .artefacts import Judgement
from .record_folder import program_version
from .tasks import Error, FailureKind, Turn, TurnUsage

if TYPE_CHECKING:
    from .critique import Critique
    from .work import Examination

Value: TypeAlias = str | bool | int | float
Attributes: TypeAlias = Mapping[str, Value]
Kind: TypeAlias = Literal["INTERNAL", "CLIENT"]
Provider: TypeAlias = TracerProvider | MeterProvider | LoggerProvider

SCHEMA_URL = "https://opentelemetry.io/schemas/1.41.1"
MAX_CHARS = 200
CANCELLED, REFUSED, FAILED = "cancelled", "refused", "failed"

TOKENS = [float(4**power) for power in range(14)]
SECONDS = [0.01 * 2**power for power in range(14)]
DRAFTS = [1.0, 2.0, 3.0, 4.0, 5.0, 10.0, 20.0, 50.0]


_HISTOGRAMS = (
    ("gen_ai.client.token.usage", "{token}", "Number of input and output tokens used.", TOKENS),
    ("gen_ai.client.operation.duration", "s", "GenAI operation duration.", SECONDS),
    ("gen_ai.workflow.duration", "s", "GenAI workflow duration.", SECONDS),
    ("foureyes.run.iterations", "{iteration}", "Drafts that a run examined.", DRAFTS),
)
_COUNTERS = (
    ("foureyes.cost", "{USD}", "What agents cost, where it is known."),
    ("foureyes.claims", "{claim}", "Claims of what was delivered, by verdict."),
    ("foureyes.fetches", "{fetch}", "Addresses asked for over the network, by state."),
)

_Record: TypeAlias = Callable[[float, Attributes], None]


@lru_cache(maxsize=8)
def _ours(provider: Provider, get: str) -> Any:
    """Our tracer, meter or logger of `provider`, by the name of the method that gives it."""
    return getattr(provider, get)("foureyes", program_version(), schema_url=SCHEMA_URL)


@lru_cache(maxsize=1)
def _instruments(provider: MeterProvider) -> Mapping[str, _Record]:
    meter = _ours(provider, "get_meter")
    records: dict[str, _Record] = {one[0]: meter.create_counter(*one).add for one in _COUNTERS}
    for name, unit, about, buckets in _HISTOGRAMS:
        made = meter.create_histogram(
            name, unit, about, explicit_bucket_boundaries_advisory=buckets
        )
        records[name] = made.record
    return records


def measure(name: str, value: float, attributes: Attributes) -> None:
    """Record `value` for a metric."""
    _instruments(get_meter_provider())[name](value, bounded(attributes))


def bounded(attributes: Attributes) -> dict[str, Value]:
    """`attributes` without empty texts; others are printable and at most `MAX_CHARS` long."""
    return {
        name: _cut(value) if isinstance(value, str) else value
        for name, value in attributes.items()
        if value != ""
    }


def _cut(text: str) -> str:
    # Text that is no Unicode would keep everything that is sent with it from being sent.
    return printable(text[:MAX_CHARS])[:MAX_CHARS]


def start_span(
    name: str, attributes: Attributes, kind: Kind = "INTERNAL", *, at: int | None = None
) -> Span:
    """A span under the current one, begun now or `at` (ns)."""
    return _ours(trace.get_tracer_provider(), "get_tracer").start_span(
        _cut(name), kind=trace.SpanKind[kind], attributes=bounded(attributes), start_time=at
    )


def set_attributes(span: Span, attributes: Attributes, failure: str = "") -> None:
    """Set attributes of `span`; with `failure`, its `error.type`, it has failed."""
    span.set_attributes(bounded({**attributes, "error.type": failure}))
    if failure:
        span.set_status(trace.StatusCode.ERROR)


def use_span(span: Span) -> AbstractContextManager[Span]:
    """Make `span` the current one in the block."""
    return trace.use_span(span, record_exception=False, set_status_on_exception=False)


@contextmanager
def open_span(name: str, attributes: Attributes, kind: Kind = "INTERNAL") -> Generator[Span]:
    """The span of the block, current in it; an exception is its error and goes on."""
    span = start_span(name, attributes, kind)
    try:
        with use_span(span):
            yield span
    except BaseException as error:
        # A task's cancellation is a BaseException, as is the wish of a person to stop.
        failure = type(error).__name__ if isinstance(error, Exception) else CANCELLED
        set_attributes(span, {}, failure)
        raise
    finally:
        span.end()


def trace_id() -> str:
    """The id of the trace that is being recorded, 32 hexadecimal digits; "" if none is."""
    span = trace.get_current_span()
    return f"{span.get_span_context().trace_id:032x}" if span.is_recording() else ""


def child_variables() -> dict[str, str]:
    """The current context for the environment of a process that is started now (W3C names).

    Each is there, "" if there is nothing to hand on, so that nothing older is inherited; the
    baggage of the program that called us is never handed on.
    """
    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier)
    variables = {"TRACEPARENT": "", "TRACESTATE": "", "BAGGAGE": ""}
    return variables | {name.upper(): value for name, value in carrier.items()}


class Workflow(StrEnum):
    """The kinds of our traces: `gen_ai.workflow.name`."""

    RUN = "foureyes.run"
    REVIEW = "foureyes.review"
    CHECK = "foureyes.check"


class WorkflowSpan:
    """A run, a review or a check that is under way; `named` are the attributes of its metrics."""

    def __init__(self, name: Workflow, span: Span) -> None:
        self._span = span
        self.named: dict[str, Value] = {"gen_ai.workflow.name": name.value}

    def end(self, status: str, verdicts: Mapping[Verdict, int], iterations: int = 0) -> None:
        """Record its status, and how many claims of the delivered text have each verdict."""
        self.named["foureyes.status"] = status
        drafts = {"foureyes.iterations": iterations} if iterations else {}
        failure = FAILED if status == FAILED else ""
        set_attributes(self._span, {"foureyes.status": status, **drafts}, failure)
        if iterations:
            measure("foureyes.run.iterations", iterations, self.named)
        for verdict, count in verdicts.items():
            measure("foureyes.claims", count, {**self.named, "foureyes.verdict": verdict.value})


@contextmanager
def workflow(name: Workflow, *, run_id: str = "", mode: str = "") -> Generator[WorkflowSpan]:
    """The whole of a run, a review or a check.

    Args:
        name: Which of them.
        run_id: The id in its manifest, "" without a directory.
        mode: The mode of a run.
    """
    attributes = {
        "gen_ai.operation.name": "invoke_workflow",
        "gen_ai.workflow.name": name.value,
        "foureyes.run.id": run_id,
        "foureyes.mode": mode,
    }
    started = time.perf_counter()
    with open_span(f"invoke_workflow {name}", attributes) as span:
        traced = WorkflowSpan(name, span)
        try:
            yield traced
        except BaseException as error:
            stopped = not isinstance(error, Exception) or isinstance(error, RecordEnded)
            traced.end(CANCELLED if stopped else FAILED, {})
            raise
        finally:
            status = traced.named.get("foureyes.status", "")
            wrong = status if status in (FAILED, CANCELLED) else ""
            seconds = time.perf_counter() - started
            measure("gen_ai.workflow.duration", seconds, {**traced.named, "error.type": wrong})


def step(name: str, *, iteration: int = 0, about: str = "") -> AbstractContextManager[Span]:
    """A part of a workflow; `about` is what of several it is, such as a phase."""
    attributes: dict[str, Value] = {"foureyes.iteration": iteration} if iteration else {}
    return open_span(name, {**attributes, "foureyes.step": about})


def record_examination(critic: str, answer: Examination | Error) -> None:
    """A critic's vote on the draft of the current iteration, or why it gave none."""
    findings = () if isinstance(answer, Error) else answer.findings
    counts = Counter(finding.severity.value for finding in findings)
    listed = ", ".join(f"{count} {severity}" for severity, count in counts.items())
    _voted(critic, answer, f"findings: {listed or 'none'}")


def record_judgement(answer: Judgement | Error) -> None:
    """The judge's vote, and the score of each criterion that has one."""
    _voted("judge", answer)
    criteria = {} if isinstance(answer, Error) else answer.criteria
    for name, criterion in criteria.items():
        if criterion.score is not None:
            _evaluated(f"judge.{name}", criterion.score)


def record_conclusion(gate: GateResult, critique: Critique | None = None) -> None:
    """Record code's evaluation: the gate's decision and its rule, and the critique."""
    why = f"{gate.profile}: {gate.fail_code or gate.rule}"
    _evaluated("evidence_gate", gate.metrics.rate, gate.decision, why)
    if critique is not None:
        label = "pass" if critique.passed else "fail"
        _evaluated("critique", critique.score, label, critique.fail_code or "")


def _voted(name: str, answer: Examination | Judgement | Error, why: str = "") -> None:
    if isinstance(answer, Error):
        _evaluated(name, failure=answer.kind)
        return
    approves = answer.recommendation is Recommendation.APPROVE
    _evaluated(name, 1.0 if approves else 0.0, answer.recommendation, why)


def _evaluated(
    name: str, score: float | None = None, label: str = "", why: str = "", *, failure: str = ""
) -> None:
    """Record an evaluation as an event of the current span: a log record with a name."""
    attributes: dict[str, Value] = {
        "gen_ai.evaluation.name": name,
        "gen_ai.evaluation.score.label": label,
        "gen_ai.evaluation.explanation": why,
        "error.type": failure,
    }
    if score is not None:
        attributes["gen_ai.evaluation.score.value"] = score
    now = time.time_ns()
    _ours(get_logger_provider(), "get_logger").emit(
        timestamp=now,
        observed_timestamp=now,
        event_name="gen_ai.evaluation.result",
        attributes=bounded(attributes),
    )


async def trace_fetch(url: str, load: Callable[[str], Awaitable[Source]]) -> Source:
    """The source that `load` gets over the network for `url`, of which only the host is recorded.

    What is read before a run begins has no span, which would be a trace of its own.
    """
    traced = trace.get_current_span().get_span_context().is_valid
    opened = open_span("fetch", {"server.address": _host(url)}, "CLIENT")
    with opened if traced else nullcontext(trace.INVALID_SPAN) as span:
        source = await load(url)
        state: Attributes = {"foureyes.fetch.state": source.state.value}
        set_attributes(span, state, "" if source.state.readable else source.state.value)
    measure("foureyes.fetches", 1, state)
    return source


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


PROVIDERS = {"claude": "anthropic", "offline": "foureyes", "replay": "foureyes"}
"""`gen_ai.provider.name` by backend; another backend's is its own name."""


class Invocation:
    """One session of a backend. `asked` are the provider and, once it is known, the model."""

    def __init__(self, span: Span, agent: str, backend: str) -> None:
        self._span = span
        self._agent = agent
        # The tokens and the dollars of a replay were spent by the run that it replays.
        self._paid = backend != "replay"
        self._started = time.perf_counter()
        self.asked: Attributes = {"gen_ai.provider.name": PROVIDERS.get(backend, backend)}

    def set_model(self, model: str) -> None:
        """Set the model that is asked."""
        self.asked = {**self.asked, "gen_ai.request.model": model}
        set_attributes(self._span, self.asked)

    def end(self, outcome: Turn | Error) -> None:
        """Record how the session ended and what it used."""
        failure = outcome.kind.value if isinstance(outcome, Error) else ""
        model = outcome.model if isinstance(outcome, Turn) else ""
        self.record_usage(outcome.usage, failure, model)

    def record_usage(self, usage: TurnUsage, failure: str = "", model: str = "") -> None:
        """Record what the session used; `failure` is its `error.type`, `model` who answered."""
        answered = {"gen_ai.response.model": model}
        set_attributes(self._span, {**answered, **_usage(usage)}, failure)
        if not self._paid:
            return
        common: Attributes = {
            **self.asked,
            **answered,
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": self._agent,
        }
        seconds = time.perf_counter() - self._started
        measure("gen_ai.client.operation.duration", seconds, {**common, "error.type": failure})
        for kind, count in (("input", usage.tokens_in), ("output", usage.output_tokens)):
            if count:
                told = {**common, "gen_ai.token.type": kind}
                measure("gen_ai.client.token.usage", count, told)
        if usage.cost_usd:
            measure("foureyes.cost", float(usage.cost_usd), common)


_INVOCATION: ContextVar[Invocation | None] = ContextVar("foureyes_invocation", default=None)


def _usage(usage: TurnUsage) -> Attributes:
    """Usage as attributes; a backend without a model has no tokens, and no cost is no zero."""
    attributes: dict[str, Value] = {"foureyes.tool_calls": usage.tool_calls}
    if usage.requests:
        attributes |= {**_input(usage), "foureyes.requests": usage.requests}
        attributes["gen_ai.usage.output_tokens"] = usage.output_tokens
    if usage.cost_usd is not None:
        attributes["foureyes.cost"] = float(usage.cost_usd)
    return attributes


def _input(usage: TurnUsage) -> Attributes:
    return {
        "gen_ai.usage.input_tokens": usage.tokens_in,
        "gen_ai.usage.cache_read.input_tokens": usage.cache_read_tokens,
        "gen_ai.usage.cache_creation.input_tokens": usage.cache_write_tokens,
    }


@contextmanager
def invoke_agent(agent: str, iteration: int, task: str, backend: str) -> Generator[Invocation]:
    """One session of `backend` for the task `task` (``2/fact_checker/batch-03``)."""
    named: Attributes = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": agent,
        "gen_ai.provider.name": PROVIDERS.get(backend, backend),
        "foureyes.backend": backend,
        "foureyes.iteration": iteration,
        "foureyes.task": task,
        "foureyes.batch": task.partition("/batch-")[2],
    }
    with open_span(f"invoke_agent {agent}", named) as span:
        invocation = Invocation(span, agent, backend)
        token = _INVOCATION.set(invocation)
        try:
            yield invocation
        finally:
            _INVOCATION.reset(token)


@dataclass(slots=True)
class _Request:
    """A request with its answer, which may still grow; times are ns."""

    id: str
    span: Span
    named: Attributes
    requested: int
    responded: int


@dataclass(slots=True)
class _Call:
    """A tool call without a result."""

    tool: str
    span: Span
    refused: bool = False
    taken: bool = False


class Conversation:
    """The requests and the tool calls within one session, as a backend reports them.

    Args:
        model: Who is asked.
    """

    def __init__(self, model: str) -> None:
        self._name = f"chat {model}"
        self._requested: int | None = None
        self._request: _Request | None = None
        self._calls: dict[str, _Call] = {}
        self._named: dict[str, Value] = {"gen_ai.operation.name": "chat"}
        if (invocation := _INVOCATION.get()) is not None:
            invocation.set_model(model)
            self._named |= invocation.asked

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
        named = {**self._named, "gen_ai.response.model": model}
        opened = {**named, "gen_ai.response.id": answer, **_input(usage)}
        span = start_span(self._name, opened, "CLIENT", at=requested)
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

    def run_tool(self, tool: str) -> AbstractContextManager[Span]:
        """The handler of a call of `tool` in this process; of several at once, the oldest."""
        waiting = (one for one in self._calls.values() if one.tool == tool and not one.taken)
        call = next(waiting, None)
        if call is not None:
            call.taken = True
        return use_span(call.span if call is not None else trace.get_current_span())

    def end_tool_call(self, call: str, *, failed: bool) -> None:
        """The result of the call has gone to the model, which is asked anew."""
        ended = self._calls.pop(call, None)
        if ended is not None:
            _end(ended.span, REFUSED if ended.refused else FAILED if failed else "")
        self.start_request()

    def close(self, failure: FailureKind | None) -> None:
        """The session is over; `failure` is why a last request has no answer."""
        self._end_request()
        if failure is not None and self._requested is not None:
            span = start_span(self._name, self._named, "CLIENT", at=self._requested)
            self._request = _Request("", span, self._named, self._requested, time.time_ns())
            self._end_request(failure)
        for call in self._calls.values():
            _end(call.span, CANCELLED)
        self._calls.clear()

    def _end_request(self, failure: str = "") -> None:
        request, self._request = self._request, None
        if request is not None:
            _end(request.span, failure, request.responded)
            seconds = max(0, request.responded - request.requested) / 1e9
            told = {**request.named, "error.type": failure}
            measure("gen_ai.client.operation.duration", seconds, told)


def _end(span: Span, failure: str = "", at: int | None = None) -> None:
    set_attributes(span, {}, failure)
    span.end(at)
