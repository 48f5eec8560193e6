"""Text for a person's terminal, safe whatever a document or a model put into it."""

from __future__ import annotations

import sys
import traceback

from ..base.errors import FoureyesError
from ..base.printable import printable
from .streams import put


def safe(text: str) -> str:
    """`text` on one line, each character that could steer a terminal written as its escape."""
    # Rich markup needs no escaping because text only reaches rich as `Text`, which has none.
    return printable(text)


def complain(error: FoureyesError | str) -> None:
    """Say on one line of standard error what is wrong and what to do about it."""
    sys.stderr.write(f"foureyes: error: {safe(str(error))}\n")


def tell_bug(error: Exception) -> None:
    """Write an error that nobody expected to standard error, with where it came from."""
    lines = "".join(traceback.format_exception(error)).splitlines()
    sys.stderr.write("".join(f"{safe(line)}\n" for line in lines))
    complain(f"this is a bug in foureyes: {type(error).__name__}")


def remark(text: str) -> None:
    """Say on one line of standard error what a person should know and need not act on."""
    sys.stderr.write(f"foureyes: note: {safe(text)}\n")


def say(text: str = "") -> None:
    """One line on standard output."""
    put(safe(text) + "\n")
