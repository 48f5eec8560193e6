"""Experiments from a program: its own arms and metrics, by the statistics of the command."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from foureyes import (
    Direction,
    Experiment,
    InputError,
    RunStatus,
    Scale,
    StorageError,
    TrialItem,
    TrialMetric,
    TrialRecord,
    TurnUsage,
)

ITEMS = [TrialItem(f"item{n}", brief="# A brief", slices={"size": "small"}) for n in range(8)]
LENGTH = TrialMetric("length", lambda trial: float(len(trial.text)), Direction.LOWER, failure=100.0)


def delivered(text: str) -> TrialRecord:
    return TrialRecord(RunStatus.REVIEWED, text, (), 1, TurnUsage(), 0.5)


async def long(item: TrialItem) -> TrialRecord:
    return delivered(item.id * 3)


async def short(item: TrialItem) -> TrialRecord:
    return delivered(item.id)


async def failing(item: TrialItem) -> TrialRecord:
    raise RuntimeError(f"no answer for {item.id}")


async def test_arms_of_a_programs_own_are_compared() -> None:
    result = await Experiment({"long": long, "short": short}, ITEMS, [LENGTH]).run_async()
    assert (result.analysis.conclusion.value, result.analysis.complete) == ("better", 8)
    assert [row["length"] for row in result.rows() if row["arm"] == "short"] == [5.0] * 8
    assert repr(result) == "<ExperimentResult experiment: better\n8 of 8 items, 16 trials>"
    assert len(result.frame()) == 16
    assert result.to_dict()["conclusion"] == "better"
    assert "better" in result.to_markdown()


async def test_a_trial_that_fails_counts_as_declared_and_ends_no_other() -> None:
    result = await Experiment({"long": long, "none": failing}, ITEMS, [LENGTH]).run_async()
    assert result.analysis.conclusion.value == "worse"
    errors = [one.error for one in result.trials if one.trial.arm == "none"]
    assert sorted(errors)[0] == "RuntimeError: no answer for item0"


async def test_a_folder_that_cannot_be_made_is_named(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    experiment = Experiment(
        {"long": long, "short": short}, ITEMS[:2], [LENGTH], out=tmp_path / "file" / "out"
    )
    with pytest.raises(StorageError, match="file/out"):
        await experiment.run_async()


async def test_no_more_trials_run_at_once_than_it_says() -> None:
    running, most = 0, 0

    async def arm(item: TrialItem) -> TrialRecord:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.01)
        running -= 1
        return delivered(item.id)

    await Experiment({"a": arm, "b": arm}, ITEMS, [LENGTH], concurrency=3).run_async()
    assert most == 3


def test_settings_make_an_arm_and_leave_their_runs_where_they_are_told(tmp_path: Path) -> None:
    (tmp_path / "report.md").write_text("The station opened on 4 May 2019.\n", encoding="utf-8")
    draft = "# Station\n\nThe station opened on 4 May 2019 ([report](report.md)).\n"
    items = [
        TrialItem(f"i{n}", draft=draft, sources=(str(tmp_path / "report.md"),)) for n in (1, 2)
    ]
    arms = {"plain": {}, "checked": {"with_fact_checker": True}}
    result = Experiment(arms, items, ["approved"], out=tmp_path / "trials").run()
    approved = {row["arm"]: row["approved"] for row in result.rows()}
    assert approved == {"plain": 0.0, "checked": 1.0}
    assert len(list((tmp_path / "trials").glob("*/runs/*/run.json"))) == 4


@pytest.mark.parametrize(
    ("arms", "items", "metrics", "said"),
    [
        ({"a": long}, ITEMS, [LENGTH], "variants"),
        ({"a": long, "b": short}, ITEMS[:1], [LENGTH], "there are 1 items"),
        ({"a": long, "b": short}, ITEMS, ["lenght"], "there is no metric 'lenght'"),
        ({"a": long, "b": short}, ITEMS, [], "metrics"),
        ({"a": long, "b": {"moed": 1}}, ITEMS, [LENGTH], "unknown setting 'moed'"),
        (
            {"a": long, "b": short},
            ITEMS,
            [TrialMetric("x", lambda _trial: 1.0, Direction.LOWER, Scale.BINARY)],
            "primary metric 'x' has no worst value",
        ),
    ],
)
def test_what_is_no_experiment_is_refused(
    arms: Any, items: Sequence[TrialItem], metrics: Any, said: str
) -> None:
    with pytest.raises(InputError) as caught:
        Experiment(arms, items, metrics)
    assert said in caught.value.message
