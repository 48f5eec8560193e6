"""Where spans, metrics and evaluations go: by OpenTelemetry's variables, by the extra ``otel``.

There is no setting of ours for it. Without one of the variables nothing is set up and nothing is
sent. A program that has set OpenTelemetry up itself, before it called us, keeps its own set-up.
Telemetry never decides how a command ends: what cannot be set up or sent is
reported in one line.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from enum import StrEnum
from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeAlias

from ..base.registry import first_line
from ..core.record_folder import program_version

if TYPE_CHECKING:
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.trace import TracerProvider

    Provider: TypeAlias = TracerProvider | MeterProvider | LoggerProvider

FLUSH_S = 3.0
"""How long a command waits at its end for the collector."""
POLL_S = 0.02
PARENT = ("TRACEPARENT", "TRACESTATE")
ENDPOINT, PROTOCOL = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_PROTOCOL"
PARTS = {"http/protobuf": "otlp_proto_http", "grpc": "otlp_proto_grpc"}
"""The exporter of each protocol, by the name under which OpenTelemetry's packages list it."""
EXTRA = "pip install 'foureyes[otel]'"

Environment = Mapping[str, str]


class Signal(StrEnum):
    """A kind of telemetry."""

    TRACES = "traces"
    METRICS = "metrics"
    LOGS = "logs"


class CannotExport(Exception):
    """An exporter that is configured cannot be used; the message says why and what to do."""


def exporter_names(signal: Signal, environ: Environment) -> tuple[str, ...]:
    """The exporters that the variables name for `signal`, by the names of their packages.

    OTLP is the default where an endpoint is named, and its protocol is ``http/protobuf``.
    """
    if environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return ()
    upper = signal.upper()
    named = environ.get(f"OTEL_{upper}_EXPORTER", "").strip()
    if not named and (environ.get(f"OTEL_EXPORTER_OTLP_{upper}_ENDPOINT") or environ.get(ENDPOINT)):
        named = "otlp"
    protocol = environ.get(f"OTEL_EXPORTER_OTLP_{upper}_PROTOCOL") or environ.get(PROTOCOL)
    otlp = PARTS.get(protocol or "http/protobuf", f"otlp with {protocol}")
    names = (name.strip() for name in named.split(","))
    return tuple(otlp if name == "otlp" else name for name in names if name not in ("", "none"))


def described(environ: Environment) -> Iterator[str]:
    """Describe each configured exporter, or why it cannot be used."""
    for signal in Signal:
        for name in exporter_names(signal, environ):
            try:
                _exporter_class(signal, name)
            except CannotExport as error:
                yield f"tracing: {signal} are not sent: {error}"
            else:
                yield f"tracing: {signal} are sent by the exporter {name}"


@contextmanager
def exported(environ: Environment, report: Callable[[str], None]) -> Generator[None]:
    """Send what the block traces, if `environ` says where; a trace that it names goes on.

    At the end of the block at most `FLUSH_S` are spent on what is still to be sent.

    Args:
        environ: The variables of OpenTelemetry, and TRACEPARENT with TRACESTATE.
        report: Called with one line on what could not be sent.
    """
    names = {signal: exporter_names(signal, environ) for signal in Signal}
    if not any(names.values()) or "opentelemetry.sdk" in sys.modules:
        yield
        return
    from opentelemetry import context
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    problems = _Problems(environ)
    log = logging.getLogger("opentelemetry")
    log.addHandler(problems)
    log.propagate = False
    providers: list[Provider] = []
    try:
        for signal, listed in names.items():
            try:
                if exporters := [_made(signal, name) for name in listed]:
                    providers.append(_set_up(signal, exporters))
            except CannotExport as error:
                report(f"tracing: {signal} are not sent: {error}")
        # The block is part of the trace that the program which started us is in, if it is.
        carrier = {name.lower(): environ[name] for name in PARENT if environ.get(name)}
        token = context.attach(TraceContextTextMapPropagator().extract(carrier))
        try:
            yield
        finally:
            context.detach(token)
    finally:
        if lost := _flush(providers, problems):
            report(f"tracing: {lost}")
        log.removeHandler(problems)
        log.propagate = True


def _exporter_class(signal: Signal, name: str) -> Callable[..., Any]:
    found = next(iter(entry_points(group=f"opentelemetry_{signal}_exporter", name=name)), None)
    try:
        if found is not None and find_spec("opentelemetry.sdk") is not None:
            return found.load()
    except ImportError as error:
        raise CannotExport(f"the exporter {name} cannot be loaded: {error}") from error
    remedy = EXTRA if name in (PARTS["http/protobuf"], "console") else "install its package"
    raise CannotExport(f"there is no exporter {name} here: {remedy}")


def _made(signal: Signal, name: str) -> Any:
    exporter = _exporter_class(signal, name)
    try:
        # What a command says on standard output is its own.
        return exporter(out=sys.stderr) if name == "console" else exporter()
    except Exception as error:
        raise CannotExport(f"the exporter {name} says: {first_line(str(error))}") from error


def _set_up(signal: Signal, exporters: Sequence[Any]) -> Provider:
    """Send `signal` by `exporters` from now on."""
    from opentelemetry.sdk.resources import OTELResourceDetector, Resource

    ours = Resource.create({"service.name": "foureyes", "service.version": program_version()})
    # The user's own words about who we are come first.
    resource = ours.merge(OTELResourceDetector().detect())
    # Each imports its own part: that for logs is private, and may move.
    # The process ends when the command does: `_flush` bounds the wait, an exit handler would not.
    match signal:
        case Signal.TRACES:
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor
            from opentelemetry.trace import set_tracer_provider

            provider = TracerProvider(resource=resource, shutdown_on_exit=False)
            for exporter in exporters:
                provider.add_span_processor(BatchSpanProcessor(exporter))
            set_tracer_provider(provider)
        case Signal.METRICS:
            from opentelemetry.metrics import set_meter_provider
            from opentelemetry.sdk.metrics import MeterProvider
            from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader

            readers = [PeriodicExportingMetricReader(exporter) for exporter in exporters]
            provider = MeterProvider(readers, resource=resource, shutdown_on_exit=False)
            set_meter_provider(provider)
        case Signal.LOGS:
            from opentelemetry._logs import set_logger_provider
            from opentelemetry.sdk._logs import LoggerProvider
            from opentelemetry.sdk._logs.export import BatchLogRecordProcessor

            provider = LoggerProvider(resource=resource, shutdown_on_exit=False)
            for exporter in exporters:
                provider.add_log_record_processor(BatchLogRecordProcessor(exporter))
            set_logger_provider(provider)
    return provider


class _Problems(logging.Handler):
    """The first thing that went wrong in each thread, in words of the SDK."""

    def __init__(self, environ: Environment) -> None:
        super().__init__(logging.WARNING)
        self.by_thread: dict[int | None, str] = {}
        headers = (value for name, value in environ.items() if name.endswith("_HEADERS"))
        self._keys = [part.strip() for value in headers for part in value.split(",")]

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one record, without the keys that the SDK quotes from headers it cannot read."""
        text = record.getMessage()
        for key in filter(None, self._keys):
            text = text.replace(key, "…")
        self.by_thread.setdefault(record.thread, first_line(text))


def _flush(providers: Sequence[Provider], problems: _Problems) -> str:
    """Send what is waiting, all at once; returns why something may be lost, "" if nothing is.

    Whatever takes longer, or is about to be tried again, is left to the end of the process.
    """
    with suppress(OSError):
        sys.stdout.flush()
    threads = [threading.Thread(target=_send, args=(one,), daemon=True) for one in providers]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + FLUSH_S
    with suppress(KeyboardInterrupt):
        while waiting := [one for one in threads if one.is_alive()]:
            if time.monotonic() > deadline:
                return f"the collector took longer than {FLUSH_S:g} s; what it had not got is lost"
            if all(one.ident in problems.by_thread for one in waiting):
                break
            waiting[0].join(POLL_S)
    first = next(iter(problems.by_thread.values()), "")
    return f"the exporter says: {first}" if first else ""


def _send(provider: Provider) -> None:
    # The SDK has logged what went wrong.
    with suppress(Exception):
        provider.force_flush()
