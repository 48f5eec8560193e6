"""A collector on this machine: takes what is exported over HTTP, and makes it readable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord
from opentelemetry.proto.metrics.v1.metrics_pb2 import Metric
from opentelemetry.proto.trace.v1.trace_pb2 import Span as ProtoSpan
from opentelemetry.proto.trace.v1.trace_pb2 import Status
from support.thread_server import Handler, ThreadServer

Value = str | bool | int | float
TRACES, METRICS, LOGS = "/v1/traces", "/v1/metrics", "/v1/logs"


@dataclass(frozen=True, slots=True)
class Event:
    """A log record with a name; `span` is the one that it was told in."""

    name: str
    trace: str
    span: str
    attributes: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Span:
    """A finished span; ids are hexadecimal, times nanoseconds."""

    name: str
    trace: str
    id: str
    parent: str
    kind: str
    failed: bool
    start: int
    end: int
    attributes: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Point:
    """A value of a metric: the sum of a histogram, or what a counter stands at."""

    metric: str
    unit: str
    attributes: Mapping[str, Value]
    value: float
    count: int


@dataclass(frozen=True, slots=True)
class Collected:
    """All that was sent."""

    spans: tuple[Span, ...] = ()
    points: tuple[Point, ...] = ()
    events: tuple[Event, ...] = ()
    resource: Mapping[str, Value] = field(default_factory=dict[str, Value])
    schemas: frozenset[str] = frozenset()

    def named(self, name: str) -> list[Span]:
        """The spans of this name, in the order they began."""
        return [span for span in self.spans if span.name == name]

    def one(self, name: str) -> Span:
        """The only span of this name."""
        (span,) = self.named(name)
        return span

    def events_of(self, span: Span) -> list[Event]:
        """What was told in the span, in its order."""
        return [event for event in self.events if event.span == span.id]

    def under(self, span: Span) -> list[str]:
        """The names of its children, in the order they began."""
        return [child.name for child in self.spans if child.parent == span.id]

    def tree(self) -> list[str]:
        """Every span with its depth, depth first."""
        known = {span.id for span in self.spans}
        roots = [span for span in self.spans if span.parent not in known]
        return [line for root in roots for line in self._below(root, 0)]

    def _below(self, span: Span, depth: int) -> Iterator[str]:
        yield "  " * depth + span.name
        for child in self.spans:
            if child.parent == span.id:
                yield from self._below(child, depth + 1)

    def values(self, metric: str) -> list[Point]:
        """The values of one metric."""
        return [point for point in self.points if point.metric == metric]


class Collector(ThreadServer):
    """The collector.

    Attributes:
        hangs: It takes a request and never answers; it does so for a page that is asked for, too.
        status: What it answers.
        requests: The paths and bodies that came.
    """

    def __init__(self, *, hangs: bool = False, status: int = 200) -> None:
        super().__init__()
        self.hangs, self.status = hangs, status
        self.requests: list[tuple[str, bytes]] = []

    @property
    def environment(self) -> dict[str, str]:
        """What a program is given that exports to it."""
        return {"OTEL_EXPORTER_OTLP_ENDPOINT": self.url}

    def collected(self) -> Collected:
        """What has come so far."""
        return decoded(
            [body for path, body in self.requests if path == TRACES],
            [body for path, body in self.requests if path == METRICS],
            [body for path, body in self.requests if path == LOGS],
        )


def decoded(traces: Iterable[bytes], metrics: Iterable[bytes], logs: Iterable[bytes]) -> Collected:
    """What the bodies of export requests hold."""
    requests = [ExportTraceServiceRequest.FromString(body) for body in traces]
    resources = [one for request in requests for one in request.resource_spans]
    scopes = [scope for one in resources for scope in one.scope_spans]
    spans = [_span(span) for scope in scopes for span in scope.spans]
    measured = [
        scope
        for body in metrics
        for one in ExportMetricsServiceRequest.FromString(body).resource_metrics
        for scope in one.scope_metrics
    ]
    logged = [
        scope
        for body in logs
        for one in ExportLogsServiceRequest.FromString(body).resource_logs
        for scope in one.scope_logs
    ]
    points = [point for scope in measured for one in scope.metrics for point in _points(one)]
    return Collected(
        tuple(sorted(spans, key=lambda span: span.start)),
        tuple(points),
        tuple(_event(record) for scope in logged for record in scope.log_records),
        _values(resources[0].resource.attributes) if resources else {},
        frozenset(scope.schema_url for scope in [*scopes, *measured, *logged]),
    )


class _Handler(Handler):
    owner: Collector

    def do_GET(self) -> None:
        if self.owner.hangs:
            self.owner.closing.wait(60)
        self.send_error(404)

    def do_POST(self) -> None:
        body = self.received()
        if self.owner.hangs:
            self.owner.closing.wait(60)
            return
        self.owner.requests.append((self.path, body))
        self.send(self.owner.status, "text/plain", b"")


Collector.handler = _Handler


def _value(value: AnyValue) -> Value:
    match value.WhichOneof("value"):
        case "string_value":
            return value.string_value
        case "bool_value":
            return value.bool_value
        case "int_value":
            return value.int_value
        case "double_value":
            return value.double_value
        case other:
            raise AssertionError(f"an attribute is a {other}")


def _values(attributes: Iterable[KeyValue]) -> dict[str, Value]:
    return {pair.key: _value(pair.value) for pair in attributes}


def _span(span: ProtoSpan) -> Span:
    return Span(
        span.name,
        span.trace_id.hex(),
        span.span_id.hex(),
        span.parent_span_id.hex(),
        ProtoSpan.SpanKind.Name(span.kind).removeprefix("SPAN_KIND_"),
        span.status.code == Status.STATUS_CODE_ERROR,
        span.start_time_unix_nano,
        span.end_time_unix_nano,
        _values(span.attributes),
    )


def _event(record: LogRecord) -> Event:
    attributes = _values(record.attributes)
    return Event(record.event_name, record.trace_id.hex(), record.span_id.hex(), attributes)


def _points(metric: Metric) -> Iterator[Point]:
    if metric.WhichOneof("data") == "histogram":
        for point in metric.histogram.data_points:
            yield Point(metric.name, metric.unit, _values(point.attributes), point.sum, point.count)
        return
    for point in metric.sum.data_points:
        value = point.as_double or float(point.as_int)
        yield Point(metric.name, metric.unit, _values(point.attributes), value, 1)
