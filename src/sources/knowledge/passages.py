"""A document's text cut into passages that can be found and quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator

USUAL = 700
"""Characters of a passage: short paragraphs are joined up to this."""
LONGEST = 1_200
"""A longer paragraph is cut, at the end of a sentence where there is one."""

_BREAK = re.compile(r"\n[ \t]*\n\s*")
_SENTENCE_END = re.compile(r"[.!?][\"'”’)\]]{0,3}\s")


def passage_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the passages of `text` start and end: in order, without overlap, none of them blank."""
    start = end = 0
    for first, last in _paragraphs(text):
        if end > start and last - start > USUAL:
            yield start, end
            start = first
        elif end == start:
            start = first
        end = last
        while end - start > LONGEST:
            cut = _cut(text, start)
            yield start, cut
            start = _skip_space(text, cut, end)
    if end > start:
        yield start, end


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    start = _skip_space(text, 0, len(text))
    for gap in _BREAK.finditer(text, start):
        yield start, gap.start()
        start = gap.end()
    end = len(text.rstrip())
    if end > start:
        yield start, end


def _cut(text: str, start: int) -> int:
    """Where a paragraph that is too long is cut."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text, start, start + LONGEST)]
    if ends and ends[-1] > start + LONGEST // 4:
        return len(text[: ends[-1]].rstrip()) if ends[-1] - start < LONGEST else ends[-1]
    space = text.rfind(" ", start + LONGEST // 2, start + LONGEST)
    return space if space > 0 else start + LONGEST


def _skip_space(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    return start
