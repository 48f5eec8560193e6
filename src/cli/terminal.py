"""Standard streams: closed, full or no longer read, and safe text for a person's terminal."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterable

from ..base.errors import FoureyesError, StorageError
from ..base.printable import printable


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
