"""Amounts for a period and over several of them: 640 million over four seasons, 160 a season."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import chain
from typing import NamedTuple

from ...claims.lexicon import Lexicon

_PER = re.compile(r"[ \u00a0]?(?:(?:a|an|per|each|every)[ \u00a0]|/ ?)([a-z]+)\b", re.IGNORECASE)
# "85,000 crowns for upkeep each year", then "per hectare and year".
_LINK = re.compile(
    r"[ \u00a0]?(?:[^\W\d]+[ \u00a0]){0,2}?(?:(?:a|an|per|each|every)[ \u00a0]|/ ?)([a-z]+)",
    re.IGNORECASE,
)
_FURTHER = re.compile(r"[ \u00a0](?:and|per|an?|each|every)[ \u00a0]([a-z]+)", re.IGNORECASE)
_ADVERB = re.compile(r"[ \u00a0](?:[^\W\d]+[ \u00a0]){0,2}?([a-z]+ly)\b", re.IGNORECASE)
_ADVERBS: Mapping[str, str] = {
    "annually": "year",
    "yearly": "year",
    "quarterly": "quarter",
    "monthly": "month",
    "weekly": "week",
    "daily": "day",
    "hourly": "hour",
}
_AHEAD = re.compile(r"\b(?:each|every|per)[ \u00a0]([a-z]+)", re.IGNORECASE)
_PERIODS = frozenset(
    ("second", "minute", "hour", "day", "week", "month", "quarter", "season", "year", "century")
)
_SOME = re.compile(
    r"\b(\d{1,3}|[a-z]+)[ \u00a0-](?=(?:(?:more|further|full|whole)[ \u00a0])?([a-z]+)\b)",
    re.IGNORECASE,
)
# How many of a period are in a longer one; the first number is the usual one.
_CALENDAR: Mapping[str, Mapping[str, Sequence[int]]] = {
    "day": {"year": (365, 366), "week": (7,)},
    "week": {"year": (52,)},
    "month": {"year": (12,)},
    "quarter": {"year": (4,)},
}


class Rate(NamedTuple):
    """An amount and the period that it is for: 310,000, "year"."""

    amount: Decimal
    period: str


def period_after(text: str, end: int) -> str:
    """The period, or other thing, that the figure ending at `end` is for: "a year"; "" if none."""
    match = _PER.match(text, end)
    return _singular(match[1]) if match else ""


def periods_after(text: str, end: int) -> frozenset[str]:
    """The periods of time that the figure of a sentence is for that ends at `end`.

    Where none follows it, one that the sentence names before counts: "Each year 40 are built."
    """
    match, found = _LINK.match(text, end), set[str]()
    while match is not None:
        found.add(_singular(match[1]))
        match = _FURTHER.match(text, match.end())
    adverb = _ADVERB.match(text, end)
    if adverb and adverb[1].lower() in _ADVERBS:
        found.add(_ADVERBS[adverb[1].lower()])
    if not found & _PERIODS:
        found = {_singular(ahead[1]) for ahead in _AHEAD.finditer(text, 0, end)}
    return frozenset(found & _PERIODS)


def stretches(texts: Iterable[str], lexicon: Lexicon) -> dict[str, tuple[int, ...]]:
    """How many of each period or thing the texts speak of: "four more seasons"."""
    found: dict[str, set[int]] = {}
    for text in texts:
        for written, noun in _some(text):
            number = int(written) if written.isdigit() else lexicon.number_words.get(written, 0)
            if number > 1:
                found.setdefault(noun, set()).add(number)
    return {period: tuple(sorted(numbers)) for period, numbers in found.items()}


@functools.lru_cache(maxsize=2048)
def _some(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((one[1].lower(), _singular(one[2])) for one in _SOME.finditer(text))


def for_one_period(
    period: str, sizes: Iterable[Decimal], known: Mapping[str, Sequence[int]]
) -> Iterator[tuple[Decimal, int, Decimal]]:
    """Each size divided by the periods that it may be over: size, number of periods, result."""
    longer = chain.from_iterable(_CALENDAR.get(period, {}).values())
    numbers = (*known.get(period, ()), *longer)
    for size in sizes:
        for number in numbers:
            yield size, number, size / number


def over_periods(
    rates: Iterable[Rate], known: Mapping[str, Sequence[int]], period: str
) -> Iterator[tuple[Decimal, int, Decimal]]:
    """Each rate times the periods that the texts speak of, or those of a longer one."""
    for rate in rates:
        calendar = _CALENDAR.get(rate.period, {}).get(period, ())[:1]
        numbers = calendar or (() if period else known.get(rate.period, ()))
        for number in numbers:
            yield rate.amount, number, rate.amount * number


def _singular(noun: str) -> str:
    return noun.lower().removesuffix("s")
