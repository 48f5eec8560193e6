"""Values of one thing for several times: "3.1 metres in 1988, 2.8 in 1999 and 1.9 last year"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from ...claims.model import Quantity, QuantityKind
from ..reading.window import Candidate

_SENTENCE_END = re.compile(r"[.!?]\s|\n")
_LEAD_END = re.compile(r":\s")
_PIECE_END = re.compile(r"[.;!?\n]\s?")
_TAIL = 60
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_SEASON = r"(?:year|month|week|quarter|season|spring|summer|autumn|winter|decade|survey|census)"
_LAST = re.compile(rf"\b(?:last|past) (?:\w+ )?{_SEASON}s?\b", re.IGNORECASE)
_EARLY = re.compile(
    rf"\b(?:before|ago|earlier|previously|formerly|originally|initially|until then"
    rf"|at (?:first|the (?:start|outset|beginning))|(?:previous|prior|preceding) {_SEASON})\b",
    re.IGNORECASE,
)
_LATE = re.compile(
    rf"\b(?:now|today|after|afterwards|since|currently|at present|nowadays|later|at the end"
    rf"|this {_SEASON}|(?:latest|most recent))\b",
    re.IGNORECASE,
)


# "Three years ago" is a time.
_SPANS = frozenset({"minute", "hour", "day", "week", "month", "year", "decade"})
_APART = re.compile(r"\s+(?:ago|before|earlier|later|after|on)\b", re.IGNORECASE)


class _Time(Enum):
    EARLY = -1
    LATE = 1
    # "Last year" is before this one and after 2010.
    LAST = 0


_Moment = _Time | int


class Series(NamedTuple):
    """Values that only rise (1) or only fall (-1) with time, and where they stand."""

    sign: int
    start: int
    end: int


def find_series(values: Sequence[Candidate], text: str) -> Iterator[Series]:
    """The values of each sentence that stand by a time each and go one way; offsets as `text`."""
    for group in _sentences(values, text):
        first = _sort(group[0])
        for sort in dict.fromkeys(_sort(one) for one in group):
            # A number without a unit has that of the first.
            chain = _chain(group, sort, bare=sort == first) if sort[1] or sort == first else []
            if len(chain) > 1 and (sign := _sign(chain, text)):
                yield Series(sign, chain[0].start, chain[-1].end)


def _sentences(values: Sequence[Candidate], text: str) -> Iterator[list[Quantity]]:
    """The exact quantities outside tables, sentence by sentence, in order."""
    group: list[Quantity] = []
    for one in sorted(values, key=lambda value: value.start):
        value = one.value
        if one.in_row or not isinstance(value, Quantity) or value.kind is QuantityKind.ORDINAL:
            continue
        if value.unit in _SPANS and _APART.match(text, value.end):
            continue
        if group and _SENTENCE_END.search(text, group[-1].end, value.start):
            yield group
            group = []
        group.append(value)
    if group:
        yield group


def _sort(value: Quantity) -> tuple[QuantityKind, str]:
    return value.kind, value.unit


def _chain(
    group: Sequence[Quantity], sort: tuple[QuantityKind, str], *, bare: bool
) -> list[Quantity]:
    """The values of one sort; if `bare`, with those that leave their unit out."""
    alike = {sort, (QuantityKind.COUNT, "")} if bare else {sort}
    return [value for value in group if _sort(value) in alike]


def _sign(chain: Sequence[Quantity], text: str) -> int:
    """1 or -1 if all values go one way with their times; 0 if not, or if a time is unknown."""
    if any(value.low != value.high for value in chain):
        return 0
    way = _way([value.low for value in chain])
    order = _order(_before(chain, text)) or _order(_behind(chain, text))
    return way * order


def _way(values: Sequence[Decimal]) -> int:
    """1 if no value is below the one before it, -1 if none is above it; 0 else, or if all agree."""
    steps = {(later > earlier) - (later < earlier) for earlier, later in pairwise(values)}
    return sum(steps - {0}) if len(steps - {0}) == 1 else 0


def _before(chain: Sequence[Quantity], text: str) -> list[str]:
    """The words that lead to each value."""
    ends = [m.end() for m in _SENTENCE_END.finditer(text, 0, chain[0].start)]
    first = ends[-1] if ends else 0
    starts = [first, *(value.end for value in chain[:-1])]
    return [text[start : value.start] for start, value in zip(starts, chain, strict=True)]


def _behind(chain: Sequence[Quantity], text: str) -> list[str]:
    """The words that follow each value, unless the first is led to by a time of its own."""
    last = chain[-1].end
    stop = _PIECE_END.search(text, last, last + _TAIL)
    ends = [*(value.start for value in chain[1:]), stop.start() if stop else last + _TAIL]
    return [text[value.end : end] for value, end in zip(chain, ends, strict=True)]


def _order(pieces: Sequence[str]) -> int:
    """1 if the times of the first and the last piece go forwards, -1 if backwards, 0 if unknown."""
    moments = [_moment(piece) for piece in pieces]
    first, last = moments[0], moments[-1]
    if first is None or last is None:
        return 0
    years = [moment for moment in moments if isinstance(moment, int)]
    if isinstance(first, int) or isinstance(last, int):
        way = _way([Decimal(year) for year in years]) if len(years) > 1 else 0
        ahead = isinstance(first, int) and last in (_Time.LATE, _Time.LAST)
        behind = isinstance(last, int) and first in (_Time.LATE, _Time.LAST)
        if isinstance(first, int) and isinstance(last, int):
            return way
        return 1 if ahead and way >= 0 else -1 if behind and way <= 0 else 0
    return (last.value > first.value) - (last.value < first.value)


def _moment(piece: str) -> _Moment | None:
    """The one time that a piece of text tells of."""
    _, *led = _LEAD_END.split(piece, maxsplit=1)
    piece = led[0] if led and led[0].strip() else piece
    if year := _YEAR.search(piece):
        return int(year.group())
    found = {
        time
        for time, pattern in ((_Time.LAST, _LAST), (_Time.EARLY, _EARLY), (_Time.LATE, _LATE))
        if pattern.search(piece)
    }
    return found.pop() if len(found) == 1 else None
