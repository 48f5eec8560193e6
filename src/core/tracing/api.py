"""OpenTelemetry's API, where the program has it, and nothing where it has not."""

from __future__ import annotations

import sys
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from ...base.printable import printable
from ..record_folder import program_version

if TYPE_CHECKING:
    from opentelemetry import metrics
    from opentelemetry._logs import Logger, LoggerProvider
    from opentelemetry.metrics import Histogram, MeterProvider
    from opentelemetry.trace import Span, Tracer, TracerProvider

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


def begun(
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


def fail(span: Span, kind: str) -> None:
    """Tell that `span` failed; `kind` is its `error.type`."""
    from opentelemetry.trace import StatusCode

    span.set_attributes(bounded({"error.type": kind}))
    span.set_status(StatusCode.ERROR)


@contextmanager
def current(span: Span | None) -> Generator[None]:
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
def opened(
    name: str,
    attributes: Attributes,
    kind: Literal["INTERNAL", "CLIENT"] = "INTERNAL",
    *,
    child: bool = False,
) -> Generator[Span | None]:
    """The span of the block, current in it; an exception is its error and goes on.

    A `child` is only there under another span.
    """
    span = None if child and not _in_trace() else begun(name, attributes, kind)
    if span is None:
        yield None
        return
    try:
        with current(span):
            yield span
    except BaseException as error:
        fail(span, _kind_of(error))
        raise
    finally:
        span.end()


def record_event(event: str, attributes: Attributes) -> None:
    """Tell of something that happened in the current span, as a log record with a name."""
    if "opentelemetry._logs" not in sys.modules:
        return
    from opentelemetry._logs import get_logger_provider

    now = time.time_ns()
    _logger(get_logger_provider()).emit(
        timestamp=now, observed_timestamp=now, event_name=event, attributes=bounded(attributes)
    )


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
