"""Whether a claim and a passage deny the same things.

Each "not", "no" or verb such as "fail" turns the words after it, its heads. A claim and a passage
agree in a word if both turn it, or neither; of two opposites if just one does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, KeysView, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import accumulate, islice, pairwise, takewhile, zip_longest
from typing import NamedTuple

from ...claims.words import HARDLY, INERT, NO, NOT, WITHOUT, Token, Turn, WordBook
from .objection import Objection, ObjectionKind

# How many words of weight a negator turns, and how far it reaches.
_HEADS = 3
_REACH = 9
# Words this near say of which of several like words the claim speaks.
_BESIDE = 6
# And words this near say that an opposite is said of the same.
_ASIDE = 3
# An opposite must stand by so many of the claim's words, and by more of them than the word itself.
_LEAST_SUPPORT, _LEAD = 0.5, 0.5
_SETTING_APART = frozenset({"rather than", "instead of"})
# So many words before "instead of" say what there is instead.
_BOTH = 2
_ALTERNATIVE = frozenset({"or", "nor"})
_WITH = frozenset({"with", "without"})
_ARTICLES = frozenset({"the", "a", "an", "its", "their", "his", "her", "our", "in", "of"})
_PREPOSITIONS = frozenset({"of", "to", "in", "on", "at", "for", "from", "with", "by"})
_JOINING = frozenset({"and", "but", "or"})
# Nouns for what is carried out, and verbs for what is only expected.
_UNDERTAKINGS = frozenset({"project", "projects"})
_PARTICLES = frozenset({"out", "off", "away", "through", "back", "up", "down"})
_POINTING = frozenset({"this", "that", "these", "those", "each", "both"})
_OTHERS = frozenset({"other", "others", "further", "additional", "else"})
_PRONOUNS = frozenset({"none", "neither", "nobody"})
# What takes up those of whom something was denied, within so many words of a clause.
_THOSE, _LED = frozenset({"them", "they", "all", "each", "both", "most"}), 4
_SENTENCE_REACH = 24
_SUPPOSING = frozenset({"if", "unless", "had"})
_LESS = frozenset({"less", "least"})
_UNTIL = frozenset({"until", "till"})
# What may stand between a verb such as "fail" or "lack" and what it denies.
_LINKING = frozenset(
    {"to", "of", "from", "the", "a", "an", "any", "that", "its", "his", "her", "their", "be"}
)
_BOUNDARY = frozenset(",;:.!?()|—–\n")
_PART_END = frozenset(";.!?\n")
_SENTENCE_END = re.compile(r"[.!?]\s|\n")
_LIMIT = re.compile(
    r"no (?:\w+ ){1,4}(?:may|can|must|shall|should|will)(?: ever)? (?:exceed"
    r"|(?:be|cost|weigh|last|take|run|stay) (?:more|longer|higher|heavier|larger|greater) than)"
    r" (?=\W?\d|[a-z]+ )",
    re.IGNORECASE,
)
_MOST = re.compile(r" to an? (?:limit|maximum|ceiling|total|cap) of\b", re.IGNORECASE)
_CERTAIN, _LIKELY, _DOUBTFUL = 0.9, 0.7, 0.4


FREE = ("modality", "free")
"""The class and group of words by which nobody has to: "need not"."""


class NegationKind(StrEnum):
    """What a negating word denies, and how."""

    NOT = "not"  # the next word
    HARDLY = "hardly"  # the same, nearly
    NO = "no"  # that there is a thing, and what is said of it
    WITHOUT = "without"  # that another thing has it
    IMPLIED = "implied"  # a verb that is a word like others, too: "refused to go"


_KINDS = {key: NegationKind(key[1]) for key in (NOT, HARDLY, NO, WITHOUT)}
_STRENGTHS = {
    NegationKind.NOT: _CERTAIN,
    NegationKind.NO: _LIKELY,
    NegationKind.HARDLY: _DOUBTFUL,
    NegationKind.WITHOUT: _DOUBTFUL,
    NegationKind.IMPLIED: _DOUBTFUL,
}


class Negation(NamedTuple):
    """A negating word and the places of the words that it turns, the nearest first.

    `contrast` marks one that only sets something apart ("and not the mayor", "rather than May"),
    `nested` one that stands in the reach of another ("nothing suggests that it was not") or is only
    supposed ("had it not been open").
    """

    kind: NegationKind
    word: str
    place: int
    heads: tuple[int, ...]
    contrast: bool
    nested: bool

    @property
    def primary(self) -> tuple[int, ...]:
        """The words that it certainly turns."""
        return self.heads if self.kind is NegationKind.NO else self.heads[:1]

    @property
    def strength(self) -> float:
        """How sure it is that the other text contradicts one without it."""
        if self.nested:
            return _DOUBTFUL
        known = _STRENGTHS[self.kind]
        return min(known, _LIKELY) if self.contrast else known


@dataclass(frozen=True)
class Statement:
    """A run of words with what they deny; `text` is what their offsets point into."""

    tokens: tuple[Token, ...]
    text: str
    book: WordBook

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """Its turning words and phrases, in order."""
        return tuple(turn for turn in self.book.turns(self.tokens) if not self._is_noun(turn))

    def _is_noun(self, turn: Turn) -> bool:
        """Whether it is "the project" that is carried out, and not what somebody projects."""
        before = self.tokens[max(0, turn.place - 2) : turn.place]
        led = any(t.word in _ARTICLES or t.word in _POINTING for t in before)
        return turn.word in _UNDERTAKINGS and led

    @cached_property
    def negations(self) -> tuple[Negation, ...]:
        """Its negations, in order."""
        found = sorted((*self._negators(), *self._implied()), key=lambda negator: negator[1])
        skipped = {place for _, start, end in found for place in range(start, end)}
        negations: list[Negation] = []
        for kind, place, end in found:
            word = " ".join(token.word for token in self.tokens[place:end])
            heads = self._heads(end, skipped, implied=kind is NegationKind.IMPLIED)
            if kind is NegationKind.NO:
                heads += (*self._said_of(place, heads), *self._act_before(place))
            if kind is NegationKind.NOT and not heads and not self._is_contrast(word, place):
                heads = self._subject_of(place)
            nested = any(self._is_open(before.place, place) for before in negations)
            nested = nested or self._is_supposed(place)
            contrast = self._is_contrast(word, place)
            negations.append(Negation(kind, word, place, heads, contrast, nested))
        return tuple(negations)

    def _subject_of(self, place: int) -> tuple[int, ...]:
        """The word of weight before a "not" that denies too weak a verb: "the trains did not run".

        None at the end of a clause, as in "the sauna is not", which denies what went before.
        """
        end = self.clause_end(place)
        if any(token.word in _PARTICLES for token in self.tokens[place + 2 : min(end, place + 3)]):
            # "Cannot get out" is weak in no word: it denies the two together.
            return ()
        before = range(place - 1, self.clause_of(place).start - 1, -1)
        said = (n for n in before if self._is_said(self.tokens[n]))
        return tuple(islice(said, 1)) if end > place + 1 else ()

    def _negators(self) -> Iterator[tuple[NegationKind, int, int]]:
        for turn in self.turns:
            kind = next((_KINDS[key] for key in turn.keys if key in _KINDS), None)
            idle = self._is_number_sign(turn.place) or self._is_joined(turn)
            idle = idle or self._sets_limit(turn.place)
            if kind and INERT not in turn.keys and not idle:
                late = kind is NegationKind.NOT and self._is_only_late(turn)
                yield NegationKind.HARDLY if late else kind, turn.place, turn.end

    def _is_joined(self, turn: Turn) -> bool:
        """Whether it is part of a compound, which denies nothing: the "no" of "no-show rate"."""
        end = self.tokens[turn.end - 1].end
        return self.text[end : end + 1] == "-" and self.text[end + 1 : end + 2].isalpha()

    def _sets_limit(self, place: int) -> bool:
        """Whether it only says how much there may be: "no fine shall exceed 6 pounds"."""
        return bool(_LIMIT.match(self.text, self.tokens[place].start))

    def _is_supposed(self, place: int) -> bool:
        """Whether a word stands in an "if" clause."""
        return self.tokens[self.clause_of(place).start].word in _SUPPOSING

    def is_excepted(self, place: int) -> bool:
        """Whether a word stands after "unless": what holds unless it is so holds if it is not."""
        clause = self.clause_of(place)
        return self.tokens[max(0, clause.start - 1)].word == "unless" or any(
            self.tokens[other].word == "unless" for other in range(clause.start, place)
        )

    def _is_only_late(self, turn: Turn) -> bool:
        """Whether "not … until" may say that it was so, if late."""
        reach = range(turn.end, min(len(self.tokens), turn.end + _REACH))
        clause = takewhile(lambda place: not self._breaks(place), reach)
        return any(self.tokens[place].word in _UNTIL for place in clause)

    def _implied(self) -> Iterator[tuple[NegationKind, int, int]]:
        for place, (token, after) in enumerate(zip_longest(self.tokens, self.tokens[1:])):
            ends = token.stem in self.book.ending and after and after.word.endswith("ing")
            if ends or token.stem in self.book.implied:
                yield NegationKind.IMPLIED, place, place + 1

    def _is_open(self, start: int, end: int) -> bool:
        """Whether no boundary of a clause stands between two words."""
        return not any(self._breaks(place) for place in range(start + 1, end + 1))

    def within(self, start: int, end: int) -> frozenset[int]:
        """The words at `[start, end)` of the text."""
        return frozenset(n for n, t in enumerate(self.tokens) if t.start < end and start < t.end)

    @cached_property
    def sentences(self) -> tuple[int, ...]:
        """Which sentence each word is in."""
        ends = (_SENTENCE_END.search(self.gap(place)) for place in range(len(self.tokens)))
        return tuple(accumulate(bool(end) for end in ends))

    @cached_property
    def turned(self) -> dict[int, int]:
        """-1 for each word that is denied, 1 for one that is denied twice."""
        signs: dict[int, int] = {}
        for negation in self.negations:
            for place in negation.primary:
                signs[place] = -signs.get(place, 1)
        for place, token in enumerate(self.tokens[1:], start=1):
            # "Less long" is shorter.
            if self.tokens[place - 1].word in _LESS and self.book.opposites.get(token.stem):
                signs[place] = -signs.get(place, 1)
        return signs

    @cached_property
    def inside(self) -> frozenset[int]:
        """Words that are part of a phrase and mean nothing by themselves: "no longer", "up to"."""
        turns = (turn for turn in self.turns if turn.end - turn.place > 1)
        held = {place for turn in turns for place in range(turn.place, turn.end)}
        book = self.book
        for place, token in enumerate(self.tokens):
            idle = token.word in book.particles and not self._moves(place)
            if idle or (token.word in book.comparatives and self._names(place)):
                held.add(place)
        return frozenset(held)

    def contradicted_by(self, other: Statement) -> list[int]:
        """The words for which the other text has a contrary that this one has not."""
        stems = other.stems & self._contraries.keys()
        return sorted({place for stem in stems for place in self._contraries[stem]})

    @cached_property
    def _contraries(self) -> dict[str, list[int]]:
        """Where the words stand whose contrary each stem is; none that the text has itself."""
        own = {stem for token in self.tokens for stem in self.book.alike(token.stem)}
        ways = {self.book.directions.get(token.stem, 0) for token in self.tokens}
        found: dict[str, list[int]] = {}
        for place, token in enumerate(self.tokens):
            if place in self.inside or not self.is_telling(token):
                continue
            for stem in self.book.opposed(token.stem) - own:
                # "Fell" is no contrary where the claim says as well that something fell.
                if self.book.directions.get(stem) not in ways:
                    found.setdefault(stem, []).append(place)
        return found

    @property
    def stems(self) -> KeysView[str]:
        """The stems of its words."""
        return self._by_stem.keys()

    def _names(self, place: int) -> bool:
        """Whether a comparative stands before a noun, as in "the lower court"."""
        before, after = self._beside(place)
        return before in _ARTICLES and after != "than"

    def _beside(self, place: int) -> tuple[str, str]:
        before = self.tokens[place - 1].word if place else ""
        return before, self.tokens[place + 1].word if place + 1 < len(self.tokens) else ""

    def _moves(self, place: int) -> bool:
        """Whether "up" or "down" says that something rose or fell, and not that it broke."""
        token, book = self.tokens[place], self.book
        before, after = self._beside(place)
        if "-" in (
            self.text[token.start - 1 : token.start],
            self.text[token.end : token.end + 1],
        ):
            return False
        # "May be up to nine", "up to a limit of nine" say how much there may be.
        if after == "to" and (before == "be" or _MOST.match(self.text, token.end)):
            return False
        numbered = after[:1].isdigit()
        if before in book.move_bound or (numbered and before in book.move_bound_to_number):
            return False
        return after in book.move_after or numbered or before in book.move_before

    @cached_property
    def grazed(self) -> frozenset[int]:
        """The words that any negation reaches."""
        return frozenset(place for negation in self.negations for place in negation.heads)

    def meant(self, stem: str) -> list[tuple[int, int]]:
        """As `places`; opposites only if the stem itself does not stand there."""
        places = list(self.places(stem))
        return [(place, sign) for place, sign in places if sign > 0] or places

    def places(self, stem: str) -> Iterator[tuple[int, int]]:
        """Where the stem or one like it stands, with 1, and where an opposite does, with -1.

        Words that say of something that it goes the same way are alike.
        """
        way = self.book.directions.get(stem)
        same = {word for word in self._by_stem if way and self.book.directions.get(word) == way}
        for word in (self.book.alike(stem) & self._by_stem.keys()) | same:
            yield from ((place, 1) for place in self._by_stem[word])
        for word in self.book.opposed(stem) & self._by_stem.keys():
            yield from ((place, -1) for place in self._by_stem[word] if place not in self.inside)

    @cached_property
    def _by_stem(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for place, token in enumerate(self.tokens):
            places.setdefault(token.stem, []).append(place)
        return places

    def _heads(self, start: int, skipped: set[int], *, implied: bool) -> tuple[int, ...]:
        heads: list[int] = []
        for place in range(start, min(len(self.tokens), start + _REACH)):
            token = self.tokens[place]
            if self._breaks(place) or token.word in self.book.stops:
                break
            if place not in skipped and self.is_telling(token):
                heads.append(place)
            elif implied and token.word not in _LINKING:
                break
            if len(heads) == _HEADS or (heads and implied):
                break
        return tuple(heads)

    def _act_before(self, place: int) -> tuple[int, ...]:
        """The word right before a "no" or "none": who upheld none of them upheld nothing.

        Who objected to none of them objected to nothing.
        """
        led = place > 1 and not self._breaks(place)
        led = led and self.tokens[place - 1].word in _PREPOSITIONS
        last = place - 1 - led
        if last < 0 or not self._is_open(last, place) or not self.is_telling(self.tokens[last]):
            return ()
        return (last,)

    def _said_of(self, place: int, heads: tuple[int, ...]) -> tuple[int, ...]:
        """What "none of the boats that came in 2020 was lost" denies of them, far from the "none".

        All that follows in the sentence but names, as what belongs to the boats is hard to tell.
        """
        if self.tokens[place].word not in _PRONOUNS or not heads:
            return ()
        after = range(heads[-1] + 1, min(len(self.tokens), place + _SENTENCE_REACH))
        open_ = takewhile(lambda other: not self._breaks(other), after)
        return tuple(n for n in open_ if self._is_said(self.tokens[n]))

    def _is_said(self, token: Token) -> bool:
        return self.is_telling(token) and not token.capital and not token.word[0].isdigit()

    def clause_after(self, place: int) -> Iterator[int]:
        """The words of weight from `place` to the end of its clause."""
        return (other for other in self._clause(place) if self.is_telling(self.tokens[other]))

    def _clause(self, place: int) -> Iterator[int]:
        yield from range(place + 1, self.clause_end(place))

    def clause_of(self, place: int) -> range:
        """The places of the clause that has the word at `place`."""
        start = place
        while start and not self._starts_clause(start):
            start -= 1
        return range(start, self.clause_end(place))

    def clause_end(self, place: int) -> int:
        """Where the clause ends that has the word at `place`."""
        later = range(place + 1, len(self.tokens))
        return next((other for other in later if self._starts_clause(other)), len(self.tokens))

    def _starts_clause(self, place: int) -> bool:
        return self._breaks(place) or self.tokens[place].word in self.book.stops

    def _is_contrast(self, word: str, place: int) -> bool:
        if word in _SETTING_APART:
            return True
        before = self.tokens[place - 1].word if place else ""
        # What is not so yet may be planned.
        if any(self.tokens[other].word == "yet" for other in self._clause(place)):
            return True
        return word == "not" and (before in _JOINING or (place > 0 and self._breaks(place)))

    def is_telling(self, token: Token) -> bool:
        """Whether a word can be what a negation turns."""
        stops, weak = self.book.stop_words, self.book.weak_words
        if token.stem in self.book.directions:
            return True
        return token.stem not in stops and token.word not in stops and token.stem not in weak

    def _breaks(self, place: int) -> bool:
        return not _BOUNDARY.isdisjoint(self.gap(place))

    def gap(self, place: int) -> str:
        """What stands between a word and the one before it; "" for the first."""
        return self.text[self.tokens[place - 1].end : self.tokens[place].start] if place else ""

    def _is_number_sign(self, place: int) -> bool:
        """Whether it is the "No." of "No. 5"."""
        token = self.tokens[place]
        after = self.text[token.end : token.end + 3]
        return token.word == "no" and after[:1] == "." and after[1:].strip().isdigit()


class Parity:
    """A claim's statement compared with a passage's."""

    def __init__(self, claim: Statement, passage: Statement) -> None:
        self._claim = claim
        self._passage = passage
        self._book = claim.book

    def objections(self) -> Iterator[Objection]:
        """Every denial or opposite that only one of the two has."""
        yield from self._claimed()
        yield from self._found()
        yield from self._opposites()

    def _claimed(self) -> Iterator[Objection]:
        """What the claim denies and the passage does not."""
        for negation in self._claim.negations:
            if self._is_shared(negation, self._passage):
                continue
            stems = (self._claim.tokens[head].stem for head in negation.heads)
            links = [self._passage.meant(stem) for stem in stems]
            if any(self._denies(place, sign) for found in links for place, sign in found):
                continue
            if any(self._passage.is_excepted(place) for found in links[:1] for place, _ in found):
                continue
            flipped = self._is_hit([bool(found) for found in links], negation)
            flipped = flipped and not negation.contrast and self._has_all_after(negation)
            flipped = flipped and not self._is_denied_otherwise(negation)
            if flipped or negation.kind is not NegationKind.IMPLIED:
                sure = flipped and not self._is_superlative(negation)
                strength = negation.strength if sure else _DOUBTFUL
                yield _turn(negation.word, "", flipped=flipped, strength=strength)

    def _is_denied_otherwise(self, negation: Negation) -> bool:
        """Whether the passage denies something of the very thing, where the claim's verb is weak.

        "The wasp did not take hold" may be what "the wasp did not settle" says.
        """
        if not negation.heads or negation.heads[0] > negation.place:
            return False
        subject = self._claim.tokens[negation.heads[0]].stem
        said = {place for place, sign in self._passage.meant(subject) if sign > 0}
        return any(
            other.kind is NegationKind.NOT
            and not said.isdisjoint(self._passage.clause_of(other.place))
            for other in self._passage.negations
        )

    def _found(self) -> Iterator[Objection]:
        """What the passage denies and the claim does not."""
        mixed = any(negation.contrast for negation in self._claim.negations)
        for negation in self._passage.negations:
            no = negation.kind is NegationKind.NO
            if self._is_shared(negation, self._claim):
                continue
            stems = (self._passage.tokens[head].stem for head in negation.heads)
            links = [self._claim.meant(stem) for stem in stems]
            if any(self._claim_denies(place, sign) for found in links for place, sign in found):
                continue
            linked = [bool(found) for found in links]
            if self._is_hit(linked, negation) or self._hits_alternative(linked, negation):
                if self._is_of_another(negation) or self._has_both(negation):
                    continue
                if self._is_of_others(negation):
                    continue
                # "No overall charge" leaves room for a charge of one sort.
                # Who says "without asking" may mean what "needs no consent" denies.
                doubtful = mixed or not links[0] or (no and self._lacks(NegationKind.WITHOUT))
                doubtful = doubtful or self._is_of_another_verb(negation)
                strength = _DOUBTFUL if doubtful else negation.strength
                at = self._passage.tokens[negation.place].start
                yield _turn("", negation.word, flipped=not mixed, strength=strength, at=at)

    def _lacks(self, kind: NegationKind) -> bool:
        """Whether the claim denies something by a word of `kind`, and the passage does not."""
        own, theirs = (
            {one.kind for one in side.negations} for side in (self._claim, self._passage)
        )
        return kind in own - theirs

    def _opposites(self) -> Iterator[Objection]:
        """Words for which the passage has the contrary in the same place, and the claim has not."""
        for place in self._claim.contradicted_by(self._passage):
            token, link = self._claim.tokens[place], self._best_link(place)
            if link is None or link[1] > 0:
                continue
            if self._is_said_of_another(link[0]) or link[0] in self._left_open:
                continue
            denied = self._claim.turned.get(place, 1) * self._passage.turned.get(link[0], 1)
            if denied > 0:
                found = self._passage.tokens[link[0]].word
                sure = _LIKELY if self._is_beside(place, link[0]) else _DOUBTFUL
                yield Objection(
                    ObjectionKind.OPPOSITE,
                    token.word,
                    found,
                    replaced=sure == _LIKELY,
                    flipped=True,
                    strength=sure,
                    at=self._passage.tokens[link[0]].start,
                )

    @cached_property
    def _left_open(self) -> frozenset[int]:
        """What nobody has to do by the passage: "not required to accept" lets them refuse."""
        passage = self._passage
        free = [turn for turn in passage.turns if FREE in turn.keys]
        return frozenset(n for t in free for n in range(t.end, passage.clause_end(t.place)))

    def _is_beside(self, place: int, other: int) -> bool:
        """Whether a word right beside the one stands right beside its contrary, too.

        "Juniors play" and "senior tournaments" are of different people; that a thing rises and
        falls may be said at any distance.
        """
        if self._claim.tokens[place].stem in self._book.directions:
            return True
        if self._claim.tokens[place].word in _WITH:
            return self._has_alike_after(place, other)
        near = {token.stem for token in _round(self._passage.tokens, other)}
        return any(
            not self._book.alike(token.stem).isdisjoint(near)
            for token in _round(self._claim.tokens, place)
            if self._claim.is_telling(token)
        )

    def _has_alike_after(self, place: int, other: int) -> bool:
        """Whether "with" and "without" are said of one thing."""
        after = self._passage.tokens[other + 1 : other + 1 + _ASIDE]
        theirs = {token.stem for token in after}
        own = self._claim.tokens[place + 1 : place + 1 + _ASIDE]
        telling = [token for token in own if self._claim.is_telling(token)][:1]
        return any(not self._book.alike(token.stem).isdisjoint(theirs) for token in telling)

    def _is_said_of_another(self, other: int) -> bool:
        """Whether another part of the passage has all that the part with a word has, and more.

        Of "grain was over the limit in six sacks; rice, in none, was below it" the first part is
        on the grain.
        """
        parts = self._parts
        at = next(part for part in parts if other in part)
        own = self._held(at)
        return any(own < self._held(part) for part in parts if part is not at)

    @cached_property
    def _parts(self) -> list[range]:
        """The stretches of the passage between semicolons and full stops."""
        passage = self._passage
        count = len(passage.tokens)
        starts = [n for n in range(count) if not n or not _PART_END.isdisjoint(passage.gap(n))]
        return [range(*pair) for pair in pairwise((*starts, count))]

    def _is_of_another(self, negation: Negation) -> bool:
        """Whether the passage says what it denies of one thing of another, which is the claim's.

        The clause on that has as many words of the claim, with all that the denial has and others.
        "No such plan" denies what has been said before.
        """
        if any(token.word == "such" for token in self._passage.tokens[negation.place + 1 :][:1]):
            return False
        denied = self._held(range(negation.place, self._denied_end(negation)))
        clause = self._held(self._passage.clause_of(negation.place))
        said = (
            self._held(self._passage.clause_of(other))
            for head in negation.heads
            for place, sign in self._claim.meant(self._passage.tokens[head].stem)
            for other, way in self._passage.places(self._claim.tokens[place].stem)
            if way == sign and other not in self._passage.grazed
        )
        told = (denied | held for held in self._said_of_all(negation))
        return any(denied < held and len(clause) <= len(held) for held in (*said, *told))

    def _said_of_all(self, negation: Negation) -> Iterator[frozenset[str]]:
        """What further clauses say of those whom a "no" is about: "No ..., but all of them ...".

        A clause that begins with such a pronoun, and denies nothing, has what the claim says.
        """
        if negation.kind is not NegationKind.NO or negation.word in _PRONOUNS:
            return
        passage, end = self._passage, self._passage.clause_end(negation.place)
        while (
            end < len(passage.tokens)
            and passage.sentences[end] == (passage.sentences[negation.place])
        ):
            clause = passage.clause_of(end)
            words = [passage.tokens[place].word for place in clause][:_LED]
            if not _THOSE.isdisjoint(words) and passage.grazed.isdisjoint(clause):
                yield self._held(clause)
            end = max(end + 1, clause.stop)

    def _is_of_another_verb(self, negation: Negation) -> bool:
        """Whether it denies a weak verb of the subject that the claim has not: "cannot get out"."""
        if negation.heads and negation.heads[0] > negation.place:
            return False
        end = negation.place + len(negation.word.split())
        verb = self._passage.tokens[end : end + 1]
        return any(token.stem not in self._claim.stems for token in verb)

    def _is_of_others(self, negation: Negation) -> bool:
        """Whether the passage rules out only what comes on top: "no other boats came"."""
        after = self._passage.tokens[negation.place + 1 :][:1]
        no = negation.kind is NegationKind.NO
        return no and any(token.word in _OTHERS for token in after)

    def _denied_end(self, negation: Negation) -> int:
        """Where what is denied ends: "no charge to the whole" says it of the charge."""
        end = self._passage.clause_end(negation.place)
        if negation.kind is not NegationKind.NO or not negation.heads:
            return end
        after = range(negation.heads[0], end)
        return next((n for n in after if self._passage.tokens[n].word in _PREPOSITIONS), end)

    def _has_both(self, negation: Negation) -> bool:
        """Whether the claim has what "instead of" rules out and what stands before it as well."""
        before = self._passage.tokens[max(0, negation.place - _BOTH) : negation.place]
        apart = negation.word in _SETTING_APART
        return apart and self._claim.stems >= {token.stem for token in before}

    def _held(self, places: range) -> frozenset[str]:
        """The words of weight of the claim that the passage has at `places`."""
        stems = {self._passage.tokens[place].stem for place in places}
        return frozenset(
            token.stem
            for token in self._claim.tokens
            if self._claim.is_telling(token) and not self._book.alike(token.stem).isdisjoint(stems)
        )

    def _is_superlative(self, negation: Negation) -> bool:
        """Whether "no one sold more than Moe" only says that Moe sold most."""
        after = range(negation.place, self._claim.clause_end(negation.place) + 1)
        compares = any(t.word == "than" for t in self._claim.tokens[after.start : after.stop])
        own = negation.kind is NegationKind.NO and compares
        return own and not any(token.word == "than" for token in self._passage.tokens)

    def _has_all_after(self, negation: Negation) -> bool:
        """Whether the passage has the rest of the denied clause: any part of it may be denied.

        "It was not built in 2018" agrees with "It was built in 2014".
        """
        after = (place for place in self._claim.clause_after(negation.place))
        return all(
            any(True for _ in self._passage.places(self._claim.tokens[n].stem)) for n in after
        )

    def _is_shared(self, negation: Negation, other: Statement) -> bool:
        """Whether the other text has the verb that implies the denial, or an opposite of it."""
        if negation.kind is not NegationKind.IMPLIED:
            return False
        own = self._claim if other is self._passage else self._passage
        return any(True for _ in other.places(own.tokens[negation.place].stem))

    def _is_hit(self, linked: Sequence[bool], negation: Negation) -> bool:
        """Whether enough of what is denied stands in the other text to speak of the same."""
        if not linked:
            return False
        return linked[0] or (negation.kind is NegationKind.NO and sum(linked) > 1)

    def _hits_alternative(self, linked: Sequence[bool], negation: Negation) -> bool:
        """Whether what is denied after an "or" stands in the claim: "not be dug up or picked"."""
        tokens = self._passage.tokens
        return negation.kind is NegationKind.NOT and any(
            held and tokens[head - 1].word in _ALTERNATIVE
            for held, head in zip(linked, negation.heads, strict=True)
        )

    def _denies(self, place: int, sign: int) -> bool:
        return (place in self._passage.grazed) == (sign > 0)

    def _claim_denies(self, place: int, sign: int) -> bool:
        return (place in self._claim.grazed) == (sign > 0)

    def _best_link(self, place: int) -> tuple[int, int] | None:
        """The word of the passage that stands for one of the claim, and whether it is opposite."""
        links = list(self._passage.places(self._claim.tokens[place].stem))
        if not any(sign < 0 for _, sign in links):
            return None
        support = {link: self.support(place, link[0]) for link in links}
        same = max((value for (_, sign), value in support.items() if sign > 0), default=0.0)
        best = max(links, key=lambda link: (support[link], link[1]))
        return best if support[best] >= max(_LEAST_SUPPORT, same + _LEAD) else None

    def support(self, place: int, other: int) -> float:
        """How many of the words around the one stand around the other, the nearer ones first."""
        sentences = self._passage.sentences
        around = {
            self._passage.tokens[near].stem
            for near in range(max(0, other - _BESIDE), min(len(sentences), other + _BESIDE))
            if sentences[near] == sentences[other]
        }
        total = 0.0
        for near, token in enumerate(self._claim.tokens):
            if near != place and self._claim.is_telling(token):
                held = not self._book.alike(token.stem).isdisjoint(around)
                total += held / (1 + abs(near - place) / 4)
        return total


def _turn(claimed: str, found: str, *, flipped: bool, strength: float, at: int = -1) -> Objection:
    kind = ObjectionKind.TURN
    return Objection(
        kind, claimed, found, guard="negation", flipped=flipped, strength=strength, at=at
    )


def _round(tokens: Sequence[Token], place: int) -> Sequence[Token]:
    """The words within three of the one at `place`."""
    return (*tokens[max(0, place - _ASIDE) : place], *tokens[place + 1 : place + 1 + _ASIDE])
