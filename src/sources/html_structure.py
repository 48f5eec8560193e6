"""Prepares a page's tree for reading: rows become lines.

Facts stand in tables and definition lists, and the search for a page's main text is apt to drop or
split them; as paragraphs they stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree
from lxml.html import HtmlElement

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
_MOST_ROWS_SPANNED = 200


def prepare(tree: HtmlElement) -> tuple[str, ...]:
    """Make `tree` ready for reading, in place.

    Returns:
        The rows of its data tables as they now stand in the tree.
    """
    _write_out_superscripts(tree)
    for listing in list(tree.iter("dl")):
        _definitions_to_paragraphs(listing)
    rows: list[str] = []
    # Inner tables come before the tables that they are laid out in.
    for table in reversed(list(tree.iter("table"))):
        if _is_layout(table):
            _unwrap(table)
        else:
            rows[:0] = _to_paragraphs(table)
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


def _is_layout(table: HtmlElement) -> bool:
    """Whether `table` only arranges the page: no headings of its own, and cells like pages."""
    if table.attrib.get("role") in ("presentation", "none"):
        return True
    if next(table.iter("th", "thead"), None) is not None:
        return False
    return bool(table.xpath(_PAGE_LIKE_CELLS))


def _unwrap(table: HtmlElement) -> None:
    for part in list(table.iter("table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption")):
        part.tag = "div"


def _to_paragraphs(table: HtmlElement) -> list[str]:
    rows = [plain(caption) for caption in table.iter("caption")]
    rows += [" | ".join(cells) for cells in _rows(table)]
    rows = [row for row in rows if row]
    for part in list(table):
        part.drop_tree()
    table.tag = "div"
    table.text = None
    for row in rows:
        paragraph = table.makeelement("p")
        paragraph.text = row
        table.append(paragraph)
    return rows


def _rows(table: HtmlElement) -> list[list[str]]:
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
            if extra:
                spanning[len(cells)] = (words, extra)
            cells.append(words)
            cells.extend([""] * (_span(cell, "colspan") - 1))
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
    value = cell.attrib.get(name)
    if value is None or not re.fullmatch(r"[1-9][0-9]{0,3}", value):
        return 1
    return min(int(value), _MOST_ROWS_SPANNED)
