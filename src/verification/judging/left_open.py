"""What a passage leaves open and a claim says all the same: which of two it was, at what hour."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ...claims.model import DateSpan, Granularity, Quantity
from ..meaning.objection import Objection, ObjectionKind
from ..reading.form import covered
from .alignment import Aligner, Alignment

_STRENGTH = 0.4
_DAYS = frozenset(
    {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "weekend"}
)
_HOURS = frozenset(
    {"morning", "noon", "midday", "afternoon", "evening", "night", "midnight", "dawn", "dusk"}
)
# Before a month or year these say when in it.
_PARTS = frozenset({"early", "late"})
_LENGTH = re.compile(
    r"\bfor (?:an?|one|the whole|a whole|a full) "
    r"(?P<unit>minute|hour|day|night|week|fortnight|month|year|decade|century)\b",
    re.IGNORECASE,
)
_SEASONS = frozenset({"spring", "summer", "autumn", "winter"})


def left_open(aligner: Aligner, alignment: Alignment) -> Iterator[Objection]:
    """What the claim adds to a passage that says less, as objections."""
    for word in _finer_times(aligner, alignment):
        yield Objection(ObjectionKind.TURN, word, "", guard="time", strength=_STRENGTH)
    for phrase in _lengths(aligner, alignment):
        yield Objection(ObjectionKind.TURN, phrase, "", guard="time", strength=_STRENGTH)
    unsaid = _unsaid(aligner, alignment)
    if unsaid:
        yield Objection(ObjectionKind.TURN, "", unsaid, guard="unsaid", strength=_STRENGTH)


def _finer_times(aligner: Aligner, alignment: Alignment) -> Iterator[str]:
    """Weekdays, parts of a day and of a month that the claim names and the passage does not."""
    form, window = aligner.form, alignment.window
    days = [
        (one.start, one.end)
        for one in form.claim.dates
        if one.granularity is Granularity.DAY and not one.relative
    ]
    words = {token.stem for token in window.tokens}
    for before, after in pairwise((*form.tokens, form.tokens[-1])):
        part = before.word in _PARTS and (
            after.word in _SEASONS or _opens_date(after.start, form.claim.dates)
        )
        named = before.word in _DAYS and not covered(before, days)
        finer = (part or named or before.word in _HOURS) and before.stem not in words
        if finer and not aligner.is_near(before.stem, window):
            yield before.word


def _lengths(aligner: Aligner, alignment: Alignment) -> Iterator[str]:
    """How long something went on, as "for a week", where the passage gives no such length."""
    text, book = aligner.index.text, aligner.lexicon.words
    window = alignment.window
    for match in _LENGTH.finditer(aligner.form.claim.text):
        unit = book.stem(match["unit"].lower())
        measured = any(
            isinstance(one.value, Quantity) and book.stem(one.value.unit) == unit
            for one in window.candidates
        )
        told = _LENGTH.search(text, window.start, window.end)
        if not measured and not (told and told["unit"].lower() == match["unit"]):
            yield match[0]


def _opens_date(start: int, dates: tuple[DateSpan, ...]) -> bool:
    return any(one.start <= start < one.end for one in dates)


def _unsaid(aligner: Aligner, alignment: Alignment) -> str:
    """Where the passage or the next sentence says that it is not told which of several it was."""
    index, window, book = aligner.index, alignment.window, aligner.lexicon.words
    form = aligner.form
    tells_apart = bool(form.names) or len(form.slots) > 1
    if not tells_apart or book.unsaid.search(form.claim.text):
        return ""
    after = index.segments[window.last : window.last + 2][-1]
    end = after.end if after.block == index.segments[window.last].block else window.end
    found = book.unsaid.search(index.text, window.start, end)
    return found[0] if found else ""
