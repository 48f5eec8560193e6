from __future__ import annotations

from collections.abc import Mapping

import pytest
from foureyes.assembly.settings import telemetry_variables
from foureyes.assembly.telemetry import Signal, described, exporter_names

T, M, L = Signal.TRACES, Signal.METRICS, Signal.LOGS
ENDPOINT = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}
HTTP = ("otlp_proto_http",)

NAMED: list[tuple[Mapping[str, str], tuple[str, ...], tuple[str, ...]]] = [
    ({}, (), ()),
    ({"OTEL_SERVICE_NAME": "mine", "OTEL_EXPORTER_OTLP_ENDPOINT": ""}, (), ()),
    (ENDPOINT, HTTP, HTTP),
    ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1/v1/traces"}, HTTP, ()),
    ({"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "http://127.0.0.1/v1/metrics"}, (), HTTP),
    ({"OTEL_TRACES_EXPORTER": "otlp"}, HTTP, ()),
    ({"OTEL_TRACES_EXPORTER": " console , otlp"}, ("console", *HTTP), ()),
    (ENDPOINT | {"OTEL_METRICS_EXPORTER": "none"}, HTTP, ()),
    (ENDPOINT | {"OTEL_SDK_DISABLED": "True"}, (), ()),
    (ENDPOINT | {"OTEL_SDK_DISABLED": "false"}, HTTP, HTTP),
    (
        ENDPOINT | {"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"},
        ("otlp_proto_grpc",),
        ("otlp_proto_grpc",),
    ),
    (ENDPOINT | {"OTEL_EXPORTER_OTLP_METRICS_PROTOCOL": "grpc"}, HTTP, ("otlp_proto_grpc",)),
    (
        ENDPOINT | {"OTEL_EXPORTER_OTLP_PROTOCOL": "smoke"},
        ("otlp with smoke",),
        ("otlp with smoke",),
    ),
]


@pytest.mark.parametrize(("environ", "traces", "metrics"), NAMED)
def test_the_exporters_are_those_that_the_variables_name(
    environ: Mapping[str, str], traces: tuple[str, ...], metrics: tuple[str, ...]
) -> None:
    assert (exporter_names(T, environ), exporter_names(M, environ)) == (traces, metrics)


@pytest.mark.parametrize(
    ("environ", "logs"),
    [
        ({}, ()),
        (ENDPOINT, HTTP),
        (ENDPOINT | {"OTEL_LOGS_EXPORTER": "none"}, ()),
        ({"OTEL_EXPORTER_OTLP_LOGS_ENDPOINT": "http://127.0.0.1/v1/logs"}, HTTP),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, ()),
    ],
)
def test_evaluations_go_where_logs_go(environ: Mapping[str, str], logs: tuple[str, ...]) -> None:
    assert exporter_names(L, environ) == logs


def test_what_is_sent_is_told_and_what_cannot_be() -> None:
    assert list(described({})) == []
    smoke = ENDPOINT | {"OTEL_EXPORTER_OTLP_METRICS_PROTOCOL": "smoke"}
    assert list(described(smoke)) == [
        "tracing: traces are sent by the exporter otlp_proto_http",
        "tracing: metrics are not sent: there is no exporter otlp with smoke here: "
        "install its package",
        "tracing: logs are sent by the exporter otlp_proto_http",
    ]


def test_only_the_variables_of_telemetry_are_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"OTEL_SERVICE_NAME": "x", "TRACEPARENT": "y"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "z")
    assert telemetry_variables() == {"OTEL_SERVICE_NAME": "x", "TRACEPARENT": "y"}
