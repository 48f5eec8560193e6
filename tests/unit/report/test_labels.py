"""Every result has a label."""

from __future__ import annotations

from enum import StrEnum

import pytest
from foureyes import GateDecision, ReviewStatus, RunStatus, Severity, Verdict
from foureyes.base.vocabulary import Stance
from foureyes.datatypes import WebVerdict
from foureyes.engine.work_folder import WorkState
from foureyes.experiments.statistics.comparison import Conclusion
from foureyes.report.batch import DocumentOutcome
from foureyes.report.wording import labels


@pytest.mark.parametrize(
    ("table", "values"),
    [
        ("verdicts", Verdict),
        ("severities", Severity),
        ("stances", Stance),
        ("gate", GateDecision),
        ("run_ends", RunStatus),
        ("review_ends", ReviewStatus),
        ("web_verdicts", WebVerdict),
        ("documents", DocumentOutcome),
        ("batches", WorkState),
        ("experiments", WorkState),
        ("conclusions", Conclusion),
    ],
)
def test_every_value_has_a_label(table: str, values: type[StrEnum]) -> None:
    assert {value.value for value in values} <= labels(table).keys()


def test_only_what_is_good_looks_good() -> None:
    green = {name for name, one in labels("run_ends").items() if one.tone == "good"}
    assert green == {"approved"}
