"""Text to a parsed document: the entry point of this layer."""

from __future__ import annotations

import bisect
import hashlib
import re
from collections.abc import Iterator, Sequence

from ..base.errors import DocumentError
from ..base.vocabulary import CitationState
from ._bare_links import BareLinks
from ._markers import CitedBefore
from ._parts import Part, Piece, collect_references, read_part
from .blocks import Block, read_blocks
from .inline import InlineBuilder, Span
from .language import detect_language
from .model import (
    BlockKind,
    Citation,
    Document,
    OffsetMap,
    Quote,
    ScopedCitation,
    Section,
    Sentence,
)
from .references import find_entries
from .scope import ScopePart, find_scopes
from .source import FrontMatter, SourceText, line_starts, read_front_matter
from .words import DocumentWords, packaged_words

# A bold line is a heading below those of Markdown's six levels.
BOLD_LEVEL = 7
# "— ", "— Report, "
_DASH = re.compile(r"[\s>]*(?:[—–―]|--?)\s*(?:[^\n.!?]{1,80}[,:]\s*)?")
LONGEST_SENTENCE = 4001
"""Characters of a sentence that are read; one of so many is too long to be compared."""
MOST_BRACKETS, MOST_SENTENCES = 100_000, 100_000
_BYTE_ORDER_MARK = "\ufeff"


def parse_document(text: str, words: DocumentWords | None = None) -> Document:
    """Parse Markdown or plain text into located sentences, citations and quotations.

    Args:
        text: The document as read, line ends kept. Plain text is read as Markdown.
        words: Word lists to recognise parts by; the packaged ones if None.

    Returns:
        The document. Every offset in it is a character offset into `text`. Its title is the front
        matter's, else the first heading of level 1, else "". Any text parses; nothing is raised.
    """
    words = words or packaged_words()
    start = len(_BYTE_ORDER_MARK) if text.startswith(_BYTE_ORDER_MARK) else 0
    front = read_front_matter(text, start)
    source = SourceText(text, front.end if front else start)
    blocks = find_entries(read_blocks(source), words)
    if front is not None:
        inline = InlineBuilder()
        inline.text(source.text[front.body.start : front.body.end], front.body)
        blocks.insert(0, Block(BlockKind.FRONT_MATTER, inline.finish()))
    references = collect_references(blocks, words)
    before = CitedBefore()
    bare = BareLinks((block.inline for block in blocks if not block.listed), words)
    read = (read_part(block, references, before, bare) for block in blocks)
    parts = [part for part in read if part.pieces]
    return _Assembly(text, parts).document(front, words)


def require_few_brackets(text: str, name: str) -> None:
    """Refuse a document whose citations or sentences would cost minutes and a gigabyte.

    A million took 39 s and 1.1 GB where 20 s and 600 MB are allowed, and cost grows with number.

    Raises:
        DocumentError: `text` has more than `MOST_BRACKETS` opening square brackets or addresses, or
            more than `MOST_SENTENCES` lines and ends of sentences: it would take a gigabyte.
    """
    if text.count("\n") + text.count(". ") > MOST_SENTENCES:
        found = f"{MOST_SENTENCES:,} lines and sentences"
    elif max(text.count("["), text.count("://")) > MOST_BRACKETS:
        found = f"{MOST_BRACKETS:,} links or brackets"
    else:
        return
    raise DocumentError(f"{name!r} has more than {found}", "split it into several documents")


class _Assembly:
    """Numbers sentences, citations and quotations over the whole document."""

    def __init__(self, text: str, parts: Sequence[Part]) -> None:
        self._text = text
        self._parts = parts
        self._lines = line_starts(text)
        self._sentences: list[Sentence] = []
        self._citations: list[Citation] = []
        self._quotes: list[Quote] = []
        self._scope_parts: list[ScopePart] = []
        self._path: list[tuple[int, str]] = []
        self._headings: list[tuple[Sentence, int]] = []
        self._headers: dict[int, int] = {}

    def document(self, front: FrontMatter | None, words: DocumentWords) -> Document:
        for number, part in enumerate(self._parts):
            self._add_part(number, part)
        scopes = tuple(find_scopes(self._scope_parts, words))
        self._add_quotations(scopes)
        top = next((head.text for head, level in self._headings if level == 1), "")
        return Document(
            text=self._text,
            sha256=hashlib.sha256(self._text.encode("utf-8", "surrogatepass")).hexdigest(),
            title=(front.get("title") if front else "") or top,
            language=detect_language(self._prose()),
            sentences=tuple(self._sentences),
            citations=tuple(self._citations),
            scopes=scopes,
            quotes=tuple(sorted(self._quotes, key=lambda quote: (quote.sentence, quote.start))),
            sections=tuple(self._sections()),
            line_starts=self._lines,
            words=words,
            front_matter=front.entries if front else (),
        )

    def _add_part(self, number: int, part: Part) -> None:
        block = part.block
        first = len(self._sentences)
        if block.level:
            while self._path and self._path[-1][0] >= block.level:
                self._path.pop()
            self._path.append((block.level, part.plain.text))
        if block.kind is BlockKind.TABLE_HEADER and block.table is not None:
            self._headers[block.table] = first
        cited: list[tuple[int, ...]] = []
        for piece in part.pieces:
            self._sentences.append(self._sentence(number, part, piece))
            cited.append(self._add_citations(block, piece))
        if block.level:
            self._headings.append((self._sentences[-1], block.level))
        self._add_quotes(part, first)
        texts = tuple(sentence.text for sentence in self._sentences[first:])
        self._scope_parts.append(
            ScopePart(
                block,
                texts,
                tuple(cited),
                level=block.level or BOLD_LEVEL * part.is_bold_line,
                source_line=part.source_line,
                cites_first=part.cites_first,
                sums_up=part.sums_up(),
            )
        )

    def _sentence(self, number: int, part: Part, piece: Piece) -> Sentence:
        block, (start, end) = part.block, piece.plain
        # What is told of a sentence takes longer than its length: a text without a full stop
        # would take minutes.
        end = min(end, start + LONGEST_SENTENCE)
        offsets = block.inline.offsets
        placed = OffsetMap.of(map(offsets.__getitem__, part.plain.index[start:end]))
        at = _around(block.inline.source(piece.visible), placed)
        header = self._headers.get(block.table) if block.table is not None else None
        return Sentence(
            index=len(self._sentences),
            text=part.plain.text[start:end],
            offsets=placed,
            **self._place(at),
            kind=block.kind,
            block=number,
            section=tuple(title for _, title in self._path),
            cells=tuple((cell.start, cell.end) for cell in part.plain.cells if cell.end <= end),
            header=header if block.kind is BlockKind.TABLE_ROW else None,
            table=block.table,
            list_id=block.list_id,
            literal=tuple(
                (max(0, span.start - start), min(end, span.end) - start)
                for span in part.literal
                if span.start < end and start < span.end
            ),
        )

    def _add_citations(self, block: Block, piece: Piece) -> tuple[int, ...]:
        first = len(self._citations)
        for marker in piece.markers:
            at = block.inline.source(marker.span)
            self._citations.append(
                Citation(
                    index=len(self._citations),
                    form=marker.form,
                    raw=self._text[at.start : at.end],
                    label=marker.label,
                    target=marker.target,
                    **self._place(at),
                    reference=marker.reference,
                )
            )
        return tuple(range(first, len(self._citations)))

    def _add_quotes(self, part: Part, first: int) -> None:
        starts = [piece.plain.start for piece in part.pieces]
        offsets, index = part.block.inline.offsets, part.plain.index
        for start, end in part.quotes:
            sentence = first + max(0, bisect.bisect_right(starts, start) - 1)
            text = part.plain.text[start:end]
            place = Span(offsets[index[start]], offsets[index[end - 1]] + 1)
            self._quotes.append(Quote(text, *place, sentence))

    def _add_quotations(self, scopes: Sequence[Sequence[ScopedCitation]]) -> None:
        """Take the sentences of a block quotation for quotations if it says whose words it has.

        It does so by a lead-in that cites, or by a line at its end that names the source.
        """
        quoting = {quote.sentence for quote in self._quotes}
        for sentence, scope in zip(self._sentences, scopes, strict=True):
            if sentence.kind is not BlockKind.BLOCK_QUOTE or sentence.index in quoting:
                continue
            if sentence.text and any(self._attributes(one, sentence) for one in scope):
                span = sentence.source_span(0, len(sentence.text))
                self._quotes.append(Quote(sentence.text, *span, sentence.index))

    def _attributes(self, scoped: ScopedCitation, sentence: Sentence) -> bool:
        """Whether a citation of a sentence in a block quotation names where its words are from."""
        citation = self._citations[scoped.citation]
        match scoped.state:
            case CitationState.DIRECT:
                last = sentence.offsets[len(sentence.offsets) - 1]
                return _DASH.fullmatch(self._text[last + 1 : citation.start]) is not None
            case CitationState.INHERITED:
                block = self._parts[sentence.block].block.inline.offsets
                return not block[0] <= citation.start <= block[-1]
            case CitationState.CARRIED | CitationState.NONE:
                return False

    def _sections(self) -> Iterator[Section]:
        for number, (sentence, level) in enumerate(self._headings):
            # Linear: at most seven sections, one of each level, hold a heading.
            later = (self._headings[at] for at in range(number + 1, len(self._headings)))
            end = next((one.start for one, other in later if other <= level), len(self._text))
            yield Section(sentence.text, level, sentence.start, end, sentence.line)

    def _prose(self) -> str:
        return "\n".join(
            sentence.text
            for sentence in self._sentences
            if sentence.kind.makes_claims or sentence.kind is BlockKind.HEADING
        )

    def _place(self, at: Span) -> dict[str, int]:
        line = bisect.bisect_right(self._lines, at.start)
        column = at.start - self._lines[line - 1] + 1
        return {"start": at.start, "end": at.end, "line": line, "column": column}


def _around(span: Span, placed: OffsetMap) -> Span:
    """`span` with all characters of `placed` in it.

    What a right-to-left override turns round may begin before the first character that is left.
    """
    if not len(placed):
        return span
    return Span(min(span.start, placed[0]), max(span.end, placed[len(placed) - 1] + 1))
