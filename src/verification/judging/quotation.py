"""Quotations of a claim against a source: exact, altered or absent, and whose words they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from ...claims.model import ClaimQuote
from ...claims.words import Token, WordBook
from ..model import SlotOutcome
from ..reading.form import ClaimForm
from ..reading.index import TextIndex
from ..reading.names import Name, find_names
from ..reading.quotes import quote_in_text

# An altered quote shares this much with the source's words, and at least so many of them.
_ALIKE = 0.6
_SHARED = 4
_SEGMENTS_READ = 6
_LONGEST = 400
_BEFORE, _AFTER = 240, 100
# So many sentences may stand between the words and the one who is said to speak.
_SPOKEN_REACH = 3
_CLOSING = re.compile(r"[”\"»]|[.,;:!?]['’](?!\w)")
_SAID = re.compile(
    r"[^.!?]{0,60}?\b(?:said|says|told|added|adds|wrote|writes|argued|argues|noted|remarked|warned"
    r"|explained)\b"
)


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """A quotation and the place in the source that has its words, or words close to them.

    The outcome is `MATCH`, `MISMATCH` for altered words, or `ABSENT`.
    """

    quote: ClaimQuote
    outcome: SlotOutcome
    start: int = 0
    end: int = 0


def check_quotes(form: ClaimForm, index: TextIndex, book: WordBook) -> tuple[QuoteCheck, ...]:
    """Each quotation of the claim, looked for in the source."""
    return tuple(_check(quote, index, book) for quote in form.claim.quotes)


def _check(quote: ClaimQuote, index: TextIndex, book: WordBook) -> QuoteCheck:
    place = quote_in_text(quote.text, index.text)
    if place:
        return QuoteCheck(quote, SlotOutcome.MATCH, *place)
    near = closest_words(quote.text, index, book)
    return (
        QuoteCheck(quote, SlotOutcome.MISMATCH, *near)
        if near
        else (QuoteCheck(quote, SlotOutcome.ABSENT))
    )


def closest_words(quote: str, index: TextIndex, book: WordBook) -> tuple[int, int] | None:
    """The words of the source that `quote` seems to have altered, or None if nothing is close."""
    wanted = [token.word for token in book.tokens(quote)][:_LONGEST]
    found = [place for tokens in _likely(quote, index, book) if (place := _overlay(wanted, tokens))]
    if not found:
        return None
    _, start, end = max(found, key=lambda place: place[0])
    closing = _CLOSING.search(index.text, start + (end - start) // 2, end)
    return start, closing.start() if closing else end


def _overlay(wanted: list[str], tokens: list[Token]) -> tuple[float, int, int] | None:
    """How much of `wanted` the tokens share in one stretch, and where that stretch lies."""
    words = [token.word for token in tokens]
    blocks = SequenceMatcher(None, wanted, words, autojunk=False).get_matching_blocks()[:-1]
    blocks = [block for block in blocks if block.size > 1] or blocks
    shared = sum(block.size for block in blocks)
    if not blocks or shared < min(_SHARED, len(wanted) - 1):
        return None
    first = max(0, blocks[0].b - blocks[0].a)
    last = min(len(words), blocks[-1].b + len(wanted) - blocks[-1].a)
    if shared < _ALIKE * len(wanted) or last - first > 2 * len(wanted):
        return None
    return shared / len(wanted), tokens[first].start, tokens[last - 1].end


def _likely(quote: str, index: TextIndex, book: WordBook) -> Iterator[list[Token]]:
    """The words of the segments that share most with the quote, with those of the next one."""
    scores: dict[int, float] = {}
    for word in {token.stem for token in book.tokens(quote)} - book.stop_words:
        for number in index.postings.get(word, ()):
            scores[number] = scores.get(number, 0.0) + index.weight(word)
    for number in sorted(scores, key=lambda n: (-scores[n], n))[:_SEGMENTS_READ]:
        start = index.segments[number].start
        after = min(number + 1, len(index.segments) - 1)
        yield index.tokens_at(start, index.segments[after].end)[:_LONGEST]


def speaker_fits(form: ClaimForm, check: QuoteCheck, index: TextIndex, book: WordBook) -> bool:
    """Whether the source gives the words to the speaker that the claim names, if it names one."""
    if not form.names:
        return True
    claimed = {word for name in form.names for word in name.stems}
    # A speaker named between two parts of the utterance.
    inside = _named(index, check.start, check.end, book)
    if any(not claimed.isdisjoint(name.stems) for name in inside):
        return True
    if _is_spoken_by(form, check, index):
        return True
    sentence_end = index.segments[index.segment_at(check.end - 1)].end
    after = _named(index, check.end, min(sentence_end, check.end + _AFTER), book)
    if after and _SAID.match(index.text, check.end, check.end + _AFTER):
        return not claimed.isdisjoint(after[0].stems)
    before = _named(index, max(0, check.start - _BEFORE), check.start, book)
    return any(not claimed.isdisjoint(name.stems) for name in (*before[-1:], *after[:1]))


def other_speaker(form: ClaimForm, check: QuoteCheck, index: TextIndex) -> Name | None:
    """The person who says the words in the source, in whose place the claim names another.

    None unless the claim has just one name and the source's sentence says who speaks, by name.
    """
    cast, number = index.cast, index.segment_at(check.start)
    outside = [n for n in cast.names(number) if not check.start <= n.start < check.end]
    if len(form.names) != 1 or len(form.claim.quotes) != 1:
        return None
    claimed, speakers = form.names[0], [one.speaker for one in cast.speech(number)]
    told = [n for n in outside for who in speakers if frozenset(n.stems) in who.names]
    persons = all(len(name.stems) > 1 for name in (claimed, *told))
    if len(told) != 1 or not persons or not set(claimed.stems).isdisjoint(told[0].stems):
        return None
    return told[0]


def _is_spoken_by(form: ClaimForm, check: QuoteCheck, index: TextIndex) -> bool:
    """Whether the last one said to speak, in the words' own sentence or before, is a claimed one.

    Where the claim names something besides, as the paper, the words may not stand by another name.
    """
    own, cast = index.segment_at(check.start), index.cast
    for number in range(own, max(-1, own - _SPOKEN_REACH), -1):
        speeches = cast.speech(number)
        if speeches:
            speakers = speeches if number == own else speeches[-1:]
            meant = [name for one in speakers for name in cast.meant(one.speaker, number).names]
            claimed = [frozenset(name.stems) for name in form.names]
            others = [name for name in claimed if not any(name & who for who in meant)]
            if len(others) == len(claimed):
                return False
            return len(form.claim.quotes) > 1 or not _is_elsewhere(form, others, index, own)
    return False


def _is_elsewhere(
    form: ClaimForm, others: Sequence[frozenset[str]], index: TextIndex, number: int
) -> bool:
    """Whether sentence `number` lacks one of `others`, and has a name that the claim lacks."""
    claimed = {token.stem for token in form.tokens}
    lacks = any(not name <= index.cast.stems(number) for name in others)
    return lacks and any(claimed.isdisjoint(name.stems) for name in index.cast.names(number))


def _named(index: TextIndex, start: int, end: int, book: WordBook) -> tuple[Name, ...]:
    return find_names(index.text, index.tokens_at(start, end), book)
