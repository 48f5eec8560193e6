"""ClaimReview (schema.org) in JSON-LD: the claims on which there is a verdict, as rated reviews.

Search engines show such markup as a fact check by its publisher. It is therefore only made on
request, and only for claims that were decided on evidence of a source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

from pydantic import JsonValue

from ...base.printable import visible
from ...base.vocabulary import Verdict
from ...verification.model import LedgerEntry
from .json_text import Streamed
from .model import uri_reference

RATINGS: Mapping[Verdict, tuple[int, str]] = MappingProxyType(
    {
        Verdict.SUPPORTED: (5, "True"),
        Verdict.PARTIALLY_SUPPORTED: (3, "Partly true"),
        Verdict.DISPUTED: (3, "Disputed"),
        Verdict.CONTRADICTED: (1, "False"),
    }
)
"""The rating, 1 to 5, and its name; a verdict without one makes no review."""


@dataclass(frozen=True, slots=True)
class ReviewedClaim:
    """A claim on which there is a verdict: `reason` tells why, `urls` what it rests on."""

    id: str
    text: str
    verdict: Verdict
    reason: str
    urls: tuple[str, ...]


def decided_claims(entries: Iterable[LedgerEntry]) -> Iterator[ReviewedClaim]:
    """The claims of a ledger that were decided on evidence of a source."""
    for entry in entries:
        if entry.evidence and not (entry.open_slot or entry.unchecked):
            urls = tuple(item.url for item in entry.evidence)
            yield ReviewedClaim(entry.claim_id, entry.text, entry.verdict, entry.reason, urls)


def claim_reviews(
    claims: Iterable[ReviewedClaim], path: str, publisher: str, on: date
) -> Mapping[str, Streamed]:
    """The reviews of those `claims` of the document `path` that have a rating, as one graph.

    They are published by `publisher` on the day `on`.
    """
    reviews = (_review(one, path, publisher, on) for one in claims if one.verdict in RATINGS)
    return {"@context": "https://schema.org", "@graph": reviews}


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
