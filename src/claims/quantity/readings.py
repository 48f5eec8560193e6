"""A number with what stands around it: sign, currency, percent sign, unit, counted noun."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from ..lexicon import Lexicon, Scan
from ..model import QuantityKind
from .numerals import Numeral, NumeralKind

_SPACE = " \u00a0\u2009\u202f"
_WORDS = re.compile(rf"[{_SPACE}-]?([a-z][a-z.]*(?:[ -][a-z]+){{0,3}})")
_MARK = re.compile(
    rf"([{_SPACE}]?)([A-Za-z\u00b5\u03bc°℃℉%‰$€£¥₾₹₩₽₺₴₦₱฿₫₪₿]+(?: [CF]\b)?[²³23]?"
    r"(?:/[A-Za-z]+)?)(?![\w²³])"
)
_RATE = re.compile(r"(?:/| per | (?:once )?an? )([a-z]+)\b")
_FOLLOWING = re.compile(r"[ \u00a0-]([a-z][a-z'’]*)")
# Between a fraction and its unit: "half a percentage point", "a quarter of an hour".
_OF_ONE = re.compile(r"(?: of)? an?(?= )")
_MINUS = re.compile(r"\b(?:[Mm]inus|[Nn]egative) $")
_NUMBER_BEFORE = re.compile(r"\d $")
# What a person's or a thing's age ends in; it belongs to the quantity.
_OLD = re.compile(r"[ -](?:old|of age)\b")
_AGES = ("year", "month", "week", "day")
_NOUN_REACH = 4
# "Twenty or so kilometres".
OR_SO = " or so"


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
    unit = _by_mark(scan, end) or _by_words(scan, end + len(OR_SO) * so, value)
    if kind is NumeralKind.FRACTION:
        of_one = _OF_ONE.match(scan.low, end)
        unit = unit or (_by_words(scan, of_one.end(), value) if of_one else None)
        # "Half a percentage point" has a unit, "half of the students" has none.
        if unit is None:
            return Reading(numeral, start, end, value, step, QuantityKind.RATIO, "")
    elif unit is None:
        noun = counted_noun(scan, end)
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
