"""A source's text as units: sentences, list items with their lead-in, table rows with their header.

Offsets are into the text as given, so that a unit can be quoted exactly. What a reader should see
of a unit (`text`) has no markup, names the columns of a row and repeats the lead-in of a list item.

Some units state nothing: they ask, vouch for a claim, order a reader, or are denied. What talks
about a claim instead of stating it ("it has been verified that …") comes from whoever wants a
checker to believe it. The word lists are in `config/registry/words.yaml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from ...claims.words import WordBook
from ...sources.visibility import COMMENT, COMMENTS_TITLE
from .rows import RowStyle, is_entry, row_styles, split_cells

_WORD = re.compile(r"\d[\d,.]*\d|\d|[^\W\d_][\w'’-]+")
_SUFFIX = re.compile(r"(?:ing|ed|es|s|ly|e)$")
_SHORT_SUFFIX = re.compile(r"(?:s|e)$")
_SHORT, _STEMMED = 4, 5
_SAYING_NOTHING = """
the a an of in on at to for and or is are was were be been by with as that this it its from
than has have had not no which who whose their they he she his her more less about after
before over under between during per each other into out up down also only one two but all
so
"""
STOP_WORDS = frozenset(_SAYING_NOTHING.split())
MAX_UNIT = 2000
"""Characters; a longer sentence is cut, so that no input makes a unit that is no passage."""

_LINE = re.compile(r"[^\n]+")
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*")
_RULE_LINE = re.compile(r"\s*(?:=+|-{2,}|\*{3,}|_{3,})\s*")
_ROW_RULE = re.compile(r"[\s|:+-]*-[\s|:+-]*")
_ITEM = re.compile(r"\s*(?:[-*+•–]|\d{1,3}[.)])\s+")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_DENIED = re.compile("[\u274c\u274e\u2717\u2718\u2715\u2716\u26d4\U0001f6ab\U0001f6d1\U0001f44e]")
_END = re.compile(r"[.!?][\"'”’)\]*_]*\s+(?=[\"'“\u2018(\[*_`]*[A-Z0-9]|[\"“][a-z])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:(?<!\d )(?<!/)[A-Za-z]|Mr|Mrs|Ms|Dr|Prof|St|No|Nos|Fig|Figs|Eq|Sec|Art|Vol|pp|vs"
    r"|etc|cf|al|Inc|Ltd|Co|Corp|Gen|Sen|Rep|Gov|Capt|Lt|Col|Jan|Feb|Mar|Apr|Jun|Jul"
    r"|Aug|Sept?|Oct|Nov|Dec|approx|ca)|\b(?:e\.g|i\.e|U\.S|U\.K))\.$"
)
_LINK = re.compile(r"!?\[([^\]\[]*)\](?:\([^)\s]*(?:\s+\"[^\"]*\")?\)|\[[^\]]*\])")
_NOTE_MARK = re.compile(r"\s*\[\^?\w{1,4}\](?!\()")
_EMPHASIS = re.compile(r"\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|`")
# A page's heading often loses its mark; a longer line is a sentence without a full stop.
_BARE_HEADING = 70
_BARE_LEVEL = 7
_STOPS = tuple('.!?:;,|”"')
# A sentence that is all quotation, as those that a page takes up to examine.
_QUOTED = re.compile(r"\W*(?:\d{1,3}[:.)]\s*)?[“\"\u2018«][^”\"’»]*[”\"’»]\W*\Z")
_STRUCK = re.compile(r"~~(?=[^\s~])(?:[^~\n]|~(?!~)){1,4000}~~")
_NOT_BREAK = re.compile(r"[^\n]")
_MOST_LABEL = 8
"""Words of a heading or label, such as "Exercise 3", that may frame what is below it."""
# Between two paragraphs, items or headings; a line of a wrapped paragraph ends without.
_PARTED = re.compile(r"\n[ \t]*\n|\n.*\S")
_SPEAKS_OF_COMMENTS = re.compile(
    r"\b(?:comment(?:s|ed|er|ers|ators?)?|readers?|users?|visitors?|posters?|repl(?:y|ies|ied)"
    r"|posted|forum|thread)\b",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
# The first units: title, author, date.
_HEAD = 3


def terms(text: str) -> list[str]:
    """The words and figures of a text in lower case, crudely stemmed, without stop words."""
    words = (word.replace("’", "'") for word in _WORD.findall(text.lower()))
    return [_stem(word) for word in words if word not in STOP_WORDS]


def _stem(word: str) -> str:
    if word[0].isdigit() or len(word) < _SHORT:
        return word
    return (_SUFFIX if len(word) >= _STEMMED else _SHORT_SUFFIX).sub("", word)


class UnitKind(StrEnum):
    """Kind of unit in the layout of its source."""

    META = "meta"
    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Unit:
    """The smallest part of a source that states something.

    `[start, end)` are offsets into the source's text. `path` are the headings above it, outermost
    first. `header` is the span of the row that names the columns of a table row, None elsewhere.
    `text` is its plain text for a reader.
    """

    start: int
    end: int
    kind: UnitKind
    path: tuple[str, ...]
    text: str
    header: tuple[int, int] | None = None

    def moved(self, by: int) -> Unit:
        """The unit in a text that has `by` more characters before it."""
        header = (self.header[0] + by, self.header[1] + by) if self.header else None
        return replace(self, start=self.start + by, end=self.end + by, header=header)


def plain(text: str) -> str:
    """`text` without Markdown's marks for links, notes and emphasis, on one line."""
    text = _NOTE_MARK.sub("", _LINK.sub(r"\1", text))
    return " ".join(_EMPHASIS.sub("", text).split())


def split_units(text: str) -> tuple[Unit, ...]:
    """The units of a text in Markdown or of the plain text of a page, in order."""
    return tuple(_Splitter(text).units())


def widen_to_units(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the units of `text` begin and end that `[start, end)` touches."""
    touched = [unit for unit in split_units(text) if unit.start < end and start < unit.end]
    if not touched:
        return start, end
    return min(start, touched[0].start), max(end, touched[-1].end)


class _Splitter:
    """Walks the lines of a text once and remembers the headings and the lead-in above them."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._headings: list[tuple[int, str]] = []
        self._lead = ""

    def units(self) -> Iterator[Unit]:
        """The units, in order."""
        start = 0
        matter = _FRONT_MATTER.match(self._text)
        if matter:
            yield from self._front_matter(matter)
            start = matter.end()
        block: list[tuple[int, int]] = []
        fenced = False
        for line in _LINE.finditer(self._text, start):
            span, written = line.span(), line[0]
            gap = bool(block) and "\n\n" in re.sub(r"[ \t]", "", self._text[block[-1][1] : span[0]])
            if gap or not written.strip() or _FENCE.match(written):
                yield from self._block(block)
                block = []
            if _FENCE.match(written):
                fenced = not fenced
            elif fenced:
                yield from self._unit(span, UnitKind.CODE)
            elif written.strip():
                block.append(span)
        yield from self._block(block)

    def _front_matter(self, match: re.Match[str]) -> Iterator[Unit]:
        fields = [line.strip() for line in match[1].split("\n") if ":" in line]
        if fields:
            text = plain("; ".join(fields)) + "."
            yield Unit(match.start(1), match.end(1), UnitKind.META, (), text[:MAX_UNIT])

    def _block(self, lines: list[tuple[int, int]]) -> Iterator[Unit]:
        text = self._text
        styles = row_styles([text[start:end] for start, end in lines])
        table: list[tuple[tuple[int, int], RowStyle]] = []
        pending: tuple[int, int] | None = None
        for at, (span, style) in enumerate(zip(lines, styles, strict=True)):
            written = text[slice(*span)]
            if style:
                yield from self._prose(pending)
                pending = None
                table.append((span, style))
                continue
            yield from self._table(table)
            table = []
            heading = _HEADING.fullmatch(written.strip())
            if heading or self._is_bare_heading(lines, at):
                yield from self._prose(pending)
                pending = None
                level = len(heading[1]) if heading else _BARE_LEVEL
                self._enter(level, plain(heading[2] if heading else written))
            elif _RULE_LINE.fullmatch(written):
                pending = self._underlined(pending) if written.strip()[0] in "=-" else pending
            elif pending and not _ITEM.match(written):
                pending = pending[0], span[1]
            else:
                yield from self._prose(pending)
                pending = span
        yield from self._prose(pending)
        yield from self._table(table)

    def _underlined(self, pending: tuple[int, int] | None) -> tuple[int, int] | None:
        if pending is None or "\n" in self._text[slice(*pending)]:
            return pending
        self._enter(1, plain(self._text[slice(*pending)]))
        return None

    def _is_bare_heading(self, lines: list[tuple[int, int]], at: int) -> bool:
        written = self._text[slice(*lines[at])].strip()
        if len(lines) > 1 or len(written) > _BARE_HEADING or _ITEM.match(written):
            return False
        return written[:1].isupper() and not written.endswith(_STOPS) and len(written.split()) > 1

    def _enter(self, level: int, title: str) -> None:
        self._headings = [one for one in self._headings if one[0] < level]
        self._headings.append((level, title))
        self._lead = ""

    def _prose(self, span: tuple[int, int] | None) -> Iterator[Unit]:
        if span is None:
            return
        mark = _ITEM.match(self._text, *span)
        if mark:
            start = mark.end()
            for number, (first, last) in enumerate(self._sentences(start, span[1])):
                lead = self._lead if number == 0 else ""
                yield from self._unit((first, last), UnitKind.ITEM, lead)
            return
        last_text = ""
        for first, last in self._sentences(*span):
            for unit in self._unit((first, last), UnitKind.SENTENCE):
                last_text = unit.text
                yield unit
        self._lead = last_text if last_text.endswith(":") else ""

    def _unit(self, span: tuple[int, int], kind: UnitKind, lead: str = "") -> Iterator[Unit]:
        for start in range(*span, MAX_UNIT):
            end = min(start + MAX_UNIT, span[1])
            text = plain(self._text[start:end].replace("\n>", "\n").lstrip("> "))
            if text:
                yield Unit(start, end, kind, self._path, f"{lead} {text}" if lead else text)

    @property
    def _path(self) -> tuple[str, ...]:
        return tuple(title for _, title in self._headings)

    def _sentences(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        for match in _END.finditer(self._text, start, end):
            if _ABBREVIATION.search(self._text, max(start, match.start() - 8), match.start() + 1):
                continue
            yield start, match.start() + len(match[0].rstrip())
            start = match.end()
        if start < end:
            yield start, end

    def _table(self, rows: list[tuple[tuple[int, int], RowStyle]]) -> Iterator[Unit]:
        if not rows:
            return
        text = self._text
        (first, style), *rest = rows
        ruled = bool(rest) and bool(_ROW_RULE.fullmatch(text[slice(*rest[0][0])]))
        listed = not ruled and is_entry(text[slice(*first)], style)
        header = None if listed or not rest else first
        titles = [] if header is None else self._cells(first, style)
        for span, own in rows if header is None else rest:
            if _ROW_RULE.fullmatch(text[slice(*span)]):
                continue
            cells = self._cells(span, own)
            named = [
                f"{titles[at]}: {cell}" if at < len(titles) and titles[at] else cell
                for at, cell in enumerate(cells)
                if cell
            ]
            if named:
                written = "- " + "; ".join(named)
                if len(written) > MAX_UNIT:
                    # Half a cell would be another value.
                    written = written[: max(2, written.rfind("; ", 0, MAX_UNIT))]
                yield Unit(*span, UnitKind.ROW, self._path, written, header)

    def _cells(self, span: tuple[int, int], style: RowStyle) -> list[str]:
        return [plain(self._text[slice(*one)]) for one in split_cells(self._text, *span, style)]


def without_struck(text: str) -> str:
    """`text` with every character that is struck out (`~~so~~`) replaced by a space."""
    if "~~" not in text:
        return text
    return _STRUCK.sub(lambda match: _NOT_BREAK.sub(" ", match[0]), text)


def comments(text: str, units: Sequence[Unit]) -> frozenset[int]:
    """The numbers of the units that readers of the source have written, not its author."""
    return frozenset(
        number
        for number, unit in enumerate(units)
        if text.startswith(COMMENT, text.rfind("\n", 0, unit.start) + 1)
        or any(COMMENTS_TITLE.fullmatch(title) for title in unit.path)
    )


def framed(text: str, units: Sequence[Unit], book: WordBook) -> frozenset[int]:
    """The numbers of the units in an exercise, a story, a joke, behind an order, or taken back.

    What a sign such as a red cross denies is taken back; in a table it may be a cell's value.
    A frame reaches to the end of its paragraph or list item, that of a heading or of a few words on
    their own to the next heading; what takes something back reaches to its beginning.
    """
    found: set[int] = set()
    labelled: tuple[str, ...] | None = None
    for line in _lines(text, units):
        framed_there = _framed(line, units, text, book)
        if any(
            _DENIED.search(text, units[at].start, units[at].end)
            for at in line
            if units[at].kind is not UnitKind.ROW
        ):
            framed_there = {*line}
        path = units[line[0]].path
        if labelled == path or any(_is_label(title, book) for title in path):
            framed_there = {*line}
        elif framed_there and _is_label(text[units[line[0]].start : units[line[-1]].end], book):
            labelled = path
        found |= framed_there
    return frozenset(found)


def _lines(text: str, units: Sequence[Unit]) -> Iterator[list[int]]:
    """The numbers of the units of each paragraph or list item."""
    line: list[int] = []
    for number, unit in enumerate(units):
        if line and _PARTED.search(text[units[line[-1]].end : unit.start]):
            yield line
            line = []
        line.append(number)
    if line:
        yield line


def _is_label(written: str, book: WordBook) -> bool:
    """Whether these few words on their own say what is below them."""
    return len(written.split()) <= _MOST_LABEL and bool(book.framing.search(written.strip()))


def _framed(line: Sequence[int], units: Sequence[Unit], text: str, book: WordBook) -> set[int]:
    found: set[int] = set()
    for at, number in enumerate(line):
        own = text[units[number].start : units[number].end]
        if not found and (book.framing.search(own) or book.orders.found_in(own)):
            found |= {*line[at:]}
        elif not found and book.withdrawing.search(own):
            found |= {*line[: at + 1]}
    return found


def speaks_of_frames(claim: str, book: WordBook) -> bool:
    """Whether a claim is about a comment, a story or what was taken back, which may bear it out."""
    if _SPEAKS_OF_COMMENTS.search(claim):
        return True
    return bool(book.framing.search(claim) or book.withdrawing.search(claim))


def unstated(text: str, units: Sequence[Unit], book: WordBook) -> frozenset[int]:
    """The numbers of the units of `text` that bear nothing out."""
    comments = [match.span() for match in _COMMENT.finditer(text)]
    head = " ".join(" ".join((*unit.path, unit.text)) for unit in units[:_HEAD])
    retracted = bool(book.retraction.search(head))
    written = [text[unit.start : unit.end] for unit in units]
    return frozenset(
        number
        for number, (before, own) in enumerate(zip(("", *written), written, strict=False))
        if own.rstrip().endswith("?")
        or book.meta.found_in(own)
        or _is_ordered(number, units, written, text, book)
        or (before.endswith(":") and book.meta.found_in(before))
        or _is_denied(number, written, book)
        or (retracted and book.restated.search(own))
        or any(start < units[number].end and units[number].start < end for start, end in comments)
    )


def _is_ordered(
    number: int, units: Sequence[Unit], written: Sequence[str], text: str, book: WordBook
) -> bool:
    """Whether an order to a machine stands right before or after it on its line."""
    for other in (number - 1, number + 1):
        if not 0 <= other < len(units):
            continue
        first, last = units[min(number, other)], units[max(number, other)]
        if "\n" not in text[first.end : last.start] and book.orders.found_in(written[other]):
            return True
    return False


def _is_denied(number: int, written: Sequence[str], book: WordBook) -> bool:
    """Whether the next unit takes it back; a quotation may be examined one later."""
    after = written[number + 1 : number + 3]
    if after and book.refutation.search(after[0]):
        return True
    quoted = bool(_QUOTED.match(written[number]))
    return quoted and len(after) > 1 and bool(book.refutation.search(after[1]))
