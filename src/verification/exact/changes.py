"""Statements about the present that were right on the document's day and no longer are.

A claim is judged as of the day of its document (decision 27). A later source may say that it was so
until a day after that one, or name somebody else in the same place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from ...claims.lexicon import Lexicon
from ...claims.model import DateSpan
from ...claims.quantities import find_slots
from ..passages.retrieval import SourceText
from ..passages.units import Unit, terms
from .words import denies, is_present, role_and_name, turned

_UNITS_READ = 4
_FULL_NAME = 2
_FROM = re.compile(r"\b(?:from|since|between) $", re.IGNORECASE)
_UNTIL = re.compile(
    r"\b(?:(?:until|till|to|through)(?: the \w+ of)?|ended (?:on|in)|resigned (?:on|in)) $",
    re.IGNORECASE,
)


# The value before a change: "from 30 kg to 45 kg", "it was 30 before".
_EARLIER = re.compile(r"(?i)\bfrom (?:\w+ )?#|#(?: [^\W\d]+){0,2}? (?:before|until then)\b")


def end_of(sentence: str, lexicon: Lexicon) -> DateSpan | None:
    """The date until which `sentence` says that something was so: "was chief until 1 May 2023"."""
    _, dates = find_slots(sentence, lexicon)
    return _first_after(_UNTIL, sentence, dates)


def was_so(claim: str, source: SourceText, day: date, lexicon: Lexicon) -> Unit | None:
    """The sentence by which what `claim` says of the present was so on `day`; None without one.

    It stands in the past tense, has the words of the claim in a row (of an identity from either
    end), and its dates hold `day`; or it tells of a later change, of which the claim has the value
    before. A retracted source shows nothing.
    """
    if not is_present(claim, lexicon) or source.retracted:
        return None
    forms = [_row(form) for form in (claim, turned(claim)) if form]
    for unit in source.best_units(claim, _UNITS_READ):
        stated = any(form in _row(unit.text) for form in forms)
        stated = stated and not is_present(unit.text, lexicon) and _holds(unit.text, day, lexicon)
        if (stated or _was_before(claim, unit.text, day, lexicon)) and (
            denies(claim, unit.text) is denies(unit.text, claim)
        ):
            return unit
    return None


def _was_before(claim: str, sentence: str, day: date, lexicon: Lexicon) -> bool:
    """Whether `sentence` gives the claim's values as those before a change after `day`."""
    (own, _), (quantities, dates) = find_slots(claim, lexicon), find_slots(sentence, lexicon)
    if not (own and dates) or any(one.yearless or one.first <= day for one in dates):
        return False
    marked = ((one, f"{sentence[: one.start]}#{sentence[one.end :]}") for one in quantities)
    earlier = {(one.low, one.high) for one, text in marked if _EARLIER.search(text)}
    wanted = {word for word in terms(claim) if not word[0].isdigit()}
    return wanted <= set(terms(sentence)) and all((one.low, one.high) in earlier for one in own)


def _row(text: str) -> str:
    return f" {' '.join(terms(text))} "


def _holds(sentence: str, day: date, lexicon: Lexicon) -> bool:
    """Whether the time that `sentence` speaks of has `day` in it."""
    _, found = find_slots(sentence, lexicon)
    dates = [one for one in found if not one.yearless]
    end = _first_after(_UNTIL, sentence, dates)
    if end is None:
        return any(one.first <= day <= one.last for one in dates)
    start = _first_after(_FROM, sentence, dates)
    return day <= end.last and (start is None or start.first <= day)


def _first_after(word: re.Pattern[str], text: str, dates: Sequence[DateSpan]) -> DateSpan | None:
    return next((one for one in dates if word.search(text[: one.start])), None)


def other_holder(claim: str, source: SourceText) -> Unit | None:
    """The sentence that names somebody else as the one that `claim` says somebody is.

    Both say of a name that it is the one thing of its kind: "Ann Roe is the head of Bluewater". A
    short name, an abbreviation, another first name of one family may be the same; no other pier is.
    """
    own = role_and_name(claim)
    if own is None:
        return None
    found: Unit | None = None
    for unit in source.best_units(claim, _UNITS_READ):
        other = role_and_name(unit.text)
        if other and own[0] == other[0]:
            if not _is_another(own[1], other[1], own[0]):
                return None
            found = found or unit
    return found


def _is_another(one: Sequence[str], other: Sequence[str], role: frozenset[str]) -> bool:
    if set(one) & {other[0]} or set(other) & {one[0]}:
        return False
    if len(one) <= _FULL_NAME and one[-1] == other[-1] and role.isdisjoint(terms(one[-1])):
        return False
    return all(
        len(short) > 1 or short[0] != "".join(word[0] for word in long)
        for short, long in ((one, other), (other, one))
    )
