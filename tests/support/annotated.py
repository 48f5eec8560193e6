"""Annotated copies of a review read back."""

from __future__ import annotations

import re

_NOTES = re.compile(r"\n\n<!-- review notes: ([a-z0-9]+)(?: after ([0-9]+))? -->(?=\n)")


def without_notes(annotated: str) -> str:
    """The document as the copy shows it, without marks and notes."""
    found = list(_NOTES.finditer(annotated))
    if not found:
        return annotated
    tag, end = found[-1].groups()
    body = annotated[: found[-1].start() - int(end or 0)]
    return re.sub(rf"\[\^{tag}-[A-Za-z0-9-]+\]", "", body)
