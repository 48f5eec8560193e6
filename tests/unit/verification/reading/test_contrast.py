"""What a claim names only to rule it out."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from foureyes.verification.reading.contrast import ruled_out
from support.claim_kit import judged, registry

PAGE = "The mill burned in May. Lena Moe wrote the first report on the fire. Ole Vang was ill."


@pytest.mark.parametrize(
    ("claim", "spans"),
    [
        ("Lena Moe, not Ole Vang, wrote it.", [", not Ole Vang"]),
        ("Lena Moe, and not her partner, wrote it.", [", and not her partner"]),
        ("It was not the tax but the fee that rose.", ["not the tax but "]),
        ("The mill was sold by Moe, and not by Vang.", [", and not by Vang"]),
        ("They came not to learn but to teach.", []),
        ("Not only the tax but the fee rose.", []),
        ("It fell by 3, not 5 per cent.", []),
        ("Lena Moe did not write it.", []),
    ],
)
def test_only_parties_that_are_ruled_out_are_set_aside(claim: str, spans: list[str]) -> None:
    lexicon = registry().lexicon
    found = {claim[a:b] for a, b in ruled_out(claim, lexicon.words.tokens(claim), lexicon)}
    assert found == set(spans)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Lena Moe, not Ole Vang, wrote the first report on the fire.", Verdict.SUPPORTED),
        ("Ole Vang, not Lena Moe, wrote the first report on the fire.", Verdict.CONTRADICTED),
        ("It was not Lena Moe who wrote the first report on the fire.", Verdict.CONTRADICTED),
    ],
)
def test_the_one_ruled_out_must_not_be_the_one_who_did_it(claim: str, verdict: Verdict) -> None:
    assert judged(claim, PAGE).verdict is verdict
