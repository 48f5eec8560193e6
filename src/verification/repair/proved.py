"""Whether a correction changes nothing but one proved value, so that it may be written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from ...base.finding import Correction
from ...claims.lexicon import Lexicon
from ...claims.model import Claim, DateSpan, Quantity, Temporality
from ...claims.quantity.quantities import find_slots
from ...documents.model import Document
from ...sources.model import Source

_WORD = re.compile(r"[^\W\d_]+")
_PRESENT = re.compile(r"\b(?:is|are|has|have|now|today|[a-z]{3,}(?<!s)s)\b")
_NAME = re.compile(r"(?:[A-Z][\w.’'-]*)(?: (?:of |the |de |von |van )?[A-Z][\w.’'-]*){0,4}")


@dataclass(frozen=True, slots=True)
class _Slot:
    """Content of a text span: the sort of its value, and its other words."""

    sort: tuple[object, ...]
    others: tuple[str, ...]


def is_proved(
    document: Document, claim: Claim, change: Correction, source: Source | None, lexicon: Lexicon
) -> bool:
    """Whether `change` puts another value of the same sort in the place of one value of `claim`.

    A count is exchanged for no year, an identifier for nothing. A value of a source that is older
    than the document is no proof, nor is a younger one of what changes with time: it may have been
    right when it was written. `source` is where the value stands, None for another place of the
    document.
    """
    if source is not None and not _is_in_time(document, claim, source):
        return False
    start = _in_claim(claim, change.start)
    end = _in_claim(claim, change.end - 1)
    if start is None or end is None:
        return False
    end += 1
    old, new = claim.text[start:end], change.replacement
    if not any(map(str.isdigit, old + new)):
        return _NAME.fullmatch(old) is not None and _NAME.fullmatch(new) is not None
    changed = claim.text[:start] + new + claim.text[end:]
    before = _slot(claim.text, start, end, lexicon)
    return before is not None and before == _slot(changed, start, start + len(new), lexicon)


def _is_in_time(document: Document, claim: Claim, source: Source) -> bool:
    written = _day(dict(document.front_matter).get("date", ""))
    dated = source.snapshot.modified or source.snapshot.published if source.snapshot else None
    if written is None or dated is None:
        return True
    changes = claim.temporality is Temporality.TEMPORAL
    changes = changes or (_PRESENT.search(claim.text) is not None and not claim.dates)
    return dated == written or (dated > written and not changes)


def _slot(text: str, start: int, end: int, lexicon: Lexicon) -> _Slot | None:
    """Content of `text[start:end]`; None unless it contains exactly one value."""
    quantities, dates = find_slots(text, lexicon)
    found = [one for one in (*quantities, *dates) if one.start < end and start < one.end]
    if len(found) != 1:
        return None
    (value,) = found
    rest = text[start : max(start, value.start)] + " " + text[min(end, value.end) : end]
    return _Slot(_sort(value), tuple(_WORD.findall(rest.casefold())))


def _sort(value: Quantity | DateSpan) -> tuple[object, ...]:
    if isinstance(value, Quantity):
        return value.kind, value.unit, value.modifier
    return DateSpan, value.granularity


def _in_claim(claim: Claim, offset: int) -> int | None:
    """The index in the claim's text of the character at `offset` of the document."""
    places = (at for at in range(len(claim.text)) if claim.source_span(at, at + 1)[0] == offset)
    return next(places, None)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
