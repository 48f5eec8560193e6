"""Text for a person's terminal, safe whatever a document or a model put into it."""

from __future__ import annotations

import re
import sys

from ..base.errors import FoureyesError

# C0 and C1 controls, and the marks that reorder or hide text around them. Rich markup needs no
# escaping here because text only reaches rich as `Text`, which has none.
UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


def safe(text: str) -> str:
    """`text` on one line, each character that could steer a terminal written as its escape."""
    folded = text.replace("\r\n", " ").replace("\n", " ").replace("\t", " ")
    return UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", folded)


def complain(error: FoureyesError | str) -> None:
    """Say on one line of standard error what is wrong and what to do about it."""
    sys.stderr.write(f"foureyes: error: {safe(str(error))}\n")


def remark(text: str) -> None:
    """Say on one line of standard error what a person should know and need not act on."""
    sys.stderr.write(f"foureyes: note: {safe(text)}\n")


def say(text: str = "") -> None:
    """One line on standard output."""
    sys.stdout.write(safe(text) + "\n")
