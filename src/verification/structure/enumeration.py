"""Values that stand side by side in a text, each with words of its own: items, parts, years.

"The forged material had a limit of 310 MPa, the printed one of 265 MPa": a claim that gives one
of the values to the words of another has them swapped, and one that gives the value of a part to
the whole takes a part for the whole.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from ...claims.lexicon import Lexicon
from ...claims.model import DateSpan, Modifier, Quantity, QuantityKind
from ...claims.words import Token
from ..model import SlotOutcome
from ..policy import VerificationPolicy
from ..reading.form import ClaimForm, Slot
from ..reading.index import MOST_FIGURES, TextIndex
from ..reading.labels import Bag, Label, label_words
from ..reading.records import PART_OF, Record, RecordCheck, RecordOutcome, free_slots
from ..values.comparison import Comparison, compare_dates, compare_quantities
from ..values.derivation import derive

_FILLED = (SlotOutcome.MATCH, SlotOutcome.ROUNDED)
_CUT = re.compile(
    r"[;,](?=\s)|[.!?](?=\s|$)|\s[–—-]\s|\b(?:and|while|whereas|but|(?<![,;] )against|versus"
    r"|compared with|as against|with)\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\b(?:total(?:s|led|ling)?|altogether|all told|all in all|in all|overall|combined|in sum"
    r"|counting (?:every|all)\w*|as a whole|taken together|all)\b",
    re.IGNORECASE,
)
_PART = re.compile(r"\b(?:of (?:whom|which|these|them|that)|including|among them)\b", re.I)
_DIVISION = re.compile(
    r"\b(?:division|segment|unit|subsidiary|arm|branch|department|wing|region|plant|site|business)\b",
    re.IGNORECASE,
)
_PART_OF = re.compile(r" (?:out )?of (?:all )?(?:the|its|their|his|her|our|these|those) (\w+)")
_GROUP = re.compile(r"\b(?:group|company|firm|organi[sz]ation|country|nation|nationwide)\b", re.I)
# "The organ included", "counting the trainees": named only because it belongs to the whole.
_INCLUDED = re.compile(
    r"\b(?:including|counting|plus|inclusive of)\b[^,;.]*|,[^,;.]*\bincluded\b", re.IGNORECASE
)
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+|\d+")
# "Seven of the ponds sampled": of whom a number is a part.
_OF_THEM = re.compile(
    r" (?:out )?of (?:(?:all|the|its|their|our|his|her|those|these) )*"
    r"(?P<them>[\w'’-]+(?: [\w'’-]+){0,2})"
)
_WHOLE_WORD = "#whole"
_WHOLE_WEIGHT = 3.0
_SEGMENTS_READ, _BLOCK_REACH = 6, 3
# Words that more than two of the values share tell little.
_SHARED = 2
_MOST_RIVALS = 2
_NEAR, _FAR_OFF = Decimal("0.01"), Decimal(100)
# A single word may be that of anything; it is enough if the claim has the other value as well.
_LEAST, _LEAST_SWAPPED = 1.5, 1.0
_ABOUT = 0.05


def records(index: TextIndex, number: int) -> tuple[Record, ...]:
    """The values of a segment, each with the words of its clause and the dates in it."""
    known = index.records.get(number)
    if known is None:
        known = index.records[number] = tuple(_read(index, number))
    return known


def _read(index: TextIndex, number: int) -> Iterator[Record]:
    """The values of a segment.

    What stands before a colon belongs to each value after it, unless it has a value of its own:
    then that is the whole, and the others are its parts.
    """
    segment, facts = index.segments[number], index.facts(number)
    text, values = index.text, _values(index, number)
    if len(values) > MOST_FIGURES:
        return
    colon = text.find(":", segment.start, segment.end)
    whole = any(value.end <= colon for value in values)
    cuts = [*_cuts(text, segment.start, segment.end, values), *([colon + 1] if whole else [])]
    leads = [token for token in facts.tokens if token.end <= colon and not whole]
    shared: tuple[str, ...] = ()
    for start, end, inside in _pieces(segment.start, segment.end, sorted(cuts), values):
        tokens = [token for token in facts.tokens if start <= token.start < end]
        part = _PART.search(text, start, end)
        lead = [token for token in leads if token.end <= start and not part]
        words = _words(index, inside, [*lead, *tokens])
        # "Orders were 30 in 2020 and 40 in 2021": the second value is one of orders, too.
        shared = words or shared
        if end <= colon or _WHOLE.search(text, start, end):
            words = (*words, _WHOLE_WORD)
        for value in inside:
            dated = _dates(value, inside, tokens)
            label = Label((*(words or shared), *dated), start, end)
            yield Record(value, label, bool(part or _DIVISION.search(text, start, end)))


def _words(
    index: TextIndex, values: Iterable[Quantity | DateSpan], tokens: Iterable[Token]
) -> tuple[str, ...]:
    """The words among `tokens` that are no part of a value."""
    spans = [(one.start, one.end) for one in values]
    left = [t for t in tokens if not any(a < t.end and t.start < b for a, b in spans)]
    return label_words(left, "", 0, index.lexicon.words)


def _dates(
    value: Quantity | DateSpan, others: Iterable[Quantity | DateSpan], tokens: Sequence[Token]
) -> list[str]:
    """The words of the other dates of a clause: a number is one of their time."""
    dates = [one for one in others if isinstance(one, DateSpan) and one is not value]
    return [token.stem for token in tokens for one in dates if one.start <= token.start < one.end]


def _values(index: TextIndex, number: int) -> list[Quantity | DateSpan]:
    """The numbers and dates of a segment, and the bare numbers after a name: "Selston 240"."""
    facts = index.facts(number)
    found = [figure.value for figure in facts.figures]
    taken = [span for figure in facts.figures for span in figure.spans]
    for token in facts.tokens:
        bare = _NUMBER.fullmatch(token.word)
        if bare and not any(a < token.end and token.start < b for a, b in taken):
            low = Decimal(token.word.replace(",", ""))
            found.append(
                Quantity(
                    low,
                    low,
                    QuantityKind.COUNT,
                    "",
                    Modifier.EXACT,
                    Decimal(1),
                    token.word,
                    token.start,
                    token.end,
                )
            )
    return sorted(found, key=lambda value: value.start)


def _pieces(
    start: int, end: int, cuts: Sequence[int], values: Sequence[Quantity | DateSpan]
) -> Iterator[tuple[int, int, list[Quantity | DateSpan]]]:
    """The clauses that hold a value; one that holds none goes to its neighbour."""
    begun, until, held = start, start, list[Quantity | DateSpan]()
    for first, last in zip([start, *cuts], [*cuts, end], strict=True):
        inside = [value for value in values if first <= value.start < last]
        if held and inside:
            yield begun, until, held
            begun, held = first, inside
        held, until = held or inside, last
    if held:
        yield begun, until, held


def _cuts(text: str, start: int, end: int, values: Iterable[Quantity | DateSpan]) -> Iterator[int]:
    spans = [(value.start, value.end) for value in values]
    for match in _CUT.finditer(text, start, end):
        if not any(first < match.end() and match.start() < last for first, last in spans):
            yield match.end()


def check_parts(
    form: ClaimForm,
    index: TextIndex,
    held: Sequence[int],
    lexicon: Lexicon,
    policy: VerificationPolicy,
    *,
    doubt: bool = False,
) -> list[RecordCheck]:
    """The values of a claim that the source gives to something else.

    A value is denied if it stands in the source beside words that the claim lacks, while another
    value of the same sort stands there beside the words that stand round it in the claim. `held`
    are the segments with most of the claim's words, best first.
    """
    if not form.slots:
        return []
    found = [
        record
        for number in sorted(_around(index, held[:_SEGMENTS_READ]))
        if index.segments[number].style is None and not index.is_meta(number)
        for record in records(index, number)
    ]
    beside = _Beside(form, index, found, lexicon, policy, doubt=doubt)
    return [check for slot in free_slots(form) for check in [beside.check(slot)] if check]


def _around(index: TextIndex, held: Sequence[int]) -> set[int]:
    segments = index.segments
    return {
        other
        for number in held
        for other in range(number - _BLOCK_REACH, number + _BLOCK_REACH + 1)
        if 0 <= other < len(segments) and segments[other].block == segments[number].block
    }


def clause_of(form: ClaimForm, slot: Slot) -> tuple[int, int]:
    """The part of a claim that holds `slot` and no other value."""
    text, values = form.claim.text, [one.value for one in form.slots]
    out = _INCLUDED.search(text)
    end = out.start() if out and out.start() > slot.value.start else len(text)
    cuts = list(_cuts(text, 0, end, values))
    for first, last, inside in _pieces(0, end, cuts, sorted(values, key=lambda v: v.start)):
        if any(value is slot.value for value in inside):
            return first, last
    return 0, end


class _Beside:
    """A claim beside the records of some segments."""

    def __init__(
        self,
        form: ClaimForm,
        index: TextIndex,
        found: Sequence[Record],
        lexicon: Lexicon,
        policy: VerificationPolicy,
        *,
        doubt: bool,
    ) -> None:
        self._doubt = doubt
        self._form, self._index, self._found = form, index, found
        self._lexicon, self._policy = lexicon, policy
        self._whole = bool(_WHOLE.search(form.claim.text))
        self._group = bool(_GROUP.search(form.claim.text))

    def check(self, slot: Slot) -> RecordCheck | None:
        """The record that denies `slot`."""
        alike = [
            (record, comparison)
            for record in self._found
            if (comparison := self._compare(slot.value, record.value))
        ]
        holders = [record for record, c in alike if c.outcome in _FILLED]
        rivals = [
            (r, c)
            for r, c in alike
            if self._differs(slot, r, c)
            and _is_parallel(slot, r, holders)
            and not self._is_whole_of(slot, r)
        ]
        if not holders or not rivals:
            return None
        weights = self._weights(slot, [record for record, _ in alike])
        scored = [(self._lead(record, holders, weights), record, c) for record, c in rivals]
        best = max(score for score, _, _ in scored)
        ahead = [(record, c) for score, record, c in scored if score == best]
        ahead.sort(key=lambda one: _WHOLE_WORD not in one[0].words)
        total = self._whole and _WHOLE_WORD in ahead[0][0].words
        single = self._is_exchange(slot, ahead[0][0], holders) or (
            self._doubt and any(self._share_sentence(rival, holders) for rival, _ in ahead)
        )
        least = _LEAST_SWAPPED if single else _LEAST
        if (
            best < least
            or len(ahead) > _MOST_RIVALS
            or not (total or not self._follows(slot, alike))
        ):
            return None
        return self._denial(slot, *ahead[0])

    def _is_whole_of(self, slot: Slot, rival: Record) -> bool:
        """Whether a record counts those of whom the claim has a part: "seven of the ponds"."""
        own, found = slot.value, rival.value
        after = _OF_THEM.match(self._form.claim.text, own.end)
        if after is None or isinstance(own, DateSpan) or isinstance(found, DateSpan):
            return False
        book = self._lexicon.words
        named = {token.stem for token in book.tokens(after["them"])}
        return bool(found.unit) and book.stem(found.unit) in named and found.low > own.low

    def _share_sentence(self, rival: Record, holders: Sequence[Record]) -> bool:
        """Whether one sentence gives both: of another it may be left out whose value it is."""
        at = self._index.segment_at
        own = at(rival.value.start)
        return any(at(holder.value.start) == own for holder in holders)

    def _weights(self, slot: Slot, found: Sequence[Record]) -> Mapping[str, float]:
        """The words of the records that stand in the claim's clause round `slot`, weighed."""
        counts = Counter(word for words in {record.words for record in found} for word in words)
        bag = Bag(self._form, self._lexicon.words, clause_of(self._form, slot))
        weights = {
            word: min(1.0, _SHARED / count) for word, count in counts.items() if bag.places(word)
        }
        return weights | ({_WHOLE_WORD: _WHOLE_WEIGHT} if self._whole else {})

    def _lead(
        self, rival: Record, holders: Sequence[Record], weights: Mapping[str, float]
    ) -> float:
        """By how many words `rival` stands nearer to the claim than the records of its value.

        0 if one of these has a word of the claim that `rival` lacks.
        """
        ahead: list[float] = []
        for holder in holders:
            if any(word in weights for word in holder.words - rival.words):
                return 0.0
            ahead.append(sum(weights.get(word, 0.0) for word in rival.words - holder.words))
        return min(ahead)

    def _differs(self, slot: Slot, rival: Record, comparison: Comparison) -> bool:
        """Whether a value is not the claim's; a date only if the claim has it elsewhere."""
        if comparison.outcome is not SlotOutcome.MISMATCH:
            return False
        if isinstance(slot.value, DateSpan):
            found = rival.value
            if self._index.text.startswith("(", found.start - 1):
                # "£23,900 (2019: £31,200)" dates what stands in the brackets alone.
                return False
            same = isinstance(found, DateSpan) and found.granularity is slot.value.granularity
            return same and self._is_claimed(slot, rival)
        if self._is_whole(slot.value, rival.value):
            return False
        return comparison.change is None or abs(comparison.change) > _ABOUT

    def _is_whole(self, claimed: Quantity, found: Quantity | DateSpan) -> bool:
        """Whether the greater number counts all of those of which the claim tells a part.

        Of 31 ponds, "seven of the ponds sampled" are a part.
        """
        book = self._lexicon.words
        part = _PART_OF.match(self._form.claim.text, claimed.end)
        if not part or not isinstance(found, Quantity) or found.low <= claimed.low:
            return False
        return bool(found.unit) and book.stem(found.unit) in book.alike(book.stem(part[1].lower()))

    def _is_claimed(self, slot: Slot, rival: Record) -> bool:
        """Whether the claim has the value of `rival` in another place."""
        return bool(self._exchanged(slot, rival))

    def _exchanged(self, slot: Slot, rival: Record) -> str:
        others = (one.value for one in self._form.slots if one is not slot)
        return next(
            (
                value.text
                for value in others
                if self._agrees(value, rival.value) and not self._is_share(slot.value, value)
            ),
            "",
        )

    def _is_share(self, value: Quantity | DateSpan, other: Quantity | DateSpan) -> bool:
        """Whether the two are a part and its whole, which nobody exchanges."""
        first, second = sorted((value, other), key=lambda one: one.start)
        return bool(PART_OF.fullmatch(self._form.claim.text, first.end, second.start))

    def _is_exchange(self, slot: Slot, rival: Record, holders: Sequence[Record]) -> bool:
        """Whether the claim has both values, or a part for the whole."""
        total = _WHOLE_WORD in rival.words or all(holder.part for holder in holders)
        return (total and (self._whole or self._group)) or self._is_claimed(slot, rival)

    def _follows(self, slot: Slot, alike: Sequence[tuple[Record, Comparison]]) -> bool:
        """Whether the claim's value may have been worked out from several of the source."""
        if isinstance(slot.value, DateSpan):
            return False
        values = [r.value for r, _ in alike if isinstance(r.value, Quantity)]
        return any(derive(self._form.claim.text, slot.value, values, self._lexicon))

    def _agrees(self, claimed: Quantity | DateSpan, found: Quantity | DateSpan) -> bool:
        comparison = self._compare(claimed, found)
        return comparison is not None and comparison.outcome in _FILLED

    def _compare(
        self, claimed: Quantity | DateSpan, found: Quantity | DateSpan
    ) -> Comparison | None:
        if isinstance(claimed, DateSpan):
            return compare_dates(claimed, found) if isinstance(found, DateSpan) else None
        if isinstance(found, DateSpan) or not self._same_noun(claimed, found):
            return None
        in_percent = _is_fraction_of(claimed, found)
        if not _NEAR < abs(claimed.low / found.low) * (100 if in_percent else 1) < _FAR_OFF:
            return None
        left, right = _in_one_unit(claimed, found)
        return compare_quantities(left, right, self._lexicon, self._policy.numbers)

    def _same_noun(self, claimed: Quantity, found: Quantity) -> bool:
        if not claimed.low or not found.low or QuantityKind.ORDINAL in (claimed.kind, found.kind):
            return False
        if not (claimed.kind is found.kind is QuantityKind.COUNT and claimed.unit and found.unit):
            return True
        book = self._lexicon.words
        return book.stem(found.unit) in book.alike(book.stem(claimed.unit))

    def _denial(self, slot: Slot, record: Record, comparison: Comparison) -> RecordCheck:
        start, end = record.label.start, record.label.end
        return RecordCheck(
            RecordOutcome.DENIED,
            start,
            end,
            slot.value.text,
            record.value.text,
            slot=slot,
            change=comparison.change,
            exchanged=self._exchanged(slot, record),
        )


def _is_parallel(slot: Slot, rival: Record, holders: Sequence[Record]) -> bool:
    """Whether a number is of the claim's sort: by its unit, or because both go without one."""
    values = [slot.value, rival.value, *(holder.value for holder in holders)]
    own, found = slot.value, rival.value
    if isinstance(own, Quantity) and isinstance(found, Quantity) and own.step < 1 <= found.step:
        # "0.89" counts no shops.
        return not (own.kind is found.kind is QuantityKind.COUNT and found.unit)
    units = [value.unit for value in values if isinstance(value, Quantity)]
    return not units or not units[0] or bool(units[1]) or not all(units[2:])


def _is_fraction_of(claimed: Quantity, found: Quantity) -> bool:
    """Whether a share is claimed as a fraction and found in per cent."""
    return claimed.kind is QuantityKind.RATIO and found.kind is QuantityKind.PERCENT


def _in_one_unit(claimed: Quantity, found: Quantity) -> tuple[Quantity, Quantity]:
    """Two numbers of which one has no unit, in the unit of the other; a share in per cent."""
    if _is_fraction_of(claimed, found):
        low, high = claimed.low * 100, claimed.high * 100
        step = claimed.step * 100
        return replace(claimed, kind=found.kind, low=low, high=high, step=step), found
    bare = [q for q in (claimed, found) if q.kind is QuantityKind.COUNT and not q.unit]
    if len(bare) != 1:
        return claimed, found
    other = found if bare[0] is claimed else claimed
    if other.kind in (QuantityKind.COUNT, QuantityKind.RATIO, QuantityKind.PERCENT):
        return claimed, found
    same = replace(bare[0], kind=other.kind, unit=other.unit)
    return (same, found) if bare[0] is claimed else (claimed, same)
