"""What a replay takes from a recorded run beside its answers."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from foureyes import (
    BudgetExceeded,
    Error,
    FailureKind,
    PipelineMode,
    Progress,
    RecordEnded,
    ReplayMismatch,
    RunStatus,
    TurnLimits,
)
from foureyes.assembly.replay import Replay
from foureyes.base.files import to_json
from foureyes.core.iteration import ClaimsFile, FetchedSources, sources_step
from foureyes.core.record_folder import TurnLog, entry_name
from foureyes.core.run_store import RunInputs, RunStore
from foureyes.datatypes import Config, Source, SourceState
from foureyes.documents.parse import parse_document
from support.claude_turn import review_task
from support.scripted_backend import ScriptedBackend

DOCUMENT = parse_document("The crane lifts 40 tonnes ([a](http://a.example/)).\n")
OFF = Source("http://a.example/", SourceState.NOT_FETCHED, "fetching is switched off")
DEAD = Source("http://a.example/", SourceState.DEAD, "404")
LIMIT = BudgetExceeded("minutes", 1, 2)


class Recorded(Config):
    """As much of a `config.json` as is read here."""

    settings: dict[str, str]


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    inputs, now = RunInputs("# Brief", date(2026, 1, 2)), datetime(2026, 1, 2, tzinfo=UTC)
    config = Recorded(settings={"backend": "offline"})
    return RunStore.create(tmp_path, inputs, config, mode=PipelineMode.ANALYZE, now=now)


def claims(store: RunStore, *sources: Source) -> None:
    found = {source.url: source for source in sources}
    file = ClaimsFile(1, DOCUMENT.sha256, "en", (), {}, found)
    store.write("iterations/claims_iteration_1.json", to_json(ClaimsFile, file))


def test_sources_are_what_the_journal_says_and_else_the_list_of_claims(store: RunStore) -> None:
    claims(store, OFF)
    assert Replay(store.path).sources(1, DOCUMENT) == FetchedSources((OFF,), 0)
    fetched = FetchedSources((DEAD,), 1)
    entry = store.journal / entry_name(*sources_step(1, DOCUMENT))
    entry.write_text(to_json(FetchedSources, fetched), encoding="utf-8")
    assert Replay(store.path).sources(1, DOCUMENT) == fetched


def test_a_document_that_cites_otherwise_departs(store: RunStore) -> None:
    claims(store, OFF)
    other = parse_document("The crane lifts 40 tonnes ([b](http://b.example/)).\n")
    with pytest.raises(ReplayMismatch, match="changed: the cited addresses") as caught:
        Replay(store.path).sources(1, other)
    assert "-http://a.example/\n+http://b.example/\n" in caught.value.diff


def test_a_record_without_sources_has_ended(store: RunStore) -> None:
    with pytest.raises(RecordEnded, match="ends before 1/sources"):
        Replay(store.path).sources(1, DOCUMENT)


def test_a_clock_gives_the_recorded_time_of_the_file_under_way(store: RunStore) -> None:
    for number in (1, 2):
        name = f"iterations/reviewer_feedback_iteration_{number}.json"
        store.write(name, f'{{"timestamp": "2025-08-2{number}T16:45:00Z", "more": 1}}')
    replay, seen = Replay(store.path), list[Progress]()
    hear, clock = replay.track_iterations(seen.append), replay.clock("reviewer")
    for number in (1, 2):
        hear(Progress("examining", "reviewer", number))
        assert clock() == datetime(2025, 8, 20 + number, 16, 45, tzinfo=UTC)
    assert len(seen) == 2
    assert abs((replay.clock("judge")() - datetime.now(UTC)).total_seconds()) < 60


def test_limits_are_passed_where_they_were_passed(store: RunStore) -> None:
    backend, refused = ScriptedBackend([]), Error(FailureKind.BUDGET, str(LIMIT))
    TurnLog(store).keep(review_task(), backend, refused, LIMIT)
    budget = Replay(store.path).budget()
    budget.reserve("1/analyst", TurnLimits())
    with pytest.raises(BudgetExceeded, match="minutes limit of 1"):
        budget.reserve("1/reviewer", TurnLimits())


@pytest.mark.parametrize(
    ("status", "judge_failed", "late"),
    [
        (RunStatus.BUDGET_EXCEEDED, False, True),
        (RunStatus.INCONCLUSIVE, True, True),
        (RunStatus.CANCELLED, False, False),
    ],
)
async def test_a_time_limit_is_reached_where_the_record_ends(
    store: RunStore, status: RunStatus, judge_failed: bool, late: bool
) -> None:
    store.update(status=status, judge_failed=judge_failed)
    replay = Replay(store.path)

    async def ended() -> str:
        raise RecordEnded("here")

    try:
        assert await replay.budget().within_time(ended(), "late") == "late"
    except RecordEnded:
        assert not late
    assert replay.cut_short is late
