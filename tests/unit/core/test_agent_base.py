"""One agent's task through a real backend, from template to read answer."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial
from pathlib import Path

import anyio
import pytest
from foureyes import (
    AgentTask,
    BackendUnavailable,
    BaseAgent,
    BaseAgentConfig,
    BaseContext,
    BudgetExceeded,
    Error,
    FailureKind,
    Progress,
    PromptError,
    PromptLibrary,
    ReplyError,
    Role,
    RunAnalytics,
    StorageError,
    Success,
    TemplateLibrary,
    Turn,
    TurnLimits,
    TurnUsage,
)
from foureyes.base.files import append_line, from_json, to_json
from foureyes.core.budget import Budget
from foureyes.core.record_folder import JournalSteps
from foureyes.core.tasks import AgentResult
from foureyes.datatypes import Backoff, BudgetConfig, RunEvent, RunServices
from support.kills import ends_before_write
from support.scripted_backend import (
    USAGE,
    Fail,
    Fill,
    Hang,
    Link,
    Move,
    Raise,
    ScriptedBackend,
    Write,
)

TEMPLATE = {"title": "Note", "mood": "[TODO: good or bad]", "remarks": ["[at most 2]", "[TODO: x]"]}
GOOD = Fill({"/mood": "good", "/remarks": []})
HALF = Fill({"/mood": "good"})
UNREADABLE = Fill({"/mood": "so so", "/remarks": []})
RATE_LIMITED = Fail(Error(FailureKind.RATE_LIMITED, "slow down", USAGE))
REFUSED = Fail(Error(FailureKind.REFUSED, "no", USAGE))


RecordedTurn = tuple[str, int, TurnUsage, str]


class NoteAgent(BaseAgent[BaseAgentConfig, BaseContext, str]):
    role = Role.REVIEWER
    limits = TurnLimits(timeout_s=30)

    @property
    def agent_name(self) -> str:
        return "noter"

    def build_task(self, context: BaseContext) -> AgentTask[object]:
        template = self.templates.json_template("note.json")
        return AgentTask(
            role=self.role,
            name=f"{context.iteration}/noter",
            inputs=None,
            system_prompt="You take notes.",
            user_prompt="Say how it is.",
            file_name="note.json",
            template=template.text,
            policy=template.policy,
            readable={"sections/01.md": "All is well."},
            limits=self.limits,
        )

    def read_reply(self, context: BaseContext, turn: Turn) -> str:
        mood = json.loads(turn.text)["mood"]
        if mood not in ("good", "bad"):
            raise ReplyError(f"/mood is {mood!r}: write good or bad")
        return mood


class ImpatientAgent(NoteAgent):
    limits = TurnLimits(timeout_s=0.002)


class DraftingAgent(NoteAgent):
    role = Role.ANALYST


@dataclass
class Recorder:
    turns: list[RecordedTurn] = field(default_factory=list[RecordedTurn])

    def record_turn(
        self, agent: str, iteration: int, usage: TurnUsage, outcome: str, *, task: str = ""
    ) -> None:
        self.turns.append((agent, iteration, usage, outcome))

    def knows_turn(self, task: str) -> bool:
        return any(outcome == "ok" for *_, outcome in self.turns)

    @property
    def outcomes(self) -> list[str]:
        return [outcome for _, _, _, outcome in self.turns]


@dataclass
class Desk:
    """An agent at work in a temporary run."""

    folder: Path
    backend: ScriptedBackend
    agent: NoteAgent
    recorder: Recorder
    events: list[Progress]
    context: BaseContext

    def left_behind(self) -> list[Path]:
        return list((self.folder / "work").iterdir())


def at_work(
    folder: Path,
    moves: Sequence[Move],
    *,
    kind: type[NoteAgent] = NoteAgent,
    budgets: BudgetConfig | None = None,
    retries: int = 2,
    independent: bool = False,
) -> Desk:
    for path, text in {
        "prompts/agents/mend.md": "Mend {{ file_name }}: {{ problems | join('; ') }}. {{ task }}",
        "templates/note.json": json.dumps(TEMPLATE),
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    (folder / "journal").mkdir(exist_ok=True)
    backend = ScriptedBackend(moves, independent=independent)
    agent = kind(
        BaseAgentConfig(retries=retries),
        backend,
        PromptLibrary(base=folder / "prompts"),
        TemplateLibrary(base=folder / "templates"),
        backoff=Backoff(base_s=0.0),
    )
    recorder, events = Recorder(), list[Progress]()
    services = RunServices(
        JournalSteps(folder / "journal"),
        recorder,
        Budget(budgets or BudgetConfig()),
        events.append,
        folder / "work",
    )
    context = BaseContext(iteration=1, max_iterations=3, services=services)
    return Desk(folder, backend, agent, recorder, events, context)


async def test_a_filled_template_is_read_recorded_and_cleared_away(tmp_path: Path) -> None:
    bench = at_work(tmp_path, [GOOD])
    assert await bench.agent.process(bench.context) == Success("good", USAGE)
    assert bench.backend.files == [
        {
            "note.json": bench.agent.build_task(bench.context).template,
            "sections/01.md": "All is well.",
        }
    ]
    assert bench.recorder.turns == [("noter", 1, USAGE, "ok")]
    assert [event.event for event in bench.events] == ["turn_started", "turn_ended"]
    assert bench.left_behind() == []


@pytest.mark.parametrize("first", [HALF, UNREADABLE, Write("{"), Write('{"mood": "good"}')])
async def test_a_malformed_answer_is_mended_by_the_agent(tmp_path: Path, first: Move) -> None:
    bench = at_work(tmp_path, [first, GOOD])
    assert await bench.agent.process(bench.context) == Success("good", USAGE + USAGE)
    assert "turn_mended" in [event.event for event in bench.events]
    assert bench.left_behind() == []


async def test_each_refused_call_is_an_event_however_the_turn_ends(tmp_path: Path) -> None:
    mended = Fill({"/mood": "good"}, refused=("Bash: not offered",))
    failed = Fail(Error(FailureKind.AUTH, "no", refused=("Read: not open",)))
    bench = at_work(tmp_path, [mended, failed])
    await bench.agent.process(bench.context)
    refused = [event.detail for event in bench.events if event.event == "tool_refused"]
    assert refused == ["1/noter: Bash: not offered", "1/noter: Read: not open"]


async def test_the_journal_keeps_the_calls_that_were_refused_before_mending(tmp_path: Path) -> None:
    half = Fill({"/mood": "good"}, refused=("Bash: not offered",))
    bench = at_work(tmp_path, [half, GOOD])
    await bench.agent.process(bench.context)
    (entry,) = (tmp_path / "journal").iterdir()
    assert json.loads(entry.read_text("utf-8"))["refused"] == ["Bash: not offered"]


async def test_mending_does_not_write_through_a_link(tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text("not ours")
    bench = at_work(tmp_path, [Link(outside), GOOD])
    assert await bench.agent.process(bench.context) == Success("good", USAGE + USAGE)
    assert outside.read_text() == "not ours"


async def test_a_mending_turn_gets_the_problems_the_task_and_the_file_as_it_is(
    tmp_path: Path,
) -> None:
    bench = at_work(tmp_path, [HALF, GOOD])
    await bench.agent.process(bench.context)
    mending = bench.backend.tasks[1]
    assert mending.user_prompt == (
        "Mend note.json: /remarks/0 is still the example: fill it, or remove it. Say how it is."
    )
    assert json.loads(mending.template)["mood"] == "good"
    assert bench.backend.files[1]["note.json"] == mending.template


async def test_a_damaged_file_is_mended_from_a_fresh_template(tmp_path: Path) -> None:
    bench = at_work(tmp_path, [Write('{"title": "Mine"}'), GOOD])
    await bench.agent.process(bench.context)
    assert bench.backend.files[1]["note.json"] == bench.backend.files[0]["note.json"]


async def test_an_answer_malformed_three_times_is_an_error_and_no_verdict(tmp_path: Path) -> None:
    bench = at_work(tmp_path, [HALF, UNREADABLE, UNREADABLE, GOOD])
    outcome = await bench.agent.process(bench.context)
    assert isinstance(outcome, Error)
    assert (outcome.kind, outcome.message) == (
        FailureKind.MALFORMED,
        "/mood is 'so so': write good or bad",
    )
    assert json.loads(outcome.partial)["mood"] == "so so"
    assert outcome.usage == USAGE + USAGE + USAGE
    assert list((tmp_path / "journal").iterdir()) == []


async def test_a_checker_that_did_not_read_everything_has_not_answered(tmp_path: Path) -> None:
    bench = at_work(tmp_path, [Fill(GOOD.values, coverage=0.999)] * 3)
    outcome = await bench.agent.process(bench.context)
    assert isinstance(outcome, Error)
    assert outcome.kind is FailureKind.MALFORMED
    assert outcome.message == "only 99 % of the text to check was read: read all of it"


async def test_a_mending_turn_need_not_read_everything_again(tmp_path: Path) -> None:
    bench = at_work(tmp_path, [HALF, Fill(GOOD.values, coverage=0.0)])
    assert isinstance(await bench.agent.process(bench.context), Success)


async def test_the_analyst_need_not_read_everything(tmp_path: Path) -> None:
    bench = at_work(tmp_path, [Fill(GOOD.values, coverage=0.2)], kind=DraftingAgent)
    assert isinstance(await bench.agent.process(bench.context), Success)


async def test_a_failure_that_may_pass_is_tried_again_from_a_fresh_template(tmp_path: Path) -> None:
    bench = at_work(tmp_path, [HALF, RATE_LIMITED, Raise(BackendUnavailable("gone")), GOOD])
    outcome = await bench.agent.process(bench.context)
    assert isinstance(outcome, Success)
    assert outcome.usage.messages == 3
    assert bench.recorder.outcomes == ["ok", "rate_limited", "crashed", "ok"]
    assert bench.backend.files[2]["note.json"] == bench.backend.files[0]["note.json"]
    assert bench.left_behind() == []


@pytest.mark.parametrize(
    ("move", "turns", "kind"),
    [
        (RATE_LIMITED, 3, FailureKind.RATE_LIMITED),
        (REFUSED, 1, FailureKind.REFUSED),
        (Raise(BackendUnavailable("no CLI", "install it")), 3, FailureKind.CRASHED),
        (Raise(OSError(5, "Input/output error")), 3, FailureKind.CRASHED),
        (Raise(BudgetExceeded("fetches", 2, 3)), 1, FailureKind.BUDGET),
    ],
)
async def test_each_failure_is_tried_as_often_as_its_kind_allows(
    tmp_path: Path, move: Move, turns: int, kind: FailureKind
) -> None:
    bench = at_work(tmp_path, [move] * 5)
    outcome = await bench.agent.process(bench.context)
    assert isinstance(outcome, Error)
    assert (outcome.kind, len(bench.backend.tasks)) == (kind, turns)
    assert bench.recorder.outcomes == [kind.value] * turns
    assert bench.left_behind() == []


@pytest.mark.parametrize(
    ("move", "message", "partial"),
    [
        (Raise(BackendUnavailable("no CLI", "get it")), "no CLI (get it)", "half"),
        (Raise(OSError(), text=None), "OSError", ""),
        (REFUSED, "no", ""),
    ],
)
async def test_a_failure_keeps_its_message_and_what_was_written(
    tmp_path: Path, move: Move, message: str, partial: str
) -> None:
    bench = at_work(tmp_path, [move], retries=0)
    outcome = await bench.agent.process(bench.context)
    assert isinstance(outcome, Error)
    assert (outcome.message, outcome.partial) == (message, partial)


async def test_a_programming_error_passes_and_leaves_no_folder(tmp_path: Path) -> None:
    bench = at_work(tmp_path, [Raise(TypeError("a bug"))])
    with pytest.raises(TypeError, match="a bug"):
        await bench.agent.process(bench.context)
    assert bench.left_behind() == []


@pytest.mark.parametrize(("independent", "cost"), [(True, None), (False, Decimal(0))])
async def test_a_stuck_backend_is_a_timeout_of_unknown_cost_if_it_has_one(
    tmp_path: Path, independent: bool, cost: Decimal | None
) -> None:
    bench = at_work(tmp_path, [Hang()], kind=ImpatientAgent, retries=0, independent=independent)
    outcome = await bench.agent.process(bench.context)
    assert isinstance(outcome, Error)
    assert outcome.kind is FailureKind.TIMEOUT
    assert outcome.usage.cost_usd == cost
    assert outcome.usage.wall_s >= 0.02
    assert bench.left_behind() == []


async def test_a_turn_over_the_budget_is_not_started(tmp_path: Path) -> None:
    bench = at_work(tmp_path, [HALF, GOOD], budgets=BudgetConfig(max_turns=1))
    outcome = await bench.agent.process(bench.context)
    assert isinstance(outcome, Error)
    assert outcome.kind is FailureKind.BUDGET
    assert outcome.message == "turns limit of 1 would be exceeded (2 needed)"
    assert outcome.usage == USAGE
    assert len(bench.backend.tasks) == 1


async def test_a_turn_may_cost_no_more_than_is_left_of_the_run(tmp_path: Path) -> None:
    bench = at_work(tmp_path, [GOOD], budgets=BudgetConfig(max_usd=Decimal(2)))
    await bench.agent.process(bench.context)
    assert bench.backend.tasks[0].limits.max_cost_usd == Decimal(2)


async def test_cancellation_passes_and_leaves_no_folder_and_no_reservation(tmp_path: Path) -> None:
    bench = at_work(tmp_path, [Hang(), GOOD], budgets=BudgetConfig(max_turns=2))
    returned = False
    async with anyio.create_task_group() as group:

        async def work() -> None:
            nonlocal returned
            await bench.agent.process(bench.context)
            returned = True

        group.start_soon(work)
        await bench.backend.started.wait()
        group.cancel_scope.cancel()
    assert not returned
    assert bench.left_behind() == []
    assert isinstance(await bench.agent.process(bench.context), Success)


async def test_what_a_cancelled_turn_has_used_is_recorded_and_counts(tmp_path: Path) -> None:
    paid = TurnUsage(tool_calls=2, cost_usd=Decimal(3))
    bench = at_work(tmp_path, [Hang(paid)], budgets=BudgetConfig(max_usd=Decimal(3)))
    async with anyio.create_task_group() as group:
        group.start_soon(bench.agent.process, bench.context)
        await bench.backend.started.wait()
        group.cancel_scope.cancel()
    assert bench.recorder.turns == [("noter", 1, paid, "cancelled")]
    again = await bench.agent.process(bench.context)
    assert isinstance(again, Error)
    assert again.kind is FailureKind.BUDGET


async def test_a_journalled_turn_is_not_run_again(tmp_path: Path) -> None:
    first = at_work(tmp_path, [HALF, GOOD])
    done = await first.agent.process(first.context)
    again = at_work(tmp_path, [])
    assert await again.agent.process(again.context) == done
    assert again.backend.tasks == []
    # Nobody had reported it yet to the recorder of this sitting.
    assert again.recorder.turns == [("noter", 1, USAGE + USAGE, "ok")]


def test_a_turn_that_is_reported_is_kept_whenever_the_process_is_killed(tmp_path: Path) -> None:
    number, survived = 0, False
    while not survived:
        number += 1
        folder = tmp_path / str(number)
        folder.mkdir()
        survived = ends_before_write(number, partial(sit, folder))
        reported = "turn_ended" in events_of(folder)
        backend, answer = asyncio.run(logged_turn(folder, [GOOD]))
        assert answer == Success("good", USAGE)
        assert not (reported and backend.tasks)
        assert events_of(folder).count('"turn"') == 1
    # The folder, the two files of the task, the journal's entry and both reports.
    assert number > 10


def sit(folder: Path) -> None:
    asyncio.run(logged_turn(folder, [GOOD]))


async def logged_turn(
    folder: Path, moves: Sequence[Move]
) -> tuple[ScriptedBackend, AgentResult[str]]:
    """One sitting over `folder`, with a log that the next one reads."""
    bench = at_work(folder, moves)
    log = folder / "events.jsonl"

    def append(event: RunEvent) -> None:
        append_line(log, to_json(RunEvent, event, indent=None))

    def notify(progress: Progress) -> None:
        append(RunEvent(datetime.now(UTC), progress.event, detail=progress.detail))

    earlier = [from_json(RunEvent, line) for line in events_of(folder).splitlines()]
    services = dataclasses.replace(
        bench.context.services, recorder=RunAnalytics(earlier, append), notify=notify
    )
    context = dataclasses.replace(bench.context, services=services)
    return bench.backend, await bench.agent.process(context)


def events_of(folder: Path) -> str:
    log = folder / "events.jsonl"
    return log.read_text("utf-8") if log.exists() else ""


async def test_an_error_is_run_again_on_resume(tmp_path: Path) -> None:
    first = at_work(tmp_path, [REFUSED])
    assert isinstance(await first.agent.process(first.context), Error)
    again = at_work(tmp_path, [GOOD])
    assert isinstance(await again.agent.process(again.context), Success)


async def test_a_journalled_turn_that_can_no_longer_be_read_is_an_error(tmp_path: Path) -> None:
    bench = at_work(tmp_path, [GOOD])
    await bench.agent.process(bench.context)

    def stricter(turn: Turn) -> str:
        raise ReplyError("this version wants more")

    task = bench.agent.build_task(bench.context)
    outcome = await bench.agent.run_task(task, bench.context, stricter)
    assert isinstance(outcome, Error)
    assert (outcome.kind, outcome.message) == (FailureKind.MALFORMED, "this version wants more")


async def test_a_disk_that_refuses_is_named(tmp_path: Path) -> None:
    bench = at_work(tmp_path, [GOOD])
    (tmp_path / "work").write_text("a file is in the way", "utf-8")
    with pytest.raises(StorageError, match="make a turn's folder"):
        await bench.agent.process(bench.context)


@pytest.mark.parametrize("name", ["../up.md", "/etc/passwd", ""])
async def test_a_readable_file_stays_inside_the_folder(tmp_path: Path, name: str) -> None:
    bench = at_work(tmp_path, [GOOD])
    task = bench.agent.build_task(bench.context)
    outside = AgentTask(
        role=task.role,
        name=task.name,
        inputs=None,
        system_prompt="",
        user_prompt="",
        file_name=task.file_name,
        template=task.template,
        policy=task.policy,
        readable={name: "x"},
    )
    with pytest.raises(ValueError, match="not a plain relative file name"):
        await bench.agent.run_task(outside, bench.context, lambda turn: turn.text)
    assert bench.left_behind() == []


def test_a_users_mending_prompt_is_checked_at_once(tmp_path: Path) -> None:
    at_work(tmp_path, [])
    mine = tmp_path / "mine.md"
    mine.write_text("{{ problem }}", "utf-8")
    with pytest.raises(PromptError, match="unknown variable 'problem'"):
        PromptLibrary(base=tmp_path / "prompts").with_override("agents/mend.md", mine)


def test_waits_double_up_to_a_bound_and_vary() -> None:
    backoff = Backoff(base_s=2.0, max_s=60.0)
    for attempt, longest in [(0, 2.0), (1, 4.0), (3, 16.0), (9, 60.0), (5000, 60.0)]:
        waits = [backoff.delay(attempt) for _ in range(20)]
        assert all(longest / 2 <= wait <= longest for wait in waits)
        assert len(set(waits)) > 1
