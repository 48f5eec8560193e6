"""What a number is divided by: 12 per thousand girls is neither 12 per hundred nor 12 per boy."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from ...claims.words import WordBook

_LOOK_AFTER, _LOOK_BEFORE, _LONGEST_WORD = 60, 90, 90
_SCALES = {
    "hundred thousand": 100_000,
    "ten thousand": 10_000,
    "hundred": 100,
    "thousand": 1_000,
    "million": 1_000_000,
}
_NUMBER = rf"(?:(?P<n>\d[\d,]*|(?:a )?(?:{'|'.join(_SCALES)})) ?)?"
_WORDS = r"(?P<w>(?:[a-z][a-z'’-]*)(?: [a-z][a-z'’-]*){0,2})?"
_EACH = re.compile(
    rf"(?:\bper\b(?! ?cent)|\b(?:(?:for|in|to|of|out of) )?(?:each|every)\b|/) ?{_NUMBER}{_WORDS}",
    re.IGNORECASE,
)
# "Three dollars a tonne": only right after the number with its unit.
_A = re.compile(r"^ an? (?P<n>)(?P<w>[a-z][a-z-]+)", re.IGNORECASE)
# "900 loaves a night", "per bed a month".
_A_TIME = re.compile(
    r" an? (?P<n>)(?P<w>second|minute|hour|day|night|week|month|season|shift|year)\b", re.IGNORECASE
)
# "Per bed and month".
_AND = re.compile(r"(?<=per )[a-z-]+ and (?P<n>)(?P<w>[a-z][a-z-]+)", re.IGNORECASE)
_BREAK = re.compile(r"[.;:!?]\s|\n")
_WORD_END = re.compile(r"\s")
_DIGIT = re.compile(r"\d")
_GAP = 30
_CLAUSE_END = re.compile(r"[.;:!?]\s|,\s(?!\d)|\n|\)")
_TIMES = frozenset({
    "second", "minute", "hour", "day", "night", "week", "weekend", "fortnight", "month", "quarter",
    "season", "semester", "shift", "term", "year", "annum", "decade",
})  # fmt: skip


_PERIODS = {
    "hourly": "hour",
    "daily": "day",
    "nightly": "night",
    "weekly": "week",
    "monthly": "month",
    "quarterly": "quarter",
    "yearly": "year",
    "annual": "year",
}
_PERIODIC = rf"(?P<period>{'|'.join(_PERIODS)})"
# "2 per cent of monthly turnover".
_OF_PERIOD = re.compile(
    rf"^ of (?:(?:the|its|his|her|their|our|your|total|gross|net|average|mean) )*{_PERIODIC} [a-z]",
    re.IGNORECASE,
)
# "Monthly price per seat: 72"; a "yearly contract" may be paid by the month.
_PERIOD_PRICE = re.compile(
    rf"\b{_PERIODIC} (?:[a-z]+ )?(?:price|fee|cost|charge|rate|rent|pay|salary|wage|subscription"
    r"|due|premium|bill|payment|instalment)s?\b",
    re.IGNORECASE,
)
_POWERS = frozenset({"squar", "cubic"})


class Rate(NamedTuple):
    """What a number is divided by: `scale` things of a sort, named by the stems in `things`.

    `times` are the units of time among them. `told` is false where only an "each" or "every"
    before the number may say so.
    """

    scale: Decimal
    things: frozenset[str]
    times: frozenset[str] = frozenset()
    told: bool = True


def rate_of(text: str, start: int, end: int, book: WordBook) -> Rate | None:
    """The rate of the number at `text[start:end]`, or None if it is not said to be one."""
    reach = end + _LOOK_AFTER
    stop = _WORD_END.search(text, min(len(text), reach), reach + _LONGEST_WORD)
    following = text[end : stop.start() if stop else reach + _LONGEST_WORD]
    after = _in_period(_OF_PERIOD.search(following), _rate(_following(following), book))
    if after and (after.things or after.scale > 1):
        return after
    before = text[max(0, start - _LOOK_BEFORE) : start]
    breaks = [match.end() for match in _BREAK.finditer(before)]
    begin = breaks[-1] if breaks else 0
    after = _in_period(_PERIOD_PRICE.search(before, begin), after)
    phrases = list(_EACH.finditer(before, begin))
    rate = _rate(phrases, book)
    if rate is None:
        return after
    told = any("per" in phrase[0].lower().split() for phrase in phrases)
    return rate._replace(times=rate.times | (after.times if after else frozenset()), told=told)


def _in_period(found: re.Match[str] | None, rate: Rate | None) -> Rate | None:
    """`rate` by the period that an adjective names, unless it has one."""
    if not found or (rate and rate.times):
        return rate
    times = frozenset({_PERIODS[found["period"].lower()]})
    return rate._replace(times=times) if rate else Rate(Decimal(1), frozenset(), times)


def _following(after: str) -> list[re.Match[str]]:
    """The phrases that follow a number with no other number in between."""
    stop = _CLAUSE_END.search(after)
    after = after[: stop.start()] if stop else after
    phrases: list[re.Match[str]] = []
    done = 0
    found = [*filter(None, [_A.match(after)])]
    found += [*_A_TIME.finditer(after), *_EACH.finditer(after), *_AND.finditer(after)]
    for phrase in sorted(found, key=lambda phrase: phrase.start()):
        between = after[done : phrase.start()]
        if len(between) > _GAP or _DIGIT.search(between):
            break
        phrases.append(phrase)
        done = max(done, phrase.end())
    return phrases


def _rate(phrases: Sequence[re.Match[str]], book: WordBook) -> Rate | None:
    scale, names = Decimal(1), set[str]()
    for phrase in phrases:
        scale = max(scale, _scale(phrase["n"] or ""))
        names.update(_things(phrase["w"] or "", book))
    times = names & _TIMES
    return Rate(scale, frozenset(names - times), frozenset(times)) if names or scale > 1 else None


def _scale(number: str) -> Decimal:
    word = number.lower().removeprefix("a ").strip()
    if word in _SCALES:
        return Decimal(_SCALES[word])
    digits = word.replace(",", "")
    return Decimal(digits) if digits.isdigit() and int(digits) else Decimal(1)


def _things(words: str, book: WordBook) -> Iterator[str]:
    before = ""
    for word in words.lower().split():
        if word in book.stop_words:
            return
        one = book.stem(word)
        if word in _TIMES or one in _TIMES:
            yield word if word in _TIMES else one
        elif one not in _POWERS:
            yield f"{before} {one}".lstrip()
        before = one if one in _POWERS else ""


def differ(claimed: Rate | None, found: Rate | None, book: WordBook) -> bool:
    """Whether two numbers are divided by different things, so that equal figures do not agree."""
    if claimed is None or found is None or not (claimed.told or found.told):
        return False
    for left, right in ((claimed.things, found.things), (claimed.times, found.times)):
        known = {name for one in left for name in book.alike(one)}
        if left and right and known.isdisjoint(right):
            return True
    own, theirs = claimed.things | claimed.times, found.things | found.times
    # "15 mg per kilogram in each dose" is not "per kilogram and day".
    shared = any(not book.alike(one).isdisjoint(theirs) for one in own)
    return shared and _has_more(own, theirs, book) and _has_more(theirs, own, book)


def _has_more(own: frozenset[str], other: frozenset[str], book: WordBook) -> bool:
    return any(book.alike(one).isdisjoint(other) for one in own)


def factor(claimed: Rate | None, found: Rate | None) -> Decimal:
    """By what a found number is multiplied to be a rate of the claim's scale."""
    if claimed is None or found is None:
        return Decimal(1)
    return claimed.scale / found.scale
