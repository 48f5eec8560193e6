"""Which date a number goes with: of "31 tonnes, against 47 in 2022" the second is that of 2022."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...claims.model import DateSpan, Quantity

_SHORT_YEAR, _LONG_YEAR = 360, 371
_GAP_AFTER, _GAP_BEFORE = 24, 48
_BREAK_AFTER, _BREAK_BEFORE = re.compile(r"[.;:,()|\d]"), re.compile(r"[.;()|\d]|:.{3}")
# "In fiscal 2021 (up from 4 in 2020)": the words between belong to the number.
_NOT_ITS_OWN = re.compile(r"\b(?:since|from|until|till|before|after|by|than)\s*$")


def date_of(text: str, value: Quantity, dates: Sequence[DateSpan]) -> DateSpan | None:
    """The date of `dates`, all of one sentence, that stands by `value`; None if none does.

    The offsets of all are into `text`. "Since 2008" and "by 2030" date no number.
    """
    for date in dates:
        between = text[value.end : date.start]
        if 0 < len(between) <= _GAP_AFTER and not _BREAK_AFTER.search(between):
            return None if _NOT_ITS_OWN.search(between) else date
    ahead = [date for date in dates if date.end <= value.start]
    if ahead:
        between = text[ahead[-1].end : value.start]
        lead = text[max(0, ahead[-1].start - 12) : ahead[-1].start]
        short = len(between) <= _GAP_BEFORE and not _BREAK_BEFORE.search(between)
        return ahead[-1] if short and not _NOT_ITS_OWN.search(lead) else None
    return None


def at_odds(claimed: DateSpan | None, found: DateSpan | None) -> bool:
    """Whether two numbers are of different times, so that neither says anything of the other."""
    if claimed is None or found is None or claimed.yearless or found.yearless:
        return False
    if claimed.fiscal != found.fiscal:
        return True
    if _is_year(claimed) and _is_year(found):
        # A fiscal year shares days with the calendar year of its number, and is another.
        return (claimed.first, claimed.last) != (found.first, found.last)
    return claimed.last < found.first or found.last < claimed.first


def _is_year(span: DateSpan) -> bool:
    return _SHORT_YEAR <= (span.last - span.first).days + 1 <= _LONG_YEAR
