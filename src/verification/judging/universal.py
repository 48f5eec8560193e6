"""What a claim says of all of them, and the passage of none.

"131 samples were taken. None contained the bacterium" denies that it was found in all of the 131,
with whatever verb.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..meaning.objection import Objection, ObjectionKind
from .alignment import Aligner, Alignment

_ALL = frozenset({"all", "every", "each", "both"})
_NONE = frozenset({"none", "neither", "nobody"})
_STRENGTH = 0.7
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
