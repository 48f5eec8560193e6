"""The visible text of one block and the HTML in it; each character has its place."""

from __future__ import annotations

import bisect
import html
import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

# Attribute values end at "<" so that a scan never passes the next tag.
_TAG = re.compile(r"""<(/?)([A-Za-z][A-Za-z0-9-]*+)((?:"[^"<]*"|'[^'<]*'|[^<>"'])*+)>""")
_DECLARATION = re.compile(r"<[!?][^<>]*>")
# Links of other markups: "link:a.md[report]", "<<a.md,report>>", "[[a.md|report]]".
_FOREIGN = re.compile(
    r"(?:\b(?:link|xref):|(?=https?://\w))([^\s\[\]<>]{1,300})"
    r"\[((?=[^\[\]\n]{0,200}[^\W\d])[^\[\]\n]{1,200})\]"
    r"|<<([^<>,\n]{1,200}),([^<>\n]{1,200})>>|\[\[([^\[\]|\n]{1,200})\|([^\[\]|\n]{1,200})\]\]"
)
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

    def shifted(self, by: int) -> Span:
        """This range, `by` characters further on."""
        return Span(self.start + by, self.end + by)

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
    """A link and its range in the visible text.

    `key` is the label of a reference-style link, "" for the other styles. `markup` is the range of
    a link in another markup, whose signs are visible text.
    """

    span: Span
    target: str
    key: str = ""
    markup: Span | None = None

    @property
    def whole(self) -> Span:
        """The link with the signs that are visible text."""
        return self.markup or self.span

    @property
    def frame(self) -> tuple[Span, Span]:
        """What of `whole` stands before its words, and behind them."""
        return Span(self.whole.start, self.span.start), Span(self.span.end, self.whole.end)

    def inside(self, start: int, end: int) -> Link:
        """This link as one of the piece that `[start, end)` cuts out."""
        markup = self.markup and self.markup.inside(start, end)
        return replace(self, span=self.span.inside(start, end), markup=markup)


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote mark, or (with `label` "") something set as superscript or as a reference."""

    span: Span
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
                [link.inside(start, end) for link in links[number]],
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


class InlineBuilder:
    """Collects an `InlineText` in document order. Places are document offsets."""

    def __init__(self) -> None:
        self._images = 0
        self._parts: list[str] = []
        self._found = InlineText()
        self._lead: int | None = None
        self._open = defaultdict[str, list[tuple[int, str, str]]](list)
        self._cell = 0

    def finish(self) -> InlineText:
        """The collected text."""
        text = "".join(self._parts)
        return replace(self._found, text=text, links=[*self._found.links, *self._foreign(text)])

    def _foreign(self, text: str) -> Iterator[Link]:
        for match in _FOREIGN.finditer(text) if "[" in text or "<<" in text else ():
            number = next(at for at in (1, 3, 5) if match[at])
            span = Span(*match.span(number + 1))
            code = self._found.code
            before = bisect.bisect_left(code, (match.start() + 1,)) - 1
            if before < 0 or code[before].end <= match.start():
                yield Link(span, match[number], markup=Span(*match.span()))

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
            self._found.notes.append(Note(Span(at, self._end), label))

    def line_break(self, start: int) -> None:
        """Add the space that a line break in the source reads as."""
        if not self._images:
            self._add(" ", [start])
            self._found.lines.append(self._end)

    def open(self, element: str, start: int, target: str = "", key: str = "") -> None:
        """An emphasis ("em"), a link ("link", in HTML "a") or a superscript ("sup") begins."""
        self._open[element].append((self._end, target, key))
        self._opens(start)

    def close(self, element: str, end: int) -> None:
        """The last `element` that began ends."""
        if not self._open[element]:
            return
        at, target, key = self._open[element].pop()
        span = Span(at, self._end)
        if element == "em":
            self._found.styled.append(span)
        elif element in ("a", "link"):
            self._found.links.append(Link(span, target, key))
        elif at < self._end:
            self._found.notes.append(Note(span, ""))
        self._closes(end)

    def count_images(self, more: int) -> None:
        """An image begins (1) or ends (-1); its alternative text is not visible."""
        self._images += more

    def link(self, at: Span, text: str, place: Span, target: str) -> None:
        """Add a whole link, which stands at `at`, and its `text` at `place`."""
        self.open("link", at.start, target)
        self.text(text, place)
        self.close("link", at.end)

    def file(self, at: Span, document: str) -> None:
        """Add the link to a file that is its name in angle brackets."""
        place = Span(at.start + 1, at.end - 1)
        name = document[place.start : place.end]
        self.link(at, name, place, name.strip())

    def open_cell(self, start: int) -> None:
        """A cell of a table row begins at `start`, right after its bar."""
        if self._found.cells:
            self._add(" | ", [start - 1] * 3)
        self._cell = self._end

    def close_cell(self) -> None:
        """A cell ends."""
        self._found.cells.append(Span(self._cell, self._end))

    def html(self, token: HtmlToken, document: str) -> None:
        """Take an HTML text or an inline HTML tag; block elements read as a space."""
        match token.name:
            case "":
                self._html_text(document[token.start : token.end], token.start)
            case "a" | "sup" | "cite" | "ref" as element if token.closing:
                self.close(element, token.end)
            case "a" | "sup" | "cite" | "ref" as element:
                # One that is still open never ends.
                self._open[element].clear()
                self.open(element, token.start, token.href)
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
