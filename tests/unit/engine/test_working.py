"""Money of jobs that run side by side."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import pytest
from foureyes import InputError, RunDirectoryError
from foureyes.base.files import to_json
from foureyes.core.record_folder import folder_lock
from foureyes.engine.file_engine import open_engine
from foureyes.engine.model import JobContext, Programs
from foureyes.engine.work_folder import RESULTS, WorkFolder, WorkKind, WorkState, make_work_folder
from foureyes.engine.working import Limits, Workload, affordable
from hypothesis import given
from hypothesis import strategies as st

NO_LIMITS = Limits()
KEYS = ("a", "b", "c", "d", "e", "f")


@dataclass(frozen=True, slots=True)
class Result:
    key: str
    error: str = ""


KIND = WorkKind("a test", "test.json", "a test", Result, key=lambda one: one.key, cost=lambda _: 1)


@pytest.fixture
def folder(tmp_path: Path) -> WorkFolder[Result]:
    with make_work_folder(tmp_path, "Some work", KIND.manifest_file) as path:
        pass
    return WorkFolder(path, KIND)


async def worked(
    folder: WorkFolder[Result], programs: Programs, limits: Limits = NO_LIMITS
) -> tuple[WorkState, list[str]]:
    """Work on `folder`; the state, and the keys that were heard of."""
    heard: list[str] = []

    def job(key: str) -> tuple[str, str]:
        return "test", key

    def hear(one: Result, _at: int, _of: int) -> None:
        heard.append(one.key)

    engine = await open_engine(folder.engine_url)
    refusals = {"e": "it is empty"}
    workload = Workload(folder, engine, programs, hear, KEYS, job, Result, 1, limits, refusals)
    try:
        async with asyncio.timeout(30):
            state = await workload.work()
    finally:
        await engine.close()
    return state, heard


async def done(payload: str, _context: JobContext) -> str:
    return to_json(Result, Result(payload))


async def slow(payload: str, context: JobContext) -> str:
    await asyncio.sleep(0.4)
    return await done(payload, context)


async def refused(payload: str, context: JobContext) -> str:
    if payload == "c":
        raise InputError("there is nothing in it")
    return await done(payload, context)


async def test_each_piece_is_done_once_and_heard_of_once(folder: WorkFolder[Result]) -> None:
    state, heard = await worked(folder, {"test": done})
    assert (state, heard) == (WorkState.FINISHED, ["e", "a", "b", "c", "d", "f"])
    assert await worked(folder, {"test": done}) == (WorkState.FINISHED, [])
    assert list(folder.results()) == heard
    assert folder.results()["e"] == Result("e", "it is empty")


async def test_what_fails_has_a_result_and_stops_nothing(folder: WorkFolder[Result]) -> None:
    assert (await worked(folder, {"test": refused}))[0] is WorkState.FINISHED
    assert folder.results()["c"] == Result("c", "there is nothing in it")
    assert len(folder.results()) == len(KEYS)


async def test_a_limit_in_dollars_stops_the_whole_until_it_is_raised(
    folder: WorkFolder[Result],
) -> None:
    state, heard = await worked(folder, {"test": slow}, Limits(usd=Decimal(2)))
    assert state is WorkState.BUDGET
    assert 2 <= len(heard) < len(KEYS)
    again, others = await worked(folder, {"test": done}, Limits(usd=Decimal(20)))
    assert (again, sorted(heard + others)) == (WorkState.FINISHED, list(KEYS))
    assert folder.manifest.active_s > 0.4


async def test_two_processes_do_not_work_on_it_at_once(folder: WorkFolder[Result]) -> None:
    with folder_lock(folder.path), pytest.raises(RunDirectoryError, match="is in use by pid"):
        await worked(folder, {"test": done})
    assert folder.results() == {}


FIVE = Limits(usd=Decimal(5))


@pytest.mark.parametrize(
    ("limits", "spent", "ended", "under_way", "more"),
    [
        (Limits(), 100.0, 10, 10, None),
        (Limits(each_usd=Decimal(1)), 100.0, 10, 10, None),
        (FIVE, 0.0, 0, 0, 3),
        (FIVE, 0.0, 0, 2, 1),
        (FIVE, 0.0, 0, 4, 0),
        (FIVE, 0.0, 6, 4, None),
        (FIVE, 2.0, 2, 0, 3),
        (FIVE, 2.0, 2, 3, 0),
        (FIVE, 1.5, 1, 1, 1),
        (FIVE, 6.0, 2, 0, 0),
        (Limits(Decimal(5), each_usd=Decimal("0.5")), 0.0, 0, 0, 10),
        (Limits(Decimal(5), each_usd=Decimal("0.5")), 1.0, 10, 6, 2),
        (Limits(Decimal("0.3"), each_usd=Decimal("0.1")), 0.0, 0, 0, 3),
    ],
)
def test_a_job_begins_only_if_what_it_may_cost_is_left(
    limits: Limits, spent: float, ended: int, under_way: int, more: int | None
) -> None:
    assert affordable(limits, spent, ended, under_way, first=3) == more


@given(
    st.integers(1, 10_000), st.integers(1, 1_000), st.lists(st.floats(0, 1), max_size=30),
    st.integers(1, 8),
)  # fmt: skip
def test_what_jobs_may_cost_at_most_is_never_more_than_the_limit(
    usd: int, each: int, shares: list[float], first: int
) -> None:
    limits = Limits(Decimal(usd) / 100, each_usd=Decimal(each) / 100)
    spent, ended, under_way = 0.0, 0, 0
    for share in shares:
        under_way += affordable(limits, spent, ended, under_way, first) or 0
        if not under_way:
            break
        spent, ended, under_way = spent + share * each / 100, ended + 1, under_way - 1
    assert spent + under_way * each / 100 <= usd / 100 + 1e-5


@dataclass(frozen=True, slots=True)
class Row:
    key: str
    value: int


ROW_KIND = WorkKind(
    "a test", "test.json", "a test", Row, key=lambda one: one.key, cost=lambda one: one.value
)


@pytest.fixture
def rows(tmp_path: Path) -> WorkFolder[Row]:
    with make_work_folder(tmp_path, "Some work", "test.json") as path:
        pass
    return WorkFolder(path, ROW_KIND)


def test_the_first_result_of_a_key_counts(rows: WorkFolder[Row]) -> None:
    for one in (Row("a", 1), Row("b", 2), Row("a", 3)):
        rows.add(one)
    assert list(rows.results().values()) == [Row("a", 1), Row("b", 2)]


def test_a_torn_line_takes_nothing_else_with_it(rows: WorkFolder[Row]) -> None:
    rows.mend()
    rows.add(Row("a", 1))
    with (rows.path / RESULTS).open("a", encoding="utf-8") as file:
        file.write('{"key":"b","val')
    assert list(rows.results()) == ["a"]
    rows.mend()
    rows.add(Row("b", 2))
    assert list(rows.results()) == ["a", "b"]


def test_another_folder_is_refused(rows: WorkFolder[Row], tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is not the directory of a test: there is no test\.json"):
        WorkFolder(tmp_path, ROW_KIND)
    (rows.path / "test.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="is damaged"):
        WorkFolder(rows.path, ROW_KIND)
