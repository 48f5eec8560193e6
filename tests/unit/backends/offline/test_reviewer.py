"""The rubric of the offline reviewer and judge: what it catches, and what it lets be."""

from __future__ import annotations

import pytest
from foureyes import Finding, IssueType, ReviewCriterion, Severity
from foureyes.backends.offline._grading import Grade, GradedText, grade
from foureyes.backends.offline.backend import judge, review
from foureyes.datatypes import JudgeInput
from foureyes.verification.gate.decision import decide_gate
from foureyes.verification.ledger.building import build_ledger
from support.agent_kit import evidence_of, offline_rules, registry

BRIEF = """\
# The port of Ostmere

- Required sections: Overview, Traffic, Costs, Sources

1. How many containers does the port of Ostmere handle?
2. What will the dredging of the channel cost?
"""
GOOD = """\
# The port of Ostmere

## Overview

The port of Ostmere handled 4.1 million containers in 2024 [1]. Dredging may come later.

## Traffic

| Year | Containers |
|---|---|
| 2023 | 3.8 million [1] |
| 2024 | 4.1 million [1] |

The port handles more containers each year [1]. The northern pier took 2.1 million of them [1].

## Costs

The dredging of the channel will cost 38 million crowns [2]. The council has yet to vote.

## Sources

1. [Port report](https://port.example/a)
2. [Council](https://town.example/b)
"""


def graded(draft: str, brief: str = BRIEF) -> dict[ReviewCriterion, Grade]:
    return {g.criterion: g for g in grade(GradedText(brief, draft, offline_rules()))}


def test_a_good_document_raises_no_issue_at_all() -> None:
    grades = graded(GOOD)
    assert [issue for g in grades.values() for issue in g.issues] == []
    judged = {criterion: g.score for criterion, g in grades.items()}
    open_ = {criterion for criterion, score in judged.items() if score is None}
    assert open_ == {
        ReviewCriterion.HEDGING,
        ReviewCriterion.REASONING,
    }
    assert {score for score in judged.values() if score is not None} == {1.0}


def test_what_rules_cannot_judge_is_null_with_its_reason() -> None:
    assert "needs a reader" in graded(GOOD)[ReviewCriterion.REASONING].reason


STRUCTURE = [
    ("a required section is missing", GOOD.replace("## Costs", "## Money"), Severity.HIGH,
     "'Costs'"),
    ("a required section is empty",
     GOOD.replace("The dredging of the channel will cost 38 million crowns [2]. The council has yet"
                  " to vote.\n", ""), Severity.HIGH, "'Costs' is empty"),
    ("another section is empty", GOOD.replace("## Sources", "## Annex\n\n## Sources"),
     Severity.MEDIUM, "'Annex' is empty"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "draft", "severity", "problem"), STRUCTURE, ids=[s[0] for s in STRUCTURE]
)
def test_faults_of_structure_are_found(
    name: str, draft: str, severity: Severity, problem: str
) -> None:
    found = graded(draft)[ReviewCriterion.STRUCTURE]
    assert [(i.severity, problem in i.problem) for i in found.issues] == [(severity, True)]
    assert found.score is not None
    assert found.score < 1


LENGTHS = [
    ("At most 60 words.", Severity.LOW, "the brief allows 60"),
    ("At most 30 words.", Severity.MEDIUM, "the brief allows 30"),
    ("65 to 90 words.", Severity.LOW, "at least 65"),
    ("800 to 900 words.", Severity.MEDIUM, "at least 800"),
]


@pytest.mark.parametrize(("limit", "severity", "problem"), LENGTHS)
def test_limits_of_length_are_held(limit: str, severity: Severity, problem: str) -> None:
    (issue,) = graded(GOOD, f"{BRIEF}\n{limit}\n")[ReviewCriterion.STRUCTURE].issues
    assert (issue.severity, problem in issue.problem) == (severity, True)


def test_sources_in_footnotes_need_no_section_of_their_own() -> None:
    draft = GOOD.replace(
        "## Sources\n\n1. [Port report](https://port.example/a)\n2. [Council]", "[^1]: [Port]"
    )
    draft = draft.replace("[1]", "[^1]").replace("[2]", "[^1]")
    assert graded(draft)[ReviewCriterion.STRUCTURE].issues == ()


def test_questions_are_dealt_with_named_as_open_or_found_missing() -> None:
    asked = f"{BRIEF}3. Who painted the lighthouse at the harbour mouth green?\n"
    missing = graded(GOOD, asked)[ReviewCriterion.COVERAGE]
    assert missing.issues[0].severity is Severity.MEDIUM
    assert "lighthouse" in missing.issues[0].problem
    assert missing.score == 0.67
    named = f"{GOOD}\n## Gaps\n\n- Who painted the lighthouse at the harbour mouth green?\n"
    assert graded(named, asked)[ReviewCriterion.COVERAGE].issues == ()


def test_a_document_about_something_else_breaks_the_brief() -> None:
    found = graded("# Bees\n\nBees dance.\n", BRIEF)[ReviewCriterion.COVERAGE]
    assert [issue.severity for issue in found.issues] == [Severity.HIGH]
    assert found.score == 0.0


def test_figures_without_citations_are_found_by_section() -> None:
    bare = GOOD.replace(" [2]", "").replace(
        "The council has yet to vote.", "It will take 14 months. In 2019 it took 9."
    )
    (issue,) = graded(bare)[ReviewCriterion.CITATION_DENSITY].issues
    assert (issue.severity, "3 of 3" in issue.problem) == (Severity.MEDIUM, True)
    assert issue.quote == "The dredging of the channel will cost 38 million crowns."


UNCITED_AND_FINE = [
    "Suppose that 40 ships come a day.",
    "This report covers the years 2019 to 2024.",
    "Would 40 ships a day be too many?",
    "The port of Ostmere handled 4.1 million containers in 2024.",
    "Three things stand out.",
]


@pytest.mark.parametrize("sentence", UNCITED_AND_FINE)
def test_what_needs_no_citation_is_let_be(sentence: str) -> None:
    draft = GOOD.replace("The council has yet to vote.", sentence)
    found = graded(draft)[ReviewCriterion.CITATION_DENSITY]
    assert (found.score, found.issues) == (1.0, ())


CONTRADICTIONS = [
    ("two totals", "Traffic", "The dredging of the channel will cost 41 million crowns [2]."),
]


@pytest.mark.parametrize(
    ("section", "sentence"), [c[1:] for c in CONTRADICTIONS], ids=[c[0] for c in CONTRADICTIONS]
)
def test_two_values_for_the_same_thing_are_found(section: str, sentence: str) -> None:
    draft = GOOD.replace(f"## {section}\n", f"## {section}\n\n{sentence}\n")
    (issue,) = graded(draft)[ReviewCriterion.CONSISTENCY].issues
    assert issue.severity is Severity.HIGH
    assert "million" in issue.quote
    assert "line" in issue.problem


def test_an_abbreviation_that_is_never_spelled_out_is_found() -> None:
    draft = GOOD.replace("The council has yet to vote.", "The ZTK has met. Again the ZTK met.")
    (issue,) = graded(draft)[ReviewCriterion.READABILITY].issues
    assert (issue.severity, issue.quote) == (Severity.LOW, "ZTK")


CONSISTENT = [
    ("another year", "The port of Ostmere handled 3.8 million containers in 2023 [1]."),
    ("another place", "The port of Castrel handled 5.2 million containers in 2024 [1]."),
    ("rounded", "The dredging of the channel will cost about 40 million crowns [2]."),
    ("another thing", "The lighting of the channel will cost 9 million crowns [2]."),
    ("the other pier", "The southern pier took 2.0 million of them [1]."),
    (
        "another berth",
        "Berth 3 of the northern harbour of Ostmere took 1,007 ships in 2022 [1]. "
        "Berth 4 of the northern harbour of Ostmere took 4,007 ships in 2022 [1].",
    ),
    ("a part", "The first dredging of the channel will cost 12 million crowns [2]."),
]


@pytest.mark.parametrize(("name", "sentence"), CONSISTENT, ids=[c[0] for c in CONSISTENT])
def test_different_things_may_have_different_values(name: str, sentence: str) -> None:
    draft = GOOD.replace("The council has yet to vote.", sentence)
    assert graded(draft)[ReviewCriterion.CONSISTENCY].issues == ()


# --- the forms -----------------------------------------------------------------------------------


def filled(draft: str) -> dict[str, object]:
    return dict(review(GradedText(BRIEF, draft, offline_rules())))


def test_the_review_states_its_vote_and_that_no_model_was_used() -> None:
    good, bad = filled(GOOD), filled(GOOD.replace("## Costs", "## Money"))
    assert (good["/recommendation"], good["/issues"]) == ("approve", [])
    assert bad["/recommendation"] == "reject"
    assert "the worst: The brief requires a section 'Costs'" in str(bad["/recommendation_reason"])
    assert "no language model was used" in str(good["/summary"])
    assert good["/criteria/reasoning/score"] is None
    assert "All required sections are there and filled." in str(good["/strengths"])


PAGE = "https://port.example/a"
DRAFT = f"# Port\n\nThe port of Ostmere handled 4.1 million containers in 2024 ({PAGE}).\n"


def judged(draft: str = DRAFT, *findings: Finding) -> dict[str, object]:
    found = evidence_of(
        draft, {PAGE: "The port of Ostmere handled 4.1 million containers in 2024.\n"}
    )
    ledger = build_ledger(found.claims, found.assessments.values())
    gate = decide_gate(ledger, registry().gate)
    inputs = JudgeInput("How many?", draft, {}, findings, ledger, gate)
    return dict(judge(inputs, GradedText("How many?", draft, offline_rules())))


def test_the_judge_leaves_accuracy_depth_and_novelty_open() -> None:
    values = judged()
    open_ = [
        name
        for name in ("accuracy", "depth", "novelty")
        if values[f"/criteria/{name}/score"] is None
    ]
    assert open_ == ["accuracy", "depth", "novelty"]
    assert all(values[f"/criteria/{name}/reason"] for name in open_)
    assert values["/recommendation"] == "approve"
    assert "1 of 1 checkable claim supported" in str(values["/summary"])


def test_the_judge_rejects_on_severe_findings_and_on_the_gate() -> None:
    severe = Finding("f", Severity.HIGH, IssueType.UNSOURCED, "x", "y", origin="engine")
    assert judged(DRAFT, severe)["/recommendation"] == "reject"
    assert "1 finding open, 1 of high severity" in str(judged(DRAFT, severe)["/summary"])
    failed = judged(DRAFT.replace("4.1", "9.9"))
    assert failed["/recommendation"] == "reject"
