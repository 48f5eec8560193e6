"""Who did it, where the source says by whom it was done."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from support.claim_kit import judged


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        (
            "Oskar Wind put up 99 masts in 2024.",
            "99 masts were installed by Hallmark in 2024. The towers come from Oskar Wind.",
        ),
        (
            "Brevik took in 312 patients in 2021.",
            "In 2021, 312 patients were taken in by the Lunde Clinic. Brevik is its sister house.",
        ),
        (
            "The Kestrel Fund set aside 40 million crowns in 2020.",
            "40 million crowns were set aside by Parliament in 2020. The Kestrel Fund is small.",
        ),
    ],
)
def test_what_another_one_is_said_to_have_done_is_not_supported(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is not Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        (
            "Oskar Wind put up 99 masts in 2024.",
            "99 masts were put up by Oskar Wind in 2024. The towers come from Hallmark.",
        ),
        (
            "The Dorwin Works put up 14 bridges in 2019.",
            "14 bridges were put up in 2019 by the Dorwin company. Hallmark was there.",
        ),
    ],
)
def test_what_the_claims_own_name_is_said_to_have_done_is(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is Verdict.SUPPORTED
