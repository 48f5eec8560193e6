"""The text of a web page as its reader sees it, and what the page says about itself."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice

from lxml import etree, html
from lxml.html import HtmlElement
from trafilatura import bare_extraction
from trafilatura.settings import Document

from ..base.vocabulary import SourceState
from ._page_metadata import declared_free, read_metadata
from .failure import FetchFailed
from .model import Extraction, PageSignals, retraction_banner
from .plain_text import NEVER_SHOWN, clean, one_line
from .policy import MetadataRules
from .visibility import HEADINGS, mark_comments, remove_unseen

_NOT_TEXT = frozenset(("script", "style"))
_OWN_LINE = frozenset(
    (
        *("address", "article", "aside", "blockquote", "body", "br", "caption", "dd", "div", "dl"),
        *("dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5"),
        *("h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section", "summary"),
        *("table", "td", "th", "tr", "ul"),
    )
)
_BLOCKS = frozenset(("p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "article", "section"))
_RAISED = str.maketrans("0123456789+-−n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿ")
_MARKER = re.compile(r"[\[(]?(?:\d{1,3}(?:[,–-] ?\d{1,3}){0,9}|[a-z*†‡§])[\])]?")
_MARKER_CLASS = re.compile(r"\b(?:ref|reference|footnote|fn|cite|citation|noteref)", re.I)

_PAGE_LIKE_CELLS = (
    ".//td[string-length(normalize-space(.)) > 400"
    f" or count({'|'.join(f'.//{tag}' for tag in sorted(_BLOCKS))}) > 1]"
)
_TABLE_PARTS = ("table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption")
_MOST_ROWS_SPANNED = 200
# As much as the text of a page may have at all.
_MOST_REPEATED = 4_000_000
_BESIDE = " | "


def prepare(tree: HtmlElement) -> tuple[str, ...]:
    """Make `tree` ready for reading, in place.

    Returns:
        The rows of its data tables as they now stand in the tree.
    """
    _write_out_superscripts(tree)
    for listing in list(tree.iter("dl")):
        _definitions_to_paragraphs(listing)
    # The extractor drops captions, which state what a chart or picture shows.
    for caption in list(tree.iter("figcaption")):
        caption.tag = "p"
    for figure in list(tree.iter("figure")):
        figure.tag = "div"
    rows: list[str] = []
    room = _Room()
    # Inner tables come before the tables that they are laid out in.
    for table in reversed(list(tree.iter("table"))):
        # One that only arranges the page has no headings of its own, and cells like pages.
        is_headed = next(table.iter("th", "thead"), None) is not None
        is_marked = table.attrib.get("role") in ("presentation", "none")
        if is_marked or (not is_headed and table.xpath(_PAGE_LIKE_CELLS)):
            for part in list(table.iter(*_TABLE_PARTS)):
                part.tag = "div"
        else:
            rows[:0] = _to_paragraphs(table, room)
    return tuple(rows)


def lines(root: HtmlElement, skip: frozenset[str] = frozenset()) -> Iterator[str]:
    """The text of `root`, a block a line, without the elements named in `skip`."""
    walk = etree.iterwalk(root, events=("start", "end"))
    pieces: list[str] = []
    for event, element in walk:
        if element.tag in _OWN_LINE and (line := " ".join("".join(pieces).split())):
            pieces = []
            yield line
        if event == "start":
            if element.tag in _NOT_TEXT or element.tag in skip:
                walk.skip_subtree()
            else:
                pieces.append(element.text or "")
        elif element is not root:
            pieces.append(element.tail or "")
    if line := " ".join("".join(pieces).split()):
        yield line


def plain(element: HtmlElement) -> str:
    """The words of `element` on one line."""
    if len(element) == 0:
        return " ".join((element.text or "").split())
    return " ".join(lines(element))


def _drop(element: HtmlElement) -> None:
    if element.getparent() is not None:
        element.drop_tree()


def _write_out_superscripts(tree: HtmlElement) -> None:
    """`10<sup>6</sup>` must not become 106, nor `2025<sup>[1]</sup>` 20251."""
    for sup in list(tree.iter("sup")):
        text = plain(sup)
        linked = next(sup.iter("a"), None) is not None
        if _MARKER.fullmatch(text) and (linked or _MARKER_CLASS.search(sup.get("class", ""))):
            _drop(sup)
        elif re.fullmatch(r"[0-9+−n-]{1,4}", text):
            _set_words(sup, text.translate(_RAISED))


def _definitions_to_paragraphs(listing: HtmlElement) -> None:
    term = ""
    for element in list(listing.iter("dt", "dd")):
        if element.tag == "dt":
            term = plain(element).removesuffix(":")
            _drop(element)
        elif any(child.tag in _BLOCKS for child in element.iterdescendants()):
            element.tag = "div"
        else:
            _set_words(element, ": ".join(filter(None, (term, plain(element)))))
            element.tag = "p"
    listing.tag = "div"


def _set_words(element: HtmlElement, words: str) -> None:
    for child in list(element):
        child.drop_tree()
    element.text = words


@dataclass(slots=True)
class _Room:
    """The characters that cells spanning others may still take in a page by being repeated."""

    left: int = _MOST_REPEATED

    def take(self, words: str, times: int) -> bool:
        """Whether `words` may stand there so often again."""
        size = times * (len(words) + len(_BESIDE))
        if size > self.left:
            return False
        self.left -= size
        return True


def _to_paragraphs(table: HtmlElement, room: _Room) -> list[str]:
    rows = (*map(plain, table.iter("caption")), *map(_BESIDE.join, _rows(table, room)))
    written = [row for row in rows if row]
    _set_words(table, "")
    table.tag = "div"
    for row in written:
        paragraph = table.makeelement("p")
        paragraph.text = row
        table.append(paragraph)
    return written


def _rows(table: HtmlElement, room: _Room) -> list[list[str]]:
    """The cells of each row; a cell that spans rows is repeated in each of them."""
    rows: list[list[str]] = []
    spanning: dict[int, tuple[str, int]] = {}
    for row in table.iter("tr"):
        cells: list[str] = []
        for cell in row:
            if cell.tag not in ("td", "th"):
                continue
            _take_spanning(cells, spanning)
            words = plain(cell)
            extra = _span(cell, "rowspan") - 1
            if extra and room.take(words, extra):
                spanning[len(cells)] = (words, extra)
            cells.append(words)
            gaps = _span(cell, "colspan") - 1
            if gaps and room.take("", gaps):
                cells.extend([""] * gaps)
        _take_spanning(cells, spanning)
        while cells and not cells[-1]:
            cells.pop()
        rows.append(cells)
    return rows


def _take_spanning(cells: list[str], spanning: dict[int, tuple[str, int]]) -> None:
    while len(cells) in spanning:
        words, left = spanning.pop(len(cells))
        if left > 1:
            spanning[len(cells)] = (words, left - 1)
        cells.append(words)


def _span(cell: HtmlElement, name: str) -> int:
    value = cell.attrib.get(name, "")
    return min(int(value), _MOST_ROWS_SPANNED) if re.fullmatch(r"[1-9][0-9]{0,3}", value) else 1


# The parser closes these before a paragraph, where a browser leaves them open: "<s><p>…</p></s>".
_FORMATS = ("b", "big", "i", "s", "small", "strike", "tt", "u")
_FORMATTING = re.compile(rf"(</?(?:{'|'.join(_FORMATS)}))(?=[\s/>])", re.IGNORECASE)
_RENAMED = {f"{name}-x": name for name in _FORMATS}

# Unless the program handles them, what these libraries log about a page goes to its user's screen.
for _library in ("trafilatura", "courlan"):
    logging.getLogger(_library).addHandler(logging.NullHandler())

_FURNITURE = frozenset(("nav", "header", "footer", "aside", "form", "head"))
_FURNITURE_OF_MAIN = frozenset(("nav", "aside", "form"))
# The search for the main text guesses on pages with less than this; all of the page is read then.
_LITTLE_TEXT = 250
# The search takes more than a second beyond this, and all of the page is read then.
_MOST_ELEMENTS = 20_000
# A million took 613 MB where 600 are allowed.
_MOST_TAGS = 400_000
# The parser's own limit.
_DEEPEST = 256
# A browser takes no notice of the slash: the element goes on, and hides what follows.
_NOT_CLOSED = re.compile(
    rf"(<(?:{'|'.join(sorted(NEVER_SHOWN - {'svg'}))})(?:\s[^<>]{{0,1000}})?"
    r"|<(?:[abipqsu]|div|span|section|article|aside|main|em|strong|small|font|[uod]l|li|d[dt]"
    r"|table|t[rdh]|h[1-6]|blockquote|details|center)\s[^<>]{0,500}"
    r"\b(?:hidden|popover|style)\b[^<>]{0,500})/>",
    re.IGNORECASE,
)
# Author and dates stand near the top, and the search for them is slow on large pages.
_MOST_METADATA_MARKUP = 1_000_000
_MOST_SIGNAL_CHARACTERS = 20_000


def read_html(markup: str, url: str, newest: date, rules: MetadataRules) -> Extraction:
    """Read a page.

    Args:
        markup: The page, decoded.
        url: The address that it came from.
        newest: No date after this one is believed to be the page's.
        rules: Where pages say what they are.

    Raises:
        FetchFailed: `too_large` for too many tags; `no_text`: there is no element in it, or no text
            above the deepest level read.
    """
    if markup.count("<") > _MOST_TAGS:
        raise FetchFailed(SourceState.TOO_LARGE, f"its markup has more than {_MOST_TAGS:,} tags")
    markup = clean(markup)
    tree, deeper = _parse(markup)
    top, _ = _parse(markup[:_MOST_METADATA_MARKUP])
    free = declared_free(tree)
    remove_unseen(top)
    hidden = remove_unseen(tree)
    mark_comments(tree)
    rows = prepare(tree)
    seen = _beginning(lines(tree, skip=frozenset(("head",))))
    title = next((one_line(plain(element)) for element in tree.iter("title")), "")
    headings = (one_line(plain(element)) for element in islice(tree.iter("h1", "h2"), 10))
    signals = PageSignals(title, tuple(headings), seen, free)
    about = read_metadata(top, url, newest, rules)
    text = _text(tree, rows)
    text = f"{retraction_banner(seen, text)}\n{text}".lstrip("\n")
    if deeper and not text:
        reason = f"its text is nested more than {_DEEPEST} elements deep"
        raise FetchFailed(SourceState.NO_TEXT, reason)
    return Extraction(text, about=about, signals=signals, cut=deeper, hidden=hidden)


def _parse(markup: str) -> tuple[HtmlElement, bool]:
    """The tree of a page, and whether the parser has stopped at elements nested too deeply."""
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    renamed = _FORMATTING.sub(r"\1-x", _NOT_CLOSED.sub(r"\1>", markup))
    try:
        tree = html.document_fromstring(renamed.encode(), parser, ensure_head_body=True)
    except etree.ParserError as error:
        raise FetchFailed(SourceState.NO_TEXT, "the page is empty") from error
    for element in tree.iter(*_RENAMED):
        element.tag = _RENAMED[str(element.tag)]
    limited = parser.error_log.filter_types(etree.ErrorTypes.ERR_RESOURCE_LIMIT)
    return tree, len(limited) > 0


def _text(tree: HtmlElement, rows: tuple[str, ...]) -> str:
    """The main text, or the page without its furniture if there is hardly any; no row is lost."""
    text = _with_headings(_main_text(tree), tree)
    if len(text) < _LITTLE_TEXT:
        text = "\n".join(_without_furniture(tree)) or text
    present = {" ".join(line.split()) for line in text.split("\n")}
    missing = [row for row in rows if " ".join(row.split()) not in present]
    return "\n".join([text, *missing]).strip()


def _with_headings(text: str, tree: HtmlElement) -> str:
    """`text` with the headings that the search for it left out, each over what stands below it.

    A heading may be a year alone, and without it the year of the figures is unknown.
    """
    titles = {plain(heading) for heading in tree.iter(*HEADINGS)} - {""}
    found = text.split("\n")
    places: dict[str, list[int]] = {}
    for number, line in enumerate(found):
        places.setdefault(line, []).append(number)
    over: dict[int, list[str]] = {}
    pending: list[str] = []
    begun = 0
    for line in lines(tree, skip=_FURNITURE):
        if line in titles:
            pending.append(line)
            continue
        at = next((place for place in places.get(line, ()) if place >= begun), None)
        if at is not None:
            kept = found[begun:at]
            over[at] = [title for title in pending if title not in kept]
            begun = at + 1
        pending = []
    return "\n".join(
        piece for number, line in enumerate(found) for piece in (*over.get(number, ()), line)
    )


def _without_furniture(tree: HtmlElement) -> Iterator[str]:
    """All text but the furniture: that of the main element alone, if the page marks one."""
    marked = list(tree.iter("main")) or list(tree.iter("article"))
    if len(marked) == 1:
        return lines(marked[0], skip=_FURNITURE_OF_MAIN)
    return lines(tree, skip=_FURNITURE)


def _main_text(tree: HtmlElement) -> str:
    if sum(1 for _ in tree.iter()) > _MOST_ELEMENTS:
        return ""
    found = bare_extraction(tree, fast=True, include_comments=False)
    return clean(found.text or "") if isinstance(found, Document) else ""


def _beginning(pieces: Iterator[str]) -> str:
    """The first lines, up to the bound."""
    taken: list[str] = []
    left = _MOST_SIGNAL_CHARACTERS
    while left > 0 and (line := next(pieces, None)) is not None:
        taken.append(line[:left])
        left -= len(line) + 1
    return "\n".join(taken)
