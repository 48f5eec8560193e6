from __future__ import annotations

import json

import pytest
from foureyes.backends.claude.endpoint import NEEDED_EVENTS, Streamed, error_message, read_stream

USE: object = {"index": 0, "content_block": {"type": "tool_use", "name": "Read", "input": {}}}


def stream(*events: tuple[str, object]) -> str:
    """The events, each that the CLI needs added where it is missing."""
    given = dict(events)
    every = [(name, given.pop(name, {})) for name in NEEDED_EVENTS]
    return "".join(
        f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
        for name, data in [*every, *given.items()]
    )


def broke_off(words: str) -> Streamed:
    return Streamed(f"the server broke off: {words}")


def written(arguments: str) -> tuple[str, object]:
    return ("content_block_delta", {"index": 0, "delta": {"partial_json": arguments}})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (stream(), Streamed()),
        (stream(("content_block_start", USE)), Streamed(calls=("Read",))),
        (stream(("content_block_start", USE), written('{"a": 1}')), Streamed(calls=("Read",))),
        (stream(("content_block_start", USE), written('{"a": ')), Streamed()),
        (stream(written("\u2028")), Streamed()),
        (stream(("message_delta", {"delta": {"stop_reason": "x"}})), Streamed(stop_reason="x")),
        (stream(("ping", {"index": "one"})), Streamed("the stream is garbled")),
        (stream(("error", {"error": {"message": "too\nlong"}})), broke_off("too long")),
        (stream(("error", {"code": 500})), broke_off('{"code": 500}')),
        (
            stream().replace("event: message_stop", "event: ping"),
            Streamed("the stream lacks the events message_stop"),
        ),
        ('data: {"type": "message_stop"}\n\n', Streamed("the stream has no 'event:' lines")),
        ("", Streamed("the stream has no 'event:' lines")),
    ],
)
def test_a_stream_is_read_for_what_the_cli_needs(text: str, expected: Streamed) -> None:
    assert read_stream(text) == expected
    assert read_stream(text.replace("\n", "\r\n")) == expected


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('{"type": "error", "error": {"message": "no such\\nmodel"}}', "no such model"),
        ('{"detail": "Not Found"}', '{"detail": "Not Found"}'),
        ("<html>\n</html>", "<html> </html>"),
    ],
)
def test_an_error_body_says_one_line(body: str, said: str) -> None:
    assert error_message(body) == said
