"""What a claim says of all of them, and the passage of none.

"131 samples were taken. None contained the bacterium" denies that it was found in all of the 131,
with whatever verb.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...claims.model import DateSpan, Modifier, Quantity
from ..meaning.objection import Objection, ObjectionKind
from .alignment import Aligner, Alignment

_ALL = frozenset({"all", "every", "each", "both"})
_NONE = frozenset({"none", "neither", "nobody"})
_STRENGTH = 0.7
_EVERY = ("quantifier", "all")
_SOME = frozenset({"some", "few", "many", "most"})
# A quantifier stands at most so many words before its number: "all of the 131 samples".
_REACH = 4


def universal_objections(aligner: Aligner, alignment: Alignment) -> Iterator[Objection]:
    """The "none" that opens a sentence of the passage with a word of a claim about all of them.

    The claim's number must be in the passage, before that sentence, and the claim deny nothing.
    """
    word = _all_of_them(aligner, alignment)
    if not word or aligner.statement.negations:
        return
    index, window = aligner.index, alignment.window
    terms = [term.stem for term in aligner.form.terms if term.counts]
    sought = frozenset[str]().union(*map(aligner.lexicon.words.alike, terms))
    for number in range(window.first + 1, window.last + 1):
        tokens = index.facts(number).tokens
        opens = bool(tokens) and tokens[0].word in _NONE
        if opens and any(token.stem in sought for token in tokens[1:]):
            kind, at = ObjectionKind.TURN, tokens[0].start
            found = tokens[0].word
            yield Objection(
                kind, word, found, guard="negation", flipped=True, strength=_STRENGTH, at=at
            )


def _all_of_them(aligner: Aligner, alignment: Alignment) -> str:
    """The quantifier right before a number of the claim that the passage has, "" for none."""
    filled = [match.slot.value.start for match in alignment.slots if match.filled]
    tokens = aligner.form.tokens
    for place, token in enumerate(tokens):
        if token.word in _ALL and any(
            after.start in filled for after in tokens[place + 1 : place + 1 + _REACH]
        ):
            return token.word
    return ""


def is_of_all(objection: Objection, aligner: Aligner) -> bool:
    """Whether the claim is about all of what the sentence with the contrary word is about.

    "All shops have dropped the charge" is denied by one that keeps it, whatever others do.
    """
    own = aligner.statement
    all_ = next((turn.end for turn in own.turns if _EVERY in turn.keys), -1)
    said = objection.claimed.lower().split()[:1]
    at = next((n for n, token in enumerate(own.tokens) if [token.word] == said), -1)
    if objection.at < 0 or not 0 < all_ < at:
        return False
    number = aligner.index.segment_at(objection.at)
    stems = {token.stem for token in aligner.index.facts(number).tokens}
    subject = [t.stem for t in own.tokens[all_:at] if own.is_telling(t)]
    book = aligner.lexicon.words
    return bool(subject) and all(not book.alike(stem).isdisjoint(stems) for stem in subject)


def is_of_some(aligner: Aligner, value: Quantity | DateSpan) -> bool:
    """Whether the claim sets a limit for some of several only: another one may lie beyond it."""
    if isinstance(value, DateSpan) or value.modifier in (Modifier.EXACT, Modifier.ABOUT):
        return False
    groups = {group for t in aligner.statement.turns for kind, group in t.keys if kind == _EVERY[0]}
    return not groups.isdisjoint(_SOME)
