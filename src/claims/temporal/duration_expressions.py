"""Durations and repeated times in plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from .day_expressions import MONTH
from .nodes import Context, Length, Node, NodeKind
from .words import (
    COUNT,
    ORDINAL,
    UNIT,
    UNIT_OF,
    VAGUE,
    WEEKDAY,
    WEEKDAYS,
    length_of,
    spelled_number,
)

_QUANTITY = (
    rf"(?:(?P<n>{COUNT})(?: and (?:a )?(?P<part>half|quarter))?"
    rf"(?: (?:and )?(?P<glyph>[½¼¾]))?|(?P<vague>(?<![\w']){VAGUE}))"
)
_ONE = re.compile(
    rf"(?<![\w.,/:$€£-])(?:{_QUANTITY}[ -]{{0,2}}(?:more |additional |full |whole |long "
    rf"|straight )?(?P<u>{UNIT})"
    r"|(?P<d>\d+(?:\.\d+)?)(?P<u1>[ydh])\b)"
    r"(?P<tail> and (?:a )?(?P<tailpart>half|quarter)\b)?"
)
_AND = re.compile(r"(?:, and |, | and | )")
_ALL = re.compile(r"\b(?:all|whole|full|entire)[ -](?P<u>day|week|month|year|night|hour)\b")
_THE_HOUR = re.compile(r"\bfor the (?P<u>hour)\b")
_PARTS = {"half": Fraction(1, 2), "quarter": Fraction(1, 4), "½": Fraction(1, 2)}
_PARTS.update({"¼": Fraction(1, 4), "¾": Fraction(3, 4)})
_NOT_LENGTHS = re.compile(r"^(?:a|an|½|¼|¾|quarter) (?:second|quarter)s?$")
_LONGEST_CHAIN = 6

_ADVERBS = {
    "daily": "P1D", "everyday": "P1D", "nightly": "P1D", "weekly": "P1W", "biweekly": "P2W",
    "bi-weekly": "P2W", "fortnightly": "P2W", "monthly": "P1M", "bimonthly": "P2M",
    "bi-monthly": "P2M", "quarterly": "P3M", "semiannual": "P0.5Y", "semiannually": "P0.5Y",
    "semi-annual": "P0.5Y", "semi-annually": "P0.5Y", "biannual": "P0.5Y", "half-yearly": "P0.5Y",
    "annually": "P1Y", "annual": "P1Y", "yearly": "P1Y", "biennial": "P2Y", "hourly": "PT1H",
    "biannually": "P0.5Y", "weekdays": "P1WD", "weekends": "XXXX-WXX-WE", "per annum": "P1Y",
}  # fmt: skip
_ADVERB = re.compile(
    rf"\b(?:all )?(?P<word>{'|'.join(sorted(_ADVERBS, key=len, reverse=True))})\b(?!-)"
)
_EVERY = re.compile(
    rf"\b(?:every|each) (?:(?P<other>other|second|alternate) |(?P<n>{COUNT}|{ORDINAL}|{VAGUE}) )?"
    rf"(?:(?P<wd>{WEEKDAY})s?|(?P<u>{UNIT})(?!')|(?P<mon>{MONTH})(?: (?P<day>\d\d?(?:st|nd"
    rf"|rd|th)?))?"
    r"|(?P<part>morning|afternoon|evening))\b"
)
_ONCE = re.compile(
    rf"\b(?:(?:once|twice|one|{COUNT} times|several times) (?:a|per|each|every)) (?P<u>day"
    rf"|week|month|year|hour|quarter)\b"
)
_PLURAL_DAYS = re.compile(
    r"\b(?:on )?(?P<wd>monday|tuesday|wednesday|thursday|friday|saturday"
    r"|sunday)(?: (?P<part>morning|afternoon|evening|night))?s\b(?! ?['’])"
)
_PLURAL_PARTS = re.compile(
    r"(?<!\w )\b(?P<part>morning|afternoon|evening|night)s\b|(?:(?<=out )|(?<=off )"
    r"|(?<=in the )|(?<=on ))(?P<part2>morning|afternoon|evening)s\b"
)
DAYPART_CODES = {"morning": "MO", "afternoon": "AF", "evening": "EV", "night": "NI"}


def find_durations(context: Context) -> Iterator[Node]:
    """The durations of a text: "3 hours 30 minutes", "half an hour", "all day"."""
    low, done = context.low, 0
    for match in _ONE.finditer(low):
        if match.start() < done:
            continue
        node = _duration(context, match)
        if node:
            done = node.end
            yield node
    for pattern in (_ALL, _THE_HOUR):
        for match in pattern.finditer(low):
            length, form = length_of(Fraction(1), match["u"])
            start = match.start() if pattern is _ALL else match.start() + len("for ")
            yield Node(start, match.end(), NodeKind.DURATION, "P" + form, length=length)


def _duration(context: Context, match: re.Match[str]) -> Node | None:
    if _NOT_LENGTHS.search(match[0]):
        return None
    start, end = match.span()
    length, form = _part(match)
    forms = [form]
    for _ in range(_LONGEST_CHAIN):
        joint = _AND.match(context.low, end)
        further = _ONE.match(context.low, joint.end()) if joint else None
        if not further or _unit(further) >= _unit(match) or further["vague"]:
            break
        match = further
        more, form = _part(match)
        length = length.plus(more)
        end = match.end()
        forms.append(form)
    timex = "P" + "".join(
        form[1:] if form[0] == "T" and any(one[0] == "T" for one in forms[:n]) else form
        for n, form in enumerate(forms)
    )
    return Node(start, end, NodeKind.DURATION, timex, length=length)


def _unit(match: re.Match[str]) -> tuple[int, int]:
    _, months, seconds = UNIT_OF[match["u"] or match["u1"]]
    return months, seconds


def _part(match: re.Match[str]) -> tuple[Length, str]:
    count = spelled_number(match["n"] or match["vague"] or match["d"])
    for part in (match["part"], match["glyph"], match["tailpart"]):
        count += _PARTS[part] if part else 0
    return length_of(count, match["u"] or match["u1"])


def find_sets(context: Context) -> Iterator[Node]:
    """The repeated times of a text: "every Monday", "each two days", "annually", "mornings"."""
    for match in _ADVERB.finditer(context.low):
        yield Node(*match.span(), NodeKind.SET, _ADVERBS[match["word"]])
    for match in _ONCE.finditer(context.low):
        yield Node(*match.span(), NodeKind.SET, "P" + length_of(Fraction(1), match["u"])[1])
    for match in _PLURAL_DAYS.finditer(context.low):
        part = "T" + DAYPART_CODES[match["part"]] if match["part"] else ""
        yield Node(*match.span(), NodeKind.SET, f"XXXX-WXX-{WEEKDAYS[match['wd']] + 1}{part}")
    for match in _PLURAL_PARTS.finditer(context.low):
        part = match["part"] or match["part2"]
        yield Node(*match.span(), NodeKind.SET, "T" + DAYPART_CODES[part])
    for match in _EVERY.finditer(context.low):
        yield Node(*match.span(), NodeKind.SET, _every(context, match))


def _every(context: Context, match: re.Match[str]) -> str:
    if match["wd"]:
        return f"XXXX-WXX-{WEEKDAYS[match['wd']] + 1}"
    if match["part"]:
        return "T" + DAYPART_CODES[match["part"]]
    if match["mon"]:
        month = context.lexicon.file.months[match["mon"]]
        day = re.match(r"\d+", match["day"]) if match["day"] else None
        return f"XXXX-{month:02}" + (f"-{int(day[0]):02}" if day else "")
    if match["u"] == "night" and not match["n"]:
        return "TNI"
    if match["u"] == "weekend" and not match["n"]:
        return "XXXX-WXX-WE"
    count = Fraction(2 if match["other"] else 1)
    if match["n"]:
        digits = re.match(r"\d+", match["n"])
        count = Fraction(int(digits[0])) if digits else spelled_number(match["n"])
    return "P" + length_of(count, match["u"])[1]
