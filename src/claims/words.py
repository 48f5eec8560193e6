"""Words of English text: tokens, stems, and the word lists of `words.yaml`."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ..base.registry import RegistryModel


class WordsFile(RegistryModel):
    """`config/registry/words.yaml`."""

    stop_words: tuple[str, ...]
    irregular: dict[str, str]
    contraries: tuple[tuple[str, ...], ...]
    guards: dict[str, dict[str, tuple[str, ...]]]
    meta_terms: dict[str, str]
    meta: tuple[str, ...]
    orders: tuple[str, ...]
    refutation: tuple[str, ...]
    reservations: tuple[str, ...]
    retraction: str
    restated: str
    framing: tuple[str, ...]
    withdrawing: tuple[str, ...]


# "C#" and "C++" are words of their own.
WORD = re.compile(r"[^\W_]+(?:[.,'’][^\W_]+)*(?:(?<=\b[A-Z])[#+]{1,2})?")
# -ise and -isation: the other spelling is the same word.
_BRITISH = re.compile(r"(?<=\w{3})is(?=e$|ed$|es$|ing$|ation$|ations$)")
_STEMS_KEPT = 50_000
_VOWEL = re.compile(r"[aeiouy]")
_DOUBLED_L = re.compile(r"[aeiouy][^aeiouy]+[aeiou]ll$")
_EDGE = r"\b"
# A capital that is no escape such as "\W" and names no group.
_CAPITAL = re.compile(r"(?<![\\?])[A-Z]")
_NEVER = r"(?!)"
# A class of turning words and a group of it.
Key = tuple[str, str]


class Token(NamedTuple):
    """A word or number of a text: `word` in lower case, `stem` its comparison form."""

    word: str
    stem: str
    start: int
    end: int
    capital: bool


@dataclass(frozen=True, slots=True)
class Cues:
    """Patterns of which any will do, whatever the case of the letters.

    One that begins with the mark of a word's edge is tried where a word begins, any other
    everywhere.
    """

    pattern: re.Pattern[str]

    @classmethod
    def compile(cls, patterns: Iterable[str]) -> Cues:
        """The cues of `patterns`."""
        words, others = list[str](), list[str]()
        for pattern in patterns:
            tried = words if pattern.startswith(_EDGE) else others
            tried.append(f"(?:{pattern.removeprefix(_EDGE)})")
        led = [rf"\b(?=\w)(?:{'|'.join(words)})"] if words else []
        whole = "|".join([*led, *others]) or _NEVER
        # In lower-case text letters are compared as they are, which is several times faster.
        return cls(re.compile(whole, re.IGNORECASE if _CAPITAL.search(whole) else re.NOFLAG))

    def found_in(self, text: str) -> bool:
        """Whether `text` has any of them."""
        return self.pattern.search(text.lower()) is not None


@dataclass(frozen=True, slots=True, eq=False)
class WordBook:
    """The word lists by stem.

    `guards` leads from a written word or phrase to its classes and groups, `contraries` from a stem
    to the numbers of its groups.
    """

    stop_words: frozenset[str]
    irregular: Mapping[str, str]
    contraries: Mapping[str, frozenset[int]]
    guards: Mapping[str, tuple[Key, ...]]
    meta: Cues
    orders: Cues
    refutation: re.Pattern[str]
    reservations: tuple[re.Pattern[str], ...]
    retraction: re.Pattern[str]
    restated: re.Pattern[str]
    framing: re.Pattern[str]
    withdrawing: re.Pattern[str]

    @classmethod
    def compile(cls, file: WordsFile) -> WordBook:
        """Build the look-up tables of `file`."""
        guards: dict[str, tuple[Key, ...]] = {}
        for kind, groups in file.guards.items():
            for group, forms in groups.items():
                for form in forms:
                    guards[form] = (*guards.get(form, ()), (kind, group))
        contraries: dict[str, frozenset[int]] = {}
        for number, words in enumerate(file.contraries):
            for root in (stem(word, file.irregular) for word in words):
                contraries[root] = contraries.get(root, frozenset()) | {number}
        return cls(
            stop_words=frozenset(file.stop_words)
            | {stem(word, file.irregular) for word in file.stop_words},
            irregular=file.irregular,
            contraries=contraries,
            guards=guards,
            meta=Cues.compile(_filled(p, file.meta_terms) for p in (*file.meta, *file.orders)),
            orders=Cues.compile(_filled(pattern, file.meta_terms) for pattern in file.orders),
            refutation=_any(file.refutation),
            reservations=tuple(re.compile(one, re.IGNORECASE) for one in file.reservations),
            retraction=_any((file.retraction,)),
            restated=_any((file.restated,)),
            framing=_any(file.framing),
            withdrawing=_any(file.withdrawing),
        )

    def stem(self, word: str) -> str:
        """The comparison form of a lower-case word, see `stem`; of the latest words it is kept."""
        return _stem_by(self, word)

    def are_contrary(self, one: str, other: str) -> bool:
        """Whether two lower-case words, no forms of one, are of one group of `contraries`."""
        left, right = self.stem(one), self.stem(other)
        none = frozenset[int]()
        shared = self.contraries.get(left, none) & self.contraries.get(right, none)
        return left != right and bool(shared)

    def tokens(self, text: str) -> list[Token]:
        """The words and numbers of `text`, in order."""
        return [
            Token(low, self.stem(low), match.start(), match.end(), match[0][0].isupper())
            for match in WORD.finditer(text)
            for low in (match[0].lower().replace("’", "'"),)
        ]


@functools.lru_cache(maxsize=_STEMS_KEPT)
def _stem_by(book: WordBook, word: str) -> str:
    return stem(word, book.irregular)


def content_stems(text: str, book: WordBook) -> frozenset[str]:
    """The stems of the words of `text` that carry meaning."""
    return frozenset(token.stem for token in book.tokens(text) if token.word not in book.stop_words)


def _filled(pattern: str, terms: Mapping[str, str]) -> str:
    for name, alternatives in terms.items():
        pattern = pattern.replace(f"<{name}>", alternatives)
    return pattern


def _any(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


def stem(word: str, irregular: Mapping[str, str]) -> str:
    """The comparison form of a lower-case word: endings of number, tense and manner are dropped."""
    if "'" in word:
        word = word.removesuffix("'s")
    word = _BRITISH.sub("iz", irregular.get(word, word))
    if len(word) < 4 or not word.isalpha():
        return word
    word = _base(word, irregular)
    # "Ewe" is the same in one and in many.
    return word.removesuffix("e") if len(word) > 3 else word


def _base(word: str, irregular: Mapping[str, str]) -> str:
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-3] + "y" if word.endswith("ies") and len(word) > 4 else word[:-1]
        word = irregular.get(word, word)
    for ending in ("ing", "ed", "ly"):
        root = word.removesuffix(ending)
        if root != word and len(root) > 2 and _VOWEL.search(root):
            word = _undoubled(root)
    return word


def _undoubled(root: str) -> str:
    if root.endswith("i"):
        return root[:-1] + "y"
    if len(root) > 3 and root[-1] == root[-2] and root[-1] not in "lsz":
        return root[:-1]
    # "Cancelled" is of "cancel", "called" of "call".
    return root[:-1] if _DOUBLED_L.search(root) else root
