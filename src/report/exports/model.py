"""The input and output of exporters: a document with its findings, and JSON piece by piece."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from itertools import chain, islice
from typing import TypeAlias
from urllib.parse import quote

from pydantic import JsonValue

from ...base.printable import printable
from ...base.vocabulary import Finding
from ...sources.model import Source
from ...verification.model import GateResult, LedgerEntry

Json = dict[str, JsonValue]

_URI = "!#$%&'()*+,/:;=?@~"


@dataclass(frozen=True, slots=True)
class ExaminedDocument:
    """A document and its findings.

    `path` is relative with ``/``, as other tools name the file. `entries` are those of the ledger
    and can be iterated more than once. `gate` is None if there is none. `sources` are those that
    were read or tried, by address. `unfinished` lists unchecked parts, one a line.
    """

    path: str
    text: str
    entries: Iterable[LedgerEntry]
    findings: tuple[Finding, ...]
    _: KW_ONLY
    gate: GateResult | None = None
    sources: Mapping[str, Source]
    unfinished: tuple[str, ...] = ()


def uri_reference(address: str) -> str:
    """Return `address` as an RFC 3986 reference, percent-encoded where needed."""
    return quote(address.encode("utf-8", "surrogatepass"), safe=_URI)


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
