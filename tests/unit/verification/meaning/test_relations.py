"""Superlatives against the values that a passage gives for each of several."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from foureyes.claims.detect import detect_claims
from foureyes.documents.parse import parse_document
from foureyes.verification.meaning.relations import RelationCheck, check_extremes
from foureyes.verification.reading.form import claim_form
from foureyes.verification.reading.index import TextIndex
from foureyes.verification.reading.window import build_window
from support.claim_kit import AS_OF, judged, registry

LEXICON = registry().lexicon
SHARES = (
    "Spent on schools: Ardenmoor 24.8 per cent; Bruntland 31.3 per cent; Coralia 29.9 per cent."
)
RATES = (
    "Drop-out ranged from 8.1% at Varde to 17.9% at Kirkevang. "
    "Ostholm, at 9.6%, came second; Lindeby had 12.0%."
)


def checks(claim: str, source: str) -> tuple[RelationCheck, ...]:
    document = parse_document(f"{claim.rstrip('.')} (https://example.org/page).\n")
    (one, *_) = detect_claims(document, LEXICON, as_of=AS_OF)
    index = TextIndex(source, LEXICON)
    window = build_window(index, 0, len(index.segments) - 1)
    return check_extremes(claim_form(one, LEXICON), window, source, LEXICON)


@pytest.mark.parametrize(
    ("claim", "source", "outcome"),
    [
        ("Of the three states Bruntland spends the largest share.", SHARES, "confirmed"),
        ("Of the three states Ardenmoor spends the lowest share.", SHARES, "confirmed"),
        ("The state of Coralia spends the largest share.", SHARES, "denied"),
        ("The state of Ardenmoor spends the largest share.", SHARES, "denied"),
        ("Of the colleges, Ostholm has the lowest drop-out rate.", RATES, "denied"),
        ("Of the four colleges, Varde has the lowest drop-out rate.", RATES, "confirmed"),
        ("Of the colleges, Kirkevang has the lowest drop-out rate.", RATES, "denied"),
    ],
)
def test_the_values_decide_who_is_highest(claim: str, source: str, outcome: str) -> None:
    (check,) = checks(claim, source)
    assert check.outcome.value == outcome
    assert source[check.start : check.end].count("%" if source is RATES else "per cent") >= 3


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The state of Coralia spends a large share.", SHARES),
        ("The state of Coralia does not spend the largest share.", SHARES),
        ("The state of Coralia spends the second largest share.", SHARES),
        ("Most of the money of Coralia goes to schools.", SHARES),
        ("The state of Dunmarch spends the largest share.", SHARES),
        ("In all, Coralia or Bruntland has the largest share of them.", SHARES),
        # A passage may leave some of them out, and not every value need be one of them.
        ("The state of Bruntland spends the largest share.", SHARES),
        ("Of the three men, Marsh raised the least.", "Marsh raised $9, $3 of it abroad, and $4."),
        (
            "The state of Coralia spends the largest share.",
            "Coralia 29.9 per cent; Dun 3 per cent.",
        ),
        ("The state of Coralia spends the largest share.", "Coralia spends much."),
    ],
)
def test_anything_else_is_left_open(claim: str, source: str) -> None:
    assert checks(claim, source) == ()


LAKES = (
    "Depth of the lakes, in the survey of 1998. The Aldersee is 41 metres deep, the Brennsee 67 "
    "metres and the Culmsee 29 metres. Anglers' marks out of ten: Aldersee 6.1; Brennsee 4.8; "
    "Culmsee 7.9; Dornsee 5.2."
)


@pytest.mark.parametrize(
    ("claim", "denied"),
    [
        ("The Aldersee is deeper than the Brennsee.", True),
        ("The Brennsee is deeper than the Aldersee.", False),
        ("The Culmsee is deeper than either of the other lakes.", True),
        ("The Brennsee is deeper than either of the other lakes.", False),
        ("No lake is deeper than the Aldersee.", True),
        ("No lake is deeper than the Brennsee.", False),
        ("The Aldersee is not deeper than the Brennsee.", False),
        ("Anglers gave the Culmsee lower marks than the Dornsee.", True),
        ("Anglers gave the Culmsee higher marks than the Dornsee.", False),
    ],
)
def test_two_of_a_list_are_compared_by_their_values(claim: str, denied: bool) -> None:
    assert (judged(claim, LAKES).verdict is Verdict.CONTRADICTED) is denied


HEATERS = (
    "Four fan heaters compared. Noise, in decibels: Alto 41, Brenna 38, Corto 44, Dune 39. "
    "Weight, in kilograms: Alto 1.9, Brenna 2.6, Corto 2.2, Dune 2.4. All of them switch off.\n"
)
PRICES = (
    "Three fan heaters compared. Prices in euros: Alto 39, Brenna 74, Corto 52. Noise, in dB: "
    "Alto 41, Brenna 38, Corto 44.\n"
)
MILLS = (
    "Dust from the province's paper mills (all five), tonnes a year: Askov 312, Berg 288, Carlow "
    "431, Dorn 290, Esk 105. Per tonne of paper Berg comes off worst with 0.8 kg.\n"
)
RACE = (
    "Results of the ferry race. The Merle took 41 minutes, the Nixe 38 minutes, the Otter 47 "
    "minutes and the Plover 44 minutes. On the straight the Merle made 19 knots, the Nixe 21 "
    "knots, the Otter 18 knots and the Plover 22 knots.\n"
)


@pytest.mark.parametrize(
    ("claim", "text", "denied"),
    [
        ("The Alto was the quietest of the fan heaters compared.", HEATERS, True),
        ("The Brenna was the quietest of the fan heaters compared.", HEATERS, False),
        ("The Alto was the cheapest of the fan heaters compared.", PRICES, False),
        ("The Corto was the cheapest of the fan heaters compared.", PRICES, True),
        ("The Alto was the most expensive of the fan heaters compared.", PRICES, True),
        ("The Brenna was the most expensive of the fan heaters compared.", PRICES, False),
        ("The Dune was the lightest of the fan heaters compared.", HEATERS, True),
        ("The Alto is lighter than the Corto among the fan heaters.", HEATERS, False),
        ("The Alto was the smallest of the fan heaters compared.", HEATERS, False),
        ("The Dune was the oldest of the fan heaters compared.", HEATERS, False),
        (
            "The Askov mill gave off more dust than any other paper mill in the province.",
            MILLS,
            True,
        ),
        (
            "The Carlow mill gave off more dust than any other paper mill in the province.",
            MILLS,
            False,
        ),
        (
            "The Berg mill gave off more smoke than any other paper mill in the province.",
            MILLS,
            False,
        ),
        ("The Merle was the fastest in the ferry race, over the minutes it took.", RACE, True),
        ("The Nixe was the fastest in the ferry race, over the minutes it took.", RACE, False),
        ("The Otter was slower than the Nixe in the ferry race.", RACE, False),
        ("The Nixe was slower than the Otter in the ferry race.", RACE, True),
    ],
)
def test_an_adjective_says_of_which_values_it_speaks(claim: str, text: str, denied: bool) -> None:
    assert (judged(claim, text).verdict is Verdict.CONTRADICTED) is denied


def test_a_value_with_a_unit_of_its_own_is_none_of_the_next_entry() -> None:
    votes = "In the final: Marta Lund (ice) 412 votes, Piet Oster 388, Selma Grau 205, Bo Ek 190."
    assert checks("Of the finalists, Marta Lund received the most votes.", votes) == ()
