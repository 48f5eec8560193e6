from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Generator

import pytest
from support.guard import loopback


@pytest.fixture
def forgiven() -> Generator[None]:
    """The attempts of a test that makes them on purpose."""
    before = len(loopback.refused)
    yield
    del loopback.refused[before:]


def connect(host: str) -> Callable[[], object]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET

    def attempt() -> None:
        with socket.socket(family, socket.SOCK_DGRAM) as udp:
            udp.connect((host, 9))

    return attempt


@pytest.mark.parametrize(
    "attempt",
    [
        connect("192.0.2.1"),
        connect("::ffff:192.0.2.1"),
        connect("10.0.0.1"),
        lambda: socket.getaddrinfo("host.invalid", 80),
    ],
)
@pytest.mark.usefixtures("forgiven")
def test_another_machine_is_refused(attempt: Callable[[], object]) -> None:
    with pytest.raises(loopback.NetworkRefused):
        attempt()


@pytest.mark.parametrize(
    "attempt",
    [connect("127.0.0.1"), connect("::1"), lambda: socket.getaddrinfo("127.0.0.1", 80)],
)
def test_this_machine_is_allowed(attempt: Callable[[], object]) -> None:
    attempt()


def test_a_process_started_by_a_test_is_guarded_too() -> None:
    code = "import socket; socket.getaddrinfo('host.invalid', 80)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "NetworkRefused" in run.stderr


def test_the_environment_holds_no_key_and_no_model_setting() -> None:
    assert [name for name in os.environ if "ANTHROPIC" in name or name.endswith("_API_KEY")] == []
