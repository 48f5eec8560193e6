from __future__ import annotations

import pytest
from foureyes.claims.arithmetic.equations import find_equations
from foureyes.claims.lexicon import load_lexicon
from hypothesis import given
from hypothesis import strategies as st

LEXICON = load_lexicon()


def verdicts(text: str) -> list[bool]:
    return [one.agrees for one in find_equations(text, LEXICON)]


@pytest.mark.parametrize(
    "text",
    [
        "The crates weigh 12 * 7 = 84 kg.",
        "He spent $1.50 x 4 = $6 there.",
        "That makes 3 crates + 2 crates = 5 crates.",
        "Half of 18 pallets = 9 pallets.",
        "A tax of 20% of 250 = 50 euros.",
        "With 50 + 20% = 60 it is dearer.",
        "The share is 15 / 60 * 100 = 25%.",
        "Shares of 15% + 25% = 40% remain.",
        "They need 100 / 3 = 33.3 litres.",
        "They need 200 / 3 = 66 buses.",
        "It costs 4 * 30 cents = $1.20 a week.",
        "Twice 30 minutes + 30 minutes = 1 hour.",
        "(3 + 4) * 2 = 14 seats.",
        "12 divided by 4 = 3 teams.",
        "6 multiplied by 2 = 12 eggs.",
        "$300/month + $200/month = $500/month.",
        "10 (for Ada) + 5 (for Bo) = 15 coins.",
        "2 + 3 = 5 * 1 = 5 in all.",
        "-2 + 5 = 3 degrees.",
        "1,250 − 250 = 1,000 seats.",
        "3k + 2k = 5k runners.",
        "12/7 = about 1.7 tonnes.",
    ],
)
def test_a_right_equation_agrees(text: str) -> None:
    assert verdicts(text)
    assert all(verdicts(text))


@pytest.mark.parametrize(
    ("text", "working"),
    [
        ("The crates weigh 12 * 7 = 94 kg.", "12 * 7 = 84"),
        ("He spent $1.50 x 4 = $60.", "$1.50 x 4 = 6"),
        ("They need 100 / 3 = 34.3 litres.", "100 / 3 = 33.3333"),
        ("2 + 3 = 5 * 2 = 10 in all.", "2 + 3 = 5"),
        ("A tax of 20% of 250 = 5 euros.", "20% of 250 = 50"),
        ("It holds 30 bags of seed * 5 = 155 kg.", "30 bags of seed * 5 = 150"),
    ],
)
def test_a_wrong_equation_shows_its_working(text: str, working: str) -> None:
    doubted = [one for one in find_equations(text, LEXICON) if not one.agrees]
    assert [one.working for one in doubted] == [working]
    assert text[doubted[0].start : doubted[0].end].startswith(working.split(" = ")[0])


@pytest.mark.parametrize(
    "text",
    [
        "x = 110 queen bees",
        "The groups did not differ (t(39) = 1.16).",
        "2n + 3 = 11 where n counts pairs.",
        "wins = L + 80",
        "price per unit * 12 = $24",
        "The mean (= 4.2) was low.",
        "It is 5 / 0 = 7.",
        "$350 000 x 12/100 = $42000",
        "7 ( 3 = 4",
        "a = b",
        "= 5",
        "5 + = 5",
    ],
)
def test_what_has_an_unknown_or_no_end_is_left_alone(text: str) -> None:
    assert verdicts(text) == []


@given(st.integers(0, 999), st.integers(1, 999), st.integers(-9, 9))
def test_a_product_agrees_exactly_when_it_is_right(left: int, right: int, error: int) -> None:
    text = f"It takes {left} * {right} = {left * right + error} tiles."
    assert verdicts(text) in ([error == 0], [])


@given(st.text("0123456789+-*/=()$%x. aof,", max_size=120))
def test_no_text_of_signs_and_digits_breaks_the_reader(text: str) -> None:
    for one in find_equations(text, LEXICON):
        assert 0 <= one.start < one.end <= len(text)
