"""A claim as words with positions, numbers, dates and names: what is laid over a source."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from ...claims.lexicon import Lexicon
from ...claims.model import Claim, ClaimQuote, DateSpan, Quantity, QuantityKind
from ...claims.temporal.yearless import with_yearless
from ...claims.words import Token, WordBook
from .contrast import ruled_out
from .names import Name, find_names

# A longer sentence is no sentence; comparing it would cost more than its length.
MAX_COMPARED = 4000
# Distances are counted in words; a clause boundary or a joining word costs further steps.
_CLAUSE_STEP = 2
# What stands between the cells of a claim that is a table row, and of its context, the titles.
CELLS = " | "
_JOINING = frozenset({"and", "but", "while", "whereas", "against", "versus"})
_BOUNDARY = re.compile(r"[,;:()|—–]")
_RATIO = re.compile(r"^\S+ (.+) (?:in|out of) ")
_LONGEST_SPEAKER = 8
_LONGEST_SOURCE_NAME = 4
_LONGEST_TAIL = 5
_LONGEST_LEAD = 24


class Term(NamedTuple):
    """A word of a claim that a passage should hold.

    `weak` marks one that says little, `speaker` one that only says who states the claim.
    """

    word: str
    stem: str
    position: float
    weak: bool
    speaker: bool

    @property
    def counts(self) -> bool:
        """Whether a passage that lacks the word does not say the same."""
        return not (self.weak or self.speaker)


class Slot(NamedTuple):
    """A number or date of a claim, and where its first and last word stand."""

    value: Quantity | DateSpan
    first: float
    last: float


@dataclass(frozen=True, slots=True)
class ClaimForm:
    """A claim made ready for comparison; it does not depend on any source.

    `wanted` are the stems of its terms and of words that mean the same. `hidden` are the spans of
    its quotations, numbers and dates with what qualifies them, of table cells that only name the
    source, and of what it only rules out, which `apart` has alone. `reports` is true when the claim
    says of its source that it states something, or is a table row: neither needs the source's
    "would" or "is expected to".
    """

    claim: Claim
    tokens: tuple[Token, ...]
    terms: tuple[Term, ...]
    slots: tuple[Slot, ...]
    names: tuple[Name, ...]
    wanted: frozenset[str]
    hidden: tuple[tuple[int, int], ...]
    apart: tuple[tuple[int, int], ...]
    reports: bool


def claim_form(claim: Claim, lexicon: Lexicon) -> ClaimForm:
    """The words, slots and names of `claim`; words inside its quotations are left out.

    Of a sentence longer than `MAX_COMPARED` only the beginning is taken.
    """
    book = lexicon.words
    tokens = tuple(book.tokens(claim.text[:MAX_COMPARED]))
    positions = token_positions(claim.text, tokens)
    # A source counts "last year" from a day of its own, so such a date is no slot to compare.
    stated = tuple(one for one in claim.dates if not one.relative)
    quantities, dates = with_yearless(claim.text, claim.quantities, stated, lexicon)
    values = [v for v in (*quantities, *dates) if v.end <= MAX_COMPARED]
    hidden = [(quote.start, quote.end) for quote in claim.quotes]
    hidden += [span for value in values for span in number_spans(claim.text, value, lexicon)]
    apart = tuple(ruled_out(claim.text[:MAX_COMPARED], tokens, lexicon))
    hidden += (*apart, *_source_cells(claim, book))
    speaker = _speaker_words(claim.text, tokens, book) if claim.cited else frozenset[int]()
    terms = tuple(
        Term(token.word, token.stem, position, token.stem in book.weak_words, index in speaker)
        for index, (token, position) in enumerate(zip(tokens, positions, strict=True))
        if not covered(token, hidden)
        and token.stem not in book.stop_words
        and token.word not in lexicon.number_words
    )
    visible = [token for token in tokens if not covered(token, hidden)]
    return ClaimForm(
        claim=claim,
        tokens=tokens,
        terms=terms,
        slots=tuple(
            Slot(value, *reach(value.start, value.end, tokens, positions))
            for value in values
            if not _inside(value, claim.quotes)
        ),
        names=find_names(claim.text, visible, book),
        wanted=frozenset[str]().union(*(book.alike(term.stem) for term in terms)),
        hidden=tuple(hidden),
        apart=apart,
        reports=bool(speaker) or CELLS in claim.text,
    )


def _source_cells(claim: Claim, book: WordBook) -> Iterator[tuple[int, int]]:
    """The cells of a table row that only name its source."""
    titles, at = claim.context.split(CELLS), 0
    for number, cell in enumerate(claim.text.split(CELLS)):
        if number and number < len(titles) and titles[number].strip().lower() in book.source_titles:
            yield at, at + len(cell)
        at += len(cell) + len(CELLS)


def covered(token: Token, spans: Iterable[tuple[int, int]]) -> bool:
    """Whether `token` touches one of `spans`."""
    # A loop, as this is asked for every word of a passage: `any` would take three times as long.
    for start, end in spans:  # noqa: SIM110 - for the reason above
        if start < token.end and token.start < end:
            return True
    return False


def _inside(value: Quantity | DateSpan, quotes: Iterable[ClaimQuote]) -> bool:
    return any(quote.start <= value.start < quote.end for quote in quotes)


def number_spans(
    text: str, value: Quantity | DateSpan, lexicon: Lexicon
) -> tuple[tuple[int, int], ...]:
    """The parts of `text` that are number, unit or qualifier: "at least 30 km", "some", "2024".

    Of "three households in ten" the households are none of it.
    """
    from_, start = max(0, value.start - _LONGEST_LEAD), value.start
    before = lexicon.modifier_before.search(text[from_:start].lower())
    if before:
        start = from_ + before.start(1)
    if isinstance(value, Quantity) and value.kind is QuantityKind.RATIO:
        inner = _RATIO.search(value.text)
        if inner:
            return (start, value.start + inner.start(1)), (value.start + inner.end(1), value.end)
    return ((start, value.end),)


def token_positions(text: str, tokens: Sequence[Token]) -> tuple[float, ...]:
    """Where each token stands, counted in words from 0; clauses keep further apart."""
    positions = [0.0]
    for before, after in pairwise(tokens):
        step = 1 + (after.stem in _JOINING)
        step += _CLAUSE_STEP * bool(_BOUNDARY.search(text, before.end, after.start))
        positions.append(positions[-1] + step)
    return tuple(positions[: len(tokens)])


def reach(
    start: int, end: int, tokens: Sequence[Token], positions: Sequence[float]
) -> tuple[float, float]:
    """The positions of the first and the last token that touch `[start, end)`."""
    touched = [
        position
        for token, position in zip(tokens, positions, strict=True)
        if token.start < end and start < token.end
    ]
    return (touched[0], touched[-1]) if touched else (0.0, 0.0)


def _speaker_words(text: str, tokens: Sequence[Token], book: WordBook) -> frozenset[int]:
    """The tokens that only say who states the claim."""
    stems = [token.stem for token in tokens]
    if stems[:2] == ["accord", "to"]:
        return _to_comma(text, tokens)
    for index in range(min(len(tokens), _LONGEST_SPEAKER)):
        if stems[index] not in book.speaker_verbs:
            continue
        if stems[index + 1 : index + 2] == ["that"]:
            return frozenset(range(index + 2))
        if index <= _LONGEST_SOURCE_NAME and not book.source_nouns.isdisjoint(stems[:index]):
            return frozenset(range(index + 1))
    comma = text.rfind(", ")
    tail = [index for index, token in enumerate(tokens) if token.start > comma > 0]
    says = bool(tail) and stems[tail[-1]] in book.speaker_verbs
    return frozenset(tail) if says and 1 < len(tail) <= _LONGEST_TAIL else frozenset()


def _to_comma(text: str, tokens: Sequence[Token]) -> frozenset[int]:
    for index, (before, after) in enumerate(pairwise(tokens[: _LONGEST_SPEAKER + 1])):
        if "," in text[before.end : after.start]:
            return frozenset(range(index + 1))
    return frozenset()
