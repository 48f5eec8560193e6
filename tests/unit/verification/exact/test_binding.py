"""The words beside a claimed figure are compared with those beside it in the source."""

from __future__ import annotations

import pytest
from foureyes.verification.exact.binding import (
    bound_in_text,
    bound_in_unit,
    fits,
    is_equal,
    misbinding,
)
from foureyes.verification.passages.figures import find_figures
from foureyes.verification.passages.units import split_units
from foureyes.verification.registry import load_registry

LEXICON = load_registry().lexicon
WAITS = "| Centre | Typical wait |\n|---|---|\n| Pinfold | 38 |\n| Tansy Hill | 44 |\n"
REASONS = "Pupils named these:\n\n- the queue: 46%\n- the price: 22%\n- the taste: 19%\n"
ORIGIN = "**Origin.** Europe 71 %, North Africa 11 %, Western Asia 18 %."
YEARS = (
    "| Line | 2024 | 2025 |\n|---|---|---|\n| Holm | 94.5% | 91.1% |\n| Uttwil | 88.0% | 90.4% |\n"
)


def score(claim: str, source: str) -> float:
    units = split_units(source)
    found = [b for u in units for b in bound_in_unit(u, find_figures(u.text, LEXICON))]
    return misbinding(fits(bound_in_text(claim, find_figures(claim, LEXICON)), found, is_equal))


@pytest.mark.parametrize(
    ("right", "wrong", "source"),
    [
        (
            "The wait is 38 minutes at Pinfold and 44 at Tansy Hill.",
            "The wait is 44 minutes at Pinfold and 38 at Tansy Hill.",
            WAITS,
        ),
        (
            "The price put off 22 per cent and the taste 19 per cent.",
            "The price put off 19 per cent and the taste 22 per cent.",
            REASONS,
        ),
        (
            "11 % come from North Africa and 18 % from Western Asia.",
            "18 % come from North Africa and 11 % from Western Asia.",
            ORIGIN,
        ),
        (
            "94.5 per cent of Holm trains were on time in 2024.",
            "88 per cent of Holm trains were on time in 2024.",
            YEARS,
        ),
    ],
)
def test_figures_bound_to_other_words_score_higher(right: str, wrong: str, source: str) -> None:
    assert score(right, source) <= 0 < score(wrong, source)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The wait is 51 minutes at Pinfold.", WAITS),
        ("Nobody waits.", WAITS),
        ("The wait is 38 minutes at Pinfold.", "Nothing is said of it."),
        ("It is 46 per cent.", REASONS),
    ],
)
def test_where_nothing_can_be_compared_the_score_is_zero(claim: str, source: str) -> None:
    assert score(claim, source) == 0
