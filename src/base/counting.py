"""Counts in sentences: one of a thing is written in the singular."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """``1 claim``, ``2,000 claims``.

    Args:
        number: How many there are.
        one: What follows a 1; more than a noun may ("claim contradicts its source").
        many: What follows any other number; `one` with an s if empty.
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
