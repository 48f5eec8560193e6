from __future__ import annotations

import anyio
import pytest
from foureyes.sources._download import HostTurns
from foureyes.sources.policy import PolitenessPolicy


class Visits:
    """Takes turns and notes who was inside at one time, and when each began."""

    def __init__(self, turns: HostTurns) -> None:
        self.turns = turns
        self.inside: list[str] = []
        self.most: dict[str, int] = {}
        self.most_in_total = 0
        self.starts: list[float] = []

    async def visit(self, host: str) -> None:
        async with self.turns.turn(host):
            self.starts.append(anyio.current_time())
            self.inside.append(host)
            now = self.inside.count(host)
            self.most[host] = max(self.most.get(host, 0), now)
            self.most_in_total = max(self.most_in_total, len(self.inside))
            await anyio.sleep(0.02)
            self.inside.remove(host)


async def visits(policy: PolitenessPolicy, hosts: list[str]) -> Visits:
    found = Visits(HostTurns(policy))
    async with anyio.create_task_group() as group:
        for host in hosts:
            group.start_soon(found.visit, host)
    return found


async def test_turns_at_one_time_are_bounded_by_host_and_in_total() -> None:
    policy = PolitenessPolicy(per_host=2, in_total=3, interval=0)
    found = await visits(policy, ["a", "b"] * 6)
    assert found.most == {"a": 2, "b": 2}
    assert found.most_in_total == 3


async def test_turns_at_a_host_begin_with_an_interval_between_them() -> None:
    found = await visits(PolitenessPolicy(per_host=9, in_total=9, interval=0.05), ["a"] * 4)
    gaps = [later - before for before, later in zip(found.starts, found.starts[1:], strict=False)]
    assert min(gaps) >= 0.04


async def test_a_host_that_asks_for_rest_gets_it_and_others_go_on() -> None:
    turns = HostTurns(PolitenessPolicy(per_host=1, in_total=9, interval=0))
    turns.hold("a", 0.1)
    started = anyio.current_time()
    async with turns.turn("b"):
        assert anyio.current_time() - started < 0.05
    async with turns.turn("a"):
        assert anyio.current_time() - started >= 0.09


async def test_a_turn_ends_with_an_error_and_with_a_cancellation() -> None:
    turns = HostTurns(PolitenessPolicy(per_host=1, in_total=1, interval=0))
    with pytest.raises(KeyError):
        async with turns.turn("a"):
            raise KeyError
    with anyio.move_on_after(0.01):
        async with turns.turn("a"):
            await anyio.sleep(5)
    with anyio.fail_after(0.5):
        async with turns.turn("a"):
            pass
