"""Laying a claim over the passages of a source: words covered, slots filled, order kept."""

from __future__ import annotations

import bisect
import heapq
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise

from ...claims.lexicon import Lexicon
from ...claims.model import Quantity
from ...claims.words import Token
from ..meaning.aliases import explained_words
from ..meaning.polarity import Statement
from ..meaning.role_checks import RoleChecks
from ..meaning.speaker_checks import SpeakerChecks
from ..meaning.trend import Moves, claimed_moves
from ..policy import VerificationPolicy
from ..reading.form import ClaimForm, Slot, Term, covered
from ..reading.index import TextIndex
from ..reading.kept import Kept
from ..reading.window import MOST_KEPT, Candidate, Window, build_window
from ..values.comparison import Comparison
from ..values.slots import SlotFiller, SlotMatch

FIRST_PERSON = frozenset({"we", "our", "us", "i", "my"})
# What a heading that is a number may be called.
_NUMBERED = frozenset({"version", "releas", "edition", "section", "chapter", "articl", "v"})
# The longest subject that a "we" may stand for, in words that count.
_SUBJECT = 3
_BEFORE_VERB = 4
_ONE_OF = re.compile(
    r"\b(?:is|are|was|were|counts?|ranks?) (?:one of|among|amongst) (?:the|its|their) (?:\w+ )?"
    r"(?P<sort>[a-z]+) (?:(?:at|in|on|to|from|for|by|of) )?(?:that|which|whom|where)\b"
)
_LONGEST_ITEM, _LEAST_ITEMS = 3, 3
_ITEM_END = frozenset(",;:")
_JOINING = frozenset({"and", "or"})
# A word in these many segments before a passage may be what its pronouns mean.
_NEAR_SEGMENTS = 2
# A further sentence must bring more than this share of the claim's words.
_LENGTH_COST = 0.04
# Laying a claim over a window costs far more than telling which of its words stand there.
_TELLING_DIGITS, _FIGURES_LAID = 3, 1
_WINDOWS_LAID = 6


_PASSAGES: Kept[tuple[int, int], Statement] = Kept(MOST_KEPT)


@dataclass(frozen=True, slots=True)
class Alignment:
    """A claim laid over one window of a source. Shares are 0–1.

    `coverage` weighs the claim's words, `plain` counts them alike; `density` is the claim's share
    of the words in the stretch of the passage that it covers; `order` is the share of the common
    words that keep their order. `swapped` are two slots whose values the passage gives the other
    way round. `missing` words are not in the passage, `unknown` ones nowhere in the source.
    """

    window: Window
    coverage: float
    plain: float
    density: float
    order: float
    slots: tuple[SlotMatch, ...]
    swapped: tuple[SlotMatch, SlotMatch] | None
    missing: tuple[Term, ...]
    unknown: tuple[Term, ...]

    @property
    def rank(self) -> tuple[int, float]:
        """Better alignments have a higher rank: slots filled, then words covered."""
        length = self.window.last - self.window.first
        filled = sum(match.filled for match in self.slots)
        return filled, self.coverage - _LENGTH_COST * length


class Aligner:
    """Lays one claim over one source."""

    def __init__(
        self, form: ClaimForm, index: TextIndex, lexicon: Lexicon, policy: VerificationPolicy
    ) -> None:
        self.form = form
        self.index = index
        self.lexicon = lexicon
        self.policy = policy
        self._weights = tuple(index.weight(term.stem) * self._factor(term) for term in form.terms)
        self.filler = SlotFiller(form, self._weights, index, lexicon, policy)
        self._explained: dict[tuple[int, int], frozenset[str]] = {}
        self._moves: dict[tuple[int, int], Moves] = {}
        self._worths: dict[int, float] = {}

    def explained(self, window: Window) -> frozenset[str]:
        """The claim's words that `window` says by figures, another name, a pronoun or in short."""
        key = window.first, window.last
        known = self._explained.get(key)
        if known is None:
            named = explained_words(self.form, self.index.cast, window, self.lexicon)
            shown = (self.statement.tokens[place].stem for place in self.moves(window).borne_out)
            known = named.union(shown, self._denied_alike(window), self._headed(window), self._sort)
            self._explained[key] = known
        return known

    def _denied_alike(self, window: Window) -> Iterator[str]:
        """The words by which the claim denies what `window` denies in other ones.

        "Failed to tell" is "did not tell".
        """
        if not self.statement.negations:
            return
        passage = self.passage(window)
        for negation in self.statement.negations:
            heads = [self.statement.tokens[head].stem for head in negation.primary]
            if any(
                sign > 0 and place in passage.grazed
                for head in heads
                for place, sign in passage.meant(head)
            ):
                yield from (t.stem for t in self.lexicon.words.tokens(negation.word))

    @cached_property
    def _sort(self) -> frozenset[str]:
        """What the claim calls those of whom its subject is one: "among the ports at which …"."""
        found = _ONE_OF.search(self.form.claim.text)
        if not found:
            return frozenset()
        return frozenset(t.stem for t in self.lexicon.words.tokens(found["sort"]))

    def _headed(self, window: Window) -> Iterator[str]:
        """The number of a heading that governs `window`, and what the claim calls it: "version"."""
        over = self.index.governing(window.first)
        for before, token in pairwise(self.form.tokens):
            if token.word[0].isdigit() and token.stem in over and before.stem in _NUMBERED:
                yield from (before.stem, token.stem)

    def moves(self, window: Window) -> Moves:
        """The rises and falls of the claim, held against the figures of `window`."""
        key = window.first, window.last
        known = self._moves.get(key)
        if known is None:
            passage = self.passage(window)
            moves = Moves(self.statement, self._signs, passage, window.candidates, self.index.knows)
            known = self._moves[key] = moves
        return known

    @cached_property
    def _signs(self) -> dict[int, int]:
        return dict(claimed_moves(self.statement))

    def passage(self, window: Window) -> Statement:
        """The words of `window` with what they deny."""
        return _PASSAGES.get(
            self.index,
            (window.first, window.last),
            lambda: Statement(window.tokens, self.index.text, self.index.lexicon.words),
        )

    @cached_property
    def roles(self) -> RoleChecks:
        """Who does what to whom, in the claim and in the source."""
        return RoleChecks(self.form, self.index.cast, self.lexicon)

    @cached_property
    def statement(self) -> Statement:
        """The claim's words with what they deny, without what it only rules out."""
        tokens = tuple(t for t in self.form.tokens if not covered(t, self.form.apart))
        return Statement(tokens, self.form.claim.text, self.lexicon.words)

    @cached_property
    def speakers(self) -> SpeakerChecks:
        """Who says it, in the claim and in the source."""
        return SpeakerChecks(self.form, self.index)

    def _factor(self, term: Term) -> float:
        if term.speaker:
            return self.policy.weights.speaker
        return self.policy.weights.weak if term.weak else 1.0

    @cached_property
    def _held(self) -> dict[int, int]:
        """Which of the claim's words and numbers each segment holds: a bit for each of them."""
        postings, book = self.index.postings, self.lexicon.words
        sought = [book.alike(term.stem) for term in self.form.terms]
        sought += [
            frozenset(t.stem for t in book.tokens(slot.value.text) if t.word[0].isdigit())
            for slot in self.form.slots
        ]
        held: dict[int, int] = {}
        for bit, words in enumerate(sought):
            for number in {number for word in words for number in postings.get(word, ())}:
                held[number] = held.get(number, 0) | 1 << bit
        return held

    def holds(self, number: int) -> bool:
        """Whether a segment has a word or number of the claim."""
        return number in self._held

    def _worth(self, held: int) -> float:
        """The weight of the words and numbers whose bits are set; each number weighs 1."""
        known = self._worths.get(held)
        if known is None:
            known = sum(weight for bit, weight in enumerate(self._weights) if held >> bit & 1)
            known += (held >> len(self._weights)).bit_count()
            self._worths[held] = known
        return known

    @cached_property
    def best_segments(self) -> list[tuple[float, int]]:
        """Share of the claim's words and number of the segments that hold most, best first."""
        total = sum(self._weights) + len(self.form.slots) or 1.0
        count = self.policy.search.candidates
        best = heapq.nsmallest(count, ((-self._worth(held), n) for n, held in self._held.items()))
        return [(min(1.0, -score / total), number) for score, number in best]

    def alignments(self) -> list[Alignment]:
        """The claim over each promising window that states something, best first."""
        windows = {
            window: None
            for _, number in self.best_segments
            for window in self._windows(number)
            if not any(self.index.is_meta(n) for n in range(window[0], window[1] + 1))
        }
        best = heapq.nlargest(_WINDOWS_LAID, windows, key=self._promise)
        best += [(n, n) for n in self._holding_figures() if (n, n) not in best]
        found = [self.align(build_window(self.index, *window)) for window in best]
        return sorted(found, key=lambda alignment: alignment.rank, reverse=True)

    def _holding_figures(self) -> list[int]:
        """The best segments that print a telling figure of the claim and have a word of it.

        A table row says in few words what prose says in many.
        """
        sought = {
            token.stem
            for slot in self.form.slots
            if isinstance(slot.value, Quantity)
            for token in self.lexicon.words.tokens(slot.value.text)
            if sum(map(str.isdigit, token.word)) >= _TELLING_DIGITS
        }
        found = {n for stem in sought for n in self.index.postings.get(stem, ())}
        words = (1 << len(self._weights)) - 1
        worths = [(self._worth(self._held.get(n, 0) & words), n) for n in found]
        best = heapq.nlargest(_FIGURES_LAID, (pair for pair in worths if pair[0] > 0))
        return [number for _, number in best if not self.index.is_meta(number)]

    def _promise(self, window: tuple[int, int]) -> float:
        """As `Alignment.rank`, from the words alone: most windows need not be laid at all."""
        held = 0
        for number in range(window[0], window[1] + 1):
            held |= self._held.get(number, 0)
        total = sum(self._weights) + len(self.form.slots) or 1.0
        return self._worth(held) / total - _LENGTH_COST * (window[1] - window[0])

    def _windows(self, number: int) -> Iterator[tuple[int, int]]:
        """The windows round a segment within its block; a table row stands alone."""
        segments = self.index.segments
        yield number, number
        if segments[number].header:
            return
        for size in range(2, self.policy.search.window + 1):
            for first in range(max(0, number - size + 1), number + 1):
                last = first + size - 1
                if last < len(segments) and segments[first].block == segments[last].block:
                    yield first, last

    def align(self, window: Window, given: Collection[str] = ()) -> Alignment:
        """The claim over `window`; the words `given` need not stand there."""
        known = self.policy.weights.synonym
        rows = self._rows(window, given)
        counted = [(term, share) for term, _, share in rows if term.counts]
        held = [term.stem for term, _, share in rows if share >= known]
        slots = tuple(self.filler.fill(slot, window) for slot in self.form.slots)
        return Alignment(
            window=window,
            coverage=_weighted([(weight, share) for _, weight, share in rows]),
            plain=_weighted([(1.0, share) for _, share in counted]),
            density=self._density(window),
            order=kept_order([place for stem in held for place in self._place(stem, window)]),
            slots=slots,
            swapped=self.filler.swapped(slots),
            missing=tuple(term for term, _, share in rows if share < known),
            unknown=tuple(term for term, share in counted if share == 0),
        )

    def _rows(self, window: Window, given: Collection[str] = ()) -> list[tuple[Term, float, float]]:
        """The claim's words with their weights and how much of each `window` has.

        Those that only name the source are left out where the passage says "we".
        """
        known = self.policy.weights.synonym
        shares = [
            max(self._share(term.stem, window), known if term.stem in given else 0.0)
            for term in self.form.terms
        ]
        spoken = self._spoken(shares, window)
        return list(zip(self.form.terms, self._weights, shares, strict=True))[spoken:]

    def _coverage(self, window: Window) -> float:
        return _weighted([(weight, share) for _, weight, share in self._rows(window)])

    def figures(self, window: Window) -> tuple[SlotMatch, ...]:
        """Each number and date of the claim, looked for in `window` by its value alone."""
        return tuple(self.filler.find(slot, window) for slot in self.form.slots)

    def agrees(self, slot: Slot, candidate: Candidate) -> bool:
        """Whether a number or date of a passage is the one that the claim states."""
        return self.filler.agrees(slot, candidate)

    def counts_alike(self, one: Quantity, other: Quantity) -> bool:
        """Whether two numbers count the same things."""
        return self.filler.counts_alike(one, other)

    def compare(self, slot: Slot, candidate: Candidate) -> Comparison | None:
        """How a number or date of the claim relates to one of a passage, by their values alone."""
        return self.filler.compare(slot, candidate)

    def align_round(self, number: int) -> Alignment:
        """The claim over the one of the windows round a segment that holds most of its words."""
        windows = dict.fromkeys(self._windows(number))
        found = [build_window(self.index, *window) for window in windows]
        return self.align(max(found, key=self._coverage))

    def coverage_without(self, words: frozenset[str], window: Window) -> float:
        """The share of the claim's words in `window`, leaving out `words`."""
        return _weighted(
            [
                (weight, self._share(term.stem, window))
                for term, weight in zip(self.form.terms, self._weights, strict=True)
                if term.word not in words
            ]
        )

    def _spoken(self, shares: Sequence[float], window: Window) -> int:
        """How many of the first terms only name the source, because the passage says "we"."""
        held = next((place for place, share in enumerate(shares) if share == 1.0), 0)
        if not 0 < held <= _SUBJECT:
            return 0
        places = window.places(frozenset({self.form.terms[held].stem}))
        speaks = any(
            token.word in FIRST_PERSON and 0 < place - position <= _BEFORE_VERB
            for token, position in zip(window.tokens, window.positions, strict=True)
            for place in places
        )
        return held if speaks else 0

    def _share(self, word: str, window: Window) -> float:
        weights = self.policy.weights
        if word in window.stems:
            return 1.0
        if not self.lexicon.words.alike(word).isdisjoint(window.stems):
            return weights.synonym
        if word in self.explained(window):
            return weights.synonym
        close = self.lexicon.words.close(word)
        related = max((close[other] for other in close.keys() & window.stems), default=0.0)
        if self.is_near(word, window):
            return max(weights.heading, related)
        return max(weights.elsewhere if self.index.knows(word) else 0.0, related)

    def is_near(self, word: str, window: Window) -> bool:
        """Whether a word stands at the head of the source, over `window` or shortly before it."""
        over = self.index.heading_stems | self.index.governing(window.first)
        alike = self.lexicon.words.alike(word)
        return not alike.isdisjoint(over) or self._just_before(word, window)

    def _just_before(self, word: str, window: Window) -> bool:
        posts = self.index.postings.get(word, ())
        at = bisect.bisect_left(posts, window.first - _NEAR_SEGMENTS)
        near = posts[at : bisect.bisect_left(posts, window.first)]
        return any(not self.index.is_meta(number) for number in near)

    def _place(self, word: str, window: Window) -> list[float]:
        return window.places(self.lexicon.words.alike(word))[:1]

    def _density(self, window: Window) -> float:
        wanted, stops = self.form.wanted, self.lexicon.words.stop_words
        hits = [place for place, token in enumerate(window.tokens) if token.stem in wanted]
        if not hits:
            return 0.0
        numbers = window.numbers()
        tokens = window.tokens[hits[0] : hits[-1] + 1]
        stretch = [
            token.stem in wanted
            for token in _without_items(tokens, wanted, self.index.text)
            if token.stem not in stops and not covered(token, numbers)
        ]
        return sum(stretch) / len(stretch) if stretch else 1.0


def _without_items(tokens: Sequence[Token], wanted: frozenset[str], text: str) -> Iterator[Token]:
    """The words but for the further items of a list that has one of those `wanted`."""
    for short, run in groupby(_items(tokens, text), key=lambda item: len(item) <= _LONGEST_ITEM):
        items = list(run)
        listed = short and len(items) >= _LEAST_ITEMS
        for item in items:
            if not listed or any(token.stem in wanted for token in item):
                yield from item


def _items(tokens: Sequence[Token], text: str) -> Iterator[list[Token]]:
    """The words between commas, or an "and" or "or": few in each part of a list."""
    item: list[Token] = []
    for before, token in zip((None, *tokens), tokens, strict=False):
        gap = text[before.end : token.start] if before else ""
        if item and (not _ITEM_END.isdisjoint(gap) or token.word in _JOINING):
            yield item
            item = []
        item.append(token)
    yield item


def _weighted(pairs: Sequence[tuple[float, float]]) -> float:
    """The mean share by weight; 1 if nothing is weighed."""
    total = sum(weight for weight, _ in pairs)
    return sum(weight * share for weight, share in pairs) / total if total else 1.0


def kept_order(places: Sequence[float]) -> float:
    """The share of `places` in their longest rising sequence; 1 for none."""
    tails: list[float] = []
    for place in places:
        at = bisect.bisect_left(tails, place)
        tails[at : at + 1] = [place]
    return len(tails) / len(places) if places else 1.0
