"""Standard streams, safe text and tables for a terminal, and Ctrl-C."""

from __future__ import annotations

import asyncio
import getpass
import io
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Coroutine, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass
from types import FrameType
from typing import TypeVar

from rich.box import SIMPLE
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from ..base.errors import FoureyesError, InputError, StorageError
from ..base.printable import printable
from ..base.vocabulary import ExitCode

T = TypeVar("T")
STOPPING = "foureyes: stopping; a second Ctrl-C ends at once\n"
"""Notice for commands that print nothing themselves when they are stopped."""
SHOW_CURSOR = "\x1b[?25h"

_UNBOUND = 10_000
"""Columns in which the widest table fits unbroken."""

Line = tuple[str, str]
"""A text and its rich style, "" for none."""
Cell = str | Sequence[Line]
"""A text on one line, or several lines."""


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
    with _output_errors():
        sys.stdout.write(text)


def flush() -> None:
    """Flush standard output, with the errors of `write`."""
    with _output_errors():
        sys.stdout.flush()


@contextmanager
def _output_errors() -> Generator[None]:
    try:
        yield
    except OSError as error:
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


def error(error: FoureyesError | str) -> None:
    """Say on one line of standard error what is wrong and what to do about it."""
    sys.stderr.write(f"foureyes: error: {safe(str(error))}\n")


def print_bug_report(fault: Exception) -> None:
    """Write an unexpected error with its traceback to standard error."""
    trace = "".join(traceback.format_exception(fault)).splitlines()
    sys.stderr.write("".join(f"{safe(line)}\n" for line in trace))
    error(f"this is a bug in foureyes: {type(fault).__name__}")


def note(text: str) -> None:
    """Say on one line of standard error what a person should know and need not act on."""
    sys.stderr.write(f"foureyes: note: {safe(text)}\n")


def line(text: str = "") -> None:
    """One line on standard output."""
    write(safe(text) + "\n")


def lines(texts: Iterable[str]) -> None:
    """Each text on a line of standard output."""
    for text in texts:
        line(text)


def progress(text: str) -> None:
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
    running: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[object]]] = []

    async def watched() -> T:
        if (task := asyncio.current_task()) is not None:
            running.append((asyncio.get_running_loop(), task))
        return await main

    def stop(_number: int, _frame: FrameType | None) -> None:
        if not running:
            if sys.stderr.isatty():
                os.write(sys.stderr.fileno(), SHOW_CURSOR.encode())
            os._exit(ExitCode.CANCELLED)
        if notice:
            os.write(sys.stderr.fileno(), notice.encode())
        loop, task = running.pop()
        loop.call_soon_threadsafe(task.cancel)

    previous = {name: signal.signal(name, stop) for name in (signal.SIGINT, signal.SIGTERM)}
    try:
        return asyncio.run(watched())
    finally:
        for name, handler in previous.items():
            signal.signal(name, handler)


def is_interactive() -> bool:
    """Return whether a person can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def ask(question: str, read: Callable[[str], T]) -> T | None:
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
        except InputError as refused:
            error(refused)


@dataclass(frozen=True, slots=True)
class Column:
    """A heading and the column's share of the width; 0 takes what it needs."""

    heading: str
    share: int = 0
    _: KW_ONLY
    right: bool = False


def table(
    headings: Sequence[Column | str], rows: Iterable[Sequence[Cell]], *, gap: int = 0
) -> None:
    """Print a table with `gap` empty lines between its rows.

    Where no column has a share of the width and the terminal is too narrow for all of them, each
    row is a block of lines, one a column: a cell broken into pieces is harder to read. A pipe or a
    file has no width, so nothing is broken there.
    """
    columns = [Column(one) if isinstance(one, str) else one for one in headings]
    cells = [[_text(cell) for cell in row] for row in rows]
    table = _table(columns, cells, gap)
    unbound = Console(width=_UNBOUND, highlight=False)
    natural = Measurement.get(unbound, unbound.options, table).maximum
    shared = any(column.share for column in columns)
    width = max(shutil.get_terminal_size((120 if shared else natural, 24)).columns, 60)
    # Printed apart, so that a table ends as other output does where nobody reads on or the disk is
    # full. The colours are those of standard output.
    printed = io.StringIO()
    console = Console(
        file=printed, width=width, highlight=False, force_terminal=unbound.is_terminal
    )
    if shared or natural <= width:
        console.print(table)
    else:
        console.print(*(_block(columns, row) for row in cells), sep="")
    write("".join(f"{line.rstrip(' ')}\n" for line in printed.getvalue().splitlines()))


def _text(cell: Cell) -> Text:
    lines = [(cell, "")] if isinstance(cell, str) else cell
    return Text("\n").join(Text(safe(text), style) for text, style in lines)


def _table(columns: Sequence[Column], rows: Iterable[Sequence[Text]], gap: int) -> Table:
    table = Table(box=SIMPLE, pad_edge=False, show_edge=False, leading=gap)
    for column in columns:
        justify = "right" if column.right else "left"
        table.add_column(
            column.heading, justify=justify, overflow="fold", ratio=column.share or None
        )
    for row in rows:
        table.add_row(*row)
    return table


def _block(columns: Sequence[Column], row: Sequence[Text]) -> Table:
    """One row, a line a column, with an empty line after it."""
    block = Table(box=None, pad_edge=False, show_header=False)
    block.add_column()
    block.add_column(overflow="fold")
    for column, cell in zip(columns, row, strict=True):
        block.add_row(column.heading, cell)
    block.add_row()
    return block


def decider_name(by: str | None) -> str:
    """`by`, or the login name.

    Raises:
        InputError: Neither is known.
    """
    if by and by.strip():
        return by.strip()
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        raise InputError("it is not known who decides", "say so with --by NAME") from None
