"""The person at the terminal: whether there is one, who they are, what they answer."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Callable
from typing import Annotated, TypeVar

from ..base.errors import InputError
from .options import option
from .terminal import print_error, safe

T = TypeVar("T")

By = Annotated[str | None, option("--by", "NAME", "Who decides. [default: your login name]")]


def is_interactive() -> bool:
    """Return whether a person can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


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
