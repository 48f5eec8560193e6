"""Dates of a document that disagree with each other, with a weekday, an age or a duration."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from ...documents.model import Document
from ..model import DateSpan, Granularity, Quantity
from .bounds import Bounds, bounds
from .calculation import figure
from .contradiction import Contradiction, ContradictionKind
from .figures import Figures, place
from .reckoning import elapsed_between

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAY = re.compile(rf"\b({'|'.join(_DAYS)}),? (?:the )?$", re.IGNORECASE)
_WEEKDAY_IN = re.compile(rf"^({'|'.join(_DAYS)})\b", re.IGNORECASE)
_WEEKDAY_AFTER = re.compile(rf"^(?: \((?:an? )?|,? an? )({'|'.join(_DAYS)})\b(?!s)", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:1[5-9]|20|21)\d\d\b")
_FROM = re.compile(
    r"\b(?P<word>from|between)(?: (?:about|around|early|mid|late))? $", re.IGNORECASE
)
_JOINED = re.compile(r" (?:to|until|till|through|and) (?:about |around |early |mid |late )?")
_SPAN = re.compile(r" ?[-–—] ?")
_BORN = re.compile(r"\bborn (?:in|on|at \w+ in|at \w+ on) $|\bborn $|\(b\. ?$", re.IGNORECASE)
_DIED = re.compile(r"\bdied (?:in|on|at \w+ on) $|\bd\. ?$", re.IGNORECASE)
_AGED = re.compile(r"\b(?:aged|at the age of|at age) $", re.IGNORECASE)
_LATER = re.compile(
    r"^ (?P<word>later|afterwards?|after that|earlier|before that),? (?:in |on |by )?$",
    re.IGNORECASE,
)
_ERA = re.compile(r"\b(?:BCE?|B\.C\.)")
_OLDEST = 130


def find_misdated(document: Document, figures: Sequence[Figures]) -> Iterator[Contradiction]:
    """Weekdays, periods, ages and intervals that the dates beside them do not bear out."""
    before: Figures | None = None
    for one in figures:
        if one.dates and not _ERA.search(one.text):
            yield from _weekdays(document, one)
            yield from _periods(document, one)
            yield from _lives(document, one)
            yield from _intervals(document, one, before)
        before = one


def _weekdays(document: Document, one: Figures) -> Iterator[Contradiction]:
    for date in one.dates:
        if date.granularity is not Granularity.DAY or not _YEAR.search(date.text):
            continue
        found = (
            _WEEKDAY_IN.match(date.text)
            or _WEEKDAY.search(one.before(date.start, 20))
            or _WEEKDAY_AFTER.match(one.text[date.end : date.end + 20])
        )
        right = _DAYS[date.first.weekday()]
        if found and date.first == date.last and found[1].lower() != right:
            yield Contradiction(
                ContradictionKind.WEEKDAY,
                place(document, one.sentence, date.start, date.end),
                None,
                f"{date.first.isoformat()} was a {right.capitalize()}; the text says"
                f" {found[1].capitalize()}",
            )


def _periods(document: Document, one: Figures) -> Iterator[Contradiction]:
    """From a later date to an earlier one."""
    for left, right in pairwise(one.dates):
        if right.last >= left.first or left.fiscal or right.fiscal:
            continue
        between = one.text[left.end : right.start]
        opened = _FROM.search(one.before(left.start, 20))
        spanned = _SPAN.fullmatch(between) and one.before(left.start, 1) == "("
        dated = _YEAR.search(left.text) and _YEAR.search(right.text)
        if dated and ((opened and _JOINED.fullmatch(between)) or spanned):
            yield _out_of_order(document, one, left, right, "the period ends before it begins")


def _lives(document: Document, one: Figures) -> Iterator[Contradiction]:
    """Born after the death, or an age at death that the two dates do not give."""
    born = [date for date in one.dates if _BORN.search(one.before(date.start, 30))]
    died = [date for date in one.dates if _DIED.search(one.before(date.start, 30))]
    if len(born) != 1 or len(died) != 1:
        return
    if died[0].last < born[0].first:
        yield _out_of_order(document, one, born[0], died[0], "the death comes before the birth")
        return
    most = died[0].last.year - born[0].first.year
    for age in one.quantities:
        stated = bounds(age)
        if not _AGED.search(one.before(age.start, 20)) or stated.high > _OLDEST:
            continue
        if not stated.meets(Bounds(Fraction(most - 1), Fraction(most))):
            yield Contradiction(
                ContradictionKind.AGE,
                place(document, one.sentence, age.start, age.end),
                None,
                f"from {born[0].text} to {died[0].text}: {most - 1} or {most} years; the text says"
                f" {age.text}",
            )


def _intervals(document: Document, one: Figures, before: Figures | None) -> Iterator[Contradiction]:
    """So many years later, in such a year, after a date right before."""
    for interval in one.quantities:
        for date in one.dates:
            found = (
                _LATER.match(one.text[interval.end : date.start])
                if (interval.end < date.start)
                else None
            )
            if found:
                back = found["word"].lower() in ("earlier", "before that")
                known = _known_before(one, interval, before)
                yield from _interval(document, one, interval, date, known, back=back)


def _known_before(
    one: Figures, interval: Quantity, before: Figures | None
) -> list[tuple[Figures, DateSpan]]:
    known = [(one, date) for date in one.dates if date.end <= interval.start]
    if not known and before and before.sentence.block == one.sentence.block:
        known = [(before, date) for date in before.dates]
    return known


def _interval(
    document: Document,
    one: Figures,
    interval: Quantity,
    date: DateSpan,
    known: Sequence[tuple[Figures, DateSpan]],
    *,
    back: bool,
) -> Iterator[Contradiction]:
    if len(known) != 1:
        return
    home, other = known[0]
    first, last = (date, other) if back else (other, date)
    elapsed = elapsed_between(first, last, interval.unit)
    if elapsed is None or elapsed.bounds.meets(bounds(interval)):
        return
    there = place(document, home.sentence, other.start, other.end)
    yield Contradiction(
        ContradictionKind.ORDER,
        place(document, one.sentence, interval.start, date.end),
        there,
        f"from {first.text} to {last.text}: {figure(elapsed.value)} {interval.unit}s; the text"
        f" says {interval.text}",
    )


def _out_of_order(
    document: Document, one: Figures, first: DateSpan, last: DateSpan, problem: str
) -> Contradiction:
    return Contradiction(
        ContradictionKind.ORDER,
        place(document, one.sentence, last.start, last.end),
        place(document, one.sentence, first.start, first.end),
        f"{last.text} is before {first.text}: {problem}",
    )
