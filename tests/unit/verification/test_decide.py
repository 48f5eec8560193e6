"""The fitted decision weighs features into probabilities and says what moved it."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from foureyes import Verdict
from foureyes.verification.decide import EXACT, READ, UNREAD, FittedModel, load_decision, weigh
from foureyes.verification.judge import judge
from foureyes.verification.passages.retrieval import SourceText
from foureyes.verification.reader.model import NoReader
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from support.claim_kit import cited, claims_of, registry

MODEL = FittedModel(
    features=("support", "figures", "other_row"),
    mean=(0.0, 0.0, 0.0),
    scale=(1.0, 1.0, 1.0),
    weights=((1.0, -0.5, -0.5), (-1.0, 0.5, 0.5), (-0.5, 0.75, -0.25)),
    constant=(0.0, 0.0, 0.0),
)


def test_a_feature_that_speaks_for_a_verdict_makes_it_likelier_and_is_its_reason() -> None:
    silent = weigh(MODEL, {"support": 0.0, "figures": 0.0, "other_row": 0.0})
    spoken = weigh(MODEL, {"support": 2.0, "figures": 0.0, "other_row": 0.0})
    assert spoken.supported > silent.supported == pytest.approx(1 / 3)
    assert spoken.reasons == (READ["support"],)


def test_the_reasons_against_are_those_of_the_likeliest_verdict() -> None:
    found = weigh(MODEL, {"support": 0.0, "figures": 0.0, "other_row": 1.0})
    assert found.supported < found.contradicted
    assert found.reasons == (EXACT["other_row"],)


def test_what_tells_a_person_nothing_weighs_and_is_no_reason() -> None:
    found = weigh(MODEL, {"support": 0.0, "figures": 2.0, "other_row": 0.5})
    assert found.contradicted > 0.5
    assert found.reasons == (EXACT["other_row"],)


@given(
    st.fixed_dictionaries(
        {
            "support": st.floats(-50, 50),
            "figures": st.floats(0, 3),
            "other_row": st.floats(0, 1),
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


def test_the_shipped_decision_without_a_reader_weighs_nothing_that_is_read() -> None:
    decision = load_decision()
    without = decision.of(NoReader())
    assert set(without.model.features) == {*UNREAD, *EXACT}
    assert set(decision.with_reader.model.features) & set(READ)


def test_the_shipped_thresholds_leave_room_between_alarm_and_support() -> None:
    for fitted in (load_decision().with_reader, load_decision().without_reader):
        limits = fitted.thresholds
        assert limits.stated < limits.supported
        assert fitted.risk["right contradicted"] <= 0.03


RUMOUR = """# Rumours of the week

A message that was shared 40,000 times says: Olm Foods recalled all its honey in May 2024.

The agency for food knows of no recall, and the firm says its honey is on sale everywhere.
"""
RECALL = """# Recalls of the week

Olm Foods recalled all its honey in May 2024.

The agency for food confirms the recall, and the firm says its honey is off sale everywhere.
"""


@pytest.mark.parametrize(
    ("page", "verdict"), [(RUMOUR, Verdict.UNVERIFIABLE), (RECALL, Verdict.SUPPORTED)]
)
def test_a_passage_supports_only_what_its_page_bears_out(page: str, verdict: Verdict) -> None:
    rules = registry()
    fitted = rules.decision.with_reader
    limits = fitted.thresholds.model_copy(update={"page": 0.5})
    careful = fitted.model_copy(update={"thresholds": limits})
    rules = replace(rules, decision=rules.decision.model_copy(update={"with_reader": careful}))
    (claim,) = claims_of(cited("Olm Foods recalled all its honey in May 2024."))
    assert judge(claim, SourceText(page, rules.lexicon), rules).verdict is verdict
