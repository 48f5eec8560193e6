"""Figures that a passage sets side by side: a rise or fall, or a part of a whole, without the word.

"24 pupils, compared with 29 before" is a fall; "two of the nine hangers" are not most of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from ...claims.model import Quantity, QuantityKind
from ...claims.words import Token
from ..reading.window import Candidate
from .objection import Objection, ObjectionKind
from .polarity import Parity, Statement

_LIKELY, _DOUBTFUL = 0.6, 0.5
_LEAST_SUPPORT = 0.35
# Between the later figure and the earlier one.
_EARLIER = re.compile(
    r"[^.;]{0,40}?[\s,(](?:after|compared (?:with|to)|as against|against|versus|vs\.?|instead of"
    r"|rather than|as opposed to|having been|previously|in place of|where it had been)(?: only"
    r"| just| some| about| the)?\W*$"
    r"|[^.;()]{0,40}\((?:(?:the )?(?:same|previous|prior|preceding|last|year|quarter|month|an?|one)"
    r"\b[^().\d]{0,30}|(?:in )?\d{4}(?:/\d\d)?)[:,]?\s*$"
    r"|[^.]{0,40}?[\s,(;]\w+ (?:year|month|week|decade|quarter)s? (?:ago|before|earlier)\b"
    r"[^.;\d]{0,20}$",
    re.IGNORECASE,
)
# After the earlier one, where the later one follows with "and".
_AGO = re.compile(
    r"[^.;]{0,40}?\b(?:year|month|week|decade|quarter)s? (?:ago|before|earlier)\b,? and \W*$",
    re.IGNORECASE,
)
# "Five then and seven now", "410 before the scheme, 266 after its start".
_THEN = re.compile(r"[^.;]{0,30}?\b(?:then|before|at first|at the start)\b[^.;]{0,30}$", re.I)
_NOW = re.compile(r"[^.;\d]{0,30}?\b(?:now|today|after|afterwards|since|at the end)\b", re.I)
# "Compared with 12.70 in the old town" is no earlier figure.
_ELSEWHERE = re.compile(
    r"\s(?:in|at|for|among|by|on) (?!(?:the )?(?:\w+ )?(?:year|month|quarter|week|season|survey"
    r"|same|previous|prior|preceding|last|first|second|third|fourth|spring|summer|autumn|winter"
    r"|january|february|march|april|may|june|july|august|september|october|november|december|fiscal|\d))",
    re.IGNORECASE,
)
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
_SEASONS, _ORDINALS = ("spring", "summer", "autumn"), ("first", "second", "third", "fourth")
_SIDES = ("before", "after")
# "4 per cent in the spring round", "21 in the quarter before", "210 in 2019".
_WHEN = re.compile(
    r"[^.;\d]{0,30}?\b(?:in|for|at|during|by|on) (?:the )?(?:[a-z]+ ){0,2}?(?:"
    rf"(?P<year>(?:19|20)\d\d)\b|(?P<word>{'|'.join((*_SEASONS, *_SIDES, *_MONTHS))})\b"
    rf"|(?P<nth>{'|'.join(_ORDINALS)}) (?:round|half|quarter|year|month|week|survey|census|edition"
    r"|test|term|season|day)\b)",
    re.IGNORECASE,
)
_LATER = re.compile(r"^(?:[^.;]{0,20}?\s)?to(?: some| about| only| just)?\s+$", re.IGNORECASE)
_FROM = re.compile(r"\b(?:from|between)(?: some| about)?\s+$", re.IGNORECASE)
_PART = re.compile(
    r"^\s+(?:out )?of(?: all)?(?: the| its| their| his| her| our| these| those)?\s+$", re.IGNORECASE
)
# "18 gates, of which the eleven on the left": the part comes after its whole.
_OF_WHICH = re.compile(
    r"^[^.;]{1,40}?,? of (?:which|whom|these|them)(?: the| only| some| about| just)?\s+$",
    re.IGNORECASE,
)
# "Noise 311 (previous year 290), beds 66 (93)".
_MORE = re.compile(r"\)[,;] [^\d.;:()]{1,40}\d[\d.,]* \(\d[\d.,]*\)")
_ITEM = 2.0
_DIMENSIONS = frozenset({"long", "short", "large", "big", "great", "fast", "slow", "cheap", "dear"})
_NOUN_REACH = 4
_OWN_CELL, _YEAR = 1.0, 4
_EARLIER_COLUMNS = frozenset({"previous", "last", "prior", "before", "earlier", "preced", "former"})
_COMPARATIVES = {"more": 1, "fewer": -1, "less": -1, "smaller": -1, "lower": -1, "higher": 1}
_THAN_REACH, _TIME_REACH = 12, 5
_TIMES = frozenset(
    {
        "year",
        "month",
        "quarter",
        "week",
        "season",
        "before",
        "earlier",
        "ago",
        "previous",
        "previously",
    }
    | {"last", "used", "then", "once"}
)
# Of "60 per cent; four years ago it was 45" the second figure is of another sort.
_BETWEEN = 2
_ARTICLES = frozenset({"of", "the", "its", "their", "our", "his", "her", "these", "those", "all"})
# What each quantifier says of a share, as the least and the most of it.
_SHARES = {
    "all": (Fraction(1), Fraction(1)),
    "almost": (Fraction(3, 4), Fraction(1)),
    "most": (Fraction(1, 2), Fraction(1)),
    "few": (Fraction(0), Fraction(1, 2)),
}


class Trend(NamedTuple):
    """Two figures of one thing: `sign` is 1 if the later one is more, -1 if it is less.

    `label` holds the words over the figures and at the head of their row, if a table has them;
    `row` those that both figures have, which say of what the row is.
    """

    sign: int
    start: int
    end: int
    label: frozenset[str] = frozenset()
    row: frozenset[str] = frozenset()


class Portion(NamedTuple):
    """A share of a whole, 0–1, and where it is written."""

    share: Fraction
    start: int
    end: int


def find_trends(candidates: Sequence[Candidate], text: str) -> Iterator[Trend]:
    """The changes that a passage states by two figures; offsets are into `text`."""
    for before, after in _pairs(candidates):
        gap = text[before.end : after.start]
        one, other = _value(before), _value(after)
        if one is None or other is None or one == other:
            continue
        if before.in_row and after.in_row:
            if "\n" in gap:
                continue
            order = _column_time(after) - _column_time(before)
            if order:
                sign = 1 if (other > one) == (order > 0) else -1
                label = _heads(before)
                yield Trend(sign, before.start, after.end, label, label & _heads(after))
        elif _AGO.match(gap) or (_THEN.match(gap) and _NOW.match(text, after.end)):
            yield Trend(1 if other > one else -1, before.start, after.end)
        elif _EARLIER.match(gap) and not _ELSEWHERE.match(text, after.end):
            # In a list the figures are of their own item, whatever stands round them.
            label = _item(before) if _MORE.match(text, after.end) else frozenset[str]()
            yield Trend(1 if one > other else -1, before.start, after.end, label)
        elif order := _in_order(text, before.end, after):
            yield Trend(1 if (other > one) == (order > 0) else -1, before.start, after.end)
        elif _LATER.match(gap) and _FROM.search(text[max(0, before.start - 20) : before.start]):
            yield Trend(1 if other > one else -1, before.start, after.end)


def _in_order(text: str, end: int, after: Candidate) -> int:
    """1 if the second of two figures is said to be of the later time, -1 of the earlier one.

    0 if their times are not of one sort, or not said right after each of them.
    """
    one = _when(_WHEN.match(text, end, after.start))
    other = _when(_WHEN.match(text, after.end))
    if one is None or other is None or one[0] != other[0] or one[1] == other[1]:
        return 0
    return 1 if other[1] > one[1] else -1


def _when(found: re.Match[str] | None) -> tuple[int, int] | None:
    """The sort of a time and its place among those of the sort."""
    if found is None:
        return None
    if found["year"]:
        return -1, int(found["year"])
    word = (found["word"] or found["nth"]).lower()
    sorts = (_SEASONS, _ORDINALS, _SIDES, _MONTHS)
    return next((n, sort.index(word)) for n, sort in enumerate(sorts) if word in sort)


def _item(value: Candidate) -> frozenset[str]:
    """The words right before a value of a list."""
    return frozenset(word for word, distance in value.near.items() if distance <= _ITEM)


def _column_time(cell: Candidate) -> int:
    """The year over a cell of a table; 0 for "previous poll", 1 for what neither dates."""
    heads = _heads(cell)
    if not _EARLIER_COLUMNS.isdisjoint(heads):
        return 0
    return max((int(word) for word in heads if word.isdigit() and len(word) == _YEAR), default=1)


def _heads(cell: Candidate) -> frozenset[str]:
    """The words over a cell of a table and at the head of its row."""
    return frozenset(word for word, distance in cell.near.items() if distance <= _OWN_CELL)


def find_portions(candidates: Sequence[Candidate], text: str) -> Iterator[Portion]:
    """The shares that a passage states by a part and its whole, or as a percentage."""
    for before, after in _pairs(candidates):
        one, other = _value(before), _value(after)
        if one and other and other <= one and _OF_WHICH.match(text[before.end : after.start]):
            yield Portion(other / one, before.start, after.end)
        if one is None or not other or not 0 <= one <= other:
            continue
        gap = text[before.end : after.start]
        if _PART.match(gap):
            yield Portion(one / other, before.start, after.end)
    for candidate in candidates:
        value = candidate.value
        if isinstance(value, Quantity) and value.kind in (QuantityKind.PERCENT, QuantityKind.RATIO):
            share = Fraction(value.low) / (100 if value.kind is QuantityKind.PERCENT else 1)
            if 0 <= share <= 1:
                yield Portion(share, candidate.start, candidate.end)


class Moves:
    """The rises and falls that a claim states, held against the figures of a passage.

    `signs` are where the claim says them, see `claimed_moves`. Each is held against the change
    whose figures stand by most of the claim's words.
    """

    def __init__(
        self,
        claim: Statement,
        signs: Mapping[int, int],
        passage: Statement,
        candidates: Sequence[Candidate],
    ) -> None:
        self._claim, self._passage = claim, passage
        self._signs = signs
        sought = () if claim.negations else signs
        trends = list(find_trends(candidates, passage.text)) if sought else ()
        self._found = {place: trend for place in sought if (trend := self._nearest(place, trends))}

    def _nearest(self, place: int, trends: Sequence[Trend]) -> Trend | None:
        ranked = [(self._nearness(place, trend), trend) for trend in trends]
        near, trend = max(ranked, key=itemgetter(0), default=(0.0, None))
        return trend if near >= _LEAST_SUPPORT else None

    def _nearness(self, place: int, trend: Trend) -> float:
        # The years over a row are over all of them.
        if trend.row and trend.row.isdisjoint(self._claim.stems):
            return 0.0
        if trend.label:
            return len(self._claim.stems & trend.label & self._passage.stems)
        if self._moves_to_another(place, trend):
            return 0.0
        if self._is_own(trend):
            return 1.0
        parity = Parity(self._claim, self._passage)
        return max((parity.support(place, other) for other in self._held(trend)), default=0.0)

    def _is_own(self, trend: Trend) -> bool:
        """Whether the claim gives both figures itself."""
        held = [self._passage.tokens[other] for other in self._held(trend)]
        figures = {token.stem for token in held if token.word[0].isdigit()}
        return len(figures) > 1 and figures <= self._claim.stems

    def _moves_to_another(self, place: int, trend: Trend) -> bool:
        """Whether the claim says to or by what, and the passage has that figure apart.

        "Damage was down to 5.1 per cent" is not what "the share rose from 6 to 43" tells of.
        """
        after = self._claim.tokens[place + 1 : place + 1 + _NOUN_REACH]
        said = {token.stem for token in after if token.word[0].isdigit()} & self._passage.stems
        held = {self._passage.tokens[other].stem for other in self._held(trend)}
        return bool(said) and said.isdisjoint(held)

    def _held(self, trend: Trend) -> list[int]:
        return _tokens_in(self._passage, trend.start, trend.end)

    def _said(self, place: int) -> int:
        return self._signs[place] * self._claim.turned.get(place, 1)

    @cached_property
    def borne_out(self) -> frozenset[int]:
        """The claim's words for a rise or fall that the figures show."""
        return frozenset(p for p, trend in self._found.items() if trend.sign == self._said(p))

    def objections(self) -> Iterator[Objection]:
        """A rise that the claim states where the passage's figures fall, or the contrary."""
        told = {self._said(place) for place in self._signs}
        for place, trend in self._found.items():
            said = _is_told(self._passage, self._held(trend), self._said(place))
            if trend.sign in told or (said and not self._is_own(trend)):
                continue
            yield Objection(
                ObjectionKind.OPPOSITE,
                self._claim.tokens[place].word,
                self._passage.text[trend.start : trend.end],
                flipped=True,
                strength=_LIKELY,
            )


def claimed_moves(claim: Statement) -> Iterator[tuple[int, int]]:
    """Where the claim says that something rose (1) or fell (-1), or was more than before."""
    for place, token in enumerate(claim.tokens):
        sign = claim.book.directions.get(token.stem, 0)
        if sign and place not in claim.inside:
            yield place, sign
        elif token.word in _COMPARATIVES and is_with_before(claim.tokens, place):
            yield place, _COMPARATIVES[token.word]


def is_with_before(tokens: Sequence[Token], place: int) -> bool:
    """Whether what follows compares with an earlier time: "fewer calls than a year ago"."""
    words = [token.word for token in tokens[place:]]
    at = words.index("than") if "than" in words[:_THAN_REACH] else len(words)
    return not _TIMES.isdisjoint(words[at + 1 : at + 1 + _TIME_REACH])


def direction_objections(
    claim: Statement, passage: Statement, candidates: Sequence[Candidate]
) -> Iterator[Objection]:
    """A rise or fall that the claim states and nothing in the passage bears out."""
    ways = claim.book.directions
    told = {
        ways[token.stem] * passage.turned.get(place, 1)
        for place, token in enumerate(passage.tokens)
        if ways.get(token.stem) and place not in passage.inside
    }
    told |= {trend.sign for trend in find_trends(candidates, passage.text)}
    for place, way in claimed_moves(claim):
        token, sign = claim.tokens[place], way * claim.turned.get(place, 1)
        known = not claim.book.alike(token.stem).isdisjoint(passage.stems)
        # "7,900 m long" measures; nothing grew.
        if token.word not in _DIMENSIONS and sign not in told and not known:
            yield Objection(
                ObjectionKind.TURN, token.word, "", guard="direction", strength=_DOUBTFUL
            )


def _is_told(passage: Statement, held: Sequence[int], sign: int) -> bool:
    """Whether a word beside the two figures says that they go this way."""
    ways = passage.book.directions
    around = range(held[0] - _NOUN_REACH, held[-1] + _NOUN_REACH) if held else range(0)
    return any(
        ways.get(passage.tokens[place].stem, 0) == sign
        for place in around
        if 0 <= place < len(passage.tokens)
    )


def portion_objections(
    claim: Statement, passage: Statement, candidates: Sequence[Candidate]
) -> tuple[bool, tuple[Objection, ...]]:
    """Whether the passage's figures settle a quantifier of the claim, and what they say against it.

    Nothing is settled if either of the two denies what is said of the things counted.
    """
    if claim.negations or not (wanted := list(_quantified(claim))):
        return False, ()
    settled, against = False, list[Objection]()
    for portion in find_portions(candidates, passage.text):
        held = _tokens_in(passage, portion.start, portion.end)
        stems = (
            {token.stem for token in passage.tokens[held[0] : held[-1] + _NOUN_REACH]}
            if held
            else set[str]()
        )
        for word, group, noun in wanted:
            if claim.book.alike(noun).isdisjoint(stems) or passage.negations:
                continue
            settled = True
            least, most = _SHARES[group]
            if not least <= portion.share <= most:
                found = passage.text[portion.start : portion.end]
                against.append(
                    Objection(
                        ObjectionKind.TURN,
                        word,
                        found,
                        guard="quantifier",
                        flipped=True,
                        strength=_DOUBTFUL,
                    )
                )
    return settled, tuple(against)


def _quantified(claim: Statement) -> Iterator[tuple[str, str, str]]:
    """The quantifiers of a claim with the noun that each counts."""
    for turn in claim.turns:
        # "Half of all the honey" does not say anything of all of it.
        if turn.place and claim.tokens[turn.place - 1].word == "of":
            continue
        groups = [group for kind, group in turn.keys if kind == "quantifier" and group in _SHARES]
        for noun in _nouns(claim, turn.end):
            yield from ((turn.word, group, noun) for group in groups)


def _nouns(claim: Statement, start: int) -> list[str]:
    """The words of weight that stand together right after a quantifier."""
    found: list[str] = []
    for token in claim.tokens[start : start + 2 * _NOUN_REACH]:
        if claim.is_telling(token):
            found.append(token.stem)
        elif found or token.word not in _ARTICLES:
            break
    return found


def _pairs(candidates: Sequence[Candidate]) -> Iterator[tuple[Candidate, Candidate]]:
    """Quantities that may be of one thing, with none such between them."""
    ordered = sorted(
        (candidate for candidate in candidates if isinstance(candidate.value, Quantity)),
        key=lambda candidate: candidate.start,
    )
    for place, before in enumerate(ordered):
        following = ordered[place + 1 : place + 1 + _BETWEEN]
        after = next((other for other in following if _may_be_one_thing(before, other)), None)
        if after:
            yield before, after


def _may_be_one_thing(before: Candidate, after: Candidate) -> bool:
    one, other = before.value, after.value
    if not (isinstance(one, Quantity) and isinstance(other, Quantity)):
        return False
    alike = one.kind is other.kind and one.unit == other.unit
    return alike or any(each.kind is QuantityKind.COUNT and not each.unit for each in (one, other))


def _value(candidate: Candidate) -> Fraction | None:
    value = candidate.value
    if not isinstance(value, Quantity) or value.low != value.high:
        return None
    return Fraction(value.low)


def _tokens_in(passage: Statement, start: int, end: int) -> list[int]:
    return [
        place
        for place, token in enumerate(passage.tokens)
        if token.start < end and start < token.end
    ]
