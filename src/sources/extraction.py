"""Bytes to text: one entry for every kind of source. Runs in a worker thread."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, assert_never

from ..base.vocabulary import SourceState
from ..documents.front_matter import FrontMatter, read_front_matter
from .failure import FetchFailed
from .hidden_markdown import strip_hidden_markdown
from .model import NO_METADATA, PageMetadata
from .plain_text import clean, decode, one_line, rows_as_lines
from .policy import FetchPolicy, TextKind

if TYPE_CHECKING:
    from .html_text import PageSignals

_OPENING = 20_000
_LEAST_EXCERPT = 60
_HEADING = re.compile(r"^# +([^\n]+)", re.M)

# What parsers raise on input that they were not made for, besides errors of their own.
_PARSER_FAULTS = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class Extraction:
    """The text of a source, cut to the longest allowed, and what the source says of itself.

    `cut` tells that text was left out; `pages` is as in `Snapshot`. `hidden` and `folded` count the
    characters that a reader of the page does not see, and that are shown by a click: only the
    latter are part of the text.
    """

    text: str
    _: KW_ONLY
    about: PageMetadata = NO_METADATA
    pages: tuple[int, ...] = ()
    signals: PageSignals | None = None
    cut: bool = False
    hidden: int = 0
    folded: int = 0


def extract(
    body: bytes,
    kind: TextKind,
    policy: FetchPolicy,
    *,
    url: str = "",
    charset: str = "",
    newest: date = date.max,
    stop: Callable[[], bool] = lambda: False,
) -> Extraction:
    """Read the text out of `body`.

    Args:
        body: The bytes as stored.
        kind: How they are read.
        policy: Bounds the markup read and the text kept, and tells where pages say what.
        url: The address that answered.
        charset: As declared by the server.
        newest: No date after this one is believed.
        stop: Asked now and then; true gives up.

    Raises:
        FetchFailed: `no_text` if there is none or the bytes are damaged, `too_large` for markup
            beyond its bound.
    """
    try:
        found = _read(_Given(body, policy, url, charset, newest, stop), kind)
    except _PARSER_FAULTS as error:
        reason = f"its {kind} could not be read ({type(error).__name__})"
        raise FetchFailed(SourceState.NO_TEXT, reason) from error
    if not found.text.strip():
        raise FetchFailed(SourceState.NO_TEXT, f"there is no text in the {kind}")
    return found if found.about.excerpt else replace(found, about=_with_opening(found))


def _with_opening(found: Extraction) -> PageMetadata:
    """The metadata of the source; its first paragraph is the summary if it has none."""
    lines = (one_line(line) for line in found.text[:_OPENING].split("\n"))
    excerpt = next((line for line in lines if len(line) >= _LEAST_EXCERPT), "")
    if not excerpt:
        return found.about
    origins = (*found.about.origins, ("excerpt", "text"))
    return replace(found.about, excerpt=excerpt, origins=origins)


@dataclass(frozen=True, slots=True)
class _Given:
    body: bytes
    policy: FetchPolicy
    url: str
    charset: str
    newest: date
    stop: Callable[[], bool]


def _read(given: _Given, kind: TextKind) -> Extraction:
    match kind:
        case TextKind.HTML:
            return _from_html(given)
        case TextKind.PDF:
            return _from_pdf(given)
        case TextKind.TEXT | TextKind.MARKDOWN | TextKind.JSON | TextKind.CSV:
            return _from_plain(given, kind)
        case _:
            assert_never(kind)


def _from_plain(given: _Given, kind: TextKind) -> Extraction:
    longest = given.policy.limits.text_characters
    text = clean(decode(given.body, given.charset)[: longest + 1])
    about = NO_METADATA
    hidden = 0
    if kind is TextKind.CSV:
        text = rows_as_lines(text)
    elif kind is TextKind.MARKDOWN:
        text, hidden = strip_hidden_markdown(text)
    cut = len(text) > longest
    if kind in (TextKind.MARKDOWN, TextKind.TEXT) and (front := read_front_matter(text)):
        about = _front_matter(front, given)
        text = text[front.end :]
    heading = _HEADING.search(text[:20_000]) if kind is TextKind.MARKDOWN else None
    if heading and not about.title:
        origins = (("title", "first heading"), *about.origins)
        about = replace(about, title=one_line(heading[1]), origins=origins)
    return Extraction(text[:longest], about=about, cut=cut, hidden=hidden)


def _front_matter(front: FrontMatter, given: _Given) -> PageMetadata:
    """Title, author and dates by the plain words, else by the names that pages use."""
    from .page_metadata import parse_date

    rules = given.policy.metadata

    def first(*names: str) -> str:
        return next((value for name in names if (value := front.get(name))), "")

    def day(*names: str) -> date | None:
        found = parse_date(first(*names)[:100], rules.months)
        return found if found is not None and found <= given.newest else None

    title = one_line(first("title", *rules.title_names))
    author = one_line(first("author", *rules.author_names))
    published = day("published", *rules.published_names)
    modified = day("modified", "updated", *rules.modified_names)
    fields = {"title": title, "author": author, "published": published, "modified": modified}
    return PageMetadata(
        title,
        author=author,
        published=published,
        modified=modified,
        origins=tuple((name, "front matter") for name, value in fields.items() if value),
    )


# The two readers are imported when they are needed: the libraries that they import take long to
# load, and `import foureyes` must stay fast.


def _from_html(given: _Given) -> Extraction:
    from .html_text import read_html

    limits = given.policy.limits
    if len(given.body) > limits.markup_bytes:
        reason = f"its markup is larger than {limits.markup_bytes:,} bytes"
        raise FetchFailed(SourceState.TOO_LARGE, reason)
    markup = decode(given.body, given.charset, markup=True)
    page = read_html(markup, given.url, given.newest, given.policy.metadata)
    longest = limits.text_characters
    return Extraction(
        page.text[:longest],
        about=page.about,
        signals=page.signals,
        cut=len(page.text) > longest,
        hidden=page.unseen.hidden,
        folded=page.unseen.folded,
    )


def _from_pdf(given: _Given) -> Extraction:
    from .pdf_text import read_pdf

    longest = given.policy.limits.text_characters
    pdf = read_pdf(given.body, longest, given.stop)
    published, modified = (
        day if day is not None and day <= given.newest else None
        for day in (pdf.published, pdf.modified)
    )
    fields = {
        "title": pdf.title,
        "author": pdf.author,
        "published": published,
        "modified": modified,
    }
    about = PageMetadata(
        pdf.title,
        author=pdf.author,
        published=published,
        modified=modified,
        origins=tuple((name, "PDF properties") for name, value in fields.items() if value),
    )
    return Extraction(
        pdf.text[:longest],
        about=about,
        pages=tuple(start for start in pdf.pages if start <= longest),
        cut=len(pdf.text) > longest,
    )
