"""ClaimReview: only what was decided, with a rating that schema.org's readers understand."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from typing import Any

from foureyes import CheckResult, LedgerEntry
from foureyes.report.exports.claim_review import claim_reviews, decided_claims
from foureyes.report.exports.model import json_pieces

DAY = date(2026, 11, 23)


def reviews_of(entries: Iterable[LedgerEntry]) -> dict[str, Any]:
    reviews = claim_reviews(decided_claims(entries), "docs/ferry.md", "The Ferry Desk", DAY)
    return json.loads("".join(json_pieces(reviews)))


def test_decided_claims_are_reviewed_and_no_others(checked: CheckResult) -> None:
    told = reviews_of(checked.report.ledger.entries)
    assert told["@context"] == "https://schema.org"
    found = [
        (one["claimReviewed"], one["reviewRating"]["ratingValue"], one["author"]["name"])
        for one in told["@graph"]
    ]
    assert found == [
        ("The mean crossing took 65 minutes.", 1, "The Ferry Desk"),
        ("The ferry made 200 calls at Norrvik in May.", 5, "The Ferry Desk"),
    ]
    first = told["@graph"][0]
    assert first["datePublished"] == "2026-11-23"
    assert first["citation"] == [{"@type": "CreativeWork", "url": "log.md"}]


def test_a_verdict_that_nobody_checked_makes_no_review(checked: CheckResult) -> None:
    entries = tuple(replace(one, open_slot=True) for one in checked.report.ledger.entries)
    assert reviews_of(entries)["@graph"] == []
