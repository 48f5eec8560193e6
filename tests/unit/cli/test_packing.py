"""What a person is told about a pack."""

from __future__ import annotations

from dataclasses import replace

import pytest
from foureyes.assembly.packs import PackReport
from foureyes.cli.packing import SHOWN_DIFFERENCES, lines
from foureyes.core.approval import ApprovalBasis, RunStatus
from foureyes.report.pack_model import Difference, PackCheck

REPORT = PackReport(
    "evidence_pack.zip",
    "d" * 64,
    False,
    "ab12",
    "The crane",
    RunStatus.APPROVED,
    ApprovalBasis.DETERMINISTIC_CHECKS,
    "0.1.0",
    {PackCheck.MEMBERS: 60, PackCheck.VERDICTS: 7},
    (),
    (),
    {},
    (),
)
LEDGER = Difference(
    PackCheck.VERDICTS, "verify/claim_ledger.json", "entries[0].verdict", "supported", "disputed"
)


def test_a_pack_that_holds_is_told_with_its_run_and_digest() -> None:
    told = list(lines(REPORT))
    assert told[1] == (
        "run:    ab12, The crane: approved by rules only; not reviewed for reasoning "
        "(foureyes 0.1.0)"
    )
    assert told[2] == f"digest: {'d' * 64}"
    assert "--digest" in told[3]
    assert "     ok      60  members are as the manifest lists them" in told
    assert told[-1] == "everything in the pack holds"


def test_a_digest_that_was_given_is_not_asked_for() -> None:
    assert not any("--digest" in line for line in lines(replace(REPORT, digest_given=True)))


@pytest.mark.parametrize(
    ("one", "told"),
    [
        (
            replace(LEDGER, claim_id="c-1"),
            "  verify/claim_ledger.json: claim c-1: entries[0].verdict: recorded 'supported', "
            "found 'disputed'",
        ),
        (
            Difference(PackCheck.REPLAY, "", "", "a record", "damage", other_version=True),
            "  replay: recorded 'a record', found 'damage' (other version)",
        ),
    ],
)
def test_a_difference_is_one_line(one: Difference, told: str) -> None:
    assert told in list(lines(replace(REPORT, differences=(one,))))


def test_the_check_that_found_it_is_marked_and_many_are_counted() -> None:
    many = (LEDGER,) * (SHOWN_DIFFERENCES + 3)
    told = list(lines(replace(REPORT, differences=many)))
    assert "DIFFERS       7  claims were verified again" in told
    assert "43 differences:" in told
    assert told[-1] == "  and 3 more, see --json"


def test_versions_and_rules_of_the_runs_own_are_told() -> None:
    report = replace(REPORT, own_rules=("rules/registry/gate.yaml",), versions={"lxml": "5 there"})
    told = "\n".join(lines(report))
    assert "the run went by its own rules: rules/registry/gate.yaml" in told
    assert "another version of lxml: 5 there" in told
