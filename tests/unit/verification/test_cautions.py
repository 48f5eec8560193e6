"""A claim that a person reads otherwise than code does is not supported."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from support.claim_kit import PAGE, check, sources

SAYS = "The Brevik plant made 5,000 tonnes of steel in 2016. It employs 340 people."


def verdict(claim: str, text: str = SAYS) -> tuple[Verdict, str]:
    report = check(f"# Report\n\n{claim} ({PAGE}).\n", sources({PAGE: text}))
    (assessment,) = report.assessments
    return assessment.verdict, " ".join(finding.problem for finding in assessment.findings)


STATED = "The Brevik plant made 5,000 tonnes of steel in 2016."
MADE = "The Brevik plant made {} tonnes of steel in 2016"


@pytest.mark.parametrize(
    ("claim", "problem"),
    [
        (MADE.format("\u202e5,000\u202c"), "RIGHT-TO-LEFT OVERRIDE"),
        (MADE.format("\u20665,000\u2069"), "LEFT-TO-RIGHT ISOLATE"),
        (MADE.format("![5,000](nine.png)"), "picture"),
        (MADE.format('5,000 <img src="a.png" alt="thousand">'), "picture"),
        (MADE.format("5,000⁰"), "raised"),
        (MADE.format("5,000⁻¹"), "raised"),
        ("The Brevik plant refused to make 5,000 tonnes of steel in 2016", ""),
        ("The Brevik plant was unable to make 5,000 tonnes of steel in 2016", ""),
        ("The Brevik plant stopped making 5,000 tonnes of steel in 2016", ""),
        (MADE.format("5,000 milli\u043en"), ""),
        ("The Brevik plant did n\u043et make 5,000 tonnes of steel in 2016", ""),
        ("The Brevik plant didn\u02bct make 5,000 tonnes of steel in 2016", ""),
    ],
)
def test_a_trick_of_writing_is_not_supported(claim: str, problem: str) -> None:
    found, problems = verdict(claim)
    assert found is not Verdict.SUPPORTED
    assert problem in problems


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (MADE.format("5,000"), SAYS),
        (MADE.format("5,000") + " ![](plant.png)", SAYS),
        (MADE.format("5,0\u00ad00"), SAYS),
        ("The Brevik plant failed to make 5,000 tonnes of steel in 2016",
         "The Brevik plant failed to make 5,000 tonnes of steel in 2016."),
    ],
)  # fmt: skip
def test_what_reads_as_it_is_written_stays_supported(claim: str, text: str) -> None:
    assert verdict(claim, text)[0] is Verdict.SUPPORTED


def test_characters_that_are_not_seen_are_a_finding_also_where_they_deceive_nobody() -> None:
    found, problem = verdict(MADE.format("5,0\u200b00"))
    assert (found, "U+200B ZERO WIDTH SPACE" in problem) == (Verdict.SUPPORTED, True)


@pytest.mark.parametrize(
    "text",
    [
        f"It made 4,000 tonnes. ~~{STATED}~~",
        f"It made 4,000 tonnes.\n\nReader’s comment: {STATED}",
        f"It made 4,000 tonnes.\n\n## 2 comments\n\n{STATED}",
    ],
    ids=["struck out", "comment", "below a heading"],
)  # fmt: skip
def test_what_is_struck_out_or_commented_supports_nothing(text: str) -> None:
    assert verdict(MADE.format("5,000"), text)[0] is not Verdict.SUPPORTED


def test_a_comment_bears_out_what_is_said_of_a_comment() -> None:
    text = "It made 4,000 tonnes.\n\nReader’s comment: The night shift at Brevik was ended in 2016."
    claim = "A reader commented that the night shift at Brevik was ended in 2016"
    assert verdict(claim, text)[0] is Verdict.SUPPORTED
