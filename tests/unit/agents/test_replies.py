"""An agent's words at the border: lenient where the meaning is sure, else an error."""

from __future__ import annotations

import json

import pytest
from foureyes import Recommendation, ReplyError, Severity, Verdict
from foureyes.agents.replies import (
    RecommendationWord,
    Reply,
    ScoreWord,
    SeverityWord,
    VerdictWord,
    Words,
)
from foureyes.core.forms import read_reply


class Form(Reply):
    vote: RecommendationWord = Recommendation.APPROVE
    verdict: VerdictWord = Verdict.SUPPORTED
    severity: SeverityWord = Severity.LOW
    score: ScoreWord = None
    text: Words = ""


READ = [
    ("vote", "Approve", Recommendation.APPROVE),
    ("vote", "ACCEPT.", Recommendation.APPROVE),
    ("vote", "revise", Recommendation.REJECT),
    ("vote", "Request changes", Recommendation.REJECT),
    ("vote", "request_changes", Recommendation.REJECT),
    ("vote", "'reject'", Recommendation.REJECT),
    ("verdict", "Partially supported", Verdict.PARTIALLY_SUPPORTED),
    ("verdict", "verified_true", Verdict.SUPPORTED),
    ("verdict", "REFUTED", Verdict.CONTRADICTED),
    ("severity", "High", Severity.HIGH),
    ("score", "0.8", 0.8),
    ("score", 1, 1.0),
    ("score", "85 %", 0.85),
    ("score", "0,5", 0.5),
    ("score", "null", None),
    ("score", None, None),
    ("text", None, ""),
    ("text", 42, "42"),
]


@pytest.mark.parametrize(("field", "given", "value"), READ)
def test_sure_meanings_are_read(field: str, given: object, value: object) -> None:
    assert getattr(read_reply(Form, json.dumps({field: given})), field) == value


UNREADABLE = [
    ("vote", "maybe", "/vote: .*'maybe' is none of approve, reject"),
    ("vote", "", "/vote: .*none of"),
    ("vote", None, "/vote: .*expected a word"),
    ("verdict", "not supported", "/verdict: .*none of"),
    ("severity", "blocker", "/severity: .*none of"),
    ("score", "8/10", "/score: .*neither a number"),
    ("score", 8, "/score: "),
    ("score", True, "/score: .*neither a number"),
    ("text", ["a"], "/text: "),
]


@pytest.mark.parametrize(("field", "given", "problem"), UNREADABLE)
def test_anything_else_is_an_error_that_names_the_place(
    field: str, given: object, problem: str
) -> None:
    with pytest.raises(ReplyError, match=problem):
        read_reply(Form, json.dumps({field: given}))


def test_what_is_no_json_is_an_error() -> None:
    with pytest.raises(ReplyError):
        read_reply(Form, "I approve.")
