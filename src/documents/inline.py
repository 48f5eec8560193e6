"""The visible text of one block and the HTML in it; each character has its place."""

from __future__ import annotations

import bisect
import html
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

# Attribute values end at "<" so that a scan never passes the next tag.
_TAG = re.compile(r"""<(/?)([A-Za-z][A-Za-z0-9-]*+)((?:"[^"<]*"|'[^'<]*'|[^<>"'])*+)>""")
_DECLARATION = re.compile(r"<[!?][^<>]*>")
_HREF = re.compile(r"""\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)

HIDDEN_ELEMENTS = frozenset({"script", "style", "template", "textarea", "head", "svg"})
BLOCK_ELEMENTS = frozenset(
    {
        *("address", "article", "aside", "blockquote", "body", "caption", "center", "dd"),
        *("details", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "nav"),
        *("ol", "p", "pre", "section", "summary", "table", "tbody", "tfoot", "thead", "ul"),
    }
)

T = TypeVar("T")

_ENTITY = re.compile(r"&#?\w{1,32};")


@dataclass(frozen=True, slots=True)
class HtmlToken:
    """A piece of HTML: text if `name` is "", else a tag. `start` and `end` are offsets."""

    start: int
    end: int
    name: str = ""
    closing: bool = False
    attributes: str = ""

    @property
    def href(self) -> str:
        """The tag's link target, "" if it has none."""
        match = _HREF.search(self.attributes)
        return html.unescape(next(filter(None, match.groups()), "")).strip() if match else ""


def html_tokens(text: str, start: int, end: int) -> Iterator[HtmlToken]:
    """The tags and texts of `text[start:end]`; comments and hidden elements are left out."""
    at = done = start
    while (at := text.find("<", at, end)) >= 0:
        stop, token = _markup(text, at, end)
        if stop == at:
            at += 1
            continue
        if done < at:
            yield HtmlToken(done, at)
        if token is not None:
            yield token
        at = done = stop
    if done < end:
        yield HtmlToken(done, end)


def _markup(text: str, at: int, end: int) -> tuple[int, HtmlToken | None]:
    """Where the markup at `at` ends, and its tag if it is a visible one."""
    if text.startswith("<!--", at):
        close = text.find("-->", at + 4, end)
        return (close + 3 if close >= 0 else end), None
    if declaration := _DECLARATION.match(text, at, end):
        return declaration.end(), None
    tag = _TAG.match(text, at, end)
    if tag is None:
        return at, None
    name = tag[2].lower()
    if name not in HIDDEN_ELEMENTS:
        return tag.end(), HtmlToken(at, tag.end(), name, bool(tag[1]), tag[3])
    if tag[1] or tag[3].endswith("/"):
        return tag.end(), None
    close = re.compile(f"</{name}[^<>]*>", re.IGNORECASE).search(text, tag.end(), end)
    return (close.end() if close else end), None


class Span(NamedTuple):
    """A half-open range of characters."""

    start: int
    end: int

    def inside(self, start: int, end: int) -> Span:
        """This range as one of the piece that `[start, end)` cuts out."""
        return Span(self.start - start, min(self.end, end) - start)


def trimmed(text: str, span: Span) -> Span:
    """`span` of `text` without the white space at its ends; empty if there is nothing else."""
    start, end = span
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end)


def blank(text: str, spans: Iterable[Span], mark: str = "\x00") -> str:
    """`text` with every character of `spans` replaced by `mark`; the length stays."""
    ordered = sorted(spans)
    if not ordered:
        return text
    parts: list[str] = []
    done = 0
    for start, end in ordered:
        if end > done:
            start = max(start, done)
            parts += (text[done:start], mark * (end - start))
            done = end
    parts.append(text[done:])
    return "".join(parts)


@dataclass(frozen=True, slots=True)
class Link:
    """A link: its range in the visible text and in the document.

    `key` is the label of a reference-style link, "" for the other styles.
    """

    span: Span
    source: Span
    target: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote mark, or (with `label` "") something set as superscript."""

    span: Span
    source: Span
    label: str


@dataclass(frozen=True, slots=True)
class InlineText:
    """A block's visible text before citation markers are taken out.

    `offsets[i]` is the document offset of `text[i]`. `leads` and `trails` widen a character to the
    markup that opens before it and closes after it. `lines` are the places in `text` where a
    source line begins; `styled` the emphasised ranges; `cells` the cells of a table row.
    """

    text: str = ""
    offsets: array[int] = field(default_factory=lambda: array("i"))
    leads: dict[int, int] = field(default_factory=dict[int, int])
    trails: dict[int, int] = field(default_factory=dict[int, int])
    links: list[Link] = field(default_factory=list[Link])
    notes: list[Note] = field(default_factory=list[Note])
    code: list[Span] = field(default_factory=list[Span])
    styled: list[Span] = field(default_factory=list[Span])
    lines: list[int] = field(default_factory=list[int])
    cells: list[Span] = field(default_factory=list[Span])

    def source(self, span: Span) -> Span:
        """The document range of `text[span]`, with the markup around it; `span` is not empty."""
        first, last = span.start, span.end - 1
        start = self.leads.get(first, self.offsets[first])
        return Span(start, self.trails.get(last, self.offsets[last] + 1))

    def split(self, starts: Sequence[int]) -> list[InlineText]:
        """The pieces that begin at `starts` (ascending, the first is 0).

        Markup that crosses the end of a piece stays with the piece in which it begins.
        """
        ends = [*starts[1:], len(self.text)]
        leads = _dealt(self.leads.items(), starts, lambda item: item[0])
        trails = _dealt(self.trails.items(), starts, lambda item: item[0])
        links = _dealt(self.links, starts, lambda link: link.span.start)
        notes = _dealt(self.notes, starts, lambda note: note.span.start)
        code = _dealt(self.code, starts, lambda span: span.start)
        styled = _dealt(self.styled, starts, lambda span: span.start)
        return [
            InlineText(
                self.text[start:end],
                self.offsets[start:end],
                {at - start: place for at, place in leads[number]},
                {at - start: place for at, place in trails[number]},
                [replace(link, span=link.span.inside(start, end)) for link in links[number]],
                [replace(note, span=note.span.inside(start, end)) for note in notes[number]],
                [span.inside(start, end) for span in code[number]],
                [span.inside(start, end) for span in styled[number]],
            )
            for number, (start, end) in enumerate(zip(starts, ends, strict=True))
        ]


def _dealt(items: Iterable[T], starts: Sequence[int], at: Callable[[T], int]) -> list[list[T]]:
    """`items` by the piece they stand in."""
    dealt: list[list[T]] = [[] for _ in starts]
    for item in items:
        dealt[bisect.bisect_right(starts, at(item)) - 1].append(item)
    return dealt


@dataclass(slots=True)
class _Open:
    """An inline element whose end is still to come."""

    at: int
    start: int
    target: str = ""
    key: str = ""


@dataclass(slots=True)
class InlineBuilder:
    """Collects an `InlineText` in document order. Places are document offsets."""

    _parts: list[str] = field(default_factory=list[str])
    _found: InlineText = field(default_factory=InlineText)
    _lead: int | None = None
    _images: int = 0
    _open_links: list[_Open] = field(default_factory=list[_Open])
    _open_styles: list[_Open] = field(default_factory=list[_Open])
    _open_anchor: _Open | None = None
    _open_raised: _Open | None = None
    _open_cell: int = 0

    def finish(self) -> InlineText:
        """The collected text."""
        return replace(self._found, text="".join(self._parts))

    @property
    def _end(self) -> int:
        """How many characters there are."""
        return len(self._found.offsets)

    def text(self, text: str, source: Span) -> None:
        """Add `text`; if it is not as long as its source, all of it points at the start."""
        if not text or self._images:
            return
        if len(text) == source.end - source.start:
            self._add(text, range(source.start, source.end))
        else:
            self._add(text, [source.start] * len(text))
            self._found.trails[self._end - 1] = source.end

    def code(self, text: str, document: str, source: Span) -> None:
        """Add a code span: each character is looked for in order inside its source."""
        if self._images:
            return
        offsets: list[int] = []
        at = source.start
        for char in text:
            found = _find(document, char, at, source.end)
            offsets.append(at if found < 0 else found)
            at = at if found < 0 else found + 1
        self._found.code.append(Span(self._end, self._end + len(text)))
        self._opens(source.start)
        self._add(text, offsets)
        self._closes(source.end)

    def note(self, text: str, source: Span, label: str) -> None:
        """Add a footnote mark as it is written."""
        at = self._end
        self.text(text, source)
        if self._end > at:
            self._found.notes.append(Note(Span(at, self._end), source, label))

    def line_break(self, start: int) -> None:
        """Add the space that a line break in the source reads as."""
        if not self._images:
            self._add(" ", [start])
            self._found.lines.append(self._end)

    def open_style(self, start: int) -> None:
        """Emphasis begins."""
        self._open_styles.append(_Open(self._end, start))
        self._opens(start)

    def close_style(self, end: int) -> None:
        """Emphasis ends."""
        if self._open_styles:
            self._found.styled.append(Span(self._open_styles.pop().at, self._end))
            self._closes(end)

    def open_link(self, start: int, target: str, key: str = "") -> None:
        """A link begins."""
        self._open_links.append(_Open(self._end, start, target, key))
        self._opens(start)

    def close_link(self, end: int) -> None:
        """A link ends."""
        if self._open_links:
            opened = self._open_links.pop()
            span = Span(opened.at, self._end)
            self._found.links.append(Link(span, Span(opened.start, end), opened.target, opened.key))
            self._closes(end)

    def open_image(self) -> None:
        """An image begins; its alternative text is not visible."""
        self._images += 1

    def close_image(self) -> None:
        """An image ends."""
        self._images -= 1

    def open_cell(self, start: int) -> None:
        """A cell of a table row begins at `start`, right after its bar."""
        if self._found.cells:
            self._add(" | ", [start - 1] * 3)
        self._open_cell = self._end

    def close_cell(self) -> None:
        """A cell ends."""
        self._found.cells.append(Span(self._open_cell, self._end))

    def html(self, token: HtmlToken, document: str) -> None:
        """Take an HTML text or an inline HTML tag; block elements read as a space."""
        match token.name:
            case "":
                self._html_text(document[token.start : token.end], token.start)
            case "a":
                self._anchor(token)
            case "sup":
                self._raised(token)
            case "br" | "td" | "th" | "tr":
                self.line_break(token.start)
            case name if name in BLOCK_ELEMENTS:
                self.line_break(token.start)
            case _:
                self._closes(token.end) if token.closing else self._opens(token.start)

    def _html_text(self, text: str, start: int) -> None:
        done = 0
        for match in _ENTITY.finditer(text):
            self.text(text[done : match.start()], Span(start + done, start + match.start()))
            place = Span(start + match.start(), start + match.end())
            self.text(html.unescape(match[0]), place)
            done = match.end()
        self.text(text[done:], Span(start + done, start + len(text)))

    def _anchor(self, token: HtmlToken) -> None:
        """A link written in HTML; it never closes one that is written in Markdown."""
        if not token.closing:
            self._open_anchor = _Open(self._end, token.start, token.href)
            self._opens(token.start)
        elif (opened := self._open_anchor) is not None:
            self._open_anchor = None
            self._open_links.append(opened)
            self.close_link(token.end)

    def _raised(self, token: HtmlToken) -> None:
        if not token.closing:
            self._open_raised = _Open(self._end, token.start)
            self._opens(token.start)
        elif (opened := self._open_raised) is not None:
            self._open_raised = None
            self._closes(token.end)
            if self._end > opened.at:
                span = Span(opened.at, self._end)
                self._found.notes.append(Note(span, Span(opened.start, token.end), ""))

    def _opens(self, start: int) -> None:
        if self._lead is None:
            self._lead = start

    def _closes(self, end: int) -> None:
        if self._found.offsets:
            last = self._end - 1
            self._found.trails[last] = max(end, self._found.trails.get(last, end))

    def _add(self, text: str, offsets: Iterable[int]) -> None:
        if self._lead is not None and text:
            self._found.leads[self._end] = self._lead
            self._lead = None
        self._parts.append(text)
        self._found.offsets.extend(offsets)


def _find(document: str, char: str, start: int, end: int) -> int:
    if char != " ":
        return document.find(char, start, end)
    while start < end and not document[start].isspace():
        start += 1
    return start if start < end else -1
