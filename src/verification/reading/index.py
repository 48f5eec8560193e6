"""Snapshot texts split into sentences and indexed by word, so that claims can be looked up fast."""

from __future__ import annotations

import bisect
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from ...claims.lexicon import Lexicon
from ...claims.model import DateSpan, Quantity, QuantityKind
from ...claims.quantity.quantities import find_slots
from ...claims.temporal.yearless import with_yearless
from ...claims.words import WORD, Token
from ...sources.model import Snapshot, SourceSet
from .cast import Cast
from .fiscal import FiscalYear, find_fiscal_year
from .form import number_spans, token_positions
from .headings import Headings
from .records import Record
from .rows import RowStyle, is_entry, row_styles

_BLANK = re.compile(r"\n[ \t]*\n\s*")
_LINE = re.compile(r"[^\n]+")
_END = re.compile(r"[.!?][\"'”’)\]*_]*\s+(?=[\"'“\u2018(\[*_]*[A-Z0-9]|[\"“][a-z])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:[A-Za-z]|Mr|Mrs|Ms|Dr|Prof|St|No|Nos|Fig|Figs|Eq|Sec|Art|Vol|pp|vs|etc|cf|al|Inc|Ltd"
    r"|Co|Corp|Gen|Sen|Rep|Gov|Capt|Lt|Col|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|approx|ca)"
    r"|\b(?:e\.g|i\.e|U\.S|U\.K))\.$"
)
_RULE = re.compile(r"[\s|:+-]*-[\s|:+-]*")
_BULLET = re.compile(r"\s*(?:[-*•–#>]+|\d{1,3}[.)])\s")
_ENDS = tuple('.!?:;|"”’)')
# A line of a list of figures: "Letters answered: 418".
_ENTRY = re.compile(r"[^.!?:\n]{2,80}: [^.!?:\n]{0,12}\d[^.!?:\n]{0,20}")
# A sentence that is all quotation, as those that a page takes up to examine.
_QUOTED = re.compile(r"\W*(?:\d{1,3}[:.)]\s*)?[“\"\u2018«][^”\"’»]*[”\"’»]\W*\Z")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
# A shorter line is a heading or an entry and not the wrapped line of a paragraph.
_WRAPPED = 45
MAX_SENTENCE = 2000
# A sentence with more numbers is a list of data: each of them is compared with the claim's.
MOST_FIGURES = 100
_NOUN_REACH = 4
_NOUN_ROOT = 4
# So many sentences tell whether a word is a name: reading all of a long text would cost too much.
_SAMPLED = 20
# The first segments: title, author, date.
_HEAD = 3


@dataclass(frozen=True, slots=True)
class Segment:
    """A sentence, heading or table row of a source.

    `header` is the place of the row that names the columns of a table row, `style` tells how the
    row's cells are set apart; the header has a style, too.
    """

    start: int
    end: int
    block: int
    header: tuple[int, int] | None = None
    style: RowStyle | None = None


class Figure(NamedTuple):
    """A number or date of a segment.

    `first` and `last` are the numbers of the tokens that it touches, `spans` the parts of the text
    that are number, unit or qualifier, `between` the words between a count and its noun.
    """

    value: Quantity | DateSpan
    first: int
    last: int
    spans: tuple[tuple[int, int], ...]
    between: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SegmentFacts:
    """The words, numbers and dates of a segment; offsets are into the whole text.

    `positions` count the words from the segment's start, see `token_positions`.
    """

    tokens: tuple[Token, ...]
    positions: tuple[float, ...]
    figures: tuple[Figure, ...]

    @property
    def dates(self) -> tuple[DateSpan, ...]:
        """The dates among the figures."""
        return tuple(f.value for f in self.figures if isinstance(f.value, DateSpan))


class TextIndex:
    """One source text: its segments, and in which of them each word stem occurs."""

    def __init__(self, text: str, lexicon: Lexicon, *, title: str = "") -> None:
        self.text = text
        self.title = title
        self.title_stems = frozenset(token.stem for token in lexicon.words.tokens(title))
        self.lexicon = lexicon
        self._facts: dict[int, SegmentFacts] = {}
        self._meta: dict[int, bool] = {}
        self._orders: dict[int, bool] = {}
        self._capital: dict[str, bool] = {}
        self._names: dict[str, bool] = {}
        self._governing: dict[int, frozenset[str]] = {}
        self._headings: dict[int, tuple[int, ...]] = {}
        # The values of a segment with the words of their clauses, kept by those who read them.
        self.records: dict[int, tuple[Record, ...]] = {}
        self.segments = tuple(_segments(text))
        self.postings = self._post()

    def _post(self) -> dict[str, list[int]]:
        postings: dict[str, list[int]] = {}
        stems: dict[str, str] = {}
        book = self.lexicon.words
        for index, segment in enumerate(self.segments):
            words = {
                stems.get(w) or stems.setdefault(w, book.stem(w.lower().replace("’", "'")))
                for w in WORD.findall(self.text, segment.start, segment.end)
            }
            if not words.isdisjoint(book.multiword_keys):
                written = self.text[segment.start : segment.end]
                words.update(token.stem for token in book.tokens(written))
            for word in words:
                postings.setdefault(word, []).append(index)
        return postings

    @cached_property
    def cast(self) -> Cast:
        """Who appears in the text."""
        return Cast(
            self.text, lambda number: self.facts(number).tokens, self.lexicon, self._is_name
        )

    def _is_name(self, word: str) -> bool:
        """Whether the first sentences that have the lower-case `word` never write it so."""
        known = self._names.get(word)
        if known is None:
            lower = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
            numbers = self.postings.get(self.lexicon.words.stem(word), ())
            places = [self.segments[number] for number in numbers[:_SAMPLED]]
            small = any(lower.search(self.text, place.start, place.end) for place in places)
            known = self._names[word] = bool(places) and not small
        return known

    @cached_property
    def heading_dates(self) -> tuple[DateSpan, ...]:
        """The dates of the title and at the head of the text."""
        head = range(len(self.segments[:_HEAD]))
        _, titled = find_slots(self.title, self.lexicon)
        return (*titled, *(date for number in head for date in self.facts(number).dates))

    @cached_property
    def fiscal_year(self) -> FiscalYear | None:
        """When the fiscal year of the source runs, if it says so."""
        return find_fiscal_year(self.text)

    @cached_property
    def heading_stems(self) -> frozenset[str]:
        """The words of the title and of the head of the text."""
        head = range(len(self.segments[: _HEAD - 1]))
        return self.title_stems.union(
            token.stem
            for number in head
            if not self.is_meta(number)
            for token in self.facts(number).tokens
        )

    @cached_property
    def tables(self) -> tuple[tuple[int, int], ...]:
        """The first and last segment of each table: a header and the rows below it."""
        found: list[tuple[int, int]] = []
        for number, segment in enumerate(self.segments):
            if segment.header is None:
                continue
            if found and found[-1][1] == number - 1:
                found[-1] = found[-1][0], number
            else:
                found.append((number - 1, number))
        return tuple(found)

    def governing(self, number: int) -> frozenset[str]:
        """The words of what stands over a segment: its heading, question or lead-in."""
        known = self._governing.get(number)
        if known is None:
            known = self._governing[number] = frozenset(
                token.stem for over in self._over(number) for token in self.facts(over).tokens
            )
        return known

    def dates_over(self, number: int) -> tuple[DateSpan, ...]:
        """The dates of what stands over a segment."""
        return tuple(date for over in self._over(number) for date in self.facts(over).dates)

    def _over(self, number: int) -> tuple[int, ...]:
        known = self._headings.get(number)
        if known is None:
            found = Headings(self.text, self.segments).over(number)
            known = self._headings[number] = tuple(found)
        return known

    @cached_property
    def _vocabulary(self) -> list[str]:
        return sorted(self.postings)

    def knows_root(self, root: str) -> bool:
        """Whether a word of the text begins with `root`."""
        at = bisect.bisect_left(self._vocabulary, root)
        return at < len(self._vocabulary) and self._vocabulary[at].startswith(root)

    def tokens_at(self, start: int, end: int) -> list[Token]:
        """The words of a part of the text."""
        return [token.moved(start) for token in self.lexicon.words.tokens(self.text[start:end])]

    def weight(self, word: str) -> float:
        """How telling a word stem is in this text; a word it lacks counts as a rare one."""
        return math.log(1 + (len(self.segments) + 1) / len(self.postings.get(word, (0,))))

    def is_always_capital(self, word: str) -> bool:
        """Whether the text never writes the lower-case `word` in lower case."""
        known = self._capital.get(word)
        if known is None:
            lower = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", self.text)
            known = self._capital[word] = lower is None
        return known

    def holding(self, words: Iterable[str]) -> frozenset[int]:
        """The segments that have each of these stems, or one of the same meaning."""
        alike = self.lexicon.words.alike
        having = [
            frozenset(number for one in alike(word) for number in self.postings.get(one, ()))
            for word in words
        ]
        return frozenset[int].intersection(*having) if having else frozenset()

    def segment_at(self, offset: int) -> int:
        """The number of the segment that holds `offset`, or of the last one before it."""
        return max(0, bisect.bisect_right(self.segments, offset, key=lambda s: s.start) - 1)

    def knows(self, word: str) -> bool:
        """Whether the title has a word stem, or a sentence that states something."""
        if word in self.title_stems:
            return True
        return any(not self.is_meta(number) for number in self.postings.get(word, ()))

    def is_meta(self, index: int) -> bool:
        """Whether a segment states nothing.

        It is a question, talks to the reader or about a claim or is announced by what does, is
        taken back by the next one, repeats what has been retracted, or stands in a comment that no
        reader sees.
        """
        known = self._meta.get(index)
        if known is None:
            segment, words = self.segments[index], self.lexicon.words
            own, after = self._segment_text(index), self._segment_text(index + 1)
            known = self._meta[index] = bool(
                own.endswith("?")
                or words.meta.found_in(own)
                or self._stands_by_order(index)
                or self._is_announced(index)
                or words.refutation.search(after)
                or (_QUOTED.match(own) and words.refutation.search(self._segment_text(index + 2)))
                or (self._is_retraction and words.restated.search(own))
                or any(s < segment.end and segment.start < e for s, e in self._comments)
            )
        return known

    def _stands_by_order(self, index: int) -> bool:
        """Whether an order to a machine stands right before or after a segment on its line."""
        near = (other for other in (index - 1, index + 1) if 0 <= other < len(self.segments))
        return any(
            "\n" not in self._between(index, other) and self._is_order(other) for other in near
        )

    def _is_order(self, index: int) -> bool:
        known = self._orders.get(index)
        if known is None:
            text = self._segment_text(index)
            known = self._orders[index] = self.lexicon.words.orders.found_in(text)
        return known

    def _is_announced(self, index: int) -> bool:
        """Whether it follows a line such as "The following has been verified:"."""
        before = self._segment_text(index - 1) if index else ""
        return before.endswith(":") and self.lexicon.words.meta.found_in(before)

    def _between(self, one: int, other: int) -> str:
        first, last = self.segments[min(one, other)], self.segments[max(one, other)]
        return self.text[first.end : last.start]

    def _segment_text(self, index: int) -> str:
        segment = self.segments[index] if index < len(self.segments) else None
        return self.text[segment.start : segment.end] if segment else ""

    @cached_property
    def _is_retraction(self) -> bool:
        head = (self._segment_text(number) for number in range(_HEAD))
        return any(self.lexicon.words.retraction.search(text) for text in head)

    @cached_property
    def _comments(self) -> tuple[tuple[int, int], ...]:
        return tuple(match.span() for match in _COMMENT.finditer(self.text))

    def facts(self, index: int) -> SegmentFacts:
        """The words, numbers and dates of a segment, found at the first call."""
        known = self._facts.get(index)
        if known is None:
            known = self._facts[index] = self._read(self.segments[index])
        return known

    def _read(self, segment: Segment) -> SegmentFacts:
        base, text = segment.start, self.text[segment.start : segment.end]
        tokens = self.lexicon.words.tokens(text)
        quantities, dates = with_yearless(text, *find_slots(text, self.lexicon), self.lexicon)
        values = (*quantities, *dates)
        if len(values) > MOST_FIGURES:
            values = sorted(values, key=lambda value: value.start)[:MOST_FIGURES]
        return SegmentFacts(
            tuple(token.moved(base) for token in tokens),
            token_positions(text, tokens),
            tuple(_figure(value, text, tokens, base, self.lexicon) for value in values),
        )


def _figure(
    value: Quantity | DateSpan, text: str, tokens: Sequence[Token], base: int, lexicon: Lexicon
) -> Figure:
    first = bisect.bisect_right(tokens, value.start, key=lambda token: token.end)
    last = bisect.bisect_left(tokens, value.end, key=lambda token: token.start) - 1
    if last < first:
        first = last = 0
    return Figure(
        replace(value, start=value.start + base, end=value.end + base),
        first,
        last,
        tuple((start + base, end + base) for start, end in number_spans(text, value, lexicon)),
        _between(value, tokens),
    )


def _between(value: Quantity | DateSpan, tokens: Sequence[Token]) -> tuple[str, ...]:
    if isinstance(value, DateSpan) or value.kind is not QuantityKind.COUNT or not value.unit:
        return ()
    at = bisect.bisect_left(tokens, value.end, key=lambda token: token.start)
    after = [token.stem for token in tokens[at : at + _NOUN_REACH]]
    noun = value.unit[:_NOUN_ROOT]
    place = next((n for n, word in enumerate(after) if word[:_NOUN_ROOT] == noun), 0)
    return tuple(after[:place])


class SourceIndex:
    """The readable sources of an iteration, each text indexed when it is first needed.

    Keep one beside a `SourceSet` and pass it to every call; it holds no other state.
    """

    def __init__(self, sources: SourceSet, lexicon: Lexicon) -> None:
        self.sources = sources
        self.lexicon = lexicon
        self._texts: dict[str, TextIndex] = {}

    def readable(self, url: str) -> tuple[Snapshot, TextIndex] | None:
        """Snapshot and indexed text of `url`, or None when there is nothing to compare with.

        Raises:
            SnapshotError: The source is readable but its text is missing.
        """
        found = self.sources.readable(url)
        if found is None:
            return None
        snapshot, text = found
        index = self._texts.get(snapshot.sha256)
        if index is None:
            title = f"{snapshot.title} {snapshot.author}"
            index = self._texts[snapshot.sha256] = TextIndex(text, self.lexicon, title=title)
        return snapshot, index


def whole_sentences(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the sentences, headings and table rows begin and end that `[start, end)` touches."""
    touched = [one for one in _segments(text) if one.start < end and start < one.end]
    if not touched:
        return start, end
    return min(start, touched[0].start), max(end, touched[-1].end)


def _segments(text: str) -> Iterator[Segment]:
    start = 0
    for number, gap in enumerate(
        [*(match.span() for match in _BLANK.finditer(text)), (len(text), 0)]
    ):
        yield from _block(text, start, gap[0], number)
        start = gap[1]


def _block(text: str, start: int, end: int, number: int) -> Iterator[Segment]:
    """The segments of a paragraph: rows and short lines by line, wrapped lines joined."""
    header: tuple[int, int] | None = None
    pending: tuple[int, int] | None = None
    listed = False
    lines = list(_LINE.finditer(text, start, end))
    styles = row_styles([line[0] for line in lines])
    for place, (line, style) in enumerate(zip(lines, styles, strict=True)):
        at = line.span()
        if style:
            if pending:
                yield from _sentences(text, *pending, number)
                pending = None
            if _RULE.fullmatch(line[0]):
                continue
            yield Segment(*at, number, header, style)
            below = lines[place + 1][0] if place + 1 < len(lines) else ""
            heads = header is None and not (below and _RULE.fullmatch(below))
            listed = listed or (heads and is_entry(line[0], style))
            header = None if listed else header or at
            continue
        header, listed = None, False
        if pending and _breaks(text[pending[0] : pending[1]], line[0]):
            yield from _sentences(text, *pending, number)
            pending = None
        pending = (pending[0] if pending else at[0], at[1])
    if pending:
        yield from _sentences(text, *pending, number)


def _breaks(before: str, line: str) -> bool:
    """Whether a line starts anew after the lines in `before`."""
    last = before.rpartition("\n")[2].rstrip(" \t*_")
    entries = _ENTRY.fullmatch(last.strip()) and _ENTRY.fullmatch(line.strip(" \t*_"))
    return len(last) < _WRAPPED or last.endswith(_ENDS) or bool(_BULLET.match(line) or entries)


def _sentences(text: str, start: int, end: int, number: int) -> Iterator[Segment]:
    for match in _END.finditer(text, start, end):
        stop = match.end()
        if _ABBREVIATION.search(text, max(start, match.start() - 8), match.start() + 1):
            continue
        yield from _cut(start, match.start() + len(match[0].rstrip()), number)
        start = stop
    yield from _cut(start, end, number)


def _cut(start: int, end: int, number: int) -> Iterator[Segment]:
    for at in range(start, end, MAX_SENTENCE):
        yield Segment(at, min(at + MAX_SENTENCE, end), number)
