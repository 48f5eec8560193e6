"""Noun phrases beside a verb, and who or what they name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .sentence import Sentence

_JOINTS = frozenset({"of", "the", "de", "van", "von", "der"})
_INDEFINITE = frozenset({"a", "an", "no", "every", "each", "some", "any"})
# "Its supplier" is another than it.
_OWNING = frozenset({"its", "his", "her", "their", "our", "my", "your"})
_LONGEST = 14


class Party(NamedTuple):
    """What fills a place beside a verb.

    `names` are the stems of each name at its head, `stems` all its words that carry meaning, `head`
    the stem of its noun; `start` is its offset. `anaphor` marks a pronoun, or a description that
    points back, such as "the buyer".
    """

    text: str
    start: int
    names: tuple[frozenset[str], ...]
    stems: frozenset[str]
    head: str
    anaphor: bool

    def joined(self, other: Party | None) -> Party:
        """This party with what stands in apposition to it."""
        if other is None:
            return self
        names = self.names + other.names
        return self._replace(names=names, stems=self.stems | other.stems, anaphor=not names)


class Phrases:
    """Reads the noun phrases of a sentence; places are token numbers, ends exclusive."""

    def __init__(self, sentence: Sentence) -> None:
        self._sentence = sentence

    def left(self, last: int) -> int:
        """The start of the noun phrase whose last word stands at `last`."""
        sentence, place = self._sentence, last
        while place > 0 and last - place < _LONGEST and not sentence.pauses(place):
            if self._begins(place):
                if not self._hangs_on_noun(place - 1):
                    break
                place -= 1
            elif self._bars(place):
                break
            place -= 1
        while place < last and sentence.is_preposition(place):
            place += 1
        return place

    def _begins(self, place: int) -> bool:
        return self._sentence.is_determiner(place) or self._sentence.is_pronoun(place)

    def _bars(self, place: int) -> bool:
        """Whether the word before `place` cannot belong to the same phrase."""
        sentence, before = self._sentence, place - 1
        if sentence.word(before) == "not" or sentence.is_joining(before):
            return True
        if sentence.is_pronoun(before) or sentence.is_known_verb(before):
            return True
        if sentence.word(before) == "and":
            return not self._joins_names(before)
        return sentence.is_preposition(before) and not self._hangs_on_noun(before)

    def _hangs_on_noun(self, place: int) -> bool:
        """Whether a preposition stands at `place`, right behind a noun."""
        sentence, noun = self._sentence, place - 1
        if not sentence.is_preposition(place):
            return False
        if sentence.word(place) == "of":
            return place > 0
        if noun < 0 or sentence.gap(place).strip() or sentence.is_known_verb(noun):
            return False
        if sentence.word(noun).endswith("ed"):
            # "Critics quoted in the report"; after an auxiliary it would be a verb.
            return noun > 0 and not sentence.pauses(noun) and not sentence.is_auxiliary(noun - 1)
        return not (sentence.is_joining(noun) or sentence.is_preposition(noun))

    def _joins_names(self, place: int) -> bool:
        return self._sentence.is_capital(place - 1) and self._sentence.is_capital(place + 1)

    def right(self, start: int) -> int:
        """The end of the noun phrase that begins at `start`; `start` itself for none."""
        sentence, place = self._sentence, start
        while place < len(sentence.words) and place - start < _LONGEST:
            if self._ends_before(place) or (place > start and self._starts_anew(place, start)):
                break
            place += 1
            if sentence.is_pronoun(place - 1):
                break
        return place

    def _ends_before(self, place: int) -> bool:
        sentence, word = self._sentence, self._sentence.word(place)
        if sentence.is_joining(place) or sentence.is_auxiliary(place):
            return True
        if word == "and":
            return not self._joins_names(place)
        return sentence.is_preposition(place) and word != "of"

    def _starts_anew(self, place: int, start: int) -> bool:
        """Whether another phrase begins at `place`."""
        sentence = self._sentence
        if sentence.pauses(place) or sentence.is_pronoun(place):
            return True
        if sentence.is_determiner(place):
            return sentence.word(place - 1) != "of"
        if sentence.starts_number(place) and place - start > 1:
            return True
        return sentence.word(place)[0].isdigit() and sentence.is_capital(place - 1)

    def apposition_left(self, start: int, last: int) -> int:
        """The start of "Lena Moe, a student" for its second half."""
        sentence = self._sentence
        if not start or "," not in sentence.gap(start):
            return start
        left = self.left(start - 1)
        named = any(map(sentence.is_capital, range(start, last + 1)))
        if sentence.is_capital(start - 1):
            return left if sentence.is_determiner(start) and not named else start
        return left if sentence.is_determiner(left) and sentence.is_capital(start) else start

    def apposition_right(self, start: int, end: int) -> int:
        """The end of "a dredger driver, Sunniva Kleppe" for its first half."""
        sentence = self._sentence
        named = any(map(sentence.is_capital, range(start, end)))
        if named or "," not in sentence.gap(end) or not sentence.is_capital(end):
            return end
        end += 1
        while sentence.is_capital(end) and not sentence.gap(end).strip(" -’'."):
            end += 1
        return end

    def party(self, start: int, end: int) -> Party | None:
        """The phrase from `start` to `end` as a party; None for an empty one."""
        sentence = self._sentence
        tokens = sentence.tokens[start:end]
        if not tokens:
            return None
        inner = (
            place
            for place in range(start + 1, end)
            if sentence.is_preposition(place) and not self._inside_name(place, end)
        )
        head_end = next(inner, end)
        comma = (place for place in range(head_end, end) if "," in sentence.gap(place))
        names = (*self._names(start, head_end), *self._names(next(comma, end), end))
        defined = (
            sentence.is_determiner(start) and sentence.word(start) not in _INDEFINITE | _OWNING
        )
        return Party(
            sentence.text[tokens[0].start : tokens[-1].end],
            tokens[0].start,
            names,
            frozenset(sentence.tokens[n].stem for n in range(start, end) if sentence.is_content(n)),
            sentence.tokens[head_end - 1].stem,
            not names and (defined or sentence.is_pronoun(start)),
        )

    def owner(self, place: int) -> Party | None:
        """The one whom a possessive at `place` stands for: "her", "Ann Moe's"."""
        sentence = self._sentence
        party = self.party(self.left(place), place + 1)
        if party is None or sentence.is_capital(place):
            return party
        word, start = sentence.word(place), sentence.tokens[place].start
        subject = {"his": "he", "her": "she", "its": "it"}.get(word, "they")
        return Party(subject, start, (), frozenset(), subject, anaphor=True)

    def _inside_name(self, place: int, end: int) -> bool:
        """Whether an "of" stands inside "Bank of England" or "the village of Marl"."""
        sentence = self._sentence
        led = sentence.is_capital(place - 1) or sentence.is_place(place - 1)
        if sentence.word(place) != "of" or not led:
            return False
        after = place + 1 + (sentence.word(place + 1) == "the")
        return after < end and sentence.is_capital(after)

    def _names(self, start: int, end: int) -> Iterator[frozenset[str]]:
        """The names of a phrase, without one that only owns what the phrase is about: "Ann's"."""
        sentence = self._sentence
        run: set[str] = set()
        for place in range(start, end):
            if run and "," in sentence.gap(place):
                yield frozenset(run)
                run = set()
            if sentence.is_name_word(place):
                run.add(sentence.tokens[place].stem)
                if sentence.is_possessive(place) and place + 1 < end:
                    run = set()
            elif run and sentence.word(place) not in _JOINTS:
                yield frozenset(run)
                run = set()
        if run:
            yield frozenset(run)
