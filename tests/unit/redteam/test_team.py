"""Each lens finds what is wrong with a document, and holds nothing against one that is right."""

from __future__ import annotations

import time

import pytest
from foureyes import Severity
from foureyes.datatypes import Lens
from foureyes.documents.parse import parse_document
from foureyes.redteam.model import LENSES, Flaw, FlawKind, load_rules
from foureyes.redteam.reading import Reading
from foureyes.redteam.team import find_flaws
from foureyes.verification.registry import load_registry
from hypothesis import given
from hypothesis import strategies as st
from support.pieces import PIECES
from support.variants import PARTS

REGISTRY = load_registry()
RULES = load_rules()
LIMIT_S = 5
"""Of processor time."""
CITED = "The port was opened in 1921 (https://example.org/port).\n\n"


def _flaws(text: str) -> list[Flaw]:
    reading = Reading(parse_document(text), REGISTRY.lexicon, RULES)
    return [flaw for lens in Lens for flaw in find_flaws(reading, lens)]


def _kinds(text: str) -> list[FlawKind]:
    return [flaw.kind for flaw in _flaws(text)]


NUMBERED = "# Plan\n\n## 1. Aim\n\n{}\n\n## 2. Costs\n\nIt is dear.\n"
CAPTIONS = "Table 1: Costs\n\n| a | b |\n|---|---|\n| x | y |\n\n{}\n"
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
    (FlawKind.ARITHMETIC_ERROR, "Traffic rose from 40 to 50 boats, a rise of 30 %.\n", RISE),
    (
        FlawKind.INCONSISTENT_NUMBER,
        "The quay costs $48 million.\n\nIt is old.\n\nThe quay costs $38 million.\n",
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
    (FlawKind.BROKEN_REFERENCE, NUMBERED.format("See Sections 2 and 7."), "7"),
    (
        FlawKind.BROKEN_REFERENCE,
        "# Plan\n\n## 6. Aim\n\n### 6.1 Now\n\nSee 6.\n\n### 6.2 Then\n\nSee Section 6.5.\n",
        "Section 6.5",
    ),
    (FlawKind.BROKEN_REFERENCE, "It is dear, as Annex C shows.\n", "Annex C"),
    (
        FlawKind.BROKEN_REFERENCE,
        "**Table 4-1** Costs\n\n| a |\n|---|\n| x |\n\nSee Table 4-2.\n",
        "Table 4-2",
    ),
    (
        FlawKind.INCONSISTENT_NUMBER,
        "The dam is 70 metres high.\n\nIt rained.\n\nThe height of the dam, 83"
        " metres, impresses.\n",
        "83 metres",
    ),
    (
        FlawKind.INCONSISTENT_NUMBER,
        "The canal is 46 kilometres long.\n\nIt rained.\n\nA barge needs a day for the 53"
        " kilometres of the canal.\n",
        "53 kilometres",
    ),
    (
        FlawKind.INCONSISTENT_NUMBER,
        "The archive was founded in 1918.\n\nIt rained.\n\nFounded in 1929, the archive is open.\n",
        "1929",
    ),
    (
        FlawKind.ARITHMETIC_ERROR,
        "Of the 740 lamps here, 251 are broken, which is 41 per cent.\n",
        "740 lamps here, 251 are broken, which is 41 per cent",
    ),
    (
        FlawKind.ARITHMETIC_ERROR,
        "The hall has 31 chairs in each of its 27 rows, 907 chairs altogether.\n",
        "907",
    ),
    (FlawKind.ARITHMETIC_ERROR, "210 trees were planted; 54 died, so that 176 are left.\n", "176"),
    (
        FlawKind.UNSUPPORTED_STATISTIC,
        f"{CITED}## Trade\n\nTwo thirds of exporters use roads.\n",
        "Two thirds of exporters use roads.",
    ),
    (
        FlawKind.UNSUPPORTED_CONCLUSION,
        "The quay is old.\n\nThere can be no doubt, then, that chess improves eyesight.\n",
        "There can be no doubt, then, that chess improves eyesight.",
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
    "Hanson and Hansen spoke. Hansen left. Hansen sat down. Hansen slept.\n",
    "Maria spoke. Marie answered. Maria left. Marie stayed.\n",
    "Traffic rose from 40 to 50 boats, a rise of 25 %.\n",
    "The cost of the quay is $48 million. The cost of the crane is $38 million.\n",
    f"{CITED}We asked everybody: 62 % of our members use road transport.\n",
    f"{CITED}At least 62 % of the budget should go to roads.\n",
    "Some 62 % of exporters use road transport.\n",
    "The quay is old and leaks.\n\nTherefore the old quay that leaks needs repair.\n",
    NUMBERED.format("See Section 2 of the Act and 21 U.S.C. § 354."),
    "# Plan\n\n## 1. Aim\n\nSee Sections 4, 5 and 6.\n\n## 2. Costs\n\nIt is dear.\n",  # an excerpt
    "# Appendix B\n\nThe HBQ met. Later the HBQ left.\n",
    "In 2019 the depot employed 70 men.\n\nIt rained.\n\nIn 2023 the depot employed 83 men.\n",
    "The planned depot employs 70 people.\n\nIt rained.\n\nThe depot employs 83 people.\n",
    "The northern tower is 70 metres high.\n\nIt rained.\n\nThe tower is 83 metres high.\n",
    "His bail was set at $3,000.\n\nIt rained.\n\nHer bail was set at $661.\n",
    "- 10 days, when sent by post.\n- 30 days, when sent by post from abroad.\n",
    "Of the 740 lamps here, 251 are broken, which is 34 per cent.\n",
    "The hall has 31 chairs in each of its 27 rows, 837 chairs altogether.\n",
    "The quay is old.[^1]\n\n[^1]: Older quays may leak. However, ours was sealed in May.\n",
    "The quay leaks.\n\nHence this facility is closed by default.\n",
    "Chart 1: Latency of reading.\n\nIt rained.\n\nChart 2: Latency of reading.\n",
    "Copyright 2018 The Olm Authors.\n\nIt rained.\n\nCopyright (c) 2017, The Olm Authors.\n",
    f"{CITED}## Survey\n\nWe asked 90 people in May.\n\nAmong the young, 62 % use the road.\n",
]


@pytest.mark.parametrize("text", SOUND)
def test_nothing_is_held_against_a_sound_text(text: str) -> None:
    assert _kinds(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Last year 40 boats and 30 boats sailed, a total of 80 boats.\n",
        CITED + "Traffic rose from 40 to 50 boats, a rise of 30 percent.\n",
        "| Boat | Crew | Guests | Total |\n|---|---|---|---|\n| Ada | 4 | 5 | 9 |\n"
        "| Bo | 2 | 3 | 5 |\n| Total | 6 | 8 | 15 |\n",
    ],
)
def test_one_wrong_sum_is_one_flaw(text: str) -> None:
    assert _kinds(text) == [FlawKind.ARITHMETIC_ERROR]


def test_a_statistic_of_a_handbook_on_its_own_matter_is_a_low_flaw() -> None:
    plain = f"{CITED}Some 62 % of the reads are cached.\n"
    technical = f"{plain}\nUse `read` or `write`.\n\nCall `open` first.\n"
    found = [_flaws(text)[0] for text in (plain, technical)]
    assert {one.kind for one in found} == {FlawKind.UNSUPPORTED_STATISTIC}
    assert [one.severity for one in found] == [Severity.MEDIUM, Severity.LOW]


def test_many_broken_links_and_references_to_one_part_are_one_flaw_each() -> None:
    links = "".join(f"See [this](#a{letter}).\n\n" for letter in "bcd")
    text = NUMBERED.format(f"{links}See Section 7. See Section 7 again.")
    flaws = [flaw for flaw in _flaws(text) if flaw.kind is FlawKind.BROKEN_REFERENCE]
    assert [flaw.quote for flaw in flaws] == ["[this](#ab)", "Section 7"]
    assert [len(flaw.related) for flaw in flaws] == [2, 1]


SENTENCES = {
    "one": "In 2016 the plant made 5,000 tonnes of steel.\n\n",
    "values": "In 2016 the plant made {0} tonnes of steel.\n\n",
    "words": "The mill number {1} of Olm made {0} tonnes of steel.\n\n",
    "shares": "The share of the port was {2} per cent.\n\n",
    "years": "The tower of Olm was finished in {0}.\n\n",
    "times": "In {0} the mill made {1} tonnes of steel.\n\n",
    "two values": "The mill made {1} tonnes and sold {0} km of wire.\n\n",
    "acronyms": "The {3} met and the {3} left, and so the {3} is gone.\n\n",
}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("sentence", SENTENCES.values(), ids=SENTENCES)
@pytest.mark.usefixtures("uncounted")
def test_100_kb_of_statements_are_compared_in_time(sentence: str, part: int) -> None:
    letters = ("".join(chr(65 + n // 26**at % 26) for at in range(3)) for n in range(2200))
    written = [
        sentence.format(1000 + n * 7 % 900, n, n % 100, name) for n, name in enumerate(letters)
    ]
    begun = time.process_time()
    _flaws("".join(written)[: 100_000 // part])
    assert time.process_time() - begun < LIMIT_S / part


def test_a_value_that_differs_is_found_among_many_repetitions() -> None:
    same = "In 2016 the plant made 5,000 tonnes of steel.\n\n"
    found = _flaws(f"{same * 50}In 2016 the plant made 6,000 tonnes of steel.\n\n{same * 50}")
    assert FlawKind.INCONSISTENT_NUMBER in [flaw.kind for flaw in found]


def test_every_kind_has_a_lens_and_a_severity() -> None:
    assert set(LENSES) == set(FlawKind) == set(RULES.severity)


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=40).map("".join))
def test_the_quote_of_every_flaw_stands_at_its_place(text: str) -> None:
    for flaw in _flaws(f"# Plan\n\n{text}\n\n{text}"):
        assert flaw.quote
        assert f"# Plan\n\n{text}\n\n{text}"[flaw.location.start : flaw.location.end] == flaw.quote
