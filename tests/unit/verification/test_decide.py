"""The fitted decision weighs features into probabilities and says what moved it."""

from __future__ import annotations

import math

import pytest
from foureyes.verification.decide import EXACT, READ, FittedModel, load_decision, weigh
from foureyes.verification.reader.model import NoReader
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

MODEL = FittedModel(
    features=("support", "coverage"),
    mean=(0.0, 0.0),
    scale=(1.0, 1.0),
    weights=((1.0, -0.5, -0.5), (-1.0, 0.5, 0.5)),
    constant=(0.0, 0.0, 0.0),
)


def test_a_feature_that_speaks_for_a_verdict_makes_it_likelier_and_is_its_reason() -> None:
    silent = weigh(MODEL, {"support": 0.0, "coverage": 0.0})
    spoken = weigh(MODEL, {"support": 2.0, "coverage": 0.0})
    assert spoken.supported > silent.supported == pytest.approx(1 / 3)
    assert spoken.reasons == (READ["support"],)


def test_the_reasons_against_are_those_of_the_likeliest_verdict() -> None:
    found = weigh(MODEL, {"support": 0.0, "coverage": 2.0})
    assert found.supported < found.contradicted
    assert found.reasons == (EXACT["coverage"],)


@given(
    st.fixed_dictionaries(
        {
            "support": st.floats(-50, 50),
            "coverage": st.floats(0, 3),
        }
    )
)
def test_probabilities_are_a_distribution_whatever_the_features_are(
    features: dict[str, float],
) -> None:
    found = weigh(MODEL, features)
    shares = (found.supported, found.contradicted, found.unverifiable)
    assert all(0 <= share <= 1 for share in shares)
    assert math.isclose(sum(shares), 1)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"features": ("support", "colour")}, "unknown feature 'colour'"),
        ({"mean": (0.0,)}, "differ in length"),
    ],
)
def test_weights_that_do_not_fit_are_refused(change: dict[str, object], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        FittedModel.model_validate({**MODEL.model_dump(), **change})


def test_the_shipped_decision_without_a_reader_weighs_exact_checks_alone() -> None:
    decision = load_decision()
    without = decision.of(NoReader())
    assert set(without.model.features) <= set(EXACT)
    assert set(decision.with_reader.model.features) & set(READ)


def test_the_shipped_thresholds_leave_room_between_alarm_and_support() -> None:
    for fitted in (load_decision().with_reader, load_decision().without_reader):
        limits = fitted.thresholds
        assert limits.stated < limits.supported
        assert fitted.risk["right contradicted"] <= 0.03
