"""A source's bytes to its kind and text, its state and its stored snapshot, and back from that."""

from __future__ import annotations

import re
import threading
import time
from dataclasses import KW_ONLY, asdict, dataclass, replace
from datetime import UTC, date, datetime
from functools import partial
from http import HTTPStatus
from pathlib import PurePosixPath
from urllib.parse import urlsplit

import anyio
import anyio.to_thread

from ..base.off_loop import in_daemon
from ..base.vocabulary import SourceState
from ..documents.language import detect_language
from ..documents.source import FrontMatter, read_front_matter
from .addresses import registrable
from .failure import FetchFailed
from .local_files import LISTING, ListedFile
from .model import Extraction, PageMetadata, PageSignals, Snapshot, Source
from .plain_text import clean, decode, one_line, rows_as_lines, strip_hidden_markdown
from .policy import FetchPolicy, MetadataRules, PageRule, TextKind, fold_words
from .snapshot_store import SnapshotStore, sha256_hex

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
) -> Extraction:
    """Read the text out of `body`.

    Args:
        body: The bytes as stored.
        kind: How they are read.
        policy: Bounds the markup read and the text kept, and tells where pages say what.
        url: The address that answered.
        charset: As declared by the server.
        newest: No date after this one is believed.

    Raises:
        FetchFailed: `no_text` if there is none or the bytes are damaged, `too_large` for markup
            beyond its bound.
    """
    longest = policy.limits.text_characters
    deadline = time.monotonic() + policy.timeouts.extraction
    try:
        match kind:
            # The two readers are imported when they are needed: the libraries that they import take
            # long to load, and `import foureyes` must stay fast.
            case TextKind.HTML:
                from ._html_text import read_html

                most = policy.limits.markup_bytes
                if len(body) > most:
                    reason = f"its markup is larger than {most:,} bytes"
                    raise FetchFailed(SourceState.TOO_LARGE, reason)
                markup = decode(body, charset, markup=True)
                found = read_html(markup, url, newest, policy.metadata)
            case TextKind.PDF:
                from .pdf_text import read_pdf

                found = read_pdf(body, longest, lambda: time.monotonic() > deadline, newest)
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
    from ._page_metadata import label_pattern, parse_date

    def first(*names: str) -> str:
        return next((value for name in names if front and (value := front.get(name))), "")

    def day(labels: tuple[str, ...], *names: str) -> date | None:
        pattern = label_pattern(labels)
        lines = (one.strip(" *_>") for one in head.splitlines() if len(one) <= _LINE)
        dated = (line[match.end() :] for line in lines if (match := pattern.match(line)))
        found = parse_date(first(*names)[:100] or next(dated, ""), rules.months)
        return found if found is not None and found <= newest else None

    return PageMetadata(
        one_line(first("title", *rules.title_names)),
        one_line(first("author", *rules.author_names)),
        day(rules.published_labels, "published", *rules.published_names),
        day(rules.modified_labels, "modified", "updated", *rules.modified_names),
    )


_TITLE_PARTS = re.compile(r"\s[|·•:»/–—-]+\s|\s*[|»•]\s*")
_HOME = re.compile(
    r"/?(?:(?:index|default|home)(?:\.[a-z]{3,5})?/?|[a-z]{2}(?:[-_][a-z]{2})?/?)?", re.I
)


def check_page(page: Extraction, url_chain: tuple[str, ...], policy: FetchPolicy) -> None:
    """Raise if `page` is not the source that was asked for.

    Args:
        page: What was read.
        url_chain: The addresses visited, the requested first.
        policy: Gives the rules; `config/registry/fetch.yaml` explains them.

    Raises:
        FetchFailed: With the state and the reason of the first rule that applies.
    """
    if leads_home(url_chain[0], url_chain[-1]):
        raise FetchFailed(SourceState.SOFT_404, "it redirects to the site's home page")
    signals = page.signals
    if signals is None:
        return
    length = len(page.text)
    for rule in policy.page_rules:
        if _applies(rule, signals, length, policy.fillers):
            raise FetchFailed(rule.state, rule.reason)
    if signals.free is False and length <= policy.declared_paywall_characters:
        reason = "the page declares that it is not free, and little text was sent"
        raise FetchFailed(SourceState.PAYWALLED, reason)


def leads_home(asked: str, answered: str) -> bool:
    """Whether a link to a page of a site has ended on a home page.

    A short link of one step to another site's home page is what such links are for.
    """
    old, new = urlsplit(asked), urlsplit(answered)
    if not new.netloc or new.query or not _HOME.fullmatch(new.path) or _HOME.fullmatch(old.path):
        return False
    same_site = registrable(old.hostname or "") == registrable(new.hostname or "")
    return same_site or len([step for step in old.path.split("/") if step]) > 1


def _applies(rule: PageRule, signals: PageSignals, length: int, fillers: frozenset[str]) -> bool:
    if length <= rule.titled_characters:
        parts = (*_TITLE_PARTS.split(signals.title), signals.title, *signals.headings)
        split = (fold_words(part).split() for part in parts)
        kept = (" ".join(word for word in words if word not in fillers) for words in split)
        if not rule.titles.isdisjoint(kept):
            return True
    if length > rule.phrased_characters:
        return False
    seen = f" {fold_words(signals.title)} {fold_words(signals.seen)} "
    return any(f" {phrase} " in seen for phrase in rule.phrases)


_AT_ONE_TIME = 2
_LISTED = ("title", "author", "published")
"""The fields that an entry of `sources.yaml` may give."""
BEYOND_LIMIT = "the rest is beyond the limit"
"""Marks in its reason that a source was read in part."""
_LANGUAGE_SAMPLE = 20_000
_ONE_AT_A_TIME = threading.Lock()

_MEDIA_TYPES = {
    TextKind.HTML: "text/html",
    TextKind.PDF: "application/pdf",
    TextKind.TEXT: "text/plain",
    TextKind.MARKDOWN: "text/markdown",
    TextKind.JSON: "application/json",
    TextKind.CSV: "text/csv",
}
"""The media type stored for a snapshot of each kind, whatever its server said."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The response of an address, before it is read.

    `status` is None for a local file. `moved` tells that a permanent redirect led to
    another host or path (http to https, `www.` and a final slash do not count). `listed` is the
    file's entry in `sources.yaml`.
    """

    url_chain: tuple[str, ...]
    status: int | None
    body: bytes
    _: KW_ONLY
    headers: tuple[tuple[str, str], ...] = ()
    moved: bool = False
    listed: ListedFile | None = None

    @property
    def unchanged(self) -> bool:
        """Whether the server sent nothing because the copy at hand is as the page is."""
        return self.status == HTTPStatus.NOT_MODIFIED

    @property
    def media_type(self) -> str:
        """As declared, in lower case without parameters; "" if nothing was."""
        return media_type_of(self._content_type)

    @property
    def charset(self) -> str:
        """As declared, "" if nothing was."""
        found = re.search(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", self._content_type, re.I)
        return found[1] if found else ""

    @property
    def _content_type(self) -> str:
        return dict(self.headers).get("content-type", "")


class Reader:
    """Reads answers and stores them. Parsing is done in worker threads, bounded in time."""

    def __init__(self, store: SnapshotStore, policy: FetchPolicy) -> None:
        self._store = store
        self._policy = policy
        self._places = anyio.CapacityLimiter(_AT_ONE_TIME)

    async def read(self, url: str, answer: Answer) -> Source:
        """The source that `url` has become with `answer`.

        What arrived is stored if it is a kind of text, even if there is none in it.

        Raises:
            StorageError: The snapshot could not be written.
            SnapshotError: The snapshot folder is damaged.
        """
        fetched_at = datetime.now(UTC)
        name = urlsplit(answer.url_chain[-1]).path
        media_type = answer.media_type
        kind = kind_of(media_type, name, answer.body, self._policy)
        if not answer.body:
            return Source(url, SourceState.NO_TEXT, "the answer is empty")
        if kind is None:
            called = f", though it is called {media_type[:80]}" if media_type else ""
            return Source(url, SourceState.UNSUPPORTED_TYPE, f"its content is not text{called}")
        page = Extraction("")
        try:
            page = await self._extract(answer, kind, fetched_at)
            check_page(page, answer.url_chain, self._policy)
            state, reason = SourceState.OK, _amount(page)
            if answer.moved:
                state, reason = SourceState.MOVED, f"moved permanently to {answer.url_chain[-1]}"
        except FetchFailed as failure:
            state, reason = failure.state, failure.reason

        def keep() -> Snapshot:
            snapshot = _snapshot_of(answer, kind, page, fetched_at)
            return self._store.put(answer.body, page.text, snapshot)

        return Source(url, state, reason, await anyio.to_thread.run_sync(keep))

    async def _extract(self, answer: Answer, kind: TextKind, fetched_at: datetime) -> Extraction:
        seconds = self._policy.timeouts.extraction
        work = partial(_extract, answer, kind, self._policy, fetched_at)
        async with self._places:
            try:
                with anyio.fail_after(seconds):
                    # The parser is native code, which nothing ends before its time.
                    return await in_daemon(work, "extraction")
            except TimeoutError as error:
                reason = f"reading its text took longer than {seconds:g} s"
                raise FetchFailed(SourceState.NO_TEXT, reason) from error


def _extract(
    answer: Answer, kind: TextKind, policy: FetchPolicy, fetched_at: datetime
) -> Extraction:
    return extract(
        answer.body,
        kind,
        policy,
        url=answer.url_chain[-1] if answer.url_chain else "",
        charset=answer.charset,
        newest=fetched_at.date(),
    )


def _snapshot_of(
    answer: Answer, kind: TextKind, page: Extraction, fetched_at: datetime
) -> Snapshot:
    """The snapshot of `answer`, read as `page`; entries of `sources.yaml` take precedence."""
    given = {name: value for name in _LISTED if (value := getattr(answer.listed, name, None))}
    return Snapshot(
        sha256_hex(answer.body),
        sha256_hex(page.text.encode()),
        answer.url_chain,
        fetched_at,
        answer.status,
        _MEDIA_TYPES[kind],
        len(answer.body),
        origins=tuple((name, LISTING) for name in given),
        language=_language(page.text),
        headers=answer.headers,
        pages=page.pages,
        **{**asdict(page.about), **given},
    )


def _language(text: str) -> str:
    # The first call loads a model, which each of many threads would do for itself.
    with _ONE_AT_A_TIME:
        return detect_language(text[:_LANGUAGE_SAMPLE])


def _amount(page: Extraction) -> str:
    parts = [f"{len(page.text):,} characters of text were read"]
    if page.cut:
        parts.append(BEYOND_LIMIT)
    if page.hidden:
        parts.append(f"{page.hidden:,} more are hidden from readers and were left out")
    return "; ".join(parts)


_KINDS = {media_type: kind for kind, media_type in _MEDIA_TYPES.items()}


def reread(body: bytes, stored: Snapshot, policy: FetchPolicy) -> tuple[str, Snapshot]:
    """The text of `body`, and its metadata, as they follow from the bytes.

    What the user's `sources.yaml` said, and what only the fetch could know (addresses, status,
    headers, time), is taken from `stored`. Bytes that no text can be read from have the text "".
    """
    kind = _KINDS.get(stored.media_type, TextKind.TEXT)
    # Earlier versions also named what a page itself gave.
    given = {name: getattr(stored, name) for name in _LISTED if (name, LISTING) in stored.origins}
    listed = ListedFile.model_construct(**given)
    answer = Answer(stored.url_chain, stored.status, body, headers=stored.headers, listed=listed)
    try:
        page = _extract(answer, kind, policy, stored.fetched_at)
    except FetchFailed:
        page = Extraction("")
    return page.text, _snapshot_of(answer, kind, page, stored.fetched_at)


def same_reading(stored: Snapshot, read: Snapshot) -> bool:
    """Whether two records of one snapshot agree.

    The text of equal bytes is the one that was read first, under whichever address that was.
    """
    return replace(read, text_sha256=stored.text_sha256, pages=stored.pages) == stored
