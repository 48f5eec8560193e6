"""Who says something in a sentence: "the union alleges that …", "…, said Moe"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ...claims.lexicon import Lexicon
from ...claims.words import Token
from .frames import EventReader
from .phrases import Party, Phrases
from .sentence import RELATIVES, Sentence

# A speaker ends here: "Moe told us that", "Moe said: ".
_OPENS = frozenset({"that", "whether", "how", "why"})
_ADDRESSEES = frozenset(
    {"us", "them", "him", "her", "me", "reporters", "journalists", "parliament"}
)
_RELATIVE_REACH = 14
_FIGURE_REACH = 5
# These may stand before their subject.
_INVERTED = frozenset(
    {"said", "says", "added", "adds", "wrote", "writes", "explained", "explains", "noted", "notes"}
    | {"argued", "argues", "claimed", "claims", "reported", "reports", "believes", "thinks"}
    | {"insisted", "insists", "replied", "replies", "admitted", "admits", "warned", "warns"}
    | {"predicted", "predicts", "recalled", "recalls", "remarked", "remarks", "commented"}
    | {"maintained", "maintains", "stated", "states", "announced", "announces", "declared"}
    | {"told", "tells", "asked", "asks", "observed", "complained", "complains", "joked", "quipped"}
)
_QUOTE = re.compile(r"[\"“”]")


class Speech(NamedTuple):
    """A speaker and the verb; `doubtful` if the verb leaves open whether it is so."""

    speaker: Party
    verb: str
    doubtful: bool


def find_speech(
    text: str, tokens: Sequence[Token], lexicon: Lexicon, is_name: Callable[[str], bool]
) -> tuple[Speech, ...]:
    """The speakers of a sentence, in order; for the arguments see `Sentence`.

    Who only denies something is none of them: the words denied are somebody else's.
    """
    return tuple(_Reader(Sentence(text, tokens, lexicon, is_name)).speeches())


class _Reader:
    def __init__(self, sentence: Sentence) -> None:
        self._sentence = sentence
        self._phrases = Phrases(sentence)
        self._events = EventReader(sentence)

    def speeches(self) -> Iterator[Speech]:
        sentence = self._sentence
        for at, token in enumerate(sentence.tokens):
            if token.word == "according" and sentence.word(at + 1) == "to":
                speaker = self._phrase_after(at + 2)
            elif token.stem in sentence.roles.speech and not token.capital:
                speaker = self._speaker(at)
            else:
                continue
            if speaker and (speaker.stems or speaker.anaphor):
                yield Speech(speaker, token.word, token.stem in sentence.roles.doubtful)

    def _speaker(self, at: int) -> Party | None:
        """The subject of a verb of saying: before it or, after the words said, behind it."""
        sentence = self._sentence
        pauses = bool(_QUOTE.search(sentence.gap(at))) or "," in sentence.gap(at)
        leads = self._opens_words(at + 1) or self._closes_relative(at)
        if pauses and not leads and sentence.word(at) in _INVERTED:
            named = sentence.is_determiner(at + 1) or sentence.is_capital(at + 1)
            return self._phrase_after(at + 1) if named else None
        if not sentence.is_verb(at) and not self._is_finite(at):
            return None
        if self._is_passive(at) and not self._opens_words(at + 1):
            return None
        doubtful = sentence.tokens[at].stem in sentence.roles.doubtful
        says = self._opens_words(at + 1) or self._ends(at + 1) or self._quotes_after(at)
        says = says or self._counts(at)
        return self._events.subject_before(at) if doubtful or says or pauses else None

    def _is_passive(self, at: int) -> bool:
        """Whether the subject is what was found or counted, and not who did so."""
        before = at - 1
        while self._sentence.is_adverb(before):
            before -= 1
        return self._sentence.is_past(at) and self._sentence.is_be(before)

    def _is_finite(self, at: int) -> bool:
        """Whether a form that may be a noun is the verb before "that" or a quotation."""
        sentence, word = self._sentence, self._sentence.word(at)
        plural = sentence.word(at - 1).endswith("s")
        return self._opens_words(at + 1) and (plural or word.endswith(("s", "ed")))

    def _counts(self, at: int) -> bool:
        """Whether a figure follows at once: "the office has recorded 112 sheep"."""
        sentence = self._sentence
        for place in range(at + 1, at + _FIGURE_REACH):
            if sentence.is_number(place) or self._ends(place):
                return sentence.is_number(place)
        return False

    def _closes_relative(self, at: int) -> bool:
        """Whether the comma before `at` ends a "who did not wish to be named"."""
        sentence = self._sentence
        for place in range(at - 1, max(0, at - _RELATIVE_REACH), -1):
            if "," in sentence.gap(place):
                return sentence.word(place) in RELATIVES
        return False

    def _quotes_after(self, at: int) -> bool:
        tokens = self._sentence.tokens
        return bool(_QUOTE.search(self._sentence.text, tokens[at].end, tokens[-1].end))

    def _opens_words(self, at: int) -> bool:
        """Whether what is said begins at `at`."""
        sentence = self._sentence
        if sentence.word(at) in _ADDRESSEES:
            at += 1
        return sentence.word(at) in _OPENS or bool(_QUOTE.search(sentence.gap(at)))

    def _ends(self, at: int) -> bool:
        return at >= len(self._sentence.tokens) or self._sentence.pauses(at)

    def _phrase_after(self, start: int) -> Party | None:
        phrases = self._phrases
        end = phrases.apposition_right(start, phrases.right(start))
        sentence = self._sentence
        while sentence.word(end) == "of" or (
            end < len(sentence.words) and sentence.word(end - 1) == "of"
        ):
            end = max(phrases.right(end + 1), end + 1)
        return phrases.party(start, end)
