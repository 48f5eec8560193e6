"""Money of jobs that run side by side."""

from __future__ import annotations

from decimal import Decimal

import pytest
from foureyes.engine.working import Limits, affordable
from hypothesis import given
from hypothesis import strategies as st

FIVE = Limits(usd=Decimal(5))


@pytest.mark.parametrize(
    ("limits", "spent", "ended", "under_way", "more"),
    [
        (Limits(), 100.0, 10, 10, None),
        (Limits(each_usd=Decimal(1)), 100.0, 10, 10, None),
        (FIVE, 0.0, 0, 0, 3),
        (FIVE, 0.0, 0, 2, 1),
        (FIVE, 0.0, 0, 4, 0),
        (FIVE, 0.0, 6, 4, None),
        (FIVE, 2.0, 2, 0, 3),
        (FIVE, 2.0, 2, 3, 0),
        (FIVE, 1.5, 1, 1, 1),
        (FIVE, 6.0, 2, 0, 0),
        (Limits(Decimal(5), each_usd=Decimal("0.5")), 0.0, 0, 0, 10),
        (Limits(Decimal(5), each_usd=Decimal("0.5")), 1.0, 10, 6, 2),
        (Limits(Decimal("0.3"), each_usd=Decimal("0.1")), 0.0, 0, 0, 3),
    ],
)
def test_a_job_begins_only_if_what_it_may_cost_is_left(
    limits: Limits, spent: float, ended: int, under_way: int, more: int | None
) -> None:
    assert affordable(limits, spent, ended, under_way, first=3) == more


@given(
    st.integers(1, 10_000), st.integers(1, 1_000), st.lists(st.floats(0, 1), max_size=30),
    st.integers(1, 8),
)  # fmt: skip
def test_what_jobs_may_cost_at_most_is_never_more_than_the_limit(
    usd: int, each: int, shares: list[float], first: int
) -> None:
    limits = Limits(Decimal(usd) / 100, each_usd=Decimal(each) / 100)
    spent, ended, under_way = 0.0, 0, 0
    for share in shares:
        under_way += affordable(limits, spent, ended, under_way, first) or 0
        if not under_way:
            break
        spent, ended, under_way = spent + share * each / 100, ended + 1, under_way - 1
    assert spent + under_way * each / 100 <= usd / 100 + 1e-5
