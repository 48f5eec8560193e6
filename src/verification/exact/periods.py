"""The periods of time that a figure is for: "420 crowns per hectare and year"."""

from __future__ import annotations

import re
from collections.abc import Mapping

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


def _singular(noun: str) -> str:
    return noun.lower().removesuffix("s")
