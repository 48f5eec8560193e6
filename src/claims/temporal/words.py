"""Numbers, names and units as the time grammar reads them.

These words are the grammar's own: they belong to its patterns. Holidays and parts of the day, which
a user may want to add to, are in `claims.yaml`.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from ..lexicon import alternatives
from .nodes import Length

_UNITS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = [
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SMALL = {word: n for n, word in enumerate(_UNITS + _TEENS, 1)}
_BIG = {word: 10 * n for n, word in enumerate(_TENS, 2)}
_ORDINAL_UNITS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
]
_ORDINAL_TEENS = [
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
]
_ORDINALS = {word: n for n, word in enumerate(_ORDINAL_UNITS + _ORDINAL_TEENS, 1)} | {
    "thirtieth": 30
}
_VAGUE: dict[str, float] = {
    "a couple of": 2, "a couple": 2, "couple of": 2, "couple": 2, "a few": 3, "few": 3,
    "several": 3, "a dozen": 12, "a": 1, "an": 1, "half a": 0.5, "half an": 0.5, "half": 0.5,
    "a quarter of an": 0.25, "quarter of an": 0.25, "a quarter": 0.25, "quarter": 0.25,
    "three quarters of an": 0.75, "½": 0.5, "¼": 0.25, "¾": 0.75,
}  # fmt: skip

_UNIT_WORDS = alternatives(_UNITS)
SPELLED = (
    rf"(?:(?:{alternatives(_BIG)})(?:[ -](?:and )?(?:{_UNIT_WORDS})\b)?|{alternatives(_SMALL)})\b"
)
ORDINAL_WORD = (
    rf"(?:(?:twenty|thirty)[ -](?:{alternatives(_ORDINAL_UNITS)})|{alternatives(_ORDINALS)})\b"
)
ORDINAL = rf"(?:\d{{1,2}}(?:st|nd|rd|th)\b|{ORDINAL_WORD})"
COUNT = rf"(?:\d+(?:\.\d+)?|{SPELLED}(?: hundred\b)?)"
YEAR = r"(?:(?:1\d|20|21)\d\d(?!\d))"
YEAR_WORDS = (
    rf"(?:(?:{alternatives(_TEENS[5:])}) (?:hundred (?:and )?)?{SPELLED}"
    rf"|two thousand(?: (?:and )?{SPELLED})?|(?:{alternatives(_TEENS[5:])}) hundred\b"
    rf"|twenty (?:{alternatives(_TEENS)}|twenty[ -](?:{_UNIT_WORDS})|twenty|thirty)\b)"
)
WEEKDAYS = {
    name: n
    for n, names in enumerate(
        ("monday mon", "tuesday tues tue", "wednesday wed weds", "thursday thurs thur thu",
         "friday fri", "saturday sat", "sunday sun")
    )
    for name in names.split()
}  # fmt: skip
WEEKDAY = rf"(?:{alternatives(WEEKDAYS)})\b"

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_YEAR = 365 * _DAY
# Names of a unit, the letter of its normal form, its months, its seconds.
_LENGTHS: tuple[tuple[str, str, int, int], ...] = (
    ("century centuries", "100Y", 1200, 0),
    ("decade decades", "10Y", 120, 0),
    ("year years yr yrs y", "Y", 12, 0),
    ("quarter quarters", "3M", 3, 0),
    ("month months mth mths", "M", 1, 0),
    ("fortnight fortnights", "2W", 0, 14 * _DAY),
    ("week weeks wk wks workweek workweeks working-week work-week business-week", "W", 0, 7 * _DAY),
    ("weekend weekends", "WE", 0, 2 * _DAY),
    ("business-day business-days weekday weekdays workday workdays", "WD", 0, _DAY),
    ("day days night nights d", "D", 0, _DAY),
    ("hour hours hr hrs h", "H", 0, _HOUR),
    ("minute minutes min mins", "M", 0, _MINUTE),
    ("second seconds sec secs", "S", 0, 1),
)
UNIT_OF = {
    name.replace("-", " "): (letter, months, seconds)
    for names, letter, months, seconds in _LENGTHS
    for name in names.split()
}
ONE_LETTER = frozenset("ydh")
UNIT = rf"(?:{alternatives(unit for unit in UNIT_OF if unit not in ONE_LETTER)})\b"
VAGUE = rf"(?:{alternatives(_VAGUE)})"


def spelled_number(text: str) -> Fraction:
    """The value of a number in digits, in words, or of a vague one such as "a few"."""
    if text in _VAGUE:
        return Fraction(_VAGUE[text])
    if text.replace(".", "", 1).isdigit():
        return Fraction(text)
    words = re.split(r"[ -]", text.replace(" and ", " "))
    value = 0
    for word in words:
        value = value * 100 if word == "hundred" else value + (_SMALL | _BIG)[word]
    return Fraction(value)


def day_number(text: str) -> int:
    """The value of a cardinal or ordinal from 1 to 99."""
    digits = re.match(r"\d+", text)
    if digits:
        return int(digits[0])
    head, _, unit = text.replace("-", " ").rpartition(" ")
    if unit in _ORDINALS:
        return (_BIG[head] if head else 0) + _ORDINALS[unit]
    return int(spelled_number(text))


def year_number(text: str) -> int:
    """The year that digits or words name."""
    if text[-1].isdigit():
        return int(re.sub(r"\D", "", text))
    head, *rest = (word for word in text.split(" ") if word not in ("hundred", "and", "thousand"))
    century = 2000 if head == "two" else (_SMALL | _BIG)[head] * 100
    return century + (day_number(" ".join(rest)) if rest else 0)


def short_year(text: str) -> int:
    """The year of two digits: those to 49 are in this century."""
    two = int(text[-2:])
    return two + (2000 if two < 50 else 1900)


def length_of(count: Fraction, unit: str) -> tuple[Length, str]:
    """The duration of `count` units and its normal form, without the ``P``.

    The part of a time unit has a ``T`` before it: ``T30M``, but ``3M`` for months.
    """
    letter, months, seconds = UNIT_OF[unit]
    exact = Decimal(count.numerator) / Decimal(count.denominator)
    digits = re.match(r"\d*", letter)
    scale = int(digits[0]) if digits and digits[0] else 1
    shown = f"{(exact * scale).normalize():f}{letter.lstrip('0123456789')}"
    if unit.rstrip("s") in ("year", "yr", "y", "decade"):
        length = Length(exact * months, Decimal(0), exact * months / 12 * _YEAR)
    else:
        length = Length.of(exact * months, exact * seconds)
    return length, f"T{shown}" if seconds and seconds <= _HOUR else shown
