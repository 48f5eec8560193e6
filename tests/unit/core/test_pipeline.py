"""The loop over real agents: every end, every file, nothing twice."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import cast

import pytest
from foureyes import (
    ApprovalBasis,
    BudgetExceeded,
    Critic,
    Error,
    Examination,
    ExitCode,
    FailureKind,
    FoureyesError,
    GateDecision,
    IterationWork,
    PipelineResult,
    Progress,
    Recommendation,
    ReplyError,
    ReviewCriterion,
    RunStatus,
    Severity,
    StorageError,
    TemplateError,
    TurnUsage,
    Verdict,
)
from foureyes.core.result import RunFinisher
from foureyes.datatypes import BudgetConfig, Conclusion, FindingChanges, Material
from support.loop_agents import (
    APPROVE,
    BRIEF,
    REJECT,
    USAGE,
    ListedCritic,
    ListedDrafter,
    ListedEvidence,
    ListedJudge,
    Loop,
    conclusion,
    entry,
    finding,
    new_store,
    reject,
    vote,
)

YES = vote(APPROVE)
CRASH = Error(FailureKind.CRASHED, "it broke", TurnUsage(messages=1))
SPENT = Error(FailureKind.BUDGET, "nothing left")
PASS = conclusion(GateDecision.PASS, entry("c1", Verdict.SUPPORTED))
FAIL = conclusion(GateDecision.FAIL, entry("c1", Verdict.UNVERIFIABLE))
WAIT = conclusion(GateDecision.PENDING_REVIEW, entry("c1", Verdict.UNVERIFIABLE))
S = RunStatus


def critics(*first: Examination | Error | Exception) -> tuple[ListedCritic, ListedCritic]:
    return ListedCritic("reviewer", *first), ListedCritic("fact_checker", YES)


async def run(loop: Loop, *, draft: str | None = None) -> PipelineResult:
    return await loop.pipeline().run(BRIEF, (), draft=draft)


@dataclass(frozen=True)
class End:
    name: str
    votes: tuple[Examination | Error | Exception, ...]
    status: RunStatus
    iterations: int
    best: int
    evidence: tuple[Conclusion, ...] = (PASS,)


ENDS = [
    End("approved at once", (YES,), S.APPROVED, 1, 1),
    End("approved when revised", (reject("a", "b"), reject("b"), YES), S.APPROVED, 3, 3),
    End(
        "approved though an earlier draft had fewer findings",
        (vote(REJECT), vote(APPROVE, finding("low", Severity.LOW))),
        S.APPROVED,
        2,
        2,
    ),
    End("never approved", (reject("a"), reject("b"), reject("c", "d")), S.MAX_ITERATIONS, 3, 2),
    End("the last draft is examined too", (reject("a"), reject("b"), YES), S.APPROVED, 3, 3),
    End("the same findings again", (reject("a"), reject("a")), S.STALLED, 2, 2),
    End(
        "nothing resolved for two iterations",
        (reject("a"), reject("a", "b"), reject("a", "b", "c")),
        S.STALLED,
        3,
        1,
    ),
    End("a critic fails", (reject("a"), CRASH), S.INCONCLUSIVE, 2, 1),
    End("a critic raises", (ValueError("a bug"),), S.INCONCLUSIVE, 1, 1),
    End("a critic cannot be read", (ReplyError("gibberish"),), S.INCONCLUSIVE, 1, 1),
    End("a critic has no budget", (reject("a"), SPENT), S.BUDGET_EXCEEDED, 2, 1),
    End("a critic meets a limit", (BudgetExceeded("turns", 1, 2),), S.BUDGET_EXCEEDED, 1, 1),
    End("the gate waits", (YES,), S.INCONCLUSIVE, 1, 1, (WAIT,)),
    End("the gate fails twice alike", (YES,), S.STALLED, 2, 2, (FAIL,)),
    End("the gate fails first", (YES,), S.APPROVED, 2, 2, (FAIL, PASS)),
]


@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.name)
async def test_the_loop_ends(end: End) -> None:
    evidence = ListedEvidence(*end.evidence)
    result = await run(Loop(ListedDrafter(), critics(*end.votes), evidence=evidence))
    assert (result.status, len(result.iterations)) == (end.status, end.iterations), result.reason
    assert result.best_iteration == end.best
    assert result.analysis == f"Draft {end.best}"
    assert result.findings == result.iterations[end.best - 1].findings
    assert result.reason


@pytest.mark.parametrize(
    ("count", "votes", "status", "iterations"),
    [
        (0, (), S.NOT_REVIEWED, 1),
        (1, (YES,), S.REVIEWED, 1),
        (1, (reject("a"), YES), S.REVIEWED, 2),
        (1, (reject("a"), reject("b"), reject("c")), S.MAX_ITERATIONS, 3),
        (2, (YES,), S.REVIEWED, 1),
        (3, (reject("a"), YES), S.REVIEWED, 2),
    ],
)
async def test_without_a_gate_nothing_is_approved(
    count: int, votes: tuple[Examination, ...], status: RunStatus, iterations: int
) -> None:
    loop = Loop(ListedDrafter(), [ListedCritic(f"critic-{i}", *votes) for i in range(count)])
    result = await run(loop)
    assert (result.status, len(result.iterations)) == (status, iterations)
    assert result.approval_basis is None
    assert result.exit_code_for(require_approval=True) is ExitCode.NOT_APPROVED


@pytest.mark.parametrize(
    ("failure", "first", "later"),
    [
        (CRASH, S.FAILED, S.INCONCLUSIVE),
        (SPENT, S.BUDGET_EXCEEDED, S.BUDGET_EXCEEDED),
        (ValueError("a bug"), S.FAILED, S.INCONCLUSIVE),
    ],
)
async def test_a_failed_analyst_fails_the_run_only_before_there_is_a_draft(
    failure: Error | Exception, first: RunStatus, later: RunStatus
) -> None:
    result = await run(Loop(ListedDrafter(failure), critics(YES)))
    assert (result.status, result.analysis, result.best_iteration) == (first, "", None)
    result = await run(Loop(ListedDrafter(None, failure), critics(reject("a"))))
    assert (result.status, result.analysis, result.best_iteration) == (later, "Draft 1", 1)


async def test_findings_of_all_critics_and_the_gate_go_to_the_next_draft() -> None:
    drafter = ListedDrafter()
    pair = (ListedCritic("reviewer", reject("a")), ListedCritic("fact_checker", reject("b")))
    await run(Loop(drafter, pair, evidence=ListedEvidence(FAIL), max_iterations=2))
    first, second = drafter.asked
    assert (first.draft, first.findings) == ("", ())
    assert second.draft == "Draft 1"
    assert {f.id for f in second.findings} > {"a", "b"}
    assert any(f.type is ReviewCriterion.GATE for f in second.findings)
    assert pair[0].asked[1].previous_findings == second.findings


async def test_two_critics_of_one_name_are_refused() -> None:
    pair = (ListedCritic("reviewer", YES), ListedCritic("reviewer", reject("a")))
    with pytest.raises(ValueError, match="same name"):
        Loop(ListedDrafter(), pair).pipeline()


async def test_a_given_draft_takes_the_place_of_the_first_turn() -> None:
    drafter = ListedDrafter()
    pair = critics(reject("a"), YES)
    await run(Loop(drafter, pair), draft="My draft\r\n")
    assert [work.iteration for work in drafter.asked] == [2]
    assert drafter.asked[0].draft == "My draft\r\n"
    assert [work.draft for work in pair[0].asked] == ["My draft\r\n", "Draft 2"]


async def test_each_iteration_counts_new_resolved_and_recurring_findings(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    votes = (reject("a", "b"), reject("b", "c"), YES)
    result = await run(Loop(ListedDrafter(), critics(*votes), store=store))
    changes = [FindingChanges(2, 0, 0), FindingChanges(1, 1, 1), FindingChanges(0, 2, 0)]
    assert [iteration.changes for iteration in result.iterations] == changes
    assert [summary.changes for summary in store.manifest.iterations] == changes


@pytest.mark.parametrize("independent", [True, False])
async def test_an_approval_says_what_it_rests_on(independent: bool) -> None:
    pair = [ListedCritic(name, vote(APPROVE, independent=independent)) for name in ("a", "b")]
    result = await run(Loop(ListedDrafter(), pair, evidence=ListedEvidence(PASS)))
    expected = ApprovalBasis.DETERMINISTIC_CHECKS
    if independent:
        expected = ApprovalBasis.INDEPENDENT_REVIEW
    assert result.approval_basis is expected
    strict = result.exit_code_for(require_independent=True)
    assert strict is (ExitCode.OK if independent else ExitCode.INCONCLUSIVE)


@pytest.mark.parametrize(
    ("votes", "answer", "status", "failed", "code"),
    [
        ((YES,), APPROVE, S.APPROVED, False, 0),
        ((YES,), REJECT, S.INCONCLUSIVE, False, 2),
        ((YES,), CRASH, S.APPROVED, True, 2),
        ((reject("a"), reject("a")), APPROVE, S.STALLED, False, 1),
        ((reject("a"), reject("a")), REJECT, S.STALLED, False, 1),
        ((reject("a"), reject("a")), CRASH, S.STALLED, True, 2),
        ((reject("a"), reject("b"), reject("c")), APPROVE, S.MAX_ITERATIONS, False, 1),
    ],
)
async def test_the_judge_can_withhold_an_approval_and_never_give_one(
    votes: tuple[Examination, ...],
    answer: Recommendation | Error,
    status: RunStatus,
    failed: bool,
    code: int,
) -> None:
    judge = ListedJudge(answer)
    evidence = ListedEvidence(PASS)
    result = await run(Loop(ListedDrafter(), critics(*votes), judge=judge, evidence=evidence))
    assert (result.status, result.judge_failed, int(result.exit_code)) == (status, failed, code)
    assert (result.judgement is None) == failed
    assert (result.approval_basis is None) == (status is not S.APPROVED)
    assert len(judge.asked) == 1


@pytest.mark.parametrize(
    ("answer", "status", "code"),
    [(APPROVE, S.REVIEWED, 0), (REJECT, S.INCONCLUSIVE, 2), (CRASH, S.REVIEWED, 2)],
)
async def test_the_judge_also_judges_what_one_critic_has_reviewed(
    answer: Recommendation | Error, status: RunStatus, code: int
) -> None:
    judge = ListedJudge(answer)
    (critic, _) = critics(YES)
    result = await run(Loop(ListedDrafter(), (critic,), judge=judge))
    assert (result.status, int(result.exit_code), len(judge.asked)) == (status, code, 1)
    assert result.approval_basis is None


@pytest.mark.parametrize("votes", [(CRASH,), (SPENT,)])
async def test_an_end_without_a_verdict_is_not_judged(votes: tuple[Error, ...]) -> None:
    judge = ListedJudge(APPROVE)
    result = await run(Loop(ListedDrafter(), critics(*votes), judge=judge))
    assert (judge.asked, result.judgement, result.judge_failed) == ([], None, False)


async def test_the_judge_gets_the_delivered_iteration_with_every_file() -> None:
    judge = ListedJudge(APPROVE)
    votes = (reject("a", "b"), reject("c"), reject("d", "e"))
    evidence = ListedEvidence(PASS)
    await run(Loop(ListedDrafter(), critics(*votes), judge=judge, evidence=evidence))
    work = judge.asked[0]
    assert (work.iteration, work.inputs.draft) == (2, "Draft 2")
    files = {"reviewer_iteration_2.json", "fact_checker_iteration_2.json", "claim_ledger.json"}
    assert set(work.inputs.artefacts) == files
    assert [f.id for f in work.inputs.open_findings] == ["c"]
    assert work.inputs.ledger is not None
    assert work.inputs.gate is not None


class Slow:
    """A critic that answers after the other is done, or never."""

    def __init__(self, name: str, seconds: float) -> None:
        self.name = name
        self.seconds = seconds
        self.cancelled = False

    async def examine(self, work: IterationWork) -> Examination | Error:
        try:
            await asyncio.sleep(self.seconds)
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        return YES


async def test_the_critics_work_at_the_same_time() -> None:
    pair = (Slow("reviewer", 1.0), Slow("fact_checker", 1.2))
    started = asyncio.get_running_loop().time()
    result = await run(Loop(ListedDrafter(), pair))
    assert asyncio.get_running_loop().time() - started < 2.0
    assert list(result.iterations[0].examinations) == ["reviewer", "fact_checker"]


@pytest.mark.parametrize("failure", [CRASH, ValueError("a bug")])
async def test_a_crashed_critic_never_loses_the_answer_of_the_other(
    tmp_path: Path, failure: Error | Exception
) -> None:
    store = new_store(tmp_path)
    pair = (ListedCritic("reviewer", failure), ListedCritic("fact_checker", reject("a")))
    result = await run(Loop(ListedDrafter(), pair, store=store))
    assert result.status is S.INCONCLUSIVE
    assert [*result.iterations[0].failures] == ["reviewer"]
    assert store.read("iterations/fact_checker_iteration_1.json") == "{}"
    steps = {path.name.split(".")[0] for path in store.journal.iterdir()}
    assert steps == {"1-analyst", "1-fact_checker"}
    assert store.manifest.iterations[0].failures.keys() == {"reviewer"}


class WrongSignature:
    name = "reviewer"

    async def examine(self) -> Examination:
        return YES


class NoAnswer:
    name = "reviewer"

    async def examine(self, work: IterationWork) -> None:
        return None


@pytest.mark.parametrize("wrong", [WrongSignature(), NoAnswer()])
async def test_a_critic_that_breaks_the_protocol_has_crashed(wrong: object) -> None:
    pair = cast("list[Critic]", [wrong, ListedCritic("fact_checker", reject("a"))])
    result = await run(Loop(ListedDrafter(), pair))
    assert result.status is S.INCONCLUSIVE
    assert result.iterations[0].failures["reviewer"].kind is FailureKind.CRASHED
    assert [*result.iterations[0].examinations] == ["fact_checker"]


async def test_a_run_directory_holds_every_artefact(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    evidence = ListedEvidence(PASS)
    loop = Loop(
        ListedDrafter(), critics(reject("a"), YES), ListedJudge(APPROVE), evidence, store=store
    )
    result = await run(loop)
    assert result.run_dir == store.path
    assert {p.name for p in (store.path / "iterations").iterdir()} == {
        f"{name}_iteration_{n}.{kind}"
        for n in (1, 2)
        for name, kind in (
            ("analysis", "md"),
            ("claims", "json"),
            ("reviewer", "json"),
            ("fact_checker", "json"),
            ("outcome", "json"),
        )
    }
    assert store.read("iterations/analysis_iteration_2.md") == "Draft 2"
    assert store.read("verify/claim_ledger.json") == "2\n"
    assert store.read("verify/iteration_1/claim_ledger.json") == "1\n"
    assert json.loads(store.read("judgement.json"))["recommendation"] == "approve"
    assert json.loads(store.read("analytics.json"))["turns"] == 7
    manifest = store.open(store.path).manifest
    assert (manifest.status, manifest.best_iteration, manifest.reason) == (
        S.APPROVED,
        2,
        result.reason,
    )
    assert manifest.ended is not None
    assert not (store.path / ".work").exists()


async def test_events_tell_the_story(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    evidence = ListedEvidence(PASS)
    loop = Loop(ListedDrafter(), critics(CRASH), evidence=evidence, store=store)
    await run(loop)
    told = [(event.event, event.agent) for event in loop.events]
    # Critics work side by side: which is done first nobody says.
    told[7:9] = sorted(told[7:9])
    assert told == [
        ("run_started", ""),
        ("drafting", "analyst"),
        ("drafted", "analyst"),
        ("gathering_evidence", ""),
        ("evidence_gathered", ""),
        ("examining", "reviewer"),
        ("examining", "fact_checker"),
        ("critic_failed", "reviewer"),
        ("examined", "fact_checker"),
        ("iteration_ended", ""),
        ("run_ended", ""),
    ]
    kept = [(event.event, event.agent) for event in store.events() if event.event != "turn"]
    assert kept == told


async def test_a_resumed_run_runs_nothing_twice_and_counts_nothing_twice(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    votes = (reject("a"), YES)
    drafter, pair = ListedDrafter(), critics(*votes)
    first = await run(Loop(drafter, pair, ListedJudge(APPROVE), ListedEvidence(PASS), store=store))
    again = Loop(ListedDrafter(), critics(), ListedJudge(CRASH), ListedEvidence(PASS))
    again.store = store.open(store.path)
    second = await run(again)
    assert (second.status, second.analysis) == (first.status, first.analysis)
    assert second.judgement == first.judgement
    assert second.analytics.total() == first.analytics.total()
    assert second.analytics.agents() == first.analytics.agents()
    assert again.store.manifest.resumed == 1


async def test_a_failed_critic_is_asked_again_on_resume_and_the_other_is_not(
    tmp_path: Path,
) -> None:
    store = new_store(tmp_path)
    evidence = ListedEvidence(PASS)
    await run(Loop(ListedDrafter(), critics(CRASH), evidence=evidence, store=store))
    pair = critics(YES)
    drafter = ListedDrafter()
    result = await run(Loop(drafter, pair, evidence=ListedEvidence(PASS), store=store))
    assert result.status is S.APPROVED
    assert (len(drafter.asked), len(pair[0].asked), len(pair[1].asked)) == (0, 1, 0)
    total = result.analytics.total()
    assert (total.messages, total.cost_usd) == (7, Decimal("0.75"))


HALF = vote(APPROVE, unfinished=(Error(FailureKind.TIMEOUT, "too slow"),))


@pytest.mark.parametrize(
    ("first", "status"),
    [(HALF, S.INCONCLUSIVE), (replace(reject("a"), unfinished=HALF.unfinished), S.MAX_ITERATIONS)],
)
async def test_a_critic_that_did_not_finish_is_asked_again_on_resume(
    tmp_path: Path, first: Examination, status: S
) -> None:
    store, evidence = new_store(tmp_path), ListedEvidence(PASS)
    pair = (ListedCritic("reviewer", YES), ListedCritic("fact_checker", first))
    ended = await run(Loop(ListedDrafter(), pair, evidence=evidence, store=store, max_iterations=1))
    assert ended.status is status
    drafter, pair = ListedDrafter(), critics(CRASH)
    again = Loop(drafter, pair, evidence=ListedEvidence(PASS), store=store, max_iterations=1)
    assert (await run(again)).status is S.APPROVED
    assert (len(drafter.asked), len(pair[0].asked), len(pair[1].asked)) == (0, 0, 1)


async def test_an_unfinished_answer_that_the_loop_went_on_from_is_not_asked_for_again(
    tmp_path: Path,
) -> None:
    store, drafter = new_store(tmp_path), ListedDrafter(None, CRASH)
    first = replace(reject("a"), unfinished=HALF.unfinished)
    pair = (ListedCritic("reviewer", YES), ListedCritic("fact_checker", first))
    ended = await run(Loop(drafter, pair, evidence=ListedEvidence(PASS), store=store))
    assert ended.status is S.INCONCLUSIVE
    pair = (ListedCritic("reviewer", YES), ListedCritic("fact_checker", YES))
    result = await run(Loop(ListedDrafter(), pair, evidence=ListedEvidence(PASS), store=store))
    assert (result.status, result.best_iteration) == (S.APPROVED, 2)
    assert [[work.iteration for work in critic.asked] for critic in pair] == [[2], [2]]


async def test_a_changed_brief_asks_again(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    await run(Loop(ListedDrafter(), critics(YES), store=store))
    drafter = ListedDrafter()
    material = Material("a.md", "A", "0" * 64, "text")
    await Loop(drafter, critics(YES), store=store).pipeline().run(BRIEF, (material,))
    assert len(drafter.asked) == 1


async def test_cancellation_ends_both_critics_and_leaves_a_resumable_run(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    pair = (Slow("reviewer", 60), Slow("fact_checker", 60))
    task = asyncio.create_task(run(Loop(ListedDrafter(), pair, store=store)))
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [critic.cancelled for critic in pair] == [True, True]
    manifest = store.open(store.path).manifest
    assert (manifest.status, manifest.best_iteration) == (S.CANCELLED, 1)
    drafter = ListedDrafter()
    result = await run(Loop(drafter, critics(YES), store=store.open(store.path)))
    assert (result.status, len(drafter.asked)) == (S.REVIEWED, 0)


async def test_the_deadline_ends_the_run_with_the_best_draft(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    pair = (ListedCritic("reviewer", YES), Slow("fact_checker", 60))
    budgets = BudgetConfig(max_minutes=1 / 60)
    result = await run(Loop(ListedDrafter(), pair, store=store, budgets=budgets))
    assert (result.status, result.analysis) == (S.BUDGET_EXCEEDED, "Draft 1")
    assert result.exit_code is ExitCode.BUDGET
    assert pair[1].cancelled
    assert store.read("iterations/reviewer_iteration_1.json") == "{}"


async def test_a_deadline_that_meets_the_judge_marks_it_failed() -> None:
    class SlowJudge(ListedJudge):
        async def judge(self, work: object) -> Error:
            await asyncio.sleep(60)
            return CRASH

    budgets = BudgetConfig(max_minutes=1 / 60)
    judge, evidence = SlowJudge(APPROVE), ListedEvidence(PASS)
    result = await run(Loop(ListedDrafter(), critics(YES), judge, evidence, budgets=budgets))
    assert (result.status, result.judge_failed) == (S.APPROVED, True)


@pytest.mark.parametrize(
    "error", [TemplateError("a slot is missing"), StorageError("the disk is full")]
)
async def test_an_error_of_the_run_is_recorded_and_raised(
    tmp_path: Path, error: FoureyesError
) -> None:
    store = new_store(tmp_path)
    with pytest.raises(type(error), match=str(error)):
        await run(Loop(ListedDrafter(), critics(error), store=store))
    manifest = store.manifest
    assert (manifest.status, manifest.reason) == (S.FAILED, str(error))
    assert store.read("iterations/fact_checker_iteration_1.json") == "{}"


async def test_a_disk_that_refuses_everything_is_one_storage_error(tmp_path: Path) -> None:
    store = new_store(tmp_path)

    def break_disk(progress: Progress) -> None:
        if progress.event == "drafted":
            (store.path / "iterations").rmdir()
            (store.path / "iterations").write_text("", encoding="utf-8")
            (store.path / "analytics.json").mkdir()

    loop = Loop(ListedDrafter(), critics(YES), store=store, on_progress=break_disk)
    with pytest.raises(StorageError, match=r"analysis_iteration_1\.md"):
        await run(loop)


def finisher(name: str, seen: list[str], error: Exception | None = None) -> RunFinisher:
    def write(result: PipelineResult, run_dir: Path) -> None:
        manifest = json.loads((run_dir / "run.json").read_bytes())
        assert manifest["status"] == result.status
        seen.append(name)
        if error is not None:
            raise error

    return RunFinisher(name, write, is_proof=name != "memory")


async def test_finishers_run_in_order_after_the_end(tmp_path: Path) -> None:
    seen: list[str] = []
    finishers = [
        finisher("report", seen),
        finisher("memory", seen, OSError("no space")),
        finisher("pack", seen),
    ]
    loop = Loop(ListedDrafter(), critics(YES), store=new_store(tmp_path), finishers=finishers)
    result = await run(loop)
    assert seen == ["report", "memory", "pack"]
    assert result.status is S.REVIEWED


@pytest.mark.parametrize(
    ("error", "why"), [(OSError(28, "No space left"), "No space left"), (ValueError("a"), "a")]
)
async def test_a_run_without_its_proof_is_inconclusive(
    tmp_path: Path, error: Exception, why: str
) -> None:
    seen: list[str] = []
    finishers = [
        finisher("summary", seen),
        finisher("evidence pack", seen, error),
        finisher("last", seen),
    ]
    store = new_store(tmp_path)
    result = await run(Loop(ListedDrafter(), critics(YES), store=store, finishers=finishers))
    # The summary is written once more: the first one says that the run has ended otherwise.
    assert seen == ["summary", "evidence pack", "summary"]
    assert result.status is S.INCONCLUSIVE
    assert result.exit_code == 2
    assert "the evidence pack could not be written" in result.reason
    assert why in result.reason
    manifest = store.open(store.path).manifest
    assert (manifest.status, manifest.reason) == (result.status, result.reason)


async def test_an_agent_that_records_its_own_turns_is_not_counted_twice() -> None:
    class Recording(ListedCritic):
        async def examine(self, work: IterationWork) -> Examination | Error:
            for _ in range(2):
                work.services.recorder.record_turn(self.name, work.iteration, USAGE, "ok")
            return replace(YES, usage=USAGE + USAGE)

    result = await run(Loop(ListedDrafter(), (Recording("reviewer"),)))
    reviewer = result.analytics.agents()[1]
    assert (reviewer.agent, reviewer.turns, reviewer.usage) == ("reviewer", 2, USAGE + USAGE)


async def test_many_loops_at_once_stay_apart(tmp_path: Path) -> None:
    stores = [new_store(tmp_path) for _ in range(5)]
    loops = [Loop(ListedDrafter(), critics(reject("a"), YES), store=store) for store in stores]
    results = await asyncio.gather(*(run(loop) for loop in loops))
    assert {result.run_dir for result in results} == {store.path for store in stores}
    assert [result.analytics.total().messages for result in results] == [12] * 5
