"""The fiscal year of a source, where it says when its year runs (decision 27 needs real days)."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, timedelta

from ...claims.model import DateSpan, Granularity

_YEAR = (
    r"(?:(?:fiscal|financial|business|accounting|budget|tax|school|academic) years?"
    r"|(?:our|its|their|['’]s|s['’]) (?:own )?year(?= (?:starts|begins|opens|runs|ends|closes)\b))"
)
_LONGEST = 200
# The definition: what follows the words within one sentence.
_SENTENCE = re.compile(rf"\b{_YEAR}\b([^.;\n]{{0,{_LONGEST}}})", re.IGNORECASE)
_MONTHS = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
]  # fmt: skip
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})"
_STARTS = re.compile(
    rf"(?:\b(?:start\w*|begin\w*|open\w*|commenc\w*|runs? from|from|of)\b|^,)[^.;]{{0,24}}?"
    rf"(?:(?P<day>\d\d?) )?{_MONTH}(?: (?P<after>\d\d?)\b(?!\d))?",
    re.IGNORECASE,
)
_ENDS = re.compile(
    rf"\b(?:end\w*|clos\w*|(?:twelve|12) months to|runs? to)\b[^.;]{{0,24}}?"
    rf"(?:(?P<day>\d\d?) )?{_MONTH}"
    r"(?: (?P<after>\d\d?)\b(?!\d))?",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\b(?:named|called|numbered|known|designated|bears? the (?:number|name)|call (?:it|the year)"
    r"|name[sd]? (?:it|the year))[^.;]{0,80}?\b(?:in|with|at|on) which (?:it|the year) "
    r"(?P<how>ends|closes|starts|begins|opens)\b",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(
    rf"\b(?:fiscal|financial|FY)(?: year)? ?(?P<name>\d{{4}})\b[^.;]{{0,60}}?\b{_MONTH}"
    rf" (?P<year>\d{{4}}) ?(?:to|until|through|and|–|-) ?(?:\d\d? )?(?:{'|'.join(_MONTHS)})"
    r" (?P<last>\d{4})",
    re.IGNORECASE,
)
_OF_PART = re.compile(r"\b(?:quarter|half|month)s? of (?:\w+ ){1,3}$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FiscalYear:
    """The first month of a fiscal year, and whether it has the number of the year it ends in."""

    first_month: int
    named_by_end: bool

    def days(self, span: DateSpan) -> DateSpan:
        """The calendar days of a fiscal year or quarter; any other date stays as it is."""
        if not span.fiscal:
            return span
        year = span.last.year - (self.named_by_end and self.first_month > 1)
        if span.last.year > span.first.year:
            year = span.first.year
        month, months = self.first_month, 12
        if span.granularity is Granularity.QUARTER:
            month, months = self.first_month + span.first.month - 1, 3
        first = _first(year, month)
        return replace(
            span, first=first, last=_first(year, month + months) - timedelta(1), fiscal=False
        )


def _first(year: int, month: int) -> date:
    return date(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)


def find_fiscal_year(text: str) -> FiscalYear | None:
    """The fiscal year that `text` defines, or None if it does not say when it runs."""
    example, named = _EXAMPLE.search(text), _NAMED.search(text)
    told = [
        m[1]
        for m in _SENTENCE.finditer(text)
        if not _OF_PART.search(text, max(0, m.start() - 40), m.start())
    ]
    first = next((n for words in told if (n := _start(words))), 0)
    first = first or next((n for words in told if (n := _after_end(words))), 0)
    if not first and example:
        first = _MONTHS.index(example["month"].lower()) + 1
    if not first:
        return None
    if named:
        return FiscalYear(first, named["how"].lower() in ("ends", "closes"))
    return FiscalYear(first, example is None or example["name"] == example["last"])


def _start(words: str) -> int:
    """The first month of a year by what is said of its start, 0 if nothing is."""
    found = _STARTS.search(words)
    if not found or int(found["day"] or found["after"] or 1) != 1:
        return 0
    return _MONTHS.index(found["month"].lower()) + 1


def _after_end(words: str) -> int:
    """The month after the one that a year is said to end with, 0 if nothing is said."""
    found = _ENDS.search(words)
    if not found:
        return 0
    month = _MONTHS.index(found["month"].lower()) + 1
    last = monthrange(2001, month)[1]
    return month % 12 + 1 if int(found["day"] or found["after"] or last) >= last else 0
