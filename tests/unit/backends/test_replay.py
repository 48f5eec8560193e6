"""A recorded run as a backend."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import foureyes
import pytest
from foureyes import (
    BudgetExceeded,
    Error,
    FailureKind,
    PipelineMode,
    RecordEnded,
    ReplayMismatch,
    Role,
    RunDirectoryError,
    RunStatus,
    ToolSpec,
    Turn,
    TurnUsage,
)
from foureyes.core.record_folder import MAX_KEPT_CHARS, TurnLog
from foureyes.core.run_store import RunInputs, RunStore
from foureyes.datatypes import Config
from support.claude_turn import DRAFT, DRAFT_TEXT, FORM, laid_out, review_task
from support.scripted_backend import ScriptedBackend

CHANGED = DRAFT_TEXT.replace("40", "50")
TURN = Turn('{"verdict": "approve"}', TurnUsage(messages=2), model="model-1")
LATE = Error(FailureKind.TIMEOUT, "late", TurnUsage(messages=1), "half")


class Recorded(Config):
    """As much of a `config.json` as a replay reads."""

    settings: Mapping[str, str]


@dataclasses.dataclass(frozen=True, slots=True)
class Desk:
    """A run on record, and the folder of a turn."""

    store: RunStore
    folder: Path

    def keep(
        self, *outcomes: Turn | Error, refusal: BudgetExceeded | None = None, **changes: Any
    ) -> None:
        log = TurnLog(self.store)
        for outcome in outcomes:
            backend = ScriptedBackend([], independent=True)
            log.keep(review_task(**changes), backend, outcome, refusal)

    async def asked(self, backend: foureyes.ReplayBackend, **changes: Any) -> Turn | Error:
        task = review_task(**changes)
        return await backend.run(task, laid_out(task, self.folder))

    async def replayed(self, **changes: Any) -> Turn | Error:
        return await self.asked(foureyes.ReplayBackend(self.store.path), **changes)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    store = RunStore.create(
        tmp_path / "runs",
        RunInputs("# Brief", date(2026, 1, 2)),
        Recorded(settings={"backend": "claude", "later": "x"}),
        mode=PipelineMode.ANALYZE,
        now=datetime(2026, 1, 2, tzinfo=UTC),
    )
    store.update(status=RunStatus.REVIEWED)
    return Desk(store, tmp_path / "turn")


async def nothing(_arguments: Mapping[str, object]) -> str:
    return ""


TOOL = ToolSpec("find", "Finds.", {"type": "object"}, True, nothing)


async def test_the_recorded_calls_are_answered_in_their_order(desk: Desk) -> None:
    desk.keep(LATE, TURN)
    backend = foureyes.ReplayBackend(str(desk.store.path))
    first = await desk.asked(backend)
    assert first == dataclasses.replace(LATE, retry_after_s=0.0)
    assert (desk.folder / FORM).read_text(encoding="utf-8") == "half"
    assert backend.unasked() == ("1/reviewer",)
    assert await desk.asked(backend) == TURN
    assert (desk.folder / FORM).read_text(encoding="utf-8") == TURN.text
    assert backend.unasked() == ()


def test_it_is_as_independent_as_the_backend_that_answered(desk: Desk) -> None:
    desk.keep(TURN)
    backend = foureyes.ReplayBackend(desk.store.path)
    assert (backend.name, backend.recorded_name) == ("replay", "scripted")
    assert backend.independent


def test_a_record_without_a_call_tells_of_no_backend(desk: Desk) -> None:
    backend = foureyes.ReplayBackend(desk.store.path)
    assert (backend.recorded_name, backend.independent) == ("replay", False)


@pytest.mark.parametrize(
    ("changes", "part", "shown"),
    [
        ({"model": "other"}, "model", "+other"),
        ({"tools": (TOOL,)}, "tools", '+["find", "Finds.", {"type": "object"}, null]'),
        ({"system_prompt": "You are a reviewer."}, "system prompt", "+You are a reviewer."),
        ({"user_prompt": "Fill it."}, "user prompt", "-Read draft.md and fill feedback.json."),
        ({"template": "{}"}, "template", "+{}"),
        ({"readable": {DRAFT: CHANGED}}, f"file {DRAFT}", "+The crane lifts 5"),
        ({"readable": {}}, f"file {DRAFT}", "-# Harbour"),
        ({"readable": {DRAFT: DRAFT_TEXT, "new.md": "New."}}, "file new.md", "+New."),
    ],
)  # fmt: skip
async def test_what_changed_of_a_turn_is_named_and_shown(
    desk: Desk, changes: dict[str, Any], part: str, shown: str
) -> None:
    desk.keep(TURN)
    with pytest.raises(ReplayMismatch) as caught:
        await desk.replayed(**changes)
    assert caught.value.message == f"turn 1/reviewer departs from the record; changed: {part}"
    assert str(desk.store.path) in caught.value.hint
    assert any(line.startswith(shown) for line in caught.value.diff.splitlines())


async def test_several_changes_are_named_and_the_first_is_shown(desk: Desk) -> None:
    desk.keep(LATE, TURN)
    backend = foureyes.ReplayBackend(desk.store.path)
    await desk.asked(backend)
    readable = {"a.md": "A", "b.md": "B"}
    with pytest.raises(ReplayMismatch) as caught:
        await desk.asked(backend, user_prompt="Fill it.", readable=readable)
    assert caught.value.message == (
        "turn 1/reviewer (call 2) departs from the record; "
        "changed: user prompt, file draft.md, file a.md and 1 more"
    )
    assert "+Fill it." in caught.value.diff


async def test_a_change_of_a_text_that_was_too_long_to_keep_is_named_only(desk: Desk) -> None:
    desk.keep(TURN, user_prompt="x" * (MAX_KEPT_CHARS + 1))
    with pytest.raises(ReplayMismatch, match="changed: user prompt") as caught:
        await desk.replayed()
    assert caught.value.diff == ""


async def test_more_than_the_record_has_is_a_departure_too(desk: Desk) -> None:
    desk.keep(TURN)
    backend = foureyes.ReplayBackend(desk.store.path)
    await desk.asked(backend)
    with pytest.raises(ReplayMismatch, match="call 2 was asked for, and the record has 1"):
        await desk.asked(backend)
    with pytest.raises(ReplayMismatch, match=r"2/reviewer departs .*: it is not on record"):
        await desk.asked(backend, name="2/reviewer")


@pytest.mark.parametrize(
    ("status", "judge_failed", "role", "kind"),
    [
        (None, False, Role.REVIEWER, RecordEnded),
        (RunStatus.CANCELLED, False, Role.REVIEWER, RecordEnded),
        (RunStatus.FAILED, False, Role.REVIEWER, RecordEnded),
        (RunStatus.BUDGET_EXCEEDED, False, Role.REVIEWER, RecordEnded),
        (RunStatus.APPROVED, True, Role.JUDGE, RecordEnded),
        (RunStatus.APPROVED, True, Role.REVIEWER, ReplayMismatch),
        (RunStatus.APPROVED, False, Role.JUDGE, ReplayMismatch),
    ],
)
async def test_a_run_that_was_broken_off_ends_where_its_record_ends(
    desk: Desk,
    status: RunStatus | None,
    judge_failed: bool,
    role: Role,
    kind: type[RunDirectoryError],
) -> None:
    desk.store.update(status=status, judge_failed=judge_failed)
    with pytest.raises(kind) as caught:
        await desk.replayed(role=role)
    assert type(caught.value) is kind
    assert "turn 1/reviewer" in caught.value.message


async def test_a_call_that_a_limit_prevented_is_refused_again(desk: Desk) -> None:
    limit = BudgetExceeded("tokens", 10, 12)
    desk.keep(LATE)
    desk.keep(Error(FailureKind.BUDGET, str(limit)), refusal=limit, name="2/reviewer")
    backend = foureyes.ReplayBackend(desk.store.path)
    assert backend.refusal("1/reviewer") is None
    assert backend.refusal("3/reviewer") is None
    assert str(backend.refusal("2/reviewer")) == str(limit)
    assert backend.refusal("2/reviewer") is None
    assert backend.unasked() == ("1/reviewer",)


def test_no_run_is_no_record(tmp_path: Path) -> None:
    with pytest.raises(RunDirectoryError, match="is not a run directory"):
        foureyes.ReplayBackend(tmp_path)
