"""The words and identifiers of a text, compared in lower case and without typography."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ...claims.clauses import words_of
from ...claims.lexicon import Lexicon
from ..passages.units import terms

_WORD = re.compile(r"\d\d?/\d\d?/\d{2,4}|\d[\d,.:]*\d|\d|[^\W\d_]+(?:['’-][^\W_]+)*|[%€$£¥₹]")
_IDENTIFIER = re.compile(
    r"(?<![\w.])v?\d+(?:\.\d+){2,}(?:-[\w.]+)?(?![\w])"  # versions and addresses: 2.6.9, 10.0.0.1
    r"|(?<![\w-])[A-Z][A-Z0-9]{0,9}-\d[\w-]*"  # CVE-2024-90112, RFC-9110, BWP-4031
    r"|`[^`\n]{2,60}`"  # code
    r"|(?<![\w/])--[a-z][\w-]+"  # options
    r"|(?<!\w)[a-z]+_[a-z_\d]+(?!\w)"  # snake_case names
)
PRESENT = re.compile(r"\b(?:is|are|has|have)\b", re.IGNORECASE)
PAST = re.compile(r"\b(?:was|were|had)\b", re.IGNORECASE)
# "Not" with the words that it denies.
_DENIED = re.compile(
    r"(?:\b(?:not|never|cannot)\b(?! (?:only|just|merely|least))|n['’]t\b)(?P<what>.{0,60})",
    re.IGNORECASE,
)
_WORDS_DENIED = 2
# What a sentence says by the way: "The Norfolk yard, established in 1767, is the oldest."
ASIDE = re.compile(r",(?!\s*(?:and|or)\b)[^,;:()]{2,80},(?!\s*(?:and|or)\b)")
_IDENTITY = re.compile(r"(?P<one>.+?) (?:is|are) (?P<other>.+?)\.?\s*")
_DEFINITE = re.compile(r"\s*the\s", re.IGNORECASE)


class Word(NamedTuple):
    """A word as written, the form in which it is compared, and its place."""

    text: str
    key: str
    start: int
    end: int


@functools.lru_cache(maxsize=8192)
def split_words(text: str, offset: int = 0) -> Sequence[Word]:
    """The words of `text`; places are counted from `offset`. Many claims may ask for them."""
    found = ((one[0], offset + one.start(), offset + one.end()) for one in _WORD.finditer(text))
    return tuple(Word(word, word.lower().replace("’", "'"), *place) for word, *place in found)


def is_present(claim: str, lexicon: Lexicon) -> bool:
    """Whether `claim` speaks of the present alone: it has no verb in the past tense.

    "Employs", "runs" and "covers" are known by what they are not.
    """
    if PAST.search(claim) or PRESENT.search(claim):
        return not PAST.search(claim)
    lists = lexicon.clauses
    words = [word.low for word in words_of(claim)]
    return not any(low in lists.file.past or lists.is_past_or_participle(low) for low in words)


def denies(text: str, other: str) -> bool:
    """Whether `text` says "not" of words that `other` has, too."""
    shared = set(terms(other))
    return any(
        shared & set(terms(match["what"])[:_WORDS_DENIED]) for match in _DENIED.finditer(text)
    )


def turned(claim: str) -> str:
    """The same identity from its other end ("the head is Ann Roe"), "" if `claim` states none."""
    found = _IDENTITY.fullmatch(claim)
    if found is None or role_and_name(claim) is None:
        return ""
    verb = claim[found.end("one") : found.start("other")]
    return f"{found['other']}{verb}{found['one']}."


def role_and_name(sentence: str) -> tuple[frozenset[str], tuple[str, ...]] | None:
    """The words of "the head of Bluewater" and of "Ann Roe", if one is said to be the other.

    What kind of thing has the name ("the Kell tower") is among the words of its role.
    """
    found = _IDENTITY.fullmatch(ASIDE.sub("", sentence))
    if found is None:
        return None
    for role, name in ((found["one"], found["other"]), (found["other"], found["one"])):
        words = split_words(_DEFINITE.sub("", name, count=1))
        names = tuple(word.key for word in words if word.text[0].isupper())
        kind = [word.key for word in words if word.key not in names]
        named = bool(words) and words[0].key in names
        if named and _DEFINITE.match(role) and not role.istitle():
            return frozenset((*terms(role), *kind)), names
    return None


def find_identifiers(text: str) -> tuple[str, ...]:
    """The identifiers of a text, each once, as written but without code marks."""
    found = (match[0].strip("`").strip() for match in _IDENTIFIER.finditer(text))
    return tuple(dict.fromkeys(one for one in found if one))


def missing_identifiers(claim: str, text: str) -> tuple[str, ...]:
    """The identifiers of `claim` that `text` does not have as a whole word, in any case."""
    found = find_identifiers(claim)
    bare = [re.escape(one.removeprefix("v") if one[1:2].isdigit() else one) for one in found]
    forms = [rf"(?<![\w.])v?{one}(?![\w-]|\.\d)" for one in bare]
    stand = [re.search(form, text, re.IGNORECASE) for form in forms]
    return tuple(one for one, there in zip(found, stand, strict=True) if not there)


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
