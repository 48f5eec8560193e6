"""Progress on a terminal, and log lines for people."""

from __future__ import annotations

import io

import pytest
import structlog
from foureyes import Progress
from foureyes.base.logs import set_up_logs
from foureyes.cli._progress import Board, CheckProgress, log_progress, show_progress
from rich.console import Console


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def drawn(board: Board) -> str:
    screen = io.StringIO()
    Console(file=screen, width=100).print(board)
    return screen.getvalue()


def test_each_agent_is_shown_with_what_it_does_iteration_and_time() -> None:
    clock = Clock()
    board = Board(now=clock)
    board.update(Progress("phase_started", detail="defence"))
    board.update(Progress("examining", "reviewer", 1))
    board.update(Progress("examining", "fact_checker", 1))
    board.update(Progress("turn_started", "fact_checker", 1, "1/fact_checker/batch-01"))
    clock.seconds = 1.5
    board.update(Progress("examined", "reviewer", 1, "approve"))
    assert drawn(board).splitlines() == [
        "foureyes: phase started defence, 0.0 s",
        "reviewer: examined approve, iteration 1, 1.5 s",
        "fact_checker: turn started 1/fact_checker/batch-01, iteration 1, 0.0 s",
    ]


def test_words_of_a_model_cannot_draw_on_the_board() -> None:
    board = Board(now=Clock())
    board.update(Progress("critic_failed", "reviewer", 1, "[red]\x1b[2J"))
    assert "[red]\\u001b[2J" in drawn(board)


def test_without_a_terminal_each_event_is_a_log_line(capsys: pytest.CaptureFixture[str]) -> None:
    with show_progress(quiet=False) as notify:
        notify(Progress("examined", "reviewer", 2, "approve\x1b"))
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    for part in ("examined", "agent=reviewer", "iteration=2", "approve"):
        assert part in line
    assert "\x1b" not in line


def test_quiet_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with show_progress(quiet=True) as notify:
        notify(Progress("examined", "reviewer", 2, "approve"))
        log_progress(Progress("run_started"))
    assert capsys.readouterr().err == ""


def test_a_check_says_how_long_it_may_fetch_until_claims_are_compared() -> None:
    progress = CheckProgress("a.md", 600)
    assert progress.line() == "foureyes: checking a.md (fetches for at most 600 s)"
    progress(1, 3)
    assert progress.line() == "foureyes: checking a.md: 1 of 3 claims"
    assert CheckProgress("a.md", 0).line() == "foureyes: checking a.md"


@pytest.mark.parametrize(("gaps", "told"), [(["a b", "c"], "gaps='a b, c'"), ([], "gaps=none")])
def test_a_list_is_told_as_people_write_one(
    gaps: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = structlog.get_config()
    set_up_logs()
    try:
        structlog.get_logger().info("scored", gaps=gaps)
    finally:
        structlog.configure(**before)
    assert told in capsys.readouterr().err
