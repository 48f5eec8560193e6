"""ClaimReview (schema.org) in JSON-LD: the claims on which there is a verdict, as rated reviews.

Search engines show such markup as a fact check by its publisher. It is therefore only made on
request, and only for claims that were decided on evidence of a source.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType

from pydantic import JsonValue

from ...base.printable import visible
from ...base.vocabulary import Verdict
from ...verification.model import LedgerEntry
from .model import ExaminedDocument, Json, uri_reference

RATINGS: Mapping[Verdict, tuple[int, str]] = MappingProxyType(
    {
        Verdict.SUPPORTED: (5, "True"),
        Verdict.PARTIALLY_SUPPORTED: (3, "Partly true"),
        Verdict.DISPUTED: (3, "Disputed"),
        Verdict.CONTRADICTED: (1, "False"),
    }
)
"""The rating, 1 to 5, and its name; a verdict without one makes no review."""


def claim_reviews(examined: ExaminedDocument, publisher: str, on: date) -> Json:
    """The reviews of all such claims as one graph, published by `publisher` on the day `on`."""
    reviews: list[JsonValue] = [
        _review(entry, examined, publisher, on)
        for entry in examined.ledger.entries
        if entry.verdict in RATINGS and entry.evidence and not (entry.open_slot or entry.unchecked)
    ]
    return {"@context": "https://schema.org", "@graph": reviews}


def _review(entry: LedgerEntry, examined: ExaminedDocument, publisher: str, on: date) -> Json:
    value, name = RATINGS[entry.verdict]
    address = f"{uri_reference(examined.path)}#{entry.claim_id}"
    citations: list[JsonValue] = [
        {"@type": "CreativeWork", "url": uri_reference(url)}
        for url in dict.fromkeys(item.url for item in entry.evidence)
    ]
    return {
        "@type": "ClaimReview",
        "url": address,
        "datePublished": on.isoformat(),
        "author": {"@type": "Organization", "name": visible(publisher)},
        "claimReviewed": visible(entry.text),
        "reviewBody": visible(entry.reason),
        "reviewRating": {
            "@type": "Rating",
            "ratingValue": value,
            "bestRating": 5,
            "worstRating": 1,
            "alternateName": name,
        },
        "itemReviewed": {
            "@type": "Claim",
            "appearance": {"@type": "CreativeWork", "url": uri_reference(examined.path)},
        },
        "citation": citations,
    }
