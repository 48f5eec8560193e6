"""Links at the end of a clause whose words only cite: "in 2023 [police](safety-report.txt)".

The words of a link belong to the sentence in "by the [city council](council.md)", and do not in
"named it as their reason [survey](survey.md)". One link alone may be either; how the document
writes its others tells.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from .inline import InlineText, Link, Span
from .scope import LOCATOR, is_title
from .words import WORD, DocumentWords

LEAST_WORDS, MOST_TITLE = 3, 4
_LONGEST_CLAUSE = 200

ENDS = re.compile(r"(?:\s*[,;]?\s*(?=[.!?;,](?:\s|$)|$)|\s*(?:,|;|and)?\s*$)")
"""What follows a link at the end of a clause."""
_GAP = re.compile(r"\s*(?:[,;&]|and)?\s*")
_YEAR = re.compile(
    r"\b(?:in|since|by|until|till|of|from|to|for|during|after|before|than in) (?:19|20)\d\d\s+$",
    re.IGNORECASE,
)
# "manual, ch. 3", "see there, section …", "PDF, 3 MB", "Lund's fees, 2016–2017": a place in a
# source, a file and its size, a work and its year are no words of a sentence.
_CITES = re.compile(
    rf".*\W{LOCATOR}|(?:see|cf\.?) (?:there|also)\b.*|\w{{3,4}}, [\d.]+ ?[kMG]i?B"
    r"|.*, (?:19|20)\d\d(?:[-–]\d{2,4})?",
    re.IGNORECASE,
)
_CLOSED = re.compile(r"[\"”’»)]$")
_BEGIN_PHRASE = frozenset(("a", "an", "the", "this", "that", "and", "or"))
_OPENS_PHRASE = re.compile(r"(?:'s|’s|ing)$")


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A link at the end of a clause, and whether its place alone shows that it only cites."""

    key: tuple[str, str]
    span: Span
    start: int
    loose: bool
    shown: bool


class BareLinks:
    """The links of a document that only cite, by their words and targets.

    Args:
        blocks: The text of its paragraphs, list items and so on.
        words: The word lists.
    """

    def __init__(self, blocks: Iterable[InlineText], words: DocumentWords) -> None:
        self._words = words
        self._openers = words.determiners | words.phrase_openers
        found = [one for block in blocks for one in self._candidates(block)]
        loose = Counter(one.key for one in found if one.loose)
        shown = {one.key for one in found if one.shown}
        fast = {one.key for one in found if not one.loose}
        repeated = {key for key, times in loose.items() if times > 1 and key not in fast}
        self._keys = frozenset(shown | {key for key in repeated if shown or self._names(key)})

    def spans(self, inline: InlineText) -> frozenset[Span]:
        """The ranges of the links of `inline` that only cite."""
        if not self._keys:
            return frozenset()
        found = self._candidates(inline)
        return frozenset(one.span for one in found if one.loose and one.key in self._keys)

    def _names(self, key: tuple[str, str]) -> bool:
        """Whether the words are those of a source, or of the file that they lead to."""
        text, target = key
        stem = WORD.findall(_file_name(target))
        last = WORD.findall(text)[-1:]
        return bool(last) and (last[0] in self._words.source_nouns or last[0] in stem)

    def _candidates(self, inline: InlineText) -> Iterator[_Candidate]:
        """The links that end a clause, or stand right before one that cites, the last one first."""
        following: _Candidate | None = None
        for link in sorted(inline.links, key=lambda one: one.span, reverse=True):
            beside = (
                following is not None
                and _GAP.fullmatch(inline.text, link.whole.end, following.start) is not None
            )
            ends = beside or ENDS.match(inline.text, link.whole.end)
            following = self._candidate(inline, link, beside) if ends else None
            if following is not None:
                yield following

    def _candidate(self, inline: InlineText, link: Link, beside: bool) -> _Candidate | None:
        """The link as a candidate; `beside` says that one which cites follows right on it."""
        if link.target.startswith("#"):
            return None
        text = inline.text[link.span.start : link.span.end].strip()
        start = link.whole.start
        before = inline.text[max(0, start - _LONGEST_CLAUSE) : start]
        clause = re.split(r"[.!?]\s", before)[-1]
        words = WORD.findall(text.casefold())
        key = (text.casefold(), link.target)
        # "Source", "link", "see here"
        says_so = bool(words) and self._words.citing_links.issuperset(words)
        if says_so or _CITES.fullmatch(text):
            loose = not self._takes_noun(clause or "the")
            return _Candidate(key, link.span, start, loose, loose)
        is_short = 0 < len(words) <= MOST_TITLE and is_title(text, self._words)
        if not is_short or not (self._is_name(text, words) or _is_label(text, link.target)):
            return None
        loose = len(WORD.findall(clause)) >= LEAST_WORDS and not self._takes_noun(clause)
        near = [word.casefold() for word in clause.split()[-3:]]
        # It may end a phrase that began just before: "an annual travel [survey]".
        in_phrase = not _BEGIN_PHRASE.isdisjoint(near) or any(map(str.isdigit, near[-1:]))
        named = self._names(key) and not in_phrase
        apart = _YEAR.search(before[-40:]) or _CLOSED.search(before.rstrip())
        shown = loose and (bool(apart) or len(text) < 3 or named or beside)
        return _Candidate(key, link.span, start, loose, shown)

    def _is_name(self, text: str, words: Sequence[str]) -> bool:
        """Whether it may be what a source is called: a word, or a title with such a word in it."""
        if words[0] in self._openers:
            return False
        titled = len(words) > 1 and not self._words.source_nouns.isdisjoint(words)
        return text[:1].islower() or titled

    def _takes_noun(self, clause: str) -> bool:
        """Whether the word before goes on with a noun: "the", "of", "is", "using", "Arn's"."""
        last = clause.split()[-1].casefold()
        return last in self._openers or _OPENS_PHRASE.search(last) is not None


def _is_label(text: str, target: str) -> bool:
    """Whether the words are the short name of the file that they lead to: "[a](a.md)"."""
    return len(text) < 3 and text.casefold() == _file_name(target).partition(".")[0]


def _file_name(target: str) -> str:
    return target.rstrip("/").rpartition("/")[2].casefold()
