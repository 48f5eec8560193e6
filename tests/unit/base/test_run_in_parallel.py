"""Work side by side: none loses the result of another."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest
from foureyes import StorageError
from foureyes.base.off_loop import run_in_parallel


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
