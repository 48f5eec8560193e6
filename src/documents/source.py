"""The text to be parsed: its places in characters, and the front matter at its head."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile
from string import ascii_lowercase

from .inline import Span

_LINE_END = re.compile(r"\r\n|\r|\n")
_UNPARSABLE = re.compile("[\x00\ud800-\udfff]")
_LONE_CR = re.compile(r"\r(?!\n)")
_STEP = 1024

MAX_FRONT_MATTER = 65_536

_OPEN = re.compile(r"(---|\+\+\+)[ \t]*(?:\r\n|\r|\n)(?=[^\s])")
_NAME = r"""(["']?)([A-Za-z_][\w.-]{0,80})\1[ \t]*"""
# By how it opens: YAML, and TOML as Hugo and Zola write it.
_CLOSE = {
    "---": re.compile(r"(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n|[\r\n]|\Z)"),
    "+++": re.compile(r"(?<=[\r\n])\+\+\+[ \t]*(?:\r\n|[\r\n]|\Z)"),
}
_ENTRY = {
    "---": re.compile(rf"{_NAME}:(?:[ \t]+(.*))?$"),
    "+++": re.compile(rf"{_NAME}=[ \t]*(.*)$"),
}
_OTHER = {"---": " \t#-]}", "+++": " \t#[]}\"'"}
_BLOCK_SCALAR = re.compile(r"[|>][+-]?\d?[+-]?$")
_COMMENT = re.compile(r"\s#.*$")
_QUOTED = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^']|'')*)'")
_ESCAPED = re.compile(r"\\(.)")
# A formula in TeX: "\[ a^2 = 4 \]" on lines of its own, "\(n = 4\)" in a sentence.
_FORMULA = re.compile(
    r"^[ \t]*\\\[[^\[\]]{1,2000}\\\][ \t]*$|\\\((?=\S)[^\n$]{1,300}?(?<=\S)\\\)", re.MULTILINE
)
# Links of reStructuredText: "`report <a.md>`_", and "`report`_" with ".. _report: a.md".
_RST_LINK = re.compile(r"(?<!`)`([^`<>]{1,200})\s<([^`<>\s]{1,300})>`(_{1,2})(?![\w`])")
_RST_TARGET = re.compile(r"^\.\. _([^:`\n]{1,80}):[ \t](?=[ \t]*\S+[ \t]*$)", re.MULTILINE)
_RST_NAMED = re.compile(r"(?<!`)`([^`<>\n]{1,80})`_(?![\w`])")
# The lines round a note: "::: note", ":::{.callout-tip}", ":::".
_CONTAINER = re.compile(r"^[ \t]{0,3}:{3,}[^:\n]*:*[ \t]*$", re.MULTILINE)
# Its numbered notes: "[1]_" with ".. [1] a.md", and "[#]_" with ".. [#]" over an indented text.
_RST_NOTE = re.compile(r"^\.\. \[(#|\d{1,3})\](?=\s)(?:\n( {1,8})(?=\S))?", re.MULTILINE)
_RST_NOTED = re.compile(r"\[(#|\d{1,3})\]_(?!\w)")
# Bibliographies of AsciiDoc: "<<1>>" with "- [[[1]]] https://…".
_ADOC_ENTRY = re.compile(r"^([*-] +)\[\[\[([\w-]{1,40})\]\]\]", re.MULTILINE)
_ADOC_NOTED = re.compile(r"<<([\w-]{1,40})>>")
_WORKED = re.compile(r"[=^_+<>{}\\]")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
# Below a title in reStructuredText and AsciiDoc. To Markdown, tildes begin code that ends at the
# next title, and the others are words.
_UNDERLINE = re.compile(r"([~^\"'*+#])\1{3,}\s*")
# Titles of AsciiDoc, and of wikis: "== Sources", "== Sources ==".
_EQUALS = re.compile(r"(?:\A|(?<=\n\n))={2,6} [^=\n]+(?: ={2,6})?[ \t]*$", re.MULTILINE)
_SHORTER = 2
"""Characters that an underline may be shorter than its title."""


class SourceText:
    """The part of a document that is parsed as Markdown, with its place in the whole.

    Args:
        text: The whole document, line ends kept.
        start: Where the Markdown begins (after a byte order mark and front matter).
    """

    def __init__(self, text: str, start: int = 0) -> None:
        # One character for one keeps every offset: lone surrogates have no UTF-8, NUL the parser
        # replaces itself, and a CR alone it does not take for a line end everywhere.
        self.text = _LONE_CR.sub("\n", _UNPARSABLE.sub("\ufffd", text))
        self.start = start
        # Markdown would take the backslashes of a formula in TeX for escapes.
        plain = _CONTAINER.sub(lambda one: " " * len(one[0]), self.text[start:])
        formulas = _FORMULA.sub(_with_dollars, plain)
        self.markdown = _with_markdown_links(_with_markdown_titles(formulas))
        self._ascii = self.markdown.isascii()
        if not self._ascii:
            self._bytes = self.markdown.encode("utf-8")
            # The byte offset of every `_STEP`th character.
            pieces = (self.markdown[at : at + _STEP] for at in range(0, len(self.markdown), _STEP))
            self._marks = [*accumulate((len(one.encode("utf-8")) for one in pieces), initial=0)]

    def offset(self, byte: int) -> int:
        """The document's character offset of byte `byte` of the Markdown."""
        if self._ascii:
            return self.start + byte
        mark = bisect.bisect_right(self._marks, byte) - 1
        rest = self._bytes[self._marks[mark] : byte].decode("utf-8", "ignore")
        return self.start + min(mark * _STEP, len(self.markdown)) + len(rest)


def _with_dollars(formula: re.Match[str]) -> str:
    """The formula in dollar signs, as long as it was; other text in escaped brackets as it is."""
    text = formula[0]
    if not _WORKED.search(text.strip()[2:-2]) or "\n\n" in text:
        return text
    shown = text.replace(r"\[", "$$").replace(r"\]", "$$")
    return shown.replace(r"\(", " $").replace(r"\)", "$ ")


def _with_markdown_titles(text: str) -> str:
    """`text` with titles of other markups as those of Markdown, each line as long as it was."""
    text = _EQUALS.sub(lambda one: one[0].replace("=", "#"), text)
    if not any(mark * 4 in text for mark in "~^\"'*+#"):
        return text
    lines, fence = text.splitlines(keepends=True), ""
    for at, line in enumerate(lines):
        if fence:
            ends = line.strip().startswith(fence) and not line.strip().strip(fence[0])
            fence = "" if ends else fence
        elif _UNDERLINE.fullmatch(line) and _is_underlined(lines[max(0, at - 2) : at], line):
            lines[at] = line.replace(line[0], "-")
        elif opened := _FENCE.match(line):
            fence = opened[1]
    return "".join(lines)


def _is_underlined(before: Sequence[str], line: str) -> bool:
    """Whether the last line of `before` is a line of its own that `line` may underline."""
    title = before[-1].rstrip() if before else ""
    alone = len(before) < 2 or not before[0].strip()
    fits = len(title) - _SHORTER <= len(line.rstrip())
    return alone and fits and title[:1].isalnum() and not title.endswith(":")


def _with_markdown_links(text: str) -> str:
    """`text` with links of other markups as those of Markdown, each as long as it was."""
    if "[[[" in text:
        known = {one[2] for one in _ADOC_ENTRY.finditer(text)}
        text = _ADOC_ENTRY.sub(r"\1[\2]    ", text)
        text = _ADOC_NOTED.sub(lambda one: f"  [{one[1]}]" if one[1] in known else one[0], text)
    if "]_" in text:
        text = _with_markdown_notes(text)
    if "`_" in text:
        text = _RST_LINK.sub(lambda one: f"[{one[1]}](<{one[2]}>{' ' * (len(one[3]) - 1)})", text)
    names = {one[1].casefold() for one in _RST_TARGET.finditer(text)} if ".. _" in text else None
    if not names:
        return text
    text = _RST_TARGET.sub(r"[\1]:   ", text)
    return _RST_NAMED.sub(
        lambda one: f"[ {one[1]}]" if one[1].casefold() in names else one[0], text
    )


def _with_markdown_notes(text: str) -> str:
    """`text` with the numbered notes of reStructuredText as those of Markdown.

    Those without a number follow each other; a label of one letter keeps them as long as they were.
    """
    notes = [one[1] for one in _RST_NOTE.finditer(text)]
    paired = text.count("[#]_") == notes.count("#") <= len(ascii_lowercase)
    letters = {pattern: iter(ascii_lowercase) for pattern in (_RST_NOTE, _RST_NOTED)}

    def noted(one: re.Match[str]) -> str:
        if one[1] not in notes or (one[1] == "#" and not paired):
            return one[0]
        label = f"[^{next(letters[one.re]) if one[1] == '#' else one[1]}]"
        if one.re is _RST_NOTED:
            return label
        # A text on the next line moves up to its label.
        indent = min(len(one[0]) - len(label) - 3, 3)
        return f"{' ' * indent}{label}: ".rjust(len(one[0]), "\n")

    return _RST_NOTED.sub(noted, _RST_NOTE.sub(noted, text))


def line_starts(text: str) -> tuple[int, ...]:
    """The offset of each line's first character; lines end in LF, CRLF or CR."""
    return (0, *(match.end() for match in _LINE_END.finditer(text)))


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

    A block counts only if every line in it reads as YAML (or, between "+++", as TOML), so that
    prose between two thematic breaks stays prose and the answer is None.
    """
    opening = _OPEN.match(text, start)
    if opening is None:
        return None
    fence, entry = opening[1], _ENTRY[opening[1]]
    closing = _CLOSE[fence].search(text, opening.end(), opening.end() + MAX_FRONT_MATTER)
    if closing is None:
        return None
    lines = _LINE_END.split(text[opening.end() : closing.start()])
    other = [line for line in lines if line.strip() and not entry.match(line)]
    if any(line[0] not in _OTHER[fence] for line in other) or not any(map(entry.match, lines)):
        return None
    body = Span(opening.end(), closing.start())
    return FrontMatter(tuple(_entries(lines, entry)), body, closing.end())


def _entries(lines: list[str], entry: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(lines):
        match = entry.match(line)
        if match is None:
            continue
        value = (match[3] or "").strip()
        if _BLOCK_SCALAR.match(_COMMENT.sub("", value)):
            rest = lines[number + 1 :]
            scalar = takewhile(lambda one: not one.strip() or one[0] in " \t", rest)
            value = " ".join(filter(None, map(str.strip, scalar)))
        else:
            value = _plain(value)
        if value:
            yield match[2], value


def _plain(value: str) -> str:
    """A scalar without its quotes and comment; "" for anything that is not a scalar."""
    if not value or value[0] in "[{&*!#":
        return ""
    if quoted := _QUOTED.match(value):
        double, single = quoted.groups()
        return _ESCAPED.sub(r"\1", double) if double is not None else single.replace("''", "'")
    return _COMMENT.sub("", value).strip()
