"""Whether a text states something or only names its source."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from .addresses import find_addresses, find_files
from .authors import has_year, starts_like_entry
from .inline import InlineText, Span, blank
from .words import DocumentWords, Words, any_of

MAX_TITLE_WORDS = 12

# "accessed 3 May 2024" in a bracket or at an entry's end; the control characters mask other text.
ACCESSED = (
    r"(?:accessed|retrieved|last visited|archived|abgerufen|consulté)\b[^()\[\]\x00-\x1f]{0,40}"
)

# A place in a source: "p. 3", "§ 4", "section 2.1".
LOCATOR = (
    r"(?:pp?\.|§§?|pages?|sections?|sec\.|chapters?|ch\.|table|fig\.|line)"
    r" ?\d[\w.]{0,10}(?:[-–]\d[\w.]{0,10})?"
)

_QUOTED = re.compile(r"\"[^\"]{0,300}\"|“[^”]{0,300}”|«[^»]{0,300}»|„[^“”]{0,300}[“”]")
_AMOUNT = re.compile(r"[%€$£¥]|\bper ?cent\b|\b(?:mill|bill|trill)ions?\b")
# A dash, a name, and what its bearer is.
_ATTRIBUTION = re.compile(
    r"(?:[—–―]|--?) ?(?:[A-Z][\w.'’-]*|the|a|an)(?:,? (?:[\w.'’&-]+|\([^()]{1,60}\))){0,14}[.:]?"
)
_WORD = re.compile(r"[^\W\d_]+")


@functools.cache
def _source_words(words: Words) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{any_of(words)})(?!\w)\.?|\b{ACCESSED}", re.IGNORECASE)


def states(text: str, verbs: Words) -> bool:
    """Whether `text` holds an amount or one of the finite `verbs`."""
    return _AMOUNT.search(text) is not None or any(
        word in verbs for word in _WORD.findall(text) if word.islower()
    )


def is_title(text: str, words: DocumentWords) -> bool:
    """Whether `text` reads as the name of a source, not as a statement."""
    return len(_WORD.findall(text)) <= MAX_TITLE_WORDS and not states(text, words.finite_verbs)


def only_cites(text: str, titles: Iterable[Span], words: DocumentWords) -> bool:
    """Whether `text`, which has lost its markers, holds only `titles` and words like "Source:"."""
    rest = _source_words(words.source_words).sub("", blank(text, titles))
    return not any(map(str.isalnum, rest))


def is_attribution(text: str, words: DocumentWords) -> bool:
    """Whether `text` only says whose words stand before it: "— Mary Ash, nurse, in 2023"."""
    named = _ATTRIBUTION.fullmatch(text.strip()) is not None
    return named and not states(text, words.finite_verbs)


def reads_as_reference(inline: InlineText, start: int, words: DocumentWords) -> bool:
    """Whether `inline` from `start` on only names a work: an author, a title, where to find it.

    Titles (emphasised, quoted or linked) and addresses may say anything; outside of them an entry
    has neither a finite verb nor an amount.
    """
    text = inline.text
    titles = [*inline.styled, *(link.span for link in inline.links)]
    titles += (Span(*match.span()) for match in _QUOTED.finditer(text))
    addresses = [address.span for address in (*find_addresses(text), *find_files(text))]
    rest = blank(text, [Span(0, start), *titles, *addresses])
    named = bool(titles or addresses)
    if not _WORD.search(rest):
        return named
    if starts_like_entry(text[start:]) and has_year(text):
        return _AMOUNT.search(rest) is None
    return (named or has_year(text)) and not states(rest, words.finite_verbs)
