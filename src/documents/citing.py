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
MAX_SOURCE_LINE = 150
_NAMES_SOURCE = re.compile(
    r"\s*(?:(?:[—–―]|--?)\s?\S|\(.*\)\.?$|(?:from|source|quelle|quoted (?:from|in))\b)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
LEAST_SMALL = 3
# "The mill changed from", neither "edited by" nor "a revised edition".
_PAST = re.compile(
    r"(?<![^\W_])(?!(?:the|an?|and|or|of|in|on|by|as|is|are|not|its|their) )[\w’'-]+ "
    r"(?P<word>[a-z]{2,20}ed)(?= (?!by\b)[a-z\d]|[.;,]? ?$)"
)
_EMPTY_BRACKET = re.compile(r"\s*[(\[][\s,;&\d]*[)\]]")
_BEGINS = re.compile(r"(?:The|An?|This|That|These|Those|All|Each|Every|No|Its?|They|We|He|She)\s")


@functools.cache
def _source_words(words: Words) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{any_of(words)})(?!\w)\.?|\b{ACCESSED}", re.IGNORECASE)


def has_amount(text: str) -> bool:
    """Whether `text` holds an amount, as no entry of a list of references does."""
    return _AMOUNT.search(text) is not None


def states(text: str, words: DocumentWords) -> bool:
    """Whether `text` holds an amount, a finite verb of the list or one that ends in "-ed"."""
    if has_amount(text):
        return True
    if any(word in words.finite_verbs for word in _WORD.findall(text) if word.islower()):
        return True
    return any(match["word"] not in words.publishing_words for match in _PAST.finditer(text))


def _is_sentence(text: str) -> bool:
    """Whether `text` begins and ends as a sentence does, and not as an entry: "All wards …"."""
    text = text.strip()
    small = sum(word.islower() for word in _WORD.findall(text))
    return _BEGINS.match(text) is not None and text.endswith(".") and small >= LEAST_SMALL


def is_title(text: str, words: DocumentWords) -> bool:
    """Whether `text` reads as the name of a source, not as a statement."""
    return len(_WORD.findall(text)) <= MAX_TITLE_WORDS and not states(text, words)


def only_cites(text: str, titles: Iterable[Span], words: DocumentWords) -> bool:
    """Whether `text`, which has lost its markers, holds only `titles` and words like "Source:"."""
    rest = _source_words(words.source_words).sub("", blank(text, titles))
    return not any(map(str.isalnum, rest))


def is_attribution(text: str, words: DocumentWords) -> bool:
    """Whether `text` only says whose words stand before it: "— Mary Ash, nurse, in 2023"."""
    named = _ATTRIBUTION.fullmatch(text.strip()) is not None
    return named and not states(text, words)


def names_source(text: str, words: DocumentWords) -> bool:
    """Whether a cited line only says where the words above it are from: "— report, p. 3"."""
    if len(text) > MAX_SOURCE_LINE or states(text, words):
        return False
    return _NAMES_SOURCE.match(text) is not None


def reads_as_reference(inline: InlineText, start: int, words: DocumentWords) -> bool:
    """Whether `inline` from `start` on only names a work: an author, a title, where to find it.

    Titles (emphasised, quoted or linked) and addresses may say anything; outside of them an entry
    has neither a finite verb nor an amount.
    """
    text = inline.text
    plain = blank(text, (link.span for link in inline.links), " ")[start:]
    if _is_sentence(_EMPTY_BRACKET.sub(" ", plain).replace(" .", ".")):
        return False
    titles = [*inline.styled, *(link.span for link in inline.links)]
    titles += (Span(*match.span()) for match in _QUOTED.finditer(text))
    addresses = [address.span for address in (*find_addresses(text), *find_files(text))]
    rest = blank(text, [Span(0, start), *titles, *addresses])
    named = bool(titles or addresses)
    if not _WORD.search(rest):
        return named
    if starts_like_entry(text[start:]) and has_year(text):
        return _AMOUNT.search(rest) is None
    return (named or has_year(text)) and not states(rest, words)
