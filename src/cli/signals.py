"""Ctrl-C: the first ends the run cleanly, the second at once."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Coroutine
from types import FrameType
from typing import TypeVar

from ..base.vocabulary import ExitCode

T = TypeVar("T")

STOPPING = "foureyes: stopping; a second Ctrl-C ends at once\n"
"""Notice for commands that print nothing themselves when they are stopped."""
SHOW_CURSOR = "\x1b[?25h"


def run_until_stopped(main: Coroutine[object, object, T], notice: str = "") -> T:
    """Run `main` to its end; SIGINT and SIGTERM cancel it, and a second one ends the process.

    The first writes `notice` to standard error at once.

    Signal handlers of the process are used rather than the event loop's, because those would wait
    for code that keeps the loop busy.

    Raises:
        asyncio.CancelledError: It was stopped, after its own clean-up.
    """
    stopper = Stopper(notice)
    previous = {name: signal.signal(name, stopper) for name in (signal.SIGINT, signal.SIGTERM)}
    try:
        return asyncio.run(stopper.watch(main))
    finally:
        for name, handler in previous.items():
            signal.signal(name, handler)


class Stopper:
    """A signal handler that cancels one task, once."""

    def __init__(self, notice: str = "") -> None:
        self._notice = notice
        self._signals = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[object] | None = None

    async def watch(self, main: Coroutine[object, object, T]) -> T:
        """The result of `main`, run as the task to cancel."""
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        return await main

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        """Take one signal."""
        self._signals += 1
        if self._signals > 1 or self._loop is None or self._task is None:
            if sys.stderr.isatty():
                os.write(sys.stderr.fileno(), SHOW_CURSOR.encode())
            os._exit(ExitCode.CANCELLED)
        if self._notice:
            os.write(sys.stderr.fileno(), self._notice.encode())
        self._loop.call_soon_threadsafe(self._task.cancel)
