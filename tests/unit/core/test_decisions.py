"""The effect of people's decisions on votes and on sources that were not fetched."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from foureyes import Claim, Examination, Recommendation, ReviewChoice, Severity, StorageError
from foureyes.core.iteration import (
    DECISIONS_FILE,
    apply_decisions,
    decisions_before,
    decisions_in,
    settled_claims,
    still_missing,
)
from foureyes.datatypes import CitationState, CitedAddress, ReviewDecision
from support.loop_agents import APPROVE, REJECT, claim, finding, vote

AT = datetime(2025, 3, 1, 12, tzinfo=UTC)


def decision(subject: str, choice: ReviewChoice, sitting: int = 0) -> ReviewDecision:
    return ReviewDecision(subject, choice, "Ana", AT, "seen", 1, "basis", sitting)


def rejecting(*severities: Severity) -> Examination:
    """A fact checker's rejection: one finding on each of c0, c1, …"""
    findings = [
        replace(finding(f"f{number}", severity), claim_id=f"c{number}")
        for number, severity in enumerate(severities)
    ]
    return replace(vote(REJECT, *findings), assessments=())


H, M, L, X = Severity.HIGH, Severity.MEDIUM, Severity.LOW, Severity.CRITICAL


@pytest.mark.parametrize(
    ("severities", "settled", "left", "expected"),
    [
        ((H, M), {"c0", "c1"}, 0, APPROVE),
        ((H, L), {"c0"}, 1, APPROVE),
        ((H, M), {"c0"}, 1, REJECT),
        ((H, M), {"other"}, 2, REJECT),
        ((X,), {"c0"}, 1, REJECT),
    ],
)
def test_a_critic_is_heard_without_what_people_let_stand(
    severities: tuple[Severity, ...], settled: set[str], left: int, expected: Recommendation
) -> None:
    after = apply_decisions(rejecting(*severities), frozenset(settled))
    assert (len(after.findings), after.recommendation) == (left, expected)


def test_a_critic_of_the_reasoning_is_heard_as_it_is() -> None:
    given = replace(rejecting(H), assessments=None)
    assert apply_decisions(given, frozenset({"c0"})) == given


def test_what_is_rejected_does_not_stand() -> None:
    made = {choice.value: decision(choice.value, choice) for choice in ReviewChoice}
    assert settled_claims(made) == {"accept", "exclude"}


def citing(name: str, *urls: str) -> Claim:
    cited = tuple(CitedAddress(url, CitationState.DIRECT, "1") for url in urls)
    return replace(claim(name), cited=cited)


def test_a_source_is_missed_until_all_its_claims_are_decided() -> None:
    claims = [citing("a", "u", "v"), citing("b", "v")]
    urls = ("u", "v", "w")
    assert still_missing(urls, claims, ()) == urls
    assert still_missing(urls, claims, {"a"}) == ("v", "w")
    assert still_missing(urls, claims, {"a", "b"}) == ("w",)


def test_decisions_count_in_the_sitting_after(tmp_path: Path) -> None:
    assert decisions_before(tmp_path, 1) == ()
    made = [decision("a", ReviewChoice.ACCEPT, sitting) for sitting in (0, 1)]
    decisions_in(tmp_path).add(*made)
    assert [len(decisions_before(tmp_path, sitting)) for sitting in range(3)] == [0, 1, 2]
    (tmp_path / DECISIONS_FILE).write_text("[{", encoding="utf-8")
    with pytest.raises(StorageError, match="is damaged"):
        decisions_before(tmp_path, 1)
