"""The four cases of the fact-checker specification, through the command, offline."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support.http_site import HttpSite
from support.runs import GOOD_DRAFT, Outcome, examine, write_case
from support.serving import served


def issues(run: Outcome, type_: str) -> list[dict[str, Any]]:
    found = run.artefact("iterations/fact_check_iteration_1.json")["issues"]
    return [issue for issue in found if issue["type"] == type_]


def rejected(run: Outcome) -> bool:
    checked = run.artefact("iterations/fact_check_iteration_1.json")
    return checked["recommendation"] == "reject"


def test_a_fabricated_pilot_is_critical_and_rejects(tmp_path: Path) -> None:
    pilot = "Our pilot with 500 households showed a 73% improvement in evening supply.\n"
    write_case(tmp_path, GOOD_DRAFT.replace("## Cost", f"{pilot}\n## Cost"))
    run = examine(tmp_path)
    (issue,) = issues(run, "fabricated")
    assert rejected(run)
    assert (issue["severity"], "500 households" in issue["claim"]) == ("critical", True)


def test_a_404_citation_is_dead_and_high(tmp_path: Path) -> None:
    with served(HttpSite()) as site:
        study = site.url("/study")
        host = study.split("/")[2]
        claim = (
            f"A study found that the station saves 80,000 tonnes of coal a year ([study]({study}))."
        )
        write_case(tmp_path, GOOD_DRAFT.replace("## Cost", f"{claim}\n\n## Cost"))
        run = examine(tmp_path, "--allowed-hosts", host)
    (issue,) = issues(run, "dead_citation")
    assert rejected(run)
    assert (issue["severity"], "80,000" in issue["claim"]) == ("high", True)
    assert study in issue["evidence"] + issue["problem"]
    states = run.artefact("iterations/claims_iteration_1.json")["sources"]
    assert states[study]["state"] == "dead"


def test_fifty_billion_against_thirty_is_a_high_numeric_error(tmp_path: Path) -> None:
    write_case(tmp_path, GOOD_DRAFT.replace("$30 billion", "$50 billion"))
    run = examine(tmp_path)
    (issue,) = issues(run, "numeric_error")
    assert rejected(run)
    assert issue["severity"] == "high"
    told = issue["problem"] + issue["evidence"]
    for part in ("50", "30", "67"):
        assert part in told


def test_both_critics_work_at_the_same_time_and_both_count(tmp_path: Path) -> None:
    write_case(tmp_path, GOOD_DRAFT)
    run = examine(tmp_path)
    first = [e["event"] for e in run.events() if e["agent"] in ("reviewer", "fact_checker")]
    assert first.index("examined") > 1
    assert {e["agent"] for e in run.events() if e["event"] == "examining"} == {
        "reviewer",
        "fact_checker",
    }
    votes = run.artefact("run.json")["iterations"][0]["votes"]
    assert votes == {"reviewer": "approve", "fact_checker": "approve"}
    assert (run.json["status"], run.command.returncode) == ("approved", 0)
    assert run.json["approval_basis"] == "deterministic_checks"
    assert run.json["headline"] == "approved by rules only; not reviewed for reasoning"
