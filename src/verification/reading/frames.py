"""Who does what to whom in a sentence, as far as word order and small words tell.

A verb of `roles.yaml` is found, and what stands before it, after it and behind "by", "to" or "from"
is read as the parties of the event. What can't be read is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from ...claims.lexicon import Lexicon
from ...claims.roles import NounGroup, VerbSense
from ...claims.words import Token
from .phrases import Party, Phrases
from .sentence import RELATIVES, Sentence

# How far a verb's subject, its own words and its other parties may stand from it, in words.
_LONGEST, _TAIL_REACH, _REACH = 14, 9, 26
# Each event of a claim is compared with each of a passage; a sentence with more is a list.
_MOST_EVENTS = 20
_BECOME = frozenset({"become", "becomes", "became", "remain", "remains", "remained"})
_NOTHING = frozenset({"none", "nothing", "nobody", "neither"})
_SINGLE = frozenset({"only", "first", "last", "sole", "lone", "one", "next", "single"})
# "Moe was the person who found it."
_SOMEBODY = frozenset({"person", "man", "woman", "one"})


class Frame(NamedTuple):
    """One event: its concept, who fills its roles, and whom it says did not."""

    concept: str
    parties: Mapping[str, Party]
    denied: Mapping[str, Party]
    negated: bool
    start: int


def find_frames(
    text: str, tokens: Sequence[Token], lexicon: Lexicon, is_name: Callable[[str], bool]
) -> tuple[Frame, ...]:
    """The first events of `tokens`, in order; for the arguments see `Sentence`."""
    events = EventReader(Sentence(text, tokens, lexicon, is_name)).frames()
    return tuple(islice(events, _MOST_EVENTS))


@dataclass(slots=True)
class _Verb:
    """A verb: where its subject ends (-1 for none), its voice, and what was read beside it."""

    left: int
    passive: bool = False
    negated: bool = False
    parties: dict[str, Party] = field(default_factory=dict[str, Party])
    denied: dict[str, Party] = field(default_factory=dict[str, Party])

    def add(self, role: str, party: Party | None) -> None:
        if role and party:
            self.parties.setdefault(role, party)

    def deny(self, role: str, party: Party | None) -> None:
        if role and party:
            self.denied.setdefault(role, party)


class EventReader:
    """Reads the events of one sentence."""

    def __init__(self, sentence: Sentence) -> None:
        self._sentence = sentence
        self._phrases = Phrases(sentence)

    def subject_before(self, at: int) -> Party | None:
        """The subject of the verb at `at`, if it stands before it."""
        verb = self._voice(at)
        return self._subject(verb.left)[0] if verb.left >= 0 else None

    def frames(self) -> Iterator[Frame]:
        """The events, in order."""
        sentence = self._sentence
        for at, token in enumerate(sentence.tokens):
            senses = sentence.roles.verbs.get(token.stem, ())
            found = self._sense(at, senses) if senses and sentence.is_verb(at) else None
            if found:
                frame, heads = self._frame(at, *found), found[0].heads
                subject = frame.parties.get(found[0].subject)
                if not heads or (subject and not heads.isdisjoint(subject.stems)):
                    yield frame
            elif token.stem in sentence.roles.nouns and not token.capital:
                yield from self._nominal(at, sentence.roles.nouns[token.stem])

    def _sense(self, at: int, senses: Sequence[VerbSense]) -> tuple[VerbSense, range] | None:
        """The sense with the longest tail; of two, the one whose prepositions follow."""
        fitting = [
            (sense, tail) for sense in senses if (tail := self._tail(at, sense.tail)) is not None
        ]
        if not fitting:
            return None
        longest = len(fitting[0][0].tail)
        following = set(self._sentence.words[at + 1 : at + _TAIL_REACH])
        marked = (
            (sense, tail)
            for sense, tail in fitting
            if len(sense.tail) == longest and not following.isdisjoint(sense.marks)
        )
        return next(marked, fitting[0])

    def _tail(self, at: int, tail: Sequence[str]) -> range | None:
        """Where the words that belong to a verb stand; an empty range if it needs none."""
        sentence, size = self._sentence, len(tail)
        if not tail:
            return range(at + 1, at + 1)
        for place in range(at + 1, min(at + _TAIL_REACH, len(sentence.words) - size + 1)):
            if sentence.words[place : place + size] == list(tail):
                return range(place, place + size)
            if sentence.is_joining(place) or sentence.breaks(place):
                return None
        return None

    def _frame(self, at: int, sense: VerbSense, tail: range) -> Frame:
        sentence, verb = self._sentence, self._voice(at)
        after = tail.stop if tail.start == at + 1 else at + 1
        if sentence.is_past(at) and sentence.word(after) == "by":
            verb.passive = verb.passive or not sentence.is_auxiliary(at - 1)
        verb.passive = verb.passive or self._is_participle(at, verb.left)
        verb.negated = verb.negated != self._has_no_object(after)
        if verb.left >= 0:
            role = sense.object if verb.passive else sense.subject
            party, denied = self._subject(verb.left)
            verb.add(role, party)
            verb.deny(role, denied)
        place = self._read_object(after, tail, verb, sense)
        self._read_marks(place, after, verb, sense)
        start = sentence.tokens[at].start
        return Frame(sense.concept, verb.parties, verb.denied, verb.negated, start)

    def _is_participle(self, at: int, left: int) -> bool:
        """Whether a verb only says of which things: "of the ships built in 2020"."""
        sentence = self._sentence
        if left < 0 or left != at - 1 or not sentence.is_past(at):
            return False
        return sentence.word(self._phrases.left(left) - 1) == "of"

    def _has_no_object(self, after: int) -> bool:
        """Whether what follows a verb is nothing: "objected to none of them"."""
        sentence = self._sentence
        first = after + sentence.is_preposition(after)
        return sentence.word(first) in _NOTHING and not sentence.pauses(after)

    # Voice and subject

    def _voice(self, at: int) -> _Verb:
        """Going left over auxiliaries and adverbs, and over what governs an infinitive."""
        sentence, verb = self._sentence, _Verb(at - 1)
        be = False
        while verb.left >= 0:
            if sentence.is_auxiliary(verb.left):
                be = be or sentence.is_be(verb.left)
            elif not sentence.is_adverb(verb.left):
                break
            verb.negated = verb.negated or sentence.is_negative(verb.left)
            verb.left -= 1
        verb.passive = be and sentence.is_past(at)
        if "," in sentence.gap(at) and sentence.word(at).endswith("ing"):
            # "The Millers won, beating the Leopards".
            outer = self._shared_verb(at)
            verb.left = self._voice(outer).left if 0 <= outer < at else -1
            return verb
        if sentence.word(verb.left) == "to":
            self._govern(verb)
        elif sentence.word(verb.left) == "and":
            shared = self._shared_verb(verb.left)
            if shared >= 0:
                other = self._voice(shared)
                verb.left = other.left
                verb.passive = verb.passive or (other.passive and sentence.is_past(at) and not be)
        return verb

    def _shared_verb(self, joint: int) -> int:
        """The verb before an "and" that has the same subject as the one after it, or -1."""
        sentence = self._sentence
        for place in range(joint - 1, max(-1, joint - _LONGEST), -1):
            regular = sentence.word(place).endswith("ed") and sentence.is_verb(place)
            if regular or sentence.is_known_verb(place):
                return place
            if sentence.breaks(place):
                return -1
        return -1

    def _govern(self, verb: _Verb) -> None:
        """The subject of an infinitive: before "to", or before the verb that governs it."""
        sentence, before = self._sentence, verb.left - 1
        if before < 0:
            verb.left = -1
        elif sentence.is_control(before) or sentence.is_auxiliary(before):
            outer = self._voice(before)
            verb.left, verb.negated = outer.left, verb.negated or outer.negated
        else:
            span = range(before, max(-1, before - _LONGEST), -1)
            verb.left = before if any(map(sentence.is_control, span)) else self._single(span)

    def _single(self, span: range) -> int:
        """Where the subject of "was the only member to" or "was one of two who" ends, or -1."""
        sentence = self._sentence
        be = next((place for place in span if sentence.is_be(place)), -1)
        told = (sentence.word(place) for place in range(be + 1, span.start + 1))
        alone = not (_SINGLE | _SOMEBODY).isdisjoint(told)
        return self._voice(be).left if be > 0 and alone else -1

    def _subject(self, end: int) -> tuple[Party | None, Party | None]:
        """The party that ends at `end` before a verb, and one that is named to be ruled out."""
        sentence = self._sentence
        relative = sentence.word(end) in RELATIVES
        if relative:
            end = self._first_relative(end) - 1
            while sentence.is_adverb(end) and not sentence.is_negative(end):
                end -= 1
            somebody = sentence.word(end) in _SOMEBODY and sentence.is_be(
                self._phrases.left(end) - 1
            )
            if sentence.word(self._phrases.left(end)) in _SINGLE or somebody:
                single = self._single(range(end, max(-1, end - _LONGEST), -1))
                end, relative = (single, False) if single >= 0 else (end, relative)
        if end < 0:
            return None, None
        inserted: range | None = None
        if not relative and ("," in sentence.gap(end + 1) or ")" in sentence.gap(end + 1)):
            opening = self._opening(end)
            if opening:
                inserted, end = range(opening, end + 1), opening - 1
        return self._with_denied(end, inserted)

    def _first_relative(self, at: int) -> int:
        """The first "who" of "who found it and who filed it"."""
        words = self._sentence.words
        if self._sentence.word(at - 1) == "and":
            for place in range(at - 2, max(0, at - _REACH), -1):
                if words[place] == words[at]:
                    return place
        return at

    def _opening(self, end: int) -> int:
        """Where the insertion that ends at `end` begins, or 0."""
        for place in range(end, max(0, end - _REACH), -1):
            gap = self._sentence.gap(place)
            if "," in gap or "(" in gap:
                return place
            if self._sentence.breaks(place):
                return 0
        return 0

    def _with_denied(self, end: int, inserted: range | None) -> tuple[Party | None, Party | None]:
        sentence, phrases = self._sentence, self._phrases
        denied: Party | None = None
        if inserted:
            first = inserted.start + (sentence.word(inserted.start) == "and")
            if sentence.word(first) == "not":
                denied, inserted = phrases.party(first + 1, inserted.stop), None
        start = phrases.left(end)
        if denied is None and sentence.word(start - 1) == "not":
            denied = phrases.party(start, end + 1)
            end = start - 2 - (sentence.word(start - 2) == "and")
            start = phrases.left(end) if end >= 0 else 0
        elif sentence.word(start - 1) == "but":
            denied = self._before_but(start - 1)
        if end < 0 or sentence.is_auxiliary(end):
            return None, denied
        party = phrases.party(phrases.apposition_left(start, end), end + 1)
        if inserted and party and self._describes(inserted):
            party = party.joined(phrases.party(inserted.start, inserted.stop))
        return party, denied

    def _describes(self, inserted: range) -> bool:
        """Whether an insertion names the one it follows: "its owner, the brewer Ann Moe, …"."""
        sentence, start = self._sentence, inserted.start
        named = any(map(sentence.is_capital, inserted))
        return sentence.is_capital(start) or (sentence.is_determiner(start) and named)

    def _before_but(self, joint: int) -> Party | None:
        """What stands between "not" and "but"."""
        for place in range(joint - 1, max(-1, joint - _LONGEST), -1):
            if self._sentence.word(place) == "not":
                return self._phrases.party(place + 1, joint)
        return None

    # Object and prepositions

    def _read_object(self, start: int, tail: range, verb: _Verb, sense: VerbSense) -> int:
        """Read what follows the verb at once; returns where it ends."""
        sentence, phrases = self._sentence, self._phrases
        while sentence.is_adverb(start):
            start += 1
        end = phrases.right(start)
        if start < tail.start < end:
            end = tail.start
        if end == start:
            return start
        first, second_end = phrases.party(start, end), self._second_end(end)
        second, receiver = phrases.party(end, second_end), sense.marks.get("to", "")
        if verb.passive:
            # "The museum was given two bronzes": the first object has become the subject.
            if receiver and sense.object in verb.parties and sense.subject != receiver:
                verb.add(receiver, verb.parties.pop(sense.object))
                verb.add("thing", first)
        elif second and receiver:
            verb.add(receiver, first)
            verb.add("thing", second)
        elif sense.object == "b" and any(map(sentence.is_number, range(start, end))):
            verb.add("thing", first)
        else:
            end = phrases.apposition_right(start, end)
            verb.add(sense.object, phrases.party(start, end))
            return end
        return max(end, second_end)

    def _second_end(self, place: int) -> int:
        """The end of a second object that begins at `place`: "gave the museum two bronzes"."""
        sentence = self._sentence
        led = sentence.is_determiner(place) or sentence.is_number(place)
        return (
            self._phrases.right(place) if led and not sentence.gap(place).strip(" $€£¥") else place
        )

    def _read_marks(self, place: int, start: int, verb: _Verb, sense: VerbSense) -> None:
        """What follows "to", "from" and "by"."""
        sentence, phrases = self._sentence, self._phrases
        marks = {**sense.marks, **({"by": sense.subject} if verb.passive else {})}
        while place < min(len(sentence.words), start + _REACH):
            if place > start and self._ends_clause(place):
                return
            role, place = marks.get(sentence.word(place)), place + 1
            if role:
                end = phrases.apposition_right(place, phrases.right(place))
                denies = sentence.word(place - 2) == "not"
                (verb.deny if denies else verb.add)(role, phrases.party(place, end))
                place = max(end, place)

    def _ends_clause(self, place: int) -> bool:
        sentence = self._sentence
        if sentence.breaks(place):
            return True
        if "," in sentence.gap(place):
            return not sentence.is_preposition(place) and sentence.word(place) != "and"
        return sentence.is_joining(place) and sentence.word(place) != "then"

    # Nouns

    def _nominal(self, at: int, group: NounGroup) -> Iterator[Frame]:
        """The event behind "was a pupil of Holm", "her pupils included Moe", "its owner, Moe"."""
        sentence, verb = self._sentence, _Verb(at - 1)
        verb.add(group.of, self._of_whom(at))
        start = self._phrases.left(at)
        among = next((n for n in range(at - 1, at - 4, -1) if sentence.word(n) == "among"), 0)
        if among and sentence.is_possessive(among + 1):
            owner = self._owner_before(among - 1)
            if owner:
                verb.parties[group.of] = owner
            start = self._phrases.left(among - 1)
            verb.add(group.holder, self._phrases.party(start, among))
        elif sentence.word(at + 1) in (
            "include",
            "included",
            "includes",
            "was",
            "is",
            "were",
            "are",
        ):
            verb.add(group.holder, self._phrases.party(at + 2, self._phrases.right(at + 2)))
        elif sentence.is_be(start - 1) or sentence.word(start - 1) in _BECOME:
            outer = self._voice(start - 1)
            verb.negated = outer.negated or sentence.is_negative(start - 1)
            if outer.left >= 0:
                verb.add(group.holder, self._subject(outer.left)[0])
        elif sentence.is_capital(at + 1) and not sentence.pauses(at + 1):
            verb.add(group.holder, self._phrases.party(at + 1, self._phrases.right(at + 1)))
        elif "," in sentence.gap(start) and sentence.is_capital(start - 1):
            verb.add(group.holder, self._phrases.party(self._phrases.left(start - 1), start))
        if group.holder in verb.parties and group.of in verb.parties:
            start = sentence.tokens[at].start
            yield Frame(group.concept, verb.parties, verb.denied, verb.negated, start)

    def _of_whom(self, at: int) -> Party | None:
        """Whose pupil: what follows "of", or stands before as a possessive."""
        sentence, phrases = self._sentence, self._phrases
        if sentence.word(at + 1) in ("of", "to"):
            return phrases.party(at + 2, phrases.right(at + 2))
        for place in range(at - 1, max(-1, at - 4), -1):
            if sentence.word(place) == "whose":
                return phrases.party(phrases.left(place - 1), place) if place else None
            if sentence.is_possessive(place):
                return phrases.owner(place)
        return None

    def _owner_before(self, last: int) -> Party | None:
        """Who "had Moe among his pupils"."""
        start = self._phrases.left(last)
        while start > 0 and not self._sentence.is_auxiliary(start - 1):
            start -= 1
        left = self._voice(start - 1).left if start else -1
        return self._subject(left)[0] if left >= 0 else None
