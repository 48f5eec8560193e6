"""Markdown to HTML with places of it highlighted. Nothing of the text becomes markup by itself.

Raw HTML is shown as it is written, nothing is loaded, and only http(s) addresses become links.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from markupsafe import Markup, escape

from ...base.printable import visible
from ...documents.blocks import markdown_events
from ...documents.inline import Span
from ...documents.source import SourceText, read_front_matter
from .model import Row

if TYPE_CHECKING:
    from pyromark.event import Event


_WEB_ADDRESS = re.compile(r"https?://[^\s<>\"'`\\]+", re.IGNORECASE)
_HOST = re.compile(r"[\w.:\[\]-]+")
_MAX_ADDRESS = 4096


def web_address(address: str) -> str:
    """Return `address` if it may be a link: http or https, visible, with a plain host; else ""."""
    address = address.strip()
    plain = _WEB_ADDRESS.fullmatch(address) is not None and visible(address) == address
    if not plain or len(address) > _MAX_ADDRESS:
        return ""
    try:
        parts = urlsplit(address)
        return address if parts.hostname and _HOST.fullmatch(parts.netloc) else ""
    except ValueError:
        return ""


_DEEPEST = 6
"""Highlights within each other; what lies deeper has its button, and no colour of its own."""
_HEADINGS_BELOW = 2
"""The page's own headings, which those of the text come under."""
_INLINE = ("em", "strong", "s")
_PLAIN = {
    "Emphasis": "em",
    "Strong": "strong",
    "Strikethrough": "s",
    "Paragraph": "p",
    "Item": "li",
    "TableRow": "tr",
}
_END_MARK = Markup("</mark>")
_AFTER_HEAD = Markup("</tr></thead><tbody>")
_TABLE = Markup('<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>')


def marked_html(
    text: str, marks: Iterable[Row], sources: Mapping[str, int] | None = None
) -> Iterator[Markup]:
    """`text` as HTML, piece by piece.

    Args:
        text: Markdown as it was parsed for claims; `marks` are offsets into it.
        marks: What to highlight, by their start.
        sources: The numbers of the report's sources by address, which links may lead to.
    """
    front = read_front_matter(text, text.startswith("\ufeff"))
    source = SourceText(text, front.end if front else int(text.startswith("\ufeff")))
    page = _Page(source, _Highlighter(source.text, marks), sources or {})
    if front is not None:
        yield Markup('<pre class="front">')
        yield page.words(source.text[front.body.start : front.body.end], front.body)
        yield from page.settle(front.end)
        yield Markup("</pre>")
    for event, at in _joined(markdown_events(source), source.text):
        yield from page.take(event, at)
    yield from page.settle(len(text))


def _joined(events: Iterable[tuple[Event, Span]], text: str) -> Iterator[tuple[Event, Span]]:
    """`events` with texts that follow each other as one; the parser cuts them at brackets."""
    run: Span | None = None
    for event, at in events:
        stands = _stands(event, text[at.start : at.end])
        if stands and run is not None and run.end == at.start:
            run = Span(run.start, at.end)
            continue
        if run is not None:
            yield {"Text": text[run.start : run.end]}, run
        run = at if stands else None
        if not stands:
            yield event, at
    if run is not None:
        yield {"Text": text[run.start : run.end]}, run


def _stands(event: Event, there: str) -> bool:
    """Return whether an event is a text or a line end that equals what is at its place."""
    match event:
        case {"Text": words}:
            return there == words
        case "SoftBreak":
            return there.isspace()
        case _:
            return False


class _Highlighter:
    """Goes through a text once and knows which marks cover what is being written."""

    def __init__(self, text: str, marks: Iterable[Row]) -> None:
        self._text = text
        self._marks = deque(marks)
        self._open: list[Row] = []

    def highlighted(self, words: str, at: Span, *, buttons: bool) -> Markup:
        """Return `words`, which are at `at`, inside the marks that cover them.

        With `buttons`, each mark that ends there has its button behind it.
        """
        over = [mark for mark in self._open if mark.end > at.start]
        coming = deque(self._begun(at.end))
        cover = [*over, *(mark for mark in coming if mark.end > at.start)]
        if self._text[at.start : at.end] != words:
            # What is decoded (``&amp;``) has no places inside.
            self._open += coming
            return _within(cover, words)
        edges = {at.start, at.end}
        for mark in cover:
            edges |= {max(mark.start, at.start), min(mark.end, at.end)}
        found: list[Markup] = []
        for start, end in pairwise(sorted(edges)):
            # A paragraph may have thousands of marks, few of which stand at one place.
            while coming and (coming[0].start < end or coming[0].end <= end):
                self._open.append(coming[0])
                over.append(coming.popleft())
            over = [mark for mark in over if mark.end > start]
            found.append(_within(over, words[start - at.start : end - at.start]))
            found += map(_button, self.ended(end) if buttons else ())
        self._open += coming
        return Markup("").join(found)

    def _begun(self, end: int) -> Iterator[Row]:
        """The marks that begin before `end` and were not given yet."""
        while self._marks and self._marks[0].start < end:
            yield self._marks.popleft()

    def ended(self, at: int) -> list[Row]:
        """The marks that end before `at` and were not given yet."""
        done = [mark for mark in self._open if mark.end <= at]
        self._open = [mark for mark in self._open if mark.end > at]
        return done


def _within(cover: Sequence[Row], words: str) -> Markup:
    """`words` inside an element for each of `cover`, the widest outside."""
    found = escape(visible(words))
    for mark in sorted(cover, key=lambda one: (one.start, -one.end))[:_DEEPEST][::-1]:
        # Both are ours: a tone and a number.
        outside = " outside" if mark.outside else ""
        opening = Markup(f'<mark class="m t-{mark.label.tone}{outside}" data-n="{mark.number}">')
        found = opening + found + _END_MARK
    return found


def _button(mark: Row) -> Markup:
    """Return the button behind a marked place: its sign and name, and a text for screen readers."""
    outside = " outside" if mark.outside else ""
    return Markup(
        '<button type="button" class="tag t-{}{}" data-n="{}"><span class="vh">{} </span>'
        '<span aria-hidden="true">{}</span>{}<span class="vh">, {}</span></button>'
    ).format(
        *(mark.label.tone, outside, mark.number, mark.noun),
        *(mark.label.sign, mark.mark, mark.label.text),
    )


class _End(NamedTuple):
    """End tag of an element. Buttons may precede the end of a block, but not of a link."""

    html: Markup
    block: bool = False
    link: str | None = None


class _Page:
    """Writes the parser's events."""

    def __init__(
        self, source: SourceText, highlighter: _Highlighter, sources: Mapping[str, int]
    ) -> None:
        self._source = source
        self._highlighter = highlighter
        self._sources = sources
        self._ends: list[_End] = []
        self._in_head = False
        self._link_words: list[str] | None = None

    def words(self, words: str, at: Span) -> Markup:
        """Text of the document, highlighted."""
        if self._link_words is not None:
            self._link_words.append(words)
        return self._highlighter.highlighted(words, at, buttons=self._link_words is None)

    def settle(self, at: int) -> Iterator[Markup]:
        """The buttons of the marks that ended before `at`; none within a link."""
        if self._link_words is None:
            yield from map(_button, self._highlighter.ended(at))

    def take(self, event: Event, at: Span) -> Iterator[Markup]:
        """Yield the HTML of the next event, which is at `at`."""
        match event:
            case {"Start": _}:
                opening, end = self._opened(event)
                self._ends.append(end)
                yield opening
            case {"End": _}:
                yield from self._closed(self._ends.pop(), at)
            case {"Text": text} | {"Html": text} | {"InlineHtml": text}:
                yield self.words(text, at)
                yield from self.settle(at.end)
            case {"Code": text}:
                yield Markup("<code>{}</code>").format(self.words(text, at))
                yield from self.settle(at.end)
            case {"FootnoteReference": label}:
                yield Markup("<sup>[{}]</sup>").format(visible(label))
            case {"TaskListMarker": done}:
                yield Markup("☑ ") if done else Markup("☐ ")
            case "SoftBreak":
                yield Markup("\n")
            case "HardBreak":
                yield Markup("<br>")
            case "Rule":
                yield Markup("<hr>")
            case _:
                pass

    def _opened(self, event: Event) -> tuple[Markup, _End]:
        """Return the start tag of an element, and its end."""
        match event:
            case {"Start": {"Heading": heading}}:
                return _block(f"h{min(int(heading['level'][1:]) + _HEADINGS_BELOW, 6)}")
            case {"Start": {"BlockQuote": kind}}:
                opening, end = _block("blockquote")
                return opening + (Markup("<strong>{}</strong>").format(kind) if kind else ""), end
            case {"Start": {"List": first}}:
                opening = Markup("<ul>" if first is None else f'<ol start="{int(first)}">')
                return opening, _block("ul" if first is None else "ol")[1]
            case {"Start": {"CodeBlock": _}}:
                end = _End(Markup("</code></pre>\n"), block=True)
                return Markup('<pre tabindex="0"><code>'), end
            case {"Start": {"FootnoteDefinition": label}}:
                return Markup('<div class="note">[{}] ').format(visible(label)), _block("div")[1]
            case {"Start": {"Table": _}}:
                return _TABLE, _End(Markup("</tbody></table></div>\n"), block=True)
            case {"Start": {"Link": link}}:
                return self._link(link["dest_url"])
            case {"Start": {"Image": image}}:
                end = _End(_target(image["dest_url"]) + Markup("]</span>"))
                return Markup('<span class="image">[image: '), end
            case {"Start": str(tag)}:
                return self._plain(tag)
            case _:
                return _block("div")

    def _plain(self, tag: str) -> tuple[Markup, _End]:
        match tag:
            case "TableHead":
                self._in_head = True
                return Markup("<thead><tr>"), _End(_AFTER_HEAD, block=True)
            case "TableCell":
                return _block("th" if self._in_head else "td")
            case "HtmlBlock":
                return Markup('<pre class="raw" tabindex="0">'), _block("pre")[1]
            case _:
                return _block(_PLAIN.get(tag, "div"))

    def _link(self, target: str) -> tuple[Markup, _End]:
        """Return the start of a link to `target`, or a plain mention if it may not be a link."""
        self._link_words = []
        number, address = self._sources.get(target), web_address(target)
        if address:
            opening = Markup('<a href="{}" rel="noreferrer noopener" target="_blank">')
            return opening.format(address), _End(Markup("</a>"), link=target)
        if number is not None:
            opening = Markup('<a href="#source-{}">').format(number)
            return opening, _End(Markup("</a>"), link=target)
        return Markup("<span>"), _End(Markup("</span>") + _target(target), link="")

    def _closed(self, end: _End, at: Span) -> Iterator[Markup]:
        if end.block:
            yield from self.settle(at.end)
        yield end.html
        if end.html is _AFTER_HEAD:
            self._in_head = False
        if end.link is not None:
            shown = "".join(self._link_words or ()).strip()
            self._link_words = None
            if end.link and web_address(shown) and shown != end.link:
                # A text that looks like another address must not hide where the link leads.
                yield _target(end.link)
            yield from self.settle(at.end)


def _block(name: str) -> tuple[Markup, _End]:
    if name in _INLINE:
        return Markup(f"<{name}>"), _End(Markup(f"</{name}>"))
    return Markup(f"<{name}>"), _End(Markup(f"</{name}>\n"), block=True)


def _target(target: str) -> Markup:
    return Markup(' <code class="target">({})</code>').format(visible(target))
