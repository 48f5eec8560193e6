"""A document answers for itself, with its own words, and keeps silent where it has none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from foureyes.base.errors import RegistryError
from foureyes.documents.parse import parse_document
from foureyes.redteam.defence import defend
from foureyes.redteam.defence_rules import load_defence_rules
from foureyes.redteam.model import FlawKind, Lens
from foureyes.redteam.reading import Reading
from foureyes.redteam.rebuttal import LONGEST, Rebuttal
from foureyes.redteam.rules import load_rules
from foureyes.redteam.team import find_flaws
from foureyes.verification.registry import load_registry
from hypothesis import given, settings
from hypothesis import strategies as st
from support.pieces import PIECES

REGISTRY = load_registry()
RULES = load_rules()
DEFENCE = load_defence_rules()


@dataclass(frozen=True)
class Case:
    """A flaw of `kind` at `quote`, and `other` if it is about two places.

    With `answer` in the gap of `text`, words that end as `said` does answer it, by default
    as `answer` does; with `without` in the gap nothing does.
    """

    id: str
    kind: FlawKind
    text: str
    quote: str
    answer: str
    whole: bool
    other: str = ""
    problem: str = ""
    without: str = ""
    said: str = ""


ACRONYM = "The HBQ met in May. Later the HBQ left.\n\n{}\n"
NUMBERED = "# Plan\n\n## 1. Aim\n\nSee Section 4 for more.\n\n## 2. Costs\n\nIt is dear.\n\n{}\n"
CAPTIONS = (
    "Table 1: Costs\n\n| a | b |\n|---|---|\n| x | y |\n\nAs Table 3 shows, it is dear.\n\n{}\n"
)
LONG = "The ferry leaves the old quay every morning at six and comes back late"
TWICE = f"# Ferry\n\n{LONG}.\n\n## Later\n\n{{}}{LONG} in spring.\n"
STATISTIC = "The port is old.\n\n{}Of these, 42 per cent own a bicycle.\n"
COSTS = "It costs $48 million.\n\nIt costs $38 million.\n\n{}\n"
BRIDGE = "the old bridge will collapse under heavy lorries"
HEDGE = (
    f"The old bridge may collapse under heavy lorries.\n\n{{}}\n\nBecause {BRIDGE}, it is closed.\n"
)
HEDGED = {"other": "The old bridge may", "quote": f"Because {BRIDGE}"}
SHARES = "40 % of the owners are farmers.\n\n{}40 % of the farmers are owners.\n"
LEAP = "# Ferries\n\nTherefore the museum should charge an entrance fee. {}\n"
NAMES = "Mrs Halvorsen spoke. So said Halvorson.\n\n{}\n"
SURVEY = "A survey asked 900 teachers (https://example.org/s). "
SILENT = "It says nothing on risks: What could go wrong, and what is done about it?"

CASES = [
    Case("a row of a glossary", FlawKind.UNDEFINED_ACRONYM, ACRONYM, "HBQ",
         "| Short | Long |\n|---|---|\n| HBQ | board of the quay", True),
    Case("an entry of a list", FlawKind.UNDEFINED_ACRONYM, ACRONYM, "HBQ",
         "- HBQ: board of the quay", True),
    Case("short for", FlawKind.UNDEFINED_ACRONYM, ACRONYM, "HBQ",
         "Its name, HBQ, is short for a Danish board.", True),
    Case("called", FlawKind.UNDEFINED_ACRONYM, ACRONYM, "HBQ",
         "The board of the quay is called the HBQ.", True),
    Case("told what it is", FlawKind.UNDEFINED_ACRONYM, ACRONYM, "HBQ",
         "The HBQ, a board of the port, is old.", False),
    Case("marked up", FlawKind.UNDEFINED_ACRONYM, ACRONYM, "HBQ",
         'Its <abbr title="board of the quay">HBQ</abbr> met.', True, said='quay">HBQ'),
    Case("a Roman number", FlawKind.BROKEN_REFERENCE, NUMBERED, "Section 4",
         "## IV. Risks\n\nIt may sink.", True),
    Case("a number in words", FlawKind.BROKEN_REFERENCE, NUMBERED, "Section 4",
         "## Part Four: Risks\n\nIt may sink.", True),
    Case("another word for table", FlawKind.BROKEN_REFERENCE, CAPTIONS, "Table 3",
         "Tab. 3: What it costs in a year", True),
    Case("the name of an image", FlawKind.BROKEN_REFERENCE, "See Figure 2.\n\n{}\n", "Figure 2",
         "![Chart of Figure 2](a.png)", True, said="![Chart of Figure 2]"),
    Case("a link spelled otherwise", FlawKind.BROKEN_REFERENCE,
         "# Plan\n\nSee [the costs](#risks-costs).\n\n{}\n", "[the costs](#risks-costs)",
         "## Risks & Costs\n\nIt is dear.", False),
    Case("a note that words lead to", FlawKind.DANGLING_NOTE,
         "The quay is old. {}\n\n[^2]: A survey of the year 1990.\n", "[^2]:",
         "It was built in stone (see note 2).", True),
    Case("a note in a list", FlawKind.DANGLING_NOTE,
         "The quay is old [2].\n\n## Notes\n\n{}\n", "[2]",
         "(2) A survey of the year 1990.", True),
    Case("two people", FlawKind.INCONSISTENT_NAME, NAMES, "Halvorson",
         "Halvorsen and Halvorson never met.", True, other="Mrs Halvorsen"),
    Case("two spellings", FlawKind.INCONSISTENT_NAME, NAMES, "Halvorson",
         "Halvorson, also spelled Halvorsen, is a name.", True, other="Mrs Halvorsen"),
    Case("a word of a quotation", FlawKind.INCONSISTENT_TERM, "A dataset is old. {}\n", "data set",
         "He wrote: “The data set is new”.", True, without="The data set is new."),
    Case("a verb", FlawKind.INCONSISTENT_TERM, "The setup is old. {}\n", "set up",
         "It takes an hour to set up the pump.", True, without="The set up is new."),
    Case("a summary", FlawKind.DUPLICATED_PASSAGE, TWICE, f"{LONG} in",
         "## Summary\n\n", True, other=f"{LONG}.", said=f"{LONG} in spring."),
    Case("announced", FlawKind.DUPLICATED_PASSAGE, TWICE, f"{LONG} in",
         "To repeat: ", True, other=f"{LONG}.", said=f"{LONG} in spring."),
    Case("a quotation of paragraphs", FlawKind.UNCLOSED_QUOTATION,
         "He said: “It is old and it leaks.\n\n{}\n", "“It is old",
         "“It has to go, and soon.”", True, without="“It is old”, they said."),
    Case("both values told apart", FlawKind.INCONSISTENT_NUMBER, COSTS, "$38 million",
         "The estimate of $48 million was revised to $38 million.", True, other="$48 million"),
    Case("one value told to be old", FlawKind.INCONSISTENT_NUMBER, "It costs $48 million.\n\n{}\n",
         "$38 million", "It was $38 million at first.", False, other="$48 million",
         without="It costs $38 million."),
    Case("parts on other years", FlawKind.INCONSISTENT_NUMBER,
         "## In 2019\n\nIt costs $48 million.\n\n{}\n\nIt costs $38 million.\n", "$38 million",
         "## In 2023", True, other="$48 million", said="It costs $38 million."),
    Case("rounding", FlawKind.ARITHMETIC_ERROR, "From 40 to 50 is 30 %.\n\n{}\n", "40 to 50",
         "Figures may not add up because of rounding.", False),
    Case("the source before", FlawKind.UNSUPPORTED_STATISTIC, STATISTIC, "Of these", SURVEY, True),
    Case("a source beside", FlawKind.UNSUPPORTED_STATISTIC,
         STATISTIC.replace("Of these, 42 per cent", "And 42 teachers"), "And 42", SURVEY, False),
    Case("the source of all figures", FlawKind.UNSUPPORTED_STATISTIC, STATISTIC, "Of these",
         "All figures are taken from the census of 2020.\n\n", True),
    Case("the same figure with a source", FlawKind.UNSUPPORTED_STATISTIC, STATISTIC, "Of these",
         "In a survey 42 per cent own a bicycle (https://example.org/s).\n\n", True),
    Case("a table", FlawKind.UNSUPPORTED_STATISTIC, STATISTIC, "Of these",
         "| Thing | Share |\n|---|---|\n| the bicycle | 42 % |\n\n", False, said="42 %"),
    Case("whose figure it is", FlawKind.UNSUPPORTED_STATISTIC,
         "{}42 per cent own a bicycle.\n", "42",
         "According to the census, ", False, said="42 per cent own a bicycle."),
    Case("confirmed meanwhile", FlawKind.HEDGED_PREMISE, HEDGE, HEDGED["quote"],
         "An inspection confirmed that the old bridge will collapse under lorries.", True,
         other=HEDGED["other"]),
    Case("its condition again", FlawKind.HEDGED_PREMISE, HEDGE.replace("closed.\n", "closed. {}\n"
         ).replace("{}", "", 1), HEDGED["quote"], "If this is so, cars may pass.", False,
         other=HEDGED["other"]),
    Case("another share", FlawKind.INVERTED_SHARE, SHARES, "40 % of the farmers", "Conversely, ",
         True, other="40 % of the owners", said="40 % of the farmers are owners."),
    Case("another year", FlawKind.CHANGED_DENOMINATOR,
         "In 2019, 40 % of the owners voted.\n\n{}40 % of the farmers voted.\n",
         "40 % of the farmers",
         "In 2023, ", True, other="40 % of the owners", said="40 % of the farmers voted."),
    Case("its ground behind it", FlawKind.UNSUPPORTED_CONCLUSION, LEAP, "Therefore",
         "Museums charge an entrance fee gladly (https://example.org/fee).", True),
    Case("its subject behind it", FlawKind.UNSUPPORTED_CONCLUSION, LEAP, "Therefore",
         "Museums charge an entrance fee gladly.", False),
    Case("a part on the topic", FlawKind.MISSING_TOPIC, "# Plan\n\nWe buy a boat.\n\n{}\n", "Plan",
         "## Challenges\n\nIt leaks.", True, problem=SILENT),
    Case("the topic in other words", FlawKind.MISSING_TOPIC, "# Plan\n\n{} It leaks, a concern.\n",
         "Plan", "It is a challenge.", False, problem=SILENT),
]  # fmt: skip


def _defended(case: Case, gap: str) -> tuple[str, Rebuttal | None]:
    text = case.text.format(gap)
    document = parse_document(text)
    reading = Reading(document, REGISTRY.lexicon, REGISTRY.consistency, RULES)
    at = text.rindex(case.quote)
    there = text.index(case.other) if case.other else 0
    related = (document.location(there, there + len(case.other)),) if case.other else ()
    flaw = reading.flaw_at(case.kind, at, at + len(case.quote), case.problem, related=related)
    return text, defend(flaw, reading, DEFENCE)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_words_of_the_document_answer_a_flaw(case: Case) -> None:
    text, answer = _defended(case, case.answer)
    assert answer is not None
    assert answer.whole is case.whole
    said = text[answer.start : answer.end].strip()
    assert said.endswith((case.said or case.answer.strip())[-12:])
    assert answer.argument


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_without_those_words_the_flaw_stands(case: Case) -> None:
    _, answer = _defended(case, case.without)
    assert answer is None


def test_within_one_summary_nothing_is_summed_up_twice() -> None:
    text = TWICE.replace("# Ferry", "# Summary").replace("## Later\n\n", "")
    (case,) = (one for one in CASES if one.id == "a summary")
    _, answer = _defended(replace(case, text=text), "")
    assert answer is None


def test_every_kind_of_flaw_has_a_defence() -> None:
    assert {case.kind for case in CASES} == set(FlawKind)


def test_a_short_answer_is_quoted_with_what_stands_beside_it() -> None:
    text = "# Plan\n\nWe buy a boat.\n\n## Challenges\n"
    case = Case("", FlawKind.MISSING_TOPIC, text, "Plan", "", True, problem=SILENT)
    _, answer = _defended(case, "")
    assert answer is not None
    assert text[answer.start : answer.end] == "We buy a boat.\n\n## Challenges"


def test_a_list_that_is_no_pattern_is_refused(tmp_path: Path) -> None:
    (tmp_path / "defence.yaml").write_text("explains: ['(']\n")
    with pytest.raises(RegistryError, match="no pattern"):
        load_defence_rules(tmp_path)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_whatever_the_text_an_answer_is_its_own_words(text: str) -> None:
    reading = Reading(parse_document(text), REGISTRY.lexicon, REGISTRY.consistency, RULES)
    for flaw in (one for lens in Lens for one in find_flaws(reading, lens)):
        answer = defend(flaw, reading, DEFENCE)
        if answer is not None:
            assert text[answer.start : answer.end].strip()
            assert answer.end - answer.start <= LONGEST
