"""What a passage says only as planned, possible, partly so, and what came of what was hoped for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from ...claims.model import Quantity
from ...claims.words import NEGATION, Turn
from ..meaning.objection import Objection, ObjectionKind
from ..meaning.polarity import FREE, Statement
from ..meaning.scope import governed
from ..reading.window import Candidate
from .alignment import Aligner, Alignment

_FUTURE, _OPEN = ("forecast", "future"), frozenset({"forecast", "modality"})
_DUTY = ("modality", "must")
# So many words of weight say what has to be done.
_DEED = 2
_DONE = re.compile(r"\b(?:was|were|has|have|had|did|[a-z]{3,}ed)\b", re.IGNORECASE)
_UNMET = 0.7
_SENTENCE_END = re.compile(r"[.!?]\s")
_OUTCOME = re.compile(
    r"\b(?:in (?:fact|the event|the end|reality|truth)|actual|actually|eventually|finally"
    r"|turned out|as it was|instead|only|but|came to|counted)\b",
    re.IGNORECASE,
)
_ALREADY = "already"
_PAST, _PRESENT = ("ed", "forecast", "foreseen"), frozenset({"is", "are", "being", "now"})
_COMPARED_WITHIN = 4
_COMPARING = frozenset(
    {"than", "against", "with", "below", "above", "exceeded", "missed", "beat", "short", "instead"}
    | {"not", "versus", "over", "under", "beyond", "surpassed", "topped"}
)
# Of a size at which one figure may be what came of another.
_ALIKE_LEAST, _ALIKE_MOST = 0.3, 3


class Told:
    """What a passage says only under a turning word."""

    def __init__(self, aligner: Aligner, theirs: Statement, alignment: Alignment) -> None:
        self._own, self._theirs = aligner.statement, theirs
        self._wanted = aligner.form.wanted
        self._candidates = alignment.window.candidates
        self._pairs = [
            (self._own.within(match.slot.value.start, match.slot.value.end), places)
            for match in alignment.slots
            if match.filled and match.found
            if (places := theirs.within(match.found.start, match.found.end))
        ]
        self._values = frozenset(place for _, places in self._pairs for place in places)

    def turns(self, near: frozenset[int]) -> list[Turn]:
        """The turns of what the claim says."""
        turns = self._theirs.turns
        return [turn for turn in turns if self._matters(turn, near) or self._frees(turn)]

    @property
    def claims_done(self) -> bool:
        """Whether the claim says outright that it is no longer a plan."""
        return any(token.word == _ALREADY for token in self._own.tokens)

    @cached_property
    def rules(self) -> frozenset[str]:
        """The words of the passage by which it lays down a rule, where the claim states one.

        "Shall" is a "must", unless the claim tells of what was done.
        """
        own = self._own
        duty = any(_DUTY in turn.keys for turn in own.turns)
        if not duty and _DONE.search(own.text):
            return frozenset()
        turns = self._theirs.turns
        return frozenset(turn.word for turn in turns if {_DUTY, _FUTURE} <= set(turn.keys))

    def unmet(self) -> Iterator[Objection]:
        """The values that were hoped for or planned and that the claim gives as they came out."""
        planned = [t for t in self._theirs.turns if _FUTURE in t.keys and t.word not in self.rules]
        for turn in planned if self._pairs else ():
            scope = governed(self._theirs, turn)
            for own, places in self._pairs:
                if scope.issuperset(places) and own.isdisjoint(self._open):
                    yield Objection(
                        ObjectionKind.TURN,
                        "",
                        turn.word,
                        guard="forecast",
                        strength=_UNMET,
                        at=self._theirs.tokens[turn.place].start,
                        flipped=self._is_past(turn)
                        and not self._compares(own)
                        and self._has_outcome(places, scope),
                    )

    def _compares(self, own: frozenset[int]) -> bool:
        """Whether the claim only compares with the value: "more than the 31,000 hoped for"."""
        first = min(own, default=0)
        before = self._own.tokens[max(0, first - _COMPARED_WITHIN) : first]
        return any(token.word in _COMPARING for token in before)

    def _is_past(self, turn: Turn) -> bool:
        """Whether the hope is over: "had hoped", not "is expected"."""
        before = self._theirs.tokens[max(0, turn.place - 1) : turn.place]
        return turn.word.endswith(_PAST) and not any(token.word in _PRESENT for token in before)

    def _has_outcome(self, places: frozenset[int], scope: frozenset[int]) -> bool:
        """Whether the sentence goes on with what came of it: a like figure, not itself planned."""
        hoped = next(
            (one for one in self._candidates if places & self._theirs.within(one.start, one.end)),
            None,
        )
        if hoped is None or not isinstance(hoped.value, Quantity):
            return False
        return any(
            isinstance(other.value, Quantity)
            and other.value.kind is hoped.value.kind
            and other.value.unit in ("", hoped.value.unit)
            and _ALIKE_LEAST < other.value.low / hoped.value.low < _ALIKE_MOST
            and scope.isdisjoint(self._theirs.within(other.start, other.end))
            and self._is_outcome(hoped, other)
            for other in self._candidates
            if hoped.end < other.start and hoped.value.low
        )

    @cached_property
    def _open(self) -> frozenset[int]:
        """What the claim itself says only of the future, or as possible."""
        turns = [t for t in self._own.turns if any(key[0] in _OPEN for key in t.keys)]
        return frozenset(place for turn in turns for place in governed(self._own, turn))

    def _is_outcome(self, hoped: Candidate, other: Candidate) -> bool:
        """Whether a figure stands in the same sentence as the hope, or after "in the event"."""
        between = self._theirs.text[hoped.end : other.start]
        return not _SENTENCE_END.search(between) or bool(_OUTCOME.search(between))

    def _frees(self, turn: Turn) -> bool:
        """Whether a sentence leaves to them what the claim says that somebody has to do.

        "May replace them, but is under no obligation to do so" names the deed elsewhere.
        """
        if FREE not in turn.keys:
            return False
        sentences, tokens = self._theirs.sentences, self._theirs.tokens
        here = sentences[turn.place]
        if any(_DUTY in one.keys and sentences[one.place] == here for one in self._theirs.turns):
            return False
        said = {token.stem for token, n in zip(tokens, sentences, strict=True) if n == here}
        book = self._own.book
        return any(
            len(deed) >= _DEED and all(not book.alike(stem).isdisjoint(said) for stem in deed)
            for deed in self._deeds
        )

    @cached_property
    def _deeds(self) -> list[list[str]]:
        """The first words of weight behind each "must" of the claim: "replace the carpets"."""
        own = self._own
        found: list[list[str]] = []
        for turn in own.turns:
            if _DUTY in turn.keys:
                after = range(turn.end, own.clause_end(turn.place))
                telling = [own.tokens[n].stem for n in after if own.is_telling(own.tokens[n])]
                found.append(telling[:_DEED])
        return found

    def _matters(self, turn: Turn, near: frozenset[int]) -> bool:
        # Telling what a turn governs costs more than all else here.
        if all(kind == NEGATION for kind, _ in turn.keys) or not (
            self._values or turn.place in near
        ):
            return False
        scope = governed(self._theirs, turn)
        if not self._values.isdisjoint(scope):
            return True
        other = self._is_of_another(turn)
        return turn.place in near and any(self._is_only(p, scope, weak=not other) for p in scope)

    def _is_of_another(self, turn: Turn) -> bool:
        """Whether the word before a turn is none of the claim's: "snow may lie on it"."""
        theirs = self._theirs
        before = theirs.tokens[turn.place - 1 : turn.place] if turn.place else ()
        return any(theirs.is_telling(t) and t.stem not in self._wanted for t in before)

    def _is_only(self, place: int, scope: frozenset[int], *, weak: bool) -> bool:
        """Whether the claim has the word and the passage says it under this turn alone."""
        stem = self._theirs.tokens[place].stem
        if stem not in self._wanted or not (
            weak or self._theirs.is_telling(self._theirs.tokens[place])
        ):
            return False
        return scope.issuperset(other for other, _ in self._theirs.meant(stem))
