"""A parser in a process of its own: bounded in time and memory, and told on one line."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from foureyes.base.confined import OutOfBounds, confined

HERE = "tests.unit.base.test_confined"


@pytest.fixture(autouse=True)
def this_file_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))


def size(body: bytes, more: int) -> int:
    return len(body) + more


def hoard(body: bytes) -> int:
    return len(body * 2_000_000_000)


def sleep(_body: bytes) -> None:
    time.sleep(60)


def crash(_body: bytes) -> None:
    raise RuntimeError("a bug")


def test_what_a_function_returns_comes_back() -> None:
    assert confined(f"{HERE}:size", b"x" * 1_000_000, 5) == 1_000_005


@pytest.mark.parametrize(
    ("function", "says"),
    [("hoard", "more than 512 MiB of memory"), ("sleep", "more than 2 s"), ("crash", "broke")],
)
def test_what_goes_beyond_its_bounds_ends_by_itself(function: str, says: str) -> None:
    begun = time.monotonic()
    with pytest.raises(OutOfBounds, match=says):
        confined(f"{HERE}:{function}", b"x", seconds=2 if function == "sleep" else 20)
    assert time.monotonic() - begun < 15
