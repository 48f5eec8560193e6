"""Looks before the end: fixed beforehand, taken once, and the first that decides counts."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from foureyes import InputError
from foureyes.base.files import from_json, to_json
from foureyes.datatypes import ExperimentAnalysis as Analysis
from foureyes.datatypes import ExperimentConclusion as Conclusion
from foureyes.datatypes import TrialOutcome, TrialResult
from foureyes.engine.file_engine import open_engine
from foureyes.engine.model import Job, JobContext, JobState
from foureyes.engine.work_folder import WorkState
from foureyes.experiments.analysis import analyse, planned_looks
from foureyes.experiments.file import ExperimentFile
from foureyes.experiments.folder import ExperimentFolder
from foureyes.experiments.markdown import markdown
from foureyes.experiments.planning import PROGRAM, Item, TrialWork, order_items
from foureyes.experiments.running import LOOKS, run_experiment
from foureyes.experiments.statistics.power import Spending, looks
from hypothesis import given
from hypothesis import strategies as st
from support.experiment_kit import FILE, by_key, items, result

COUNT = 40


def declared(stopping: object, **changes: object) -> ExperimentFile:
    """The small experiment with looks."""
    metrics = {"primary": "accepted"}
    return ExperimentFile.model_validate(
        {**FILE, "metrics": metrics, "stopping": stopping, **changes}
    )


def named(names: Sequence[str], control: float, treatment: float) -> list[TrialResult]:
    """Both trials of each item."""
    return [
        one
        for name in names
        for one in (
            result(name, "reviewer", control),
            result(name, "fact_checker", treatment),
        )
    ]


def ordered(file: ExperimentFile, count: int = COUNT) -> list[str]:
    """The ids of the items as looks see them."""
    return [item.id for item in order_items(file.seed, items(count))]


@pytest.mark.parametrize(
    ("stopping", "seen"),
    [
        ({"looks": [0.5, 0.75]}, [20, 30, 40]),
        ({"looks": [0.51]}, [21, 40]),
        ({"looks": [0.7], "spending": "pocock"}, [28, 40]),
        ({"every": 15, "spending": "pocock"}, [15, 30, 40]),
        ({"every": 5}, [10, 15, 20, 25, 30, 35, 40]),
        ({"every": 50}, [40]),
    ],
)
def test_looks_see_the_first_items_of_the_plan(stopping: object, seen: list[int]) -> None:
    file = declared(stopping)
    planned = planned_looks(file, items(COUNT))
    assert [len(look.items) for look in planned] == seen
    assert all(list(look.items) == ordered(file)[: len(look.items)] for look in planned)


def test_each_look_has_the_level_of_its_share() -> None:
    planned = planned_looks(declared({"looks": [0.5, 0.75]}), items(COUNT))
    expected = looks((0.5, 0.75, 1.0), Spending.OBRIEN_FLEMING)
    assert [look.design.alpha for look in planned] == [look.level for look in expected]
    assert planned_looks(declared(None), items(COUNT))[0].design.alpha == 0.05


def test_many_metrics_leave_an_early_look_an_interval_to_show_equivalence() -> None:
    many = [{"name": f"rating.r{at}", "direction": "higher", "margin": 1} for at in range(40)]
    metrics = {"primary": "accepted", "secondary": many}
    planned = planned_looks(declared({"every": 5}, metrics=metrics), items(COUNT))
    assert all(0 < look.design.equivalence_level < 1 for look in planned)


def test_a_look_next_to_the_end_is_left_to_the_end() -> None:
    planned = planned_looks(declared({"every": 333, "spending": "pocock"}), items(1000))
    assert [len(look.items) for look in planned] == [333, 666, 1000]


def test_a_look_never_sees_a_part_of_a_cluster() -> None:
    shared = [Item(f"item-{at}", None, "d", cluster=f"c{at % 4}", slices={}) for at in range(COUNT)]
    planned = planned_looks(declared({"looks": [0.3, 0.6]}), shared)
    assert [len(look.items) for look in planned] == [20, 30, 40]
    for look in planned:
        clusters = {item.cluster for item in look.seen(shared)}
        assert len(look.items) == 10 * len(clusters)


@pytest.mark.parametrize(
    ("stopping", "count", "expected"),
    [
        ({"looks": [0.5, 0.55, 0.6]}, 10, "a look at 6 of 10 items after one at 6"),
        ({"looks": [0.95]}, 10, "a look at 10 of 10 items after one at 10"),
        ({"looks": [0.1]}, 10, "a look at 1 of 10 items"),
        ({"looks": [0.05]}, 100, "a look at 0.05 of the items could never stop"),
    ],
)
def test_looks_that_cannot_be_are_refused(stopping: object, count: int, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        planned_looks(declared(stopping), items(count))


@pytest.mark.parametrize(
    ("stopping", "expected"),
    [
        ({}, "give looks"),
        ({"looks": [0.5], "every": 3}, "give looks"),
        ({"looks": [0.5, 0.4]}, "looks must rise"),
        ({"looks": [1.0]}, "less than 1"),
        ({"looks": [0.5], "spending": "all"}, "pocock"),
    ],
)
def test_wrong_stopping_is_refused(stopping: object, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        declared(stopping)
    rated = {"name": "rating.trust", "direction": "higher", "failure": 1}
    with pytest.raises(ValueError, match="ratings come after the end"):
        declared({"looks": [0.5]}, metrics={"primary": rated})


def test_a_sure_difference_stops_at_the_first_look_and_the_report_says_so() -> None:
    file = declared({"looks": [0.5, 0.75]})
    analysis = analyse(file, items(COUNT), by_key(named(ordered(file)[:20], 0, 1)))
    assert analysis.conclusion is Conclusion.BETTER
    assert analysis.note == ""
    [look] = analysis.looks
    assert (look.stops, look.number, look.of, look.items, look.fraction) == (True, 1, 3, 20, 0.5)
    assert analysis.declared[0].concluded
    assert analysis.declared[0].concluded.comparison.interval.level == 1 - look.level
    text = markdown(analysis)
    assert "stopped early at look 1 of 3, on 20 of 40 items" in text
    assert "| 1 of 3 | 0.500 | 20 | 0.00305 |" in text


def test_a_difference_that_is_surely_too_small_stops_too() -> None:
    alike = {"metrics": {"primary": {"name": "accepted", "margin": 0.4}}}
    file = declared({"looks": [0.5]}, **alike)
    found = [
        *named(ordered(file)[:10], 1, 1),
        *named(ordered(file)[10:20], 0, 0),
    ]
    analysis = analyse(file, items(COUNT), by_key(found))
    assert analysis.conclusion is Conclusion.EQUIVALENT
    assert analysis.looks[0].stops
    concluded = analysis.declared[0].concluded
    assert concluded
    assert concluded.comparison.equivalence
    # Both one-sided tests spend 0.05 each.
    both = looks((0.5, 1.0), Spending.OBRIEN_FLEMING, 0.1)[0].level
    assert concluded.comparison.equivalence.level == 1 - both
    narrow = declared({"looks": [0.5]}, metrics={"primary": {"name": "accepted", "margin": 0.1}})
    assert not analyse(narrow, items(COUNT), by_key(found)).looks[0].stops


def test_what_ended_beside_a_look_changes_nothing() -> None:
    file = declared({"looks": [0.5]})
    order = ordered(file)
    early = named(order[:20], 0, 1)
    alone = analyse(file, items(COUNT), by_key(early))
    beside = analyse(file, items(COUNT), by_key([*early, *named(order[20:], 1, 0)]))
    assert beside.looks == alone.looks
    assert beside.declared == alone.declared
    assert beside.conclusion is Conclusion.BETTER


def test_fast_items_do_not_stand_in_for_those_of_a_look() -> None:
    file = declared({"looks": [0.5]})
    order = ordered(file)
    analysis = analyse(file, items(COUNT), by_key(named(order[1:35], 0, 1)))
    assert analysis.looks == ()
    assert analysis.conclusion is Conclusion.INCONCLUSIVE


def test_an_unsure_look_goes_on_and_the_last_is_at_its_own_level() -> None:
    file = declared({"looks": [0.5]})
    order = ordered(file)
    found = [*named(order[:6], 0, 1), *named(order[6:], 1, 1)]
    analysis = analyse(file, items(COUNT), by_key(found))
    assert [look.stops for look in analysis.looks] == [False, False]
    # p is 0.031 and the level of the end 0.049.
    assert analysis.conclusion is Conclusion.BETTER
    every = analyse(declared({"every": 2, "spending": "pocock"}), items(COUNT), by_key(found))
    assert every.conclusion is Conclusion.INCONCLUSIVE


def test_all_treatments_must_be_decided() -> None:
    third = {"mode": "analyze"}
    variants = {**dict(declared(None).variants), "third": third}
    file = declared({"looks": [0.5]}, variants=variants)
    order = ordered(file)[:20]
    found = named(order, 0, 1)
    open_still = analyse(
        file, items(COUNT), by_key([*found, *(result(name, "third", 0) for name in order)])
    )
    assert [one.conclusion.value for one in open_still.looks[0].decisions] == [
        "better",
        "inconclusive",
    ]
    assert open_still.conclusion is Conclusion.INCONCLUSIVE
    both = analyse(
        file, items(COUNT), by_key([*found, *(result(name, "third", 1) for name in order)])
    )
    assert both.looks[0].stops


def test_secondary_metrics_are_held_against_the_level_of_the_look() -> None:
    file = declared({"looks": [0.5]}, metrics={"primary": "accepted", "secondary": ["iterations"]})
    rng = random.Random(1)
    found = {
        key: TrialResult(
            one.trial,
            one.outcome,
            values={**one.values, "iterations": rng.choice([1.0, 2.0])
                    + (one.trial.arm == "reviewer") * 0.4},
        )
        for key, one in by_key(named(ordered(file)[:20], 0, 1)).items()
    }  # fmt: skip
    analysis = analyse(file, items(COUNT), found)
    primary, secondary = (one.concluded for one in analysis.declared)
    assert primary
    assert secondary
    assert primary.conclusion is Conclusion.BETTER
    # The primary metric stands alone, whatever else is declared.
    assert primary.adjusted_p == primary.comparison.test.p
    assert secondary.conclusion is Conclusion.INCONCLUSIVE
    assert secondary.comparison.design.alpha == analysis.looks[0].level


@given(
    pairs=st.lists(st.tuples(st.booleans(), st.booleans()), min_size=24, max_size=24),
    ended=st.sets(st.integers(0, 23)),
)
def test_later_results_never_change_a_look(pairs: list[tuple[bool, bool]], ended: set[int]) -> None:
    file = declared({"every": 6, "spending": "pocock"})
    order = ordered(file, 24)
    made = {at: named([order[at]], *map(float, pair)) for at, pair in enumerate(pairs)}
    early = analyse(file, items(24), by_key([one for at in ended for one in made[at]]))
    late = analyse(file, items(24), by_key([one for ones in made.values() for one in ones]))
    assert early.looks == late.looks[: len(early.looks)]
    taken = next((at for at in range(24) if at not in ended), 24) // 6
    assert len(early.looks) == min(taken, len(late.looks))
    assert not any(look.stops for look in late.looks[:-1])
    if late.looks[-1].stops and early.looks == late.looks:
        assert early.declared == late.declared


def write(folder: Path, count: int, **changes: object) -> Path:
    """An experiment whose trials do nothing."""
    drafts = [{"id": f"item-{at}", "draft": "# A\n\nIt is 5 metres high.\n"} for at in range(count)]
    path = folder / "experiment.yaml"
    written = {**FILE, "dataset": None, "items": drafts, "metrics": {"primary": "accepted"}}
    path.write_text(json.dumps({**written, **changes}), encoding="utf-8")
    return path


async def better(payload: str, _context: JobContext) -> str:
    """A trial of no work that only the treatment passes."""
    work = from_json(TrialWork, payload)
    values = {"accepted": float(work.trial.arm == "fact_checker")}
    told = TrialResult(work.trial, TrialOutcome.FINISHED, values=values)
    return to_json(TrialResult, told, indent=None)


def work_on(folder: ExperimentFolder) -> tuple[WorkState, list[str]]:
    """Work on it in this process; the trials that were heard of."""
    heard: list[str] = []

    async def go() -> WorkState:
        engine = await open_engine(folder.engine_url)
        try:
            return await run_experiment(
                folder, engine, {PROGRAM: better}, lambda one, _at, _of: heard.append(one.trial.key)
            )
        finally:
            await engine.close()

    return asyncio.run(go()), heard


def told(folder: ExperimentFolder) -> Analysis:
    """What a report makes of it."""
    return analyse(folder.file, folder.plan().items, folder.results())


def test_a_look_ends_the_work_and_is_never_taken_again(tmp_path: Path) -> None:
    path = write(tmp_path, COUNT, stopping={"looks": [0.5]}, concurrency=1)
    folder = ExperimentFolder.create(path, tmp_path / "out", trusted=False)
    state, heard = work_on(folder)
    assert state is WorkState.FINISHED
    assert 40 <= len(heard) < 50
    lines = (folder.path / LOOKS).read_text(encoding="utf-8")
    [line] = lines.splitlines()
    recorded = json.loads(line)["look"]
    analysis = told(folder)
    assert [json.loads(to_json(Analysis, analysis))["looks"]] == [[recorded]]
    assert analysis.conclusion is Conclusion.BETTER

    again = ExperimentFolder(folder.path)
    assert work_on(again) == (WorkState.FINISHED, [])
    assert (folder.path / LOOKS).read_text(encoding="utf-8") == lines


def test_a_worker_killed_between_a_look_and_its_consequence_leaves_nothing_waiting(
    tmp_path: Path,
) -> None:
    path = write(tmp_path, COUNT, stopping={"looks": [0.5]}, concurrency=1)
    folder = ExperimentFolder.create(path, tmp_path / "out", trusted=False)
    work_on(folder)
    known = folder.results()
    left = [one for one in folder.plan().work if one.trial.key not in known]
    # As it would be if nothing had been cancelled.
    folder.set(WorkState.RUNNING, new_round=True)
    jobs = [
        Job(f"{one.trial.key}-1", PROGRAM, to_json(TrialWork, one, indent=None), folder.group)
        for one in left
    ]

    async def states(*, submit: bool) -> set[JobState]:
        engine = await open_engine(folder.engine_url)
        await engine.submit(jobs if submit else [])
        return {one.state for one in await engine.status(folder.group)}

    assert asyncio.run(states(submit=True)) == {JobState.QUEUED}
    assert work_on(ExperimentFolder(folder.path)) == (WorkState.FINISHED, [])
    assert asyncio.run(states(submit=False)) == {JobState.CANCELLED}
    assert folder.results() == known


def test_looks_that_were_taken_cannot_be_moved(tmp_path: Path) -> None:
    path = write(tmp_path, COUNT, stopping={"looks": [0.5]})
    folder = ExperimentFolder.create(path, tmp_path / "out", trusted=False)
    work_on(folder)
    for changes in ({"stopping": {"looks": [0.6]}}, {"stopping": None}, {"seed": 3}):
        moved = write(tmp_path, COUNT, **{"stopping": {"looks": [0.5]}, **changes})
        (folder.path / "experiment.yaml").write_text(moved.read_text())
        with pytest.raises(InputError, match="look 1 was taken of 20 items"):
            work_on(ExperimentFolder(folder.path))


def test_a_look_that_cannot_be_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    path = write(tmp_path, 4, stopping={"looks": [0.25]})
    with pytest.raises(InputError, match="a look at 1 of 4 items"):
        ExperimentFolder.create(path, tmp_path / "out", trusted=False)
    assert not (tmp_path / "out").exists()
