"""SARIF: held against the official schema, and readable by those who know SARIF."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import jsonschema
import pytest
from foureyes import CheckResult
from foureyes.datatypes import ExaminedDocument
from foureyes.report.exports.model import uri_reference
from foureyes.report.exports.sarif import FINGERPRINT, RULES, sarif_log
from support.ferry import DRAFT, LOG, check_draft, examined

SCHEMA = json.loads(
    (Path(__file__).parents[3] / "schemas" / "sarif-2.1.0.json").read_text(encoding="utf-8")
)


def run_of(
    *documents: ExaminedDocument, accepted: Mapping[str, Collection[str]] = MappingProxyType({})
) -> dict[str, Any]:
    """The one run of the log, which is valid by the schema."""
    log = json.loads("".join(sarif_log(documents, accepted)))
    jsonschema.validate(log, SCHEMA)
    return log["runs"][0]


def snippet(place: dict[str, Any]) -> str:
    return place["physicalLocation"]["region"].get("snippet", {}).get("text", "")


def fingerprints(results: Iterable[dict[str, Any]]) -> list[str]:
    return [one["partialFingerprints"][FINGERPRINT] for one in results]


def result_on(run: dict[str, Any], words: str) -> dict[str, Any]:
    return next(one for one in run["results"] if words in snippet(one["locations"][0]))


def test_a_finding_is_a_result_at_its_claim_with_the_evidence_beside_it(
    checked: CheckResult,
) -> None:
    run = run_of(examined(checked))
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


def test_the_failure_of_the_gate_is_a_result_with_its_fail_code(checked: CheckResult) -> None:
    run = run_of(examined(checked))
    assert checked.gate.fail_code is not None
    assert [r["level"] for r in run["results"] if r["ruleId"] == checked.gate.fail_code] == [
        "error"
    ]


def test_what_was_not_looked_at_is_a_notification_without_controls(checked: CheckResult) -> None:
    run = run_of(examined(checked))
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"] == "not fetched: https://example.org/\\u001b[31m"


def test_fingerprints_stay_when_lines_move(checked: CheckResult, tmp_path: Path) -> None:
    moved = check_draft(tmp_path, "A word before.\n\n" + DRAFT)
    here, there = (fingerprints(run_of(examined(each))["results"]) for each in (checked, moved))
    assert sorted(here) == sorted(there)


def test_accepted_findings_are_suppressed(checked: CheckResult) -> None:
    first, *others = checked.findings
    run = run_of(examined(checked), accepted={"docs/ferry.md": {first.id}})
    suppressed = [one for one in run["results"] if one.get("suppressions")]
    assert fingerprints(suppressed) == [first.id]
    assert others


def test_several_documents_are_one_run(checked: CheckResult) -> None:
    run = run_of(examined(checked, "a.md"), examined(checked, "b c.md"))
    assert [one["location"]["uri"] for one in run["artifacts"]] == ["a.md", "b%20c.md"]
    places = [
        one["locations"][0]["physicalLocation"]["artifactLocation"]["index"]
        for one in run["results"]
    ]
    assert set(places) == {0, 1}


def test_every_rule_is_described_once() -> None:
    assert len(set(RULES.values())) == len(RULES)


@pytest.mark.parametrize(
    ("address", "reference"),
    [
        ("https://example.org/a?b=c#d", "https://example.org/a?b=c#d"),
        ("a b.md", "a%20b.md"),
        ("https://example.org/\u202egpj.exe", "https://example.org/%E2%80%AEgpj.exe"),
        ('x"><script>', "x%22%3E%3Cscript%3E"),
    ],
)
def test_an_address_is_a_uri_reference(address: str, reference: str) -> None:
    assert uri_reference(address) == reference
