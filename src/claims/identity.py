"""Claim ids, given at first sight, and the words by which claims are compared (decision 25)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection

_TOKEN = re.compile(r"\w+")
_NUMBER = re.compile(r"\d[\d.,]*")


def new_id(text: str, taken: Collection[str], *, earlier: int = 0) -> str:
    """An id for a claim of `text` that is not in `taken`: ``c-`` and eight hexadecimal digits.

    `earlier` says how many claims of the same text have got theirs, so that they are not tried
    again: a text may say one thing thousands of times.
    """
    words = " ".join(text.casefold().split())
    used: Collection[str] = taken if isinstance(taken, set | frozenset) else frozenset(taken)
    attempt = earlier
    while True:
        seed = f"{words}#{attempt}" if attempt else words
        name = "c-" + hashlib.sha256(seed.encode()).hexdigest()[:8]
        if name not in used:
            return name
        attempt += 1


def masked_tokens(text: str) -> frozenset[str]:
    """The distinct words of `text` in lower case, every number replaced by one mark."""
    return frozenset(_TOKEN.findall(_NUMBER.sub("0", text.casefold())))


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """The share of common words, 0–1; two empty sets are alike."""
    union = len(left | right)
    return len(left & right) / union if union else 1.0
