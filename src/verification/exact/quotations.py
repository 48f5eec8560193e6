"""Quotations of a claim against a source: word for word, altered, or absent."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from ...claims.model import Claim, ClaimQuote
from ..model import SlotOutcome
from ..passages.retrieval import SourceText
from .model import QuoteCheck
from .quotes import quote_in_text
from .words import Word, split_words

# An altered quotation shares this much with the source's words, and at least so many of them.
_ALIKE = 0.6
_SHARED = 4
_UNITS_READ = 6
_LONGEST = 400
_CLOSING = re.compile(r"[”\"»]|[.,;:!?]['’](?!\w)")


def check_quotations(claim: Claim, source: SourceText) -> tuple[QuoteCheck, ...]:
    """Each quotation of the claim, looked for in the source."""
    return tuple(_check(quote, source) for quote in claim.quotes)


def _check(quote: ClaimQuote, source: SourceText) -> QuoteCheck:
    place = quote_in_text(quote.text, source.stated)
    if place:
        return QuoteCheck(quote, SlotOutcome.MATCH, *place)
    near = closest_words(quote.text, source)
    if near:
        return QuoteCheck(quote, SlotOutcome.MISMATCH, *near)
    return QuoteCheck(quote, SlotOutcome.ABSENT)


def closest_words(quote: str, source: SourceText) -> tuple[int, int] | None:
    """The words of the source that `quote` seems to have altered, or None if nothing is close."""
    wanted = [word.key for word in split_words(quote)][:_LONGEST]
    places: list[tuple[float, int, int]] = []
    for unit in source.best_units(quote, _UNITS_READ):
        # An utterance may go on in the next sentence.
        words = split_words(source.stated[unit.start : unit.end + len(quote)], unit.start)[
            :_LONGEST
        ]
        place = _overlay(wanted, words)
        if place:
            places.append(place)
    if not places:
        return None
    _, start, end = max(places, key=lambda place: place[0])
    closing = _CLOSING.search(source.stated, start + (end - start) // 2, end)
    return start, closing.start() if closing else end


def _overlay(wanted: list[str], words: list[Word]) -> tuple[float, int, int] | None:
    """How much of `wanted` the words share in one stretch, and where that stretch lies."""
    found = [word.key for word in words]
    blocks = SequenceMatcher(None, wanted, found, autojunk=False).get_matching_blocks()[:-1]
    blocks = [block for block in blocks if block.size > 1] or blocks
    shared = sum(block.size for block in blocks)
    if not blocks or shared < min(_SHARED, len(wanted) - 1):
        return None
    first = max(0, blocks[0].b - blocks[0].a)
    last = min(len(found), blocks[-1].b + len(wanted) - blocks[-1].a)
    if shared < _ALIKE * len(wanted) or last - first > 2 * len(wanted):
        return None
    return shared / len(wanted), words[first].start, words[last - 1].end
