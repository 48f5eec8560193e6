"""ClaimReview (schema.org) in JSON-LD: the claims on which there is a verdict, as rated reviews.

Search engines show such markup as a fact check by its publisher. It is therefore only made on
request, and only for claims that were decided on evidence of a source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from pydantic import JsonValue

from ...base.errors import InputError
from ...base.printable import visible
from ...base.vocabulary import Verdict
from ...review.types import ENGINE_VERDICTS
from ...verification.model import LedgerEntry
from ..review_report import Appendix
from .documents import ExportedRecord, ReviewedDocument
from .model import json_pieces, uri_reference

RATINGS: Mapping[Verdict, tuple[int, str]] = {
    Verdict.SUPPORTED: (5, "True"),
    Verdict.PARTIALLY_SUPPORTED: (3, "Partly true"),
    Verdict.DISPUTED: (3, "Disputed"),
    Verdict.CONTRADICTED: (1, "False"),
}
"""The rating, 1 to 5, and its name; a verdict without one makes no review."""


def export(record: ExportedRecord) -> Iterator[str]:
    """Yield the reviews of the decided claims in the document of `record`.

    Raises:
        InputError: No claim was looked up.
    """
    document = record.document
    if isinstance(document, ReviewedDocument):
        if document.appendix is None:
            raise InputError(
                f"the review of {document.original!r} has looked up no claim",
                "go on with it, without --no-web",
            )
        claims, path = _decided_outside(document.appendix), document.original
    else:
        claims, path = _decided(document.entries), document.path
    publisher, on = record.publisher, record.made.date()
    reviews = (_review(one, path, publisher, on) for one in claims if one.verdict in RATINGS)
    return json_pieces({"@context": "https://schema.org", "@graph": reviews})


@dataclass(frozen=True, slots=True)
class ReviewedClaim:
    """A claim with a verdict: `reason` explains it, `urls` are its evidence."""

    id: str
    text: str
    verdict: Verdict
    reason: str
    urls: tuple[str, ...]


def _decided(entries: Iterable[LedgerEntry]) -> Iterator[ReviewedClaim]:
    """The claims of a ledger that were decided on evidence of a source."""
    for entry in entries:
        if entry.evidence and not (entry.open_slot or entry.unchecked):
            urls = tuple(item.url for item in entry.evidence)
            yield ReviewedClaim(entry.claim_id, entry.text, entry.verdict, entry.reason, urls)


def _review(claim: ReviewedClaim, path: str, publisher: str, on: date) -> JsonValue:
    value, name = RATINGS[claim.verdict]
    document = uri_reference(path)
    citations: list[JsonValue] = [
        {"@type": "CreativeWork", "url": uri_reference(url)} for url in dict.fromkeys(claim.urls)
    ]
    return {
        "@type": "ClaimReview",
        "url": f"{document}#{claim.id}",
        "datePublished": on.isoformat(),
        "author": {"@type": "Organization", "name": visible(publisher)},
        "claimReviewed": visible(claim.text),
        "reviewBody": visible(claim.reason),
        "reviewRating": {
            "@type": "Rating",
            "ratingValue": value,
            "bestRating": 5,
            "worstRating": 1,
            "alternateName": name,
        },
        "itemReviewed": {
            "@type": "Claim",
            "appearance": {"@type": "CreativeWork", "url": document},
        },
        "citation": citations,
    }


def _decided_outside(appendix: Appendix) -> Iterator[ReviewedClaim]:
    """The claims of a review that sources outside the document decided."""
    for one in appendix.checked:
        verdict, result = ENGINE_VERDICTS[one.result.verdict], one.result
        # What only the document's own sources confirm confirms its citation and not the fact.
        if result.sources and not result.circular:
            urls = tuple(source.evidence.url for source in result.sources)
            yield ReviewedClaim(one.claim.id, one.claim.statement, verdict, result.reason, urls)
