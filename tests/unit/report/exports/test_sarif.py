"""SARIF: held against the official schema, and readable by those who know SARIF."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from foureyes import CheckResult, ExportFormat
from foureyes.datatypes import CheckRecord
from support.ferry import DRAFT, LOG, check_draft, exported, record_of

SCHEMA = json.loads(
    (Path(__file__).parents[3] / "schemas" / "sarif-2.1.0.json").read_text(encoding="utf-8")
)


def run_of(record: CheckRecord, folder: Path) -> dict[str, Any]:
    """The one run of the log, which is valid by the schema."""
    log = json.loads(exported(record, ExportFormat.SARIF, folder))
    jsonschema.validate(log, SCHEMA)
    return log["runs"][0]


def snippet(place: dict[str, Any]) -> str:
    return place["physicalLocation"]["region"].get("snippet", {}).get("text", "")


def fingerprints(results: Iterable[dict[str, Any]]) -> list[str]:
    return [one["partialFingerprints"]["foureyesFinding/v1"] for one in results]


def result_on(run: dict[str, Any], words: str) -> dict[str, Any]:
    return next(one for one in run["results"] if words in snippet(one["locations"][0]))


def test_a_finding_is_a_result_at_its_claim_with_the_evidence_beside_it(
    checked: CheckResult, tmp_path: Path
) -> None:
    run = run_of(record_of(checked), tmp_path)
    one = result_on(run, "65 minutes")
    assert (one["ruleId"], one["level"]) == ("numeric_error", "error")
    assert run["tool"]["driver"]["rules"][one["ruleIndex"]]["id"] == "numeric_error"
    place = one["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "docs/ferry.md"
    region = place["region"]
    start = DRAFT.index("The mean crossing took 65")
    assert (region["startLine"], region["startColumn"], region["charOffset"]) == (3, 1, start)
    assert DRAFT[start : start + region["charLength"]] == region["snippet"]["text"]
    source = one["relatedLocations"][0]["physicalLocation"]
    assert source["artifactLocation"]["uri"] == "log.md"
    quote = source["region"]
    assert LOG[quote["charOffset"] :][: quote["charLength"]] == quote["snippet"]["text"]
    replacement = one["fixes"][0]["artifactChanges"][0]["replacements"][0]
    deleted = replacement["deletedRegion"]
    assert DRAFT[deleted["charOffset"] :][: deleted["charLength"]] == "65 minutes"
    assert replacement["insertedContent"]["text"] == "45 minutes"


def test_the_failure_of_the_gate_is_a_result_with_its_fail_code(
    checked: CheckResult, tmp_path: Path
) -> None:
    run = run_of(record_of(checked), tmp_path)
    assert checked.gate.fail_code is not None
    assert [r["level"] for r in run["results"] if r["ruleId"] == checked.gate.fail_code] == [
        "error"
    ]


def test_what_was_not_looked_at_is_a_notification_without_controls(
    checked: CheckResult, tmp_path: Path
) -> None:
    run = run_of(record_of(checked), tmp_path)
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"] == "not fetched: https://example.org/\\u001b[31m: no access"


def test_fingerprints_stay_when_lines_move(checked: CheckResult, tmp_path: Path) -> None:
    moved = check_draft(tmp_path, "A word before.\n\n" + DRAFT)
    here, there = (
        fingerprints(run_of(record_of(each), tmp_path)["results"]) for each in (checked, moved)
    )
    assert sorted(here) == sorted(there)


def test_every_rule_is_described_once(checked: CheckResult, tmp_path: Path) -> None:
    rules = run_of(record_of(checked), tmp_path)["tool"]["driver"]["rules"]
    assert len(rules) > 30
    assert len({one["shortDescription"]["text"] for one in rules}) == len(rules)


@pytest.mark.parametrize(
    ("address", "reference"),
    [
        ("https://example.org/a?b=c#d", "https://example.org/a?b=c#d"),
        ("a b.md", "a%20b.md"),
        ("https://example.org/\u202egpj.exe", "https://example.org/%E2%80%AEgpj.exe"),
        ('x"><script>', "x%22%3E%3Cscript%3E"),
    ],
)
def test_an_address_is_a_uri_reference(
    checked: CheckResult, tmp_path: Path, address: str, reference: str
) -> None:
    run = run_of(record_of(checked, address), tmp_path)
    assert [one["location"]["uri"] for one in run["artifacts"]] == [reference]
