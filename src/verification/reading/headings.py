"""What stands over a sentence or table row of a source: its heading, question or lead-in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

# A heading is looked for so many segments above; a longer line is none.
_REACH, _LONGEST, _LONGEST_IN_BLOCK = 40, 90, 60
_BULLET = re.compile(r"\s*(?:[-*•–]+|\d{1,3}[.)])\s")
_STOPS = (".", "!", "?", ":", ";", ",")
_LEADS = ("?", ":")
_ENDS = tuple('.!?:;|"”’)')
_ENTRY = re.compile(r":\s|\s[|·]\s|\.{3}")
_BEGINS = re.compile(r"[A-Z0-9\"“\u2018(]")


class _Segment(Protocol):
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def block(self) -> int: ...
    @property
    def style(self) -> object: ...


class Headings:
    """The headings of a text among its segments; text and segments never change."""

    def __init__(self, text: str, segments: Sequence[_Segment]) -> None:
        self._text = text
        self._segments = segments

    def over(self, number: int) -> Iterator[int]:
        """The nearest heading above a segment, and a question or lead-in right before it."""
        if self._text.startswith("#", self._segments[number].start):
            yield number
        first = self._first_of_list(number)
        before = {first - 1, self._first_of_block(number) - 1} - {-1}
        for lead in before:
            segment = self._segments[lead]
            ends = self._text.endswith(_LEADS, segment.start, segment.end)
            if ends and segment.style is None and not self.is_heading(lead):
                yield lead
        for above in range(first - 1, max(-1, first - 1 - _REACH), -1):
            if self._segments[above].style is None and self.is_heading(above):
                yield above
                return

    def is_heading(self, number: int) -> bool:
        """Whether a segment is a short line of its own without a full stop."""
        segment, text = self._segments[number], self._text
        if segment.end - segment.start > _LONGEST:
            return False
        if text.startswith("#", segment.start):
            return True
        if text.endswith(_STOPS, segment.start, segment.end):
            return False
        beside = self._segments[max(0, number - 1) : number]
        beside = [*beside, *self._segments[number + 1 : number + 2]]
        if all(other.block != segment.block for other in beside):
            return True
        return self._is_line_of_block(number)

    def _is_line_of_block(self, number: int) -> bool:
        """Whether it heads the lines below it, where nothing but line breaks parts a page."""
        segment, text = self._segments[number], self._text
        written = text[segment.start : segment.end].strip()
        if not 0 < len(written) <= _LONGEST_IN_BLOCK or not _BEGINS.match(written):
            return False
        if _ENTRY.search(written) or _BULLET.match(written) or number + 1 == len(self._segments):
            return False
        below = self._segments[number + 1]
        after = text[segment.end : below.start]
        if "\n" not in after or text[below.start] in "-*•–":
            return False
        return self._follows_an_end(number)

    def _follows_an_end(self, number: int) -> bool:
        """Whether what stands before it is no line that goes on in it."""
        if number == 0:
            return True
        before = self._segments[number - 1]
        if "\n" not in self._text[before.end : self._segments[number].start]:
            return False
        last = self._text[before.start : before.end].rpartition("\n")[2].rstrip()
        return before.style is not None or last.endswith(_ENDS) or len(last) <= _LONGEST_IN_BLOCK

    def _first_of_list(self, number: int) -> int:
        """The first segment of its line, or of the first line of its list."""
        while number:
            joined = not self._is_new_line(number)
            if not joined and not self._is_item(number):
                break
            if not joined and not self._is_item(self._first_of_line(number - 1)):
                break
            number -= 1
        return self._first_of_line(number)

    def _first_of_line(self, number: int) -> int:
        while number and not self._is_new_line(number):
            number -= 1
        return number

    def _first_of_block(self, number: int) -> int:
        block = self._segments[number].block
        while number and self._segments[number - 1].block == block:
            number -= 1
        return number

    def _is_new_line(self, number: int) -> bool:
        before = self._segments[number - 1]
        return "\n" in self._text[before.end : self._segments[number].start]

    def _is_item(self, number: int) -> bool:
        return bool(_BULLET.match(self._text, self._segments[number].start))
