"""What becomes of a review whose agents err, fail, crash or lie: nothing that was done is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from foureyes import Error, FailureKind, ReviewStatus, Severity, StorageError
from foureyes.datatypes import Defence, DefenceOutcome, Lens, NotDone, RedFinding, ReviewPhase
from foureyes.review.types import DefenceContext, RedReviewContext, SmokeContext
from support.reviews import FAULTS, open_review
from unit.review.sitting import REFUSED, Sitting, nothing_found, sit, survived, verified

BUDGET = Error(FailureKind.BUDGET, "usd limit of 1 would be exceeded")


def own(context: RedReviewContext) -> tuple[RedFinding, ...]:
    """One finding of the reviewer's own through the strategic lens."""
    if context.inputs.lens is not Lens.STRATEGIC:
        return ()
    return (
        RedFinding(
            "r-1", Lens.STRATEGIC, "renew the old quay", 5, "no date", "When?", Severity.HIGH
        ),
    )


def invented(context: RedReviewContext) -> tuple[RedFinding, ...]:
    """A finding that quotes words which do not stand there."""
    words = "renew the old pier"
    found = RedFinding(
        "r-2", Lens.TEXTUAL, words, 5, "wrong name", "It is a quay.", Severity.CRITICAL
    )
    return (found,) if context.inputs.lens is Lens.TEXTUAL else ()


def refused_lens(context: RedReviewContext) -> tuple[RedFinding, ...] | Error:
    return REFUSED if context.inputs.lens is Lens.STRATEGIC else ()


def issues(sitting: Sitting) -> list[str]:
    return [one.finding.issue for one in sitting.contents.findings]


async def test_what_rules_find_and_what_reviewers_add_is_one_review(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, red=own)
    assert sitting.end.status is ReviewStatus.COMPLETED
    assert set(issues(sitting)) >= {*FAULTS, "no date"}
    numbers = [one.number for one in sitting.contents.findings]
    assert "S-1" in numbers
    assert len(set(numbers)) == len(numbers)


async def test_a_lens_without_an_answer_is_not_done_and_everything_else_is_kept(
    tmp_path: Path,
) -> None:
    sitting = await sit(tmp_path, red=refused_lens)
    assert sitting.end.status is ReviewStatus.INCONCLUSIVE
    assert sitting.contents.manifest.not_done == (
        NotDone(ReviewPhase.RED, "strategic", "the model refused", FailureKind.REFUSED),
    )
    assert set(issues(sitting)) >= set(FAULTS)


async def test_what_a_reviewer_says_again_of_a_rules_finding_does_not_take_it_away(
    tmp_path: Path,
) -> None:
    def red(context: RedReviewContext) -> tuple[RedFinding, ...]:
        known = (one for one in context.inputs.known if one.issue == "broken_reference")
        worse = {"id": "again", "severity": Severity.HIGH, "by_rules": False}
        return tuple(replace(one, problem="All of it is lost.", **worse) for one in known)

    def smoke(context: SmokeContext) -> Mapping[str, str]:
        lost = (item for item in context.inputs.items if "lost" in item.statement)
        return {item.id: "too much is said" for item in lost}

    sitting = await sit(tmp_path, red=red, smoke=smoke)
    (kept,) = (f for f in sitting.contents.findings if f.finding.issue == "broken_reference")
    assert (kept.finding.by_rules, kept.merged) == (True, ("again",))
    assert kept.finding.severity is Severity.HIGH


async def test_what_was_not_done_is_asked_for_again_and_may_add_findings(tmp_path: Path) -> None:
    await sit(tmp_path, red=refused_lens)
    again = await sit(tmp_path, red=own)
    assert again.end.status is ReviewStatus.COMPLETED
    assert "no date" in issues(again)
    assert again.contents.manifest.not_done == ()


async def test_a_finding_without_its_defender_stands_and_says_so(tmp_path: Path) -> None:
    def blue(context: DefenceContext) -> Defence | Error:
        failing = context.inputs.finding.issue == "broken_reference"
        return REFUSED if failing else survived(context)

    sitting = await sit(tmp_path, blue=blue)
    assert sitting.end.status is ReviewStatus.INCONCLUSIVE
    (left,) = sitting.contents.manifest.not_done
    assert left.phase is ReviewPhase.DEFENCE
    undefended = [one for one in sitting.contents.findings if one.defence is None]
    assert [one.finding.issue for one in undefended] == ["broken_reference"]


async def test_a_finding_that_its_defence_kills_is_left_out_and_listed(tmp_path: Path) -> None:
    def blue(context: DefenceContext) -> Defence:
        finding = context.inputs.finding
        if finding.issue != "undefined_acronym":
            return survived(context)
        return Defence(finding.id, DefenceOutcome.KILLED, "It is plain.", "The XKB met twice")

    sitting = await sit(tmp_path, blue=blue)
    assert "undefined_acronym" not in issues(sitting)
    compiled = sitting.contents.compiled
    assert compiled is not None
    assert [one.finding.issue for one in compiled.killed] == ["undefined_acronym"]


async def test_words_that_do_not_stand_in_the_document_are_dropped_whoever_vouches_for_them(
    tmp_path: Path,
) -> None:
    asked: list[str] = []

    def smoke(context: SmokeContext) -> Mapping[str, str]:
        asked.extend(item.quote for item in context.inputs.items)
        return verified(context)

    sitting = await sit(tmp_path, red=invented, smoke=smoke)
    assert sitting.end.status is ReviewStatus.COMPLETED
    assert "wrong name" not in issues(sitting)
    tested = sitting.contents.tested
    assert tested is not None
    assert [(one.finding.finding.issue, one.reason) for one in tested.dropped] == [
        ("wrong name", "its quote is not in the document")
    ]
    assert "renew the old pier" not in asked


async def test_testers_share_the_findings_and_drop_what_reviewers_added_and_no_rule_found(
    tmp_path: Path,
) -> None:
    shares: list[set[str]] = []

    def smoke(context: SmokeContext) -> Mapping[str, str]:
        items = context.inputs.items
        shares.append({item.id for item in items})
        wrong = (item for item in items if item.quote in ("Section 7", "renew the old quay"))
        return {item.id: "it is not so" for item in wrong}

    sitting = await sit(tmp_path, smoke=smoke, red=own)
    assert "no date" not in issues(sitting)
    doubted = [one.finding.issue for one in sitting.contents.findings if one.doubt]
    assert doubted == ["broken_reference"]
    assert len(shares) == 3
    assert sum(map(len, shares)) == len({id_ for share in shares for id_ in share})
    tested = sitting.contents.tested
    assert tested is not None
    assert [one.reason for one in tested.dropped] == ["it is not so"]


async def test_a_review_that_is_done_asks_nobody_again_and_keeps_its_doubts(
    tmp_path: Path,
) -> None:
    def smoke(context: SmokeContext) -> Mapping[str, str]:
        return {item.id: "I doubt it" for item in context.inputs.items}

    first = await sit(tmp_path, smoke=smoke)
    asked: list[RedReviewContext] = []

    def red(context: RedReviewContext) -> tuple[RedFinding, ...]:
        asked.append(context)
        return own(context)

    again = await sit(tmp_path, red=red)
    assert again.end == first.end
    assert again.contents.findings == first.contents.findings
    assert asked == []


async def test_findings_that_no_tester_answered_for_are_kept_and_the_review_is_inconclusive(
    tmp_path: Path,
) -> None:
    sitting = await sit(tmp_path, smoke=lambda _: REFUSED)
    assert sitting.end.status is ReviewStatus.INCONCLUSIVE
    assert set(issues(sitting)) >= set(FAULTS)
    assert {one.phase for one in sitting.contents.manifest.not_done} == {ReviewPhase.SMOKE}


async def test_an_agent_that_crashes_has_given_no_answer(tmp_path: Path) -> None:
    def crashing(context: DefenceContext) -> Defence:
        raise ZeroDivisionError(context.inputs.finding.id)

    sitting = await sit(tmp_path, blue=crashing)
    assert sitting.end.status is ReviewStatus.INCONCLUSIVE
    kinds = {one.kind for one in sitting.contents.manifest.not_done}
    assert kinds == {FailureKind.CRASHED}


async def test_a_review_whose_budget_is_used_up_says_so(tmp_path: Path) -> None:
    sitting = await sit(tmp_path, blue=lambda _: BUDGET)
    assert sitting.end.status is ReviewStatus.BUDGET_EXCEEDED
    assert "limit" in sitting.end.reason


async def test_a_fault_of_the_disk_ends_the_review_as_failed_and_it_goes_on_later(
    tmp_path: Path,
) -> None:
    def full(context: RedReviewContext) -> tuple[RedFinding, ...]:
        if context.inputs.lens is Lens.TEXTUAL:
            raise StorageError("the disk is full")
        return nothing_found(context)

    with pytest.raises(StorageError):
        await sit(tmp_path, red=full)
    manifest = open_review(tmp_path).manifest
    assert (manifest.status, manifest.reason) == (ReviewStatus.FAILED, "the disk is full")
    assert (await sit(tmp_path)).end.status is ReviewStatus.COMPLETED


async def test_a_review_that_is_cancelled_is_recorded_so_and_goes_on_later(
    tmp_path: Path,
) -> None:
    begun = asyncio.Event()

    def cancelling(context: DefenceContext) -> Defence:
        begun.set()
        return survived(context)

    task = asyncio.create_task(sit(tmp_path, blue=cancelling))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert open_review(tmp_path).manifest.status is ReviewStatus.CANCELLED
    assert (await sit(tmp_path)).end.status is ReviewStatus.COMPLETED
