"""Texts handed to an agent: files, long ones in parts, and marks around what others wrote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from ..core.tasks import digest

SECTION_TOKENS = 15_000
"""The longest part, in tokens."""

CHARS_PER_TOKEN = 4
"""The estimate used wherever tokens are counted before a request: characters over four."""

# The Read tool of the Claude CLI cuts lines after 2,000 characters and files after 2,000 lines.
_MAX_LINE = 1_800
_MAX_LINES = 1_800
_MAX_CHARS = SECTION_TOKENS * CHARS_PER_TOKEN


def as_files(stem: str, text: str, suffix: str = ".md") -> Mapping[str, str]:
    """`text` as one file, or as parts of at most 15,000 tokens, in order.

    Parts end at a heading or an empty line where there is one in their last third, else at a line.
    Very long lines are wrapped at a space, so that no reader cuts them.
    """
    parts = _split(text)
    if len(parts) == 1:
        return {f"{stem}{suffix}": parts[0]}
    width = len(str(len(parts)))
    return {
        f"{stem}-part-{number:0{width}}-of-{len(parts)}{suffix}": part
        for number, part in enumerate(parts, start=1)
    }


# A review hands one document to hundreds of agents.
@lru_cache(maxsize=4)
def _split(text: str) -> tuple[str, ...]:
    return tuple(_parts(_wrapped(text)))


def _wrapped(text: str) -> list[str]:
    """The lines of `text` with their ends, none longer than `_MAX_LINE`."""
    lines: list[str] = []
    for line in text.splitlines(keepends=True):
        while len(line) > _MAX_LINE:
            space = line.rfind(" ", _MAX_LINE // 2, _MAX_LINE)
            cut = space + 1 if space > 0 else _MAX_LINE
            lines.append(line[:cut].rstrip(" ") + "\n")
            line = line[cut:]
        lines.append(line)
    return lines


def _parts(lines: list[str]) -> Iterator[str]:
    start = 0
    while start == 0 or start < len(lines):
        end = _end_of_part(lines, start)
        yield "".join(lines[start:end])
        start = max(end, 1)


def _end_of_part(lines: list[str], start: int) -> int:
    size, end = 0, start
    while end < len(lines) and end - start < _MAX_LINES and size + len(lines[end]) <= _MAX_CHARS:
        size += len(lines[end])
        end += 1
    if end >= len(lines):
        return end
    last_third = range(end, start + max(1, 2 * (end - start) // 3), -1)
    headings = (at for at in last_third if lines[at].startswith("#"))
    breaks = (at for at in last_third if not lines[at - 1].strip())
    return next(chain(headings, breaks), end)


@dataclass(frozen=True, slots=True)
class UntrustedText:
    """Puts fetched text between two marks with the same code (decision 19)."""

    code: str

    @classmethod
    def of(cls, *secrets: str) -> UntrustedText:
        """Marks with a code that no page can know beforehand.

        It is made from `secrets` (the draft, which pages do not know) and not drawn by chance, so
        that a resumed run hands out the same files.
        """
        return cls(digest([*secrets, ""])[:16])

    def mark(self, text: str, kind: str = "source text") -> str:
        """`text` between marks that name its `kind`; the code is taken out of the text itself."""
        inside = text.replace(self.code, "")
        return f"<<<{kind} {self.code}>>>\n{inside}\n<<<end of {kind} {self.code}>>>"
