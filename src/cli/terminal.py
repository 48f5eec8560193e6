"""Text for a person's terminal, safe whatever a document or a model put into it."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterable

from ..base.errors import FoureyesError
from ..base.printable import printable
from .streams import write


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
