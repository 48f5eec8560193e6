"""Figures that a passage sets side by side: a rise or fall, or a part of a whole, without the word.

"24 pupils, compared with 29 before" is a fall; "two of the nine hangers" are not most of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from ...claims.model import Quantity, QuantityKind
from ...claims.words import Token
from ..reading.window import Candidate
from .objection import Objection, ObjectionKind
from .polarity import Parity, Statement
from .series import find_series

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
_BREAK = re.compile(r"[.;]\s|\n")
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
# At the head of a sentence or clause, and with a verb behind it, a bare count is of the same.
_OPENS = re.compile(r"(?:[.;]\s|,? and )(?:only |just |another |a further )?$", re.IGNORECASE)
_DOES = re.compile(
    r"(?: of (?:them|these|those))? (?P<said>(?:will|would|were|was|are|is|have|had|has|need|needs"
    r"|must|can|could|did|do|do not)\b[^.;,]{3,60})"
)
_LEAD = 16
_ITEM = 2.0
_DIMENSIONS = frozenset({"long", "short", "large", "big", "great", "fast", "slow", "cheap", "dear"})
_NOUN_REACH = 4
_OWN_CELL, _YEAR = 1.0, 4
_EARLIER_COLUMNS = frozenset({"previous", "last", "prior", "before", "earlier", "preced", "former"})
_COMPARATIVES = {
    "more": 1, "higher": 1, "larger": 1, "bigger": 1, "greater": 1, "longer": 1,
    "fewer": -1, "less": -1, "smaller": -1, "lower": -1, "shorter": -1,
}  # fmt: skip
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
_ARTICLES = frozenset(
    {"of", "the", "its", "their", "our", "his", "her", "these", "those", "all", "one"}
)
_LEADING = frozenset(
    {"at", "in", "on", "for", "from", "by", "to", "with", "over", "since", "during"}
)
_PAST = "ed"
# What widens may shrink in length.
_OF_WIDTH = frozenset({"widen", "broaden", "narrow"})
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
    `row` those that both figures have, which say of what the row is. `series` marks figures that
    each stand by a time of their own.
    """

    sign: int
    start: int
    end: int
    label: frozenset[str] = frozenset()
    row: frozenset[str] = frozenset()
    series: bool = False


class Portion(NamedTuple):
    """A share of a whole, 0–1, and where it is written.

    `said` is what is told of the part alone, if the whole stands in a sentence before it.
    """

    share: Fraction
    start: int
    end: int
    said: str = ""


def find_trends(candidates: Sequence[Candidate], text: str) -> Iterator[Trend]:
    """The changes that a passage states by figures of several times; offsets are into `text`."""
    pairs = list(_changes(candidates, text))
    yield from pairs
    for sign, start, end in find_series(candidates, text):
        if not any(start <= pair.start and pair.end <= end for pair in pairs):
            yield Trend(sign, start, end, series=True)


def _changes(candidates: Sequence[Candidate], text: str) -> Iterator[Trend]:
    """The changes that a passage states by two figures side by side."""
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
        elif (order := _in_order(text, before.end, after)) and not _goes_on(
            before, after, candidates, text
        ):
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


def _goes_on(
    before: Candidate, after: Candidate, candidates: Sequence[Candidate], text: str
) -> bool:
    """Whether two figures are only a part of a series, which may go up and down."""
    start, end = before.end, after.start
    return any(
        _may_be_one_thing(before, other)
        and other not in (before, after)
        and not _BREAK.search(text, min(other.end, start), max(other.start, end))
        for other in candidates
    )


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
    yield from _some_of_them(candidates, text)
    for candidate in candidates:
        value = candidate.value
        if isinstance(value, Quantity) and value.kind in (QuantityKind.PERCENT, QuantityKind.RATIO):
            share = Fraction(value.low) / (100 if value.kind is QuantityKind.PERCENT else 1)
            if 0 <= share <= 1:
                yield Portion(share, candidate.start, candidate.end)


def _some_of_them(candidates: Sequence[Candidate], text: str) -> Iterator[Portion]:
    """Parts of what the sentence before has counted: "58 bridges. Eleven will be closed"."""
    values = [c for c in sorted(candidates, key=lambda c: c.start) if not c.in_row]
    whole: Candidate | None = None
    for one in values:
        value = one.value
        if not isinstance(value, Quantity) or value.kind is not QuantityKind.COUNT:
            continue
        led = _OPENS.search(text, max(0, one.start - _LEAD), one.start)
        done = _DOES.match(text, one.end)
        part = whole and led and done and not value.unit and value.low == value.high
        if whole and part and isinstance(whole.value, Quantity) and value.low <= whole.value.low:
            share = Fraction(value.low) / Fraction(whole.value.low)
            yield Portion(share, whole.start, one.end, done["said"] if done else "")
        elif value.unit and value.low == value.high:
            whole = one


class Moves:
    """The rises and falls that a claim states, held against the figures of a passage.

    `signs` are where the claim says them, see `claimed_moves`. Each is held against the change
    whose figures stand by most of the claim's words. `knows` says whether the source has a word.
    """

    def __init__(
        self,
        claim: Statement,
        signs: Mapping[int, int],
        passage: Statement,
        candidates: Sequence[Candidate],
        knows: Callable[[str], bool],
    ) -> None:
        self._claim, self._passage, self._knows = claim, passage, knows
        self._signs = signs
        graded = claim.book.graded
        amounts = [place for place in signs if claim.tokens[place].stem not in graded]
        sought = () if claim.negations else amounts
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
        if not self._is_of(place, trend):
            return 0.0
        if trend.series:
            return 1.0
        parity = Parity(self._claim, self._passage)
        return max((parity.support(place, other) for other in self._held(trend)), default=0.0)

    def _is_of(self, place: int, trend: Trend) -> bool:
        """Whether the sentence of the figures is about what the claim says to rise or fall.

        It names that, or the source does not. "Retreat a year" measures no length.
        """
        held = self._held(trend)
        if not held:
            return False
        passage, book, own = self._passage, self._claim.book, self._claim.stems
        here = passage.sentences[held[0]]
        places = [n for n, sentence in enumerate(passage.sentences) if sentence == here]
        said = _phrases(passage, range(places[0], places[-1] + 1))
        measures = [s for s, _ in said if s in book.losses or book.directions.get(s)]
        if trend.series and self._claim.tokens[place].stem in _OF_WIDTH:
            return False
        if trend.series and any(own.isdisjoint(book.alike(stem)) for stem in measures):
            return False
        subject = list(_subject(self._claim, place))
        heads = [stem for stem, led in subject if not led] or [stem for stem, _ in subject]
        named = {stem for stem, led in said if not (led and trend.series)}
        if any(not book.alike(stem).isdisjoint(named) for stem in heads):
            return True
        return not any(self._knows(stem) and stem not in named for stem, _ in subject)

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
                by_values=True,
            )


def _subject(claim: Statement, place: int) -> Iterator[tuple[str, bool]]:
    """The words of what rises or falls, and whether a preposition leads to each.

    It stands before the verb, or right behind it: "the fee rose", "fewer calls", "raised the fee".
    """
    yield from ((stem, False) for stem in _nouns(claim, place + 1))
    said = _phrases(claim, range(claim.clause_of(place).start, place))
    yield from ((stem, led) for stem, led in said if stem not in claim.book.directions)


def _phrases(statement: Statement, places: range) -> list[tuple[str, bool]]:
    """The telling words at `places`, and whether each stands in a phrase such as "at the bridge".

    What something is "of" is as much the matter as itself.
    """
    found: list[tuple[str, bool]] = []
    led = False
    for place in places:
        token = statement.tokens[place]
        before = statement.tokens[place - 1] if place > places.start else None
        if token.word in _LEADING:
            led = True
        elif statement.is_telling(token):
            # A verb follows what somebody is "at" or "in".
            led = led and not (
                token.word.endswith(_PAST) and before and before.word not in _ARTICLES
            )
            found.append((token.stem, led))
        elif token.word not in _ARTICLES or (before and statement.is_telling(before)):
            led = False
    return found


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
    moves = list(claimed_moves(claim))
    if not moves:
        return
    ways = claim.book.directions
    told = {
        ways[token.stem] * passage.turned.get(place, 1)
        for place, token in enumerate(passage.tokens)
        if ways.get(token.stem) and place not in passage.inside
    }
    told |= {trend.sign for trend in find_trends(candidates, passage.text)}
    for place, way in moves:
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
        said = {token.stem for token in claim.book.tokens(portion.said)}
        for word, group, noun in wanted:
            if claim.book.alike(noun).isdisjoint(stems) or _is_denied(passage, portion, held):
                continue
            if portion.said and not _is_said(claim, noun, said):
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


def _is_denied(passage: Statement, portion: Portion, held: Sequence[int]) -> bool:
    """Whether the passage denies something, or does so where it tells of a part by itself."""
    if not portion.said:
        return bool(passage.negations)
    here = passage.sentences[held[-1]]
    return any(passage.sentences[negation.place] == here for negation in passage.negations)


def _is_said(claim: Statement, noun: str, said: AbstractSet[str]) -> bool:
    """Whether the last words of a claim but for `noun`, which tell what is so, are among `said`."""
    telling = [token.stem for token in claim.tokens if claim.is_telling(token)]
    told = [stem for stem in telling if stem != noun][-1:]
    return any(not claim.book.alike(stem).isdisjoint(said) for stem in told)


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
