"""The board of a review tells which phase is at work, how far it is, and what went wrong."""

from __future__ import annotations

from foureyes.cli.review_progress import ReviewBoard
from foureyes.core.work import Progress


def board(*events: Progress) -> list[str]:
    clock = iter(range(100))
    found = ReviewBoard(now=lambda: float(next(clock)))
    for event in events:
        found.update(event)
    return list(found.lines())


STARTED = Progress("phase_started", detail="defence")
PART = Progress("part_started", "blue_defender", detail="textual-01")


def test_a_phase_shows_who_is_at_work() -> None:
    ended = Progress("part_ended", "blue_defender", detail="textual-01")
    assert board(STARTED, PART, PART, PART, ended) == [
        "… blue defenders try to kill each finding: 1 done, 2 at work, 1.0 s"
    ]


def test_a_phase_that_is_done_keeps_its_time() -> None:
    over = Progress("phase_ended", detail="red")
    started = Progress("phase_started", detail="red")
    (line,) = board(started, over)
    assert line.startswith("✓ red reviewers look for what is wrong: by rules, 1.0 s")


def test_a_failure_is_counted_and_told_safely() -> None:
    failed = Progress("part_failed", "blue_defender", detail="textual-01: \x1b[31mrefused")
    lines = board(STARTED, PART, failed)
    assert "1 failed" in lines[0]
    assert lines[1] == "textual-01: \\u001b[31mrefused"
