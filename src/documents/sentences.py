"""Plain text to sentences: nupunkt, and rules where it fails."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from .inline import Span, trimmed
from .words import DocumentWords

MAX_QUOTATION = 600

_MAY_GO_ON = re.compile(r"[.!?\u2026]\S{0,4}\s|[\u3002\uff01\uff1f].")
_CJK_END = re.compile(r"[\u3002\uff01\uff1f]+[\u300d\u300f\u201d\u2019\uff09]*")
_PLAIN_END = re.compile(r"\b(?:[a-z]{3,}|[A-Z][a-z]{5,})\.[\"'”’)\]]*\s+(?=[\"“(]?[A-ZÀ-ÖØ-Þ])")
_FIGURE_NEXT = re.compile(
    r"\b(?:[a-z]{4,}|[A-Z][a-z]{4,})\.[\"'”’)\]]*\s+(?=\d[\d.,]{0,20}%?\s[a-z])"
)
# A quotation may begin a sentence in small letters.
_QUOTE_NEXT = re.compile(r"(?:[^\W\d_]{4,}|[\d%)\]])\.[)\]]*\s+(?=[\"“«]\w+\W)")
_NEXT = re.compile(r"[.!?][\"'”’)\]]*\s+(?=[\"“(]?(?:[^\W_a-z]|\d))")
# "At 10 AM. The …", but "10 a.m. Monday" and "10 a.m. EST".
_TIME_END = re.compile(
    r"\d\s?(?:[AP]M\.|[ap]\.m\.)\s+(?=[A-Z][a-z]+\b(?<!day)(?!\s(?:[Tt]ime|[Ss]tandard)))"
)
_RUN_END = 4
_RUN = re.compile(r"[^\w\s]{12,}")
_LAST_WORD = re.compile(r"([^\s(\[\"“\u2018«]+)\.\s*$")
_ENUMERATOR = re.compile(r"(?:\A|[:;]\s)\(?(?:\d{1,3}|[ivxIVX]{1,5}|[a-zA-Z])[.)]\s*$")
_DAY = re.compile(r"(?:^|\s)\d{1,2}\.\s*$")
_CALLS = re.compile(r"[!?\u2026][\"'”’»)]*\s*$")
_WORD = re.compile(r"[^\W\d_]+")


def split_sentences(
    text: str, quotes: Sequence[Span], words: DocumentWords, sure: Collection[int] = ()
) -> list[Span]:
    """The sentences of `text`, without the white space around them.

    `sure` are full stops that end a sentence, because a citation stands right before them.

    A boundary inside one of `quotes` (ascending) counts only if the quotation is long, so that a
    short quotation of several sentences stays in one piece.
    """
    starts = [0]
    if _MAY_GO_ON.search(text):
        ends = {match.end() for at in sure if (match := _NEXT.match(text, at))}
        for end in _outside(sorted({*_boundaries(text, words), *ends}), quotes):
            if end in ends or not _goes_on(text, starts[-1], end, words):
                starts.append(end)
    spans = zip(starts, [*starts[1:], len(text)], strict=True)
    found = [trimmed(text, Span(*span)) for span in spans]
    return [span for span in found if span.start < span.end]


def _boundaries(text: str, words: DocumentWords) -> list[int]:
    # Imported here because loading its model takes longer than the rest of the package.
    import nupunkt

    # It takes the square of the length of a run of signs, of which the last few tell as much.
    shown = _RUN.sub(lambda run: "x" * (len(run[0]) - _RUN_END) + run[0][-_RUN_END:], text)
    found = {start for start, _ in nupunkt.sent_spans_adaptive(shown)}
    found.update(match.end() for match in _CJK_END.finditer(text))
    # nupunkt learns abbreviations from the text and then takes ordinary words for some, above all
    # before a sentence that begins with a figure.
    found.update(
        match.end()
        for pattern in (_PLAIN_END, _FIGURE_NEXT)
        for match in pattern.finditer(text)
        if match[0].partition(".")[0].lower() not in words.doubtful_abbreviations
    )
    found.update(match.end() for match in _TIME_END.finditer(text))
    found.update(match.end() for match in _QUOTE_NEXT.finditer(text))
    return sorted(found - {0, len(text)})


def _outside(ends: Sequence[int], quotes: Sequence[Span]) -> Iterator[int]:
    """Those of `ends` that no quotation of at most `MAX_QUOTATION` characters spans."""
    number = reach = 0
    for end in ends:
        while number < len(quotes) and quotes[number].start < end:
            if quotes[number].end - quotes[number].start <= MAX_QUOTATION:
                reach = max(reach, quotes[number].end)
            number += 1
        if end >= reach:
            yield end


def _goes_on(text: str, start: int, end: int, words: DocumentWords) -> bool:
    """Whether the sentence that begins at `start` goes on after the boundary at `end`."""
    left, right = text[max(start, end - 80) : end], text[end : end + 40]
    if _ENUMERATOR.search(left):
        return True
    following = right[:2]
    if _CALLS.search(left):
        return following[:1].islower() and not following[1:].isupper()
    last = _LAST_WORD.search(left)
    if last is None:
        return False
    if last[1].casefold() in words.abbreviations:
        return True
    month = _WORD.match(right)
    return bool(_DAY.search(left) and month and month[0].casefold() in words.ordinal_months)
