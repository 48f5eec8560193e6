"""What this process traces, as a collector would get it: the SDK of a program that uses us."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache

from opentelemetry import _logs, metrics, trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.common._log_encoder import encode_logs
from opentelemetry.exporter.otlp.proto.common.metrics_encoder import encode_metrics
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.metrics import Counter, Histogram, MeterProvider
from opentelemetry.sdk.metrics.export import AggregationTemporality, InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import Decision, Sampler, SamplingResult
from opentelemetry.trace import Link, SpanKind, TraceState
from opentelemetry.util.types import Attributes
from support.collector import Collected, decoded


@dataclass(slots=True)
class Switch(Sampler):
    """Records only while it is on: the other tests of this process trace nothing."""

    on: bool = False

    def should_sample(
        self,
        parent_context: Context | None,
        trace_id: int,
        name: str,
        kind: SpanKind | None = None,
        attributes: Attributes = None,
        links: Sequence[Link] | None = None,
        trace_state: TraceState | None = None,
    ) -> SamplingResult:
        return SamplingResult(Decision.RECORD_AND_SAMPLE if self.on else Decision.DROP, attributes)

    def get_description(self) -> str:
        return "switch"


@dataclass(frozen=True, slots=True)
class Recorder:
    """The providers of this process, which can be set only once."""

    switch: Switch = field(default_factory=Switch)
    spans: InMemorySpanExporter = field(default_factory=InMemorySpanExporter)
    events: InMemoryLogRecordExporter = field(default_factory=InMemoryLogRecordExporter)
    reader: InMemoryMetricReader = field(
        default_factory=lambda: InMemoryMetricReader(
            dict.fromkeys((Counter, Histogram), AggregationTemporality.DELTA)
        )
    )

    def collected(self) -> Collected:
        """What was recorded since it was asked last."""
        data = self.reader.get_metrics_data()
        told = encode_spans(self.spans.get_finished_spans())
        self.spans.clear()
        logged = self.events.get_finished_logs()
        self.events.clear()
        logs = [encode_logs(logged).SerializeToString()] if logged else []
        points = [encode_metrics(data).SerializeToString()] if data is not None else []
        return decoded([told.SerializeToString()], points, logs)


@cache
def recorder() -> Recorder:
    made = Recorder()
    provider = TracerProvider(sampler=made.switch, shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(made.spans))
    trace.set_tracer_provider(provider)
    logger = LoggerProvider(shutdown_on_exit=False)
    logger.add_log_record_processor(SimpleLogRecordProcessor(made.events))
    _logs.set_logger_provider(logger)
    metrics.set_meter_provider(MeterProvider([made.reader], shutdown_on_exit=False))
    return made


@contextmanager
def recorded() -> Generator[Recorder]:
    """Record what the block traces."""
    made = recorder()
    made.collected()
    made.switch.on = True
    try:
        yield made
    finally:
        made.switch.on = False
