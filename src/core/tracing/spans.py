"""Spans, events and metrics by OpenTelemetry's API, where the program has loaded it."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias
from urllib.parse import urlsplit

from ...base.errors import RecordEnded
from ...base.printable import printable
from ...base.vocabulary import Recommendation, Verdict
from ...sources.model import Source
from ...verification.model import GateResult
from ..artefacts import Judgement
from ..record_folder import program_version
from ..tasks import Error

if TYPE_CHECKING:
    from opentelemetry import metrics
    from opentelemetry._logs import Logger, LoggerProvider
    from opentelemetry.metrics import Histogram, MeterProvider
    from opentelemetry.trace import Span, Tracer, TracerProvider

    from ..critique import Critique
    from ..work import Examination

Value: TypeAlias = str | bool | int | float
Attributes: TypeAlias = Mapping[str, Value]

SCOPE = "foureyes"
SCHEMA_URL = "https://opentelemetry.io/schemas/1.41.1"
MAX_CHARS = 200
CANCELLED, REFUSED, FAILED = "cancelled", "refused", "failed"

TOKEN_BUCKETS = [float(4**power) for power in range(14)]
SECOND_BUCKETS = [0.01 * 2**power for power in range(14)]


@dataclass(frozen=True, slots=True)
class Instruments:
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
def _logger(provider: LoggerProvider) -> Logger:
    return provider.get_logger(SCOPE, program_version(), SCHEMA_URL)


@lru_cache(maxsize=1)
def _made(provider: MeterProvider) -> Instruments:
    meter = provider.get_meter(SCOPE, program_version(), SCHEMA_URL)

    def seconds(name: str, description: str) -> Histogram:
        return meter.create_histogram(
            name, "s", description, explicit_bucket_boundaries_advisory=SECOND_BUCKETS
        )

    return Instruments(
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


def instruments() -> Instruments | None:
    """The metrics; None in a program that does not trace."""
    if "opentelemetry.metrics" not in sys.modules:
        return None
    from opentelemetry import metrics

    return _made(metrics.get_meter_provider())


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
        attributes=bounded(attributes),
        start_time=at,
    )


def mark_failed(span: Span, kind: str) -> None:
    """Mark `span` as failed; `kind` is its `error.type`."""
    from opentelemetry.trace import StatusCode

    span.set_attributes(bounded({"error.type": kind}))
    span.set_status(StatusCode.ERROR)


@contextmanager
def use_span(span: Span | None) -> Generator[None]:
    """Make `span` the current one in the block."""
    if span is None:
        yield
        return
    from opentelemetry import trace

    with trace.use_span(span, record_exception=False, set_status_on_exception=False):
        yield


# A loop opens dozens of spans; a generator for each would be a tenth of its own time.
_UNTRACED: AbstractContextManager[None] = nullcontext()


def open_span(
    name: str,
    attributes: Attributes,
    kind: Literal["INTERNAL", "CLIENT"] = "INTERNAL",
    *,
    child: bool = False,
) -> AbstractContextManager[Span | None]:
    """The span of the block, current in it; an exception is its error and goes on.

    A `child` is only there under another span.
    """
    span = None if child and not _in_trace() else start_span(name, attributes, kind)
    return _UNTRACED if span is None else _within(span)


@contextmanager
def _within(span: Span) -> Generator[Span]:
    try:
        with use_span(span):
            yield span
    except BaseException as error:
        # A task's cancellation is a BaseException, as is the wish of a person to stop.
        mark_failed(span, type(error).__name__ if isinstance(error, Exception) else CANCELLED)
        raise
    finally:
        span.end()


def record_event(event: str, attributes: Attributes) -> None:
    """Record an event of the current span, as a log record with a name."""
    if not _records_events():
        return
    from opentelemetry._logs import get_logger_provider

    now = time.time_ns()
    _logger(get_logger_provider()).emit(
        timestamp=now, observed_timestamp=now, event_name=event, attributes=bounded(attributes)
    )


def _records_events() -> bool:
    return "opentelemetry._logs" in sys.modules


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


class Workflow(StrEnum):
    """The kinds of our traces: `gen_ai.workflow.name`."""

    RUN = "foureyes.run"
    REVIEW = "foureyes.review"
    CHECK = "foureyes.check"


class WorkflowSpan:
    """A run, a review or a check that is under way."""

    def __init__(self, name: Workflow, span: Span | None) -> None:
        self._name = name
        self._span = span
        self._started = time.perf_counter()
        self._status = ""

    def end(self, status: str, verdicts: Mapping[Verdict, int], iterations: int = 0) -> None:
        """Record its status, and how many claims of the delivered text have each verdict."""
        self._status = status
        if self._span is not None:
            self._span.set_attributes({"foureyes.status": status})
            if iterations:
                self._span.set_attributes({"foureyes.iterations": iterations})
            if status == FAILED:
                mark_failed(self._span, FAILED)
        if (measured := instruments()) is not None:
            common = {"gen_ai.workflow.name": self._name.value, "foureyes.status": status}
            if iterations:
                measured.iterations.record(iterations, common)
            for verdict, count in verdicts.items():
                measured.claims.add(count, {**common, "foureyes.verdict": verdict.value})

    def fail(self, error: BaseException) -> None:
        """Record that an exception ended it."""
        stopped = not isinstance(error, Exception) or isinstance(error, RecordEnded)
        self.end(CANCELLED if stopped else FAILED, {})

    def measure(self) -> None:
        """Record how long it took."""
        if (measured := instruments()) is not None:
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
    with open_span(f"invoke_workflow {name}", attributes) as span:
        traced = WorkflowSpan(name, span)
        try:
            yield traced
        except BaseException as error:
            traced.fail(error)
            raise
        finally:
            traced.measure()


def step(name: str, *, iteration: int = 0, about: str = "") -> AbstractContextManager[Span | None]:
    """A part of a workflow; `about` is what of several it is, such as a phase."""
    attributes: dict[str, Value] = {"foureyes.iteration": iteration} if iteration else {}
    return open_span(name, {**attributes, "foureyes.step": about})


def ask_agent(agent: str, iteration: int) -> AbstractContextManager[Span | None]:
    """Asking an agent, a critic of the user's own too; `mark_answer` tells what came."""
    named: Attributes = {"gen_ai.agent.name": agent, "foureyes.iteration": iteration}
    return open_span(f"ask {agent}", named)


def mark_answer(span: Span | None, answer: object) -> None:
    """Mark the span of `ask_agent` as failed if the answer is an error."""
    if span is not None and isinstance(answer, Error):
        mark_failed(span, answer.kind)


EVALUATION = "gen_ai.evaluation.result"


def record_examination(critic: str, answer: Examination | Error) -> None:
    """A critic's vote on the draft of the current iteration, or why it gave none."""
    # To count the findings would take a twentieth of the loop's own time, for nobody.
    if not _records_events():
        return
    if isinstance(answer, Error):
        _evaluated(critic, failure=answer.kind)
        return
    counts = Counter(finding.severity.value for finding in answer.findings)
    listed = ", ".join(f"{count} {severity}" for severity, count in counts.items())
    why = f"findings: {listed or 'none'}"
    _evaluated(critic, _score(answer.recommendation), answer.recommendation, why)


def record_judgement(answer: Judgement | Error) -> None:
    """The judge's vote, and the score of each criterion that has one."""
    if isinstance(answer, Error):
        _evaluated("judge", failure=answer.kind)
        return
    _evaluated("judge", _score(answer.recommendation), answer.recommendation)
    for name, criterion in answer.criteria.items():
        if criterion.score is not None:
            _evaluated(f"judge.{name}", criterion.score)


def record_conclusion(gate: GateResult, critique: Critique | None = None) -> None:
    """Record code's evaluation: the gate's decision and its rule, and the critique."""
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
    attributes: dict[str, Value] = {
        "gen_ai.evaluation.name": name,
        "gen_ai.evaluation.score.label": label,
        "gen_ai.evaluation.explanation": why,
        "error.type": failure,
    }
    if score is not None:
        attributes["gen_ai.evaluation.score.value"] = score
    record_event(EVALUATION, attributes)


async def trace_fetch(url: str, load: Callable[[str], Awaitable[Source]]) -> Source:
    """The source that `load` gets over the network for `url`, of which only the host is recorded.

    What is read before a run begins has no span, which would be a trace of its own.
    """
    with open_span("fetch", {"server.address": _host(url)}, "CLIENT", child=True) as span:
        source = await load(url)
        state = source.state.value
        if span is not None:
            span.set_attributes({"foureyes.fetch.state": state})
            if not source.state.readable:
                mark_failed(span, state)
    if (measured := instruments()) is not None:
        measured.fetches.add(1, {"foureyes.fetch.state": state})
    return source


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
