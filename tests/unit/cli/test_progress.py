from __future__ import annotations

import io

import pytest
from foureyes.cli.progress import (
    CheckProgress,
    ReviewBoard,
    RunBoard,
    log_progress,
    show_progress,
)
from foureyes.core.work import Progress
from rich.console import Console


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_both_critics_are_shown_with_state_iteration_time_and_claims() -> None:
    clock = Clock()
    board = RunBoard(now=clock)
    for event in (
        Progress("drafting", "analyst", 1),
        Progress("drafted", "analyst", 1),
        Progress("evidence_gathered", "", 1, "7 claims"),
        Progress("examining", "reviewer", 1),
        Progress("examining", "fact_checker", 1),
        Progress("turn_started", "fact_checker", 1, "1/fact_checker/batch-01"),
    ):
        board.update(event)
    clock.seconds = 1.5
    board.update(Progress("examined", "reviewer", 1, "approve"))
    clock.seconds = 2.0
    assert list(board.lines()) == [
        "analyst: done, iteration 1, 0.0 s",
        "reviewer: approve, iteration 1, 1.5 s",
        "fact_checker: examining, iteration 1, 2.0 s, 7 claims, "
        "turn started 1/fact_checker/batch-01",
    ]


def test_a_new_iteration_starts_an_agents_line_anew() -> None:
    board = RunBoard(now=Clock())
    board.update(Progress("examined", "reviewer", 1, "reject"))
    board.update(Progress("turn_retried", "reviewer", 2, "timeout"))
    board.update(Progress("critic_failed", "reviewer", 2, "timeout: too slow"))
    assert list(board.lines()) == ["reviewer: failed, iteration 2, 0.0 s, timeout: too slow"]


def test_words_of_a_model_cannot_draw_on_the_board() -> None:
    board = RunBoard(now=Clock())
    board.update(Progress("critic_failed", "reviewer", 1, "[red]\x1b[2J"))
    board.update(Progress("gathering_evidence", "", 1))
    screen = io.StringIO()
    Console(file=screen, width=80).print(board)
    assert "[red]\\u001b[2J" in screen.getvalue()
    assert "reading what is cited" in screen.getvalue()


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


def phases(*events: Progress) -> list[str]:
    clock = iter(range(100))
    found = ReviewBoard(now=lambda: float(next(clock)))
    for event in events:
        found.update(event)
    return list(found.lines())


STARTED = Progress("phase_started", detail="defence")
PART = Progress("part_started", "blue_defender", detail="textual-01")


def test_a_phase_shows_who_is_at_work() -> None:
    ended = Progress("part_ended", "blue_defender", detail="textual-01")
    assert phases(STARTED, PART, PART, PART, ended) == [
        "… blue defenders try to kill each finding: 1 done, 2 at work, 1.0 s"
    ]


def test_a_phase_that_is_done_keeps_its_time() -> None:
    over = Progress("phase_ended", detail="red")
    started = Progress("phase_started", detail="red")
    (line,) = phases(started, over)
    assert line.startswith("✓ red reviewers look for what is wrong: by rules, 1.0 s")


def test_a_failure_is_counted_and_told_safely() -> None:
    failed = Progress("part_failed", "blue_defender", detail="textual-01: \x1b[31mrefused")
    lines = phases(STARTED, PART, failed)
    assert "1 failed" in lines[0]
    assert lines[1] == "textual-01: \\u001b[31mrefused"


def test_a_check_says_how_long_it_may_fetch_until_claims_are_compared() -> None:
    progress = CheckProgress("a.md", 600)
    assert progress.line() == "foureyes: checking a.md (fetches for at most 600 s)"
    progress(1, 3)
    assert progress.line() == "foureyes: checking a.md: 1 of 3 claims"
    assert CheckProgress("a.md", 0).line() == "foureyes: checking a.md"
