"""Counts that only introduce what a claim is about: "the four finalists", "of the two surveys"."""

from __future__ import annotations

import re

from ...claims.model import DateSpan, Modifier, Quantity, QuantityKind

_MOST = 12
_LOOK = 24
_DEFINITE = re.compile(
    r"(?:\b(?:the|these|those|its|his|her|their|our|all)|\w['’]s|s['’])"
    r"(?: (?:first|last|other|same|next|past|main|new|old))?\s$",
    re.IGNORECASE,
)
# "Between the two surveys": who or what it is said of is something else.
_SETTING = re.compile(
    r"\b(?:of|between|across|in|at|from|over|during|among|within|on|by|for|to|since|after|before)"
    r"(?: (?:all|both))?(?: (?:the|these|those|its|his|her|their|our|[\w-]+['’]s?))*"
    r"(?: (?:first|last|other|same|next|past|main|new|old))?\s$",
    re.IGNORECASE,
)
# "The larger of the two hotels" compares them.
_COMPARED = re.compile(r"\b\w+er of the\s$", re.IGNORECASE)
# What is counted must follow: "the five" may be another thing than the five of the source.
_NOUN = re.compile(r"\s(?!times\b|per\b|of\b)[a-z]", re.IGNORECASE)


def introduces(text: str, value: Quantity | DateSpan) -> bool:
    """Whether the claim `text` takes the count for known rather than states it."""
    if isinstance(value, DateSpan) or value.kind is not QuantityKind.COUNT:
        return False
    if value.modifier is not Modifier.EXACT or value.low != value.high or value.low > _MOST:
        return False
    before = text[max(0, value.start - _LOOK) : value.start]
    if _COMPARED.search(before) or not _DEFINITE.search(before):
        return False
    return bool(_NOUN.match(text[value.end : value.end + _LOOK]))


def is_setting(text: str, value: Quantity | DateSpan) -> bool:
    """Whether the count is of what the claim is set in: a passage on it need not repeat it."""
    return bool(_SETTING.search(text[max(0, value.start - _LOOK) : value.start]))
