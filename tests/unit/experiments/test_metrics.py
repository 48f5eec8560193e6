"""What metrics make of a delivered text with known claims."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest
from foureyes import (
    Direction,
    Experiment,
    Finding,
    GateDecision,
    IssueType,
    Location,
    ReviewStatus,
    RunStatus,
    Scale,
    Severity,
    TrialItem,
    TrialMetric,
    TrialRecord,
    TurnUsage,
)
from foureyes.datatypes import CriticObjections, Gold, ReviewFindings, TrialResult

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


ITEMS = [TrialItem("one", brief="# A brief"), TrialItem("two", brief="# A brief")]


def trial_of(record: TrialRecord, metric: str | TrialMetric = "accepted") -> TrialResult:
    """A trial that delivers `record`."""

    async def deliver(_item: TrialItem) -> TrialRecord:
        return record

    return Experiment({"a": deliver, "b": deliver}, ITEMS, [metric]).run().trials[0]


def value(name: str, record: TrialRecord) -> float | None:
    """The metric `name` of a record."""
    return trial_of(record).values.get(name)


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
    def measure(_record: TrialRecord) -> float:
        return cast("float", given)

    own = TrialMetric("own", measure, Direction.HIGHER, Scale.BINARY, failure=0)
    error = trial_of(RECORD, own).error
    assert error.startswith("metric own: the ")
    assert "metric gave" in error


@pytest.mark.parametrize("name", ["gate_passed", "approved", "accepted", "coverage"])
def test_a_trial_that_fails_has_the_worst_value(name: str) -> None:
    review = ReviewFindings(2, (place("5 metres"),), 1.0)
    good = replace(RECORD, status=RunStatus.APPROVED, gate=GateDecision.PASS, review=review)

    async def deliver(_item: TrialItem) -> TrialRecord:
        return good

    async def fail(_item: TrialItem) -> TrialRecord:
        raise RuntimeError("it broke")

    items = [replace(ITEMS[0], id=f"item{n}") for n in range(8)]
    result = Experiment({"good": deliver, "broken": fail}, items, [name]).run()
    assert result.analysis.conclusion.value == "worse"
