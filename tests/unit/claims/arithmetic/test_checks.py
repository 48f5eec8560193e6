from __future__ import annotations

from fractions import Fraction

import pytest
from foureyes.claims.arithmetic.calculation import figure
from foureyes.claims.arithmetic.checks import CheckedSum, check_arithmetic, read_figures
from foureyes.claims.lexicon import load_lexicon
from foureyes.documents.parse import parse_document

LEXICON = load_lexicon()


def sums(markdown: str) -> tuple[CheckedSum, ...]:
    document = parse_document(markdown)
    return check_arithmetic(document, read_figures(document, LEXICON), LEXICON)


RIGHT = [
    "Sales rose from 40 to 50 million euros, a 25 percent increase.",
    "Revenue fell by 20 percent, from $5.0 billion to $4.0 billion.",
    "Staff numbers reached 240, up from 200 a year earlier, a rise of 20 percent.",
    "It cost 4.1 million, up from 3.8 million, an increase of 8 percent.",
    "The rate rose from 2.5 percent to 3.0 percent, up 50 basis points.",
    "The rate rose from 10 percent to 15 percent, up 5 percentage points.",
    "The fee fell from 90 to 75 euros, a cut of 15 euros.",
    "Of the drones, 48 of 60 returned, or 80 percent.",
    "In the poll 73 % (22 of 30) agreed.",
    "It gave $3.0 million to schools, $2.5 million to clinics and $1.5 million to parks, "
     "for a total of $7.0 million.",
    "They sold 12 tickets, 7 tickets and 3 tickets, 22 tickets in total.",
    "The crates weigh 12 * 7 = 84 kg.",
]  # fmt: skip

WRONG = [
    ("Sales rose from 40 to 50 million euros, a 30 percent increase.", "+25%"),
    ("Revenue grew by 20 percent, from $5.0 billion to $4.0 billion.", "−20%"),
    ("The rate rose from 10 percent to 15 percent, a rise of 5 percent.", "+50%"),
    ("The fee fell from 90 to 75 euros, a cut of 25 euros.", "−15"),
    ("Exports rose from 40 to 50 tonnes and they grew by 35 percent.", "+25%"),
    ("Exports rose from 40 to 50 tonnes, rising by 35%.", "+25%"),
    ("Of the drones, 48 of 60 returned, or 85 percent.", "48 / 60 = 80 %"),
    (
        "They sold 12 tickets, 7 tickets and 3 tickets, 25 tickets in total.",
        "12 + 7 + 3 = 22",
    ),
    ("The crates weigh 12 * 7 = 94 kg.", "12 * 7 = 84"),
]

SILENT = [
    # Two subjects in one sentence, percentages of different things, a sum and what comes on top.
    "The share rises from 1.49% to 3.28%, and total gas use rises by 3.56%.",
    "Gas use rises by 3.56% and the share rises from 1.49% to 3.28%.",
    "Exports rose from 40 to 50 tonnes, imports fell by 10%.",
    "Exports rose from 40 to 50 tonnes while imports fell by 30%.",
    "Some 40% of the women and 70% of the men voted yes.",
    "Of 40 homes 10 are empty, and 30 percent of shops are closed.",
    "There are 12 ships in all, 3 red and 4 blue, and 6 grey ones were added.",
    "The total is 10 people, 4 men and 6 women, and 3 more came later.",
    "Sales rose from 40 to 50 million euros; prices fell by 30 percent.",
    "Between 2012 and 2018 three mayors served.",
    "Your share goes up from 7.0 to 7.3 per cent of pay and your employer's from 14.5 to 15.2.",
    "At 14,630 a year, three more years would bring the total to about 78,000.",
    "It has grown to a staff of 23, up from three, and more than 60 helpers.",
    "They sold 12 tickets, 7 tickets and 3 tickets; the hall holds 500.",
    "Of the 60 drones 48 returned. In all, 85 percent of pilots agreed.",
    "The road is 10 miles (two lanes) long.",
    "From fiscal 2012 to fiscal 2018, nine years, it lost money.",
]


@pytest.mark.parametrize("text", RIGHT)
def test_a_right_result_agrees(text: str) -> None:
    (found,) = sums(text)
    assert found.calculation.agrees


@pytest.mark.parametrize(("text", "working"), WRONG)
def test_a_wrong_result_is_doubted_with_its_working(text: str, working: str) -> None:
    doubted = [one for one in sums(text) if not one.calculation.agrees]
    assert len(doubted) == 1
    assert working in doubted[0].calculation.working
    assert text[doubted[0].location.start : doubted[0].location.end] == doubted[0].text


@pytest.mark.parametrize("text", SILENT)
def test_figures_that_are_not_reckoned_with_are_left_alone(text: str) -> None:
    assert sums(text) == ()


TABLE = """# Budget

| City | 2023 | 2024 | Total |
|---|---:|---:|---:|
| Arne | 1,200 | 1,300 | 2,500 |
| Bol | 800 | 700 | {bol} |
| {total} | 2,000 | {sum} | 4,{last}00 |
"""


def test_the_totals_of_a_right_table_agree() -> None:
    found = sums(TABLE.format(bol="1,500", total="Total", sum="2,000", last="0"))
    assert len(found) == 6
    assert all(one.calculation.agrees for one in found)


def test_a_wrong_row_and_a_wrong_column_are_told_apart() -> None:
    found = sums(TABLE.format(bol="1,600", total="**Total**", sum="2,100", last="1"))
    doubted = [(one.location.line, one.text) for one in found if not one.calculation.agrees]
    assert doubted == [(6, "1,600"), (7, "2,100")]


@pytest.mark.parametrize("total", ["Subtotal", "of which coast", "Average"])
def test_a_table_with_a_subtotal_is_left_alone(total: str) -> None:
    assert sums(TABLE.format(bol="1,600", total=total, sum="9", last="9")) == ()


def test_a_quotation_and_code_keep_their_own_sums() -> None:
    assert sums("```\n2 + 2 = 5\n```\n") == ()


@pytest.mark.parametrize(
    ("value", "text"),
    [(Fraction(1, 3), "0.3333"), (Fraction(7_000_000), "7,000,000"), (Fraction(-3, 2), "-1.5")],
)
def test_figures_are_written_as_people_write_them(value: Fraction, text: str) -> None:
    assert figure(value) == text
