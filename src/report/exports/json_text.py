"""JSON text whose lists may be iterators, with nothing unseen in it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import TypeAlias

from pydantic import JsonValue

from ...base.printable import printable

Streamed: TypeAlias = "JsonValue | Iterator[JsonValue] | Mapping[str, Streamed] | list[Streamed]"
"""A JSON value whose long lists are iterators, which can be read once."""


class _Coming(list[JsonValue]):
    """An iterator as the encoder wants a list, of which it asks whether it is empty.

    Only the first element is kept, so that a long list is never in memory as a whole.
    """

    def __init__(self, elements: Iterator[JsonValue]) -> None:
        super().__init__(islice(elements, 1))
        self._rest = elements

    def __iter__(self) -> Iterator[JsonValue]:
        return chain(super().__iter__(), self._rest)


def json_pieces(value: Streamed) -> Iterator[str]:
    """Yield the text of `value`, with a line feed at its end.

    Characters that are invisible, reorder text or end the surrounding context are escaped, which
    means the same in JSON.
    """
    encoder = json.JSONEncoder(ensure_ascii=False, indent=1, default=_Coming)
    for piece in encoder.iterencode(value):
        lines = "\n".join(map(printable, piece.split("\n")))
        # Some of it is put into script elements, which must not end there.
        yield lines.replace("<", "\\u003c")
    yield "\n"
