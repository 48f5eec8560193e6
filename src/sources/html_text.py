"""The text of a web page as its reader sees it, and what the page says about itself."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice
from typing import cast

from lxml import etree, html
from lxml.html import HtmlElement
from trafilatura import bare_extraction
from trafilatura.settings import Document

from ..base.vocabulary import SourceState
from .failure import FetchFailed
from .html_structure import lines, plain, prepare
from .model import PageMetadata
from .page_metadata import json_ld, read_metadata
from .plain_text import clean, one_line
from .policy import MetadataRules
from .visibility import Unseen, mark_comments, remove_unseen

# Unless the program handles them, what these libraries log about a page goes to its user's screen.
for _library in ("trafilatura", "courlan"):
    logging.getLogger(_library).addHandler(logging.NullHandler())

_FURNITURE = frozenset(("nav", "header", "footer", "aside", "form", "head"))
_FURNITURE_OF_MAIN = frozenset(("nav", "aside", "form"))
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
# The search for the main text guesses on pages with less than this; all of the page is read then.
_LITTLE_TEXT = 250
# The search takes more than a second beyond this, and all of the page is read then.
_MOST_ELEMENTS = 20_000
# Author and dates stand near the top, and the search for them is slow on large pages.
_MOST_METADATA_MARKUP = 1_000_000
_MOST_SIGNAL_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class PageSignals:
    """Signals that tell a page from an error page, teaser or consent page sent in its place.

    `seen` is the beginning of all text on the page, furniture included; `free` is what the page
    declares in `isAccessibleForFree`, None if nothing.
    """

    title: str
    headings: tuple[str, ...]
    seen: str
    free: bool | None


@dataclass(frozen=True, slots=True)
class HtmlText:
    """The main text of a page, a paragraph or table row a line, and its metadata.

    `unseen` counts what stands in the page and its reader does not see.
    """

    text: str
    about: PageMetadata
    signals: PageSignals
    unseen: Unseen


def read_html(markup: str, url: str, newest: date, rules: MetadataRules) -> HtmlText:
    """Read a page.

    Args:
        markup: The page, decoded.
        url: The address that it came from.
        newest: No date after this one is believed to be the page's.
        rules: Where pages say what they are.

    Raises:
        FetchFailed: `no_text`: there is no element in it.
    """
    markup = clean(markup)
    tree = _parse(markup)
    top = _parse(markup[:_MOST_METADATA_MARKUP])
    free = _declared_free(tree)
    remove_unseen(top)
    unseen = remove_unseen(tree)
    mark_comments(tree)
    rows = prepare(tree)
    signals = _signals(tree, free)
    about = read_metadata(top, url, newest, rules)
    return HtmlText(_text(tree, rows), about, signals, unseen)


def _parse(markup: str) -> HtmlElement:
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        return html.document_fromstring(markup.encode(), parser, ensure_head_body=True)
    except etree.ParserError as error:
        raise FetchFailed(SourceState.NO_TEXT, "the page is empty") from error


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

    A heading may be a year alone, and without it nobody can tell of which year the figures are.
    """
    titles = {plain(heading) for heading in tree.iter(*_HEADINGS)} - {""}
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


def _signals(tree: HtmlElement, free: bool | None) -> PageSignals:
    seen = _beginning(lines(tree, skip=frozenset(("head",))))
    title = next((one_line(plain(element)) for element in tree.iter("title")), "")
    headings = (one_line(plain(element)) for element in islice(tree.iter("h1", "h2"), 10))
    return PageSignals(title, tuple(headings), seen, free)


def _beginning(pieces: Iterator[str]) -> str:
    """The first lines, up to the bound."""
    taken: list[str] = []
    left = _MOST_SIGNAL_CHARACTERS
    while left > 0 and (line := next(pieces, None)) is not None:
        taken.append(line[:left])
        left -= len(line) + 1
    return "\n".join(taken)


def _declared_free(tree: HtmlElement) -> bool | None:
    """The page's declaration of free access; false if any of its structured data says so."""
    answers: list[bool] = []
    for data in json_ld(tree):
        answers.extend(_free_flags(data))
    return all(answers) if answers else None


def _free_flags(data: object, depth: int = 3) -> Iterator[bool]:
    """`isAccessibleForFree` of the page itself, not of its parts or of what it links to."""
    if isinstance(data, list) and depth:
        for item in cast("list[object]", data):
            yield from _free_flags(item, depth - 1)
    elif isinstance(data, dict):
        entries = cast("dict[str, object]", data)
        if "isAccessibleForFree" in entries:
            yield str(entries["isAccessibleForFree"]).lower() not in ("false", "no", "0")
        if depth:
            yield from _free_flags(entries.get("@graph"), depth - 1)
