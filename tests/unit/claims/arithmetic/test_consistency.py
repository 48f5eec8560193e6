from __future__ import annotations

import pytest
from foureyes.claims.arithmetic.attributes import load_consistency
from foureyes.claims.arithmetic.chronology import find_misdated
from foureyes.claims.arithmetic.consistency import find_values
from foureyes.claims.arithmetic.contradiction import Contradiction
from foureyes.claims.arithmetic.figures import read_figures
from foureyes.claims.lexicon import load_lexicon
from foureyes.documents.parse import parse_document
from hypothesis import given
from hypothesis import strategies as st

LEXICON = load_lexicon()
WORDS = load_consistency(LEXICON.words)


def contradictions(markdown: str) -> list[Contradiction]:
    document = parse_document(markdown)
    figures = read_figures(document, LEXICON)
    return [
        *find_values(document, figures, LEXICON, WORDS),
        *find_misdated(document, figures),
    ]


def told(markdown: str) -> list[tuple[str, str]]:
    return [(one.kind.value, one.here.text) for one in contradictions(markdown)]


ROUTES = """## What a second route would bring

A study puts the length at 640 km and the cost at $38 million.

## Options

| Option | {column} |
|---|---|
| A. First permit | $2 million |
| C. {label} | ${cost} million{rate} |
"""

TWICE = [
    ("The cost of the bridge is 40 million euros.", "The bridge costs 45 million euros.", "value"),
    ("The bridge is 640 metres long.", "The length of the bridge is 460 metres.", "value"),
    ("The Falk class has 34 crew.", "The Falk class has 43 crew.", "value"),
    ("The guard logged 187 sightings.", "The guard logged 178 sightings.", "value"),
    ("The ferry carries 97 per cent of the island's freight.",
     "The ferry carries 79 per cent of the island's freight.", "value"),
    ("TNS Falk was commissioned on 14 March 2025.",
     "Falk was commissioned on 14 May 2025.", "date"),
    ("The Olden yard was founded in 1989.", "The Olden yard was established in 1998.", "date"),
    ("The bridge's cost is 40 million euros.", "The bridge costs 45 million euros.", "value"),
    ("It puts the annual wage bill at 40 million euros.",
     "It has an annual wage bill of 45 million euros.", "value"),
    ("The mean stop lasted 45 minutes.", "The mean stop was 54 minutes.", "value"),
    ("The guard logged 187 sightings over its six airfields in 2025.",
     "To equip all eight airfields would cost too much.", "group"),
]  # fmt: skip

APART = [
    ("The bridge costs 40 million euros.", "The tunnel costs 45 million euros."),
    ("The bridge costs 40 million euros.", "The bridge costs 2 million euros a year."),
    ("The bridge costs 40 million euros.", "The bridge would cost 45 million euros."),
    ("The bridge costs 40 million euros.", "The bridge costs about 41 million euros."),
    ("In 2023 the yard employed 400 people.", "In 2024 the yard employed 420 people."),
    ("The yard employs 400 people.", "In summer the yard employs 420 people."),
    ("The Olden yard was founded in 1989.", "The Falk yard was founded in 1998."),
    ("Edwin was born in 1825.", "Sir Edwin was born in 1854."),
    ("The first ship was launched in 2020.", "The second ship was launched in 2021."),
    ("The 2019 award was given in May.", "The 2018 award was given in June."),
    ("The guard has six airfields.", "All three airfields in the north were shut."),
    ("All three approaches did well.", "All five approaches did badly."),
    ("Some 12 per cent fell ill.", "As many as 15 per cent of them fell ill."),
    ("Falk took the oath in May 2020.", "Falk took a rest in June 2021."),
    ("The guard has airfields at 6 ports.", "The guard has airfields at 7 of them."),
    ("Its six airfields are old.", "Its eight airfields are new."),
    ("District 1 counted 1,007 sheep.", "District 4 counted 4,007 sheep."),
    ("The valley has 11 villages in district 1.", "The valley has 14 villages in district 4."),
    (
        "Unit 1 of the plant was commissioned in 1971.",
        "Unit 2 of the plant was commissioned in 1978.",
    ),
    ("Platform 3 is 210 metres long.", "Platform 4 is 180 metres long."),
    ("Norland shut all six airfields.", "Then Sudland shut all eight airfields."),
]


@pytest.mark.parametrize(("one", "other", "kind"), TWICE)
def test_one_thing_with_two_values_is_found_once(one: str, other: str, kind: str) -> None:
    text = f"# Report\n\n## Summary\n\n{one}\n\n## Detail\n\n{other}\n"
    (found,) = contradictions(text)
    assert found.kind.value == kind
    assert found.there is not None
    assert (found.there.location.line, found.here.location.line) == (5, 9)
    assert f"in line {found.there.location.line}" in found.working


@pytest.mark.parametrize(("one", "other"), APART)
def test_another_thing_period_or_scope_is_no_contradiction(one: str, other: str) -> None:
    assert told(f"# Report\n\n## Summary\n\n{one}\n\n## Detail\n\n{other}\n") == []


STUDIES: list[tuple[str, str, list[tuple[str, str]]]] = [
    ("Two studies are to hand.", "All three studies found it dear.", [("group", "three")]),
    ("There are two studies.", "All three studies found it dear.", [("group", "three")]),
    ("Two studies found it cheap.", "All three studies found it dear.", []),
    ("Two studies are to hand.", "All two studies found it dear.", []),
]


@pytest.mark.parametrize(("first", "then", "found"), STUDIES)
def test_what_was_announced_is_held_against_all_of_it(
    first: str, then: str, found: list[tuple[str, str]]
) -> None:
    assert told(f"# Report\n\n{first}\n\n{then}\n") == found


def test_a_table_of_facts_is_held_against_the_text() -> None:
    text = (
        "| Item | Value |\n|---|---|\n| Core crew | 34 |\n\n## Use\n\nIt has a core crew of {}.\n"
    )
    assert told(text.format(34)) == []
    assert told(text.format(43)) == [("value", "43")]


@pytest.mark.parametrize(
    ("column", "label", "cost", "rate", "found"),
    [
        ("Cost", "Second route", 48, "", [("value", "$48 million")]),
        ("Cost", "Second route", 38, "", []),
        ("Price", "Second route", 48, "", []),
        ("Cost", "Third route", 48, "", []),
        ("Cost", "Second route", 48, " a year", []),
    ],
)
def test_a_table_is_held_against_the_text(
    column: str, label: str, cost: int, rate: str, found: list[tuple[str, str]]
) -> None:
    assert told(ROUTES.format(column=column, label=label, cost=cost, rate=rate)) == found


def test_the_value_that_stands_alone_is_in_doubt() -> None:
    costs = "The bridge costs {} million euros."
    text = "\n\n".join(["# T", "## Summary", costs.format(45), "## A", costs.format(40), "## B",
                        "The cost of the bridge is 40 million euros."])  # fmt: skip
    assert told(text) == [("value", "45 million euros")]


DATES = [
    ("The ship sailed on Monday, 14 March 2025.", "weekday"),
    ("The ship sailed on Friday, 14 March 2025.", ""),
    ("The ship sailed on 14 March 2025 (a Monday).", "weekday"),
    ("On Tuesday the minister spoke of 14 March 2025.", ""),
    ("The fair ran from June 2024 to March 2024.", "order"),
    ("The fair ran from March 2024 to June 2024.", ""),
    ("It was open between 2018 and 2012.", "order"),
    ("Ada Lund (1950–1910) led it.", "order"),
    ("Ada Lund was born in 1950 and died in 1910.", "order"),
    ("Ada Lund was born in 1950 and died in 2010 at the age of 72.", "age"),
    ("Ada Lund was born in 1950 and died in 2010, aged 60.", ""),
    ("The club began in 1990. Twelve years later, in 2004, it closed.", "order"),
    ("The club began in 1990. Fourteen years later, in 2004, it closed.", ""),
    ("It closed in 2004. Three years earlier, in 2001, it had won.", ""),
    ("It closed in 2004. Five years earlier, in 2001, it had won.", "order"),
    ("It ruled from 200 BC to 150 BC.", ""),
]


@pytest.mark.parametrize(("text", "kind"), DATES)
def test_dates_are_held_against_each_other(text: str, kind: str) -> None:
    assert [one.kind.value for one in contradictions(text)] == [kind] * bool(kind)


def test_quotations_and_code_contradict_nothing() -> None:
    text = "The bridge costs 40 million euros.\n\n> The bridge costs 45 million euros.\n"
    assert told(text) == []


NAMES = ("bridge", "tunnel", "harbour", "tower", "canal")
costs = st.lists(st.integers(11, 99), min_size=2, max_size=5, unique=True)


@given(costs, st.data())
def test_a_consistent_document_gives_none_and_one_change_gives_one(
    values: list[int], data: st.DataObject
) -> None:
    first = [f"The {n} costs {v} million euros." for n, v in zip(NAMES, values, strict=False)]
    again = list(first)
    changed = data.draw(st.booleans())
    at = data.draw(st.integers(0, len(values) - 1))
    if changed:
        again[at] = f"The {NAMES[at]} costs {values[at] + 2} million euros."
    text = "\n\n".join(["# T", "## Summary", *first, "## Detail", *again])
    assert len(contradictions(text)) == int(changed)


@given(st.text(alphabet="The 3 costs 14 May 2025:,.;-|\n#()%$one two all its", max_size=300))
def test_any_text_is_read(text: str) -> None:
    contradictions(text)
