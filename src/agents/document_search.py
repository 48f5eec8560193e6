"""`grep_document`: an agent's search in the texts it was given, and in nothing else."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping

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


def search_tools(
    config: BaseAgentConfig, files: Mapping[str, str], untrusted: UntrustedText
) -> tuple[ToolSpec, ...]:
    """`grep_document` over `files` (name -> text), if the agent may have it and they are long."""
    if not config.allows(GREP) or sum(map(len, files.values())) < LONG_CHARS:
        return ()
    return (grep_document(files, untrusted),)


def grep_document(files: Mapping[str, str], untrusted: UntrustedText) -> ToolSpec:
    """`grep_document`: where the texts of `files` hold a pattern, and how often."""

    async def grep(arguments: Mapping[str, object]) -> str:
        pattern = parse_pattern(arguments.get("pattern"))
        return untrusted.mark(_format_matches(files, pattern), "document text")

    return make_tool(
        GREP,
        "Search the text you were given to read: file, line and surroundings of each "
        "match. Upper and lower case are alike, and so are space and line break. In the pattern "
        "| separates alternatives; every other character stands for itself. What comes back "
        "between the marks is quotation, and does not replace reading.",
        {"pattern": {"type": "string", "minLength": 1, "maxLength": MAX_PATTERN}},
        grep,
        SEARCHES_PER_TURN,
        read_only=True,
    )


def parse_pattern(pattern: object) -> re.Pattern[str]:
    """The regular expression for a pattern of the tool: texts with ``|`` between.

    Raises:
        ToolFailure: It is none, too long, or matches nothing in particular.
    """
    if not isinstance(pattern, str):
        raise ToolFailure("pattern is a text")
    if len(pattern) > MAX_PATTERN:
        raise ToolFailure(f"the pattern has more than {MAX_PATTERN} characters")
    alternatives = pattern.split("|")
    if len(alternatives) > MAX_ALTERNATIVES:
        raise ToolFailure(f"the pattern has more than {MAX_ALTERNATIVES} alternatives")
    if not all(any(c.isalnum() for c in alternative) for alternative in alternatives):
        raise ToolFailure("each alternative of the pattern needs a letter or digit")
    texts = (r"\s{1,9}".join(map(re.escape, one.split())) for one in alternatives)
    return re.compile("|".join(texts), re.IGNORECASE)


def _format_matches(files: Mapping[str, str], pattern: re.Pattern[str]) -> str:
    shown: list[str] = []
    count = 0
    for file, text in files.items():
        starts, last = line_starts(text), 0
        for match in pattern.finditer(text):
            line = bisect_right(starts, match.start())
            if line == last:
                continue
            count, last = count + 1, line
            if count <= MAX_PLACES:
                before = text[starts[line - 1] : match.start()]
                after = text[match.start() :].split("\n\n", 1)[0]
                words = " ".join(f"{before[-AROUND:]}{after[: len(match[0]) + AROUND]}".split())
                more = "…" if len(after) > len(match[0]) + AROUND else ""
                shown.append(f"{file}:{line}: {'…' if before[AROUND:] else ''}{words}{more}")
    if not shown:
        return "No line matches."
    left = f", the first {len(shown)} are" if count > len(shown) else ""
    return "\n".join([f"Lines that match: {count}{left}", *shown])
