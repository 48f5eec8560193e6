from __future__ import annotations

from collections.abc import Iterable, Sequence

import httpcore2
import pytest
from foureyes.sources._download import CheckedBackend
from foureyes.sources.failure import AddressRefused
from foureyes.sources.guard import Guard
from foureyes.sources.policy import FetchPolicy

ANSWER = [b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"]
FIRST, SECOND = "93.184.215.14", "93.184.215.15"


class Wire(httpcore2.AsyncNetworkBackend):
    """Notes where it is asked to connect to; the hosts named in `deaf` do not accept."""

    def __init__(self, deaf: Iterable[str] = ()) -> None:
        self.deaf = set(deaf)
        self.asked: list[str] = []

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the signature is httpcore's
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        self.asked.append(host)
        if host in self.deaf:
            raise httpcore2.ConnectError("deaf")
        return httpcore2.AsyncMockStream(ANSWER * 2)

    async def sleep(self, seconds: float) -> None:
        self.asked.append(f"slept {seconds}")


def guard_of(policy: FetchPolicy, *answers: Sequence[str]) -> Guard:
    """Its resolver gives one answer after the other."""
    left = list(answers)

    async def resolve(host: str, port: int) -> Sequence[str]:
        return left.pop(0)

    return Guard(policy, resolver=resolve)


async def test_the_connection_goes_to_the_address_that_was_checked(policy: FetchPolicy) -> None:
    wire = Wire()
    backend = CheckedBackend(guard_of(policy, [FIRST], ["127.0.0.1"]), wire)
    async with httpcore2.AsyncConnectionPool(network_backend=backend) as pool:
        await pool.request("GET", "http://tarvia.example/a")
        await pool.request("GET", "http://tarvia.example/b")
    assert wire.asked == [FIRST]


async def test_a_name_that_flips_to_a_local_address_is_refused(policy: FetchPolicy) -> None:
    wire = Wire()
    backend = CheckedBackend(guard_of(policy, [FIRST], ["127.0.0.1"]), wire)
    await backend.connect_tcp("tarvia.example", 80)
    with pytest.raises(AddressRefused, match="this machine"):
        await backend.connect_tcp("tarvia.example", 80)
    assert wire.asked == [FIRST]


async def test_the_next_checked_address_is_tried_when_one_does_not_accept(
    policy: FetchPolicy,
) -> None:
    wire = Wire(deaf=[FIRST])
    await CheckedBackend(guard_of(policy, [FIRST, SECOND]), wire).connect_tcp("tarvia.example", 80)
    assert wire.asked == [FIRST, SECOND]


async def test_the_last_refusal_is_passed_on(policy: FetchPolicy) -> None:
    backend = CheckedBackend(guard_of(policy, [FIRST, SECOND]), Wire(deaf=[FIRST, SECOND]))
    with pytest.raises(httpcore2.ConnectError):
        await backend.connect_tcp("tarvia.example", 80)


async def test_waiting_is_left_to_the_real_backend(policy: FetchPolicy) -> None:
    wire = Wire()
    await CheckedBackend(guard_of(policy), wire).sleep(1.5)
    assert wire.asked == ["slept 1.5"]
