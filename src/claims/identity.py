"""Claim ids: given at first sight and carried from one iteration to the next (decision 25)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from .model import Claim

# Decision 25.
SAME_CLAIM = 0.5
_TOKEN = re.compile(r"\w+")
_NUMBER = re.compile(r"\d[\d.,]*")


def new_id(text: str, taken: Iterable[str]) -> str:
    """An id for a claim of `text` that is not in `taken`: ``c-`` and eight hexadecimal digits."""
    words = " ".join(text.casefold().split())
    used = frozenset(taken)
    attempt = 0
    while True:
        seed = f"{words}#{attempt}" if attempt else words
        name = "c-" + hashlib.sha256(seed.encode()).hexdigest()[:8]
        if name not in used:
            return name
        attempt += 1


def match_claims(previous: Sequence[Claim], current: Sequence[Claim]) -> tuple[Claim, ...]:
    """`current` with the ids of the claims of `previous` that they continue.

    One to one: equal text first; then, within a section, the pairs with the highest token Jaccard
    (numbers masked) of at least 0.5; what is left gets a new id that no other claim has.
    """
    matched = _equal_texts(previous, current)
    matched |= _alike(previous, current, matched)
    taken = {claim.id for claim in previous}
    result: list[Claim] = []
    for index, claim in enumerate(current):
        old = matched.get(index)
        name = claim.id if old is None else previous[old].id
        if old is None and name in taken:
            name = new_id(claim.text, taken | {other.id for other in current})
        taken.add(name)
        result.append(claim if claim.id == name else replace(claim, id=name))
    return tuple(result)


def _equal_texts(previous: Sequence[Claim], current: Sequence[Claim]) -> dict[int, int]:
    waiting: dict[str, list[int]] = {}
    for index in range(len(previous) - 1, -1, -1):
        waiting.setdefault(previous[index].text, []).append(index)
    return {
        index: old.pop() for index, claim in enumerate(current) if (old := waiting.get(claim.text))
    }


def _alike(
    previous: Sequence[Claim], current: Sequence[Claim], matched: dict[int, int]
) -> dict[int, int]:
    used = set(matched.values())
    sections: dict[str, list[tuple[int, frozenset[str]]]] = {}
    for index, claim in enumerate(previous):
        if index not in used:
            sections.setdefault(claim.location.section, []).append(
                (index, masked_tokens(claim.text))
            )
    pairs: list[tuple[float, int, int]] = []
    for index, claim in enumerate(current):
        if index not in matched:
            words = masked_tokens(claim.text)
            for old, others in sections.get(claim.location.section, ()):
                score = jaccard(words, others)
                if score >= SAME_CLAIM:
                    pairs.append((-score, index, old))
    found: dict[int, int] = {}
    for _, index, old in sorted(pairs):
        if index not in found and old not in used:
            found[index] = old
            used.add(old)
    return found


def masked_tokens(text: str) -> frozenset[str]:
    """The distinct words of `text` in lower case, every number replaced by one mark."""
    return frozenset(_TOKEN.findall(_NUMBER.sub("0", text.casefold())))


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """The share of common words, 0–1; two empty sets are alike."""
    union = len(left | right)
    return len(left & right) / union if union else 1.0
