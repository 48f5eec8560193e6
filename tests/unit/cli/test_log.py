"""`foureyes report log`: what happened in a run, in order, and nothing that steers a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.commands import execute
from support.report_run import ReportRun

START = "2026-01-02T03:04:05Z"
RUN_STARTED = {"at": START, "event": "run_started"}


def write_log(folder: Path, *events: object, **changes: object) -> Path:
    """A run of these events only, with `changes` in its manifest."""
    run_dir = ReportRun(claims=1).write(folder)
    manifest = json.loads((run_dir / "run.json").read_bytes())
    manifest |= {"title": "Wells", "mode": "analyze", "started": START, **changes}
    (run_dir / "run.json").write_text(json.dumps(manifest), encoding="utf-8")
    lines = "".join(json.dumps(one) + "\n" for one in (RUN_STARTED, *events))
    (run_dir / "events.jsonl").write_text(lines, encoding="utf-8")
    return run_dir


def log(run_dir: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    assert execute(["report", "log", str(run_dir)]) == 0
    return capsys.readouterr().out.splitlines()


def test_a_run_is_told_in_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    used = {"tool_calls": 2, "input_tokens": 1200, "output_tokens": 30, "wall_s": 1.5}
    turn = {"event": "turn", "agent": "analyst", "iteration": 1, "usage": used, "outcome": "ok"}
    told = {"at": START.replace("05Z", "07Z"), **turn}
    run_dir = write_log(tmp_path, told, status=None, ended=None)
    assert log(run_dir, capsys)[1:] == [
        "     0.00 s      run started",
        "     2.00 s  [1] analyst turn ok (1.50 s, 2 tool calls, 0 fetches, 1,200 tokens in, "
        "30 out)",
        "status: under way, or interrupted",
    ]
    ended = {"status": "not_reviewed", "reason": "no critic took part"}
    lines = log(write_log(tmp_path / "ended", told, **ended), capsys)
    assert lines[0] == "Wells (analyze), started 2026-01-02 03:04:05 UTC"
    assert lines[-1] == "status: not_reviewed, no critic took part"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain – text ✓", "plain – text ✓"),
        ("two\r\nlines\tone", "two lines one"),
        ("\x1b[2J\x07", "\\u001b[2J\\u0007"),
        ("\x9b31m", "\\u009b31m"),
        ("abc\u202edcb", "abc\\u202edcb"),
        ("[bold red]x[/]", "[bold red]x[/]"),
    ],
)
def test_nothing_in_a_text_can_steer_the_terminal(
    text: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert log(write_log(tmp_path, title=text), capsys)[0].startswith(f"{expected} (analyze), ")


def test_a_folder_that_is_no_run_is_refused_on_one_line_with_a_hint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "a\nb"
    folder.mkdir()
    assert execute(["report", "log", str(folder)]) == 4
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("foureyes: error: ")
    assert "is not a run directory" in line
    assert line.endswith(")")
