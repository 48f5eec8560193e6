"""What results come to: failures count, missing trials conclude nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from foureyes import InputError
from foureyes.datatypes import ExperimentAnalysis as Analysis
from foureyes.datatypes import ExperimentConclusion as Conclusion
from foureyes.datatypes import TrialOutcome, TrialResult
from foureyes.experiments.analysis import analyse
from foureyes.experiments.file import ExperimentFile
from foureyes.experiments.importing.tables import add_ratings
from foureyes.experiments.markdown import markdown
from support.experiment_kit import FILE, by_key, items, result

COUNT = 10


def declared(**metrics: object) -> ExperimentFile:
    """The small experiment with `accepted` as its primary metric."""
    return ExperimentFile.model_validate({**FILE, "metrics": {"primary": "accepted", **metrics}})


def results(
    control: float, treatment: float | None, outcome: TrialOutcome = TrialOutcome.FINISHED
) -> list[TrialResult]:
    """Every item with the same values."""
    return [
        one
        for item in items(COUNT)
        for one in (
            result(item.id, "reviewer", control),
            result(item.id, "fact_checker", treatment, outcome),
        )
    ]


def conclude(found: list[TrialResult]) -> Analysis:
    """The analysis of the small experiment."""
    return analyse(declared(), items(COUNT), by_key(found))


@pytest.mark.parametrize(
    ("control", "treatment", "expected"),
    [
        (0, 1, Conclusion.BETTER),
        (1, 0, Conclusion.WORSE),
        (1, 1, Conclusion.INCONCLUSIVE),
    ],
)
def test_ten_items_that_all_differ_decide(
    control: int, treatment: int, expected: Conclusion
) -> None:
    analysis = conclude(results(control, treatment))
    assert analysis.conclusion is expected
    assert len(analysis.flips) == (COUNT if control != treatment else 0)


@pytest.mark.parametrize("outcome", [TrialOutcome.ERROR, TrialOutcome.INCONCLUSIVE])
def test_an_arm_that_fails_is_worse_and_nothing_is_dropped(outcome: TrialOutcome) -> None:
    left_behind = 1.0 if outcome is TrialOutcome.INCONCLUSIVE else None
    analysis = conclude(results(1, left_behind, outcome))
    assert analysis.conclusion is Conclusion.WORSE
    [primary] = analysis.declared
    assert (primary.counted, primary.left_out) == (COUNT, 0)
    arm = analysis.arms[1]
    assert (arm.finished, arm.errors + arm.inconclusive) == (0, COUNT)


def test_nothing_is_concluded_while_trials_are_missing() -> None:
    analysis = conclude(results(0, 1)[:-1])
    assert analysis.conclusion is Conclusion.INCONCLUSIVE
    assert analysis.note == "only 9 of 10 items are complete"
    assert analysis.arms[1].missing == 1


def test_no_result_at_all_is_told_and_not_compared() -> None:
    analysis = analyse(declared(), items(COUNT), {})
    assert "needs at least 2 items" in analysis.declared[0].why_not
    assert "not compared" in markdown(analysis)


def test_secondary_metrics_never_move_the_primary_and_are_adjusted_for_each_other() -> None:
    alone = conclude(results(0, 1)).declared[0].concluded
    file = declared(secondary=[{"name": "rating.trust", "direction": "higher"}, "iterations"])
    found = by_key(results(0, 1))
    rated = dict(found)
    for key, one in found.items():
        rated[key] = TrialResult(
            one.trial,
            one.outcome,
            values={**one.values, "iterations": one.values["accepted"], "rating.trust": 3.0},
        )
    primary, _, second = (one.concluded for one in analyse(file, items(COUNT), rated).declared)
    assert (primary, alone) != (None, None)
    assert primary == alone
    assert second
    assert second.adjusted_p == pytest.approx(2 * second.comparison.test.p)


def test_ratings_are_averaged_over_raters(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("item,arm,rater,trust\nitem-0,reviewer,a,2\nitem-0,reviewer,b,5\n")
    rated = add_ratings(by_key(results(0, 1)), path)
    assert rated["item-0-reviewer"].values == {"accepted": 0, "rating.trust": 3.5}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("who,what\n", "has the columns item, arm"),
        ("item,arm,trust\nnobody,reviewer,1\n", "line 2: no such trial"),
        ("item,arm,trust\nitem-0,reviewer,high\n", "line 2: a trial or a rating is no number"),
    ],
)
def test_a_wrong_ratings_file_is_refused(text: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=expected):
        add_ratings(by_key(results(0, 1)), path)


def test_names_cannot_break_the_markdown() -> None:
    hostile = result("<script>|x", "reviewer", 0), result("<script>|x", "fact_checker", 1)
    item = items(1)[0]
    named = [*items(COUNT), type(item)("<script>|x", None, "d", slices={})]
    text = markdown(analyse(declared(), named, by_key([*results(0, 1), *hostile])))
    assert "<script>" not in text
