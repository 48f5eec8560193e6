"""Numbers in a citation bracket: ``1``, ``1, 3-5``, ``2, p. 14``."""

from __future__ import annotations

import re

MAX_RANGE = 50

_LOCATOR = r",\s?(?:pp?\.|§|ch\.|chap\.|sec\.|[Tt]able|[Ff]ig\.)[^\[\]]{0,40}$"
_NUMBERS = re.compile(rf"\^?\d{{1,3}}(?:\s?[,;–—-]\s?\^?\d{{1,3}}){{0,40}}(?:{_LOCATOR})?")
_ITEM = re.compile(r"(\d{1,3})(?:\s?[–—-]\s?\^?(\d{1,3}))?")
_AFTER = re.compile(_LOCATOR)


def is_numeric(content: str) -> bool:
    """Whether a bracket's `content` is a list of numbers and ranges, with or without a page."""
    return _NUMBERS.fullmatch(content) is not None


def numbers(content: str) -> list[str]:
    """Each label that `content` names, ranges written out.

    Empty unless `content` is numeric and every number can be a label: 0 cannot ("[0, 1]" is an
    interval), nor can a range that runs backwards or spans more than `MAX_RANGE`.
    """
    labels: list[str] = []
    if not is_numeric(content):
        return labels
    for match in _ITEM.finditer(_AFTER.sub("", content)):
        first, last = int(match[1]), int(match[2] or match[1])
        if first == 0 or not first <= last <= first + MAX_RANGE:
            return []
        labels += map(str, range(first, last + 1))
    return labels
