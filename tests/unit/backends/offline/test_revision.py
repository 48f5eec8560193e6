"""The offline analyst's revision: each finding applied, everything else byte for byte."""

from __future__ import annotations

from dataclasses import replace

import pytest
from foureyes import Correction, Finding, IssueType, Location, ReviewCriterion, Severity
from foureyes.backends.offline._revision import revise
from foureyes.datatypes import AnalystInput, Material
from hypothesis import given
from hypothesis import strategies as st
from support.agent_kit import material, offline_rules

OPEN = (
    "\n## What the sources do not answer\n\nThese statements could not be confirmed in the "
    "sources, and are open:\n\n"
)
DEAD = "https://gone.example/x"
PORT = material(
    "https://port.example/a",
    "The port of Ostmere handled 4.1 million containers in 2024.\n\n"
    "Noise at the northern pier reached 71 decibels at night.\n",
    "Port report",
)


def finding(
    draft: str,
    words: str,
    type_: IssueType | ReviewCriterion,
    severity: Severity = Severity.HIGH,
    *,
    evidence: str = "",
) -> Finding:
    start = draft.index(words)
    place = Location(1, 1, start, start + len(words))
    wrong = Finding("f-1", severity, type_, words, "wrong", origin="engine", location=place)
    return replace(wrong, evidence=evidence)


def revised(
    draft: str, *findings: Finding, brief: str = "Why?", materials: tuple[Material, ...] = (PORT,)
) -> str:
    return revise(AnalystInput(brief, materials, draft, findings), offline_rules())


# --- what goes -----------------------------------------------------------------------------------

DROPS = [
    (
        "in the middle",
        "Alpha is red. Beta is blue [1]. Gamma is green.",
        "Beta is blue",
        "Alpha is red. Gamma is green.",
    ),
    ("at the end", "Alpha is red. Beta is blue [1].", "Beta is blue", "Alpha is red."),
    (
        "the end of an emphasis",
        "*Alpha is red. Beta is blue [1].*",
        "Beta is blue",
        "*Alpha is red.*",
    ),
    (
        "the end of an emphasis in the middle",
        "*Alpha is red. Beta is blue [1].* Gamma is green.",
        "Beta is blue",
        "*Alpha is red.* Gamma is green.",
    ),
    (
        "the beginning of an emphasis",
        "**Beta is blue [1]. Alpha is red.**",
        "Beta is blue",
        "**Alpha is red.**",
    ),
    (
        "with its footnote",
        "Alpha is red.[^1] Beta is blue.[^2]\nGamma is green.",
        "Beta is blue",
        "Alpha is red.[^1] Gamma is green.",
    ),
    (
        "a whole paragraph",
        "Alpha is red.\n\nBeta is blue.\n\nGamma is green.",
        "Beta is blue",
        "Alpha is red.\n\nGamma is green.",
    ),
    (
        "a list item",
        "- Alpha is red.\n- Beta is blue.\n- Gamma is green.",
        "Beta is blue",
        "- Alpha is red.\n- Gamma is green.",
    ),
    (
        "a wrapped item",
        "1. Alpha is red.\n2. Beta is\n   blue [1].\n",
        "Beta is",
        "1. Alpha is red.\n",
    ),
    (
        "a table row",
        "| K | V |\n|---|---|\n| A | 1 |\n| C | 2 |\n",
        "C",
        "| K | V |\n|---|---|\n| A | 1 |\n",
    ),
    (
        "a whole table with the line that names it",
        "The table shows it.\n\n| K | V |\n|---|---|\n| A | 1 |\n\nGamma is green.\n",
        "A |",
        "Gamma is green.\n",
    ),
    (
        "a list with its lead-in",
        "Two reasons:\n\n- Beta is blue.\n\nGamma is green.\n",
        "Beta is blue",
        "Gamma is green.\n",
    ),
]


@pytest.mark.parametrize(("what", "body", "words", "left"), DROPS, ids=[d[0] for d in DROPS])
def test_a_contradicted_sentence_goes_and_nothing_else(
    what: str, body: str, words: str, left: str
) -> None:
    draft = f"# T\n\nIntro.\n\n{body}"
    assert revised(draft, finding(draft, words, IssueType.VERIFIED_FALSE)) == (
        f"# T\n\nIntro.\n\n{left}"
    )


def test_line_ends_and_odd_spaces_elsewhere_stay_as_they_are() -> None:
    draft = "# T\r\n\r\nAlpha  is red. Beta is blue.\r\n\r\n* Gamma is green. \r\n"
    after = revised(draft, finding(draft, "Beta is blue", IssueType.FABRICATED))
    assert after == "# T\r\n\r\nAlpha  is red.\r\n\r\n* Gamma is green. \r\n"


def test_an_uncited_sentence_that_refers_back_goes_too() -> None:
    draft = (
        "# T\n\nCosts rose by 9 percent. This is too much. It was the third year [1]. So be it.\n"
    )
    after = revised(draft, finding(draft, "Costs rose", IssueType.VERIFIED_FALSE))
    assert after == "# T\n\nIt was the third year [1]. So be it.\n"


def test_all_that_is_built_on_a_fabricated_result_goes() -> None:
    draft = (
        "# T\n\nOur pilot cut costs. The pattern is clear. Act on it. Ships are red [1]. Fine.\n"
    )
    after = revised(draft, finding(draft, "Our pilot", IssueType.FABRICATED, Severity.CRITICAL))
    assert after == "# T\n\nShips are red [1]. Fine.\n"


def test_an_emptied_section_keeps_its_heading_and_says_so() -> None:
    draft = "# T\n\n## One\n\nAlpha is 5.\n\n## Two\n\nB.\n"
    after = revised(draft, finding(draft, "Alpha is 5", IssueType.UNSOURCED))
    assert after.startswith(
        "# T\n\n## One\n\n(Nothing that stood here could be confirmed.)\n\n## Two\n\nB.\n"
    )
    assert after.endswith(f"{OPEN}- Alpha is 5?\n")


# --- what is corrected or cited ------------------------------------------------------------------


def test_a_correction_is_made_where_it_is_given() -> None:
    draft = "# T\n\nIt has 5 piers [1]. It has 7 ships [1].\n"
    at = draft.index("5")
    wrong = replace(
        finding(draft, "It has 5 piers", IssueType.NUMERIC_ERROR),
        correction=Correction(at, at + 1, "6"),
    )
    again = replace(wrong, id="f-2", correction=Correction(at, at + 1, "9"))
    assert revised(draft, wrong, again) == draft.replace("5 piers", "6 piers")


def test_one_citation_is_added_to_a_sentence() -> None:
    draft = "# T\n\nIt has 5 piers. It has 7 ships.\n"
    at = draft.index(".")
    uncited = finding(draft, "It has 5 piers", IssueType.UNSOURCED)
    one = replace(uncited, correction=Correction(at, at, " ([a](a.md))"))
    other = replace(uncited, id="f-2", correction=Correction(at, at, " ([a](<a.md>))"))
    assert revised(draft, one, other) == draft.replace("piers.", "piers ([a](a.md)).")


def test_a_dropped_sentence_needs_no_correction() -> None:
    draft = "# T\n\nAlpha is red. It has 5 piers.\n"
    at = draft.index("5")
    fix = replace(
        finding(draft, "It has 5", IssueType.NUMERIC_ERROR), correction=Correction(at, at + 1, "6")
    )
    assert (
        revised(draft, fix, finding(draft, "It has 5", IssueType.FABRICATED))
        == "# T\n\nAlpha is red.\n"
    )


SAID = "The port of Ostmere handled 4.1 million containers in 2024"
RECITED = [
    ("a link", f"{SAID} ([gone]({DEAD})).", f"{SAID} (https://port.example/a)."),
    ("a bare address", f"{SAID} ({DEAD}).", f"{SAID} (https://port.example/a)."),
    (
        "a link in the sentence",
        f"The port of Ostmere handled [4.1 million containers]({DEAD}) in 2024.",
        "The port of Ostmere handled [4.1 million containers](https://port.example/a) in 2024.",
    ),
    (
        "a number",
        f"{SAID} [1]. Alpha is red [2].\n\n## Sources\n\n1. <{DEAD}>\n2. <https://b.example/>",
        f"{SAID} (https://port.example/a). Alpha is red [2].\n\n## Sources\n\n1. <{DEAD}>\n"
        "2. <https://b.example/>",
    ),
    (
        "a number known already",
        f"{SAID} [2]. Alpha is red [1].\n\n## Sources\n\n1. <https://port.example/a>\n"
        f"2. <{DEAD}>\n",
        f"{SAID} [1]. Alpha is red [1].\n\n## Sources\n\n1. <https://port.example/a>\n"
        f"2. <{DEAD}>\n",
    ),
    (
        "a footnote",
        f"{SAID}.[^a] Alpha is red.[^b]\n\n[^a]: Gone. {DEAD}\n[^b]: B. https://b.example/\n",
        f"{SAID}. (https://port.example/a) Alpha is red.[^b]\n\n[^a]: Gone. {DEAD}\n"
        "[^b]: B. https://b.example/\n",
    ),
    (
        "one of a group",
        f"{SAID} [1, 2].\n\n## References\n\n[1] Gone, {DEAD}\n[2] <https://b.example/>\n",
        f"{SAID} [1, 2] (https://port.example/a).\n\n## References\n\n[1] Gone, {DEAD}\n"
        "[2] <https://b.example/>\n",
    ),
]


@pytest.mark.parametrize(("what", "body", "after"), RECITED, ids=[r[0] for r in RECITED])
def test_a_dead_citation_is_exchanged_for_a_source_that_says_it_word_for_word(
    what: str, body: str, after: str
) -> None:
    draft = f"# T\n\n{body}"
    dead = finding(draft, "Ostmere", IssueType.DEAD_CITATION, evidence=f"{DEAD}: not found")
    assert revised(draft, dead) == f"# T\n\n{after}"


def test_what_rests_on_a_dead_citation_that_no_source_can_replace_becomes_open() -> None:
    draft = f"# T\n\nAlpha is red. The port sleeps at noon ({DEAD}).\n"
    dead = finding(draft, "The port sleeps", IssueType.DEAD_CITATION)
    after = revised(draft, dead)
    assert after == f"# T\n\nAlpha is red.\n{OPEN}- The port sleeps at noon (cited: `{DEAD}`)?\n"
    assert revised(draft, replace(dead, severity=Severity.LOW)) == draft


def test_an_unsourced_statement_is_cited_if_a_source_says_it() -> None:
    draft = f"# T\n\n{SAID}. Alpha is red ([x](https://x.example/)).\n"
    bare = finding(draft, "The port of Ostmere", IssueType.UNSOURCED)
    assert revised(draft, bare, replace(bare, id="f-2")) == draft.replace(
        "in 2024.", "in 2024 (https://port.example/a)."
    )


KEPT = [
    (IssueType.UNSOURCED, Severity.LOW),
    (IssueType.UNVERIFIABLE, Severity.LOW),
    (IssueType.OUTDATED, Severity.MEDIUM),
    (IssueType.MISSING_CONTEXT, Severity.MEDIUM),
    (IssueType.INCOMPLETE_CITATION, Severity.MEDIUM),
    (ReviewCriterion.HEDGING, Severity.LOW),
    (ReviewCriterion.REASONING, Severity.HIGH),
    (ReviewCriterion.CITATION_DENSITY, Severity.MEDIUM),
    (ReviewCriterion.GATE, Severity.HIGH),
]


@pytest.mark.parametrize(("type_", "severity"), KEPT)
def test_what_rules_cannot_settle_is_left_to_a_person(
    type_: IssueType | ReviewCriterion, severity: Severity
) -> None:
    draft = "# T\n\nThe harbour is the heart of the town [1].\n"
    assert revised(draft, finding(draft, "The harbour", type_, severity)) == draft


OPENED = [
    (IssueType.UNSOURCED, Severity.HIGH),
    (IssueType.UNVERIFIABLE, Severity.HIGH),
    (IssueType.UNVERIFIABLE, Severity.MEDIUM),
    (IssueType.MISATTRIBUTED, Severity.MEDIUM),
]


@pytest.mark.parametrize(("type_", "severity"), OPENED)
def test_what_cannot_be_confirmed_becomes_an_open_question(
    type_: IssueType, severity: Severity
) -> None:
    draft = "# T\n\nAlpha is red. The harbour has 9 piers.\n"
    after = revised(draft, finding(draft, "The harbour", type_, severity))
    assert after == f"# T\n\nAlpha is red.\n{OPEN}- The harbour has 9 piers?\n"


GONE = [
    (IssueType.ALTERED_QUOTE, Severity.HIGH),
    (IssueType.ARITHMETIC, Severity.MEDIUM),
    (IssueType.INTERNAL_CONTRADICTION, Severity.HIGH),
    (ReviewCriterion.CONSISTENCY, Severity.HIGH),
]


@pytest.mark.parametrize(("type_", "severity"), GONE)
def test_what_is_contradicted_and_has_no_repair_goes(
    type_: IssueType | ReviewCriterion, severity: Severity
) -> None:
    draft = "# T\n\nAlpha is red. The harbour has 9 piers.\n"
    assert (
        revised(draft, finding(draft, "The harbour", type_, severity)) == "# T\n\nAlpha is red.\n"
    )


def test_of_two_contradicting_sentences_the_one_a_source_has_stays() -> None:
    draft = f"# T\n\n{SAID}.\n"
    two = finding(draft, "The port", ReviewCriterion.CONSISTENCY)
    assert revised(draft, two) == draft


def test_findings_without_a_place_or_in_a_heading_change_nothing() -> None:
    draft = "# T\n\n## Costs\n\nAlpha is red.\n"
    nowhere = replace(finding(draft, "Alpha is red", IssueType.VERIFIED_FALSE), location=None)
    heading = finding(draft, "Costs", IssueType.VERIFIED_FALSE)
    assert revised(draft, nowhere, heading) == draft


# --- what becomes a question ---------------------------------------------------------------------

PAPER = "https://paper.example/a"
CLOSED = "the cited source cannot be read (paywalled)"


def unread(draft: str, words: str, problem: str = CLOSED) -> Finding:
    return replace(finding(draft, words, IssueType.UNVERIFIABLE, Severity.MEDIUM), problem=problem)


@pytest.mark.parametrize(
    "cited",
    [
        f"Beta is blue ({PAPER}).",
        f"Beta is blue ([Paper]({PAPER})).",
        "Beta is blue [1].",
        "Beta is blue.[^1]",
        f"Beta [is blue]({PAPER}).",
    ],
)
def test_what_rests_on_a_closed_page_becomes_an_open_question(cited: str) -> None:
    draft = f"# T\n\nAlpha is red. {cited} Gamma is green.\n\n[1] {PAPER}\n\n[^1]: {PAPER}\n"
    after = revised(draft, unread(draft, "Beta"))
    assert "Alpha is red. Gamma is green." in after
    assert f"{OPEN}- Beta is blue (cited: `{PAPER}`)?\n" in after


def test_an_open_question_of_before_is_kept() -> None:
    draft = f"# T\n\nBeta is blue ({PAPER}). Delta is new ({PAPER}).\n"
    once = revised(draft, unread(draft, "Beta"))
    twice = revised(once, unread(once, "Delta"))
    assert f"- Beta is blue (cited: `{PAPER}`)?" in twice
    assert f"- Delta is new (cited: `{PAPER}`)?" in twice


@pytest.mark.parametrize("after", ["", "\n## Sources\n\n1. [Port](https://port.example/a)\n"])
def test_open_questions_of_before_are_joined_before_what_follows_them(after: str) -> None:
    draft = f"# T\n\nIt rose by 5 % [2].\n\nIt fell.\n{OPEN}- It is red?\n{after}"
    text = revised(draft, unread(draft, "It rose by 5 % [2]."))
    assert text == f"# T\n\nIt fell.\n{OPEN}- It is red?\n- It rose by 5 %?\n{after}"


def test_a_closed_page_is_exchanged_for_a_source_that_says_it() -> None:
    draft = f"# T\n\n{SAID} ({PAPER}).\n"
    assert revised(draft, unread(draft, "The port")) == f"# T\n\n{SAID} (https://port.example/a).\n"


def test_what_is_refuted_is_no_question() -> None:
    draft = f"# T\n\nAlpha is red. Beta is blue ({PAPER}).\n"
    false = replace(finding(draft, "Beta", IssueType.ARITHMETIC), id="f-2")
    assert revised(draft, unread(draft, "Beta"), false) == "# T\n\nAlpha is red.\n"


@pytest.mark.parametrize(
    ("severity", "problem"),
    [
        (Severity.MEDIUM, "the cited source cannot be read (timeout)"),
        (Severity.MEDIUM, "the cited source cannot be read (rate_limited)"),
        (Severity.LOW, CLOSED),
    ],
)
def test_a_page_that_may_yet_be_read_is_left_alone(severity: Severity, problem: str) -> None:
    draft = f"# T\n\nBeta is blue ({PAPER}).\n"
    assert revised(draft, replace(unread(draft, "Beta", problem), severity=severity)) == draft


# --- what is added -------------------------------------------------------------------------------

WHOLE = Finding("f-9", Severity.HIGH, ReviewCriterion.STRUCTURE, "", "missing", origin="reviewer")


def test_missing_and_empty_sections_are_filled_from_the_sources() -> None:
    draft = "# T\n\n## Noise\n\n## Sources\n\n1. <https://b.example/>\n"
    brief = "Why?\nRequired sections: Noise, Costs, Sources"
    after = revised(draft, WHOLE, brief=brief)
    assert (
        "## Noise\n\nNoise at the northern pier reached 71 decibels at night "
        "(https://port.example/a)." in after
    )
    assert "## Costs\n\n(No passage of the sources was found on this point.)\n\n## Sources" in after


def test_an_empty_section_that_nobody_objected_to_stays_empty() -> None:
    draft = "# T\n\n## Noise\n\n## Costs\n\nAlpha is red.\n"
    assert revised(draft, finding(draft, "Alpha is red", IssueType.OUTDATED)) == draft


def test_open_questions_are_answered_or_listed() -> None:
    draft = "# T\n\n## Noise\n\nIt is loud.\n\n## Sources\n\n1. <https://b.example/>\n"
    brief = "How loud is noise at the northern pier at night?\nWho painted the lighthouse green?"
    asked = replace(WHOLE, type=ReviewCriterion.COVERAGE)
    after = revised(draft, asked, brief=brief)
    assert (
        "## How loud is noise at the northern pier at night?\n\n"
        "Noise at the northern pier reached 71 decibels at night (" in after
    )
    assert (
        "## What the sources do not answer\n\nThis text leaves these questions "
        "of the brief open:\n\n- Who painted the lighthouse green?\n\n## Sources" in after
    )


def test_open_questions_join_a_list_that_is_there() -> None:
    draft = "# T\n\n## Gaps\n\nSome.\n"
    asked = replace(WHOLE, type=ReviewCriterion.COVERAGE)
    after = revised(draft, asked, brief="Who painted the lighthouse green?")
    assert after.startswith("# T\n\n## Gaps\n\nSome.\n\nThis text leaves these questions")


def test_a_language_without_rules_is_left_alone() -> None:
    draft = "# T\n\nKaupunki rakensi uuden sataman vuonna 2021. Se maksoi paljon rahaa silloin.\n"
    after = revised(draft, finding(draft, "Kaupunki", IssueType.VERIFIED_FALSE))
    assert after == "# T\n\nSe maksoi paljon rahaa silloin.\n"


@given(st.data())
def test_sentences_without_findings_are_never_touched(data: st.DataObject) -> None:
    names = ("Arn", "Bell", "Cliff", "Dove", "Egret", "Finch")
    words = [f"The ship {name} sails at dawn." for name in names]
    joints = [data.draw(st.sampled_from([" ", "\n", "\n\n", "\n\n- "])) for _ in words]
    draft = "# T\n\n" + "".join(word + joint for word, joint in zip(words, joints, strict=True))
    gone = data.draw(st.sets(st.integers(0, 5), max_size=5))
    found = [finding(draft, words[n], IssueType.VERIFIED_FALSE) for n in gone]
    after = revised(draft, *found)
    assert [word in after for word in words] == [n not in gone for n in range(6)]
