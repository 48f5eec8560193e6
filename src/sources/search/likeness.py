"""Which queries ask the same, so that they may share one answer.

Only what cannot change a question is passed over. A query that could be another question is one:
a missed sharing costs one search, a wrong one gives a claim someone else's sources.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from .policy import LikenessWords

_TOKEN = re.compile(
    r"(?P<number>(?<![\w.])[-−+]?[$€£¥]?\d+(?:[.,]\d+)*)"
    r"|(?P<word>[^\W\d_]+(?:['’&][^\W_]+)*[+#]*|[^\W_]+)"
    r"|(?P<sign>[%‰$€£¥₹₽°<>=≤≥±])"
)
_THOUSANDS = re.compile(r"[$€£¥+−-]{0,2}\d{1,3}(?:,\d{3})+")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")


class _Word(NamedTuple):
    """A word or number of a query. `text` is in lower case where case does not matter."""

    text: str
    number: bool
    capital: bool


class Likeness:
    """Compares queries by the lists of `search.yaml`."""

    def __init__(self, words: LikenessWords) -> None:
        self._words = words
        openings = "|".join(map(re.escape, words.openings))
        self._opening = re.compile(rf"(?:{openings})\s+", re.IGNORECASE)

    def key(self, query: str) -> str:
        """What all queries with the same words share; they need not ask the same."""
        return " ".join(sorted(self._singular(word.text) for word in self._read(query)))

    def same(self, left: str, right: str) -> bool:
        """Whether two queries ask the same.

        They do if they have the same words and numbers in the same order, capitals, punctuation,
        fillers and plurals of ordinary words aside. A single name and a single year may stand
        elsewhere if all other words name measures.
        """
        one, other = self._read(left), self._read(right)
        names = _names(one, other)
        return self._form(one, names) == self._form(other, names)

    def _read(self, query: str) -> list[_Word]:
        text = unicodedata.normalize("NFC", query).strip()
        opening = self._opening.match(text)
        text = text[opening.end() :] if opening else text
        if any(unicodedata.category(character).startswith("M") for character in text):
            # Vowel signs of other scripts are no letters to `re`, and without them words fall
            # together.
            return [_Word(word, False, False) for word in text.split()]
        words: list[_Word] = []
        for match in _TOKEN.finditer(text):
            unit = bool(words) and words[-1].number
            word = self._word(match, unit=unit, first=not words)
            if word.text not in self._words.fillers or word.text != match[0]:
                words.append(word)
        if len(words) > 1 and words[0].text == "the" and not words[1].capital:
            del words[0]
        return words

    def _word(self, match: re.Match[str], *, unit: bool, first: bool) -> _Word:
        text = match[0]
        if match["sign"]:
            return _Word("percent" if text == "%" else text, False, False)
        if match["number"]:
            digits = text.replace(",", "") if _THOUSANDS.fullmatch(text) else text
            return _Word(digits.replace("−", "-"), True, False)
        low = text.lower().replace("’", "'")
        capital = text != text.lower()
        acronym = text.isupper() and len(text) > 1
        # "5 mW" is not "5 MW", and "WHO" is not "who".
        if unit and len(text) <= 3:
            return _Word(text, False, False)
        if capital and low in self._words.case_matters and (acronym or not first):
            return _Word(text, False, True)
        return _Word(low, False, capital)

    def _singular(self, word: str) -> str:
        if len(word) < 4 or not word.isalpha() or word in self._words.not_plural:
            return word
        if word.endswith(("ss", "us", "is")) or not word.endswith("s"):
            return word
        return word[:-3] + "y" if word.endswith("ies") and len(word) > 4 else word[:-1]

    def _form(self, words: Sequence[_Word], names: frozenset[str] | None) -> tuple[str, ...]:
        """The words in a spelling and order that equal questions share; None: any may be a name."""
        if names is None:
            return tuple(word.text for word in words)
        spelled = tuple(
            word.text if word.text in names else self._singular(word.text) for word in words
        )
        rest = [text for text in spelled if text not in names and not _YEAR.fullmatch(text)]
        runs = sum(1 for is_name, _ in groupby(text in names for text in spelled) if is_name)
        years = sum(1 for text in spelled if _YEAR.fullmatch(text))
        if runs > 1 or years > 1 or not self._words.measures.issuperset(rest):
            return spelled
        return (
            *(text for text in spelled if text in names),
            "|",
            *(text for text in spelled if _YEAR.fullmatch(text)),
            "|",
            *rest,
        )


def _names(one: Sequence[_Word], other: Sequence[_Word]) -> frozenset[str] | None:
    """The words that are names in either query; None if neither has any capital."""
    capitals = {word.text for word in (*one, *other) if word.capital}
    if not capitals:
        return None
    ordinary = {
        word.text
        for words in (one, other)
        if any(word.capital for word in words)
        for word in words
        if not (word.capital or word.number)
    }
    return frozenset(capitals - ordinary)
