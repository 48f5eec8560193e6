from __future__ import annotations

import pytest
from foureyes.claims.arithmetic.checks import CheckedSum, check_arithmetic
from foureyes.claims.arithmetic.figures import read_figures
from foureyes.claims.lexicon import load_lexicon
from foureyes.documents.parse import parse_document
from hypothesis import given
from hypothesis import strategies as st

LEXICON = load_lexicon()


def crossed(markdown: str) -> list[CheckedSum]:
    document = parse_document(markdown)
    found = check_arithmetic(document, read_figures(document, LEXICON), LEXICON)
    return [one for one in found if one.operands]


SHARE = "The fund holds 1,460 million dinars. By May 905 million had been spent. That is {} {}."
NIGHT = "It raises six alerts a night, and each takes a nurse twelve minutes. That is {} a night."

RIGHT = [
    SHARE.format("62 per cent", "of the total"),
    SHARE.format("62 per cent", "of the fund"),
    NIGHT.format("72 minutes"),
    NIGHT.format("1.2 hours"),
    "The fleet has 12 ships. Five are in refit; the remaining seven are at sea.",
    "Of the panel 62 per cent agreed and 20 per cent did not; the remaining 18 per cent slept.",
    "The club has 240 members. Each pays 15 euros a year. That makes 3,600 euros a year.",
    "There were 310 homes in the poll. Of these 62 had no power. That is a fifth of the total.",
    "The plan costs 12 million euros. A grant pays 10 per cent, which leaves 11 million euros.",
    "The plan costs 400 euros a head. It covers 20 per cent of 90 people. That is 18 people.",
    "The port has 50 cranes. Of these 10 per cent stand idle. The other 45 cranes work. "
    "They lift 3 loads an hour each. That is 135 loads in the hour.",
]

WRONG = [
    (SHARE.format("72 per cent", "of the total"), "905 million / 1,460 million dinars = 61.9863 %"),
    (NIGHT.format("102 minutes"), "six × twelve minutes = 72"),
    (NIGHT.format("2 hours"), "six × twelve minutes = 72 = 1.2 hour"),
    ("The fleet has 12 ships. Five are in refit; the remaining 8 are at sea.", "12 − five = 7"),
    (
        "Of the panel 62 per cent agreed and 20 per cent did not; the remaining 28 per cent slept.",
        "100 % − 62 per cent − 20 per cent = 18",
    ),
    (
        "The club has 240 members. Each pays 15 euros a year. That makes 3,900 euros a year.",
        "15 euros × 240 = 3,600",
    ),
    ("Of the 60 drones, 48 returned. That is 85 per cent of them.", "48 / 60 = 80 %"),
    (
        "There were 310 homes in the poll. Of these 62 had no power. That is a third of the total.",
        "62 / 310 = 20 %",
    ),
]

SILENT = [
    "The town has 40 buses and 12 trams. That is 72 per cent of the planned fleet.",
    "The yard built 40 boats in 2023. In 2024 it built 50 ships, an increase of 30 per cent.",
    "The yard built 40 boats. Later it built 50 boats, an increase of 30 per cent.",
    "The fund holds 1,460 million dinars.\n\nThat is 72 per cent of the total.",
    "The fleet has 12 ships. It needs 5 million euros. That is 40 days of income.",
    "| Ships | 12 |\n|---|---|\n| That is | 3 |",
    "The first 4 boats sailed; the other day 9 more came.",
]


@pytest.mark.parametrize("text", RIGHT)
def test_a_right_result_of_the_sentences_before_is_not_doubted(text: str) -> None:
    assert [one.calculation.working for one in crossed(text) if not one.calculation.agrees] == []


@pytest.mark.parametrize(("text", "working"), WRONG)
def test_a_wrong_one_is_doubted_with_its_working_and_its_figures(text: str, working: str) -> None:
    (found,) = [one for one in crossed(text) if not one.calculation.agrees]
    assert found.calculation.working == working
    for place in found.operands:
        assert text[place.location.start : place.location.end] == place.text


@pytest.mark.parametrize("text", SILENT)
def test_without_one_way_to_reckon_nothing_is_said(text: str) -> None:
    assert crossed(text) == []


@given(st.integers(1, 900), st.integers(1, 99), st.integers(-40, 40))
def test_one_changed_total_gives_exactly_one_doubt(members: int, fee: int, off: int) -> None:
    stated = members * fee + off
    text = (
        f"The club has {members} members. Each pays {fee} euros a year. That makes {stated} euros."
    )
    doubted = [one for one in crossed(text) if not one.calculation.agrees]
    explained = stated in (members * fee, members + fee, fee - members, members - fee)
    rounded = abs(off) <= 1 or stated > 9_999 or members % fee == 0 or fee % members == 0
    if off == 0:
        assert doubted == []
    elif not rounded and not explained and stated > members // fee + 1:
        assert len(doubted) == 1
