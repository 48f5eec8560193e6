"""Ratios written with a colon: "4:1", "a 1:250 scale"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from ..model import Modifier, Quantity, QuantityKind
from ..scan import Scan

_RATIO = re.compile(
    r"(?<![\w.:/,-])(\d{1,4}(?:\.\d{1,4})?):(\d{1,4}(?:\.\d{1,4})?)(?![\w:%]|[.,]\d)"
)
_CUE_AFTER = re.compile(
    r" (?:ratio|slope|scale|odds|mix|mixture|gradient|split|dilution|v/v|w/w)\b"
)
_CUE_BEFORE = re.compile(r"(?:ratio|scale|odds|proportion|gradient|dilution)(?: (?:of|is|was))? $")
# "John 3:5", "Figure 2:1".
_NAME_BEFORE = re.compile(r"[A-Z][a-z]{3,}\.? $")
_LAST_HOUR, _LAST_MINUTE = 24, 59


def find_ratios(scan: Scan) -> list[Quantity]:
    """The ratios of a text, in order. What may be a time of day needs a word that says ratio."""
    return list(_ratios(scan))


def _ratios(scan: Scan) -> Iterator[Quantity]:
    for match in _RATIO.finditer(scan.low):
        first, second = Decimal(match[1]), Decimal(match[2])
        if not second or not (_is_called(scan, match) or _is_no_time(scan, match)):
            continue
        value, step = first / second, Decimal(1).scaleb(_exponent(match[1])) / second
        yield Quantity(
            low=value,
            high=value,
            kind=QuantityKind.RATIO,
            unit="",
            modifier=Modifier.EXACT,
            step=step,
            text=match[0],
            start=match.start(),
            end=match.end(),
        )


def _exponent(digits: str) -> int:
    return -len(digits.partition(".")[2])


def _is_called(scan: Scan, match: re.Match[str]) -> bool:
    before = max(0, match.start() - 20), match.start()
    return bool(_CUE_AFTER.match(scan.low, match.end()) or _CUE_BEFORE.search(scan.low, *before))


def _is_no_time(scan: Scan, match: re.Match[str]) -> bool:
    """Whether no clock shows this, and no book numbers its verses so."""
    if _NAME_BEFORE.search(scan.text, max(0, match.start() - 20), match.start()):
        return False
    first, second = Decimal(match[1]), Decimal(match[2])
    odd = first > _LAST_HOUR or second > _LAST_MINUTE or "." in match[0]
    return first != second and (odd or len(match[2]) == 1)
