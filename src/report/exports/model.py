"""Input of every export: a document and its findings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from urllib.parse import quote

from pydantic import JsonValue

from ...base.finding import Finding
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
