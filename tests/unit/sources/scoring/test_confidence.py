from __future__ import annotations

import math
from datetime import date, timedelta

import pytest
from foureyes.sources.scoring.confidence import (
    Backing,
    combined_confidence,
    recency_weight,
)
from foureyes.sources.scoring.rules import ConfidenceRules, ScoringRegistry
from hypothesis import given
from hypothesis import strategies as st

AS_OF = date(2026, 2, 3)
RULES = ConfidenceRules(half_life_days=365, undated=0.5)
strong = Backing(0.9, 1.0, dated=AS_OF)
weak = Backing(0.2, 0.2, dated=AS_OF)


def confidence(*backings: Backing, temporal: bool = False) -> float:
    return combined_confidence(backings, RULES, as_of=AS_OF, temporal=temporal)


@pytest.mark.parametrize(
    ("backings", "best"),
    [
        ((), 0.0),
        ((strong,), 0.9),
        ((strong, weak), 0.9),
        ((weak, weak), 0.08 / math.sqrt(2)),
        ((strong, strong), 1.0),
        ((Backing(0.5, 1.0, dated=AS_OF),) * 4, 1.0),
        ((Backing(0.4, 0.5, dated=AS_OF),) * 4, 0.4),
    ],
)
def test_a_weak_source_lowers_no_confidence(backings: tuple[Backing, ...], best: float) -> None:
    assert confidence(*backings) == pytest.approx(best)


@pytest.mark.parametrize(
    ("dated", "temporal", "expected"),
    [
        (AS_OF, True, 1.0),
        (AS_OF - timedelta(365), True, 0.5),
        (AS_OF - timedelta(730), True, 0.25),
        (AS_OF + timedelta(9), True, 1.0),
        (None, True, 0.5),
        (None, False, 1.0),
        (AS_OF - timedelta(365), False, 1.0),
    ],
)
def test_only_sources_of_temporal_claims_age(
    dated: date | None, temporal: bool, expected: float
) -> None:
    found = confidence(Backing(1.0, 1.0, dated=dated), temporal=temporal)
    assert found == pytest.approx(expected)


def test_a_cluster_counts_once_by_its_best_source() -> None:
    one = Backing(0.3, 1.0, cluster=1)
    better = Backing(0.4, 1.0, cluster=1)
    other = Backing(0.4, 1.0, cluster=2)
    assert confidence(one, better, better) == pytest.approx(0.4)
    assert confidence(one, better, other) == pytest.approx(0.8 / math.sqrt(2))


def test_the_packaged_rules_are_those_decided(registry: ScoringRegistry) -> None:
    assert registry.rules.confidence == RULES
    assert recency_weight(AS_OF, RULES, as_of=AS_OF) == 1.0


shares = st.floats(0, 1)
backings = st.builds(
    Backing,
    shares,
    shares,
    dated=st.none() | st.dates(date(2000, 1, 1), date(2030, 1, 1)),
    cluster=st.none() | st.integers(0, 3),
)


@given(st.lists(backings, max_size=8), backings, st.booleans())
def test_one_more_source_never_lowers_the_confidence(
    some: list[Backing], extra: Backing, temporal: bool
) -> None:
    before = confidence(*some, temporal=temporal)
    after = confidence(*some, extra, temporal=temporal)
    assert 0 <= before <= after + 1e-12
    assert after <= 1
