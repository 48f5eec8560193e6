"""What people decide about claims, laid over a ledger."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from foureyes import (
    Claim,
    Examination,
    Ledger,
    LedgerEntry,
    Location,
    Recommendation,
    ReviewChoice,
    Severity,
    StorageError,
    TransitionRefused,
    Verdict,
)
from foureyes.core._ledger_stage import with_history
from foureyes.core.iteration import (
    DECISIONS_FILE,
    apply_decisions,
    decisions_before,
    decisions_in,
    settled_claims,
    still_missing,
)
from foureyes.core.review_queue import (
    basis_of,
    counting,
    rejections,
    require_allowed,
    revised,
    with_decisions,
)
from foureyes.datatypes import (
    Checker,
    CitationState,
    CitedAddress,
    ClaimAssessment,
    ClaimState,
    ReviewDecision,
    SupportTier,
)
from support.loop_agents import APPROVE, REJECT, claim, finding, vote

V = Verdict
C = ReviewChoice
AT = datetime(2025, 3, 1, 12, tzinfo=UTC)


def line(name: str, verdict: Verdict = V.UNVERIFIABLE, text: str = "") -> LedgerEntry:
    place = Location(3, 1, 0, 1)
    return LedgerEntry(name, text or name, place, verdict, CitationState.DIRECT, "a reason")


def ledger(*entries: LedgerEntry, iteration: int = 1, previous: Ledger | None = None) -> Ledger:
    return with_history(Ledger(iteration, entries), engine={}, previous=previous)


def decision(
    entry: LedgerEntry, choice: C, why: str = "seen", iteration: int = 1
) -> ReviewDecision:
    return ReviewDecision(entry.claim_id, choice, "Ana", AT, why, iteration, basis_of(entry), 0)


def by_code(name: str, verdict: Verdict) -> dict[str, ClaimAssessment]:
    return {name: ClaimAssessment(name, verdict, CitationState.DIRECT, "96 is not 69")}


def decided(
    given: Ledger,
    *made: ReviewDecision,
    previous: Ledger | None = None,
) -> Ledger:
    return with_decisions(given, counting(given, made), previous=previous)


def verdicts(given: Ledger) -> list[Verdict]:
    return [entry.verdict for entry in given.entries]


@pytest.mark.parametrize(
    ("choice", "verdict", "state"),
    [
        (C.ACCEPT, V.SUPPORTED, ClaimState.SUPPORTED),
        (C.REJECT, V.CONTRADICTED, ClaimState.CONTRADICTED),
        (C.EXCLUDE, V.NOT_CHECKABLE, ClaimState.EXCLUDED),
    ],
)
def test_a_decision_moves_its_claim_and_says_who_when_and_why(
    choice: C, verdict: V, state: ClaimState
) -> None:
    given = ledger(line("a"), line("b"))
    after = decided(given, decision(given.entries[0], choice))
    assert verdicts(after) == [verdict, V.UNVERIFIABLE]
    (entry, _) = after.entries
    step = entry.history[-1]
    assert (entry.state, step.by, step.after) == (state, Checker.HUMAN, state)
    assert "by Ana on 2025-03-01: seen" in step.reason
    assert entry.open_contradiction is (choice is C.REJECT)
    assert Checker.HUMAN in entry.checked_by


def test_the_last_decision_on_a_claim_counts() -> None:
    given = ledger(line("a"))
    (entry,) = given.entries
    made = (decision(entry, C.REJECT), decision(entry, C.ACCEPT))
    assert verdicts(decided(given, *made)) == [V.SUPPORTED]


def other_words(entry: LedgerEntry) -> LedgerEntry:
    return replace(entry, text="140 people")


def other_verdict(entry: LedgerEntry) -> LedgerEntry:
    return replace(entry, verdict=V.DISPUTED)


@pytest.mark.parametrize("change", [other_words, other_verdict])
def test_a_decision_on_what_is_no_longer_so_does_not_count(
    change: Callable[[LedgerEntry], LedgerEntry],
) -> None:
    made = decision(line("a"), C.ACCEPT)
    given = ledger(change(line("a")))
    assert decided(given, made) == given


def test_a_decision_counts_from_its_iteration_on() -> None:
    made = decision(line("a"), C.ACCEPT, iteration=2)
    first = decided(ledger(line("a")), made)
    assert verdicts(first) == [V.UNVERIFIABLE]
    second = decided(ledger(line("a"), iteration=2, previous=first), made, previous=first)
    third = decided(ledger(line("a"), iteration=3, previous=second), made, previous=second)
    assert verdicts(second) == verdicts(third) == [V.SUPPORTED]
    # What checkers find again, and the person has answered, adds nothing to the history.
    assert third.entries[0].history == second.entries[0].history
    assert [step.iteration for step in third.entries[0].history] == [1, 2]


def test_a_person_makes_no_sources() -> None:
    known = replace(line("a", V.DISPUTED), tier=SupportTier.VERIFIED, confidence=0.9)
    given = ledger(known)
    (entry,) = decided(given, decision(given.entries[0], C.ACCEPT)).entries
    assert (entry.state, entry.tier) == (ClaimState.SUPPORTED, SupportTier.UNVERIFIED)


@pytest.mark.parametrize("choice", [C.ACCEPT, C.EXCLUDE])
def test_a_person_lifts_what_code_found_contradicted(choice: C) -> None:
    engine = by_code("a", V.CONTRADICTED)
    given = with_history(Ledger(1, (line("a", V.CONTRADICTED),)), engine=engine)
    (entry,) = decided(given, decision(given.entries[0], choice)).entries
    assert [step.by for step in entry.history] == [Checker.ENGINE, Checker.HUMAN]
    assert not entry.open_contradiction


def test_a_person_lifts_what_a_later_check_by_code_found() -> None:
    (entry,) = ledger(line("a")).entries
    found = revised(entry, V.CONTRADICTED, iteration=1, by=Checker.ENGINE, reason="another source")
    assert verdicts(decided(Ledger(1, (found,)), decision(found, C.ACCEPT))) == [V.SUPPORTED]


def test_a_person_overrules_a_critic() -> None:
    engine = by_code("a", V.UNVERIFIABLE)
    given = with_history(Ledger(1, (line("a", V.CONTRADICTED),)), engine=engine)
    after = decided(given, decision(given.entries[0], C.ACCEPT))
    assert [step.by for step in after.entries[0].history] == [
        Checker.ENGINE,
        Checker.FACT_CHECKER,
        Checker.HUMAN,
    ]


def test_a_claim_without_a_source_is_not_accepted() -> None:
    bare = replace(line("a"), citation_state=CitationState.NONE)
    with pytest.raises(TransitionRefused, match="cites no source"):
        require_allowed(bare, C.ACCEPT)
    require_allowed(bare, C.EXCLUDE)
    with pytest.raises(TransitionRefused, match="supported already"):
        require_allowed(line("a", V.SUPPORTED), C.ACCEPT)


def test_a_rejection_is_a_finding_for_the_author() -> None:
    given = ledger(line("a"), line("b"))
    made = counting(given, [decision(e, c) for e, c in zip(given.entries, C, strict=False)])
    (finding,) = rejections(given, made)
    assert (finding.claim_id, finding.origin, finding.location) == (
        "b",
        "person",
        Location(3, 1, 0, 1),
    )
    assert "rejected by Ana on 2025-03-01: seen" in finding.problem


def choice_on(subject: str, choice: ReviewChoice, sitting: int = 0) -> ReviewDecision:
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
    made = {choice.value: choice_on(choice.value, choice) for choice in ReviewChoice}
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
    made = [choice_on("a", ReviewChoice.ACCEPT, sitting) for sitting in (0, 1)]
    decisions_in(tmp_path).add(*made)
    assert [len(decisions_before(tmp_path, sitting)) for sitting in range(3)] == [0, 1, 2]
    (tmp_path / DECISIONS_FILE).write_text("[{", encoding="utf-8")
    with pytest.raises(StorageError, match="is damaged"):
        decisions_before(tmp_path, 1)
