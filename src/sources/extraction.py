"""Bytes to kind and text: one entry for every kind of source. Runs in a worker thread."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import PurePosixPath

from ..base.vocabulary import SourceState
from ..documents.source import FrontMatter, read_front_matter
from .failure import FetchFailed
from .model import Extraction, PageMetadata
from .plain_text import clean, decode, one_line, rows_as_lines, strip_hidden_markdown
from .policy import FetchPolicy, MetadataRules, TextKind

# What servers send when they do not know.
_UNTELLING = frozenset(
    (
        *("", "application/octet-stream", "binary/octet-stream", "application/binary"),
        *("application/download", "application/x-download", "application/force-download"),
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
# Where a text may say of when it is, and how long such a line is at most.
_HEAD, _LINE = 2_000, 100
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
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


_HEADING = re.compile(r"^# +([^\n]+)", re.M)

# What parsers raise on input that they were not made for, besides errors of their own.
_PARSER_FAULTS = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


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
    longest = policy.limits.text_characters
    try:
        match kind:
            # The two readers are imported when they are needed: the libraries that they import take
            # long to load, and `import foureyes` must stay fast.
            case TextKind.HTML:
                from .html_text import read_html

                most = policy.limits.markup_bytes
                if len(body) > most:
                    reason = f"its markup is larger than {most:,} bytes"
                    raise FetchFailed(SourceState.TOO_LARGE, reason)
                markup = decode(body, charset, markup=True)
                found = read_html(markup, url, newest, policy.metadata)
            case TextKind.PDF:
                from .pdf_text import read_pdf

                found = read_pdf(body, longest, stop, newest)
            case TextKind.TEXT | TextKind.MARKDOWN | TextKind.JSON | TextKind.CSV:
                found = _from_plain(body, kind, policy, charset, newest)
    except _PARSER_FAULTS as error:
        reason = f"its {kind} could not be read ({type(error).__name__})"
        raise FetchFailed(SourceState.NO_TEXT, reason) from error
    if not found.text.strip():
        raise FetchFailed(SourceState.NO_TEXT, f"there is no text in the {kind}")
    return replace(
        found,
        text=found.text[:longest],
        pages=tuple(start for start in found.pages if start <= longest),
        cut=found.cut or len(found.text) > longest,
    )


def _from_plain(
    body: bytes, kind: TextKind, policy: FetchPolicy, charset: str, newest: date
) -> Extraction:
    longest = policy.limits.text_characters
    text = clean(decode(body, charset)[: longest + 1])
    about, hidden = PageMetadata(), 0
    if kind is TextKind.CSV:
        text = rows_as_lines(text)
    elif kind is TextKind.MARKDOWN:
        text, hidden = strip_hidden_markdown(text)
    cut = len(text) > longest
    if kind in (TextKind.MARKDOWN, TextKind.TEXT):
        front = read_front_matter(text)
        if front or _YEAR.search(text[:_HEAD]):
            about = _stated(front, text[:_HEAD], policy.metadata, newest)
        text = text[front.end if front else 0 :]
    heading = _HEADING.search(text[:20_000]) if kind is TextKind.MARKDOWN else None
    if heading and not about.title:
        about = replace(about, title=one_line(heading[1]))
    return Extraction(text, about=about, cut=cut, hidden=hidden)


def _stated(
    front: FrontMatter | None, head: str, rules: MetadataRules, newest: date
) -> PageMetadata:
    """Title, author and dates in front matter by the plain words, else by the names that pages use.

    Dates are read from a short line of the `head`, too: "Last updated: 3 March 2025".
    """
    from .page_metadata import label_pattern, parse_date

    def first(*names: str) -> str:
        return next((value for name in names if front and (value := front.get(name))), "")

    def day(labels: tuple[str, ...], *names: str) -> date | None:
        pattern = label_pattern(labels)
        lines = (one.strip(" *_#>") for one in head.splitlines() if len(one) <= _LINE)
        dated = (line[match.end() :] for line in lines if (match := pattern.match(line)))
        found = parse_date(first(*names)[:100] or next(dated, ""), rules.months)
        return found if found is not None and found <= newest else None

    return PageMetadata(
        one_line(first("title", *rules.title_names)),
        one_line(first("author", *rules.author_names)),
        day(rules.published_labels, "published", *rules.published_names),
        day(rules.modified_labels, "modified", "updated", *rules.modified_names),
    )
