"""What keeps a claim from being supported by a passage that shares its words and numbers."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Iterator, Sequence

from ..claims.words import Token, WordBook
from .alignment import Aligner, Alignment
from .form import ClaimForm, covered
from .name_checks import name_objections, order_objections
from .objection import Objection, ObjectionKind
from .role_checks import role_objections
from .window import Window

# Words this far from the claim's words turn them; what else the passage says does not matter.
_MARGIN = 3
_SUPERLATIVE = re.compile(r"[a-z]{2,}est$")
_EXTREMES = frozenset({"first", "last", "most", "least", "only", "best", "worst"})
_NOT_ONLY = (" only", " just", " merely", " limited", " least")
# What a claim that only reports its source, or a table row, may leave out.
_REPORTED = frozenset({"forecast", "attribution", "modality"})


def objections(aligner: Aligner, alignment: Alignment) -> tuple[Objection, ...]:
    """Every difference of meaning that the words and numbers alone do not show."""
    stretch = _stretch(aligner.form, alignment.window)
    return (
        *_turns(aligner, alignment.window, stretch),
        *_opposites(alignment, stretch, aligner.lexicon.words),
        *name_objections(aligner, alignment.window, stretch),
        *order_objections(aligner.form, alignment),
        *role_objections(aligner, alignment),
        *_extremes(aligner.form, alignment.window, aligner.lexicon.words),
    )


def _stretch(form: ClaimForm, window: Window) -> tuple[Token, ...]:
    """The tokens of the passage near words of the claim."""
    hits = window.places(form.wanted)
    if not hits:
        return window.tokens
    return tuple(
        token
        for token, position in zip(window.tokens, window.positions, strict=True)
        if _distance(position, hits) <= _MARGIN
    )


def _distance(position: float, hits: Sequence[float]) -> float:
    at = bisect.bisect_left(hits, position)
    return min(abs(position - hit) for hit in hits[max(0, at - 1) : at + 1])


def _turns(aligner: Aligner, window: Window, stretch: Sequence[Token]) -> Iterator[Objection]:
    form, book = aligner.form, aligner.lexicon.words
    numbers = window.numbers()
    own = _groups((t for t in form.tokens if not covered(t, form.hidden)), form.claim.text, book)
    theirs = _groups((t for t in stretch if not covered(t, numbers)), aligner.index.text, book)
    for key in own.keys() - theirs.keys():
        yield Objection(ObjectionKind.TURN, own[key], "", guard=key[0])
    for key in theirs.keys() - own.keys():
        if key[1] not in book.harmless and not (form.reports and key[0] in _REPORTED):
            yield Objection(ObjectionKind.TURN, "", theirs[key], guard=key[0])


def _groups(tokens: Iterable[Token], text: str, book: WordBook) -> dict[tuple[str, str], str]:
    """The guard words among `tokens` by class and group."""
    return {
        key: token.word
        for token in tokens
        if token.word in book.guards and not _is_other_word(token, text)
        for key in book.guards[token.word]
    }


def _is_other_word(token: Token, text: str) -> bool:
    """Whether it is May the month, No. for number, or the "not" of "not only"."""
    if token.word == "not":
        return text.startswith(_NOT_ONLY, token.end)
    if token.word == "no":
        after = text[token.end : token.end + 3]
        return after[:1] == "." and after[1:].strip().isdigit()
    return token.word == "may" and token.capital


def _opposites(
    alignment: Alignment, stretch: Sequence[Token], book: WordBook
) -> Iterator[Objection]:
    for term in alignment.missing:
        against = book.opposites.get(term.stem, frozenset())
        found = next((token.word for token in stretch if token.stem in against), None)
        if found:
            yield Objection(ObjectionKind.OPPOSITE, term.word, found, replaced=True)


def _extremes(form: ClaimForm, window: Window, book: WordBook) -> Iterator[Objection]:
    words = {token.word for token in window.tokens}
    for token in form.tokens:
        superlative = _SUPERLATIVE.match(token.word) and token.word not in book.not_superlative
        extreme = superlative or token.word in _EXTREMES
        if extreme and token.word not in words and not covered(token, form.hidden):
            yield Objection(ObjectionKind.EXTREME, token.word, "")
