"""Spans, evaluation events and metrics of runs, reviews and checks, for OpenTelemetry.

Everything about tracing is here; the rest of the package opens a span around what it does anyway::

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
from that repository. Whatever begins with ``foureyes.`` is ours. Python's API for events is not
stable, so an evaluation is an event of the span of the iteration that made what was evaluated. Its
score is 1 for approve and 0 for reject, the supported share of the checkable claims for the gate,
and the score itself for the critique and the judge's criteria.

`error.type` is a `FailureKind`, ``cancelled``, ``refused`` (a tool call), ``failed`` (a tool call,
a run) or the class of an exception.

No text of a prompt, a document, a claim or a finding is recorded. What a model or a document named
(a model, a tool, a host) is made printable and cut to `MAX_CHARS`.

A program that traces has loaded the API before it runs anything; in any other, nothing here loads
it. The API is all that is needed: spans join the caller's, and go nowhere without a provider.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias
from urllib.parse import urlsplit

from ..base.errors import RecordEnded
from ..base.printable import printable
from ..base.vocabulary import Recommendation, Verdict
from ..sources.model import Source
from ..verification.model import GateResult
from .record_folder import program_version
from .types import Error, Examination, FailureKind, Judgement, Turn, TurnUsage

if TYPE_CHECKING:
    from opentelemetry import metrics
    from opentelemetry.metrics import Histogram, MeterProvider
    from opentelemetry.trace import Span, Tracer, TracerProvider

    from ..verification.quality.critique import Critique

Value: TypeAlias = str | bool | int | float
Attributes: TypeAlias = Mapping[str, Value]

SCOPE = "foureyes"
SCHEMA_URL = "https://opentelemetry.io/schemas/1.41.1"
MAX_CHARS = 200
PROVIDERS = {"claude": "anthropic", "offline": "foureyes", "replay": "foureyes"}
"""`gen_ai.provider.name` by backend; another backend's is its own name."""
EVALUATION = "gen_ai.evaluation.result"
CANCELLED, REFUSED, FAILED = "cancelled", "refused", "failed"

TOKEN_BUCKETS = [float(4**power) for power in range(14)]
SECOND_BUCKETS = [0.01 * 2**power for power in range(14)]


class Workflow(StrEnum):
    """What a trace of ours can be of: `gen_ai.workflow.name`."""

    RUN = "foureyes.run"
    REVIEW = "foureyes.review"
    CHECK = "foureyes.check"


# --- the API, where the program has it ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Instruments:
    """The metrics."""

    tokens: Histogram
    operations: Histogram
    workflows: Histogram
    cost: metrics.Counter
    iterations: Histogram
    claims: metrics.Counter
    fetches: metrics.Counter


@lru_cache(maxsize=1)
def _tracer(provider: TracerProvider) -> Tracer:
    return provider.get_tracer(SCOPE, program_version(), SCHEMA_URL)


@lru_cache(maxsize=1)
def _instruments(provider: MeterProvider) -> _Instruments:
    meter = provider.get_meter(SCOPE, program_version(), SCHEMA_URL)

    def seconds(name: str, description: str) -> Histogram:
        return meter.create_histogram(
            name, "s", description, explicit_bucket_boundaries_advisory=SECOND_BUCKETS
        )

    return _Instruments(
        tokens=meter.create_histogram(
            "gen_ai.client.token.usage",
            "{token}",
            "Number of input and output tokens used.",
            explicit_bucket_boundaries_advisory=TOKEN_BUCKETS,
        ),
        operations=seconds("gen_ai.client.operation.duration", "GenAI operation duration."),
        workflows=seconds("gen_ai.workflow.duration", "GenAI workflow duration."),
        cost=meter.create_counter("foureyes.cost", "{USD}", "What agents cost, where it is known."),
        iterations=meter.create_histogram(
            "foureyes.run.iterations",
            "{iteration}",
            "Drafts that a run examined.",
            explicit_bucket_boundaries_advisory=[1, 2, 3, 4, 5, 10, 20, 50],
        ),
        claims=meter.create_counter(
            "foureyes.claims", "{claim}", "Claims of what was delivered, by verdict."
        ),
        fetches=meter.create_counter(
            "foureyes.fetches", "{fetch}", "Addresses asked for over the network, by state."
        ),
    )


def _measured() -> _Instruments | None:
    """The metrics; None in a program that does not trace."""
    if "opentelemetry.metrics" not in sys.modules:
        return None
    from opentelemetry import metrics

    return _instruments(metrics.get_meter_provider())


def _bounded(attributes: Attributes) -> dict[str, Value]:
    """`attributes` without empty texts; others are printable and at most `MAX_CHARS` long."""
    return {
        name: _cut(value) if isinstance(value, str) else value
        for name, value in attributes.items()
        if value != ""
    }


def _cut(text: str) -> str:
    # Text that is no Unicode would keep everything that is sent with it from being sent.
    return printable(text[:MAX_CHARS])[:MAX_CHARS]


def _begun(
    name: str,
    attributes: Attributes,
    kind: Literal["INTERNAL", "CLIENT"] = "INTERNAL",
    *,
    at: int | None = None,
) -> Span | None:
    """A span under the current one, begun now or `at` (ns); None in a program without tracing."""
    if "opentelemetry.trace" not in sys.modules:
        return None
    from opentelemetry import trace

    return _tracer(trace.get_tracer_provider()).start_span(
        _cut(name),
        kind=trace.SpanKind[kind],
        attributes=_bounded(attributes),
        start_time=at,
    )


def _fail(span: Span, kind: str) -> None:
    from opentelemetry.trace import StatusCode

    span.set_attributes(_bounded({"error.type": kind}))
    span.set_status(StatusCode.ERROR)


@contextmanager
def _current(span: Span | None) -> Generator[None]:
    """Make `span` the current one in the block."""
    if span is None:
        yield
        return
    from opentelemetry import trace

    with trace.use_span(span, record_exception=False, set_status_on_exception=False):
        yield


def _kind_of(error: BaseException) -> str:
    # A task's cancellation is a BaseException, as is the wish of a person to stop.
    return type(error).__name__ if isinstance(error, Exception) else CANCELLED


@contextmanager
def _span(
    name: str,
    attributes: Attributes,
    kind: Literal["INTERNAL", "CLIENT"] = "INTERNAL",
    *,
    child: bool = False,
) -> Generator[Span | None]:
    """The span of the block, current in it; an exception is its error and goes on.

    A `child` is only there under another span.
    """
    span = None if child and not _in_trace() else _begun(name, attributes, kind)
    if span is None:
        yield None
        return
    try:
        with _current(span):
            yield span
    except BaseException as error:
        _fail(span, _kind_of(error))
        raise
    finally:
        span.end()


def _in_trace() -> bool:
    if "opentelemetry.trace" not in sys.modules:
        return False
    from opentelemetry import trace

    return trace.get_current_span().get_span_context().is_valid


def trace_id() -> str:
    """The id of the trace that is being recorded, 32 hexadecimal digits; "" if none is."""
    if "opentelemetry.trace" not in sys.modules:
        return ""
    from opentelemetry import trace

    span = trace.get_current_span()
    return f"{span.get_span_context().trace_id:032x}" if span.is_recording() else ""


def child_variables() -> dict[str, str]:
    """The current context for the environment of a process that is started now (W3C names).

    Each is there, "" if there is nothing to hand on, so that nothing older is inherited; the
    baggage of the program that called us is never handed on.
    """
    variables = {"TRACEPARENT": "", "TRACESTATE": "", "BAGGAGE": ""}
    if "opentelemetry.trace" in sys.modules:
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        carrier: dict[str, str] = {}
        TraceContextTextMapPropagator().inject(carrier)
        variables |= {name.upper(): value for name, value in carrier.items()}
    return variables


# --- workflows and their steps -----------------------------------------------------------------


class WorkflowSpan:
    """A run, a review or a check that is under way."""

    def __init__(self, name: Workflow, span: Span | None) -> None:
        self._name = name
        self._span = span
        self._started = time.perf_counter()
        self._status = ""

    def ended(self, status: str, verdicts: Mapping[Verdict, int], iterations: int = 0) -> None:
        """Tell how it ended, and how many claims of what it delivers have each verdict."""
        self._status = status
        if self._span is not None:
            self._span.set_attributes({"foureyes.status": status})
            if iterations:
                self._span.set_attributes({"foureyes.iterations": iterations})
            if status == FAILED:
                _fail(self._span, FAILED)
        if (measured := _measured()) is not None:
            common = {"gen_ai.workflow.name": self._name.value, "foureyes.status": status}
            if iterations:
                measured.iterations.record(iterations, common)
            for verdict, count in verdicts.items():
                measured.claims.add(count, {**common, "foureyes.verdict": verdict.value})

    def broke_off(self, error: BaseException) -> None:
        """Tell that an exception ended it."""
        stopped = not isinstance(error, Exception) or isinstance(error, RecordEnded)
        self.ended(CANCELLED if stopped else FAILED, {})

    def measure(self) -> None:
        """Record how long it took."""
        if (measured := _measured()) is not None:
            seconds = time.perf_counter() - self._started
            named = {"gen_ai.workflow.name": self._name.value, "foureyes.status": self._status}
            wrong = {"error.type": self._status} if self._status in (FAILED, CANCELLED) else {}
            measured.workflows.record(seconds, {**named, **wrong})


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
    with _span(f"invoke_workflow {name}", attributes) as span:
        traced = WorkflowSpan(name, span)
        try:
            yield traced
        except BaseException as error:
            traced.broke_off(error)
            raise
        finally:
            traced.measure()


@contextmanager
def step(name: str, *, iteration: int = 0, about: str = "") -> Generator[None]:
    """A part of a workflow; `about` is what of several it is, such as a phase."""
    attributes: dict[str, Value] = {"foureyes.iteration": iteration} if iteration else {}
    with _span(name, {**attributes, "foureyes.step": about}):
        yield


@contextmanager
def asking(agent: str, iteration: int) -> Generator[Callable[[object], None]]:
    """Asking an agent, a critic of the user's own too; call what is given with the answer."""
    named = {"gen_ai.agent.name": agent, "foureyes.iteration": iteration}
    with _span(f"ask {agent}", named) as span:

        def answered(answer: object) -> None:
            if span is not None and isinstance(answer, Error):
                _fail(span, answer.kind)

        yield answered


# --- evaluations -------------------------------------------------------------------------------


def examined(critic: str, answer: Examination | Error) -> None:
    """A critic's vote on the draft of the current iteration, or why it gave none."""
    if isinstance(answer, Error):
        _evaluated(critic, failure=answer.kind)
        return
    counts = Counter(finding.severity.value for finding in answer.findings)
    listed = ", ".join(f"{count} {severity}" for severity, count in counts.items())
    why = f"findings: {listed or 'none'}"
    _evaluated(critic, _score(answer.recommendation), answer.recommendation, why)


def judged(answer: Judgement | Error) -> None:
    """The judge's vote, and the score of each criterion that has one."""
    if isinstance(answer, Error):
        _evaluated("judge", failure=answer.kind)
        return
    _evaluated("judge", _score(answer.recommendation), answer.recommendation)
    for name, criterion in answer.criteria.items():
        if criterion.score is not None:
            _evaluated(f"judge.{name}", criterion.score)


def concluded(gate: GateResult, critique: Critique | None = None) -> None:
    """What code makes of the evidence: the gate's decision and its rule, and the critique."""
    why = f"{gate.profile}: {gate.fail_code or gate.rule}"
    _evaluated("evidence_gate", gate.metrics.rate, gate.decision, why)
    if critique is not None:
        label = "pass" if critique.passed else "fail"
        _evaluated("critique", critique.score, label, critique.fail_code or "")


def _score(recommendation: Recommendation) -> float:
    return 1.0 if recommendation is Recommendation.APPROVE else 0.0


def _evaluated(
    name: str, score: float | None = None, label: str = "", why: str = "", *, failure: str = ""
) -> None:
    if "opentelemetry.trace" not in sys.modules:
        return
    from opentelemetry import trace

    attributes: dict[str, Value] = {
        "gen_ai.evaluation.name": name,
        "gen_ai.evaluation.score.label": label,
        "gen_ai.evaluation.explanation": why,
        "error.type": failure,
    }
    if score is not None:
        attributes["gen_ai.evaluation.score.value"] = score
    trace.get_current_span().add_event(EVALUATION, _bounded(attributes))


# --- agents, their models and tools ------------------------------------------------------------


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
        """What its own requests have in common with it."""
        return _bounded(
            {
                "gen_ai.provider.name": self._named["gen_ai.provider.name"],
                "gen_ai.request.model": self.model,
            }
        )

    def asks(self, model: str) -> None:
        """Tell which model is asked."""
        self.model = model
        if self._span is not None:
            self._span.set_attributes(_bounded({"gen_ai.request.model": model}))

    def ended(self, outcome: Turn | Error) -> None:
        """Tell how the session ended and what it used."""
        failure = outcome.kind.value if isinstance(outcome, Error) else ""
        model = outcome.model if isinstance(outcome, Turn) else ""
        self.used(outcome.usage, failure, model)

    def used(self, usage: TurnUsage, failure: str = "", model: str = "") -> None:
        """Tell what the session used; `failure` is its `error.type`, `model` who answered."""
        answered = {"gen_ai.response.model": model}
        if self._span is not None:
            self._span.set_attributes(_bounded({**answered, **_usage(usage)}))
            if failure:
                _fail(self._span, failure)
        measured = _measured()
        # The tokens and the dollars of a replay were spent by the run that it replays.
        if measured is None or not self._paid:
            return
        common = _bounded(
            {
                **self.named,
                **answered,
                "gen_ai.operation.name": "invoke_agent",
                "gen_ai.agent.name": self._named["gen_ai.agent.name"],
            }
        )
        seconds = time.perf_counter() - self._started
        measured.operations.record(seconds, _bounded({**common, "error.type": failure}))
        for kind, count in (("input", _input(usage)), ("output", usage.output_tokens)):
            if count:
                measured.tokens.record(count, {**common, "gen_ai.token.type": kind})
        if usage.cost_usd:
            measured.cost.add(float(usage.cost_usd), common)


_INVOCATION: ContextVar[Invocation | None] = ContextVar("foureyes_invocation", default=None)


def _input(usage: TurnUsage) -> int:
    """By the conventions, what came from a cache or went into one is input, too."""
    return usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens


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
        "gen_ai.usage.input_tokens": _input(usage),
        "gen_ai.usage.cache_read.input_tokens": usage.cache_read_tokens,
        "gen_ai.usage.cache_creation.input_tokens": usage.cache_write_tokens,
    }


@contextmanager
def invoking(agent: str, iteration: int, task: str, backend: str) -> Generator[Invocation]:
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
    with _span(f"invoke_agent {agent}", named) as span:
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
    asked: int
    answered: int


@dataclass(slots=True)
class _Call:
    """A tool call without a result."""

    tool: str
    span: Span | None
    refused: bool = False
    taken: bool = False


class Conversation:
    """The requests and the tool calls within one session, told by a backend as they happen.

    Args:
        model: Who is asked.
    """

    def __init__(self, model: str) -> None:
        self._model = model
        self._asked: int | None = None
        self._request: _Request | None = None
        self._calls: dict[str, _Call] = {}
        invocation = _INVOCATION.get()
        if invocation is not None:
            invocation.asks(model)
        self._named: Attributes = {
            **(invocation.named if invocation is not None else {}),
            "gen_ai.operation.name": "chat",
        }

    def asked(self) -> None:
        """The model is asked, or was given the result of a tool."""
        self._asked = time.time_ns()

    def answered(self, answer: str, model: str, usage: TurnUsage) -> None:
        """The answer with the id `answer` has come, or another part of it.

        Of `usage` only the input is final when an answer begins.
        """
        now = time.time_ns()
        if self._request is not None and self._request.id == answer:
            self._request.answered = now
            return
        self._end_request()
        asked = now if self._asked is None else self._asked
        named = _bounded({**self._named, "gen_ai.response.model": model})
        told = {**named, "gen_ai.response.id": answer, **_input_attributes(usage)}
        span = _begun(f"chat {self._model}", told, "CLIENT", at=asked)
        self._request = _Request(answer, span, named, asked, now)
        self._asked = None

    def called(self, call: str, tool: str, *, refused: bool = False) -> None:
        """The model has called `tool`; telling it twice is no second call."""
        if call not in self._calls:
            named = {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": tool,
                "gen_ai.tool.call.id": call,
                "gen_ai.tool.type": "function",
            }
            self._calls[call] = _Call(tool, _begun(f"execute_tool {tool}", named))
        self._calls[call].refused |= refused

    @contextmanager
    def within(self, tool: str) -> Generator[None]:
        """What a call of `tool` does in this process; of several at once, the oldest."""
        waiting = (one for one in self._calls.values() if one.tool == tool and not one.taken)
        call = next(waiting, None)
        if call is not None:
            call.taken = True
        with _current(call.span if call is not None else None):
            yield

    def returned(self, call: str, *, failed: bool) -> None:
        """The result of the call has gone to the model, which is asked anew."""
        ended = self._calls.pop(call, None)
        if ended is not None and ended.span is not None:
            if failed or ended.refused:
                _fail(ended.span, REFUSED if ended.refused else FAILED)
            ended.span.end()
        self.asked()

    def closed(self, failure: FailureKind | None) -> None:
        """The session is over; `failure` is why a last request has no answer."""
        self._end_request()
        if failure is not None and self._asked is not None:
            span = _begun(f"chat {self._model}", self._named, "CLIENT", at=self._asked)
            self._measure(self._asked, time.time_ns(), {**self._named, "error.type": failure})
            if span is not None:
                _fail(span, failure)
                span.end()
        for call in self._calls.values():
            if call.span is not None:
                _fail(call.span, CANCELLED)
                call.span.end()
        self._calls.clear()

    def _end_request(self) -> None:
        request, self._request = self._request, None
        if request is not None:
            if request.span is not None:
                request.span.end(request.answered)
            self._measure(request.asked, request.answered, request.named)

    def _measure(self, asked: int, answered: int, named: Attributes) -> None:
        if (measured := _measured()) is not None:
            measured.operations.record(max(0, answered - asked) / 1e9, dict(named))


# --- sources -----------------------------------------------------------------------------------


async def fetched(url: str, load: Callable[[str], Awaitable[Source]]) -> Source:
    """The source that `load` gets over the network for `url`, of which only the host is told.

    What is read before a run begins has no span, which would be a trace of its own.
    """
    with _span("fetch", {"server.address": _host(url)}, "CLIENT", child=True) as span:
        source = await load(url)
        state = source.state.value
        if span is not None:
            span.set_attributes({"foureyes.fetch.state": state})
            if not source.state.readable:
                _fail(span, state)
    if (measured := _measured()) is not None:
        measured.fetches.add(1, {"foureyes.fetch.state": state})
    return source


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
