"""Work on an engine under a budget: nothing begins that cannot be paid for."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import pytest
from foureyes.engine.file_engine import open_engine
from foureyes.engine.model import JobContext
from foureyes.engine.work_folder import (
    WorkFolder,
    WorkKind,
    WorkState,
    make_work_folder,
)
from foureyes.engine.working import Limits, Workload

KEYS = [f"job{at}" for at in range(12)]


@dataclass(frozen=True, slots=True)
class Bill:
    """What a job came to."""

    key: str
    usd: float


KIND = WorkKind("a test", "test.json", "a test", Bill, lambda one: one.key, lambda one: one.usd)


async def costly(payload: str, context: JobContext) -> str:
    """A job of a dollar."""
    await asyncio.sleep(0.05)
    return json.dumps({"key": payload, "usd": 1.0})


def failed(key: str, error: str) -> Bill:
    raise AssertionError(f"{key}: {error}")


async def worked(folder: WorkFolder[Bill], limits: Limits) -> tuple[WorkState, list[str]]:
    """How work on twelve jobs ended, three at once, and those that were done."""

    def job(key: str) -> tuple[str, str]:
        return "costly", key

    heard: list[str] = []
    engine = await open_engine(folder.engine_url)
    workload = Workload(
        folder,
        engine,
        {"costly": costly},
        lambda bill, _number, _of: heard.append(bill.key),
        KEYS,
        job,
        failed,
        3,
        limits,
    )
    return await workload.work(), heard


@pytest.mark.parametrize(
    ("limits", "done"),
    [
        (Limits(Decimal(5)), 5),
        (Limits(Decimal("5.5")), 5),
        # Each may cost two, and costs one.
        (Limits(Decimal(5), each_usd=Decimal(2)), 4),
        (Limits(Decimal(50)), 12),
    ],
)
async def test_jobs_side_by_side_cost_no_more_than_the_limit(
    limits: Limits, done: int, tmp_path: Path
) -> None:
    with make_work_folder(tmp_path, "paid", KIND.manifest_file) as path:
        pass
    state, heard = await worked(WorkFolder(path, KIND), limits)
    assert len(heard) == done
    assert state is (WorkState.FINISHED if done == len(KEYS) else WorkState.BUDGET)
    state, more = await worked(WorkFolder(path, KIND), Limits())
    assert state is WorkState.FINISHED
    assert sorted(heard + more) == sorted(KEYS)
