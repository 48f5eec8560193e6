"""Standard streams: closed, full or no longer read; safe text for a terminal; and Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import traceback
from collections.abc import Callable, Coroutine, Iterable
from types import FrameType
from typing import TypeVar

from ..base.errors import FoureyesError, InputError, StorageError
from ..base.printable import printable
from ..base.vocabulary import ExitCode

T = TypeVar("T")
STOPPING = "foureyes: stopping; a second Ctrl-C ends at once\n"
"""Notice for commands that print nothing themselves when they are stopped."""
SHOW_CURSOR = "\x1b[?25h"


def open_missing_streams() -> None:
    """Put the null device where the process was started without a standard stream.

    Else a file of a run would get the stream's number, and be written to by what prints there.
    """
    null = os.open(os.devnull, os.O_RDWR)
    while null <= 2:
        null = os.open(os.devnull, os.O_RDWR)
    os.close(null)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8"))  # noqa: SIM115


def write(text: str) -> None:
    """Write to standard output; what a reader who is gone would have got is dropped.

    The exit code is that of the work, however much of its output was read.

    Raises:
        StorageError: It cannot be written, as on a full disk.
    """
    try:
        sys.stdout.write(text)
    except OSError as error:
        _give_up(error)


def flush() -> None:
    """Flush standard output, with the errors of `write`."""
    try:
        sys.stdout.flush()
    except OSError as error:
        _give_up(error)


def _give_up(error: OSError) -> None:
    # What is still in the buffer would fail again when the interpreter ends.
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
    if not isinstance(error, BrokenPipeError):
        raise StorageError(
            f"cannot write to standard output: {error.strerror}",
            "send it to another place and run the command again",
        ) from error


def safe(text: str) -> str:
    """`text` on one line, each character that could steer a terminal written as its escape."""
    # Rich markup needs no escaping because text only reaches rich as `Text`, which has none.
    return printable(text)


def print_error(error: FoureyesError | str) -> None:
    """Say on one line of standard error what is wrong and what to do about it."""
    sys.stderr.write(f"foureyes: error: {safe(str(error))}\n")


def print_bug_report(error: Exception) -> None:
    """Write an unexpected error with its traceback to standard error."""
    lines = "".join(traceback.format_exception(error)).splitlines()
    sys.stderr.write("".join(f"{safe(line)}\n" for line in lines))
    print_error(f"this is a bug in foureyes: {type(error).__name__}")


def print_note(text: str) -> None:
    """Say on one line of standard error what a person should know and need not act on."""
    sys.stderr.write(f"foureyes: note: {safe(text)}\n")


def print_line(text: str = "") -> None:
    """One line on standard output."""
    write(safe(text) + "\n")


def print_lines(texts: Iterable[str]) -> None:
    """Each text on a line of standard output."""
    for text in texts:
        print_line(text)


def print_progress(text: str) -> None:
    """Print one line of progress on standard error."""
    sys.stderr.write(f"{safe(text)}\n")


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


def is_interactive() -> bool:
    """Return whether a person can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def ask_until_valid(question: str, read: Callable[[str], T]) -> T | None:
    """Ask until `read` accepts the answer; None if the person enters nothing.

    An answer that `read` refuses with an `InputError` is asked for again.
    """
    while True:
        sys.stdout.write(f"{safe(question)} ")
        sys.stdout.flush()
        answer = sys.stdin.readline().strip()
        if not answer:
            return None
        try:
            return read(answer)
        except InputError as error:
            print_error(error)
