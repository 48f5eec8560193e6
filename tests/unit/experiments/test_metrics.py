"""What metrics make of a delivered text with known claims."""

from __future__ import annotations

from dataclasses import replace

import pytest
from foureyes import (
    Finding,
    GateDecision,
    IssueType,
    Location,
    ReviewStatus,
    RunStatus,
    Scale,
    Severity,
    TrialRecord,
    TurnUsage,
)
from foureyes.base.errors import StatisticsError
from foureyes.datatypes import CriticObjections, Gold, ReviewFindings
from foureyes.experiments.metrics import METRICS, validate_value

TEXT = "It is 5 metres high. It was built in 1900."
WRONG, RIGHT = Gold("It is 5 metres high", true=False), Gold("It was built in 1900", true=True)
RECORD = TrialRecord(RunStatus.REVIEWED, TEXT, (), 1, TurnUsage(), 1.5, gold=(WRONG, RIGHT))


def finding(words: str, severity: Severity) -> Finding:
    """A finding at `words`."""
    return Finding(
        "f-1", severity, IssueType.NUMERIC_ERROR, words, "wrong", origin="engine",
        location=place(words),
    )  # fmt: skip


def place(words: str) -> Location:
    """Where `words` stand."""
    start = TEXT.index(words)
    return Location(1, 1, start, start + len(words))


def value(name: str, record: TrialRecord) -> float | None:
    """The metric `name` of a record."""
    return METRICS[name].measure(record)


def test_a_false_claim_that_stands_unmarked_is_missed() -> None:
    assert value("all_false_claims_caught", RECORD) == 0
    assert value("false_claims_missed", RECORD) == 1


@pytest.mark.parametrize(
    "record",
    [
        replace(RECORD, text="It was built in 1900."),
        replace(RECORD, findings=(finding("5 metres", Severity.HIGH),)),
    ],
    ids=["gone", "marked"],
)
def test_a_false_claim_that_is_gone_or_marked_is_caught(record: TrialRecord) -> None:
    assert value("false_claims_caught", record) == 1
    assert value("true_claims_rejected", record) == 0


def test_a_remark_of_low_severity_catches_nothing() -> None:
    record = replace(RECORD, findings=(finding("5 metres", Severity.LOW),))
    assert value("false_claims_caught", record) == 0


def test_what_a_review_holds_against_the_words_catches_them() -> None:
    review = ReviewFindings(2, (place("5 metres"),), 0.5)
    record = replace(RECORD, status=ReviewStatus.COMPLETED, review=review)
    assert value("all_false_claims_caught", record) == 1
    assert value("true_claims_rejected", record) == 0
    assert (value("findings", record), value("coverage", record)) == (2, 0.5)


@pytest.mark.parametrize(
    ("gate", "expected"),
    [(None, None), (GateDecision.PASS, 1), (GateDecision.PENDING_REVIEW, 0)],
)
def test_only_a_pass_of_the_gate_is_one(gate: GateDecision | None, expected: float | None) -> None:
    assert value("gate_passed", replace(RECORD, gate=gate)) == expected


def test_an_empty_delivery_rejects_every_true_claim() -> None:
    assert value("true_claims_rejected", replace(RECORD, text="")) == 1


@pytest.mark.parametrize("name", ["false_claims_caught", "true_claims_rejected", "coverage"])
def test_a_metric_without_its_ground_does_not_apply(name: str) -> None:
    assert value(name, replace(RECORD, gold=())) is None


@pytest.mark.parametrize(
    ("second", "expected"), [("5 metres", 1.0), ("1900", -0.5)], ids=["agree", "disagree"]
)
def test_critics_agree_where_they_object_to_the_same_claims(second: str, expected: float) -> None:
    claims = (place(WRONG.text), place(RIGHT.text))
    objections = {"a": (place("5 metres"),), "b": (place(second),)}
    record = replace(RECORD, critics=CriticObjections(claims, objections))
    assert value("critic_agreement", record) == pytest.approx(expected)


@pytest.mark.parametrize("given", ["high", float("nan"), 0.5])
def test_what_an_own_metric_gives_must_be_of_its_scale(given: object) -> None:
    with pytest.raises(StatisticsError, match="metric gave"):
        validate_value(given, Scale.BINARY)


def test_every_metric_with_a_worst_value_has_it_on_its_bad_side() -> None:
    for metric in METRICS.values():
        if metric.scale is Scale.BINARY:
            assert metric.failure == 0
