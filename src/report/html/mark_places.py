"""The places of a text that a page highlights, by the thousand, in little memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterator


class MarkPlaces:
    """Places `[start, end)` by the number of what stands there, each with the code of its label."""

    def __init__(self, first: int = 1) -> None:
        self._first = first
        self._starts, self._ends, self._codes = array("q"), array("q"), array("h")

    def add(self, start: int | None, end: int | None, code: int) -> None:
        """The place of the next number; None for what does not stand in the text."""
        self._starts.append(-1 if start is None or end is None else start)
        self._ends.append(-1 if end is None else end)
        self._codes.append(code)

    def in_order(self) -> Iterator[tuple[int, int, int, int]]:
        """Start, end, number and code of each that stands in the text, as they follow there."""
        starts, ends = self._starts, self._ends
        there = (at for at, start in enumerate(starts) if start >= 0)
        for at in sorted(there, key=lambda at: starts[at] << 40 | ends[at]):
            yield starts[at], ends[at], self._first + at, self._codes[at]
