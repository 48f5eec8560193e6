"""One share, given of two wholes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..documents.model import Sentence
from .model import Flaw, FlawKind
from .reading import Reading

_FIGURE = r"(?P<figure>\d[\d.,]{0,12})\s?(?:%|per ?cent)"
_OF = re.compile(rf"{_FIGURE} of (?P<rest>[^.;:,(]{{3,160}})", re.IGNORECASE)
_AMONG = re.compile(
    rf"\b(?:of|among|amongst|in) (?P<whole>[^.;:,()]{{3,120}}), (?:\w+ )?{_FIGURE}"
    r"(?: of (?:them|these|those))? (?P<part>[^.;:,(]{3,120})",
    re.IGNORECASE,
)
_FEWEST_SHARED = 2
_OWN = "own"
"""A stop word, but a verb in a share: "40 % own a dog"."""


@dataclass(frozen=True, slots=True)
class _Share:
    """`words` are those of "40 % of the owners are farmers": the whole's, then the part's.

    `wholes` is how many of them are known to be the whole's, 0 if the sentence does not tell;
    `limited` says that a clause limits the whole: "of those who replied".
    """

    sentence: Sentence
    span: tuple[int, int]
    figure: str
    words: tuple[str, ...]
    wholes: int
    limited: bool


def shares(reading: Reading) -> Iterator[Flaw]:
    """The same share of the part instead of the whole, or of another whole.

    Two shares with one figure are of the same if they have words of weight in common; the first
    words tell what they are shares of.
    """
    seen: dict[str, list[_Share]] = {}
    for sentence in reading.prose:
        for share in _found(sentence, reading):
            earlier = seen.setdefault(share.figure, [])
            for one in earlier:
                kind = _slip(one, share, reading)
                if kind is not None and one.sentence.block != sentence.block:
                    yield reading.flaw(
                        kind,
                        sentence,
                        f"Line {one.sentence.line} gives this share of another whole.",
                        span=share.span,
                        related=(reading.place(one.sentence),),
                    )
                    break
            earlier.append(share)


def _found(sentence: Sentence, reading: Reading) -> Iterator[_Share]:
    for found in _OF.finditer(sentence.text):
        words = _words(found["rest"], reading)
        if words:
            yield _Share(sentence, found.span(), _digits(found["figure"]), words, 0, limited=False)
    for found in _AMONG.finditer(sentence.text):
        whole, part = _words(found["whole"], reading), _words(found["part"], reading)
        if whole and part:
            figure = _digits(found["figure"])
            yield _Share(
                sentence,
                found.span(),
                figure,
                whole + part,
                len(whole),
                limited=_is_limited(found["whole"]),
            )


def _is_limited(whole: str) -> bool:
    return re.search(r"\b(?:who|that|which|whose)\b", whole) is not None


def _digits(figure: str) -> str:
    return figure.rstrip(".,")


def _words(text: str, reading: Reading) -> tuple[str, ...]:
    book, anybody = reading.lexicon.words, reading.rules.shares.anybody
    found = (
        token.stem
        for token in book.tokens(text)
        if token.word == _OWN or token.word not in book.stop_words | anybody
    )
    return tuple(dict.fromkeys(found))


def _slip(one: _Share, other: _Share, reading: Reading) -> FlawKind | None:
    """What is wrong with the second of two shares with one figure, if they are of the same."""
    matched = set(one.words) & set(other.words)
    if not matched:
        return None
    first, last = one.words[0], other.words[0]
    if len(matched) >= _FEWEST_SHARED and first != last and {first, last} <= matched:
        return FlawKind.INVERTED_SHARE
    if first in matched:
        return FlawKind.CHANGED_DENOMINATOR if _is_widened(one, other, reading) else None
    if last in matched:
        return None
    part = one.words[one.wholes or 1 :]
    known = bool(part) and all(word in matched for word in part)
    if known or len(matched) >= _FEWEST_SHARED:
        return FlawKind.CHANGED_DENOMINATOR
    return None


def _is_widened(one: _Share, other: _Share, reading: Reading) -> bool:
    """Whether the whole of `other` is that of `one` without what says who was asked."""
    sampled = set(_words(" ".join(reading.rules.shares.sampled), reading))
    here, there = set(one.words), set(other.words)
    part = set(one.words[one.wholes :])
    if one.limited and not other.limited and part <= there:
        return set(one.words[1 : one.wholes]).isdisjoint(there)
    return (
        bool(sampled & (here - there))
        and not sampled & (there - here)
        and len(here & there) >= _FEWEST_SHARED
    )
