"""Figures that a passage sets side by side: a rise or fall, or a part of a whole, without the word.

"24 pupils, compared with 29 before" is a fall; "two of the nine hangers" are not most of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from ...claims.model import Quantity, QuantityKind
from ..reading.window import Candidate
from .objection import Objection, ObjectionKind
from .polarity import Parity, Statement

_LIKELY, _DOUBTFUL = 0.6, 0.5
_LEAST_SUPPORT = 0.35
# Between the later figure and the earlier one, and between a part and its whole.
_EARLIER = re.compile(
    r"[^.;]{0,20}?[\s,(](?:after|compared (?:with|to)|as against|against|versus|vs\.?|instead of"
    r"|rather than|as opposed to|having been|previously|in place of|where it had been)(?: only"
    r"| just| some| about| the)?\W*$",
    re.IGNORECASE,
)
_LATER = re.compile(r"^(?:[^.;]{0,20}?\s)?to(?: some| about| only| just)?\s+$", re.IGNORECASE)
_FROM = re.compile(r"\b(?:from|between)(?: some| about)?\s+$", re.IGNORECASE)
_PART = re.compile(
    r"^\s+(?:out )?of(?: all)?(?: the| its| their| his| her| our| these| those)?\s+$", re.IGNORECASE
)
_DIMENSIONS = frozenset({"long", "short", "large", "big", "great", "fast", "slow", "cheap", "dear"})
_NOUN_REACH = 4
_ARTICLES = frozenset({"of", "the", "its", "their", "our", "his", "her", "these", "those", "all"})
# What each quantifier says of a share, as the least and the most of it.
_SHARES = {
    "all": (Fraction(1), Fraction(1)),
    "almost": (Fraction(3, 4), Fraction(1)),
    "most": (Fraction(1, 2), Fraction(1)),
    "few": (Fraction(0), Fraction(1, 2)),
}


class Trend(NamedTuple):
    """Two figures of one thing: `sign` is 1 if the later one is more, -1 if it is less."""

    sign: int
    start: int
    end: int


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
        if _EARLIER.match(gap):
            yield Trend(1 if one > other else -1, before.start, after.end)
        elif _LATER.match(gap) and _FROM.search(text[max(0, before.start - 20) : before.start]):
            yield Trend(1 if other > one else -1, before.start, after.end)


def find_portions(candidates: Sequence[Candidate], text: str) -> Iterator[Portion]:
    """The shares that a passage states by a part and its whole, or as a percentage."""
    for before, after in _pairs(candidates):
        one, other = _value(before), _value(after)
        if one is None or not other or not 0 <= one <= other:
            continue
        if _PART.match(text[before.end : after.start]):
            yield Portion(one / other, before.start, after.end)
    for candidate in candidates:
        value = candidate.value
        if isinstance(value, Quantity) and value.kind in (QuantityKind.PERCENT, QuantityKind.RATIO):
            share = Fraction(value.low) / (100 if value.kind is QuantityKind.PERCENT else 1)
            if 0 <= share <= 1:
                yield Portion(share, candidate.start, candidate.end)


def trend_objections(
    claim: Statement, passage: Statement, candidates: Sequence[Candidate]
) -> Iterator[Objection]:
    """A rise that the claim states where the passage's figures fall, or the contrary."""
    ways = claim.book.directions
    moves = [
        (place, sign)
        for place, token in enumerate(claim.tokens)
        if (sign := ways.get(token.stem, 0)) and place not in claim.inside
    ]
    if not moves or claim.negations:
        return
    parity = Parity(claim, passage)
    for trend in find_trends(candidates, passage.text):
        held = _tokens_in(passage, trend.start, trend.end)
        told = {sign * claim.turned.get(place, 1) for place, sign in moves}
        for place, sign in moves if trend.sign not in told else ():
            said = sign * claim.turned.get(place, 1)
            near = max((parity.support(place, other) for other in held), default=0.0)
            if near >= _LEAST_SUPPORT and not _is_told(passage, held, said):
                found = passage.text[trend.start : trend.end]
                yield Objection(
                    ObjectionKind.OPPOSITE,
                    claim.tokens[place].word,
                    found,
                    flipped=True,
                    strength=_LIKELY,
                )


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
    for place, token in enumerate(claim.tokens):
        sign = ways.get(token.stem, 0) * claim.turned.get(place, 1)
        known = not claim.book.alike(token.stem).isdisjoint(passage.stems)
        # "7,900 m long" measures; nothing grew.
        if sign and token.word in _DIMENSIONS:
            continue
        if sign and place not in claim.inside and sign not in told and not known:
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
            {token.stem for token in passage.tokens[held[-1] : held[-1] + _NOUN_REACH]}
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
        groups = [group for kind, group in turn.keys if kind == "quantifier" and group in _SHARES]
        for noun in _nouns(claim, turn.end):
            yield from ((turn.word, group, noun) for group in groups)


def _nouns(claim: Statement, start: int) -> list[str]:
    """The words of weight that stand together right after a quantifier."""
    found: list[str] = []
    for token in claim.tokens[start : start + _NOUN_REACH]:
        if claim.is_telling(token):
            found.append(token.stem)
        elif found or token.word not in _ARTICLES:
            break
    return found


def _pairs(candidates: Sequence[Candidate]) -> Iterator[tuple[Candidate, Candidate]]:
    """Neighbouring quantities that may be of one thing."""
    ordered = sorted(candidates, key=lambda candidate: candidate.start)
    for before, after in pairwise(ordered):
        one, other = before.value, after.value
        if not (isinstance(one, Quantity) and isinstance(other, Quantity)):
            continue
        bare = other.kind is QuantityKind.COUNT and not other.unit
        if bare or one.unit == other.unit or not one.unit:
            yield before, after


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
