"""Standard streams that are closed, full, or no longer read."""

from __future__ import annotations

import os
import sys

from ..base.errors import StorageError


def open_missing() -> None:
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
