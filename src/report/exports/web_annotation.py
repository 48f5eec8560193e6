"""W3C Web Annotation Data Model: annotations of places in a document, with evidence."""

from __future__ import annotations

import base64
import uuid
from collections.abc import Iterator
from typing import TypeAlias

from pydantic import JsonValue

from ...base.printable import visible
from ...base.vocabulary import Location
from ...verification.model import LedgerEntry, WeighedEvidence
from .documents import ExportedRecord, NamedFinding, ReviewedDocument
from .model import ExaminedDocument, Json, json_pieces, uri_reference

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
AROUND = 32
"""Characters of context before and after a quotation."""
_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "foureyes:annotation")


def export(record: ExportedRecord) -> Iterator[str]:
    """Yield the annotations of the document of `record`: of its claims, or of its findings.

    There is one for each claim of the ledger, or for each standing finding of a review, in order.
    Offsets count code points of the document's text. An annotation's id depends on path, claim and
    verdict, so that a second export gives the same. The external verification of a review is left
    out, because a page cannot require the findings to be read first.
    """
    document = record.document
    if isinstance(document, ReviewedDocument):
        found = (_finding(one, document) for one in document.findings)
    else:
        found = (_claim(entry, document) for entry in document.entries)
    created = record.made.strftime("%Y-%m-%dT%H:%M:%SZ")
    return json_pieces(
        {
            "@context": CONTEXT,
            "id": _name("page", document.path, created),
            "type": "AnnotationPage",
            "items": (_annotation(document, created, one) for one in found),
        }
    )


_Annotated: TypeAlias = tuple[tuple[str, ...], Location | None, list[Json]]
"""Names that make an id unique in the document, a place (None for the whole of it), and bodies."""


def _annotation(
    document: ExaminedDocument | ReviewedDocument, created: str, one: _Annotated
) -> JsonValue:
    names, place, bodies = one
    target: Json = {"source": uri_reference(document.path)}
    if place is not None:
        text, start, end = document.text, place.start, place.end
        quote: Json = {
            "type": "TextQuoteSelector",
            "exact": text[start:end],
            "prefix": text[max(0, start - AROUND) : start],
            "suffix": text[end : end + AROUND],
        }
        target["selector"] = [quote, _position(start, end)]
    return {
        "id": _name(names[0], document.path, *names[1:]),
        "type": "Annotation",
        "motivation": "assessing",
        "created": created,
        "generator": {"type": "Software", "name": "foureyes"},
        "body": [*bodies],
        "target": target,
    }


def _claim(entry: LedgerEntry, examined: ExaminedDocument) -> _Annotated:
    bodies = [_textual(tag, "tagging") for tag in (entry.verdict, entry.tier) if tag]
    if entry.reason:
        bodies.append(_textual(entry.reason, "assessing"))
    bodies += _evidence(entry.evidence, examined)
    return ("claim", entry.claim_id, entry.verdict.value), entry.location, bodies


def _finding(one: NamedFinding, document: ReviewedDocument) -> _Annotated:
    finding = one.finding
    tags = (one.flaw, finding.lens, finding.severity)
    bodies = [_textual(tag, "tagging") for tag in tags]
    bodies.append(_textual(finding.problem, "assessing"))
    if finding.defence is not None:
        answer = f"Defence ({finding.defence.outcome}): {finding.defence.argument}"
        bodies.append(_textual(answer, "replying"))
    return ("finding", one.fingerprint), document.location(finding.place), bodies


def _textual(value: str, purpose: str) -> Json:
    """A body of plain text."""
    body = {"type": "TextualBody", "purpose": purpose, "format": "text/plain"}
    return {**body, "value": visible(value)}


def _evidence(evidence: tuple[WeighedEvidence, ...], examined: ExaminedDocument) -> Iterator[Json]:
    """The source's own words, selected in its extracted text, as it was when it was fetched."""
    for item in evidence:
        state: Json = {"type": "TimeState", "cached": named_information(item.sha256)}
        source = examined.sources.get(item.url)
        if source is not None and source.snapshot is not None:
            state["sourceDate"] = source.snapshot.fetched_at.strftime("%Y-%m-%dT%H:%M:%SZ")
        yield {
            "type": "SpecificResource",
            "purpose": "linking",
            "source": uri_reference(item.url),
            "selector": [
                {"type": "TextQuoteSelector", "exact": item.quote},
                _position(item.start, item.end),
            ],
            "state": state,
        }


def named_information(sha256: str) -> str:
    """The snapshot with this hash as an address: RFC 6920, ``ni:///sha-256;…``."""
    digest = base64.urlsafe_b64encode(bytes.fromhex(sha256)).decode().rstrip("=")
    return f"ni:///sha-256;{digest}"


def _position(start: int, end: int) -> Json:
    return {"type": "TextPositionSelector", "start": start, "end": end}


def _name(*parts: str) -> str:
    return uuid.uuid5(_NAMESPACE, "\x01".join(parts)).urn
