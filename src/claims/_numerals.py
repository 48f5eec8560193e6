"""Numbers in plain text: digits with their groups, words, fractions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from .lexicon import Lexicon, Scan

# "Half" and "a third" are taken to the nearest percent or so, as a reader takes them.
FRACTION_STEP = Decimal("0.02")
_GLYPHS = {
    "½": Fraction(1, 2),
    "⅓": Fraction(1, 3),
    "⅔": Fraction(2, 3),
    "¼": Fraction(1, 4),
    "¾": Fraction(3, 4),
}
_ONE = Decimal(1)
# Larger numbers are not written in words; decimals of any length would lose digits.
_LARGEST = Decimal(10) ** 18
_HALF = " and a half"
_DOZEN = " dozen"
_LOOK_BACK = 24
_LARGEST_PART = 1000
_NEXT_WORD = re.compile(r"([ -])(and )?([a-z]+)")
# "A quarter of a million" is no quarter beside a million.
_OF_A = re.compile(r" of an?(?= )")
# What shows that "a third" is a share, and not one of a series.
_SHARE = re.compile(r" (?:of|had|have|has|were|was|are|is|said|say|did|do)\b")
# "By a third", "a tenth more", "up a fifth": a share of what there was.
_CHANGED_BY = re.compile(r"\b(?:by|up|down|another|about|than) $")
_CHANGE_ENDS = re.compile(
    r" (?:in|from|to|since|over|during|after|before|compared|on|at|this|last|and|but|when|while|as"
    r"|within|between|each|every|against|relative|again|per|that|which)\b|\W*$|[.,;:)]"
)
_MORE = re.compile(
    r" (?:more|less|fewer|higher|lower|larger|smaller|bigger|greater|longer|shorter|cheaper|dearer"
    r"|faster|slower|above|below|again|as (?:many|much|large|long|big|high))\b"
)
_OTHER_HALF = re.compile(r"(?:first|second|other|to) $")
_GROUPING = str.maketrans("", "", ", \u00a0\u2009\u202f'’")
# "1.2.3", "10:30", "12/31", "3,5": versions, times, dates and numbers of other languages.
_UNDER = re.compile(r"/(\d{1,4})(ths?|nds?|rds?|sts?)?(?![\w/:]|[.,]\d)")
_MIXED = re.compile(r"[ \u00a0]?(?P<glyph>[½⅓⅔¼¾])|[ \u00a0](?P<over>\d{1,2})(?=/\d)")
_POWER = re.compile(r"e([+-]?\d{1,2})(?![\w.])")
# "10⁻⁶", "1.5 × 10^-3".
_RAISED_TEN = re.compile(
    r"(?P<times> ?[×x·*] ?10)?"
    r"(?:\^(?P<plain>[+\-−]?\d{1,2})|(?P<raised>[⁺⁻]?[⁰¹²³⁴-⁹]{1,2}))(?![\w.^])"
)
_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻−", "0123456789+--")
_LONGER = re.compile(r"[.:,/]\d")


class NumeralKind(StrEnum):
    """How a number is used."""

    CARDINAL = "cardinal"
    ORDINAL = "ordinal"
    FRACTION = "fraction"


class Numeral(NamedTuple):
    """A number as written, its scale word included; `step` is the value of its last digit."""

    start: int
    end: int
    value: Decimal
    step: Decimal
    kind: NumeralKind
    spelled: bool
    scaled: bool


def find_numerals(scan: Scan) -> Iterator[Numeral]:
    """The numbers of a text, from left to right, none overlapping."""
    done = 0
    for match in scan.lexicon.number_start.finditer(scan.low):
        start = match.start()
        if start < done or _continues_word(scan.low, start, match.lastgroup == "digits"):
            continue
        numeral = _numeral(scan, match)
        if numeral is not None:
            done = numeral.end
            yield numeral


def _continues_word(low: str, start: int, digits: bool) -> bool:
    """Whether the match is a later part of a compound, an identifier or a longer number."""
    before = low[start - 1] if start else " "
    further = low[start - 2] if start > 1 else " "
    if not digits:
        return before in "-’'" and further.isalpha()
    if before in ".,:/":
        return further.isdigit()
    # F-16, but not 5-10.
    return before == "_" or (before in "-‑" and further.isalpha())


def _numeral(scan: Scan, match: re.Match[str]) -> Numeral | None:
    match match.lastgroup:
        case "digits":
            return _digits(scan, match)
        case "spelled":
            return _spelled(scan, match)
        case "a":
            return _after_a(scan, match)
        case _:
            return _fraction(*match.span(), _GLYPHS[match["glyph"]], spelled=False)


def _scientific(start: int, end: int, mantissa: str, power: str) -> Numeral:
    value = Decimal(mantissa).scaleb(int(power))
    step = Decimal(1).scaleb(int(power) - len(mantissa.partition(".")[2]))
    return Numeral(start, end, value, step, NumeralKind.CARDINAL, False, True)


def _digits(scan: Scan, match: re.Match[str]) -> Numeral | None:
    low = scan.low
    start, end = match.span()
    if _LONGER.match(low, end):
        return _slash_fraction(low, start, end)
    digits = match["digits"].translate(_GROUPING)
    power = _POWER.match(low, end) if low.startswith("e", end) else None
    if power and ("." in digits or power[1][0] in "+-"):
        return _scientific(start, power.end(), digits, power[1])
    raised = _RAISED_TEN.match(low, end)
    if raised and (raised["times"] or digits == "10"):
        written = (raised["plain"] or raised["raised"]).translate(_PLAIN)
        return _scientific(start, raised.end(), digits if raised["times"] else "1", written)
    decimals = len(digits.partition(".")[2])
    value, step = Decimal(digits), Decimal(1).scaleb(-decimals)
    ordinal = low.startswith(("st", "nd", "rd", "th"), end)
    if ordinal and not low[end + 2 : end + 3].isalnum():
        return Numeral(start, end + 2, value, step, NumeralKind.ORDINAL, False, False)
    if digits[0] == "0" and digits[1:2].isdigit():
        return None
    part = None if decimals else _mixed(low, end)
    if part:
        end, value, step = part.end, value + part.value, part.step
    end, factor = _scales(low, end, scan.lexicon)
    if factor == 1 and low.startswith(_DOZEN, end):
        end, factor = end + len(_DOZEN), Decimal(12)
    return Numeral(
        start, end, value * factor, step * factor, NumeralKind.CARDINAL, False, factor != 1
    )


def _mixed(low: str, end: int) -> Numeral | None:
    """The fraction that belongs to the whole number before it: "12½", "2 1/2"."""
    match = _MIXED.match(low, end)
    if not match:
        return None
    if match["glyph"]:
        return _fraction(*match.span(), _GLYPHS[match["glyph"]])
    return _slash_fraction(low, *match.span("over"))


def _slash_fraction(low: str, start: int, end: int) -> Numeral | None:
    under = _UNDER.match(low, end)
    if not under or not low[start:end].isdigit():
        return None
    over, below = int(low[start:end]), int(under[1])
    if not 0 < over < below <= (_LARGEST_PART if under[2] else 10):
        return None
    return _fraction(start, under.end(), Fraction(over, below), spelled=False)


def _scales(low: str, end: int, lexicon: Lexicon) -> tuple[int, Decimal]:
    """The scale words after a number in digits: "million", "hundred thousand"."""
    factor = _ONE
    while (word := _NEXT_WORD.match(low, end)) and not word[2]:
        scale = lexicon.file.numbers.scales.get(word[3])
        if scale is None:
            break
        factor *= scale
        end = word.end()
    return end, factor


def _spelled(scan: Scan, match: re.Match[str]) -> Numeral | None:
    start, end, first = match.start(), match.end(), match["spelled"]
    lexicon = scan.lexicon
    if first == "half":
        return _half(scan, start, end)
    if first in lexicon.file.numbers.ordinals:
        value = Decimal(lexicon.file.numbers.ordinals[first])
        return Numeral(start, end, value, _ONE, NumeralKind.ORDINAL, True, False)
    sum_ = _Sum(Decimal(lexicon.file.numbers.words[first]))
    while word := _NEXT_WORD.match(scan.low, end):
        if not sum_.add(word[3], lexicon, joined_by_and=bool(word[2])):
            part = lexicon.fractions.get(word[3])
            if part and not word[2] and sum_.is_digit:
                share = int(sum_.current) * part
                return (
                    _scaled_part(scan, _fraction(start, word.end(), share)) if share < 1 else None
                )
            break
        end = word.end()
    if sum_.step == _ONE and not sum_.total and scan.low.startswith(_HALF, end):
        half = Decimal("0.5")
        end, factor = _scales(scan.low, end + len(_HALF), lexicon)
        return _cardinal(start, end, (sum_.current + half) * factor, half * factor, factor)
    return _cardinal(start, end, sum_.total + sum_.current, sum_.step, sum_.step)


class _Sum:
    """A number in words, added up word by word."""

    def __init__(self, first: Decimal) -> None:
        self.total = Decimal(0)
        self.current = first
        self.step = _ONE

    @property
    def is_digit(self) -> bool:
        return not self.total and 0 < self.current < 10

    def add(self, word: str, lexicon: Lexicon, *, joined_by_and: bool) -> bool:
        """Add the next word; False if it does not belong to the number."""
        added = lexicon.file.numbers.words.get(word)
        if added is not None:
            tens = self.current % 10 == 0 and self.current % 100 >= 20
            ends = tens and added < 10 and not joined_by_and
            if not ends and (self.current % 100 or not (self.current or self.total)):
                return False
            self.current, self.step = self.current + added, _ONE
            return True
        scale = _scale_of(word, lexicon)
        if not scale or joined_by_and or self.current > _LARGEST:
            return False
        self.step = Decimal(scale)
        self.current = (self.current or _ONE) * scale
        if scale > 100:
            self.total, self.current = self.total + self.current, Decimal(0)
        return True


def _scale_of(word: str, lexicon: Lexicon) -> int | None:
    return lexicon.file.numbers.scales.get(word) or lexicon.file.numbers.collectives.get(word)


def _cardinal(start: int, end: int, value: Decimal, step: Decimal, scale: Decimal) -> Numeral:
    return Numeral(start, end, value, step, NumeralKind.CARDINAL, True, scale != 1)


def _scaled_part(scan: Scan, part: Numeral) -> Numeral:
    """The part of the scale word that follows: "a quarter million", "half of a million"."""
    of_a = _OF_A.match(scan.low, part.end)
    word = _NEXT_WORD.match(scan.low, of_a.end() if of_a else part.end)
    scale = scan.lexicon.file.numbers.scales.get(word[3]) if word and not word[2] else None
    if not word or not scale:
        return part
    value = part.value * scale
    return _cardinal(part.start, word.end(), value, value / 10, Decimal(scale))


def _half(scan: Scan, start: int, end: int) -> Numeral | None:
    low = scan.low
    if low.startswith(" a ", end):
        word = _NEXT_WORD.match(low, end + 2)
        scale = _scale_of(word[3], scan.lexicon) if word else None
        if word and scale:
            value = Decimal(scale) / 2
            return _cardinal(start, word.end(), value, value / 10, Decimal(scale))
    if low.startswith("-", end) or _OTHER_HALF.search(low, max(0, start - 8), start):
        return None
    return _scaled_part(scan, _fraction(start, end, Fraction(1, 2)))


def _after_a(scan: Scan, match: re.Match[str]) -> Numeral | None:
    start, end, word = match.start(), match.end(), match["a"]
    lexicon = scan.lexicon
    scale = _scale_of(word, lexicon)
    if scale:
        end, factor = _scales(scan.low, end, lexicon)
        value = scale * factor
        return _cardinal(start, end, value, value, Decimal(scale))
    part = _scaled_part(scan, _fraction(start, end, lexicon.fractions[word]))
    before = lexicon.modifier_before.search(scan.low, max(0, start - _LOOK_BACK), start)
    told = part.scaled or before or _SHARE.match(scan.low, end)
    return part if told or _is_change(scan.low, start, end) else None


def _is_change(low: str, start: int, end: int) -> bool:
    """Whether "a third" says by how much something changed or differs."""
    if _MORE.match(low, end):
        return True
    changed = _CHANGED_BY.search(low, max(0, start - 10), start)
    return bool(changed and _CHANGE_ENDS.match(low, end))


def _fraction(start: int, end: int, part: Fraction, *, spelled: bool = True) -> Numeral:
    value = Decimal(part.numerator) / Decimal(part.denominator)
    return Numeral(start, end, value, FRACTION_STEP, NumeralKind.FRACTION, spelled, False)
