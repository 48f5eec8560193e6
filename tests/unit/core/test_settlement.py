"""A user's own policy before an approval: what it may say, and what becomes of it."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from foureyes import ApprovalBasis, RunStatus, SettlementAnswer, SettlementCase, SettlementPolicy
from foureyes.base.files import from_json
from foureyes.core.approval import (
    SETTLEMENT_FILE,
    RunEnding,
    SettlementHook,
    apply_settlement,
    blocks,
    call_hook_once,
    recompute_blocked,
)
from foureyes.core.record_folder import JournalSteps
from foureyes.datatypes import Settlement, SettlementMode, SettlementOutcome
from support.loop_agents import (
    APPROVE,
    ListedCritic,
    ListedDrafter,
    ListedEvidence,
    ListedJudge,
    Loop,
    conclusion,
    new_store,
    reject,
    vote,
)

M = SettlementMode
Came = SettlementOutcome
CASE = SettlementCase(None, 1, "Draft 1", ApprovalBasis.INDEPENDENT_REVIEW, (), None, None)
YES, NO = SettlementAnswer(True), SettlementAnswer(False, reason="the oracle is down")
LATER = SettlementAnswer(True, block_synthesize=True)


def hook(policy: SettlementPolicy, mode: M = M.ENFORCE, timeout_s: float = 5.0) -> SettlementHook:
    return SettlementHook("mine:policy", policy, mode, timeout_s)


@pytest.mark.parametrize(
    ("answer", "blocking"),
    [
        (YES, ()),
        (NO, (M.ENFORCE, M.STRICT)),
        (LATER, (M.ENFORCE, M.STRICT)),
        (None, (M.STRICT,)),
    ],
)
def test_the_mode_says_what_a_word_or_its_lack_does(
    answer: SettlementAnswer | None, blocking: tuple[M, ...]
) -> None:
    assert tuple(mode for mode in M if blocks(mode, answer)) == blocking


def plain(case: SettlementCase) -> SettlementAnswer:
    return replace(NO, reason=f"{case.draft} is not ours")


def mapping(case: SettlementCase) -> Mapping[str, object]:
    return {"ok": False, "reason": f"{case.draft} is not ours"}


async def coroutine(case: SettlementCase) -> SettlementAnswer:
    return plain(case)


@pytest.mark.parametrize("policy", [plain, mapping, coroutine])
async def test_a_policy_answers_with_a_record_a_mapping_or_later(policy: SettlementPolicy) -> None:
    found = await hook(policy)(CASE)
    assert found == Settlement(
        "mine:policy", M.ENFORCE, 1, Came.ANSWERED, False, False, "Draft 1 is not ours", True
    )
    assert recompute_blocked(found)


def crashes(case: SettlementCase) -> SettlementAnswer:
    raise TimeoutError("its own")


def leaves(case: SettlementCase) -> SettlementAnswer:
    sys.exit(0)


def babbles(case: SettlementCase) -> SettlementAnswer:
    return cast("Any", {"ok": "perhaps"})


@pytest.mark.parametrize(
    ("policy", "reason"),
    [
        (crashes, "TimeoutError: its own"),
        (leaves, "RuntimeError: the policy called sys.exit(0)"),
        (babbles, "no settlement answer: ok: Input should be true or false"),
    ],
)
@pytest.mark.parametrize("mode", M)
async def test_a_policy_that_fails_blocks_in_strict_mode_alone(
    policy: SettlementPolicy, reason: str, mode: M
) -> None:
    found = await hook(policy, mode)(CASE)
    assert (found.outcome, found.ok, found.blocked) == (Came.CRASHED, None, mode is M.STRICT)
    assert found.reason.startswith(reason)


async def test_a_policy_that_takes_too_long_is_left_alone() -> None:
    release = threading.Event()

    def sleeps(case: SettlementCase) -> SettlementAnswer:
        release.wait(30)
        return YES

    began = time.monotonic()
    found = await hook(sleeps, M.STRICT, 0.05)(CASE)
    assert time.monotonic() - began < 5
    release.set()
    assert (found.outcome, found.reason, found.blocked) == (
        Came.TIMED_OUT,
        "no answer within 0.05 s",
        True,
    )


class Counting:
    """A policy that gives one answer after the other."""

    def __init__(self, *answers: SettlementAnswer) -> None:
        self.answers = list(answers)

    def __call__(self, case: SettlementCase) -> SettlementAnswer:
        """The next answer."""
        return self.answers.pop(0)


async def test_a_block_is_asked_for_again_and_an_answer_is_not(tmp_path: Path) -> None:
    policy = Counting(NO, YES)
    steps = JournalSteps(tmp_path)
    blocked = [(await call_hook_once(hook(policy), CASE, steps)).blocked for _ in range(3)]
    assert (blocked, policy.answers) == ([True, False, False], [])
    other = replace(CASE, draft="Draft 2")
    policy.answers.append(YES)
    await call_hook_once(hook(policy), other, steps)
    assert policy.answers == []


def test_only_a_block_changes_the_end() -> None:
    end = RunEnding(RunStatus.APPROVED, "2 critics approved")
    stands = Settlement("p", M.ENFORCE, 1, Came.ANSWERED, True, False, "", False)
    assert apply_settlement(end, None) == apply_settlement(end, stands) == end
    withheld = apply_settlement(end, replace(stands, ok=False, blocked=True))
    assert withheld.status is RunStatus.INCONCLUSIVE
    assert withheld.reason.startswith("settlement_blocked: 2 critics approved, but p withholds it")


def loop(folder: Path, policy: SettlementPolicy, *first: Any) -> Loop:
    critics = [ListedCritic(name, *first, vote(APPROVE)) for name in ("reviewer", "fact_checker")]
    return Loop(
        ListedDrafter(),
        critics,
        judge=ListedJudge(APPROVE),
        evidence=ListedEvidence(conclusion()),
        store=new_store(folder),
        settlement=hook(policy),
    )


async def test_a_block_ends_inconclusive_without_a_judge_and_can_go_on(tmp_path: Path) -> None:
    policy = Counting(NO, YES)
    given = loop(tmp_path, policy, reject("a"))
    result = await given.pipeline().run("brief", ())
    store = given.store
    assert store is not None
    assert (result.status, result.best_iteration) == (RunStatus.INCONCLUSIVE, 2)
    assert store.manifest.settlement_blocked
    assert "the oracle is down" in store.manifest.reason
    kept = from_json(Settlement, store.read(f"verify/{SETTLEMENT_FILE}"))
    assert (kept.blocked, kept.iteration) == (True, 2)
    assert cast("ListedJudge", given.judge).asked == []
    result = await given.pipeline().run("brief", ())
    assert (result.status, store.manifest.settlement_blocked) == (RunStatus.APPROVED, False)
    assert result.settlement == from_json(Settlement, store.read(f"verify/{SETTLEMENT_FILE}"))
    assert len(cast("ListedJudge", given.judge).asked) == 1


async def test_a_draft_that_is_not_approved_is_not_settled(tmp_path: Path) -> None:
    policy = Counting()
    given = loop(tmp_path, policy, *(reject(name) for name in "abc"))
    result = await given.pipeline().run("brief", ())
    assert (result.status, result.settlement) == (RunStatus.MAX_ITERATIONS, None)
