"""JSON text whose lists may be iterators, with nothing unseen in it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from pydantic import JsonValue

from ...base.printable import printable

Streamed: TypeAlias = "JsonValue | Iterator[JsonValue] | Mapping[str, Streamed] | list[Streamed]"
"""A JSON value whose long lists are iterators, which can be read once."""


def json_pieces(value: Streamed) -> Iterator[str]:
    """Yield the text of `value`, with a line feed at its end.

    Characters that are invisible, reorder text or end the surrounding context are escaped, which
    means the same in JSON.
    """
    for piece in json.JSONEncoder(ensure_ascii=False, indent=1, default=list).iterencode(value):
        lines = "\n".join(map(printable, piece.split("\n")))
        # Some of it is put into script elements, which must not end there.
        yield lines.replace("<", "\\u003c")
    yield "\n"
