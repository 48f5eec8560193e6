"""ClaimReview: only what was decided, with a rating that schema.org's readers understand."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from foureyes import CheckResult, ExportFormat, export_record
from foureyes.datatypes import CheckRecord
from support.ferry import exported, record_of

DAY = datetime(2026, 11, 23, tzinfo=UTC)


def reviews_of(record: CheckRecord, folder: Path) -> dict[str, Any]:
    exported(record, ExportFormat.CLAIM_REVIEW, folder)
    os.utime(folder / "check.json", (DAY.timestamp(), DAY.timestamp()))
    again = export_record(folder, ExportFormat.CLAIM_REVIEW, publisher="The Ferry Desk")
    return json.loads("".join(again.pieces))


def test_decided_claims_are_reviewed_and_no_others(checked: CheckResult, tmp_path: Path) -> None:
    told = reviews_of(record_of(checked), tmp_path)
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


def test_a_verdict_that_nobody_checked_makes_no_review(
    checked: CheckResult, tmp_path: Path
) -> None:
    entries = tuple(replace(one, open_slot=True) for one in checked.report.ledger.entries)
    assert reviews_of(replace(record_of(checked), entries=entries), tmp_path)["@graph"] == []
