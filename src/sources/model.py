"""Sources, their snapshots, and their metadata after the attempt to fetch them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from datetime import date, datetime
from itertools import islice

from ..base.errors import SnapshotError
from ..base.vocabulary import SourceState


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One stored copy of a source, named by the sha256 of its bytes.

    `url_chain` is every address visited, the requested first, the answering last. `fetched_at` is
    UTC. `status` is the HTTP status, None for a local file. `text_sha256` is the hash of the
    extracted text as UTF-8; `size` counts bytes. `pages` gives, for paged media, the offset in the
    text at which each page starts.

    `canonical` is the address that the page asks to be known by. `origins` names the fields of
    metadata that the user's `sources.yaml` gave, each with the name of that file.
    """

    sha256: str
    text_sha256: str
    url_chain: tuple[str, ...]
    fetched_at: datetime
    status: int | None
    media_type: str
    size: int
    _: KW_ONLY
    title: str = ""
    author: str = ""
    published: date | None = None
    modified: date | None = None
    language: str = "und"
    headers: tuple[tuple[str, str], ...] = ()
    pages: tuple[int, ...] = ()
    canonical: str = ""
    origins: tuple[tuple[str, str], ...] = ()


_RETRACTED = re.compile(
    r"\W*(?:retracted|retraction|withdrawn|withdrawal)\b(?: \w+)?\W*(?::|\]|[-–—] )", re.IGNORECASE
)


_TEXT = "(?:article|paper|study|preprint|manuscript|report|page|post|story)"
_BANNER = re.compile(
    r"\W*(?:(?:retraction|withdrawal)(?: (?:note|notice))?[:.—–-] ?)?"
    rf"(?:(?:{_TEXT} )?(?:retracted|withdrawn)(?: {_TEXT})?|this (?:\w+ )?{_TEXT}"
    r" (?:has been|was|is) (?:\w+ )?(?:retracted|withdrawn)\b.{0,300})\W*",
    re.IGNORECASE,
)
_HEAD_LINES = 8
_TOP_LINES = 60


def retraction_banner(seen: str, text: str) -> str:
    """The line at the top of a page, beside its `text`, that says that it was taken back, or ""."""
    lines = (line.strip() for line in seen.split("\n")[:_TOP_LINES])
    found = next((line for line in lines if len(line) > 9 and _BANNER.fullmatch(line)), "")
    return "" if found in text else found


def opens_retracted(text: str) -> bool:
    r"""Whether a line near the beginning says nothing but that the text has been taken back.

    >>> opens_retracted("# Tea\n\n**RETRACTED**\n\nTea prevents gallstones.")
    True
    >>> opens_retracted("# Tea\n\nThe journal has retracted a paper on tea.")
    False
    """
    lines = (line.strip() for line in text[:10_000].split("\n"))
    return any(_BANNER.fullmatch(line) for line in islice(filter(None, lines), _HEAD_LINES))


def is_marked_retracted(title: str) -> bool:
    """Whether the title of a publication begins with its publisher's mark of a retraction.

    >>> is_marked_retracted("RETRACTED: Tea and gallstones")
    True
    >>> is_marked_retracted("Retracted papers of 2020")
    False
    """
    return _RETRACTED.match(title) is not None


@dataclass(frozen=True, slots=True)
class PageMetadata:
    """The fields found, "" or None for those that are not there.

    `canonical` is the address that the page wants to be known by.
    """

    title: str = ""
    author: str = ""
    published: date | None = None
    modified: date | None = None
    canonical: str = ""


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
class Extraction:
    """The text read out of a source, and what the source says of itself.

    Of a page, a paragraph or table row is a line. `cut` tells that text was left out; `pages` is as
    in `Snapshot`. `hidden` counts the characters that a reader of the page does not see, in pieces
    of several words: a menu's icon or a counter is not reported.
    """

    text: str
    _: KW_ONLY
    about: PageMetadata = PageMetadata()
    pages: tuple[int, ...] = ()
    signals: PageSignals | None = None
    cut: bool = False
    hidden: int = 0


ITSELF = "it is the document itself, which is no source of its own claims"
ITS_COPY = "it is a copy of the document"


@dataclass(frozen=True, slots=True)
class Source:
    """The outcome for one cited address: its state, why, and the snapshot if there is one.

    A state that is not `readable` may still have a snapshot (the bytes of a paywall page), which is
    never evidence.
    """

    url: str
    state: SourceState
    reason: str
    snapshot: Snapshot | None = None


def evidence_of(source: Source) -> Snapshot | None:
    """The snapshot of `source` if it can be evidence, which that of a readable one can."""
    return source.snapshot if source.state.readable else None


@dataclass(frozen=True, slots=True)
class SourceSet:
    """The sources of one iteration and the extracted text of each readable snapshot."""

    sources: Mapping[str, Source] = field(default_factory=dict[str, Source])
    texts: Mapping[str, str] = field(default_factory=dict[str, str])

    def source(self, url: str) -> Source:
        """The source fetched for `url`, or a `not_fetched` one."""
        missing = Source(url, SourceState.NOT_FETCHED, "this address was not fetched")
        return self.sources.get(url, missing)

    def readable(self, url: str) -> tuple[Snapshot, str] | None:
        """Snapshot and text of `url`, or None when there is nothing to compare with.

        Raises:
            SnapshotError: The source is readable but its text is not here.
        """
        if (snapshot := evidence_of(self.source(url))) is None:
            return None
        if snapshot.sha256 not in self.texts:
            raise SnapshotError(f"the text of snapshot {snapshot.sha256} is missing")
        return snapshot, self.texts[snapshot.sha256]
