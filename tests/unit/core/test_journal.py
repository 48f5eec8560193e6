"""A finished step never runs again."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

import pytest
from foureyes import Analysis, Error, Examination, FailureKind, RunDirectoryError, StorageError
from foureyes.core.record_folder import JournalSteps, PlainSteps, entry_name
from hypothesis import given
from hypothesis import strategies as st
from support.loop_agents import APPROVE, finding, vote

GOOD = Analysis(markdown="naïve\r\n\ttext")
BAD = Error(FailureKind.TIMEOUT, "too slow")


@dataclass
class Work:
    answer: Analysis | Error | None
    runs: int = 0

    async def __call__(self) -> Analysis | Error:
        self.runs += 1
        if self.answer is None:
            await asyncio.sleep(60)
        assert self.answer is not None
        return self.answer


def entries(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def test_a_finished_step_is_returned_without_running(tmp_path: Path) -> None:
    work = Work(GOOD)
    for _ in range(3):
        assert await JournalSteps(tmp_path).step("1/analyst", "k", Analysis, work) == GOOD
    assert work.runs == 1


@pytest.mark.parametrize(("name", "key"), [("2/analyst", "k"), ("1/analyst", "other")])
async def test_another_name_or_key_is_another_step(tmp_path: Path, name: str, key: str) -> None:
    work = Work(GOOD)
    steps = JournalSteps(tmp_path)
    await steps.step("1/analyst", "k", Analysis, work)
    await steps.step(name, key, Analysis, work)
    assert work.runs == 2


async def test_a_failed_step_runs_again(tmp_path: Path) -> None:
    work = Work(BAD)
    assert await JournalSteps(tmp_path).step("1/analyst", "k", Analysis, work) == BAD
    work.answer = GOOD
    assert await JournalSteps(tmp_path).step("1/analyst", "k", Analysis, work) == GOOD
    assert work.runs == 2


async def test_a_cancelled_step_leaves_no_entry(tmp_path: Path) -> None:
    step = JournalSteps(tmp_path).step("1/analyst", "k", Analysis, Work(None))
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(step, 0.01)
    assert entries(tmp_path) == []


async def test_an_examination_survives_whole(tmp_path: Path) -> None:
    answer = vote(APPROVE, finding("f1", at=4), coverage=0.25)

    async def work() -> Examination | Error:
        return answer

    for _ in range(2):
        assert await JournalSteps(tmp_path).step("1/reviewer", "k", Examination, work) == answer


async def test_a_damaged_entry_is_named(tmp_path: Path) -> None:
    path = tmp_path / entry_name("1/analyst", "k")
    path.write_text('{"markdown": 3}', encoding="utf-8")
    with pytest.raises(RunDirectoryError, match=r"1-analyst\..*does not hold a Analysis") as caught:
        await JournalSteps(tmp_path).step("1/analyst", "k", Analysis, Work(GOOD))
    assert str(path) in caught.value.hint


async def test_a_folder_that_is_a_file_is_a_storage_error(tmp_path: Path) -> None:
    folder = tmp_path / "journal"
    folder.write_text("", encoding="utf-8")
    with pytest.raises(StorageError, match="cannot read"):
        await JournalSteps(folder).step("1/analyst", "k", Analysis, Work(GOOD))


async def test_a_full_disk_is_a_storage_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot write"):
        await JournalSteps(tmp_path / "gone").step("1/analyst", "k", Analysis, Work(GOOD))


async def test_plain_steps_remember_nothing() -> None:
    work = Work(GOOD)
    for _ in range(2):
        assert await PlainSteps().step("1/analyst", "k", Analysis, work) == GOOD
    assert work.runs == 2


@given(st.text(max_size=300), st.text(max_size=50))
def test_an_entry_name_is_a_plain_file_name(name: str, key: str) -> None:
    file = entry_name(name, key)
    assert Path(file).name == file
    assert file.isascii()
    assert len(file) < 100
