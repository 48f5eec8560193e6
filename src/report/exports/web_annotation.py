"""W3C Web Annotation Data Model: annotations of places in a document, with evidence."""

from __future__ import annotations

import base64
import uuid
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TypeAlias

from pydantic import JsonValue

from ...base.printable import visible
from ...base.vocabulary import Location
from ...verification.model import LedgerEntry, WeighedEvidence
from .documents import ExportedRecord, NamedFinding, ReviewedDocument
from .model import ExaminedDocument, Json, Streamed, json_pieces, uri_reference

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
AROUND = 32
"""Characters of context before and after a quotation."""
_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "foureyes:annotation")


def export(record: ExportedRecord) -> Iterator[str]:
    """Yield the annotations of the document of `record`."""
    document = record.document
    if isinstance(document, ReviewedDocument):
        return json_pieces(review_annotations(document))
    return json_pieces(annotation_page(document, record.made))


def annotation_page(examined: ExaminedDocument, made: datetime) -> Mapping[str, Streamed]:
    """One annotation for each claim of the ledger, in document order; `made` is in UTC.

    Offsets count code points of the document's text. An annotation's id depends on path, claim and
    verdict, so that a second export gives the same.
    """
    page = _Page(examined.path, examined.text, made)
    return page.of(page.annotation(*_claim(entry, examined)) for entry in examined.entries)


def review_annotations(document: ReviewedDocument) -> Mapping[str, Streamed]:
    """Return one annotation for each standing finding, in order.

    The external verification is left out, because a page cannot require the findings to be read
    first.
    """
    page = _Page(document.path, document.text, document.ended)
    return page.of(page.annotation(*_finding(one, document)) for one in document.findings)


_Annotated: TypeAlias = tuple[tuple[str, ...], Location | None, list[Json]]
"""Names that make an id unique in the document, a place (None for the whole of it), and bodies."""


class _Page:
    """Annotations of the document `path`, whose text is `text`; `made` is in UTC."""

    def __init__(self, path: str, text: str, made: datetime) -> None:
        self._path, self._text = path, text
        self._created = made.strftime("%Y-%m-%dT%H:%M:%SZ")

    def of(self, annotations: Iterator[JsonValue]) -> Mapping[str, Streamed]:
        """The page of `annotations`."""
        return {
            "@context": CONTEXT,
            "id": _name("page", self._path, self._created),
            "type": "AnnotationPage",
            "items": annotations,
        }

    def annotation(
        self, names: tuple[str, ...], place: Location | None, bodies: list[Json]
    ) -> JsonValue:
        """One annotation."""
        target: Json = {"source": uri_reference(self._path)}
        if place is not None:
            start, end = place.start, place.end
            quote: Json = {
                "type": "TextQuoteSelector",
                "exact": self._text[start:end],
                "prefix": self._text[max(0, start - AROUND) : start],
                "suffix": self._text[end : end + AROUND],
            }
            target["selector"] = [quote, _position(start, end)]
        return {
            "id": _name(names[0], self._path, *names[1:]),
            "type": "Annotation",
            "motivation": "assessing",
            "created": self._created,
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
