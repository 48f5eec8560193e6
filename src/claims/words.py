"""Words of English text: tokens, stems, and the word lists of `words.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from .files import RelationPolicy, WordsFile
from .thesaurus import THESAURUS, Related, Relation, Thesaurus

# "C#" and "C++" are words of their own.
WORD = re.compile(r"[^\W_]+(?:[.,'’][^\W_]+)*(?:(?<=\b[A-Z])[#+]{1,2})?")
# -ise and -isation: the other spelling is the same word.
_BRITISH = re.compile(r"(?<=\w{3})is(?=e$|ed$|es$|ing$|ation$|ations$)")
_VOWEL = re.compile(r"[aeiouy]")


class Token(NamedTuple):
    """A word or number of a text: `word` in lower case, `stem` its comparison form."""

    word: str
    stem: str
    start: int
    end: int
    capital: bool

    def moved(self, offset: int) -> Token:
        """The token of a text that stands at `offset` in a longer one."""
        return self._replace(start=self.start + offset, end=self.end + offset)


@dataclass(frozen=True, slots=True)
class WordBook:
    """The word lists by stem. `guards` leads from a written word to its classes and groups."""

    stop_words: frozenset[str]
    weak_words: frozenset[str]
    irregular: Mapping[str, str]
    variants: Mapping[str, frozenset[str]]
    opposites: Mapping[str, frozenset[str]]
    guards: Mapping[str, tuple[tuple[str, str], ...]]
    meta: re.Pattern[str]
    refutation: re.Pattern[str]
    not_superlative: frozenset[str]
    repeatable: frozenset[str]
    speaker_verbs: frozenset[str]
    harmless: frozenset[str]
    source_nouns: frozenset[str]
    relations: RelationPolicy
    thesaurus: Thesaurus
    _alike: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    _close: dict[str, Mapping[str, float]] = field(default_factory=dict[str, Mapping[str, float]])

    @classmethod
    def compile(cls, file: WordsFile) -> WordBook:
        """Build the look-up tables of `file`."""
        variants: dict[str, set[str]] = {}
        for group in file.synonyms:
            stems = {stem(word, file.irregular) for word in group}
            for one in stems:
                variants.setdefault(one, set()).update(stems - {one})
        opposites: dict[str, set[str]] = {}
        for left, right in file.antonyms:
            one, other = stem(left, file.irregular), stem(right, file.irregular)
            opposites.setdefault(one, set()).add(other)
            opposites.setdefault(other, set()).add(one)
        guards: dict[str, tuple[tuple[str, str], ...]] = {}
        for kind, groups in file.guards.items():
            for group, words in groups.items():
                for word in words:
                    guards[word] = (*guards.get(word, ()), (kind, group))
        return cls(
            stop_words=frozenset(file.stop_words)
            | {stem(w, file.irregular) for w in file.stop_words},
            weak_words=frozenset(stem(word, file.irregular) for word in file.weak_words),
            irregular=file.irregular,
            variants={word: frozenset(others) for word, others in variants.items()},
            opposites={word: frozenset(others) for word, others in opposites.items()},
            guards=guards,
            meta=_any(_filled(pattern, file.meta_terms) for pattern in file.meta),
            refutation=_any(file.refutation),
            not_superlative=frozenset(file.not_superlative),
            repeatable=frozenset(stem(word, file.irregular) for word in file.repeatable),
            harmless=frozenset(file.harmless),
            source_nouns=frozenset(stem(word, file.irregular) for word in file.source_nouns),
            speaker_verbs=frozenset(stem(word, file.irregular) for word in file.speaker_verbs),
            relations=file.relations,
            thesaurus=THESAURUS,
        )

    def alike(self, word: str) -> frozenset[str]:
        """The stem `word` with the stems that mean the same."""
        known = self._alike.get(word)
        if known is None:
            same = self.variants.get(word, frozenset()) | {word}
            sure = {w for w, related in self.thesaurus.of(word).items() if self._is_sure(related)}
            known = self._alike[word] = (same | sure) - self.opposites.get(word, frozenset())
        return known

    def _is_sure(self, related: Related) -> bool:
        match related.relation:
            case Relation.SYNONYM:
                return related.weight >= self.relations.synonym
            case Relation.DERIVED:
                return related.weight >= self.relations.derived
            case _:
                return False

    def relation(self, word: str, other: str) -> Related:
        """What the stem `other` is to the stem `word`; the lists go before the thesaurus."""
        if other in self.opposites.get(word, ()):
            return Related(Relation.ANTONYM, 1.0)
        if word != other and other in self.variants.get(word, ()):
            return Related(Relation.SYNONYM, 1.0)
        return self.thesaurus.relation(word, other)

    def close(self, word: str) -> Mapping[str, float]:
        """What other stems are worth, 0–1, where a claim has the stem `word`."""
        known = self._close.get(word)
        if known is None:
            known = self._close[word] = {
                other: low + (high - low) * related.weight
                for other in self.thesaurus.of(word)
                for related in (self.relation(word, other),)
                for low, high in (self.relations.coverage.get(related.relation, (0.0, 0.0)),)
                if high
            }
        return known

    def tokens(self, text: str) -> list[Token]:
        """The words and numbers of `text`, in order."""
        return [
            Token(low, stem(low, self.irregular), match.start(), match.end(), match[0][0].isupper())
            for match in WORD.finditer(text)
            for low in (match[0].lower().replace("’", "'"),)
        ]


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
    return _without_e(_base(word, irregular))


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
    return root


def _without_e(word: str) -> str:
    return word.removesuffix("e")
