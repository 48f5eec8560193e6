"""A deed whose doer the passage names, and who is not the one that the claim opens with.

Frames tell who did what only for verbs that they know; "were put up by Hallmark" names its doer
with any verb.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile, takewhile

from ...claims.model import Quantity
from ...claims.words import Token
from ..meaning.objection import Objection, ObjectionKind
from ..reading.names import find_names
from .alignment import Aligner, Alignment

_STRENGTH = 0.3
# "Were installed by Hallmark Turbines": what stands after "by" is a name.
_DONE_BY = re.compile(
    r"\b(?:is|are|was|were|be|been|being)\b[^.;:()]{1,60}? by (?:the )?(?=[A-Z])", re.IGNORECASE
)


def doer_objections(aligner: Aligner, alignment: Alignment) -> Iterator[Objection]:
    """The doer in a sentence with a figure of the claim, if the claim opens with another name.

    It is no other one if that sentence has a word of the claim's name, or explains it.
    """
    form, index, book = aligner.form, aligner.index, aligner.lexicon.words
    tokens = dropwhile(lambda token: token.word in book.stop_words, form.tokens)
    opening = list(takewhile(lambda token: token.capital, tokens))
    if not opening or _DONE_BY.search(form.claim.text):
        return
    if len(opening) == 1 and not index.is_always_capital(opening[0].word):
        return
    own = {word for token in opening for word in book.alike(token.stem)}
    if not own.isdisjoint(aligner.explained(alignment.window)):
        return
    for number in _with_figures(aligner, alignment):
        tokens = index.facts(number).tokens
        doer = _doer(aligner, number, tokens)
        if doer and own.isdisjoint(token.stem for token in tokens):
            claimed = form.claim.text[opening[0].start : opening[-1].end]
            yield Objection(ObjectionKind.ORDER, claimed, doer, guard="doer", strength=_STRENGTH)


def _with_figures(aligner: Aligner, alignment: Alignment) -> set[int]:
    return {
        aligner.index.segment_at(match.found.start)
        for match in alignment.slots
        if match.filled and match.found and isinstance(match.slot.value, Quantity)
    }


def _doer(aligner: Aligner, number: int, tokens: Sequence[Token]) -> str:
    """The name after "by" in a sentence in the passive, "" for none."""
    index = aligner.index
    segment = index.segments[number]
    done = _DONE_BY.search(index.text, segment.start, segment.end)
    if not done:
        return ""
    names = find_names(index.text, tokens, aligner.lexicon.words)
    return next((name.text for name in names if name.start == done.end()), "")
