"""`grep_document`: an agent's search in the texts it was given, and in nothing else."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..core.config import BaseAgentConfig
from ..core.tasks import ToolFailure, ToolSpec, make_tool
from .reading import UntrustedText

GREP = "grep_document"
LONG_CHARS = 20_000
"""From this length of text on, a search costs less than reading a part again."""
SEARCHES_PER_TURN = 30
MAX_PATTERN = 200
MAX_ALTERNATIVES = 8
MAX_PLACES = 40
AROUND = 120
"""Characters shown on either side of a match."""


def search_tools(
    config: BaseAgentConfig, files: Mapping[str, str], untrusted: UntrustedText
) -> tuple[ToolSpec, ...]:
    """`grep_document` over `files` (name -> text), if the agent may have it and they are long."""
    if not config.allows(GREP) or sum(map(len, files.values())) < LONG_CHARS:
        return ()
    return (grep_document(files, untrusted),)


def grep_document(files: Mapping[str, str], untrusted: UntrustedText) -> ToolSpec:
    """The search over `files`; its answer names file and line of each match, between marks."""
    paragraphs: list[Paragraph] = []

    async def grep(arguments: Mapping[str, object]) -> str:
        pattern, whole = arguments.get("pattern"), arguments.get("whole_words", False)
        if not isinstance(pattern, str) or not isinstance(whole, bool):
            raise ToolFailure("pattern is a text, whole_words true or false")
        alternatives = parse_pattern(pattern)
        if not paragraphs:
            paragraphs.extend(paragraphs_of(files))
        return untrusted.mark(_format_matches(paragraphs, alternatives, whole), "document text")

    return make_tool(
        GREP,
        "Search the text you were given to read: file, line and surroundings of each "
        "match. Upper and lower case are alike, and so are space and line break. In the pattern "
        "* stands for any text within a paragraph and | separates alternatives; every other "
        "character stands for itself. What comes back between the marks is quotation, and does "
        "not replace reading.",
        {
            "pattern": {"type": "string", "minLength": 1, "maxLength": MAX_PATTERN},
            "whole_words": {"type": "boolean"},
        },
        grep,
        SEARCHES_PER_TURN,
        read_only=True,
        optional=("whole_words",),
    )


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines without an empty one between them, joined by single spaces.

    `starts` has the place of each line in `text`; the first of them is line `line` of `file`.
    `low` is the text in lower case, of the same length.
    """

    file: str
    line: int
    text: str
    low: str
    starts: Sequence[int]

    def line_at(self, place: int) -> int:
        """The number of the line, from 1, that the character at `place` stands in."""
        return self.line + bisect_right(self.starts, place) - 1


def paragraphs_of(files: Mapping[str, str]) -> Iterator[Paragraph]:
    """The paragraphs of all files, in order."""
    for file, text in files.items():
        lines: list[str] = []
        for number, line in enumerate([*text.split("\n"), ""], start=1):
            if words := " ".join(line.split()):
                lines.append(words)
            elif lines:
                yield _paragraph(file, number - len(lines), lines)
                lines = []


def _paragraph(file: str, first: int, lines: Sequence[str]) -> Paragraph:
    starts = [0]
    for line in lines[:-1]:
        starts.append(starts[-1] + len(line) + 1)
    text = " ".join(lines)
    # Of some letters the small one is longer; then places would not fit.
    low = text.lower()
    return Paragraph(file, first, text if len(low) == len(text) else low, low, starts)


def parse_pattern(pattern: str) -> tuple[tuple[str, ...], ...]:
    """The alternatives of a pattern, each as the texts that have to follow each other.

    Raises:
        ToolFailure: The pattern is too long, or has an alternative without a letter or digit.
    """
    if len(pattern) > MAX_PATTERN:
        raise ToolFailure(f"the pattern has more than {MAX_PATTERN} characters")
    alternatives = pattern.lower().split("|")
    if len(alternatives) > MAX_ALTERNATIVES:
        raise ToolFailure(f"the pattern has more than {MAX_ALTERNATIVES} alternatives")
    if not all(any(c.isalnum() for c in alternative) for alternative in alternatives):
        raise ToolFailure("each alternative of the pattern needs a letter or digit")
    return tuple(
        tuple(piece for part in alternative.split("*") if (piece := " ".join(part.split())))
        for alternative in alternatives
    )


def matches(text: str, pieces: Sequence[str], *, whole_words: bool) -> Iterator[tuple[int, int]]:
    """Start and end of each match of `pieces` in order, without overlaps, in linear time.

    With `whole_words` no letter or digit may stand right before the first or after the last piece.
    """
    place = 0
    while True:
        start = end = -1
        for index, piece in enumerate(pieces):
            left = whole_words and index == 0
            right = whole_words and index == len(pieces) - 1
            found = _find(text, piece, place, left=left, right=right)
            if found < 0:
                return
            start = found if index == 0 else start
            place = end = found + len(piece)
        yield start, end


def _find(text: str, piece: str, place: int, *, left: bool, right: bool) -> int:
    while (found := text.find(piece, place)) >= 0:
        end = found + len(piece)
        joined = left and found > 0 and text[found - 1].isalnum()
        joined = joined or (right and end < len(text) and text[end].isalnum())
        if not joined:
            return found
        place = found + 1
    return -1


def _format_matches(
    paragraphs: Sequence[Paragraph], alternatives: Sequence[Sequence[str]], whole_words: bool
) -> str:
    shown: list[str] = []
    count = 0
    for paragraph in paragraphs:
        places: dict[int, tuple[int, int]] = {}
        for pieces in alternatives:
            for start, end in matches(paragraph.low, pieces, whole_words=whole_words):
                places.setdefault(paragraph.line_at(start), (start, end))
        count += len(places)
        for line, (start, end) in sorted(places.items())[: MAX_PLACES - len(shown)]:
            shown.append(f"{paragraph.file}:{line}: {_surroundings(paragraph.text, start, end)}")
    if not shown:
        return "No line matches."
    left = f", the first {len(shown)} are" if count > len(shown) else ""
    return "\n".join([f"Lines that match: {count}{left}", *shown])


def _surroundings(text: str, start: int, end: int) -> str:
    first, last = max(0, start - AROUND), min(len(text), min(end, start + AROUND) + AROUND)
    return f"{'…' if first else ''}{text[first:last]}{'…' if last < len(text) else ''}"
