"""Which numbers of a sentence are quantities, and what they say (decisions 4 and 26)."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

import pytest
from foureyes import detect_factual_claims
from foureyes.datatypes import Modifier, Quantity


def quantities(text: str) -> tuple[Quantity, ...]:
    return tuple(one for claim in detect_factual_claims(text) for one in claim.quantities)


ONE = [
    # text, value, kind, unit, words
    ("It cost $50 million.", "5e7", "money", "USD", "$50 million"),
    ("It cost US$1.5bn a year.", "1.5e9", "money", "USD", "US$1.5bn"),
    ("It cost €3 bn.", "3e9", "money", "EUR", "€3 bn"),
    ("It cost $5 M.", "5e6", "money", "USD", "$5 M"),
    ("It was a $5 M&A deal.", "5", "money", "USD", "$5"),
    ("Sales of EUR 5 m rose.", "5e6", "money", "EUR", "EUR 5 m"),
    ("Sales of £2,500 rose.", "2500", "money", "GBP", "£2,500"),
    ("They paid 200 dollars.", "200", "money", "USD", "200 dollars"),
    ("They paid 70 CHF.", "70", "money", "CHF", "70 CHF"),
    ("They paid 70€.", "70", "money", "EUR", "70€"),
    ("They paid 5 lakh rupees.", "500000", "money", "rupee", "5 lakh rupees"),
    ("It cost 100 won.", "100", "money", "KRW", "100 won"),
    ("Both won 2 games.", "2", "count", "game", "2"),
    ("The share is 12.5%.", "12.5", "percent", "", "12.5%"),
    ("The share is 12.5 per cent.", "12.5", "percent", "", "12.5 per cent"),
    ("The share is .5 %.", ".5", "percent", "", ".5 %"),
    ("It rose by 3 percentage points.", "3", "percentage_points", "", "3 percentage points"),
    ("It rose by 25 basis points.", "25", "basis_points", "", "25 basis points"),
    ("It rose 3-fold.", "3", "ratio", "times", "3-fold"),
    ("The 4:1 win was rare.", "4", "ratio", "", "4:1"),
    ("A 1:20 scale model.", "0.05", "ratio", "", "1:20"),
    ("It paid 34 cents a share.", "34", "money", "cent", "34 cents"),
    ("It cost 30 MUSD.", "30e6", "money", "USD", "30 MUSD"),
    ("It cost $2.1T.", "2.1e12", "money", "USD", "$2.1T"),
    ("It cost a quarter million euros.", "250000", "money", "EUR", "a quarter million euros"),
    (
        "It cost a quarter of a million euros.",
        "250000",
        "money",
        "EUR",
        "a quarter of a million euros",
    ),
    ("It cost 100 ₽.", "100", "money", "RUB", "100 ₽"),
    ("It cost US $ 5.", "5", "money", "USD", "US $ 5"),
    ("It fell to 5 degrees below zero.", "-5", "measure", "degree", "5 degrees below zero"),
    ("It holds 5,000+ litres.", "5000", "measure", "litre", "5,000+ litres"),
    ("It takes 250 micrograms daily.", "250", "measure", "microgram/day", "250 micrograms daily"),
    ("He is 5 feet 3 inches tall.", "5.25", "measure", "foot", "5 feet 3 inches"),
    ("He is 5 ft 6 in tall.", "5.5", "measure", "foot", "5 ft 6 in"),
    ("It took 2 hours and 30 minutes.", "2.5", "measure", "hour", "2 hours and 30 minutes"),
    ("She is five years old.", "5", "measure", "year", "five years old"),
    ("It is 3 years of age.", "3", "measure", "year", "3 years of age"),
    ("It fell by minus five percent.", "-5", "percent", "", "minus five percent"),
    ("It was 40 celsius.", "40", "measure", "degree Celsius", "40 celsius"),
    ("It ran 50 km per hr.", "50", "measure", "kilometre/hour", "50 km per hr"),
    ("It moved 9.5e-3 metres.", "0.0095", "measure", "metre", "9.5e-3 metres"),
    ("It reaches 10⁻⁶ bar.", "0.000001", "measure", "bar", "10⁻⁶ bar"),
    ("It is 1.5 × 10^-3 metres long.", "0.0015", "measure", "metre", "1.5 × 10^-3 metres"),
    ("It holds 2·10⁵ litres.", "200000", "measure", "litre", "2·10⁵ litres"),
    ("It took 1/100th of it.", "0.01", "ratio", "", "1/100th"),
    ("See part (33 m) of it.", "33", "measure", "metre", "33 m"),
    ("It weighs 5 kg.", "5", "measure", "kilogram", "5 kg"),
    ("It takes a day and a half.", "1.5", "measure", "day", "a day and a half"),
    ("Some twenty or so kilometres were built.", "20", "measure", "kilometre",
     "twenty or so kilometres"),
    ("Sales rose by a quarter.", "0.25", "ratio", "", "a quarter"),
    ("Sales were up a tenth from May.", "0.1", "ratio", "", "a tenth"),
    ("They sold a fifth more than before.", "0.2", "ratio", "", "a fifth"),
    ("It ran at 80 km/h.", "80", "measure", "kilometre per hour", "80 km/h"),
    ("It sent 2.4 gigabits per second.", "2.4", "measure", "gigabit/second",
     "2.4 gigabits per second"),
    ("It sent 5 MB/s.", "5", "measure", "megabyte/second", "5 MB/s"),
    ("It covers 5 square miles.", "5", "measure", "square mile", "5 square miles"),
    ("It was -5 °C.", "-5", "measure", "degree Celsius", "-5 °C"),
    ("It was −5 °C.", "-5", "measure", "degree Celsius", "−5 °C"),
    ("Olm | (1.2) |", "-1.2", "count", "", "1.2"),
    ("It has 1,234,567 people.", "1234567", "count", "people", "1,234,567"),
    ("It has 1 234 567 people.", "1234567", "count", "people", "1 234 567"),
    ("It has 5m users.", "5e6", "count", "user", "5m"),
    ("It has 5k users.", "5000", "count", "user", "5k"),
    ("It is 5m long.", "5", "measure", "metre", "5m"),
    ("It has 7 old stone churches.", "7", "count", "church", "7"),
    ("It has 7 new cities.", "7", "count", "city", "7"),
    ("It was in 7 of the cases.", "7", "count", "", "7"),
    ("It has 3 dozen ships.", "36", "count", "ship", "3 dozen"),
    ("A dozen ships came.", "12", "count", "ship", "A dozen"),
    ("A million ships came.", "1e6", "count", "ship", "A million"),
    ("Twenty-three people came.", "23", "count", "people", "Twenty-three"),
    ("One hundred and five people came.", "105", "count", "people", "One hundred and five"),
    ("Six hundred thousand three men.", "600003", "count", "men", "Six hundred thousand three"),
    ("Two and a half million men.", "2.5e6", "count", "men", "Two and a half million"),
    ("It has half a million men.", "5e5", "count", "men", "half a million"),
    ("Two and three men came.", "2", "count", "", "Two"),
    ("The 5th ship came.", "5", "ordinal", "", "5th"),
    ("The fifth ship came.", "5", "ordinal", "", "fifth"),
    ("One in five men left.", "0.2", "ratio", "", "One in five"),
    ("3 out of 4 users stay.", "0.75", "ratio", "", "3 out of 4"),
    ("1 in every 5 users stays.", "0.2", "ratio", "", "1 in every 5"),
    ("Three-quarters of the men left.", "0.75", "ratio", "", "Three-quarters"),
    ("Half of the men left.", "0.5", "ratio", "", "Half"),
    ("A quarter of the men left.", "0.25", "ratio", "", "A quarter"),
    ("Nearly a quarter left.", "0.25", "ratio", "", "a quarter"),
    ("It took ¾ of it.", "0.75", "ratio", "", "¾"),
    ("It took 3/4 of it.", "0.75", "ratio", "", "3/4"),
    ("It fell by half a percentage point.", "0.5", "percentage_points", "",
     "half a percentage point"),
    ("It fell by 3/4 percent.", "0.75", "percent", "", "3/4 percent"),
    ("It took half an hour.", "0.5", "measure", "hour", "half an hour"),
    ("It took a quarter of an hour.", "0.25", "measure", "hour", "a quarter of an hour"),
    ("It took 2 1/2 hours.", "2.5", "measure", "hour", "2 1/2 hours"),
    ("It is 5 miles away.", "5", "measure", "mile", "5 miles"),
    ("It ran 5 metres per second.", "5", "measure", "metre per second", "5 metres per second"),
    ("It was 5 degrees celsius.", "5", "measure", "degree Celsius", "5 degrees celsius"),
    ("It hums at 50 hertz.", "50", "measure", "hertz", "50 hertz"),
    ("It is 5 inches long.", "5", "measure", "inch", "5 inches"),
    ("It is 5 parsecs away.", "5", "count", "parsec", "5"),
    ("It holds 12½%.", "12.5", "percent", "", "12½%"),
    ("It holds 2½ million men.", "2.5e6", "count", "men", "2½ million"),
]  # fmt: skip

NONE = [
    "Chart 1: Latency of reading.",
    "Stability: 1 - Experimental",
    "It runs on PyPy[23] 5.10.",
    "The file has a SHA3-256 hash.",
    "See section 5.",
    "Use version 3.2 of it.",
    "As we said in section C.2.6, it is so.",
    "It needs version v1.2.3 now.",
    "Whoever runs 2.8.x or 3.x should update.",
    "[2] says so.",
    "1. First.",
    "(1) First.",
    "ISO 27001 applies.",
    "A Boeing 737 flew.",
    "The F-16 flew.",
    "5G networks grew.",
    "3D printers are sold.",
    "It took 1e5 tries.",
    "John 3:5 says so.",
    "It began at 1:20.",
    "We have a 1:1 meeting.",
    "One person came.",
    "The half-life is long.",
    "The second half of the game.",
    "The first third of it.",
    "Room 101 is free.",
    "Call +49 30 1234567 now.",
    "See https://a.example/2020/5 for it.",
    "It starts at 10:30 or 5 pm.",
    "It rained on 14 May 2021.",
    "It rained on 03/04/2025.",
    "It has 3,5 parts.",
    "Agent 007 came.",
    "It is 7/3 of it.",
    "It is 3/0 of it.",
]
RANGES = [
    ("5–10 people came.", "5", "10", "5–10"),
    ("Between 5 and 10 people came.", "5", "10", "5 and 10"),
    ("It took 5 to 10 days.", "5", "10", "5 to 10 days"),
    ("It cost $10–12 million.", "1e7", "1.2e7", "$10–12 million"),
    ("It cost $5 to $10 million.", "5e6", "1e7", "$5 to $10 million"),
    ("It cost 5 to 10 million dollars.", "5e6", "1e7", "5 to 10 million dollars"),
    ("It rose 5% to 10%.", "5", "10", "5% to 10%"),
    ("It is an 8- to 16-metre boat.", "8", "16", "8- to 16-metre"),
    ("Ten to twelve people came.", "10", "12", "Ten to twelve"),
    ("It cost $3-5.", "3", "5", "$3-5"),
]
MODIFIERS = [
    ("It has 40 ships.", Modifier.EXACT),
    ("It has about 40 ships.", Modifier.ABOUT),
    ("It has ~40 ships.", Modifier.ABOUT),
    ("It has 40 or so ships.", Modifier.ABOUT),
    ("It has at least 40 ships.", Modifier.AT_LEAST),
    ("It has 40 or more ships.", Modifier.AT_LEAST),
    ("It has 40+ ships.", Modifier.AT_LEAST),
    ("It has ≥40 ships.", Modifier.AT_LEAST),
    ("It has up to 40 ships.", Modifier.AT_MOST),
    ("It has 40 or fewer ships.", Modifier.AT_MOST),
    ("It has not more than 40 ships.", Modifier.AT_MOST),
    ("It has more than 40 ships.", Modifier.MORE_THAN),
    ("It has fewer than 40 ships.", Modifier.LESS_THAN),
]
STEPS = [
    ("It cost $1.5 million.", "1e5"),
    ("It cost $1.50.", "0.01"),
    ("It has 40 ships.", "1"),
    ("It cost $10–12 million.", "1e6"),
    ("Three hundred men.", "100"),
    ("Three hundred and two men.", "1"),
]


@pytest.mark.parametrize(("text", "value", "kind", "unit", "words"), ONE)
def test_a_number_is_read_with_its_unit(
    text: str, value: str, kind: str, unit: str, words: str
) -> None:
    found = quantities(text)[0]
    assert (found.low, found.high) == (Decimal(value), Decimal(value))
    assert (found.kind, found.unit, found.text) == (kind, unit, words)


@pytest.mark.parametrize("text", NONE)
def test_a_number_that_only_names_something_is_none(text: str) -> None:
    assert quantities(text) == ()


@pytest.mark.parametrize(("text", "low", "high", "words"), RANGES)
def test_a_range_is_one_quantity(text: str, low: str, high: str, words: str) -> None:
    (found,) = quantities(text)
    assert (found.low, found.high, found.text) == (Decimal(low), Decimal(high), words)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("It rose from 5 to 10 percent.", ["5", "10"]),
        ("It was 10-5.", ["10", "5"]),
        ("5 and 10 men came.", ["5", "10"]),
        ("5 in 2 men came.", ["5", "2"]),
        ("2 men and 3 dogs came.", ["2", "3"]),
        ("It cost 5 dollars, 20 of them in coins.", ["5", "20"]),
        ("It ran 5 feet 3 times.", ["5", "3"]),
        ("It cost 15 cents 50 times.", ["15", "50"]),
        ("They paid 7 $ 5 times.", ["7", "5"]),
        ("It is $5 - 10 km away.", ["5", "10"]),
        ("It fell by 84 to 318.", ["84", "318"]),
        ("It fell by 4.5 percentage points to 1,146 men.", ["4.5", "1146"]),
    ],
)
def test_numbers_that_make_no_range_stay_apart(text: str, values: list[str]) -> None:
    found = quantities(text)
    assert [(one.low, one.high) for one in found] == [(Decimal(v), Decimal(v)) for v in values]
    assert all(left.end <= right.start for left, right in pairwise(found))


def test_both_ends_of_a_change_share_the_unit() -> None:
    kinds = {one.kind.value for one in quantities("It rose from 5 to 10 percent.")}
    assert kinds == {"percent"}


@pytest.mark.parametrize(("text", "modifier"), MODIFIERS)
def test_the_words_around_a_number_say_how_exact_it_is(text: str, modifier: Modifier) -> None:
    assert [one.modifier for one in quantities(text)] == [modifier]


@pytest.mark.parametrize(("text", "step"), STEPS)
def test_the_step_is_the_value_of_the_last_digit_written(text: str, step: str) -> None:
    assert [one.step for one in quantities(text)] == [Decimal(step)]


def test_letters_that_grow_in_lower_case_do_not_move_the_spans() -> None:
    (found,) = quantities("İİİ has 5 kg.")
    assert found.text == "5 kg"


def test_one_in_five_is_known_to_a_fiftieth() -> None:
    (share,) = quantities("One in five left.")
    assert (share.low, share.step) == (Decimal("0.2"), Decimal("0.02"))


@pytest.mark.parametrize(
    "text",
    [
        "It was sold by a third party.",
        "The match went up a quarter final.",
        "It happened a second and a half ago at a dance and a half.",
    ],
)
def test_a_third_party_is_no_share(text: str) -> None:
    assert not [q for q in quantities(text) if q.kind.value == "ratio"]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Membership is up by 9 per cent to 1,318.", ["percent", "count"]),
        ("The share went from 9 per cent to 12.", ["percent", "percent"]),
    ],
)
def test_what_a_change_led_to_is_no_percentage(text: str, kinds: list[str]) -> None:
    assert [one.kind for one in quantities(text)] == kinds
