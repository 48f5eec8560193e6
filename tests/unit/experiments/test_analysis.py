"""What results come to: failures count, missing trials conclude nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from foureyes import (
    Direction,
    Experiment,
    ExperimentResult,
    RunStatus,
    TrialItem,
    TrialMetric,
    TrialRecord,
    TurnUsage,
)
from foureyes.datatypes import ExperimentConclusion as Conclusion
from support.commands import execute
from support.experiment_results import write_results

COUNT = 10
ITEMS = tuple(TrialItem(f"item-{at}", draft="draft") for at in range(COUNT))
YES, NO, UNSURE = RunStatus.REVIEWED, RunStatus.MAX_ITERATIONS, RunStatus.INCONCLUSIVE
TRUST = TrialMetric("trust", lambda _record: 3.0, Direction.HIGHER)
SAME = TrialMetric("same", lambda record: float(record.status is YES), Direction.HIGHER)


def compared(
    control: RunStatus, treatment: RunStatus | None, *secondary: TrialMetric
) -> ExperimentResult:
    """Two arms whose trials all end alike, or fail: `accepted` decides."""

    async def old(_item: TrialItem) -> TrialRecord:
        return TrialRecord(control, "a text", (), 1, TurnUsage(), 0.5)

    async def new(_item: TrialItem) -> TrialRecord:
        if treatment is None:
            raise RuntimeError("it broke")
        return TrialRecord(treatment, "a text", (), 1, TurnUsage(), 0.5)

    return Experiment({"old": old, "new": new}, ITEMS, ["accepted", *secondary]).run()


@pytest.mark.parametrize(
    ("control", "treatment", "expected"),
    [
        (NO, YES, Conclusion.BETTER),
        (YES, NO, Conclusion.WORSE),
        (YES, YES, Conclusion.INCONCLUSIVE),
    ],
)
def test_ten_items_that_all_differ_decide(
    control: RunStatus, treatment: RunStatus, expected: Conclusion
) -> None:
    analysis = compared(control, treatment).analysis
    assert analysis.conclusion is expected
    assert len(analysis.flips) == (COUNT if control != treatment else 0)


@pytest.mark.parametrize("treatment", [None, UNSURE], ids=["error", "inconclusive"])
def test_an_arm_that_fails_is_worse_and_nothing_is_dropped(treatment: RunStatus | None) -> None:
    analysis = compared(YES, treatment).analysis
    assert analysis.conclusion is Conclusion.WORSE
    [primary] = analysis.declared
    assert (primary.counted, primary.left_out) == (COUNT, 0)
    arm = analysis.arms[1]
    assert (arm.finished, arm.errors + arm.inconclusive) == (0, COUNT)


def reported(folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    """What the command says of the experiment in `folder`."""
    capsys.readouterr()
    execute(["experiment", "report", str(folder), *options, "--json"])
    return json.loads(capsys.readouterr().out)


def test_nothing_is_concluded_while_trials_are_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_results(tmp_path, COUNT, arms=("old", "new"), missing=1).path
    analysis = reported(folder, capsys)
    assert analysis["conclusion"] == "inconclusive"
    assert analysis["note"] == "only 9 of 10 items are complete"
    assert sum(arm["missing"] for arm in analysis["arms"]) == 1


def test_no_result_at_all_is_told_and_not_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_results(tmp_path, COUNT, arms=("old", "new"), missing=2 * COUNT).path
    analysis = reported(folder, capsys)
    assert "needs at least 2 items" in analysis["declared"][0]["why_not"]
    assert execute(["experiment", "report", str(folder)]) != 0
    assert "not compared" in capsys.readouterr().out


def test_secondary_metrics_never_move_the_primary_and_are_adjusted_for_each_other() -> None:
    alone = compared(NO, YES).analysis.declared[0].concluded
    found = compared(NO, YES, TRUST, SAME).analysis
    primary, _, second = (one.concluded for one in found.declared)
    assert (primary, alone) != (None, None)
    assert primary == alone
    assert second
    assert second.adjusted_p == pytest.approx(2 * second.comparison.test.p)


RATED: Mapping[str, Any] = {
    "baseline": "old",
    "metrics": {
        "primary": {"name": "passed", "direction": "higher", "scale": "binary", "failure": 0},
        "secondary": [{"name": "rating.trust", "direction": "higher"}],
    },
}


@pytest.fixture
def imported(tmp_path: Path) -> Path:
    """An experiment of two items that ended, with a rating of people as its second metric."""
    (tmp_path / "results.csv").write_text(
        "item,arm,passed\n" + "".join(f"i{at},{arm},1\n" for at in (1, 2) for arm in ("old", "new"))
    )
    (tmp_path / "declared.yaml").write_text(json.dumps(RATED))
    declared = ("--declared", str(tmp_path / "declared.yaml"), "--out", str(tmp_path / "out"))
    execute(["experiment", "import", str(tmp_path / "results.csv"), *declared])
    (folder,) = (tmp_path / "out").iterdir()
    return folder


def test_ratings_are_averaged_over_raters(
    imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ratings.csv"
    rated = ("i1,old,a,2", "i1,old,b,5", "i1,new,a,4", "i2,old,a,3.5", "i2,new,a,4")
    path.write_text("item,arm,rater,trust\n" + "".join(f"{line}\n" for line in rated))
    analysis = reported(imported, capsys, "--ratings", str(path))
    comparison = analysis["declared"][1]["concluded"]["comparison"]
    assert (comparison["control"]["mean"], comparison["treatment"]["mean"]) == (3.5, 4)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("who,what\n", "has the columns item, arm"),
        ("item,arm,trust\nnobody,old,1\n", "line 2: no such trial"),
        ("item,arm,trust\ni1,old,high\n", "line 2: a trial or a rating is no number"),
    ],
)
def test_a_wrong_ratings_file_is_refused(
    text: str, expected: str, imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text(text)
    assert execute(["experiment", "report", str(imported), "--ratings", str(path)]) == 4
    assert expected in capsys.readouterr().err


def test_names_cannot_break_the_markdown(tmp_path: Path) -> None:
    def named(at: int) -> str:
        return "<script>|x" if at == 0 else f"item-{at}"

    folder = write_results(tmp_path, COUNT, named=named).path
    execute(["experiment", "report", str(folder)])
    (page,) = folder.glob("*.md")
    assert "<script>" not in page.read_text(encoding="utf-8")
