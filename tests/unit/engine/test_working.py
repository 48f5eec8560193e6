from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import pytest
from foureyes import InputError, RunDirectoryError
from foureyes.base.files import to_json
from foureyes.core.record_folder import folder_lock
from foureyes.engine.model import Job, JobContext, Programs
from foureyes.engine.opening import open_engine
from foureyes.engine.work_folder import (
    WorkFolder,
    WorkKind,
    WorkState,
    make_work_folder,
)
from foureyes.engine.working import Limits, Workload, job_id, work_on

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

    def jobs(keys: Sequence[str]) -> Iterator[Sequence[Job]]:
        for key in keys:
            yield [Job(job_id(key, folder), "test", key, folder.group)]

    workload = Workload("test", KEYS, jobs, Result, 1, limits, {"e": "it is empty"})
    engine = await open_engine(folder.engine_url)
    try:
        async with asyncio.timeout(30):
            state = await work_on(
                folder, workload, engine, programs, lambda one, _at, _of: heard.append(one.key)
            )
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
