"""JSON text piece by piece, so that a long list is never in memory as a whole."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TypeAlias, cast

from pydantic import JsonValue

from ...base.printable import printable

Streamed: TypeAlias = "JsonValue | Iterator[JsonValue] | Mapping[str, Streamed] | list[Streamed]"
"""A JSON value whose long lists are iterators, which can be read once."""


def json_pieces(value: Streamed) -> Iterator[str]:
    """Yield the text of `value`, with a line feed at its end.

    Each element of an iterator is on one line. Characters that are invisible, reorder text or end
    the surrounding context are escaped, which means the same in JSON.
    """
    yield from _pieces(value, "\n")
    yield "\n"


def _pieces(value: Streamed, end: str) -> Iterator[str]:
    inner = end + "  "
    if isinstance(value, Mapping):
        # pyright cannot tell which of two recursive aliases a mapping was.
        members = cast("Mapping[str, Streamed]", value)
        yield from _bracketed("{}", (_member(*one, inner) for one in members.items()), end)
    elif isinstance(value, list):
        elements = cast("list[Streamed]", value)
        yield from _bracketed("[]", (_pieces(one, inner) for one in elements), end)
    elif isinstance(value, Iterator):
        yield from _bracketed("[]", (iter((_line(one),)) for one in value), end)
    else:
        yield _line(value)


def _member(name: str, value: Streamed, end: str) -> Iterator[str]:
    yield f"{_line(name)}: "
    yield from _pieces(value, end)


def _bracketed(brackets: str, parts: Iterator[Iterator[str]], end: str) -> Iterator[str]:
    yield brackets[0]
    separator = ""
    for part in parts:
        yield f"{separator}{end}  "
        yield from part
        separator = ","
    yield f"{end if separator else ''}{brackets[1]}"


def _line(value: JsonValue) -> str:
    text = printable(json.dumps(value, ensure_ascii=False))
    # Some of it is put into script elements, which must not end there.
    return text.replace("<", "\\u003c")
