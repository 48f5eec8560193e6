"""Web annotations: their selectors find the claims and the evidence again."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from foureyes import CheckResult, ExportFormat
from support.ferry import DRAFT, LOG, exported, record_of


def page(checked: CheckResult, folder: Path) -> dict[str, Any]:
    return json.loads(exported(record_of(checked), ExportFormat.WEB_ANNOTATION, folder))


def selected(selectors: list[dict[str, Any]], text: str) -> str:
    """The words that both selectors choose in `text`: position, and quotation with its context."""
    quote, position = selectors
    assert (quote["type"], position["type"]) == ("TextQuoteSelector", "TextPositionSelector")
    words = text[position["start"] : position["end"]]
    assert quote["exact"] == words
    around = quote.get("prefix", "") + words + quote.get("suffix", "")
    assert text.count(around) == 1
    return words


def test_each_claim_is_annotated_at_its_place_with_its_verdict(
    checked: CheckResult, tmp_path: Path
) -> None:
    items = page(checked, tmp_path)["items"]
    found = {selected(one["target"]["selector"], DRAFT): one["body"][0]["value"] for one in items}
    assert found["The mean crossing took 65 minutes ([log](log.md))."] == "contradicted"
    assert found["The ferry made 200 calls at Norrvik in May ([log](log.md))."] == "supported"
    assert {one["motivation"] for one in items} == {"assessing"}
    assert {one["target"]["source"] for one in items} == {"docs/ferry.md"}


def test_evidence_is_selected_in_the_snapshot_it_was_read_from(
    checked: CheckResult, tmp_path: Path
) -> None:
    linked = [
        body
        for one in page(checked, tmp_path)["items"]
        for body in one["body"]
        if body["type"] == "SpecificResource"
    ]
    assert [selected(body["selector"], LOG) for body in linked] == [
        "The mean crossing took 45 minutes.",
        "The ferry made 200 calls at Norrvik in May.",
    ]
    (source,) = checked.sources
    assert source.snapshot is not None
    algorithm, digest = linked[0]["state"]["cached"].split(";")
    assert algorithm == "ni:///sha-256"
    padded = digest + "=" * (-len(digest) % 4)
    assert base64.urlsafe_b64decode(padded).hex() == source.snapshot.sha256


def test_a_second_export_gives_the_same_ids_and_no_two_are_equal(
    checked: CheckResult, tmp_path: Path
) -> None:
    ids = [one["id"] for one in page(checked, tmp_path)["items"]]
    assert ids == [one["id"] for one in page(checked, tmp_path)["items"]]
    assert len(set(ids)) == len(ids) == len(checked.report.ledger.entries)
