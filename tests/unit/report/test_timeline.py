from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from foureyes import PipelineConfig, PipelineMode, RunDirectoryError, RunStatus, TurnUsage
from foureyes.core.run_store import RunInputs, RunStore
from foureyes.datatypes import RunEvent
from foureyes.report.run_text import timeline

START = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def test_a_run_is_told_in_order(tmp_path: Path) -> None:
    inputs = RunInputs("# Wells\n", date(2026, 1, 2))
    mode = PipelineMode.ANALYZE
    store = RunStore.create(tmp_path, inputs, PipelineConfig(), mode=mode, now=START)
    store.append(RunEvent(START, "run_started"))
    used = TurnUsage(tool_calls=2, input_tokens=1200, output_tokens=30, wall_s=1.5)
    later = START.replace(second=7)
    store.append(RunEvent(later, "turn", "analyst", 1, usage=used, outcome="ok"))
    assert list(timeline(store.path))[1:] == [
        "     0.00 s      run started",
        "     2.00 s  [1] analyst turn ok (1.50 s, 2 tool calls, 0 fetches, 1,200 tokens in, "
        "30 out)",
        "status: under way, or interrupted",
    ]
    store.update(status=RunStatus.NOT_REVIEWED, reason="no critic took part")
    told = list(timeline(store.path))
    assert told[0] == "Wells (analyze), started 2026-01-02 03:04:05 UTC"
    assert told[-1] == "status: not_reviewed, no critic took part"


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunDirectoryError, match="is not a run directory"):
        list(timeline(tmp_path))
