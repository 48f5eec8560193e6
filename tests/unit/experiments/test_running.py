"""How long the rest of an experiment takes, at the pace of what ended last."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from foureyes.cli.experiment import left
from foureyes.engine.model import JobEnd, JobState
from foureyes.experiments.running import seconds_left

BEGAN = datetime(2026, 1, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("after", "under_way", "expected"),
    [
        ((), 10, None),
        ((5,), 10, None),
        ((0, 2, 4), 10, 20),
        ((4, 0, 2), 10, 20),
        ((0, *range(1000, 1050)), 10, 10),
        ((0, 1), 0, 0),
    ],
)
def test_the_pace_is_that_of_the_last(
    after: Sequence[int], under_way: int, expected: float | None
) -> None:
    ends = [JobEnd(f"job-{at}", JobState.DONE, ended=BEGAN + timedelta(seconds=at)) for at in after]
    assert seconds_left(ends, under_way) == expected


@pytest.mark.parametrize(
    ("seconds", "expected"), [(None, "-"), (0.4, "0:00:00"), (59.6, "0:01:00"), (7384, "2:03:04")]
)
def test_time_is_told_in_hours(seconds: float | None, expected: str) -> None:
    assert left(seconds) == expected
