"""What a document argues against, in the words of those who would hold it."""

from __future__ import annotations

from datetime import date

import pytest
from foureyes.datatypes import Polarity
from foureyes.review.extraction import restate_refuted
from support.claim_kit import claims_of, registry

LEXICON = registry().lexicon
AS_OF = date(2026, 1, 1)

REFUTED = [
    (
        "Critics say that the quay cost 40 million euros, but it cost 22 million.",
        "The quay cost 40 million euros.",
    ),
    ("It is a myth that the quay cost 40 million euros.", "The quay cost 40 million euros."),
    ("Contrary to reports that costs rose by 5%, they fell.", "Costs rose by 5%."),
    ("That the quay cost 40 million euros is false.", "The quay cost 40 million euros."),
    ("The claim of 40 million euros is wrong.", "The claim of 40 million euros."),
    ("It is false: 40 million euros.", "It is false: 40 million euros."),
]


@pytest.mark.parametrize(("sentence", "held"), REFUTED)
def test_a_refuted_claim_is_compared_as_it_would_be_held(sentence: str, held: str) -> None:
    (claim,) = claims_of(sentence)
    assert claim.polarity is Polarity.REFUTED or sentence == held
    shown = restate_refuted(claim, LEXICON, as_of=AS_OF)
    assert shown.text == held
    assert (shown.id, shown.location, shown.polarity) == (claim.id, claim.location, claim.polarity)
    for quantity in shown.quantities:
        assert shown.text[quantity.start : quantity.end] == quantity.text


@pytest.mark.parametrize(
    "sentence", ["The quay cost 40 million euros.", "Ann Lee says the quay cost 40 million euros."]
)
def test_what_is_not_refuted_stays_as_it_is(sentence: str) -> None:
    (claim,) = claims_of(sentence)
    assert restate_refuted(claim, LEXICON, as_of=AS_OF) is claim
