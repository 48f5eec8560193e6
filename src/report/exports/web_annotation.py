"""W3C Web Annotation Data Model: each claim as an annotation of the document, with its evidence."""

from __future__ import annotations

import base64
import uuid
from collections.abc import Iterator
from datetime import datetime

from pydantic import JsonValue

from ...base.printable import visible
from ...verification.model import LedgerEntry, WeighedEvidence
from .model import ExaminedDocument, Json, uri_reference

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
AROUND = 32
"""Characters before and behind a quotation that tell it from equal ones."""
_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "foureyes:annotation")


def annotation_page(examined: ExaminedDocument, made: datetime) -> Json:
    """One annotation for each claim of the ledger, in document order; `made` is in UTC.

    Offsets count code points of the document's text. An annotation's id depends on path, claim and
    verdict, so that a second export gives the same.
    """
    created = made.strftime("%Y-%m-%dT%H:%M:%SZ")
    items: list[JsonValue] = [
        _annotation(entry, examined, created) for entry in examined.ledger.entries
    ]
    return {
        "@context": CONTEXT,
        "id": _name("page", examined.path, created),
        "type": "AnnotationPage",
        "items": items,
    }


def _annotation(entry: LedgerEntry, examined: ExaminedDocument, created: str) -> Json:
    start, end = entry.location.start, entry.location.end
    tags = [entry.verdict.value, *([entry.tier.value] if entry.tier else [])]
    bodies: list[JsonValue] = [
        {"type": "TextualBody", "purpose": "tagging", "format": "text/plain", "value": tag}
        for tag in tags
    ]
    if entry.reason:
        bodies.append(_text(visible(entry.reason), "assessing"))
    bodies += list(_evidence(entry.evidence, examined))
    return {
        "id": _name("claim", examined.path, entry.claim_id, entry.verdict.value),
        "type": "Annotation",
        "motivation": "assessing",
        "created": created,
        "generator": {"type": "Software", "name": "foureyes"},
        "body": bodies,
        "target": {
            "source": uri_reference(examined.path),
            "selector": [_quote(examined.text, start, end), _position(start, end)],
        },
    }


def _text(value: str, purpose: str) -> Json:
    return {"type": "TextualBody", "purpose": purpose, "format": "text/plain", "value": value}


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


def _quote(text: str, start: int, end: int) -> Json:
    return {
        "type": "TextQuoteSelector",
        "exact": text[start:end],
        "prefix": text[max(0, start - AROUND) : start],
        "suffix": text[end : end + AROUND],
    }


def _position(start: int, end: int) -> Json:
    return {"type": "TextPositionSelector", "start": start, "end": end}


def _name(*parts: str) -> str:
    return uuid.uuid5(_NAMESPACE, "\x01".join(parts)).urn
