"""Which sentences are claims, and of what sort (decisions 8, 22, 26; claim hierarchy)."""

from __future__ import annotations

from datetime import date

import pytest
from foureyes import Claim, detect_factual_claims
from foureyes.datatypes import ClaimCategory
from hypothesis import given
from hypothesis import strategies as st

AS_OF = date(2025, 6, 1)


def claims(text: str) -> tuple[Claim, ...]:
    return detect_factual_claims(text, as_of=AS_OF)


CATEGORIES = [
    ("The market is worth $50 billion.", "market"),
    ("Two rivals hold 40% of it.", "market"),
    ("Its market share is 40%.", "market"),
    ("The Market Size is 40 tonnes.", "market"),
    ("Its SAM is 40 tonnes.", "market"),
    ("The same sum is 40 tonnes.", "statistical"),
    ("87% of users prefer it.", "statistical"),
    ("The bridge is 50 m long.", "statistical"),
    ("Nine in ten users stay.", "statistical"),
    ("Twenty men came.", "statistical"),
    ("It has 3 towers.", "statistical"),
    ("Revenue was 50 million euros.", "company_metric"),
    ("Revenue rose by 5%.", "statistical"),
    ("The firm employs 500 people.", "company_metric"),
    ("Our pilot with 500 students showed 73% improvement.", "own_result"),
    ("Our results were good.", "own_result"),
    ("We found that users like it.", "own_result"),
    ("By then, our pilot had helped every student.", "own_result"),
    ("The wall of Olm [1] is said to have moved by 4 mm in our tests.", "own_result"),
    ("The valve of Olm [1] is open so that we can send our data to it.", "general"),
    ("Our tests of Olm [1] show that it is faster:", "general"),
    ("Two towers stand there.", "general"),
    ("It was founded in 1890.", "general"),
    ("He came fifth.", "general"),
    ('She said "the tower fell down" at noon.', "general"),
]
KINDS = [
    ('She said "the tower fell down" in 1890.', "quotation"),
    ("It has 50 towers since 1890.", "quantitative"),
    ("It was founded in 1890.", "temporal"),
    ("Olm is larger than Ulm [1].", "comparative"),
    ("Olm is required by law [1].", "regulatory"),
    ("Olm fell because of rain [1].", "causal"),
    ("A tor is defined as a rock [1].", "definitional"),
    ("Olm lies by the sea [1].", "named_entity"),
    ("Olm was built by monks [1].", "historical"),
    ("It follows NIST SP 800-53.", "regulatory"),
]
EXCLUDED = [
    ("Is the share 50%?", "question"),
    ("Suppose 50% of them leave.", "hypothetical"),
    ("- Raise 500 dollars", "instruction"),
    ("Use 5 mirrors.", "instruction"),
    ("We will hire 40 people.", "future"),
    ("In 2030 the plant will open.", "future"),
    ("We recommend spending $5 on it.", "recommendation"),
    ("I think three towers fell.", "opinion"),
    ("As noted above, three towers fell. ", "cross_reference"),
    ("The success rate was 90%.", "interpretive"),
    ("Two towers should fall.", "recommendation"),
    ("Two towers caused the war.", "contested_cause"),
    ("The two towers are the largest of their kind.", "vague_comparison"),
]
FLAGGED = [
    ("I think it is old.", "opinion"),
    ("The requirements are too strict.", "opinion"),
    ("The council should act.", "recommendation"),
    ("The ban caused the war.", "contested_cause"),
    ("It is the largest of its kind.", "vague_comparison"),
]
STILL_CLAIMS = [
    "The success rate, measured as flights home, was 90%.",
    "The ban caused a fall of 40%.",
    "It is the largest of its kind, at 500 m.",
    "The war was caused by two towers.",
    "I think 50% of the towers fell.",
    "In 2020 the plant will open.",
    "Use of 5 mirrors is rare.",
    "Market share will reach 5% in 2030.",
    "We will hire 40% of them.",
    "Should it fall, 40 people will leave.",
]
NO_CLAIMS = [
    "",
    "The town is old.",
    "There are three reasons.",
    "See section 5 for version 3.2.",
    "17,",
    "1:2",
    "$5",
    "1890",
    "5 %",
    "Is it old?",
    "We will hire people.",
    'She said "no".',
    'Did she say "the tower fell down"?',
    'He read "The Fall of Towers".',
    "## 50 towers\n",
    "```\ntowers = 50\n```\n",
    "# References\n\n[1] Olm, 50 towers. https://a.example\n",
]
OWN_ESTIMATES = [
    ("We estimate 500 users, based on the census.", True),
    ("By our estimate 500 users came, assuming two in each house.", True),
    ("We estimate 500 users.", False),
    ("About 500 users came, based on the census.", False),
    ("Reportedly 500 users came.", False),
    ("We estimate 73% in our pilot, based on the census.", False),
]


@pytest.mark.parametrize(("text", "category"), CATEGORIES)
def test_a_claim_is_held_to_what_it_states(text: str, category: str) -> None:
    assert [(claim.category, claim.exclusion) for claim in claims(text)] == [(category, "")]


@pytest.mark.parametrize(("text", "kind"), KINDS)
def test_a_claim_is_of_the_kind_of_its_most_checkable_part(text: str, kind: str) -> None:
    assert [claim.kind for claim in claims(f"{text}\n\n[1]: https://a.example\n")] == [kind]


@pytest.mark.parametrize(("text", "rule"), EXCLUDED)
def test_an_excluded_sentence_with_a_number_stays_listed_with_its_rule(
    text: str, rule: str
) -> None:
    assert [claim.exclusion for claim in claims(text)] == [rule]


@pytest.mark.parametrize(("text", "rule"), FLAGGED)
def test_opinion_is_flagged_and_left_to_nobody_to_verify(text: str, rule: str) -> None:
    assert [(claim.exclusion, claim.route) for claim in claims(text)] == [(rule, "opinion")]


@pytest.mark.parametrize(("text", "rule"), EXCLUDED)
def test_a_cited_sentence_is_checked_as_attributed_all_the_same(text: str, rule: str) -> None:
    end = text.rstrip()[-1] if text.rstrip()[-1] in ".?" else ""
    cited = f"{text.rstrip('.? ')} [1]{end}\n\n[1]: https://a.example\n"
    assert [(claim.kind, claim.exclusion) for claim in claims(cited)] == [("attributed", "")], rule


@pytest.mark.parametrize("text", STILL_CLAIMS)
def test_a_statistic_stays_a_claim_behind_an_opinion_or_a_plan(text: str) -> None:
    assert [claim.exclusion for claim in claims(text)] == [""]


@pytest.mark.parametrize("text", NO_CLAIMS)
def test_what_states_no_fact_makes_no_claim(text: str) -> None:
    assert claims(text) == ()


@pytest.mark.parametrize("text", ["40 + 20 = 70", "[5 %](https://a.example/olm)", "5 % of 80"])
def test_figures_that_say_something_without_a_sentence_are_claims(text: str) -> None:
    assert len(claims(text)) == 1


STATEMENTS = [
    ("Ilse Marn serves on the council of Olm.", True),
    ("Olm is a town by the sea.", True),
    ("Resin is a natural polymer.", True),
    ("It is important to ensure that the paint can be used safely if possible.", False),
    ("However, some of these may often depend on you.", False),
    ("The reasons are as follows:", False),
    ("Olm fell.", False),
    ("Is Olm a town by the sea?", False),
    ("Provide the mill with a roof of slate.", False),
    ("Then, order the Olm test for the mill.", False),
    ("Planning: Set a goal for the town of Olm.", False),
    ("Order is the first law of Olm.", True),
    ("To open the mill, turn the wheel of Olm.", False),
    ("Once the glue is dry, **apply the Olm varnish**.", False),
    ("After the war, the mill of Olm was a school.", True),
    ("In summary, the mill is a monument of Olm.", False),
    ("This will help the owners to use the mill.", False),
    ("Research shows the town of Olm is old.", True),
    ("Please ask Marn about the town of Olm.", False),
    ("The provided context is silent on the town of Olm.", False),
]


@pytest.mark.parametrize(("text", "worth"), STATEMENTS)
def test_statements_without_a_number_are_claims_only_on_demand(text: str, worth: bool) -> None:
    assert claims(text) == ()
    found = detect_factual_claims(text, as_of=AS_OF, statements=True)
    assert [claim.text for claim in found] == [text] * worth


@pytest.mark.parametrize(("text", "own"), OWN_ESTIMATES)
def test_an_own_estimate_names_itself_and_its_basis(text: str, own: bool) -> None:
    assert [claim.own_estimate for claim in claims(text)] == [own]


def test_a_claim_carries_its_citations_with_their_state() -> None:
    text = "It has 5 towers. It has 7 gates [1][2].\n\n[1]: https://a.example/x\n"
    first, second = claims(text)
    assert first.citation_state == "inherited"
    assert second.citation_state == "direct"
    assert [(one.target, one.label) for one in second.cited] == [
        ("https://a.example/x", "1"),
        (None, "2"),
    ]


def test_an_address_cited_twice_is_listed_once() -> None:
    (claim,) = claims("It has 5 towers [1], old ones [1].\n\n[1]: https://a.example\n")
    assert [one.target for one in claim.cited] == ["https://a.example"]


COVERED = [
    ("No ransom was paid.", True),
    ("Methane went down as well.", True),
    ("The company may not interfere in the management.", True),
    ("The authors warn that the plots should not stand for the marsh.", True),
    ("A gap that should be closed is left in the wall of Olm.", True),
    ("The results are good.", False),
    ("In numbers, yes.", False),
    ("We think that the wall of Olm is dear.", False),
    ("The council of Olm should act.", False),
    ("Is it old?", False),
    ("See the annex for the walls of Olm.", False),
]


@pytest.mark.parametrize(("text", "states"), COVERED)
def test_a_statement_that_inherits_or_carries_a_citation_is_a_claim(
    text: str, states: bool
) -> None:
    sources = "\n\n[1]: https://a.example\n"
    for document, state in (
        (f"Olm has 5 towers [1]. {text}", "carried"),
        (f"{text} Olm has 5 towers [1].", "inherited"),
    ):
        found = [one for one in claims(document + sources) if one.text == text]
        assert [(one.citation_state, one.exclusion) for one in found] in (
            [[(state, "")]] if states else ([], [(state, "recommendation")], [(state, "opinion")])
        )


def test_a_statement_without_a_figure_that_nothing_covers_is_no_claim() -> None:
    assert claims("No ransom was paid.\n\n# Olm\n\nIt has 5 towers (https://a.example).")[
        0
    ].text == ("It has 5 towers.")


OWN_MATTER = [
    "A receiver MUST drop 5 frames.",
    "Set `--lines=500` for 5 pages.",
    "It must be done in 5 days (Handbook 9.4).",
    "It takes 5 days (Policy 12, Section 4).",
]


@pytest.mark.parametrize("text", OWN_MATTER)
def test_requirements_code_and_works_named_without_an_address_carry_nothing(text: str) -> None:
    found = claims(f"It has 7 towers (https://a.example). {text}")
    assert {one.citation_state for one in found[1:]} <= {"none"}


def test_a_table_that_holds_code_carries_nothing() -> None:
    text = "It has 7 walls (https://a.example).\n\n| A | B |\n|-|-|\n| `x` | 5 m |\n| y | 6 m |\n"
    assert [one.citation_state for one in claims(text)] == ["direct", "none", "none"]


def test_the_row_of_a_table_with_a_source_is_a_claim_without_a_figure() -> None:
    text = "| A | B |\n|-|-|\n| Olm | incident closed |\n| Ulm | |\n\nSource: https://a.example\n"
    assert [one.text for one in claims(text)] == ["Olm | incident closed"]


def test_a_carried_citation_is_the_weakest() -> None:
    text = "It has 5 towers (https://a.example). It has 7 gates."
    assert [one.citation_state for one in claims(text)] == ["direct", "carried"]


def test_a_claim_names_its_heading_and_the_sentence_before_it() -> None:
    prose, items = "It has 5 **towers**. It has 7 gates.", "- Ulm, 3 gates\n- Alm, 4 gates\n"
    text = f"# Olm\n\n## Walls\n\n{prose}\n\n{items}"
    found = [(one.heading, one.previous) for one in claims(text)]
    assert found == [
        ("Walls", ""),
        ("Walls", "It has 5 towers."),
        ("Walls", ""),
        ("Walls", "Ulm, 3 gates"),
    ]


CONTEXTS = [
    ("Olm has a wall of 5 towers.", False),
    ("The mill of Olm closed in 2019 because of rain.", False),
    ("It has a wall of 5 towers.", True),
    ("That is 5 per cent more than before.", True),
    ("At that rate the wall of Olm falls in 2030.", True),
    ("Both towers of Olm fell in 2019.", True),
    ("The latter has a wall of 5 towers.", True),
    ("and has a wall of 5 towers.", True),
    ("Olm has 5 towers.", True),
    ("Has 5 towers in the wall of Olm.", True),
]


@pytest.mark.parametrize(("text", "needs"), CONTEXTS)
def test_a_claim_says_whether_it_can_be_understood_alone(text: str, needs: bool) -> None:
    assert [one.needs_context for one in claims(text)] == [needs]


def test_an_uncited_claim_says_so() -> None:
    assert [claim.citation_state for claim in claims("It has 5 towers.")] == ["none"]


LAYOUT = """# Report

It has 50 towers.

## Key findings

It has 60 gates.

## Detail

It has 70 walls. It has 80 wells.

## Further detail

The 80 wells are deep. The 90 pits are not. There are two kings. The two kings are dead.
"""


def test_the_argument_rests_on_the_opening_key_sections_and_repeated_numbers() -> None:
    bearing = {claim.text: claim.load_bearing for claim in claims(LAYOUT)}
    assert bearing == {
        "It has 50 towers.": True,
        "It has 60 gates.": True,
        "It has 70 walls.": False,
        "It has 80 wells.": True,
        "The 80 wells are deep.": True,
        "The 90 pits are not.": False,
        "There are two kings.": False,
        "The two kings are dead.": False,
    }


@pytest.mark.parametrize(
    ("heading", "bears"),
    [
        ("6. Recommendation", True),
        ("2.1 Key findings", True),
        ("IV. Conclusions:", True),
        ("b) Decision", True),
        ("Recommendation of 1990", False),
        ("A summary of others", False),
    ],
)
def test_a_key_section_may_be_numbered(heading: str, bears: bool) -> None:
    found = claims(f"# Walls\n\nIt is old.\n\n## {heading}\n\nIt has 70 walls.\n")
    assert [claim.load_bearing for claim in found if "70" in claim.text] == [bears]


@pytest.mark.parametrize(
    ("text", "contexts"),
    [
        ("The towers are:\n\n- Olm, 50 m\n- Ulm, 70 m\n", ["The towers are:", "The towers are:"]),
        ("The towers rose.\n\n- Olm, 50 m\n", [""]),
        ("- Olm, 50 m\n", [""]),
        ("| Tower | Height |\n|--|--|\n| Olm | 50 m |\n", ["Tower | Height"]),
        ("As listed:\n\n| Tower |\n|--|\n| 50 m |\n", ["As listed: Tower"]),
        ("It is 50 m high.", [""]),
    ],
)
def test_a_list_item_or_table_row_knows_what_leads_to_it(text: str, contexts: list[str]) -> None:
    assert [claim.context for claim in claims(text)] == contexts


def test_a_claim_is_located_in_its_section_and_back_in_its_source() -> None:
    text = "# A\n\n## B\n\nIt rose by **12** % in _May 2020_.\n"
    (claim,) = claims(text)
    assert (claim.location.section, claim.location.line) == ("A > B", 5)
    (quantity,), (day,) = claim.quantities, claim.dates
    assert text[slice(*claim.source_span(day.start, day.end))] == "May 2020"
    assert text[slice(*claim.source_span(quantity.start, quantity.end))] == "12** %"


def test_a_quotation_is_located_in_its_claim() -> None:
    (claim,) = claims("Olm wrote “the *old* tower fell” of it.")
    assert [(one.text, claim.text[one.start : one.end]) for one in claim.quotes] == [
        ("the old tower fell", "the old tower fell")
    ]


def test_only_categories_of_the_hierarchy_are_given() -> None:
    assert {category for _, category in CATEGORIES} == {
        category.value for category in ClaimCategory
    }


PARTS = st.sampled_from(
    [
        *("It has 5 towers. ", "It has 5 towers [1]. ", "Sales rose 12%. ", "We found 3 men. "),
        *("“the tower fell down” ", '"one two three" ', "In 2020 it fell. ", "- item 50 m\n"),
        *("\n\n", "# Summary\n\n", "| a | b |\n|--|--|\n| 5 | 6 |\n\n", "Is it 5? ", "**7** % "),
        *("[1]: https://a.example\n\n", "(https://b.example/5) ", "> quoted 50\n\n", "&amp; 5 "),
    ]
)


@given(st.lists(PARTS | st.text(max_size=5), max_size=20).map("".join))
def test_claims_of_every_text_are_located_unique_and_repeatable(text: str) -> None:
    found = claims(text)
    assert claims(text) == found
    assert len({claim.id for claim in found}) == len(found)
    assert [claim.location.start for claim in found] == sorted(c.location.start for c in found)
    for claim in found:
        for one in (*claim.quantities, *claim.dates):
            assert claim.text[one.start : one.end] == one.text
            start, end = claim.source_span(one.start, one.end)
            assert claim.location.start <= start < end <= claim.location.end
        for quote in claim.quotes:
            assert 0 <= quote.start < quote.end <= len(claim.text)


@given(st.lists(st.sampled_from(["It has 5 towers.", "It has 6 gates."]), min_size=1, max_size=6))
def test_an_id_depends_on_the_text_alone(sentences: list[str]) -> None:
    near, far = claims(" ".join(sentences)), claims("# A\n\nOld.\n\n" + "\n\n".join(sentences))
    assert [claim.id for claim in near] == [claim.id for claim in far]
