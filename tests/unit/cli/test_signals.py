from __future__ import annotations

import signal
import subprocess
import sys
import time

PROGRAM = """
import asyncio, sys
from foureyes.cli.terminal import run_until_stopped

async def work():
    print("working", flush=True)
    try:
        await asyncio.sleep(30)
    finally:
        print("cleaning", flush=True)
        {cleaning}

try:
    print(run_until_stopped({main}))
except asyncio.CancelledError:
    print("cancelled", flush=True)
"""


def start(main: str = "work()", cleaning: str = "pass") -> subprocess.Popen[str]:
    code = PROGRAM.format(main=main, cleaning=cleaning)
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)


def expect(program: subprocess.Popen[str], line: str) -> None:
    assert program.stdout is not None
    assert program.stdout.readline() == f"{line}\n"


def test_the_first_signal_lets_the_run_clean_up() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        with start() as program:
            expect(program, "working")
            program.send_signal(number)
            expect(program, "cleaning")
            expect(program, "cancelled")
            assert program.wait(10) == 0


def test_the_second_signal_ends_the_process_even_if_it_is_busy() -> None:
    with start(cleaning="import time; time.sleep(30)") as program:
        expect(program, "working")
        program.send_signal(signal.SIGINT)
        expect(program, "cleaning")
        started = time.monotonic()
        program.send_signal(signal.SIGINT)
        assert program.wait(10) == 130
        assert time.monotonic() - started < 5


def test_without_a_signal_the_result_comes_back() -> None:
    with start(main="asyncio.sleep(0, 'result')") as program:
        expect(program, "result")
        assert program.wait(10) == 0
