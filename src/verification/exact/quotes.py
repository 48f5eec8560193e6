"""Whether words in quotation marks stand in a text (design, principle 3).

Compared are the words, exactly. White space, quotation marks, dashes and ligatures are typography
and match their like. An ellipsis in the quote may skip words, a bracketed insertion stands for a
few, a bracketed letter may change case, and so may the first letter of the quote. A speaker named
between two parts of one utterance ("…," she said, "…") is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from ...claims.model import Claim
from ..model import SlotOutcome
from ..passages.retrieval import SourceText
from .model import QuoteCheck
from .words import Word, split_words

# Ellipses and insertions beyond these make a quote a summary.
MAX_GAP = 1000
MAX_PARTS = 6
MAX_INSERTIONS = 4
MAX_QUOTE = 10_000
_ELLIPSIS = re.compile(
    r"\s*(?:\[\s*(?:\.\s?\.\s?\.|…)\s*\]|\(\s*(?:\.\.\.|…)\s*\)|\.{3,}|\.\s\.\s\.|…)\s*"
)
_SIC = re.compile(r"\s*\[sic\]", re.IGNORECASE)
_BRACKET = re.compile(r"\[([^\[\]]{1,80})\]")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SPACE = r"[\s\u200b\u00ad]+"
_MARKS = "\"'`“”„«»’\u2018\u201a\u2039\u203a\u00b4"
_DASHES = "-–—−‑\u2010\u2012"
_LIGATURES = {"ffi": "ﬃ", "ffl": "ﬄ", "fi": "ﬁ", "fl": "ﬂ", "ff": "ﬀ"}
_LETTERS = str.maketrans({ligature: letters for letters, ligature in _LIGATURES.items()})
_LIGATURE = re.compile("|".join(_LIGATURES))
_VARIED = re.compile(f"{'|'.join(_LIGATURES)}|['’]")
_INTERRUPTION = r"[.,;:!?]?\s?[”\"»’']\s?[^“”\"«»\n]{3,120}?(?<!\w)[“\"«\u2018']\s?"
_INSERTION = r"(?:[^\W_]+\W+){0,6}?(?:[^\W_]+)?"
_TURNS = re.compile(
    r"^\W*(?:not|never|no|neither|nor|cannot|hardly)\b|\b(?:not|never|no)\W*$|n['’]t\W*$"
)
_STRIP = " \t\r\n" + _MARKS
# An altered quotation shares this much with the source's words, and at least so many of them.
_ALIKE = 0.6
_SHARED = 4
_UNITS_READ = 6
_LONGEST = 400
_CLOSING = re.compile(r"[”\"»]|[.,;:!?]['’](?!\w)")


def quote_in_text(quote: str, text: str) -> tuple[int, int] | None:
    """Where the words of `quote` stand in `text`: the first place, or None if nowhere.

    `quote` comes without its quotation marks. A comma or full stop at its end belongs to the
    sentence around it. Words skipped by an ellipsis lie within 1,000 characters and one
    paragraph, and must not begin or end with a negation.
    """
    if len(quote) > MAX_QUOTE:
        return None
    plain = _SIC.sub("", quote.translate(_LETTERS)).strip(_STRIP)
    parts = [part for part in _ELLIPSIS.split(plain) if _WORD.search(part)]
    if sum(len(_BRACKET.findall(part)) for part in parts) > MAX_INSERTIONS:
        return None
    if not parts or len(parts) > MAX_PARTS or not _has_words(parts, text):
        return None
    if not _opening(parts[0]).search(text):
        return None
    first, *rest = [_pattern(part, opens=index == 0) for index, part in enumerate(parts)]
    for start in first.finditer(text):
        end = _follow(rest, text, start.end())
        if end is not None:
            return start.start(), end
    return None


def _has_words(parts: Sequence[str], text: str) -> bool:
    """Whether each word stands somewhere: to make a pattern takes longer, and most quotes fail."""
    words = _WORD.findall(_BRACKET.sub("|", " ".join(parts)))
    # The first letter of a quote may change case; these have other forms.
    return all(word[not at :] in text for at, word in enumerate(words) if not _VARIED.search(word))


def _opening(part: str) -> re.Pattern[str]:
    """A cheap pattern for the first words: most absent quotes already fail on it."""
    words = _WORD.findall(_BRACKET.sub("|", part).partition("|")[0])[:3]
    return re.compile(r"\W+".join(_word(word) for word in words), re.IGNORECASE)


def _follow(patterns: list[re.Pattern[str]], text: str, end: int) -> int | None:
    for pattern in patterns:
        found = pattern.search(text, end, end + MAX_GAP)
        if found is None:
            return None
        skipped = text[end : found.start()]
        if "\n\n" in skipped or _TURNS.search(skipped):
            return None
        end = found.end()
    return end


def _pattern(part: str, *, opens: bool) -> re.Pattern[str]:
    part = part.strip(_STRIP).rstrip(".,;:" + _STRIP)
    pieces: list[str] = []
    end = 0
    for bracket in _BRACKET.finditer(part):
        pieces += [
            _plain(part[end : bracket.start()]),
            _bracketed(bracket[1], part[bracket.end() :]),
        ]
        end = bracket.end()
    pieces.append(_plain(part[end:]))
    body = "".join(pieces)
    if opens and part[:1].isalpha():
        at = body.index(part[0])  # 0, or 3 behind the "(?:" of a ligature
        body = f"{body[:at]}[{part[0].lower()}{part[0].upper()}]{body[at + 1 :]}"
    return re.compile(rf"(?<!\w){body}(?!\w)")


def _bracketed(inside: str, after: str) -> str:
    literal = rf"\[{_plain(inside)}\]"
    if len(inside) == 1 and after[:1].isalpha():
        return f"(?:{literal}|[{re.escape(inside.lower())}{re.escape(inside.upper())}])"
    return f"(?:{literal}|{_INSERTION})"


def _plain(part: str) -> str:
    spans = [match.span() for match in _WORD.finditer(part)]
    if not spans:
        return _typography(part)
    pieces = [_typography(part[: spans[0][0]])]
    for (start, end), (following, _) in pairwise([*spans, (len(part), 0)]):
        pieces.append(_word(part[start:end]))
        between = part[end:following]
        gap = _typography(between)
        last = following == len(part)
        if last or not between[-1:].isspace():
            pieces.append(gap)
        else:
            # Atomic: trying both at every gap would take ever so long.
            pieces.append(rf"(?>{gap}(?=\w)|{_INTERRUPTION}(?=\w))")
    return "".join(pieces)


def _word(word: str) -> str:
    pattern = re.sub(r"['’]", "['’]", re.escape(word)) if "'" in word or "’" in word else word
    return _LIGATURE.sub(lambda match: f"(?:{match[0]}|{_LIGATURES[match[0]]})", pattern)


def _typography(between: str) -> str:
    pieces: list[str] = []
    for match in re.finditer(rf"\s*[{_DASHES}]\s*|\s+|[{_MARKS}]|.", between):
        token = match[0]
        if token.strip() and token.strip() in _DASHES:
            pieces.append(rf"\s*[{_DASHES}]\s*")
        elif token.isspace():
            pieces.append(_SPACE)
        elif token in _MARKS:
            pieces.append(f"[{_MARKS}]{{1,2}}")
        else:
            pieces.append(re.escape(token))
    return "".join(pieces)


def check_quotations(claim: Claim, source: SourceText) -> tuple[QuoteCheck, ...]:
    """Each quotation of the claim, looked for in the source."""
    checks: list[QuoteCheck] = []
    for quote in claim.quotes:
        if place := quote_in_text(quote.text, source.stated):
            checks.append(QuoteCheck(quote, SlotOutcome.MATCH, *place))
        elif near := closest_words(quote.text, source):
            checks.append(QuoteCheck(quote, SlotOutcome.MISMATCH, *near))
        else:
            checks.append(QuoteCheck(quote, SlotOutcome.ABSENT))
    return tuple(checks)


def closest_words(quote: str, source: SourceText) -> tuple[int, int] | None:
    """The words of the source that `quote` seems to have altered, or None if nothing is close."""
    wanted = [word.key for word in split_words(quote)][:_LONGEST]
    places: list[tuple[float, int, int]] = []
    for unit in source.best_units(quote, _UNITS_READ):
        # An utterance may go on in the next sentence.
        words = split_words(source.stated[unit.start : unit.end + len(quote)], unit.start)
        if place := _overlay(wanted, words[:_LONGEST]):
            places.append(place)
    if not places:
        return None
    _, start, end = max(places, key=lambda place: place[0])
    closing = _CLOSING.search(source.stated, start + (end - start) // 2, end)
    return start, closing.start() if closing else end


def _overlay(wanted: list[str], words: Sequence[Word]) -> tuple[float, int, int] | None:
    """How much of `wanted` the words share in one stretch, and where that stretch lies."""
    found = [word.key for word in words]
    blocks = SequenceMatcher(None, wanted, found, autojunk=False).get_matching_blocks()[:-1]
    blocks = [block for block in blocks if block.size > 1] or blocks
    shared = sum(block.size for block in blocks)
    if not blocks or shared < min(_SHARED, len(wanted) - 1):
        return None
    first = max(0, blocks[0].b - blocks[0].a)
    last = min(len(found), blocks[-1].b + len(wanted) - blocks[-1].a)
    if shared < _ALIKE * len(wanted) or last - first > 2 * len(wanted):
        return None
    return shared / len(wanted), words[first].start, words[last - 1].end
