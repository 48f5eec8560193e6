"""Model of a parsed document. All offsets are half-open character offsets into `text`."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum
from operator import itemgetter
from typing import TYPE_CHECKING

from ..base.vocabulary import CitationState, Location

if TYPE_CHECKING:
    from .words import DocumentWords


class BlockKind(StrEnum):
    """The Markdown construct that a sentence stands in."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE_HEADER = "table_header"
    TABLE_ROW = "table_row"
    BLOCK_QUOTE = "block_quote"
    FOOTNOTE = "footnote"
    REFERENCE = "reference"
    CODE = "code"
    HTML = "html"
    FRONT_MATTER = "front_matter"

    @property
    def makes_claims(self) -> bool:
        """Whether sentences of this block may hold claims of the author's."""
        return self in (
            BlockKind.PARAGRAPH,
            BlockKind.LIST_ITEM,
            BlockKind.TABLE_ROW,
            BlockKind.BLOCK_QUOTE,
            BlockKind.FOOTNOTE,
        )


class CitationForm(StrEnum):
    """How a citation is written."""

    NUMERIC = "numeric"  # [1], with a reference list
    FOOTNOTE = "footnote"  # [^1]
    INLINE_LINK = "inline_link"  # [text](url), [text][label]
    BARE_URL = "bare_url"  # https://…, <https://…>, (https://…)
    DOI = "doi"  # doi:10.…, https://doi.org/10.…
    AUTHOR_YEAR = "author_year"  # (Smith, 2020), Smith et al. (2020)
    PATH = "path"  # a relative link to a file, or its name: (report.md), <report.md>
    MENTION = "mention"  # a source cited before: "(same report)", "the survey says"
    KEY = "key"  # [@smith2020], with a reference list
    UNKNOWN = "unknown"  # a form that is not followed: \\cite{…}, [[…]]


@dataclass(frozen=True, slots=True)
class OffsetMap:
    """Document offsets of the characters of a plain text, ascending; `offsets[i]` is that of `i`.

    Kept as runs, because nearly all characters stand right after the one before: `anchors` has the
    first character of each run with its document offset. `length` counts the characters.
    """

    length: int
    anchors: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, offsets: Iterable[int]) -> OffsetMap:
        """The map of `offsets`, one for each character."""
        anchors: list[tuple[int, int]] = []
        length, expected = 0, -1
        for length, offset in enumerate(offsets, start=1):
            if offset != expected:
                anchors.append((length - 1, offset))
            expected = offset + 1
        return cls(length, tuple(anchors))

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> int:
        if not 0 <= index < self.length:
            raise IndexError(index)
        run = bisect.bisect_right(self.anchors, index, key=itemgetter(0)) - 1
        first, offset = self.anchors[run]
        return offset + index - first

    def __iter__(self) -> Iterator[int]:
        ends = [first for first, _ in self.anchors[1:]] + [self.length]
        for (first, offset), end in zip(self.anchors, ends, strict=False):
            yield from range(offset, offset + end - first)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence as a reader sees it.

    `text` is plain: markup, link targets and citation markers are gone, white space is folded.
    `offsets[i]` is the document offset of `text[i]`, so any span of `text` can be located exactly;
    `[start, end)` covers the sentence's source in characters, its markup and citation markers
    included. `block` numbers the paragraph, list item, table row … that holds it, from 0; sentences
    of one block follow each other. A table row is one sentence, its cells joined by ` | `, `cells`
    giving each cell's span in `text`, in characters; `header` is the sentence index of its table's
    header row. `literal` are the spans of `text`, in characters, that are code or a formula.

    `index` is its place in the document's `sentences`, from 0. `line` and `column` are where its
    source starts, from 1, in characters. `table` is the same for all sentences of a table,
    `list_id` for all of the innermost list; None outside of any.
    """

    index: int
    text: str
    offsets: OffsetMap
    start: int
    end: int
    line: int
    column: int
    kind: BlockKind
    block: int
    section: tuple[str, ...]
    _: KW_ONLY
    cells: tuple[tuple[int, int], ...] = ()
    header: int | None = None
    table: int | None = None
    list_id: int | None = None
    literal: tuple[tuple[int, int], ...] = ()

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """The document span, in characters, of `text[start:end]`; `start < end` is required."""
        return self.offsets[start], self.offsets[end - 1] + 1


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation marker in the text, resolved as far as the document allows.

    `target` is the URL, DOI URL (``https://doi.org/…``) or relative path it leads to; None when its
    reference is missing or names no address (the citation is then incomplete). `label` is the
    marker's own key (``1``, ``smith2020``); `reference` is the reference entry's text.

    `index` is its place in the document's `citations`, from 0. `[start, end)` is the marker's place
    in the document, in characters, which starts at `line` and `column`, both from 1.
    """

    index: int
    form: CitationForm
    raw: str
    label: str
    target: str | None
    start: int
    end: int
    line: int
    column: int
    reference: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """Words in quotation marks: `text` without the marks, located in the document.

    `[start, end)` is the place of `text` in the document, in characters. `sentence` is the index of
    the sentence that holds its start.
    """

    text: str
    start: int
    end: int
    sentence: int


@dataclass(frozen=True, slots=True)
class ScopedCitation:
    """A citation that covers a sentence, and how (decision 22).

    `citation` is the index of the citation in the document.
    """

    citation: int
    state: CitationState


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the range it governs, up to the next heading of its level or higher.

    `level` is the heading's, 1 to 6. `[start, end)` is the range in the document, in characters,
    which starts with the heading on `line`, from 1.
    """

    title: str
    level: int
    start: int
    end: int
    line: int


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed document.

    `scopes[i]` holds the citations that cover `sentences[i]`. `language` is an ISO 639-1 code, or
    ``und`` when the text is too short to tell. `front_matter` holds the scalar entries.
    `line_starts` are the offsets at which the lines begin, in characters. `words` are the lists by
    which its parts were told.
    """

    text: str
    sha256: str
    title: str
    language: str
    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    scopes: tuple[tuple[ScopedCitation, ...], ...]
    quotes: tuple[Quote, ...]
    sections: tuple[Section, ...]
    line_starts: tuple[int, ...]
    words: DocumentWords = field(repr=False, compare=False)
    front_matter: tuple[tuple[str, str], ...] = ()

    def cited_urls(self) -> tuple[str, ...]:
        """Every distinct citation target, in order of first use."""
        return tuple(dict.fromkeys(c.target for c in self.citations if c.target))

    def covering(self, sentence: int) -> tuple[ScopedCitation, ...]:
        """The citations, own or inherited and not only carried, of a sentence by its index."""
        return tuple(one for one in self.scopes[sentence] if one.state is not CitationState.CARRIED)

    def location(self, start: int, end: int, section: str = "") -> Location:
        """The place of `text[start:end]`, in characters, with its line and column."""
        line, column = self.position(start)
        return Location(line, column, start, end, section)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a character offset, both from 1."""
        line = bisect.bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1
