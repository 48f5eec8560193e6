"""Comparison in languages other than English (decision 28).

Only exact words are compared: a sentence or a quotation that stands in the source as it is. The
rest is not checkable here; formats of numbers and dates differ too much to contradict anything.
"""

from __future__ import annotations

from ...base.vocabulary import Verdict
from ..model import SlotCheck, SlotKind, SlotOutcome
from ..reading.form import ClaimForm
from ..reading.index import TextIndex
from ..reading.quotes import quote_in_text
from .judge import find_verbatim
from .judgement import Judgement, verbatim

_ENGLISH = frozenset({"en", "und", ""})


def reads_english(language: str) -> bool:
    """Whether a text of this language code is compared in full; unknown counts as English."""
    return language.partition("-")[0].lower() in _ENGLISH


def judge_foreign(form: ClaimForm, index: TextIndex) -> Judgement:
    """Supported by exact words, else not checkable for its language; never contradicted."""
    window = find_verbatim(form, index)
    if window:
        return verbatim(form, window)
    places = [quote_in_text(quote.text, index.text) for quote in form.claim.quotes]
    found = [place for place in places if place]
    slots = tuple(
        SlotCheck(
            SlotKind.QUOTE,
            SlotOutcome.MATCH if place else SlotOutcome.ABSENT,
            quote.text,
            index.text[place[0] : place[1]] if place else "",
        )
        for quote, place in zip(form.claim.quotes, places, strict=True)
    )
    if found and len(found) == len(places) and not form.slots:
        start, end = found[0]
        reason = "the source has the quoted words exactly"
        return Judgement(Verdict.SUPPORTED, reason, start, end, decided=True, slots=slots)
    reason = "the language, which is compared by exact words alone"
    return Judgement(Verdict.NOT_CHECKABLE, reason, slots=slots)
