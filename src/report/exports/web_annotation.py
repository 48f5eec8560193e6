"""W3C Web Annotation Data Model: annotations of places in a document, with evidence."""

from __future__ import annotations

import base64
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from pydantic import JsonValue

from ...base.printable import visible
from ...verification.model import LedgerEntry, WeighedEvidence
from .documents import NamedFinding, ReviewedDocument
from .json_text import Streamed
from .model import ExaminedDocument, Json, uri_reference

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
AROUND = 32
"""Characters of context before and after a quotation."""
_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "foureyes:annotation")


@dataclass(frozen=True, slots=True)
class Annotated:
    """Annotation of `[start, end)` of a document, or of the whole if `span` is None.

    `names` make its id unique in the document.
    """

    names: tuple[str, ...]
    span: tuple[int, int] | None
    bodies: tuple[Json, ...]


def annotation_page(examined: ExaminedDocument, made: datetime) -> Mapping[str, Streamed]:
    """One annotation for each claim of the ledger, in document order; `made` is in UTC.

    Offsets count code points of the document's text. An annotation's id depends on path, claim and
    verdict, so that a second export gives the same.
    """
    said = (_annotated(entry, examined) for entry in examined.entries)
    return page_of(said, examined.path, examined.text, made)


def page_of(
    said: Iterable[Annotated], path: str, text: str, made: datetime
) -> Mapping[str, Streamed]:
    """Return annotations of the document `path`, whose text is `text`; `made` is in UTC."""
    created = made.strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "@context": CONTEXT,
        "id": _name("page", path, created),
        "type": "AnnotationPage",
        "items": (_annotation(one, path, text, created) for one in said),
    }


def textual(value: str, purpose: str) -> Json:
    """A body of plain text."""
    body = {"type": "TextualBody", "purpose": purpose, "format": "text/plain"}
    return {**body, "value": visible(value)}


def _annotation(one: Annotated, path: str, text: str, created: str) -> JsonValue:
    target: Json = {"source": uri_reference(path)}
    if one.span is not None:
        target["selector"] = [_quote(text, *one.span), _position(*one.span)]
    return {
        "id": _name(one.names[0], path, *one.names[1:]),
        "type": "Annotation",
        "motivation": "assessing",
        "created": created,
        "generator": {"type": "Software", "name": "foureyes"},
        "body": [*one.bodies],
        "target": target,
    }


def _annotated(entry: LedgerEntry, examined: ExaminedDocument) -> Annotated:
    tags = [entry.verdict.value, *([entry.tier.value] if entry.tier else [])]
    bodies = [textual(tag, "tagging") for tag in tags]
    if entry.reason:
        bodies.append(textual(entry.reason, "assessing"))
    bodies += _evidence(entry.evidence, examined)
    span = (entry.location.start, entry.location.end)
    return Annotated(("claim", entry.claim_id, entry.verdict.value), span, tuple(bodies))


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


def review_annotations(document: ReviewedDocument) -> Mapping[str, Streamed]:
    """Return one annotation for each standing finding, in order.

    The external verification is left out, because a page cannot require the findings to be read
    first.
    """
    said = (_annotated_finding(one, document) for one in document.findings)
    return page_of(said, document.path, document.text, document.ended)


def _annotated_finding(one: NamedFinding, document: ReviewedDocument) -> Annotated:
    finding = one.finding
    tags = (one.flaw, finding.lens.value, finding.severity.value)
    bodies = [textual(tag, "tagging") for tag in tags]
    bodies.append(textual(finding.problem, "assessing"))
    if finding.defence is not None:
        answer = f"Defence ({finding.defence.outcome}): {finding.defence.argument}"
        bodies.append(textual(answer, "replying"))
    location = document.location(finding.place)
    span = (location.start, location.end) if location is not None else None
    return Annotated(("finding", one.fingerprint), span, tuple(bodies))
