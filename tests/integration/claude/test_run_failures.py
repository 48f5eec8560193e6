"""Each way an agent can fail, in a whole run over the real CLI: how it ends, and what is kept."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import TypeAlias

import pytest
from foureyes import ExitCode, FailureKind, RunStatus
from integration.claude.claude_run import Limits, Office, cli_processes
from support.claude_turn import edit, read, working_folder
from support.messages_server import (
    Answer,
    Fault,
    MessagesServer,
    Reply,
    Request,
    Rule,
    ToolCall,
    Trouble,
    failing_first,
)
from support.model_rules import FORMS, NAMED_FILE, Plan, plays
from support.runs import GOOD_DRAFT

pytestmark = [pytest.mark.cli, pytest.mark.timeout(300)]

Failing: TypeAlias = Callable[[Office], Rule]
REVIEWER, CHECKER = "1/reviewer", "1/fact_checker/batch-01"
K, S = FailureKind, RunStatus
MARGIN_S = 10.0
"""How much longer than the configured time a failing turn may take (issue 3)."""
TALK = "Should the council go on talking about the matter, and would that help anybody now? " * 12
LONG_DRAFT = GOOD_DRAFT.replace("## Sources", f"{TALK}\n\n" * 90 + "## Sources")


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait for at most 50 s, in a thread of the server."""
    deadline = time.monotonic() + 50
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)


def form_of(request: Request) -> Path:
    names = NAMED_FILE.findall(request.prompt)
    return working_folder(request) / next(name for name in FORMS if name in names)


# --- what the failing critic's model does --------------------------------------------------------


def status(code: int, retry_after_s: int | None = None) -> Failing:
    return always(Trouble(Fault.STATUS, code, retry_after_s))


def always(answer: Answer) -> Failing:
    return lambda _office: lambda _request: answer


def refuses_connections(office: Office) -> Rule:
    """The server goes when the sibling is done."""

    def rule(request: Request) -> Answer:
        sibling = OTHER_CRITIC[request.turn]
        wait_for(lambda: any(one.step == 2 and one.ended for one in office.server.of(sibling)))
        return Trouble(Fault.REFUSED)

    return rule


def kills_the_cli(office: Office) -> Rule:
    def rule(request: Request) -> Answer:
        if request.step == 0:
            return plays(Plan())(request)
        for pid in cli_processes(office.folder, request.turn):
            os.kill(pid, signal.SIGKILL)
        return Reply("Nobody is there to hear this.")

    return rule


def fills_half(_office: Office) -> Rule:
    def half(call: ToolCall) -> ToolCall:
        if call.name != "Edit":
            return call
        before, after = (json.loads(call.input[key]) for key in ("old_string", "new_string"))
        after["recommendation_reason"] = before["recommendation_reason"]
        return edit(call.input["file_path"], call.input["old_string"], json.dumps(after, indent=2))

    return changed(half)


def reads_a_part(_office: Office) -> Rule:
    def first_parts(call: ToolCall) -> ToolCall:
        path = str(call.input["file_path"])
        return read(path.replace("-part-2-", "-part-1-")) if call.name == "Read" else call

    return changed(first_parts)


def changed(change: Callable[[ToolCall], ToolCall]) -> Rule:
    """The model that behaves, but for its calls."""

    def rule(request: Request) -> Answer:
        reply = plays(Plan())(request)
        return replace(reply, calls=tuple(map(change, reply.calls)))

    return rule


def breaks_the_file(_office: Office) -> Rule:
    def rule(request: Request) -> Answer:
        reply = plays(Plan())(request)
        if not reply.calls:
            form_of(request).write_bytes(b'{"recommendation": ')
        return reply

    return rule


def reads_for_ever(_office: Office) -> Rule:
    return lambda request: Reply("", (read(form_of(request), offset=request.step + 1),))


@dataclass(frozen=True)
class Case:
    """A failure of `turn`, and how a run ends in which nothing else fails.

    `configured_s` is the longest that the limits let the failing turn take. Always run is one that
    kills, and below one in which the model refuses; the soak test has all of them, for both
    critics. Which failure is of which kind is shown of turns alone, and what ends a run, or is
    mended in vain, of agents without a CLI.
    """

    name: str
    failing: Failing
    kind: FailureKind
    turn: str = REVIEWER
    configured_s: float = 60.0
    status: RunStatus = S.INCONCLUSIVE
    limits: Limits = field(default_factory=Limits)
    draft: str = GOOD_DRAFT
    soak: bool = False

    @property
    def agent(self) -> str:
        return self.turn.split("/")[1]


def limits_of(turn: str, **bounds: float | Decimal) -> Limits:
    return replace(Limits(only=turn.split("/")[1]), **bounds)


CASES = [
    Case("401", status(401), K.AUTH, soak=True),
    Case("403", status(403), K.AUTH, CHECKER, soak=True),
    Case("404", status(404), K.REFUSED, soak=True),
    Case("429", status(429, retry_after_s=1), K.RATE_LIMITED, CHECKER, soak=True),
    Case("429 for an hour", status(429, retry_after_s=3600), K.RATE_LIMITED, soak=True),
    Case("500", status(500), K.UNAVAILABLE, CHECKER, soak=True),
    Case("529", status(529), K.UNAVAILABLE, soak=True),
    Case(
        "connection refused",
        refuses_connections,
        K.UNAVAILABLE,
        CHECKER,
        limits=Limits(request_timeout_s=60),
        soak=True,
    ),
    Case("HTML", always(Trouble(Fault.HTML)), K.UNAVAILABLE, soak=True),
    Case(
        "garbled stream", always(Trouble(Fault.GARBLED_STREAM)), K.UNAVAILABLE, CHECKER, soak=True
    ),
    Case("cut stream", always(Trouble(Fault.CUT_STREAM)), K.UNAVAILABLE, soak=True),
    Case(
        "slow headers",
        always(Trouble(Fault.SLOW_HEADERS)),
        K.TIMEOUT,
        CHECKER,
        configured_s=5,
        limits=Limits(request_timeout_s=2),
        soak=True,
    ),
    # The CLI waits at least 10 s for a stream that has begun.
    Case(
        "stalled stream",
        always(Trouble(Fault.STALLED_STREAM)),
        K.TIMEOUT,
        configured_s=10,
        limits=Limits(retries=0, idle_timeout_s=1),
        soak=True,
    ),
    Case(
        "stalled stream beyond the turn's time",
        always(Trouble(Fault.STALLED_STREAM)),
        K.TIMEOUT,
        CHECKER,
        configured_s=3,
        limits=limits_of(CHECKER, timeout_s=3),
        soak=True,
    ),
    Case("the CLI is killed", kills_the_cli, K.CRASHED, CHECKER),
    Case("the model declines", always(Reply("No.", stop_reason="refusal")), K.REFUSED, soak=True),
    Case("a half-filled form", fills_half, K.MALFORMED, soak=True),
    Case("a form broken beyond repair", breaks_the_file, K.MALFORMED, CHECKER, soak=True),
    Case(
        "a part of a long document is read", reads_a_part, K.MALFORMED, draft=LONG_DRAFT, soak=True
    ),
    Case(
        "too many turns",
        reads_for_ever,
        K.MAX_TURNS,
        limits=limits_of(REVIEWER, max_turns=4),
        soak=True,
    ),
    Case(
        "an endless loop of tools",
        reads_for_ever,
        K.TIMEOUT,
        CHECKER,
        configured_s=3,
        limits=limits_of(CHECKER, timeout_s=3, max_turns=10_000),
        soak=True,
    ),
    Case(
        "the budget is reached",
        reads_for_ever,
        K.BUDGET,
        status=S.BUDGET_EXCEEDED,
        limits=limits_of(REVIEWER, max_cost_usd=Decimal("0.02")),
        soak=True,
    ),
]
OTHER_CRITIC = {REVIEWER: CHECKER, CHECKER: REVIEWER}


def mirrored(case: Case) -> Case:
    """The same failure of the other critic, for the soak test."""
    turn = OTHER_CRITIC[case.turn]
    only = turn.split("/")[1] if case.limits.only else ""
    return replace(case, turn=turn, limits=replace(case.limits, only=only), soak=True)


@pytest.fixture
def office(server: MessagesServer, tmp_path: Path) -> Office:
    return Office(server, tmp_path)


# The fact checker is never given more of a document than its excerpt.
MIRRORED = [mirrored(case) for case in CASES if case.draft is not LONG_DRAFT]
PARAMETERS = [
    pytest.param(
        case, id=f"{case.agent}: {case.name}", marks=[pytest.mark.soak] if case.soak else []
    )
    for case in [*CASES, *MIRRORED]
]


@pytest.mark.parametrize("case", PARAMETERS)
async def test_a_critic_that_fails_loses_nothing_of_its_sibling_and_can_be_asked_again(
    office: Office, case: Case
) -> None:
    office.limits = case.limits
    await office.prepare(plays(Plan()), case.draft)
    office.server.rules[case.turn] = case.failing(office)
    result = await office.run()
    assert result.status is case.status
    assert result.exit_code is EXITS[case.status]
    (failed,) = office.store().manifest.iterations[0].failures.items()
    assert (failed[0], failed[1].partition(":")[0]) == (case.agent, case.kind.value)
    assert seconds_of(office, case.agent) < case.configured_s + MARGIN_S
    sibling = OTHER_CRITIC[case.turn]
    assert entry(sibling) in office.journal()
    assert cli_processes(office.folder) == []
    await goes_on_without(office, case.turn, S.APPROVED)


def seconds_of(office: Office, agent: str) -> float:
    """From the start of the agent's first turn until it was given up."""
    events = [event for event in office.store().events() if event.agent == agent]
    first = next(event for event in events if event.event == "turn_started")
    last = next(event for event in events if event.event == "critic_failed")
    return (last.at - first.at).total_seconds()


EXITS = {
    S.INCONCLUSIVE: ExitCode.INCONCLUSIVE,
    S.BUDGET_EXCEEDED: ExitCode.BUDGET,
    S.FAILED: ExitCode.FAILED,
    S.APPROVED: ExitCode.OK,
}


def entry(turn: str) -> str:
    """The journal's name of an agent's answer."""
    return "-".join(turn.split("/")[:2])


async def goes_on_without(office: Office, turn: str, status: RunStatus) -> None:
    """Resume with a healthy server: of the finished turns none is asked for again."""
    asked, finished = office.asked(), set(office.journal())
    office.limits = Limits(batch_claims=office.limits.batch_claims)
    office.server.listen()
    office.server.rules.clear()
    assert (await office.run()).status is status
    again = office.asked() - asked
    assert turn in again
    assert finished.isdisjoint(name.replace("/", "-") for name in again)
    assert entry(turn) in office.journal()


async def test_a_failed_batch_alone_is_asked_for_again(office: Office) -> None:
    office.limits = Limits(batch_claims=4)
    failing = "1/fact_checker/batch-02"
    await office.prepare(plays(Plan()), GOOD_DRAFT)
    office.server.rules[failing] = lambda _request: Trouble(Fault.STATUS, 401)
    result = await office.run()
    assert (result.status, result.exit_code) == (S.INCONCLUSIVE, ExitCode.INCONCLUSIVE)
    assert result.reason.startswith("a critic could not finish: fact_checker: ")
    assert "401" in result.reason
    assert "1-fact_checker-batch-01" in office.journal()
    asked = office.asked()
    await goes_on_without(office, failing, S.APPROVED)
    assert set(office.asked() - asked) == {failing}


async def test_a_turn_that_fails_in_passing_is_tried_again(office: Office) -> None:
    office.limits = Limits(agent_retries=1, retries=0)
    await office.prepare(plays(Plan()), GOOD_DRAFT)
    broken = failing_first(1, Trouble(Fault.STATUS, 529), plays(Plan()))
    office.server.rules[REVIEWER] = broken
    assert (await office.run()).status is S.APPROVED
    assert office.asked()[REVIEWER] == 4


OBJECTION = {
    "severity": "high",
    "criterion": "coverage",
    "quote": "",
    "problem": "The owners are missing.",
    "evidence": "",
    "recommendation": "Name them.",
}


@pytest.mark.parametrize(
    ("turn", "status", "kept", "after"),
    [
        ("1/analyst", S.FAILED, set[str](), S.MAX_ITERATIONS),
        pytest.param(
            "2/analyst",
            S.INCONCLUSIVE,
            {"1-reviewer", "1-fact_checker", "1-analyst"},
            S.INCONCLUSIVE,
            marks=pytest.mark.soak,
        ),
    ],
)
async def test_an_analyst_that_fails(
    office: Office, turn: str, status: RunStatus, kept: set[str], after: RunStatus
) -> None:
    office.flags = {"max_iterations": int(turn.partition("/")[0])}
    plan = Plan({"A title": "Arnsund"}, {"Arnsund": "Arnsund, owned"}, {1: [OBJECTION]})
    await office.prepare(plays(plan))
    office.server.rules[turn] = lambda _request: Trouble(Fault.STATUS, 401)
    result = await office.run()
    assert (result.status, result.exit_code) == (status, EXITS[status])
    assert result.best_iteration == (1 if kept else None)
    assert kept <= set(office.journal())
    assert cli_processes(office.folder) == []
    await goes_on_without(office, turn, after)


async def test_a_judge_that_fails_is_marked_and_asked_again(office: Office) -> None:
    office.flags = {"mode": "full_evaluation"}
    await office.prepare(plays(Plan()), GOOD_DRAFT)
    office.server.rules["1/judge"] = lambda _request: Trouble(Fault.STATUS, 401)
    result = await office.run()
    assert (result.status, result.judge_failed) == (S.APPROVED, True)
    assert result.exit_code is ExitCode.INCONCLUSIVE
    assert office.store().manifest.judge_failed
    await goes_on_without(office, "1/judge", S.APPROVED)
    assert not office.store().manifest.judge_failed
