"""What every export is made from: a document and all that was found in it."""

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
    """A document and what was found in it.

    `path` is relative with ``/``, as other tools name the file. `entries` are the ledger's, and may
    be gone through more than once. `gate` is None where there is none. `sources` are those that
    were read or tried, by address. `unfinished` says in a line each what was not looked at.
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
    """`address` as an RFC 3986 reference; what may not stand in one is percent-encoded."""
    return quote(address.encode("utf-8", "surrogatepass"), safe=_URI)
