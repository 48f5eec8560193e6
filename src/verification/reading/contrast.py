"""What a claim names only to rule it out: "Moe, not Holt, wrote it", "not the tax but the fee"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...claims.lexicon import Lexicon
from ...claims.words import Token
from .frames import find_frames

_WORDS = r"(?:[^\W\d][\w’'-]*(?: (?=[^\W\d])|(?=[,.;]|$))){1,8}"
# It begins like a name or noun: "not to learn but to teach" says what was done.
_PARTY = r"(?=(?:(?:by|to|from|for|with|in|at|on|of) )?(?:the|an?|his|her|its|their|[A-Z]))"
# A figure that is ruled out is compared like any other.
_AFTER_COMMA = re.compile(rf", (?:and )?not {_PARTY}{_WORDS}(?=,|\.?$)")
# "The board, rather than the staff, blames …", "it is falling, not rising".
_SET_APART = re.compile(
    rf",? (?:rather than|instead of|as opposed to) {_PARTY}{_WORDS}(?=,|\.?$)"
    r"|, (?:and )?not [a-z]+(?:ing|ed)(?=,|\.?$| (?:since|in|from|over|after)\b)"
)
_BEFORE_BUT = re.compile(rf"\bnot {_PARTY}(?:[^\W\d][\w’'-]* ){{1,8}}but (?:rather )?(?=[^\W\d])")
_LEAD = re.compile(r"(?:, ?)?(?:and )?not (?:by |to |from |for |with |against )?$")
_ONLY = re.compile(r"not (?:only|just|merely|simply|even|all|every|yet|always)\b")


def ruled_out(text: str, tokens: Sequence[Token], lexicon: Lexicon) -> Iterator[tuple[int, int]]:
    """The spans of `text` that say who or what it was not, with their "not"."""
    for pattern in (_AFTER_COMMA, _SET_APART, _BEFORE_BUT):
        for match in pattern.finditer(text):
            if not _ONLY.search(match[0]):
                yield match.span()
    if "not " not in text:
        return
    for frame in find_frames(text, tokens, lexicon, lambda _: True):
        for party in frame.denied.values():
            lead = _LEAD.search(text, max(0, party.start - 20), party.start)
            if lead:
                yield lead.start(), party.start + len(party.text)
