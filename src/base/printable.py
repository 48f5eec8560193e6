"""Text for a person, safe whatever a document or a model put into it."""

from __future__ import annotations

import re

# C0 and C1 controls, and the marks that reorder or hide text around them.
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


def printable(text: str) -> str:
    """`text` on one line, each character that could steer a terminal written as its escape."""
    folded = text.replace("\r\n", " ").replace("\n", " ").replace("\t", " ")
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", folded)
