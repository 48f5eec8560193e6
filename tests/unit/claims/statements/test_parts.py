"""A compound sentence yields its statements, each complete; what is no compound stays whole."""

from __future__ import annotations

from datetime import date

import pytest
from foureyes.claims.detect import detect_claims
from foureyes.claims.lexicon import load_lexicon
from foureyes.claims.model import Claim
from foureyes.claims.statements.clause_reader import Held
from foureyes.claims.statements.parts import split_sentence, subject_of
from foureyes.documents.parse import parse_document
from hypothesis import given, settings
from hypothesis import strategies as st

LEXICON = load_lexicon()
REFERENCES = "\n\n[1]: https://a.example\n\n[2]: https://b.example\n"


def claims(text: str) -> tuple[Claim, ...]:
    return detect_claims(parse_document(text), LEXICON, as_of=date(2026, 1, 1))


def parts(sentence: str) -> list[str]:
    """What the claims of a cited sentence say, without the final stop."""
    return [claim.text.rstrip(".") for claim in claims(f"{sentence} [1].{REFERENCES}")]


COMPOUNDS = [
    (
        "Revenue rose 12% to 4 million and the mill opened two shops in Olm",
        ["Revenue rose 12% to 4 million", "the mill opened two shops in Olm"],
    ),
    (
        "The toll brings 9 million a year and pays for the ferry",
        ["The toll brings 9 million a year", "The toll pays for the ferry"],
    ),
    ("Olm has 9 gates; the wall has 40 towers", ["Olm has 9 gates", "the wall has 40 towers"]),
    (
        "Olm has 9 gates, while Ulm has 4 gates",
        ["Olm has 9 gates", "Ulm has 4 gates"],
    ),
    (
        "In 2024, imports rose 5% and exports fell 3%",
        ["In 2024, imports rose 5%", "In 2024, exports fell 3%"],
    ),
    (
        "In 2024 imports rose 5% but exports fell 3% in 2025",
        ["In 2024 imports rose 5%", "exports fell 3% in 2025"],
    ),
    (
        "Imports rose 5% in 2024 and exports fell 3%",
        ["Imports rose 5% in 2024", "exports fell 3% in 2024"],
    ),
    (
        "Marn said that imports rose 5% and exports fell 3%",
        ["Marn said that imports rose 5%", "Marn said that exports fell 3%"],
    ),
    (
        "According to Marn, the mill has 40 looms and the shop sells 9 sorts",
        ["According to Marn, the mill has 40 looms", "According to Marn, the shop sells 9 sorts"],
    ),
    (
        "However, the mill has 40 looms and the shop sells 9 sorts",
        ["the mill has 40 looms", "the shop sells 9 sorts"],
    ),
    (
        "The tower was finished in 1890 and repaired by Marn in 1950",
        ["The tower was finished in 1890", "The tower was repaired by Marn in 1950"],
    ),
    (
        "Marn was born in 1890 in Olm and worked for the mill",
        ["Marn was born in 1890 in Olm", "Marn worked for the mill"],
    ),
    (
        "The mill will open in May and close in June",
        ["The mill will open in May", "The mill will close in June"],
    ),
    ("It holds 9 maps and raises 40 men", ["It holds 9 maps", "It raises 40 men"]),
    (
        "The mill, which opened in 1998, employs 300 people",
        ["The mill employs 300 people", "The mill opened in 1998"],
    ),
    (
        "The line replaces the Heron route, which was opened in 1991",
        ["The line replaces the Heron route", "the Heron route was opened in 1991"],
    ),
    (
        "Crews are short: the fleet had 71% of its crew in May 2026",
        ["Crews are short", "the fleet had 71% of its crew in May 2026"],
    ),
    (
        "The mill made 187 boats in its nine yards in 2025, up from 121 in 2024",
        [
            "The mill made 187 boats in its nine yards in 2025",
            "The mill made 121 boats in its nine yards in 2024",
        ],
    ),
    (
        "Its debt was $5 million in 2024, compared with $6 million in 2023",
        ["Its debt was $5 million in 2024", "Its debt was $6 million in 2023"],
    ),
    (
        "The toll pays for 9 ferries and rose when Marn left",
        ["The toll pays for 9 ferries", "The toll rose when Marn left"],
    ),
    (
        "The line replaces the Heron route, which opened in 1991; the mill has 9 looms",
        [
            "The line replaces the Heron route",
            "the Heron route opened in 1991",
            "the mill has 9 looms",
        ],
    ),
    (
        "The plan would thus cover the Heron route, which has 9 stops",
        ["The plan would thus cover the Heron route", "the Heron route has 9 stops"],
    ),
    (
        "For example, the mill has 9 looms and the shop sells 4 sorts",
        ["the mill has 9 looms", "the shop sells 4 sorts"],
    ),
    (
        "Ilse Marn, who was born in 1950, led the mill for 9 years",
        ["Ilse Marn led the mill for 9 years", "Ilse Marn was born in 1950"],
    ),
]
SIMPLE = [
    "Olm and Ulm have 9 gates",
    "The deal between Olm and Ulm was signed in 2019",
    "The bridge built by Marn and Tor was closed in 1990",
    "Sales rose from 40 to 50 and by 25%",
    "If sales rise 5% and costs fall 3%, the mill gains",
    "The mill rose 5% unless the shop fell 3%",
    "Marn said that sales rose 5% and moved to Ulm",
    "Marn found sales rose and costs fell 3%",
    "Twelve mills were built and five are in use",
    "Olm has 120,000 people and Ulm has 4,000",
    "A set costs 9 kroner and a pack 3 kroner",
    "The tower was designed and built by Marn in 1890",
    "The shop has 50 roasted and salted nuts",
    "It has 50 towers and a wall painted in 1900",
    "It names 9 towns that grew and villages that shrank",
    "Sales fell 5%, which means that the mill closes",
    "Marn met the head of the mill, who was 50",
    "The tower is older than the gate and the wall",
    "Marn wrote “it rose and the wall fell” of 9 towers",
    "Its debt rose to $5 million in 2024, up from $4 million in 2023",
    "Its debt was $5 million at the end of 2024, up from $4 million in 2023",
    "Its debt was $5 million in 2024, up from 9% in 2023",
    "It opened at 10:30 and at 11:30 of 9 May 2020",
    "The choice is clear: 40 men or 50 men",
    "Some wrong ideas are: the mill has 40 looms",
    "Two rules are new: the mill has 40 looms",
    "There are two common myths: the mill has 40 looms",
    "The law is governed by and read in line with 9 rules",
    "The mill rose since Marn came and Tor left with 9 men",
    "It closed the gap between its mills and the shop was sold for $9",
    "The mill has 9 gates and workers built 4 towers",
    "The mill has 9 gates and only Marn has 4 keys",
    "The mill has 90 looms and some of them were sold for $9",
    "The mill has 9 gates and painted walls",
    "The plan was backed by 9 towns and opposed by Ulm was dropped",
    "The mill has not sold 9 looms and moved to Ulm",
    "The tax will help Olm build 9 mills and sell 4 boats",
    "The 9 mills were trained and certified in Olm",
    "There are several tools and parts you can use at 9 places",
]


@pytest.mark.parametrize(("sentence", "expected"), COMPOUNDS)
def test_each_statement_of_a_compound_sentence_is_a_claim(
    sentence: str, expected: list[str]
) -> None:
    assert parts(sentence) == expected


@pytest.mark.parametrize("sentence", SIMPLE)
def test_what_is_not_surely_compound_stays_whole(sentence: str) -> None:
    assert parts(sentence) == [sentence]


CITED = [
    (
        "Under the Act only guards may use it [1], and each use has to be told to the board [2].",
        [
            ("Under the Act only guards may use it", ["1"]),
            ("each use has to be told to the board.", ["2"]),
        ],
    ),
    (
        "The board asks mills to name a clerk [1], and to report harm in ten days [2].",
        [
            ("The board asks mills to name a clerk", ["1"]),
            ("The board asks mills to report harm in ten days.", ["2"]),
        ],
    ),
    (
        "On 12 May 2025 it was cut twice [1], probably by a storm [2].",
        [("On 12 May 2025 it was cut twice", ["1"]), ("it was cut probably by a storm.", ["2"])],
    ),
    (
        "The link gave Olm 9 watts [1], about 2% of the demand [2].",
        [
            ("The link gave Olm 9 watts", ["1"]),
            ("The link gave Olm about 2% of the demand.", ["2"]),
        ],
    ),
    (
        "The mill, which opened in 1998 [1], employs 300 people [2].",
        [("The mill employs 300 people.", ["2"]), ("The mill opened in 1998", ["1"])],
    ),
    (
        "The mill has 40 looms and the shop sells 9 sorts [1][2].",
        [("The mill has 40 looms", ["1", "2"]), ("the shop sells 9 sorts.", ["1", "2"])],
    ),
    ("In 2025 it logged 9 cases [1], up from 4 in 2024 [2].", None),
]


@pytest.mark.parametrize(("sentence", "expected"), CITED)
def test_a_statement_has_the_citations_that_stand_in_it(
    sentence: str, expected: list[tuple[str, list[str]]] | None
) -> None:
    found = [
        (claim.text, [c.label for c in claim.cited]) for claim in claims(sentence + REFERENCES)
    ]
    whole = [(sentence.replace(" [1]", "").replace(" [2]", ""), ["1", "2"])]
    assert found == (expected or whole)


def test_a_statement_is_located_in_its_own_stretch_of_the_document() -> None:
    text = "# A\n\nIt has **9** gates [1], and the _wall_ has 40 towers [2].\n" + REFERENCES
    first, second = claims(text)
    stretches = [text[one.location.start : one.location.end] for one in (first, second)]
    assert stretches == ["It has **9** gates [1]", "the _wall_ has 40 towers [2]."]
    assert (second.location.line, first.sentence) == (3, second.sentence)
    (quantity,) = second.quantities
    assert text[slice(*second.source_span(quantity.start, quantity.end))] == "40"


def test_shared_words_lead_back_to_where_they_stand() -> None:
    text = "In 2024 the *mill* made 40 boats and sold 9 barges.\n"
    _, second = claims(text)
    assert second.text == "In 2024 the mill sold 9 barges."
    (day,), (quantity,) = second.dates, second.quantities
    assert text[slice(*second.source_span(day.start, day.end))] == "2024"
    assert text[slice(*second.source_span(quantity.start, quantity.end))] == "9"


def test_a_count_has_the_noun_that_it_shares() -> None:
    _, before = claims("The mill had 187 boats in 2025, up from 121 in 2024.")
    assert [(one.text, one.unit) for one in before.quantities] == [("121", "boat")]


def test_a_statement_without_number_or_citation_makes_no_claim() -> None:
    assert [one.text for one in claims("The mill has 40 looms and the shop is closed.")] == [
        "The mill has 40 looms"
    ]


def test_an_excluded_sentence_is_not_taken_apart() -> None:
    (claim,) = claims("In my view two towers fell and two walls rose.")
    assert claim.exclusion == "opinion"


def test_table_rows_and_questions_are_not_taken_apart() -> None:
    table = "| a | b |\n|--|--|\n| It rose 5% and the wall fell 3% | 6 |\n"
    assert len(claims(table)) == 1
    assert len(claims("It rose 5% and did the wall fall 3%?")) == 1


@pytest.mark.parametrize("filler", ["“", "(", "it and was ", ", which was ", "a: b; "])
def test_endless_sentences_stay_whole_and_quick(filler: str) -> None:
    text = "The mill has 9 looms and the shop is old " + filler * (50_000 // len(filler))
    assert split_sentence(text, Held(), LEXICON.clauses) == ()
    assert subject_of(text, LEXICON.clauses) in (None, (0, 8))


WORDS = [
    *("the", "a", "mill", "tower", "and", "but", ",", ";", "which", "who", "opened", "rose", "was"),
    *("is", "built", "by", "in", "2019", "40", "%", "to", "employs", "sell", "that", "said", "it"),
    *("they", "will", "close", "Marn", "Olm", "while", "between", "both", "one", "five", "cut"),
]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=30), st.lists(st.integers(0, 90), max_size=2))
def test_parts_lie_in_the_sentence_and_have_words_of_their_own(
    words: list[str], cuts: list[int]
) -> None:
    text = " ".join(words)
    found = split_sentence(text, Held(cuts=sorted(cuts)), LEXICON.clauses)
    assert len(found) != 1
    for part in found:
        assert 0 <= part.own[0] < part.own[1] <= len(text)
        assert all(0 <= start < end <= len(text) for start, end in part.pieces)
