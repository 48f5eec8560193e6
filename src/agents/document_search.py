"""`grep_document`: an agent's search in the texts it was given, and in nothing else."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from ..core.config import BaseAgentConfig
from ..core.tasks import ToolFailure, ToolSpec, make_tool
from ..documents.source import line_starts
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
_PARAGRAPH = re.compile(r"\S(?:(?!\n\s*\n).)*", re.DOTALL)


def search_tools(
    config: BaseAgentConfig, files: Mapping[str, str], untrusted: UntrustedText
) -> tuple[ToolSpec, ...]:
    """`grep_document` over `files` (name -> text), if the agent may have it and they are long."""
    if not config.allows(GREP) or sum(map(len, files.values())) < LONG_CHARS:
        return ()
    return (grep_document(files, untrusted),)


def grep_document(files: Mapping[str, str], untrusted: UntrustedText) -> ToolSpec:
    """The search over `files`; its answer names file and line of each match, between marks."""

    async def grep(arguments: Mapping[str, object]) -> str:
        pattern, whole = arguments.get("pattern"), arguments.get("whole_words", False)
        if not isinstance(pattern, str) or not isinstance(whole, bool):
            raise ToolFailure("pattern is a text, whole_words true or false")
        alternatives = parse_pattern(pattern, whole_words=whole)
        return untrusted.mark(_format_matches(files, alternatives), "document text")

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


def parse_pattern(
    pattern: str, *, whole_words: bool = False
) -> tuple[tuple[re.Pattern[str], ...], ...]:
    """The alternatives of a pattern, each as the texts that have to follow each other.

    With `whole_words` no letter or digit may stand right before the first or after the last text.

    Raises:
        ToolFailure: The pattern is too long, or has an alternative without a letter or digit.
    """
    if len(pattern) > MAX_PATTERN:
        raise ToolFailure(f"the pattern has more than {MAX_PATTERN} characters")
    alternatives = pattern.split("|")
    if len(alternatives) > MAX_ALTERNATIVES:
        raise ToolFailure(f"the pattern has more than {MAX_ALTERNATIVES} alternatives")
    if not all(any(c.isalnum() for c in alternative) for alternative in alternatives):
        raise ToolFailure("each alternative of the pattern needs a letter or digit")
    return tuple(_texts(alternative, whole_words=whole_words) for alternative in alternatives)


def _texts(alternative: str, *, whole_words: bool) -> tuple[re.Pattern[str], ...]:
    texts = [r"\s+".join(map(re.escape, part.split())) for part in alternative.split("*")]
    texts = [text for text in texts if text]
    if whole_words:
        texts[0] = rf"(?<![^\W_]){texts[0]}"
        texts[-1] = rf"{texts[-1]}(?![^\W_])"
    return tuple(re.compile(text, re.IGNORECASE) for text in texts)


def matches(text: str, pieces: Sequence[re.Pattern[str]]) -> Iterator[tuple[int, int]]:
    """Start and end of each match of `pieces` in order, without overlaps, in linear time."""
    place = 0
    while True:
        start = -1
        for piece in pieces:
            found = piece.search(text, place)
            if found is None:
                return
            start = found.start() if start < 0 else start
            place = found.end()
        yield start, place


def _format_matches(
    files: Mapping[str, str], alternatives: Sequence[Sequence[re.Pattern[str]]]
) -> str:
    shown: list[str] = []
    count = 0
    for file, text in files.items():
        starts = line_starts(text)
        for paragraph in _PARAGRAPH.finditer(text):
            places: dict[int, tuple[int, int]] = {}
            for pieces in alternatives:
                for start, end in matches(paragraph[0], pieces):
                    line = bisect_right(starts, paragraph.start() + start)
                    places.setdefault(line, (start, end))
            count += len(places)
            for line, span in islice(sorted(places.items()), MAX_PLACES - len(shown)):
                shown.append(f"{file}:{line}: {_surroundings(paragraph[0], *span)}")
    if not shown:
        return "No line matches."
    left = f", the first {len(shown)} are" if count > len(shown) else ""
    return "\n".join([f"Lines that match: {count}{left}", *shown])


def _surroundings(text: str, start: int, end: int) -> str:
    first, last = max(0, start - AROUND), min(len(text), min(end, start + AROUND) + AROUND)
    words = " ".join(text[first:last].split())
    return f"{'…' if first else ''}{words}{'…' if last < len(text) else ''}"
