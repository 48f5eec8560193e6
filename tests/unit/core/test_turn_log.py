"""Calls of backends on disk, and read again."""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from foureyes import (
    AgentTask,
    BudgetExceeded,
    Error,
    FailureKind,
    PipelineConfig,
    PipelineMode,
    RunDirectoryError,
    ToolSpec,
    Turn,
    TurnUsage,
)
from foureyes.core.record_folder import (
    MAX_KEPT_CHARS,
    TurnLog,
    read_turns,
    recorded_text,
    task_parts,
)
from foureyes.core.run_store import RunInputs, RunStore
from support.claude_turn import review_task
from support.scripted_backend import ScriptedBackend

TURN = Turn("{}", TurnUsage(messages=2, wall_s=0.1 + 0.2), 0.5, "model-1", ("no",))
LATE = Error(FailureKind.TIMEOUT, "late", TurnUsage(), "half", refused=("no",), retry_after_s=3.0)
BACKEND = ScriptedBackend([], independent=True)


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    inputs = RunInputs("# Brief", date(2026, 1, 2))
    now = datetime(2026, 1, 2, tzinfo=UTC)
    return RunStore.create(tmp_path, inputs, PipelineConfig(), mode=PipelineMode.ANALYZE, now=now)


def keep(store: RunStore, *outcomes: Turn | Error, **changes: Any) -> AgentTask[object]:
    task, log = review_task(**changes), TurnLog(store)
    for outcome in outcomes:
        log.keep(task, BACKEND, outcome)
    return task


def test_calls_are_read_again_in_their_order(store: RunStore) -> None:
    keep(store, LATE, TURN)
    keep(store, TURN, name="1/fact_checker/batch-01")
    turns = read_turns(store.path)
    assert set(turns) == {"1/reviewer", "1/fact_checker/batch-01"}
    first, second = turns["1/reviewer"]
    assert first.outcome == dataclasses.replace(LATE, retry_after_s=None)
    assert second.outcome == TURN
    assert [turn.call for turn in (first, second)] == [1, 2]
    assert (first.backend, first.independent, first.refusal) == ("scripted", True, None)


def test_every_text_that_a_call_was_given_is_kept_once(store: RunStore) -> None:
    task = keep(store, LATE, TURN)
    keep(store, TURN, name="2/reviewer")
    parts = read_turns(store.path)["1/reviewer"][0].parts
    texts = {part: recorded_text(store.path, digest) for part, digest in parts.items()}
    assert texts == task_parts(task)
    assert len(list((store.path / "turns" / "texts").iterdir())) == len(set(texts.values()))


def test_tools_count_with_all_that_a_model_is_told_of_them() -> None:
    async def handler(_arguments: object) -> str:
        return ""

    tool = ToolSpec("find", "Finds.", {"type": "object"}, True, handler, 3)
    other = dataclasses.replace(tool, description="Finds all.")
    told = task_parts(review_task(tools=(tool,)))["tools"]
    assert told == '["find", "Finds.", {"type": "object"}, 3]'
    assert task_parts(review_task(tools=(other,)))["tools"] != told


def test_of_a_very_long_text_only_the_hash_is_kept(store: RunStore) -> None:
    text = "é" * (MAX_KEPT_CHARS + 1)
    keep(store, TURN, readable={"draft.md": text})
    sha256 = read_turns(store.path)["1/reviewer"][0].parts["file draft.md"]
    assert sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert recorded_text(store.path, sha256) is None


def test_half_a_character_is_kept_as_it_is(store: RunStore) -> None:
    keep(store, TURN, user_prompt="half \ud83d")
    digest = read_turns(store.path)["1/reviewer"][0].parts["user prompt"]
    assert recorded_text(store.path, digest) == "half \ud83d"


def test_a_task_was_decided_in_the_last_sitting_that_asked_for_it(store: RunStore) -> None:
    keep(store, LATE, LATE)
    keep(store, TURN, name="1/analyst")
    store.update(resumed=1)
    keep(store, TURN)
    turns = read_turns(store.path)
    assert [turn.outcome for turn in turns["1/reviewer"]] == [TURN]
    assert [turn.sitting for turn in turns["1/analyst"]] == [0]


def test_the_limit_that_kept_a_call_from_being_made_is_kept(store: RunStore) -> None:
    limit = BudgetExceeded("tokens", 10, 12)
    TurnLog(store).keep(review_task(), BACKEND, Error(FailureKind.BUDGET, str(limit)), limit)
    (turn,) = read_turns(store.path)["1/reviewer"]
    assert turn.refusal is not None
    assert str(BudgetExceeded(*turn.refusal)) == str(limit)


def test_a_run_without_a_record_has_no_turns(tmp_path: Path) -> None:
    assert read_turns(tmp_path) == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is damaged"),
        ('{"layout": 1}', "is damaged"),
        ('{"layout": 2}', "was written by a newer version"),
    ],
)
def test_a_call_that_cannot_be_read_is_named(store: RunStore, text: str, message: str) -> None:
    (store.path / "turns" / "1-reviewer.0.json").write_text(text, encoding="utf-8")
    with pytest.raises(RunDirectoryError, match=f"1-reviewer.0.json' {message}"):
        read_turns(store.path)


@pytest.mark.parametrize(
    "data", [b"", b"no gzip", b"\x1f\x8b\x08\x00cut", gzip.compress(b"x", mtime=0)]
)
def test_a_text_that_cannot_be_read_is_named(store: RunStore, data: bytes) -> None:
    keep(store, TURN)
    (store.path / "turns" / "texts" / f"{'0' * 64}.gz").write_bytes(data)
    with pytest.raises(RunDirectoryError, match=f"{'0' * 64}.gz' is damaged"):
        recorded_text(store.path, "0" * 64)


def test_what_a_killed_process_left_of_a_call_is_tidied_away(store: RunStore) -> None:
    keep(store, TURN)
    (store.path / "turns" / "texts" / ".half.gz.x").write_bytes(b"")
    store.tidy()
    assert not list((store.path / "turns").rglob(".*"))
    assert len(read_turns(store.path)) == 1
