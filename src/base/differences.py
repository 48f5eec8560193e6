"""Where two texts first differ, as a few lines of a unified diff."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

CONTEXT_LINES = 2
MOST_LINES = 8
LINE_CHARS = 160


def first_difference(before: str, after: str) -> str:
    """The first difference as a short unified diff, "" if there is none.

    Only some lines around it are compared, and long ones are cut to their part around it, so that
    the time and the size of the answer are bounded.
    """
    old, new = before.splitlines(), after.splitlines()
    row = _first(old, new)
    if row is None:
        return "" if before == after else "(the ends of lines differ)\n"
    start = max(0, row - CONTEXT_LINES)
    end = row + MOST_LINES
    column = _first(_at(old, row), _at(new, row)) or 0
    cut = max(0, column - LINE_CHARS // 2)
    lines = difflib.unified_diff(
        [_shortened(line, cut) for line in old[start:end]],
        [_shortened(line, cut) for line in new[start:end]],
        "recorded",
        "now",
        lineterm="",
        n=CONTEXT_LINES,
    )
    shown = [line for line in lines if not line.startswith("@@")]
    place = f"@@ line {row + 1}, character {column + 1} @@"
    return "\n".join([*shown[:2], place, *shown[2:]]) + "\n"


def _at(lines: Sequence[str], row: int) -> str:
    return lines[row] if row < len(lines) else ""


def _first(some: Sequence[str], others: Sequence[str]) -> int | None:
    """The first index at which two sequences differ."""
    for index, (one, other) in enumerate(zip(some, others, strict=False)):
        if one != other:
            return index
    return None if len(some) == len(others) else min(len(some), len(others))


def _shortened(line: str, cut: int) -> str:
    part = line[cut : cut + LINE_CHARS]
    return f"{'…' if cut and part else ''}{part}{'…' if len(line) > cut + LINE_CHARS else ''}"
