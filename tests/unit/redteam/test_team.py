"""Each lens finds what is wrong with a document, and holds nothing against one that is right."""

from __future__ import annotations

import pytest
from foureyes.documents.parse import parse_document
from foureyes.redteam.model import LENSES, Flaw, FlawKind, Lens
from foureyes.redteam.reading import Reading
from foureyes.redteam.rules import load_rules
from foureyes.redteam.team import find_flaws
from foureyes.verification.registry import load_registry
from hypothesis import given, settings
from hypothesis import strategies as st
from support.pieces import PIECES

REGISTRY = load_registry()
RULES = load_rules()
CITED = "The port was opened in 1921 (https://example.org/port).\n\n"


def _flaws(text: str) -> list[Flaw]:
    reading = Reading(parse_document(text), REGISTRY.lexicon, REGISTRY.consistency, RULES)
    return [flaw for lens in Lens for flaw in find_flaws(reading, lens)]


def _kinds(text: str) -> list[FlawKind]:
    return [flaw.kind for flaw in _flaws(text)]


NUMBERED = "# Plan\n\n## 1. Aim\n\n{}\n\n## 2. Costs\n\nIt is dear.\n"
CAPTIONS = "Table 1: Costs\n\n| a | b |\n|---|---|\n| x | y |\n\n{}\n"
LONG = "The ferry leaves the old quay every morning at six and comes back in the late evening"
RISE = "40 to 50 boats, a rise of 30 %"

FAULTY = [
    (FlawKind.BROKEN_REFERENCE, NUMBERED.format("See Section 7 for more."), "Section 7"),
    (FlawKind.BROKEN_REFERENCE, NUMBERED.format("More is in § 4."), "§ 4"),
    (FlawKind.BROKEN_REFERENCE, CAPTIONS.format("As Table 3 shows, it is dear."), "Table 3"),
    (FlawKind.BROKEN_REFERENCE, "# Plan\n\nSee [the costs](#money).\n", "[the costs](#money)"),
    (FlawKind.DANGLING_NOTE, "The quay is old.[^1]\n", "[^1]"),
    (FlawKind.DANGLING_NOTE, "The quay is old.\n\n[^2]: A survey.\n", "[^2]:"),
    (FlawKind.DANGLING_NOTE, "It is old [2].\n\n## References\n\n[1] A. https://e.org\n", "[2]"),
    (FlawKind.UNDEFINED_ACRONYM, "The HBQ met. Later the HBQ left.\n", "HBQ"),
    (
        FlawKind.INCONSISTENT_NAME,
        "Mrs Halvorsen spoke. Halvorsen left. Halvorsen sat down. So said Halvorson.\n",
        "Halvorson",
    ),
    (FlawKind.INCONSISTENT_TERM, "One dataset is old. The other data set is new.\n", "data set"),
    (FlawKind.INCONSISTENT_TERM, "An e-mail came. Email is slow. Email stays.\n", "e-mail"),
    (FlawKind.DUPLICATED_PASSAGE, f"{LONG}.\n\nThe quay is old. {LONG}.\n", LONG),
    (FlawKind.UNCLOSED_QUOTATION, 'He said "it is old and left.\n', '"it is old and left.'),
    (FlawKind.UNCLOSED_QUOTATION, "He said “it is old and left.\n", "“it is old and left."),
    (FlawKind.ARITHMETIC_ERROR, "Traffic rose from 40 to 50 boats, a rise of 30 %.\n", RISE),
    (
        FlawKind.INCONSISTENT_NUMBER,
        "The cost of the quay is $48 million.\n\nThe cost of the quay is $38 million.\n",
        "$38 million",
    ),
    (
        FlawKind.UNSUPPORTED_STATISTIC,
        f"{CITED}## Trade\n\nSome 62 % of exporters use road transport.\n",
        "Some 62 % of exporters use road transport.",
    ),
    (
        FlawKind.UNSUPPORTED_CONCLUSION,
        "The quay is old.\n\nTherefore satellites outperform submarine cables everywhere.\n",
        "Therefore satellites outperform submarine cables everywhere.",
    ),
    (
        FlawKind.HEDGED_PREMISE,
        "The new crane may halve unloading times.\n\nBecause the new crane halves unloading times,"
        " one shift is enough.\n",
        "Because the new crane halves unloading times, one shift is enough.",
    ),
    (
        FlawKind.INVERTED_SHARE,
        "In all, 40 % of boat owners are farmers.\n\nAs 40 % of farmers are boat owners, ask.\n",
        "40 % of farmers are boat owners",
    ),
    (
        FlawKind.CHANGED_DENOMINATOR,
        "In the survey 40 % of respondents use the ferry.\n\nSo 40 % of residents use the ferry.\n",
        "40 % of residents use the ferry",
    ),
]


@pytest.mark.parametrize(("kind", "text", "quote"), FAULTY)
def test_a_flaw_is_found_at_its_place(kind: FlawKind, text: str, quote: str) -> None:
    assert [flaw.quote for flaw in _flaws(text) if flaw.kind is kind] == [quote]


SOUND = [
    NUMBERED.format("See Section 2 and section 2.4, and Section 7 of the Harbours Act."),
    "# Plan\n\n## 6. Aim\n\nSee Section 2.\n\n## 7. Costs\n\nIt is dear.\n",
    CAPTIONS.format("As Table 1 shows, it is dear. Table 9 in Holm's report differs."),
    "# Plan\n\nSee [the costs](#the-costs).\n\n## The costs\n\nIt is dear.\n",
    "The quay is old.[^1]\n\n[^1]: A survey.\n",
    "The Harbour Board Quorum (HBQ) met. Later the HBQ left.\n",
    "The Harbour Board of Quays met. Later the HBQ left. The HBQ came back.\n",
    "HBQ: Harbour rules. The HBQ left.\n",
    "America is far. Americans travel. American ships do. American boats do.\n",
    "Maria spoke. Marie answered. Maria left. Marie stayed.\n",
    "A decision-making body met. Decision making is slow.\n",
    'A 24" screen and a 27" one: "both are large".\n',
    "He said “it is “very” old” and left.\n",
    "Traffic rose from 40 to 50 boats, a rise of 25 %.\n",
    "The cost of the quay is $48 million. The cost of the crane is $38 million.\n",
    f"{CITED}We asked everybody: 62 % of our members use road transport.\n",
    f"{CITED}At least 62 % of the budget should go to roads.\n",
    "Some 62 % of exporters use road transport.\n",
    "The quay is old and leaks.\n\nTherefore the old quay that leaks needs repair.\n",
    "The new crane may halve unloading times. If so, one shift is enough.\n",
    "The crane may halve unloading times.\n\nBecause the tide is strong, one shift is enough.\n",
    "In all, 40 % of boat owners are farmers, and 40 % of tractor owners are bakers.\n",
]


@pytest.mark.parametrize("text", SOUND)
def test_nothing_is_held_against_a_sound_text(text: str) -> None:
    assert _kinds(text) == []


PLAN = (
    "# Proposal\n\nWe propose a second ferry. It costs 4 million euros, paid for by the town. "
    "The harbour manager is responsible. It starts in March 2027. "
) + "The quay is old and the sea is grey and people come and go. " * 30


def test_a_plan_is_asked_for_what_it_is_silent_on() -> None:
    flaws = [flaw for flaw in _flaws(PLAN) if flaw.kind is FlawKind.MISSING_TOPIC]
    assert [flaw.problem.split(":")[0] for flaw in flaws] == [
        "It says nothing on risks",
        "It says nothing on alternatives",
        "It says nothing on success measures",
    ]
    assert {flaw.quote for flaw in flaws} == {"Proposal"}


@pytest.mark.parametrize(
    "text", [PLAN[:200], PLAN.replace("propose", "show").replace("Proposal", "Tale")]
)
def test_a_short_text_and_one_that_proposes_nothing_are_not_asked(text: str) -> None:
    assert FlawKind.MISSING_TOPIC not in _kinds(text)


def test_every_kind_has_a_lens_and_a_severity() -> None:
    assert set(LENSES) == set(FlawKind) == set(RULES.severity)


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=40).map("".join))
@settings(max_examples=60, deadline=None)
def test_the_quote_of_every_flaw_stands_at_its_place(text: str) -> None:
    for flaw in _flaws(f"# Plan\n\n{text}\n\n{text}"):
        assert flaw.quote
        assert f"# Plan\n\n{text}\n\n{text}"[flaw.location.start : flaw.location.end] == flaw.quote
