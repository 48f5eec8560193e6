"""Which of several labels a claim names: rows, columns, members of a list, parts of a whole.

Labels of one kind share words ("Aalvik furnace 1", "Aalvik furnace 2"); what tells them apart are
the words that only one of them has, and these decide.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from ...claims.words import Token, WordBook
from .form import ClaimForm, token_positions

# A label is named if so much of what tells it apart stands in the claim.
_NAMED = 0.5
_LIKE = 5
_PARENTHESIS = re.compile(r"\([^()]*\)")
_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth"),
    *("seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"),
)
_CARDINALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_DIGITS = {
    word: str(number) for words in (_ORDINALS, _CARDINALS) for number, word in enumerate(words, 1)
}
_MONTHS = frozenset(
    (
        *("january", "february", "march", "april", "may", "june", "july"),
        *("august", "september", "october", "november", "december"),
    )
)
_DAYS = frozenset(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"))
# A number belongs to the word that it numbers: "tier 3", "the third support tier".
_NUMBERED = 2.5
_PART = re.compile(
    r"\b(?:(first|second|third|fourth|final|last|opening|closing) (quarter|half)"
    r"|(first|last|final) (three|six) months of (?:the|its|their) (?:\w+ )?year)\b"
)
_ORDER = {"first": 1, "opening": 1, "second": 2, "third": 3, "fourth": 4}
_THREE, _SIX = "three", "six"


class Label(NamedTuple):
    """A label's words in their comparison form, and its place in the source."""

    words: tuple[str, ...]
    start: int
    end: int


class Named(NamedTuple):
    """A label that the claim names: its number, how much of it, and where the claim has it."""

    number: int
    share: float
    places: tuple[float, ...]

    def distance(self, position: float) -> float:
        """How far the claim's mention stands from `position`, in words."""
        return min(abs(place - position) for place in self.places)


class Bag:
    """The words of a claim, and of all that means the same, with their positions.

    Of a part of the claim, if `span` gives its place.
    """

    def __init__(
        self, form: ClaimForm, book: WordBook, span: tuple[int, int] | None = None
    ) -> None:
        self._book = book
        self._places: dict[str, list[float]] = {}
        self._roots: dict[str, list[float]] = {}
        text = form.claim.text
        self.positions = token_positions(text, form.tokens)
        start, end = span or (0, len(text))
        for token, place in zip(form.tokens, self.positions, strict=True):
            if not start <= token.start < end:
                continue
            # "Two furnaces" are not furnace 2.
            counts = token.word in _CARDINALS and not text.startswith("-", token.end)
            for word in book.alike(token.stem) | set(() if counts else _forms(token)):
                self._places.setdefault(word, []).append(place)
            if len(token.stem) >= _LIKE:
                self._roots.setdefault(token.stem[:_LIKE], []).append(place)
        for match in _PART.finditer(text.lower()):
            at = sum(1 for token in form.tokens if token.end <= match.start())
            self._places.setdefault(_period(match), []).append(float(at))

    def places(self, word: str) -> Sequence[float]:
        """Where the claim has `word`, one of the same meaning or of the same root."""
        found = self._places.get(word)
        if found is None and len(word) >= _LIKE:
            found = self._roots.get(word[:_LIKE])
        return found or ()

    def share(self, words: Collection[str], held: Collection[str]) -> float:
        """The share of the claim's `words` that `held` has, one of the same meaning or root."""
        roots = {word[:_LIKE] for word in held if len(word) >= _LIKE}
        known = sum(
            not self._book.alike(word).isdisjoint(held)
            or (len(word) >= _LIKE and word[:_LIKE] in roots)
            for word in words
        )
        return known / len(words) if words else 0.0

    def named(self, labels: Sequence[Label]) -> list[Named]:
        """The labels that the claim names, each by its own words, in the order of `labels`.

        Of labels that hold one another's words only the longest that the claim has is named.
        """
        counts = Counter(word for label in labels for word in set(label.words))
        found = [
            named
            for number, label in enumerate(labels)
            if (named := self._named(number, label, counts, len(labels)))
        ]
        return [one for one in found if not any(_holds(labels, other, one) for other in found)]

    def _named(
        self, number: int, label: Label, counts: Mapping[str, int], total: int
    ) -> Named | None:
        words = {word: 1 / counts[word] for word in label.words if counts[word] < max(2, total)}
        if not words:
            return None
        common = [place for w in label.words if w not in words for place in self.places(w)]
        held = {
            word: places
            for word in words
            if (places := _numbering(word, self.places(word), common))
        }
        share = sum(words[word] for word in held) / sum(words.values())
        telling = [word for word in held if counts[word] == 1] or (share == 1.0 and list(held))
        if share < _NAMED or not telling:
            return None
        return Named(number, share, tuple(place for word in held for place in held[word]))


def _numbering(word: str, places: Sequence[float], common: Sequence[float]) -> Sequence[float]:
    """The places of a word of a label; of a number only those next to what all labels share."""
    if not (word.isdigit() and common):
        return places
    return [at for at in places if any(abs(at - other) <= _NUMBERED for other in common)]


def _holds(labels: Sequence[Label], longer: Named, shorter: Named) -> bool:
    more, less = set(labels[longer.number].words), set(labels[shorter.number].words)
    return less < more and longer.share >= shorter.share


def label_words(tokens: Iterable[Token], text: str, start: int, book: WordBook) -> tuple[str, ...]:
    """The words of the label `text`, which stands at `start`.

    What it adds in brackets is left out unless there is nothing else.
    """
    spans = [(m.start() + start, m.end() + start) for m in _PARENTHESIS.finditer(text)]
    words = [token for token in tokens if token.stem not in book.stop_words]
    plain = [
        token for token in words if not any(first <= token.start < last for first, last in spans)
    ]
    return tuple(_forms(token)[-1] for token in plain or words)


def _forms(token: Token) -> tuple[str, ...]:
    """A word's stem, and the digit or short month name by which it is compared."""
    short = token.word.rstrip(".").removesuffix("'s")
    if short in _DIGITS:
        return token.stem, _DIGITS[short]
    if short in _MONTHS or short.removesuffix("s") in _DAYS:
        return token.stem, short[:3]
    number = token.word[:-2] if token.word[:-2].isdigit() else ""
    if number and token.word[-2:] in ("st", "nd", "rd", "th"):
        return token.stem, number
    return (token.stem,)


def _period(match: re.Match[str]) -> str:
    which, length = match[1] or match[3], match[2] or match[4]
    quarters = length in ("quarter", _THREE)
    number = _ORDER.get(which, 4 if quarters else 2)
    return f"{'q' if quarters else 'h'}{number}"
