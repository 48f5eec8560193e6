"""Axes of any values: everything lies on them, and ticks are few and round."""

from __future__ import annotations

from foureyes.experiments.page import axis_of
from hypothesis import given
from hypothesis import strategies as st

VALUES = st.floats(-1e100, 1e100).map(lambda value: 0.0 if abs(value) < 1e-100 else value)


@given(st.lists(VALUES, min_size=1, max_size=9))
def test_every_value_lies_on_the_axis_and_ticks_are_few(values: list[float]) -> None:
    axis = axis_of(values)
    assert all(0 <= axis.at(value) <= 100 for value in values)
    ticks = axis.ticks
    assert 1 <= len(ticks) <= 6
    assert all(-1e-6 <= tick.at <= 100 + 1e-6 for tick in ticks)
    assert [tick.at for tick in ticks] == sorted(tick.at for tick in ticks)


def test_ticks_are_round_and_those_at_the_ends_are_written_inwards() -> None:
    ticks = axis_of([0, 1], room=0).ticks
    assert [(round(tick.at, 9), tick.text, tick.anchor) for tick in ticks] == [
        (0, "0", "start"),
        (20, "0.2", "middle"),
        (40, "0.4", "middle"),
        (60, "0.6", "middle"),
        (80, "0.8", "middle"),
        (100, "1", "end-of"),
    ]
