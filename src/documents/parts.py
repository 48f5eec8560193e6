"""One block taken apart: its plain text, sentences, markers and quotations."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from .addresses import find_addresses, find_files, link_target
from .bare_links import BareLinks
from .citing import names_source, only_cites
from .entries import Entry
from .inline import InlineText, Span, blank, trimmed
from .markers import CODE, Marker, Marking, find_markers
from .mentions import CitedBefore
from .model import BlockKind
from .plain import PlainText, plain_text
from .quotes import find_quotes
from .references import Reference, References
from .sentences import split_sentences
from .stack import Block
from .words import DocumentWords

MAX_BOLD_LINE = 120

_UNDIVIDED = frozenset(
    {
        BlockKind.HEADING,
        BlockKind.TABLE_HEADER,
        BlockKind.TABLE_ROW,
        BlockKind.REFERENCE,
        BlockKind.CODE,
        BlockKind.FRONT_MATTER,
    }
)
_SOURCE_LINE = re.compile(r"\s*(?:[(\[<]|(?:sources?|quellen?|data|all)\b)", re.IGNORECASE)
_SUMS_UP = re.compile(r"[(\[](?:all|everything|both)\b[^()]{0,80}\b(?:from|in|:)", re.IGNORECASE)
_FORMULA = re.compile(
    r"\$\$[^$]{1,2000}\$\$|\\\[.{1,2000}?\\\]|\\\(.{1,500}?\\\)"
    r"|(?<![\w$])\$(?=[^\s$])(?=[^$\n]{0,200}[\\^_={}])[^$\n]{1,200}(?<=\S)\$(?![\d\w])"
)
_STOPS = frozenset(".!?")
_LITERAL = frozenset({BlockKind.REFERENCE, BlockKind.CODE, BlockKind.FRONT_MATTER})


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence of a part: its range in the plain text and in the visible text."""

    plain: Span
    visible: Span
    markers: tuple[Marker, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A block with its sentences; `quotes` are ranges of the plain text.

    `source_line` marks a paragraph that only cites, in brackets or behind a word like "Source".
    `literal` are the ranges of the plain text that are code or a formula.
    """

    block: Block
    plain: PlainText
    pieces: tuple[Piece, ...]
    quotes: tuple[Span, ...]
    source_line: bool = False
    literal: tuple[Span, ...] = ()

    @property
    def is_bold_line(self) -> bool:
        """Whether it is a short paragraph that is emphasised as a whole, as headings are."""
        inline = self.block.inline
        whole = trimmed(inline.text, Span(0, len(inline.text)))
        short = len(inline.text) <= MAX_BOLD_LINE and self.block.kind is BlockKind.PARAGRAPH
        return short and whole in inline.styled

    @property
    def cites_first(self) -> bool:
        """Whether it begins with a citation in brackets, "([Fees](a.md)) The fee rose"."""
        markers = self.pieces[0].markers if self.pieces else ()
        return (
            bool(markers)
            and not any(map(str.isalnum, self.block.inline.text[: markers[0].span.start]))
            and self.block.inline.text.startswith(("(", "["))
        )

    def sums_up(self) -> frozenset[int]:
        """The sentences that end in "(all from [1])"."""
        text = self.block.inline.text
        return frozenset(
            number
            for number, piece in enumerate(self.pieces)
            if piece.markers and _SUMS_UP.search(text, *piece.visible)
        )


def collect_references(entries: Sequence[Entry], words: DocumentWords) -> References:
    """References for each label, footnote and author in the document's lists."""
    references = References()
    for entry in entries:
        reference = Reference(_entry_text(entry), _first_target(entry.block.inline))
        if entry.listed:
            references.add_entry(entry.label, reference)
        elif entry.noted:
            references.add_note(entry.label, reference)
    for entry in entries:
        # A footnote may name its source by another citation: "See [2], p. 5."
        if entry.noted and (known := references.note(entry.label)) and known.target is None:
            markers = find_markers(entry.block.inline, references, words).markers
            target = next((marker.target for marker in markers if marker.target), None)
            references.add_note(entry.label, Reference("", target))
    return references


def read_part(
    entry: Entry,
    references: References,
    words: DocumentWords,
    before: CitedBefore[Marker],
    bare: BareLinks,
) -> Part:
    """Take the block of `entry` apart; `before` holds the sources of the blocks before it.

    `bare` are the links of the document that only cite.
    """
    block, inline = entry.block, entry.block.inline
    marking = _marking(entry, references, words, before, bare)
    if block.kind in _LITERAL:
        return _literal(block, marking)
    plain = plain_text(inline.text, marking.gone, marking.powers, inline.cells)
    titles = _in_plain(marking.titles, plain)
    masked = blank(plain.text, _in_plain(inline.code, plain), CODE)
    quotes = _quotes(masked, plain.cells)
    if block.kind in _UNDIVIDED:
        spans = [Span(0, len(plain.text))]
    else:
        spans = split_sentences(masked, quotes, words, _ends(marking, inline, plain))
    pieces = _pieces(spans, plain, inline, marking.markers)
    pieces = _joined(pieces, plain, titles, words)
    cites_only = bool(marking.markers) and (
        only_cites(plain.text, titles, words)
        or (len(pieces) == 1 and _is_line(block) and names_source(plain.text, words))
    )
    if block.kind is BlockKind.HEADING and not plain.text:
        return _literal(block, marking)
    if cites_only and block.kind is not BlockKind.HEADING:
        line = block.kind is BlockKind.PARAGRAPH and _SOURCE_LINE.match(inline.text) is not None
        return _literal(replace(block, kind=BlockKind.REFERENCE), marking, source_line=line)
    literal = [*_in_plain(inline.code, plain), *_formulas(masked)]
    return Part(block, plain, tuple(pieces), tuple(quotes), literal=tuple(sorted(literal)))


def _formulas(text: str) -> Iterator[Span]:
    """Formulas in TeX: "$$E = mc^2$$", "$x_1$"; "$5 or $6" are none."""
    for match in _FORMULA.finditer(text):
        yield Span(*match.span())


def _is_line(block: Block) -> bool:
    """Whether it is a paragraph of its own, as the line under a quotation is."""
    return block.kind in (BlockKind.PARAGRAPH, BlockKind.BLOCK_QUOTE)


def _ends(marking: Marking, inline: InlineText, plain: PlainText) -> list[int]:
    """The full stops in the plain text that follow right on a citation that was taken out."""
    stops = {gone.end for gone in marking.gone if inline.text[gone.end : gone.end + 1] in _STOPS}
    places = sorted(stop for stop in stops if stop < len(inline.text))
    found = (bisect.bisect_left(plain.index, place) for place in places)
    # Of the two full stops of "in the U.S. [1]." the first one stands.
    near = [at - (at > 0 and plain.text[at : at + 1] not in _STOPS) for at in found]
    return [at for at in near if at < len(plain.index)]


def _marking(
    entry: Entry,
    references: References,
    words: DocumentWords,
    before: CitedBefore[Marker],
    bare: BareLinks,
) -> Marking:
    if entry.block.kind in (BlockKind.CODE, BlockKind.FRONT_MATTER):
        return Marking([], [], [], [])
    in_list = entry.listed and entry.block.kind is BlockKind.REFERENCE
    inline = entry.block.inline
    return find_markers(
        inline, references, words, start=entry.body, in_list=in_list, before=before, bare=bare
    )


def _literal(block: Block, marking: Marking, *, source_line: bool = False) -> Part:
    """A part that is one sentence, nothing left out of it; none if nothing in it can be seen."""
    inline = block.inline
    plain = plain_text(inline.text, (), (), inline.cells)
    spans = [Span(0, len(plain.text))] if plain.text else []
    pieces = _pieces(spans, plain, inline, marking.markers)
    return Part(block, plain, tuple(pieces), (), source_line)


def _quotes(text: str, cells: Sequence[Span]) -> list[Span]:
    return [
        Span(cell.start + start, cell.start + end)
        for cell in cells or [Span(0, len(text))]
        for start, end in find_quotes(text[cell.start : cell.end])
    ]


def _in_plain(spans: Iterable[Span], plain: PlainText) -> list[Span]:
    """Ranges of the visible text as ranges of the plain text."""
    index = plain.index
    return [
        Span(bisect.bisect_left(index, span.start), bisect.bisect_left(index, span.end))
        for span in spans
    ]


def _pieces(
    spans: Sequence[Span], plain: PlainText, inline: InlineText, markers: Sequence[Marker]
) -> list[Piece]:
    """Sentences with the markers they hold: a marker goes to the sentence that it follows."""
    pieces: list[Piece] = []
    number = 0
    for at, span in enumerate(spans):
        first = plain.index[span.start] if at else 0
        last = plain.index[spans[at + 1].start] if at + 1 < len(spans) else len(inline.text)
        begin = number
        while number < len(markers) and markers[number].span.start < last:
            number += 1
        visible = trimmed(inline.text, Span(first, last))
        pieces.append(Piece(span, visible, tuple(markers[begin:number])))
    return pieces


def _joined(
    pieces: Sequence[Piece], plain: PlainText, titles: Sequence[Span], words: DocumentWords
) -> list[Piece]:
    """A "sentence" that only cites ("Source: …") belongs to the one before it."""
    joined: list[Piece] = []
    for piece in pieces:
        if joined and piece.markers and _cites(piece.plain, plain, titles, words):
            before = joined[-1]
            visible = Span(before.visible.start, piece.visible.end)
            joined[-1] = Piece(before.plain, visible, before.markers + piece.markers)
        else:
            joined.append(piece)
    return joined


def _cites(span: Span, plain: PlainText, titles: Sequence[Span], words: DocumentWords) -> bool:
    first = bisect.bisect_left(titles, span)
    last = bisect.bisect_left(titles, Span(span.end, span.end))
    inside = [Span(at.start - span.start, at.end - span.start) for at in titles[first:last]]
    return only_cites(plain.text[span.start : span.end], inside, words)


def _entry_text(entry: Entry) -> str:
    return " ".join(entry.block.inline.text[entry.body :].split())


def _first_target(inline: InlineText) -> str | None:
    """The first address that an entry names or links to."""
    text = inline.text
    addresses = list(find_addresses(text))
    files = find_files(blank(text, (address.span for address in addresses)))
    found = [(address.span.start, address.target) for address in (*addresses, *files)]
    targets = ((link.span.start, link_target(link.target)) for link in inline.links)
    found += ((at, cited[0]) for at, cited in targets if cited)
    return min(found)[1] if found else None
