"""What a person is told about a pack."""

from __future__ import annotations

from dataclasses import replace

import pytest
from foureyes import ApprovalBasis, PackReport, RunStatus
from foureyes.datatypes import Difference, PackCheck
from foureyes.packs.verify import SHOWN_DIFFERENCES, pack_lines

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
    (),
)
LEDGER = Difference(
    PackCheck.VERDICTS, "verify/claim_ledger.json", "entries[0].verdict", "supported", "disputed"
)


def test_a_pack_that_holds_is_told_with_its_run_and_digest() -> None:
    told = list(pack_lines(REPORT))
    assert told[1] == (
        "run:    ab12, The crane: approved by rules only; not reviewed for reasoning "
        "(foureyes 0.1.0)"
    )
    assert told[2] == f"digest: {'d' * 64}"
    assert "--digest" in told[3]
    assert "     ok      60  members are as the manifest lists them" in told
    assert told[-1] == "everything in the pack holds"


def test_a_digest_that_was_given_is_not_asked_for_but_said_to_be_that_of_the_pack_or_not() -> None:
    given = replace(REPORT, digest_given=True)
    assert not any("--digest" in line for line in pack_lines(given))
    assert list(pack_lines(given))[3] == "        it is the one given"
    other = Difference(PackCheck.DIGEST, "manifest.json", "", "digest e", "digest d")
    assert (
        list(pack_lines(replace(given, differences=(other,))))[3]
        == "        it is not the one given"
    )


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
    assert told in list(pack_lines(replace(REPORT, differences=(one,))))


def test_the_check_that_found_it_is_marked_and_many_are_counted() -> None:
    many = (LEDGER,) * (SHOWN_DIFFERENCES + 3)
    told = list(pack_lines(replace(REPORT, differences=many)))
    assert "DIFFERS       7  claims were verified again" in told
    assert "43 differences:" in told
    assert told[-1] == "  and 3 more, see --json"


@pytest.mark.parametrize(
    ("check", "words"),
    [
        (PackCheck.CONTAINER, "members are as the manifest lists them"),
        (PackCheck.RULES, "rules of its own are those that its settings name"),
        (PackCheck.CONCLUSIONS, "iterations were concluded again: ledger, gate, sources, end"),
        (PackCheck.END, "iterations were concluded again: ledger, gate, sources, end"),
    ],
)
def test_no_line_says_ok_of_what_differs(check: PackCheck, words: str) -> None:
    counts = dict.fromkeys((PackCheck.MEMBERS, PackCheck.RULES, PackCheck.END), 2)
    report = replace(REPORT, checked=counts, differences=(replace(LEDGER, check=check),))
    told = list(pack_lines(report))
    assert f"DIFFERS       2  {words}" in told
    assert sum(line.startswith("     ok") for line in told) == len(counts) - 1


def test_a_pack_without_rules_of_its_own_says_nothing_of_them() -> None:
    told = list(pack_lines(replace(REPORT, checked={PackCheck.MEMBERS: 60, PackCheck.RULES: 0})))
    assert not any("rules of its own" in line for line in told)


def test_versions_and_rules_of_the_runs_own_are_told() -> None:
    report = replace(REPORT, own_rules=("rules/registry/gate.yaml",), versions={"lxml": "5 there"})
    told = "\n".join(pack_lines(report))
    assert "the run went by its own rules: rules/registry/gate.yaml" in told
    assert "another version of lxml: 5 there" in told


def test_nothing_that_a_pack_says_begins_a_line_of_its_own() -> None:
    forged = replace(LEDGER, member="a\neverything in the pack holds", found="\x1b[2J\u2028x")
    told = list(pack_lines(replace(REPORT, title="T\neverything", differences=(forged,))))
    assert not any(line.startswith("everything") for line in told)
    assert not any("\x1b" in line or "\u2028" in line for line in told)
