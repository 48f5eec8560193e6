"""Words of a claim that a passage has only beside another value than the claim's.

"48 apprentices in catering, 31 in engineering" gives no 48 to engineering, whatever words and
numbers a passage shares with the claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...claims.model import DateSpan, Quantity, QuantityKind
from ...claims.words import Token
from ..meaning.objection import Objection, ObjectionKind
from ..reading.records import Record, free_slots
from ..reading.sentence import Sentence
from ..structure.enumeration import clause_of, records
from ..values.rates import rate_of
from ..values.slots import SlotMatch
from .alignment import Aligner, Alignment

_STRENGTH = 0.3
_TOTAL = re.compile(
    r"[^.;:,]{0,24}\b(?:in all|in total|altogether|all told|all in all|together|combined)\b", re.I
)
_LOOK = 40
_LEADING = frozenset(
    {"in", "at", "for", "by", "to", "on", "with", "among", "from", "through", "under", "between"}
)


def beside_objections(aligner: Aligner, alignment: Alignment) -> Iterator[Objection]:
    """Each word that stands round a value in the claim, and round another one in the passage."""
    window, index = alignment.window, aligner.index
    numbers = range(window.first, window.last + 1)
    derived = any(match.working for match in alignment.slots)
    if derived or any(index.segments[number].style for number in numbers):
        return
    found = [record for number in numbers for record in records(index, number)]
    free = free_slots(aligner.form)
    for match in alignment.slots:
        if match.filled and match.slot in free:
            yield from _Beside(match, found, aligner, alignment).objections()


class _Beside:
    """A filled slot of the claim, with the values of the passage that are of its sort."""

    def __init__(
        self, match: SlotMatch, found: Sequence[Record], aligner: Aligner, alignment: Alignment
    ) -> None:
        self._slot, self._aligner, self._alignment = match.slot, aligner, alignment
        at = match.found.start if match.found else -1
        self._holder = next((one for one in found if one.value.start == at), None)
        self._rivals = [one for one in found if self._is_rival(one.value)]

    def objections(self) -> Iterator[Objection]:
        if self._holder is None:
            return
        if self._is_total(self._holder):
            word = self._slot.value.text
            yield Objection(ObjectionKind.ORDER, word, "", guard="beside", strength=_STRENGTH)
        if not self._rivals:
            return
        book = self._aligner.lexicon.words
        for token in self._words():
            alike = book.alike(token.stem)
            if not alike.isdisjoint(self._holder.words):
                continue
            there = [one for one in self._alignment.window.tokens if one.stem in alike]
            if there and all(any(self._has(r, one) for r in self._rivals) for one in there):
                kind = ObjectionKind.NAME if token.stem in self._names else ObjectionKind.ORDER
                yield Objection(kind, token.word, "", guard="beside", strength=_STRENGTH)

    def _is_total(self, holder: Record) -> bool:
        """Whether the claim says of each what the passage says of all together."""
        own, value, book = self._slot.value, holder.value, self._aligner.lexicon.words
        claim, text = self._aligner.form.claim.text, self._aligner.index.text
        if not rate_of(claim, own.start, own.end, book):
            return False
        told = rate_of(text, value.start, value.end, book)
        return not told and bool(_TOTAL.match(text[value.end : value.end + _LOOK]))

    def _words(self) -> Iterator[Token]:
        """The nouns that stand round the value in the claim; of a date only the names.

        If there is no other value of its sort, all names of the claim are those of this one.
        """
        form, aligner = self._aligner.form, self._aligner
        sentence = Sentence(
            form.claim.text, form.tokens, aligner.lexicon, aligner.index.is_always_capital
        )
        first, last = clause_of(form, self._slot)
        counted = {term.stem for term in form.terms if term.counts}
        names = self._names
        dated = isinstance(self._slot.value, DateSpan)
        alone = sum(self._is_of_sort(slot.value) for slot in form.slots) == 1
        for place, token in enumerate(form.tokens):
            named, near = token.stem in names, first <= token.start < last
            if token.stem not in counted or not (near or (named and alone)):
                continue
            if named or not (dated or sentence.is_verb(place)):
                yield token

    @property
    def _names(self) -> frozenset[str]:
        """The words of the claim's names."""
        return frozenset(word for name in self._aligner.form.names for word in name.stems)

    def _has(self, rival: Record, token: Token) -> bool:
        """Whether a word belongs to a rival alone: what leads to a first value leads to all."""
        holder, index = self._holder, self._aligner.index
        if holder is None or not rival.label.start <= token.start < rival.label.end:
            return False
        if rival.value.start > holder.value.start:
            return True
        if index.segment_at(rival.value.start) != index.segment_at(holder.value.start):
            return False
        # "40 for girls and 60 for boys": each has its own; "40 kinds of pear, 60 last year" not.
        led = [t.word for t in self._between(rival.value.end, token.start)]
        own = [t.word for t in self._between(holder.value.end, holder.label.end)]
        joint = next((word for word in reversed(led) if word in _LEADING), "")
        return joint in own

    def _between(self, start: int, end: int) -> Iterator[Token]:
        return (t for t in self._alignment.window.tokens if start <= t.start < end)

    def _is_rival(self, value: Quantity | DateSpan) -> bool:
        """Whether a value is of the slot's sort and none that the claim gives."""
        return self._is_of_sort(value) and not any(
            _same(one.value, value) for one in self._aligner.form.slots
        )

    def _is_of_sort(self, value: Quantity | DateSpan) -> bool:
        claimed = self._slot.value
        if isinstance(value, DateSpan):
            return isinstance(claimed, DateSpan) and value.granularity is claimed.granularity
        if isinstance(claimed, DateSpan):
            return False
        if value.kind is not claimed.kind or value.kind is QuantityKind.ORDINAL:
            return False
        if value.kind is not QuantityKind.MEASURE:
            book = self._aligner.lexicon.words
            return not (value.unit and claimed.unit) or value.unit in book.alike(claimed.unit)
        one, other = (self._aligner.lexicon.unit(q.unit) for q in (value, claimed))
        return bool(one and other and one.dimension == other.dimension)


def _same(one: Quantity | DateSpan, other: Quantity | DateSpan) -> bool:
    if isinstance(one, DateSpan):
        return isinstance(other, DateSpan) and (one.first, one.last) == (other.first, other.last)
    return isinstance(other, Quantity) and one.low == other.low
