"""Bytes to text: one entry for every kind of source. Runs in a worker thread."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace
from datetime import date
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, assert_never

from ..base.vocabulary import SourceState
from ..documents.front_matter import FrontMatter, read_front_matter
from .failure import FetchFailed
from .model import NO_METADATA, PageMetadata, found_metadata
from .plain_text import clean, decode, one_line, rows_as_lines, strip_hidden_markdown
from .policy import FetchPolicy, TextKind

if TYPE_CHECKING:
    from .html_text import PageSignals


# What servers send when they do not know.
_UNTELLING = frozenset(
    (
        "",
        "application/octet-stream",
        "binary/octet-stream",
        "application/binary",
        "application/download",
        "application/x-download",
        "application/force-download",
        "application/unknown",
    )
)
# Archives, pictures, films, programs and old office files, whatever they call themselves.
_BINARY = (
    *(b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!\x1a", b"BZh9"),
    *(b"\x28\xb5\x2f\xfd", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"OggS", b"ID3\x03"),
    *(b"ID3\x04", b"\x00\x00\x00", b"\x7fELF", b"MZ\x90", b"\xd0\xcf\x11\xe0"),
    b"SQLite format 3\x00",
)
_HTML_START = re.compile(
    rb"\s*(?:<!--.{0,500}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b", re.I | re.S
)


def media_type_of(content_type: str) -> str:
    """The media type of such a header, in lower case without parameters."""
    return content_type.partition(";")[0].strip().lower()


def may_be_read(media_type: str, policy: FetchPolicy) -> bool:
    """Whether a source of `media_type` is worth loading."""
    return media_type in _UNTELLING or _declared(media_type, policy) is not None


def kind_of(media_type: str, name: str, body: bytes, policy: FetchPolicy) -> TextKind | None:
    """How `body` is read, or None if it is nothing that holds text.

    Args:
        media_type: As declared, in lower case without parameters; may be empty.
        name: A path or file name; its suffix tells where the media type does not.
        body: The whole or the first 2,000 bytes.
        policy: Gives media types and suffixes.
    """
    head = body[:2000].removeprefix(b"\xef\xbb\xbf")
    if head.startswith(_BINARY):
        return None
    if b"%PDF-" in head[:1024]:
        return TextKind.PDF
    kind = _declared(media_type, policy)
    if kind is TextKind.PDF and _HTML_START.match(head):
        return TextKind.HTML
    if kind is not None or media_type not in _UNTELLING:
        return kind
    suffix = PurePosixPath(name).suffix.lower()
    if suffix in policy.suffixes:
        return policy.suffixes[suffix]
    if _HTML_START.match(head):
        return TextKind.HTML
    return TextKind.TEXT if _is_text(head) else None


def unsupported(media_type: str) -> FetchFailed:
    """The failure of a source that holds no text that can be read."""
    what = media_type[:80] or "its content"
    return FetchFailed(SourceState.UNSUPPORTED_TYPE, f"{what} is not a kind of text that is read")


def not_text(media_type: str) -> FetchFailed:
    """The failure of a source whose bytes are no text, whatever it calls itself."""
    called = f", though it is called {media_type[:80]}" if media_type else ""
    return FetchFailed(SourceState.UNSUPPORTED_TYPE, f"its content is not text{called}")


def _declared(media_type: str, policy: FetchPolicy) -> TextKind | None:
    if media_type.endswith("+json"):
        return TextKind.JSON
    return policy.media_types.get(media_type)


def _is_text(head: bytes) -> bool:
    """Whether the bytes are UTF-8 text; a character cut off at the end is no fault."""
    if not head or b"\x00" in head:
        return False
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start >= len(head) - 3
    return True


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

    return found_metadata(
        "front matter",
        one_line(first("title", *rules.title_names)),
        one_line(first("author", *rules.author_names)),
        day("published", *rules.published_names),
        day("modified", "updated", *rules.modified_names),
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
    about = found_metadata("PDF properties", pdf.title, pdf.author, published, modified)
    return Extraction(
        pdf.text[:longest],
        about=about,
        pages=tuple(start for start in pdf.pages if start <= longest),
        cut=len(pdf.text) > longest,
    )
