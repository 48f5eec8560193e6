"""One block taken apart: its plain text, sentences, markers and quotations."""

from __future__ import annotations

import bisect
import re
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..base.as_read import SPELLED_OUT, UNSEEN, as_read
from ._addresses import Marker, find_addresses, find_files, link_target
from ._bare_links import BareLinks
from ._markers import CODE, CitedBefore, Marking, find_markers
from .blocks import Block
from .inline import InlineText, Span, blank, trimmed
from .model import BlockKind
from .references import Reference, References
from .scope import PROSE, names_source, only_cites, states
from .words import WORD, DocumentWords

# White space other than one space, and characters that are not visible.
_ODD = rf"(?:[^\S ]|[{UNSEEN}]| (?=[\s{UNSEEN}]))[\s{UNSEEN}]*"
_SPECIAL = re.compile(f"{_ODD}|[{''.join(map(chr, SPELLED_OUT))}]")
_CLOSING = frozenset(",.;:!?)]")
_ENDS_SENTENCE = frozenset(".!?")


@dataclass(frozen=True, slots=True)
class PlainText:
    """`text[i]` stands at `index[i]` of the block's visible text; `cells` as in a table row."""

    text: str
    index: array[int]
    cells: tuple[Span, ...] = ()


def plain_text(
    visible: str, gone: Iterable[Span], powers: Iterable[int] = (), cells: Sequence[Span] = ()
) -> PlainText:
    """`visible` as it is read, without the ranges `gone` and with "^" before each of `powers`.

    No range of `gone` may reach from one of `cells` into the next.
    """
    writer = _Writer(as_read(visible))
    cuts = _merged([*gone, *(Span(at, at) for at in powers)])
    spans: list[Span] = []
    number = 0
    for cell in cells or [Span(0, len(visible))]:
        if spans:
            # The bar between two cells.
            writer.write(" | ", range(cell.start - 3, cell.start))
        begin = writer.begin()
        at = cell.start
        while number < len(cuts) and cuts[number].start < cell.end:
            writer.keep(at, cuts[number].start)
            writer.cut(cuts[number])
            at = cuts[number].end
            number += 1
        writer.keep(at, cell.end)
        spans.append(Span(begin, writer.end()))
    return PlainText("".join(writer.parts), writer.index, tuple(spans) if cells else ())


def _merged(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start < merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged


class _Writer:
    def __init__(self, visible: str) -> None:
        self.parts: list[str] = []
        self.index = array("i")
        self._visible = visible
        self._begin = 0
        self._last = ""
        self._joint: int | None = None

    def begin(self) -> int:
        """A cell begins; where in the plain text."""
        self._last, self._joint = "", None
        self._begin = len(self.index)
        return self._begin

    def end(self) -> int:
        """A cell ends; where in the plain text."""
        self._drop_space()
        return len(self.index)

    def keep(self, start: int, end: int) -> None:
        """Add `visible[start:end]`, white space folded and short forms spelled out."""
        for special in _SPECIAL.finditer(self._visible, start, end):
            at = special.start()
            self._put(start, at)
            start = special.end()
            if spelled := SPELLED_OUT.get(ord(special[0][0])):
                self._put(at, start, spelled)
            elif any(map(str.isspace, special[0])) and self._last not in ("", " "):
                self.write(" ", [at])
        self._put(start, end)

    def cut(self, cut: Span) -> None:
        """Leave `cut` out; an empty one marks the start of a power."""
        if cut.start == cut.end:
            self.write("^", [cut.start])
        else:
            self._joint = cut.start

    def write(self, text: str, index: Iterable[int]) -> None:
        """Add `text` as it is; where each of its characters stands is in `index`."""
        self.parts.append(text)
        self.index.extend(index)
        self._last = text[-1]

    def _put(self, start: int, end: int, spelled: str = "") -> None:
        if start < end and self._visible[start] == " " and self._last in ("", " "):
            start += 1
        if start < end and self._joint is not None:
            # "In the U.S. [1]." has one full stop.
            doubled = self._visible[start] == "." == "".join(self.parts[-3:]).rstrip()[-1:]
            self._join(self._visible[start], self._joint)
            start += doubled
        if spelled:
            self.write(spelled, [start] * len(spelled))
        elif start < end:
            self.write(self._visible[start:end], range(start, end))

    def _join(self, following: str, at: int) -> None:
        """Close the gap that a marker left: no space before a comma, one between sentences."""
        if following in _CLOSING:
            self._drop_space()
        elif self._last in _ENDS_SENTENCE and following.isupper():
            self.write(" ", [at])
        self._joint = None

    def _drop_space(self) -> None:
        if self._last == " ":
            self.index.pop()
            shorter = self.parts.pop()[:-1]
            if shorter:
                self.parts.append(shorter)
            self._last = self.parts[-1][-1] if len(self.index) > self._begin else ""


MAX_QUOTE = 1500
MAX_SINGLE_QUOTE = 300
MAX_NESTING = 8

_MARK = re.compile("[\"'\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a]")
_STRAIGHT = "\"'"
# Each mark that can open a quotation, and those that close it.
_CLOSERS = {
    '"': '"',
    "'": "'",
    "\u201c": "\u201d",
    "\u201d": "\u201d",
    "\u201e": "\u201c\u201d",
    "\u2018": "\u2019",
    "\u201a": "\u2018\u2019",
    "\u00ab": "\u00bb",
    "\u00bb": "\u00ab",
    "\u2039": "\u203a",
    "\u203a": "\u2039",
}
_APOSTROPHES = frozenset("'\u2018\u2019")
_BEFORE_OPENING = frozenset("([{/|=:;\u2014\u2013-\u2026\"'\u2018\u201c\u201e\u201a\u00ab\u2039")
_ELISION = re.compile(r"(?:tis|twas|em|cause|til|till|n|round|neath|bout|cos)\b|\d", re.IGNORECASE)


@dataclass(slots=True)
class _Open:
    mark: str
    start: int
    maybe_end: int | None = None


def find_quotes(text: str) -> list[Span]:
    """The ranges between matching quotation marks, in order of their start; they may nest.

    Marks without a partner yield nothing. Linear in the length of `text`.
    """
    return sorted(_Scanner(text).quotations())


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._open: list[_Open] = []
        self._found: list[Span] = []

    def quotations(self) -> list[Span]:
        """The quotations that were found; doubtful ends are decided last."""
        for match in _MARK.finditer(self._text):
            self._take(match.start())
        for opened in self._open:
            self._settle(opened)
        return self._found

    def _take(self, at: int) -> None:
        mark = self._text[at]
        # The innermost quotation that the mark may close.
        places = reversed(range(len(self._open)))
        number = next((n for n in places if mark in _CLOSERS[self._open[n].mark]), None)
        if number is not None and self._can_close(at):
            self._close(number, at)
        elif self._can_open(at):
            self._drop(mark)
            self._open.append(_Open(mark, at + 1))
            if len(self._open) > MAX_NESTING:
                self._settle(self._open.pop(0))

    def _close(self, number: int, at: int) -> None:
        opened = self._open[number]
        if self._text[at] in _APOSTROPHES and self._may_be_possessive(at):
            opened.maybe_end = at
            return
        for inner in self._open[number + 1 :]:
            self._settle(inner)
        del self._open[number:]
        self._keep(opened, at)

    def _drop(self, mark: str) -> None:
        """A straight mark that opens again shows that the one before had no partner."""
        before = next((one for one in self._open if one.mark == mark), None)
        if before is not None and mark in _STRAIGHT:
            self._settle(before)
            self._open.remove(before)

    def _settle(self, opened: _Open) -> None:
        if opened.maybe_end is not None:
            self._keep(opened, opened.maybe_end)

    def _keep(self, opened: _Open, end: int) -> None:
        start, end = trimmed(self._text, Span(opened.start, end))
        limit = MAX_SINGLE_QUOTE if opened.mark in _APOSTROPHES else MAX_QUOTE
        if end - start <= limit and any(map(str.isalnum, self._text[start:end])):
            self._found.append(Span(start, end))

    def _before(self, at: int) -> str:
        return self._text[at - 1] if at else " "

    def _after(self, at: int) -> str:
        return self._text[at + 1] if at + 1 < len(self._text) else " "

    def _can_open(self, at: int) -> bool:
        mark, before, after = self._text[at], self._before(at), self._after(at)
        if mark == "\u2019":
            return False
        if not (before.isspace() or before in _BEFORE_OPENING):
            # Curly and angular marks show their direction; only straight ones need the space.
            return mark not in "\"'\u2018\u201d\u00bb\u203a"
        if mark in _APOSTROPHES:
            return after.isalpha() and _ELISION.match(self._text, at + 1) is None
        return mark in "\u00ab\u2039" or not after.isspace()

    def _can_close(self, at: int) -> bool:
        mark, before, after = self._text[at], self._before(at), self._after(at)
        if mark in "\u00ab\u00bb\u2039\u203a":
            return True
        return not before.isspace() and not (after.isalnum() and mark in "\"'\u2018\u2019")

    def _may_be_possessive(self, at: int) -> bool:
        """Whether the mark may be the apostrophe of "the dogs' food"."""
        following = self._text[at + 1 : at + 3]
        return self._before(at) in "sS" and following[:1].isspace() and following[1:].islower()


MAX_QUOTATION = 600

_MAY_GO_ON = re.compile(r"[.!?\u2026]\S{0,4}\s|[\u3002\uff01\uff1f].")
_CJK_END = re.compile(r"[\u3002\uff01\uff1f]+[\u300d\u300f\u201d\u2019\uff09]*")
_PLAIN_END = re.compile(r"\b(?:[a-z]{3,}|[A-Z][a-z]{5,})\.[\"'”’)\]]*\s+(?=[\"“(]?[A-ZÀ-ÖØ-Þ])")
_FIGURE_NEXT = re.compile(
    r"\b(?:[a-z]{4,}|[A-Z][a-z]{4,})\.[\"'”’)\]]*\s+(?=\d[\d.,]{0,20}%?\s[a-z])"
)
# A quotation may begin a sentence in small letters.
_QUOTE_NEXT = re.compile(r"(?:(?<![^\W\d_])[^\W\d_]{4,}|[\d%)\]])\.[)\]]*\s+(?=[\"“«]\w+\W)")
_NEXT = re.compile(r"[.!?][\"'”’)\]]*\s+(?=[\"“(]?(?:[^\W_a-z]|\d))")
# "At 10 AM. The …", but "10 a.m. Monday" and "10 a.m. EST".
_TIME_END = re.compile(
    r"\d\s?(?:[AP]M\.|[ap]\.m\.)\s+(?=[A-Z][a-z]+\b(?<!day)(?!\s(?:[Tt]ime|[Ss]tandard)))"
)
_RUN_END = 4
_RUN = re.compile(r"[^\w\s]{12,}")
_LAST_WORD = re.compile(r"([^\s(\[\"“\u2018«]+)\.\s*$")
_ENUMERATOR = re.compile(r"(?:\A|[:;]\s)\(?(?:\d{1,3}|[ivxIVX]{1,5}|[a-zA-Z])[.)]\s*$")
_DAY = re.compile(r"(?:^|\s)\d{1,2}\.\s*$")
_CALLS = re.compile(r"[!?\u2026][\"'”’»)]*\s*$")


def split_sentences(
    text: str, quotes: Sequence[Span], words: DocumentWords, sure: Collection[int] = ()
) -> list[Span]:
    """The sentences of `text`, without the white space around them.

    `sure` are full stops that end a sentence, because a citation stands right before them.

    A boundary inside one of `quotes` (ascending) counts only if the quotation is long, so that a
    short quotation of several sentences stays in one piece.
    """
    starts = [0]
    if _MAY_GO_ON.search(text):
        ends = {match.end() for at in sure if (match := _NEXT.match(text, at))}
        for end in _outside(sorted({*_boundaries(text, words), *ends}), quotes):
            if end in ends or not _goes_on(text, starts[-1], end, words):
                starts.append(end)
    spans = zip(starts, [*starts[1:], len(text)], strict=True)
    found = [trimmed(text, Span(*span)) for span in spans]
    return [span for span in found if span.start < span.end]


def _boundaries(text: str, words: DocumentWords) -> list[int]:
    # Imported here because loading its model takes longer than the rest of the package.
    import nupunkt

    # It takes the square of the length of a run of signs, of which the last few tell as much.
    shown = _RUN.sub(lambda run: "x" * (len(run[0]) - _RUN_END) + run[0][-_RUN_END:], text)
    found = {start for start, _ in nupunkt.sent_spans_adaptive(shown)}
    # nupunkt learns abbreviations from the text and then takes ordinary words for some, above all
    # before a sentence that begins with a figure.
    found.update(
        match.end()
        for pattern in (_PLAIN_END, _FIGURE_NEXT)
        for match in pattern.finditer(text)
        if match[0].partition(".")[0].lower() not in words.doubtful_abbreviations
    )
    for pattern in (_CJK_END, _TIME_END, _QUOTE_NEXT):
        found.update(match.end() for match in pattern.finditer(text))
    return sorted(found - {0, len(text)})


def _outside(ends: Sequence[int], quotes: Sequence[Span]) -> Iterator[int]:
    """Those of `ends` that no quotation of at most `MAX_QUOTATION` characters spans."""
    number = reach = 0
    for end in ends:
        while number < len(quotes) and quotes[number].start < end:
            if quotes[number].end - quotes[number].start <= MAX_QUOTATION:
                reach = max(reach, quotes[number].end)
            number += 1
        if end >= reach:
            yield end


def _goes_on(text: str, start: int, end: int, words: DocumentWords) -> bool:
    """Whether the sentence that begins at `start` goes on after the boundary at `end`."""
    left, right = text[max(start, end - 80) : end], text[end : end + 40]
    if _ENUMERATOR.search(left):
        return True
    following = right[:2]
    if _CALLS.search(left):
        return following[:1].islower() and not following[1:].isupper()
    last = _LAST_WORD.search(left)
    if last is None:
        return False
    if last[1].casefold() in words.abbreviations:
        return True
    month = WORD.match(right)
    return bool(_DAY.search(left) and month and month[0].casefold() in words.ordinal_months)


MAX_BOLD_LINE = 120

_SOURCE_LINE = re.compile(r"\s*(?:[(\[<]|(?:sources?|quellen?|data|all)\b)", re.IGNORECASE)
_SUMS_UP = re.compile(r"[(\[](?:all|everything|both)\b[^()]{0,80}\b(?:from|in|:)", re.IGNORECASE)
_FORMULA = re.compile(
    r"\$\$[^$]{1,2000}\$\$|\\\[.{1,2000}?\\\]|\\\(.{1,500}?\\\)"
    r"|(?<![\w$])\$(?=[^\s$])(?=[^$\n]{0,200}[\\^_={}])[^$\n]{1,200}(?<=\S)\$(?![\d\w])"
)
_STOPS = frozenset(".!?")
_LINES = (BlockKind.PARAGRAPH, BlockKind.BLOCK_QUOTE)


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


def collect_references(blocks: Sequence[Block], words: DocumentWords) -> References:
    """References for each label, footnote and author in the document's lists."""
    references = References(words)
    for block in blocks:
        references.add_header(block)
        written = " ".join(block.inline.text[block.body :].split())
        reference = Reference(written, _first_target(block.inline))
        if block.listed:
            references.add_entry(block.label, reference)
        elif block.noted:
            # The name of a work begins with a capital: "[^1]: e.g. bars of progress".
            says = states(reference.text, words) or reference.text[:1].islower()
            remarks = block.kind is BlockKind.FOOTNOTE and says
            references.add_note(block.label, reference, remarks=remarks)
    for block in blocks:
        # A footnote may name its source by another citation: "See [2], p. 5."
        if block.noted and (known := references.note(block.label)) and known.target is None:
            markers = find_markers(block, references).markers
            target = next((marker.target for marker in markers if marker.target), None)
            references.add_note(block.label, Reference("", target))
    return references


def read_part(block: Block, references: References, before: CitedBefore, bare: BareLinks) -> Part:
    """Take `block` apart; `before` holds the sources of the blocks before it.

    `bare` are the links of the document that only cite.
    """
    inline, words = block.inline, references.words
    if block.kind in (BlockKind.CODE, BlockKind.FRONT_MATTER):
        return _literal(block, Marking([], [], [], []))
    marking = find_markers(block, references, bare, before)
    if block.kind is BlockKind.REFERENCE:
        return _literal(block, marking)
    plain = plain_text(inline.text, marking.gone, marking.powers, inline.cells)
    titles = _in_plain(marking.titles, plain)
    masked = blank(plain.text, _in_plain(inline.code, plain), CODE)
    quotes = _quotes(masked, plain.cells)
    if block.kind in PROSE:
        spans = split_sentences(masked, quotes, words, _ends(marking, inline, plain))
    else:
        spans = [Span(0, len(plain.text))]
    pieces = _pieces(spans, plain, inline, marking.markers)
    pieces = _joined(pieces, plain, titles, words, quoted=block.kind is BlockKind.BLOCK_QUOTE)
    if block.kind is BlockKind.HEADING:
        if not plain.text:
            return _literal(block, marking)
    elif marking.markers and (
        only_cites(plain.text, titles, words)
        # A paragraph of its own, as the line under a quotation is.
        or (len(pieces) == 1 and block.kind in _LINES and names_source(plain.text, words))
    ):
        line = block.kind is BlockKind.PARAGRAPH and _SOURCE_LINE.match(inline.text) is not None
        return _literal(replace(block, kind=BlockKind.REFERENCE), marking, source_line=line)
    # Formulas in TeX: "$$E = mc^2$$", "$x_1$"; "$5 or $6" are none.
    formulas = (Span(*match.span()) for match in _FORMULA.finditer(masked))
    literal = [*_in_plain(inline.code, plain), *formulas]
    return Part(block, plain, tuple(pieces), tuple(quotes), literal=tuple(sorted(literal)))


def _ends(marking: Marking, inline: InlineText, plain: PlainText) -> list[int]:
    """The full stops in the plain text that follow right on a citation that was taken out."""
    stops = {gone.end for gone in marking.gone if inline.text[gone.end : gone.end + 1] in _STOPS}
    places = sorted(stop for stop in stops if stop < len(inline.text))
    found = (bisect.bisect_left(plain.index, place) for place in places)
    # Of the two full stops of "in the U.S. [1]." the first one stands.
    near = [at - (at > 0 and plain.text[at : at + 1] not in _STOPS) for at in found]
    return [at for at in near if at < len(plain.index)]


def _literal(block: Block, marking: Marking, *, source_line: bool = False) -> Part:
    """A part that is one sentence, nothing left out of it; none if nothing in it can be seen."""
    inline = block.inline
    plain = plain_text(inline.text, (), (), inline.cells)
    spans = [Span(0, len(plain.text))] if plain.text else []
    pieces = _pieces(spans, plain, inline, marking.markers)
    return Part(block, plain, tuple(pieces), (), source_line)


def _quotes(text: str, cells: Sequence[Span]) -> list[Span]:
    return [
        quote.shifted(cell.start)
        for cell in cells or [Span(0, len(text))]
        for quote in find_quotes(text[cell.start : cell.end])
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
    pieces: Sequence[Piece],
    plain: PlainText,
    titles: Sequence[Span],
    words: DocumentWords,
    *,
    quoted: bool,
) -> list[Piece]:
    """A "sentence" that only cites ("Source: …") belongs to the one before it.

    So does the line at the end of a quotation that says whose words it has (`quoted`).
    """
    joined: list[Piece] = []
    for piece in pieces:
        named = quoted and names_source(plain.text[slice(*piece.plain)], words)
        if joined and piece.markers and (named or _cites(piece.plain, plain, titles, words)):
            before = joined[-1]
            visible = Span(before.visible.start, piece.visible.end)
            joined[-1] = Piece(before.plain, visible, before.markers + piece.markers)
        else:
            joined.append(piece)
    return joined


def _cites(span: Span, plain: PlainText, titles: Sequence[Span], words: DocumentWords) -> bool:
    first = bisect.bisect_left(titles, span)
    last = bisect.bisect_left(titles, Span(span.end, span.end))
    inside = [at.shifted(-span.start) for at in titles[first:last]]
    return only_cites(plain.text[span.start : span.end], inside, words)


def _first_target(inline: InlineText) -> str | None:
    """The first address that an entry names or links to, a file before an identifier."""
    text = inline.text
    addresses = list(find_addresses(text))
    files = find_files(blank(text, (address.span for address in addresses)))
    numbers = {one.target for one in addresses if text[one.span.start :][:4].lower() != "http"}
    found = [(address.span.start, address.target or "") for address in (*addresses, *files)]
    targets = ((link.span.start, link_target(link.target)) for link in inline.links)
    found += ((at, cited[0]) for at, cited in targets if cited)
    if not found:
        return None
    # An entry that begins with a DOI or an arXiv number may name the file at hand, too.
    local = [one for one in found if "://" not in one[1]] if min(found)[1] in numbers else []
    return min(local or found)[1]
