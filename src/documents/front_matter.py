"""The YAML block between two `---` lines at the head of a document, read leniently."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .inline import Span

MAX_FRONT_MATTER = 65_536

_OPEN = re.compile(r"---[ \t]*(?:\r\n|\r|\n)(?=[^\s])")
_CLOSE = re.compile(r"(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n|[\r\n]|\Z)")
_LINE_END = re.compile(r"\r\n|\r|\n")
_ENTRY = re.compile(r"""(["']?)([A-Za-z_][\w.-]{0,80})\1[ \t]*:(?:[ \t]+(.*))?$""")
_BLOCK_SCALAR = re.compile(r"[|>][+-]?\d?[+-]?$")
_COMMENT = re.compile(r"\s#.*$")
_QUOTED = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^']|'')*)'")
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The scalar entries, in order; `body` is the range inside the lines, `end` that after them."""

    entries: tuple[tuple[str, str], ...]
    body: Span
    end: int

    def get(self, key: str) -> str:
        """The value of `key` in any case, "" if there is none."""
        return next((value for name, value in self.entries if name.casefold() == key), "")


def read_front_matter(text: str, start: int = 0) -> FrontMatter | None:
    """Read the front matter that begins at `start`; nested and listed values are left out.

    A block counts only if every line in it reads as YAML, so that prose between two thematic
    breaks stays prose and the answer is None.
    """
    opening = _OPEN.match(text, start)
    if opening is None:
        return None
    closing = _CLOSE.search(text, opening.end(), opening.end() + MAX_FRONT_MATTER)
    if closing is None:
        return None
    lines = _LINE_END.split(text[opening.end() : closing.start()])
    if not all(_reads_as_yaml(line) for line in lines) or not any(map(_ENTRY.match, lines)):
        return None
    body = Span(opening.end(), closing.start())
    return FrontMatter(tuple(_entries(lines)), body, closing.end())


def _reads_as_yaml(line: str) -> bool:
    return not line.strip() or line[0] in " \t#-]}" or _ENTRY.match(line) is not None


def _entries(lines: list[str]) -> list[tuple[str, str]]:
    entries: list[tuple[str, str]] = []
    for number, line in enumerate(lines):
        match = _ENTRY.match(line)
        if match is None:
            continue
        value = (match[3] or "").strip()
        if _BLOCK_SCALAR.match(_COMMENT.sub("", value)):
            value = _block_scalar(lines[number + 1 :])
        else:
            value = _plain(value)
        if value:
            entries.append((match[2], value))
    return entries


def _block_scalar(lines: list[str]) -> str:
    taken: list[str] = []
    for line in lines:
        if line.strip() and line[0] not in " \t":
            break
        taken.append(line.strip())
    return " ".join(filter(None, taken))


def _plain(value: str) -> str:
    """A scalar without its quotes and comment; "" for anything that is not a scalar."""
    if not value or value[0] in "[{&*!#":
        return ""
    if quoted := _QUOTED.match(value):
        double, single = quoted.groups()
        return _ESCAPED.sub(r"\1", double) if double is not None else single.replace("''", "'")
    return _COMMENT.sub("", value).strip()
