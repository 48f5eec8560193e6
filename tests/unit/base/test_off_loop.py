"""Work that is done off the event loop: begun at once, and never left half done."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from contextvars import ContextVar
from functools import partial

import anyio
import pytest
from foureyes import StorageError
from foureyes.base.off_loop import held, off_loop, run_in_parallel

WHO = ContextVar("who", default="nobody")


async def test_it_runs_in_another_thread_with_the_callers_context() -> None:
    WHO.set("me")

    def tell(word: str) -> tuple[str, str, bool]:
        return word, WHO.get(), threading.current_thread() is threading.main_thread()

    assert await off_loop(tell, "here") == ("here", "me", False)


def test_a_forked_process_waits_for_no_thread_of_its_parent() -> None:
    asyncio.run(off_loop(int))
    if (pid := os.fork()) == 0:
        try:
            os._exit(asyncio.run(asyncio.wait_for(off_loop(int), 10)))
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


ENDLESS = """
import asyncio, time
from foureyes.base.off_loop import in_daemon

async def ask() -> None:
    try:
        await asyncio.wait_for(in_daemon(lambda: time.sleep(600), "endless"), 0.1)
    except TimeoutError:
        print(await in_daemon(lambda: "gone on", "brief"))

asyncio.run(ask())
"""


def test_a_call_without_end_does_not_keep_the_program_from_ending() -> None:
    command = [sys.executable, "-c", ENDLESS]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=100, check=True)
    assert ended.stdout == "gone on\n"


async def test_what_it_raises_comes_back() -> None:
    def refuse() -> None:
        raise StorageError("no room", "make some")

    with pytest.raises(StorageError, match="no room"):
        await off_loop(refuse)


@pytest.mark.parametrize("by", ["task", "scope"])
async def test_a_cancellation_waits_for_the_end_and_goes_on(by: str) -> None:
    done: list[str] = []

    def work() -> None:
        time.sleep(0.1)
        done.append("all")

    if by == "task":
        task = asyncio.create_task(off_loop(work))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    else:
        with anyio.move_on_after(0.01) as scope:
            await off_loop(work)
        assert scope.cancelled_caught
    assert done == ["all"]


async def test_a_block_is_entered_and_left_off_the_loop_whatever_happens_in_it() -> None:
    threads: list[int] = []

    class Lock:
        def __enter__(self) -> str:
            threads.append(threading.get_ident())
            return "held"

        def __exit__(self, *_: object) -> None:
            threads.append(threading.get_ident())

    async def break_in_it() -> None:
        async with held(Lock()) as word:
            raise ValueError(word)

    with pytest.raises(ValueError, match="held"):
        await break_in_it()
    assert len(threads) == 2
    assert threading.get_ident() not in threads


class Workers:
    """Counts who is at work, and who has finished."""

    def __init__(self) -> None:
        self.now = self.most = 0
        self.begun: list[int] = []
        self.done: list[int] = []

    async def work(self, number: int, fault: int = -1) -> int:
        self.begun.append(number)
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            if number == fault:
                raise StorageError("the disk is full")
            await asyncio.sleep(0.002 * (5 - number % 5))
        finally:
            self.now -= 1
        self.done.append(number)
        return number * 10


@pytest.mark.parametrize(("count", "at_once"), [(0, 4), (1, 4), (3, 4), (20, 4), (20, 1)])
async def test_results_are_in_order_and_no_more_work_at_once_than_may(
    count: int, at_once: int
) -> None:
    workers = Workers()
    works = [partial(workers.work, number) for number in range(count)]
    assert await run_in_parallel(works, at_once=at_once) == [10 * number for number in range(count)]
    assert workers.most == min(count, at_once)


async def test_a_fault_lets_those_at_work_finish_and_none_begin() -> None:
    workers = Workers()
    works = [partial(workers.work, number, fault=3) for number in range(20)]
    with pytest.raises(StorageError, match="disk"):
        await run_in_parallel(works, at_once=4)
    assert workers.begun == [0, 1, 2, 3]
    assert sorted(workers.done) == [0, 1, 2]
