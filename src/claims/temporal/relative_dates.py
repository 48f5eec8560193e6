"""Dates that are counted from the document's day, or from the one named before: "last year".

Each gives whole days. Seasons, weekdays, hours and open ends ("since last year") are left out.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple

from ...documents.model import BlockKind, Document
from ..classify import is_readable
from ..context import preceding
from ..lexicon import Lexicon, alternatives, scan
from ..model import Claim, DateSpan, Granularity
from .dates import find_dates

_KEYS = ("date", "published", "publish_date", "created", "updated", "modified", "last_modified")
_LINE = re.compile(
    r"\W*(?:date|dated|published|posted|released|issued|written|updated|last (?:updated|modified)"
    r"|as of|version of|draft of|status)\b",
    re.IGNORECASE,
)
# A dateline names a place and ends in a dash: "RIGA, 3 March 2026 – The port …".
_PLACE_LINE = re.compile(r"[A-Z][\w. ]{1,40}(?:, [A-Z]\w+)?[,(] ?$")
_LONGEST_LINE = 8
_FIRST_SENTENCES = 6
_CUE = re.compile(
    r"\b(?:last|this|next|past|previous|coming|following|preceding|same|ago|yesterday|today|tomorrow"
    r"|earlier|later|before|after|that (?:year|month|quarter|day))\b",
    re.IGNORECASE,
)
# Counted from the date named before, not from the day of writing.
_ANAPHORIC = re.compile(
    r"\b(?:same|following|preceding|previous|later|after|before|next day|that)\b"
    r"|\bearlier\b(?! this)",
    re.IGNORECASE,
)
_LATER = frozenset({"next", "coming", "upcoming", "following"})
_EARLIER = frozenset({"last", "previous", "past", "prior", "preceding"})
_REL = f"(?P<rel>{'|'.join(sorted(_LATER | _EARLIER))}|this|same|that)"
_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_DAYS = {"day": 1, "week": 7}
_VAGUE = {"a": 1, "an": 1, "a couple of": 2, "a few": 3, "few": 3, "several": 3}
_PLAIN_DAYS = {"yesterday": -1, "today": 0, "tomorrow": 1}
# These are also other words, or names, if they have no capital.
_AMBIGUOUS = frozenset({"may", "march", "mar", "dec", "jan", "sep", "jun"})
# An end is left open, or the days are counted from the one named: "a week from today".
_OPEN = re.compile(
    r"\b(?:before|until|till|til|by|prior to|(?:later|earlier) than|after|since"
    r"|(?:starting|beginning)(?: from| on)?|ending(?: on)?|as of|as (?:early|late) as"
    r"|(?:days?|weeks?|months?|years?) (?:from|of)) (?:the )?$"
)
_OR_LATER = re.compile(
    r" (?:and|or) (?:later|after|before|earlier|onwards?|prior)\b(?! than| ?\d| (?:the|that|this))"
)
_LAST_AS_VERB = re.compile(r"(?:\b(?:will|would|to|not|can|could|may|might|should)|n['’]t) $")
_REACH = 34
_FINENESS = tuple(Granularity)


@dataclass(frozen=True, slots=True)
class ReferenceDay:
    """The day that a document's "today" is; `assumed` if the document does not state it."""

    day: date
    assumed: bool


def reference_day(document: Document, lexicon: Lexicon, as_of: date) -> ReferenceDay:
    """The document's date (decision 27): front matter, a line at its head, else `as_of`."""
    entries = {name.casefold(): value for name, value in document.front_matter}
    values = [entries[key] for key in _KEYS if key in entries]
    for text in (*values, *_head_lines(document, lexicon)):
        for found in find_dates(text, lexicon):
            if found.granularity in (Granularity.DAY, Granularity.MONTH) and found.first <= as_of:
                return ReferenceDay(min(found.last, as_of), assumed=False)
    return ReferenceDay(as_of, assumed=True)


def _head_lines(document: Document, lexicon: Lexicon) -> Iterator[str]:
    """Dates at the head of a document that may date it: from a short line or a dateline."""
    prose = [
        one.text
        for one in document.sentences[: 3 * _FIRST_SENTENCES]
        # A line that is nothing but a date reads as an entry of a list of references.
        if one.kind in (BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.REFERENCE)
    ]
    for text in prose[:_FIRST_SENTENCES]:
        dates = find_dates(text, lexicon)
        if not dates:
            continue
        first = dates[0]
        rest = text[: first.start] + text[first.end :]
        bare = not rest.strip(" *_().,:")
        line = len(rest.split()) <= _LONGEST_LINE and (bare or _LINE.match(text))
        after = text[first.end :].lstrip(" )")[:1]
        if line or (_PLACE_LINE.match(text[: first.start]) and after in ("-", "–", "—")):
            yield first.text


def relative_dates(
    claim: Claim, document: Document, today: ReferenceDay, lexicon: Lexicon
) -> tuple[DateSpan, ...]:
    """The dates of a claim that are counted from `today`, or from one named before."""
    if not is_readable(document, claim.text) or not _CUE.search(claim.text):
        return ()
    sentence = document.sentences[claim.sentence]
    before = (find_dates(one.text, lexicon) for one in preceding(document, sentence))
    last = next((dates[-1] for dates in before if dates), None)
    return find_relative_dates(claim.text, claim.dates, last, today, lexicon)


def find_relative_dates(
    text: str,
    known: Sequence[DateSpan],
    before: DateSpan | None,
    today: ReferenceDay,
    lexicon: Lexicon,
) -> tuple[DateSpan, ...]:
    """The dates of `text` that are counted from another, in order; none overlaps one of `known`.

    `before` is the last date named before `text`: "the same month" is counted from it or from one
    of `known` that stands before. What could mean two days or none is left out.
    """
    found: list[DateSpan] = []
    for one in find_relative(text, today.day, lexicon):
        written = text[one.start : one.end]
        if any(day.start < one.end and one.start < day.end for day in known):
            continue
        if not _ANAPHORIC.search(written):
            found.append(_span(text, one, assumed=today.assumed))
            continue
        earlier = [day for day in known if day.end <= one.start]
        anchor = earlier[-1] if earlier else before
        if anchor is not None:
            found += _counted(text, one, anchor, lexicon)
    return tuple(found)


def _counted(
    text: str, one: RelativeDate, anchor: DateSpan, lexicon: Lexicon
) -> Iterator[DateSpan]:
    """`one` counted from `anchor`, if that is as fine as what is counted."""
    for again in find_relative(text[: one.end], anchor.first, lexicon):
        fine = _FINENESS.index(anchor.granularity) <= _FINENESS.index(again.granularity)
        if again[3:] == one[3:] and fine:
            yield _span(text, again, assumed=anchor.assumed)


def _span(text: str, one: RelativeDate, *, assumed: bool) -> DateSpan:
    written = text[one.start : one.end]
    first, last, granularity, start, end = one
    return DateSpan(first, last, granularity, written, start, end, relative=True, assumed=assumed)


class RelativeDate(NamedTuple):
    """The days from `first` to `last`, written at `[start, end)`."""

    first: date
    last: date
    granularity: Granularity
    start: int
    end: int


_Days = tuple[date, date, Granularity]
_Reader = Callable[[re.Match[str], date, Lexicon], _Days | None]


def find_relative(text: str, today: date, lexicon: Lexicon) -> Iterator[RelativeDate]:
    """The dates of `text` that count from `today`, in order; none overlaps another."""
    low = scan(text, lexicon).low
    patterns = _patterns(alternatives(lexicon.file.months), alternatives(lexicon.number_words))
    found = [
        (match, reader)
        for pattern, reader in patterns
        for match in pattern.finditer(low)
        if not _is_other_word(text, low, match)
    ]
    end = 0
    for match, reader in sorted(found, key=lambda one: (one[0].start(), -one[0].end())):
        try:
            days = reader(match, today, lexicon) if match.start() >= end else None
        except (OverflowError, ValueError):  # before the year 1 or after 9999
            continue
        if days:
            end = match.end()
            yield from _closed(low, match, days)


def _is_other_word(text: str, low: str, match: re.Match[str]) -> bool:
    """Whether "may" is no month, or "last" a verb: "it will last three weeks"."""
    groups = match.groupdict()
    if groups.get("month") in _AMBIGUOUS and text[match.start("month")].islower():
        return True
    return groups.get("rel") == "last" and bool(_LAST_AS_VERB.search(low, 0, match.start()))


def _closed(low: str, match: re.Match[str], days: _Days) -> Iterator[RelativeDate]:
    """The days; none if the words round them leave an end open."""
    start, end = match.start("what"), match.end()
    if not (_OPEN.search(low, max(0, start - _REACH), start) or _OR_LATER.match(low, end)):
        yield RelativeDate(*days, start, end)


def _moved(day: date, months: int) -> date:
    """`day` moved by calendar months, at most to the last day of the month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _away(day: date, count: int, unit: str) -> date:
    months = _MONTHS.get(unit)
    return _moved(day, count * months) if months else day + timedelta(count * _DAYS[unit])


def _around(day: date, unit: str, shift: int = 0) -> _Days:
    """The calendar month, quarter or year in which `day` lies, moved by `shift`."""
    months = _MONTHS[unit]
    first = _moved(date(day.year, (day.month - 1) // months * months + 1, 1), shift * months)
    return first, _moved(first, months) - timedelta(1), Granularity(unit)


def _sign(rel: str) -> int:
    return (rel in _LATER) - (rel in _EARLIER)


def _number(written: str, lexicon: Lexicon) -> int:
    if written.isdigit() or written in _VAGUE:
        return int(_VAGUE.get(written, written))
    return sum(lexicon.number_words[word] for word in re.split("[ -]", written))


def _plain_day(match: re.Match[str], today: date, _: Lexicon) -> _Days:
    day = today + timedelta(_PLAIN_DAYS[match["what"]])
    return day, day, Granularity.DAY


def _unit(match: re.Match[str], today: date, _: Lexicon) -> _Days:
    """The calendar unit around, before or after `today`: "last month"."""
    unit, shift = match["unit"], _sign(match["rel"])
    if unit in _MONTHS:
        return _around(today, unit, shift)
    first = today + timedelta(shift * _DAYS[unit])
    if unit == "week":
        first -= timedelta(first.weekday())
    return first, first + timedelta(_DAYS[unit] - 1), Granularity.DAY


def _several(match: re.Match[str], today: date, lexicon: Lexicon) -> _Days | None:
    """Units that end with yesterday or begin with tomorrow: "the last five years"."""
    sign, count, unit = _sign(match["rel"]), _number(match["count"], lexicon), match["unit"]
    if not sign or not count:
        return None
    first = today + timedelta(1) if sign > 0 else _away(today, -count, unit)
    last = _away(first, count, unit) if sign > 0 else today
    return first, last - timedelta(1), Granularity.YEAR


def _ago(match: re.Match[str], today: date, lexicon: Lexicon) -> _Days:
    """So many units before or after; nobody means the very day by "two years ago"."""
    sign = -1 if match["way"] in ("ago", "earlier") else 1
    day, unit = _away(today, sign * _number(match["count"], lexicon), match["unit"]), match["unit"]
    exact = unit in _DAYS or unit == "quarter"
    return (day, day, Granularity.DAY) if exact else _around(day, unit)


def _month(match: re.Match[str], today: date, lexicon: Lexicon) -> _Days:
    """The nearest such month in the direction named: "last March"."""
    month, sign = lexicon.file.months[match["month"]], _sign(match["rel"])
    passed = sign * (today.month - month) >= 0
    return _around(date(today.year + sign * passed, month, 1), "month")


@cache
def _patterns(months: str, numbers: str) -> Sequence[tuple[re.Pattern[str], _Reader]]:
    count = rf"(?P<count>\d{{1,3}}|(?:{numbers})(?:[ -](?:{numbers}))?|{alternatives(_VAGUE)})"
    units = rf"(?P<unit>{'|'.join((*_MONTHS, *_DAYS))})s?"
    written: tuple[tuple[str, _Reader], ...] = (
        (rf"\b(?P<what>{alternatives(_PLAIN_DAYS)})\b", _plain_day),
        (rf"\bthe (?P<what>{_REL} (?P<unit>day))\b(?! of\b)", _unit),
        (rf"\b(?P<what>{_REL} (?:calendar )?(?P<unit>week|{'|'.join(_MONTHS)}))\b(?! of\b)", _unit),
        (rf"\b(?P<what>{_REL} {count} {units})\b(?! of\b)", _several),
        (
            rf"(?<![\w.,/$€£-])(?<!more than )(?<!less than )(?P<what>{count} {units}"
            r" (?P<way>ago|earlier|later|hence|from now))"
            r"\b(?! than)(?!(?<=later) (?:in|this|that)\b)",
            _ago,
        ),
        (rf"\b(?P<what>{_REL} (?P<month>{months}))\b", _month),
    )
    return tuple((re.compile(pattern), reader) for pattern, reader in written)
