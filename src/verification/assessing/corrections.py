"""What to put in the claim's place, written as the claim writes it (decision 29)."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal

from ...base.finding import Correction
from ...claims.lexicon import Lexicon
from ...claims.model import Claim, DateSpan, Granularity, Quantity
from ...claims.quantity.quantities import find_slots
from ...claims.words import WordBook
from ..judging.judgement import Judgement
from ..judging.quotation import QuoteCheck
from ..model import SlotCheck, SlotKind, SlotOutcome
from ..reading.index import TextIndex
from ..values.sameness import FILLED

_DIGITS = re.compile(r"\d[\d,.\u00a0\u2009\u202f]*\d|\d")
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
_STOPS = tuple(".!?")
_REST = re.compile(
    r"\b(?:remain\w*|left|leav(?:es?|ing)|still|unused|unspent|unsold|outstanding|yet to)\b", re.I
)
_ARTICLE = re.compile(r"\b([Aa]n?)\s+$")
_NOUN_ENDS = ("th", "ss", "sses")
# Beyond this many decimals the source's own words are clearer.
_MAX_DECIMALS = 3


def correction(claim: Claim, judgement: Judgement, index: TextIndex) -> Correction | None:
    """The replacement that would settle a contradicted claim; None if more than one part differs.

    Its offsets are offsets into the document.
    """
    if judgement.quote is not None:
        return _quote_correction(claim, judgement, judgement.quote, index)
    match = judgement.mismatch
    if match is None:
        return _part_correction(claim, judgement, index)
    if match.found is None:
        return None
    others = [slot for slot in judgement.slots if slot.kind in (SlotKind.NUMBER, SlotKind.DATE)]
    if sum(slot.outcome not in FILLED for slot in others) != 1:
        return None
    claimed, found = match.slot.value, match.found.value
    if _is_of_rest(claim, index.text[judgement.start : judgement.end]) and not match.working:
        return None
    text = _restyled(claimed, found)
    return Correction(*claim.source_span(claimed.start, claimed.end), text)


def _is_of_rest(claim: Claim, passage: str) -> bool:
    """Whether the claim tells what is left, and the passage only what there was."""
    return bool(_REST.search(claim.text)) and not _REST.search(passage)


def _quote_correction(
    claim: Claim, judgement: Judgement, check: QuoteCheck, index: TextIndex
) -> Correction | None:
    altered = [
        slot
        for slot in judgement.slots
        if slot.kind is SlotKind.QUOTE and slot.outcome is not SlotOutcome.MATCH
    ]
    if len(altered) != 1:
        return None
    words = " ".join(index.text[check.start : check.end].split()).rstrip(",;")
    if check.quote.text[-1:] in _STOPS and words[-1:] not in _STOPS:
        words += check.quote.text[-1]
    return Correction(*claim.source_span(check.quote.start, check.quote.end), words)


def _part_correction(claim: Claim, judgement: Judgement, index: TextIndex) -> Correction | None:
    """What a record or a like sentence has in the place of the only part that differs."""
    differing = [slot for slot in judgement.slots if slot.outcome not in FILLED]
    if len(differing) != 1:
        return None
    passage = index.text[judgement.start : judgement.end]
    match differing[0].kind:
        case SlotKind.WORDS | SlotKind.POLARITY:
            return _word_correction(claim, differing[0], passage, index.lexicon.words)
        case SlotKind.NUMBER | SlotKind.DATE:
            return _value_correction(claim, differing[0], passage, index.lexicon)
        case SlotKind.QUOTE:
            return None


def _word_correction(
    claim: Claim, differing: SlotCheck, passage: str, book: WordBook
) -> Correction | None:
    """Another name or word of direction."""
    own, theirs = _once(differing.claimed, claim.text), _once(differing.found, passage)
    if own is None or theirs is None:
        return None
    words = " ".join(passage[slice(*theirs)].split())
    if differing.kind is SlotKind.POLARITY:
        if _form(differing.claimed, book) != _form(words, book):
            return None
        words = words[0].upper() + words[1:] if claim.text[own[0]].isupper() else words.lower()
        article = _ARTICLE.search(claim.text, 0, own[0])
        if article:
            own = (article.start(1), own[1])
            words = f"{article[1][0]}{'n' if words[0] in 'aeiou' else ''} {words}"
    return Correction(*claim.source_span(*own), words)


def _form(words: str, book: WordBook) -> tuple[int, str]:
    """What a word of direction must share with one in its place: "fell" is no "decline"."""
    first, *others = words.lower().split()
    if first in book.particles:
        return len(others), "particle"
    if first.endswith("ed") or (first in book.irregular and not first.endswith(_NOUN_ENDS)):
        return len(others), "past"
    return len(others), "ing" if first.endswith("ing") else ""


def _value_correction(
    claim: Claim, differing: SlotCheck, passage: str, lexicon: Lexicon
) -> Correction | None:
    """The value of a table's cell, if the passage has the claim's other values as they are."""
    values = (*claim.quantities, *claim.dates)
    own = [value for value in values if value.text == differing.claimed]
    others = [value.text for value in values if value.text != differing.claimed]
    if len(own) != 1 or any(_once(text, passage) is None for text in others):
        return None
    given = [value for values in find_slots(differing.found, lexicon) for value in values]
    theirs = [v for v in given if v.text not in others and isinstance(v, type(own[0]))]
    if len(theirs) != 1:
        return None
    text = _restyled(own[0], theirs[0])
    return Correction(*claim.source_span(own[0].start, own[0].end), text)


def _once(words: str, text: str) -> tuple[int, int] | None:
    """The only place where `words` stand in `text`, None if there is none or more than one."""
    if not words:
        return None
    pattern = r"\s+".join(re.escape(word) for word in words.split())
    found = list(re.finditer(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE))
    return found[0].span() if len(found) == 1 else None


def _restyled(claimed: Quantity | DateSpan, found: Quantity | DateSpan) -> str:
    if isinstance(claimed, DateSpan) and isinstance(found, DateSpan):
        return restyle_date(claimed, found)
    if isinstance(claimed, Quantity) and isinstance(found, Quantity):
        return restyle_quantity(claimed, found)
    return found.text


def restyle_quantity(claimed: Quantity, found: Quantity) -> str:
    """The found number in the claim's words: 30,000,000,000 for "$50 billion" is "$30 billion"."""
    same_unit = (claimed.kind, claimed.unit) == (found.kind, found.unit)
    digits = _DIGITS.search(claimed.text)
    if not same_unit or not digits or found.low != found.high or not claimed.low:
        return found.text
    written = Decimal(re.sub(r"[^\d.]", "", digits[0]))
    scale = claimed.low / written if written else Decimal(1)
    value = found.low / scale
    decimals = max(0, -int(value.normalize().as_tuple().exponent))
    if decimals > _MAX_DECIMALS or value <= 0 or (scale > 1 and not 1 <= value < 1000):
        return found.text
    grouping = "," if value >= 10_000 or "," in digits[0] or "," in found.text else ""
    return (
        claimed.text[: digits.start()]
        + f"{value:{grouping}.{decimals}f}"
        + claimed.text[digits.end() :]
    )


def restyle_date(claimed: DateSpan, found: DateSpan) -> str:
    """The found date at the claim's precision and in its style, if the source is precise enough."""
    if claimed.fiscal or found.fiscal or found.first > found.last:
        return found.text
    day = found.first
    match claimed.granularity:
        case Granularity.YEAR if found.first.year == found.last.year and "–" not in claimed.text:
            return str(day.year)
        case Granularity.MONTH if found.first.month == found.last.month:
            return f"{_month_name(day, claimed.text)} {day.year}"
        case Granularity.DAY if found.granularity is Granularity.DAY:
            return _day(day, claimed.text)
        case _:
            return found.text


def _day(day: date, style: str) -> str:
    if _ISO.fullmatch(style):
        return day.isoformat()
    month = _month_name(day, style)
    if style[:1].isdigit():
        return f"{day.day} {month} {day.year}"
    return f"{month} {day.day}, {day.year}"


def _month_name(day: date, style: str) -> str:
    name = day.strftime("%B")
    written = re.search(r"[A-Za-z]{3,}", style)
    short = (
        written is not None
        and len(written[0].rstrip(".")) <= 4
        and written[0] not in ("June", "July", "May")
    )
    return name[:3] if short else name
