"""Quantities in plain text: numbers with their unit, kind, range and modifier."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from ._numerals import FRACTION_STEP, Numeral, NumeralKind, find_numerals
from .dates import match_dates
from .lexicon import Lexicon, Scan, scan
from .model import DateSpan, Modifier, Quantity, QuantityKind

_SPACE = " \u00a0\u2009\u202f"
_WORDS = re.compile(rf"[{_SPACE}-]?([a-z][a-z.]*(?:[ -][a-z]+){{0,3}})")
_MARK = re.compile(
    rf"([{_SPACE}]?)([A-Za-z\u00b5\u03bc°℃℉%‰$€£¥₾₹₩₽₺₴₦₱฿₫₪₿]+(?: [CF]\b)?[²³23]?"
    r"(?:/[A-Za-z]+)?)(?![\w²³])"
)
_RATE = re.compile(r"(?:/| per | (?:once )?an? | (?=daily|hourly))([a-z]+)\b")
_FOLLOWING = re.compile(r"[ \u00a0-]([a-z][a-z'’]*)")
# Between a fraction and its unit: "half a percentage point", "a quarter of an hour".
_OF_ONE = re.compile(r"(?: of)? an?(?= )")
_BELOW_ZERO = " below zero"
_MINUS = re.compile(r"\b(?:[Mm]inus|[Nn]egative) $")
_NUMBER_BEFORE = re.compile(r"\d $")
# What a person's or a thing's age ends in; it belongs to the quantity.
_OLD = re.compile(r"[ -](?:old|of age)\b")
_AGES = ("year", "month", "week", "day")
_NOUN_REACH = 4
# "Twenty or so kilometres".
OR_SO = " or so"
_BEFORE = re.compile(r"([a-z.]+|[#§]+)[ \u00a0(]*$")
_NAME_BEFORE = re.compile(r"(?<![.!?:;|>*•]\s)(?<!^)\b[A-Z][\w&]*(?:\[\w+\])?[ \u00a0]$")
_ACRONYM_BEFORE = re.compile(r"\b[A-Z][A-Z/&-]*[A-Z][ \u00a0]$")
# "Noise, in decibels: Alto 41, Brenna 38, …": a name with its value, item by item.
_LISTED = re.compile(
    r":\s(?:[A-Z][^\d:.\n]{0,40}\s\d[\d,.]*(?:\s?[^\W\d]+){0,2}[,;]\s(?:and\s)?)+[A-Z][^\d:.\n]{0,40}\s$"
)
# "Chart 1: Latency", "Stability: 1 - Experimental": a small number in the label of a line.
_LABEL = re.compile(r"[^\W\d_]{2,}(?: \d{1,2}:(?: |$)|: \d{1,2} [-–—] [A-Z])")
_LIST_MARK = re.compile(r"(?:^|\n)[ \t]*$")
_RATIO = re.compile(r"(?: [a-z]+){0,2}? (?:in|out of)(?: every| each)? $")
_DASH = re.compile(r"\s?[-–—‑~]\s?$")
# Web addresses and telephone numbers.
_OTHER = re.compile(r"\b(?:https?://|www\.)\S+|\+\d[\d ()/-]{6,}\d")
# What is written in digits and measures or counts nothing, in lower case.
_IDENTIFIER = re.compile(
    r"\b10\.\d{4,9}/\S+|\barxiv:\s?\S+|\bisbn[: -]{0,2}[\dx-]{10,17}"
    r"|\b(?:cve|cwe|rfc|eip|erc|pep|bip|jep|kep|adr|iso(?:/[a-z]+)?|iec|ieee|issn|pmid|nist sp)"
    r"[- #]?\d[\w:./-]*"
    # "Section C.2.6"
    r"|\b[a-z]\.\d{1,2}(?:\.\d{1,2})+\b"
    # "SHA3-256", but no fiscal year.
    r"|\b(?!fy)[a-z]{2,}\d{1,2}-\d+\b"
    r"|\b(?:localhost|[a-z][\w-]{0,62}(?:\.[a-z][\w-]{1,62}){1,8}|\d{1,3}(?:\.\d{1,3}){3}):\d{2,5}\b"
    r"|\b(?:http|tls|ssl|utf|usb|cc by)[/ -]\d[\d.]*|\bstatus(?: code)? \d{3}\b|\b0x[\da-f]+\b"
    r"|(?P<name>\b[a-z][\w.+#-]{0,60}) (?:>=? ?|≥ ?|v)?\d+(?:\.\d+)+"
    r"(?= (?:or|and) (?:newer|later|higher|above|greater|up|earlier|older|lower)\b|\+)"
    r"|>= ?\d+(?:\.\d+)+|\b\d+(?:\.\d+){0,2}\.[x*](?!\w)"
)
_PART_GAPS = (" ", " and ", ", ", "")
# Units whose rest is given in a smaller one: "5 feet 3 inches".
_RESTS = {"foot": "inch", "yard": "foot", "pound (mass)": "ounce", "hour": "minute",
          "minute": "second"}  # fmt: skip
_INCHES = re.compile(
    r" ?(?:in|inch|inches)\b(?! (?:the|a|an|this|that|each|all|its|their)\b| ?\d)| ?\""
)
# "May not weigh more than", "no room may cost more than", "neither of them heavier than".
_DENIED = re.compile(
    r"\b(?:(?:not|cannot|never|n['’]t)(?: (?!(?:for|of|with|in|to|on)\b)\w+){0,2}"
    r"|(?:no|neither|none)(?: of)?(?: \w+){1,2} (?:may|can|must|shall|should)(?: \w+)?"
    r"|neither(?: of \w+)?) $"
)
_EXCEED = "exceed"
_CONVERSE = {Modifier.MORE_THAN: Modifier.AT_MOST, Modifier.LESS_THAN: Modifier.AT_LEAST}
_COLON = re.compile(
    r"(?<![\w.:/,-])(\d{1,4}(?:\.\d{1,4})?):(\d{1,4}(?:\.\d{1,4})?)(?![\w:%]|[.,]\d)"
)
_CUE_AFTER = re.compile(
    r" (?:ratio|slope|scale|odds|mix|mixture|gradient|split|dilution|v/v|w/w)\b"
)
_CUE_BEFORE = re.compile(r"(?:ratio|scale|odds|proportion|gradient|dilution)(?: (?:of|is|was))? $")
# "John 3:5", "Figure 2:1".
_VERSE_BEFORE = re.compile(r"[A-Z][a-z]{3,}\.? $")
_LAST_HOUR, _LAST_MINUTE = 24, 59
_HALF_MORE = re.compile(r"\ban? ([a-z]+) and a half\b")
_LONGEST_DASH = 5
_LONGEST_RATIO = 28
_LOOK_BACK = 24
_REACH = 48
_LIST = 240
_LARGEST_WHOLE = 100_000
_LARGEST_REST = 100
_AT_LEAST = ("+", " or more", " or higher", " and more", " or over")
_AT_MOST = (" or less", " or fewer", " or under")


def find_quantities(text: str, lexicon: Lexicon) -> tuple[Quantity, ...]:
    """The quantities of `text`, in order; offsets are into `text`.

    Numbers inside dates, and numbers that name a part, a version or an identifier (decision 26),
    are none.
    """
    return find_slots(text, lexicon)[0]


# A sentence is read several times.
@functools.lru_cache(maxsize=10_000)
def find_slots(text: str, lexicon: Lexicon) -> tuple[tuple[Quantity, ...], tuple[DateSpan, ...]]:
    """The quantities and the dates of `text` in one pass."""
    scanned = scan(text, lexicon)
    names = [
        match.span()
        for match in _IDENTIFIER.finditer(scanned.low)
        # "Python 3.10 or newer", but "a magnitude 5.5 or higher".
        if match["name"] is None or text[match.start()].isupper()
    ]
    dates = match_dates(scanned)
    if names:
        dates = [one for one in dates if not any(one.start < e and s < one.end for s, e in names)]
    others = [match.span() for match in _OTHER.finditer(scanned.low)] + names
    ratios = [*_ratios(scanned), *_halves(scanned)]
    masked = sorted([*others, *((one.start, one.end) for one in (*dates, *ratios))])
    readings = list(_readings(scanned, _outside(find_numerals(scanned), masked)))
    return (
        tuple(sorted([*ratios, *_quantities(scanned, readings)], key=lambda one: one.start)),
        tuple(match.span for match in dates if match.span),
    )


def _halves(scan: Scan) -> Iterator[Quantity]:
    """A day and a half."""
    for match in _HALF_MORE.finditer(scan.low):
        if unit := scan.lexicon.unit_words.get(match[1]):
            half = Decimal("0.5")
            yield _exact(scan, match, 1 + half, QuantityKind.MEASURE, unit.name, half)


def _exact(
    scan: Scan, match: re.Match[str], value: Decimal, kind: QuantityKind, unit: str, step: Decimal
) -> Quantity:
    start, end = match.span()
    return Quantity(
        value, value, kind, unit, Modifier.EXACT, step, scan.text[start:end], start, end
    )


def _outside(numerals: Iterable[Numeral], masked: Sequence[tuple[int, int]]) -> Iterator[Numeral]:
    index = 0
    for numeral in numerals:
        while index < len(masked) and masked[index][1] <= numeral.start:
            index += 1
        if index == len(masked) or numeral.end <= masked[index][0]:
            yield numeral


def _readings(scan: Scan, numerals: Iterable[Numeral]) -> Iterator[Reading]:
    end = 0
    for numeral in numerals:
        reading = read(scan, numeral)
        if reading.start < end:
            reading = reading._replace(start=numeral.start)
        end = reading.end
        yield reading


def _quantities(scan: Scan, readings: Sequence[Reading]) -> Iterator[Quantity]:
    rest = iter(readings)
    first = next(rest, None)
    while first is not None:
        second = next(rest, None)
        whole = None
        if second:
            first, second, whole = _joined(scan, first, second)
        if whole:
            yield whole
            first = next(rest, None)
            continue
        if _counts(scan, first):
            yield _make(scan, first, first)
        first = second


def _joined(
    scan: Scan, first: Reading, second: Reading
) -> tuple[Reading, Reading, Quantity | None]:
    """Two neighbouring numbers, with the unit that they share, and what they are together."""
    between = scan.low[first.end : second.start]
    if between in _PART_GAPS and _is_rest(scan, first, second):
        whole = _summed(scan, first, second)
        return first, second, _make(scan, whole, whole)
    if len(between) <= _LONGEST_RATIO and _RATIO.match(between):
        return first, second, _ratio(scan, first, second)
    if len(between) > _LONGEST_DASH:
        return first, second, None
    head = scan.low[max(0, first.start - 8) : first.start]
    pair = between == " to " and head.endswith("from ")
    spans = bool(_DASH.match(between)) or between == "- to "
    if between == " and ":
        spans = head.endswith("between ")
    elif between == " to " and not pair:
        # "Up by 9 per cent to 1,318", "down by 84 to 318" give a change and what it led to.
        united = first.end > first.numeral.end or (head.endswith("by ") and not second.unit)
        spans = not (united and second.is_bare)
    if not (spans or pair):
        return first, second, None
    first, second = _share_unit(first, second)
    ordered = first.kind is second.kind and first.value <= second.value
    return first, second, _make(scan, first, second) if spans and ordered else None


def _ratio(scan: Scan, first: Reading, second: Reading) -> Quantity | None:
    plain = first.is_bare and second.is_bare
    if not plain or not 0 < first.value < second.value <= _LARGEST_WHOLE:
        return None
    # "One in five" is a fifth, and stands for no quarter.
    step = min(first.step / second.value, FRACTION_STEP)
    ratio = first._replace(
        value=first.value / second.value,
        step=step,
        kind=QuantityKind.RATIO,
        unit="",
        end=second.end,
    )
    return _make(scan, ratio, ratio)


def _is_rest(scan: Scan, first: Reading, second: Reading) -> bool:
    """Whether the second number is the rest of the first: "5 feet 3 inches"."""
    if first.step != 1 or not 0 < second.value < _LARGEST_REST:
        return False
    rest = _RESTS.get(first.unit)
    return first.kind is QuantityKind.MEASURE and (
        second.unit == rest or (rest == "inch" and bool(_inches(scan, second)))
    )


def _inches(scan: Scan, reading: Reading) -> re.Match[str] | None:
    return _INCHES.match(scan.low, reading.end) if reading.is_bare else None


def _summed(scan: Scan, first: Reading, second: Reading) -> Reading:
    lexicon = scan.lexicon
    inches = _inches(scan, second)
    end = inches.end() if inches and first.unit == "foot" else second.end
    share = lexicon.units[_RESTS[first.unit]].factor / lexicon.units[first.unit].factor
    value = first.value + second.value * share
    return first._replace(value=value, step=second.step * share, end=end)


def _share_unit(first: Reading, second: Reading) -> tuple[Reading, Reading]:
    """Two joined numbers with the unit and scale that they share: "$10–12 million"."""
    if first.is_bare or first.kind is QuantityKind.MONEY:
        written_plain = first.end == first.numeral.end and not first.numeral.scaled
        factor = _scale_factor(second) if written_plain else Decimal(1)
        unit = first if first.kind is QuantityKind.MONEY else second
        first = first._replace(
            kind=unit.kind, unit=unit.unit, value=first.value * factor, step=first.step * factor
        )
    if second.is_bare:
        second = second._replace(kind=first.kind, unit=first.unit)
    return first, second


def _scale_factor(reading: Reading) -> Decimal:
    """The scale word of a number in digits, as far as its step shows it."""
    if not reading.numeral.scaled or reading.numeral.spelled:
        return Decimal(1)
    exponent = reading.step.logb()
    return Decimal(10) ** (exponent + (-exponent) % 3)


def _make(scan: Scan, first: Reading, last: Reading) -> Quantity:
    return Quantity(
        low=first.value,
        high=last.value,
        kind=last.kind,
        unit=last.unit,
        modifier=_modifier(scan, first, last),
        step=max(first.step, last.step),
        text=scan.text[first.start : last.end],
        start=first.start,
        end=last.end,
    )


def _modifier(scan: Scan, first: Reading, last: Reading) -> Modifier:
    start, end, lexicon = first.start, last.end, scan.lexicon
    before = lexicon.modifier_before.search(scan.low, max(0, start - _LOOK_BACK), start)
    if before:
        # "Over its six lines" and "over six lines" say where, "over 40 lines" how many.
        small = first.numeral.spelled and last.value <= lexicon.file.small_count
        place = small and before[1] in lexicon.file.place_modifiers
        # Nothing lies under a third.
        if place and first.numeral.kind is not NumeralKind.FRACTION:
            return Modifier.EXACT
        known, at = lexicon.modifier_of[before[1]], before.start(1)
        bounds = before[1].endswith("than") or before[1].startswith(_EXCEED)
        denied = bounds and _DENIED.search(scan.low, max(0, at - _REACH), at)
        return _CONVERSE.get(known, known) if denied else known
    if scan.low.startswith(_AT_LEAST, end) or "+ " in scan.low[start:end]:
        return Modifier.AT_LEAST
    if scan.low.startswith(_AT_MOST, end):
        return Modifier.AT_MOST
    so = scan.low.startswith(OR_SO, end) or OR_SO in scan.low[start:end]
    return Modifier.ABOUT if so else Modifier.EXACT


def _counts(scan: Scan, reading: Reading) -> bool:
    """Whether the number says how much or how many, rather than which.

    Nothing is called by a share or by money: "last season 7% failed".
    """
    if reading.kind in (QuantityKind.PERCENT, QuantityKind.MONEY):
        return True
    before = _BEFORE.search(scan.low, max(0, reading.start - 16), reading.start)
    measured = reading.kind is not QuantityKind.COUNT
    # "Part (33 m)" gives the length of the part.
    if before and before[1] in scan.lexicon.file.structural and not (measured and "(" in before[0]):
        return False
    if measured:
        return True
    numeral = reading.numeral
    if numeral.spelled:
        # "One" alone is a pronoun as often as a number.
        return numeral.value != 1 or numeral.scaled
    if _is_mark(scan, reading) or scan.low[reading.end : reading.end + 1].isalpha():
        # "5G" and "3D" are names.
        return False
    return bool(reading.unit) or numeral.scaled or not _is_name(scan.text, numeral)


def _is_mark(scan: Scan, reading: Reading) -> bool:
    """Whether the number only numbers a list item, a note or a formula: "(1)", "[2]", "3."."""
    low, start, end = scan.low, reading.start, reading.end
    if reading.value >= 0 and low[start - 1 : start] + low[end : end + 1] in ("()", "[]"):
        return True
    if (label := _LABEL.match(scan.text)) and start < label.end():
        return True
    item = low[end : end + 2] in (". ", ") ")
    return item and bool(_LIST_MARK.search(low, max(0, start - 12), start))


def _is_name(text: str, numeral: Numeral) -> bool:
    """Whether the number belongs to a name: "Boeing 737", "ISO 27001"."""
    if numeral.kind is not NumeralKind.CARDINAL or "," in text[numeral.start : numeral.end]:
        return False
    before = max(0, numeral.start - 30), numeral.start
    named = _ACRONYM_BEFORE.search(text, *before) or _NAME_BEFORE.search(text, *before)
    return bool(named) and not _LISTED.search(text, max(0, numeral.start - _LIST), numeral.start)


def _ratios(scan: Scan) -> Iterator[Quantity]:
    """Ratios with a colon. What may be a time of day needs a word that says ratio."""
    for match in _COLON.finditer(scan.low):
        first, second = Decimal(match[1]), Decimal(match[2])
        if not second or not (_is_called(scan, match) or _is_no_time(scan, match)):
            continue
        step = Decimal(1).scaleb(-len(match[1].partition(".")[2])) / second
        yield _exact(scan, match, first / second, QuantityKind.RATIO, "", step)


def _is_called(scan: Scan, match: re.Match[str]) -> bool:
    before = max(0, match.start() - 20), match.start()
    return bool(_CUE_AFTER.match(scan.low, match.end()) or _CUE_BEFORE.search(scan.low, *before))


def _is_no_time(scan: Scan, match: re.Match[str]) -> bool:
    """Whether no clock shows this, and no book numbers its verses so."""
    if _VERSE_BEFORE.search(scan.text, max(0, match.start() - 20), match.start()):
        return False
    first, second = Decimal(match[1]), Decimal(match[2])
    odd = first > _LAST_HOUR or second > _LAST_MINUTE or "." in match[0]
    return first != second and (odd or len(match[2]) == 1)


class Reading(NamedTuple):
    """A number in a text with its unit; `[start, end)` covers both."""

    numeral: Numeral
    start: int
    end: int
    value: Decimal
    step: Decimal
    kind: QuantityKind
    unit: str

    @property
    def is_bare(self) -> bool:
        """Whether the number has no unit of its own."""
        return self.kind is QuantityKind.COUNT and self.numeral.kind is NumeralKind.CARDINAL


class _Unit(NamedTuple):
    kind: QuantityKind
    name: str
    end: int


def read(scan: Scan, numeral: Numeral) -> Reading:
    """`numeral` with its sign and unit."""
    start, end, value, step, kind, _, _ = numeral
    if kind is NumeralKind.ORDINAL:
        return Reading(numeral, start, end, value, step, QuantityKind.ORDINAL, "")
    currency = scan.lexicon.currency_before.search(scan.text, max(0, start - 9), start)
    reading = _money(scan, numeral, currency) if currency else _with_unit(scan, numeral)
    start, sign = _sign(scan.text, reading.start, reading.end)
    if scan.low.startswith(_BELOW_ZERO, reading.end):
        return reading._replace(end=reading.end + len(_BELOW_ZERO), value=-reading.value)
    return reading._replace(start=start, value=reading.value * sign)


def _sign(text: str, start: int, end: int) -> tuple[int, int]:
    before = text[start - 1 : start]
    word = _MINUS.search(text, max(0, start - 10), start) if before == " " else None
    if word:
        return word.start(), -1
    if before in ("-", "−") and _NUMBER_BEFORE.search(text, max(0, start - 3), start - 1):
        return start, 1
    if before in ("-", "−") and (start == 1 or text[start - 2] in " \u00a0(|\n"):
        return start - 1, -1
    # A table cell that holds only (1.2) is an accountant's minus.
    if before == "(" and text[end : end + 1] == ")":
        left = text[max(0, start - 40) : start - 1].rstrip(" ")[-1:]
        right = text[end + 1 : end + 40].lstrip(" ")[:1]
        if left in ("|", "\n", "") and right in ("|", "\n", ""):
            return start, -1
    return start, 1


def _money(scan: Scan, numeral: Numeral, currency: re.Match[str]) -> Reading:
    end, factor = _mark_scale(scan, numeral.end, spaced=True)
    symbol = currency[1]
    unit = scan.lexicon.file.currencies.symbols.get(symbol, symbol)
    value, step = numeral.value * factor, numeral.step * factor
    return Reading(numeral, currency.start(1), end, value, step, QuantityKind.MONEY, unit)


def _mark_scale(scan: Scan, end: int, *, spaced: bool = False) -> tuple[int, int]:
    """Where an abbreviated scale after a number ends, and its factor: ``$5m``, ``€3 bn``.

    With `spaced` a space may stand before any scale, as in ``$5 M``, but not in ``$5 M&A``.
    """
    mark = _MARK.match(scan.text, end)
    if not mark:
        return end, 1
    if mark[2][1:] in scan.lexicon.file.currencies.codes and mark[2][0] in "MmKk":
        # "30 MUSD": the scale stands before the currency.
        return mark.start(2) + 1, scan.lexicon.file.numbers.scale_marks[mark[2][0]]
    numbers = scan.lexicon.file.numbers
    scale = numbers.loose_scale_marks.get(mark[2].lower())
    after = scan.text[mark.end() : mark.end() + 1]
    if scale is None and spaced:
        scale = numbers.money_scale_marks.get(mark[2])
    if scale is None and (not mark[1] or (spaced and after not in ("&", "-"))):
        scale = numbers.scale_marks.get(mark[2])
    return (mark.end(), scale) if scale else (end, 1)


def _with_unit(scan: Scan, numeral: Numeral) -> Reading:
    start, end, value, step, kind, _, scaled = numeral
    if not scaled and kind is NumeralKind.CARDINAL:
        end, factor = _bare_scale(scan, end)
        value, step = value * factor, step * factor
    so = scan.low.startswith(OR_SO, end)
    over = end + scan.low.startswith("+ ", end)  # "5,000+ tonnes"
    unit = _by_mark(scan, over) or _by_words(scan, over + len(OR_SO) * so, value)
    if kind is NumeralKind.FRACTION:
        of_one = _OF_ONE.match(scan.low, end)
        unit = unit or (_by_words(scan, of_one.end(), value) if of_one else None)
        # "Half a percentage point" has a unit, "half of the students" has none.
        if unit is None:
            return Reading(numeral, start, end, value, step, QuantityKind.RATIO, "")
    elif unit is None:
        noun = counted_noun(scan, over)
        return Reading(numeral, start, end, value, step, QuantityKind.COUNT, noun)
    old = _OLD.match(scan.low, unit.end) if unit.name in _AGES else None
    stop = old.end() if old else unit.end
    return Reading(numeral, start, stop, value, step, unit.kind, unit.name)


def _bare_scale(scan: Scan, end: int) -> tuple[int, int]:
    """As `_mark_scale` without a currency: "5m" is a length unless a counted noun follows."""
    stop, factor = _mark_scale(scan, end)
    if scan.text[end:stop] == "m" and not counted_noun(scan, stop):
        return end, 1
    return stop, factor


def _by_mark(scan: Scan, end: int) -> _Unit | None:
    mark = _MARK.match(scan.text, end)
    if not mark:
        return None
    lexicon = scan.lexicon
    whole = lexicon.unit_marks.get(mark[2])
    if whole:
        return _rated(scan, QuantityKind.MEASURE, whole.name, mark.end())
    written = mark[2].partition("/")[0]
    stop = mark.start(2) + len(written)
    if written == "%":
        return _Unit(QuantityKind.PERCENT, "", stop)
    symbol = lexicon.file.currencies.symbols.get(written)
    if symbol or written in lexicon.file.currencies.codes:
        return _Unit(QuantityKind.MONEY, symbol or written, stop)
    unit = lexicon.unit_marks.get(written)
    return _rated(scan, QuantityKind.MEASURE, unit.name, stop) if unit else None


def _rated(scan: Scan, kind: QuantityKind, unit: str, end: int) -> _Unit:
    """The unit with the time that it is divided by, if one follows: "gigabit/second"."""
    rate = _RATE.match(scan.low, end) if kind is QuantityKind.MEASURE else None
    per = scan.lexicon.file.rate_words.get(rate[1]) if rate else None
    if rate and per and scan.lexicon.units[unit].dimension not in ("time", "calendar"):
        return _Unit(kind, f"{unit}/{per}", rate.end())
    return _Unit(kind, unit, end)


def _by_words(scan: Scan, end: int, value: Decimal) -> _Unit | None:
    match = _WORDS.match(scan.low, end)
    if not match:
        return None
    words, base = match[1], match.start(1)
    cuts = [gap.start() for gap in re.finditer(r"[ -]", words)] + [len(words)]
    for cut in reversed(cuts):
        form = words[:cut].rstrip(".")
        unit = _unit_word(form.replace("-", " "), value, scan.lexicon) or _unit_word(
            form, value, scan.lexicon
        )
        if unit:
            return _rated(scan, *unit, base + len(form))
    return None


def _unit_word(form: str, value: Decimal, lexicon: Lexicon) -> tuple[QuantityKind, str] | None:
    kind = lexicon.kind_words.get(form)
    if kind:
        return kind, "times" if kind is QuantityKind.RATIO else ""
    unit = lexicon.unit_words.get(form)
    if unit:
        return QuantityKind.MEASURE, unit.name
    currency = lexicon.currency_words.get(form)
    weak = lexicon.file.currencies.weak_names
    if not currency or (form.removesuffix("s") in weak.names and value < weak.least):
        return None
    return QuantityKind.MONEY, currency


def counted_noun(scan: Scan, end: int) -> str:
    """The noun that the number before `end` counts, in the singular; "" if none is plain."""
    for _ in range(_NOUN_REACH):
        word = _FOLLOWING.match(scan.low, end)
        if not word or word[1] in scan.lexicon.file.not_counted:
            return ""
        noun, end = re.split(r"['’]", word[1])[0], word.end()
        if noun in scan.lexicon.file.irregular_plurals:
            return noun
        if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) and len(noun) > 3:
            return singular(noun)
    return ""


def singular(noun: str) -> str:
    """The singular of a regular plural."""
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if noun.endswith(("ches", "shes", "sses", "xes", "buses")):
        return noun[:-2]
    return noun[:-1]
