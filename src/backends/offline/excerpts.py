"""Sentences of the sources that can stand alone in an analysis, and how well they answer."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...claims.lexicon import Lexicon
from ...claims.model import QuantityKind
from ...claims.quantities import find_slots
from ...claims.words import WordBook, content_stems
from ...core.work import Material
from ...documents.model import BlockKind, Document, Sentence
from ...documents.parse import parse_document
from .rules import Asked, ExtractionFile

_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*")
_OPENERS = re.compile(r"[\"“\u2018'(\[$€£]*[A-ZÀ-ÞŁŚŻ0-9]")
_END = re.compile(r"[.!][\"”’')\]]*$")
_PAIRS = (("(", ")"), ("[", "]"), ("“", "”"))
_NAME = re.compile(r"(?<=[a-z,] )[A-ZÀ-Þ][^\W\d_]+")
# "Of those farmers who have no well, …" says itself whom it means.
_DEFINED = re.compile(
    r"(?:of )?(?:those|these) (?:[\w-]+ ){0,3}?(?:who|that|which|whose)\b", re.IGNORECASE
)
_FIGURES = {Asked.NUMBER, Asked.MONEY, Asked.DATE}
_LEAD_SENTENCES = 3
_FULL_PERCENTILE = 0.8
_FULL_LINE = 0.7


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A sentence of `materials[material]`, word for word.

    `stems` and `heading_stems` are the comparison forms of its words and of the headings above
    it; `offers` says what kinds of question it could answer.
    """

    material: int
    position: int
    text: str
    stems: frozenset[str]
    heading_stems: frozenset[str]
    offers: frozenset[Asked]
    lead: bool


def find_excerpts(
    materials: Sequence[Material], rules: ExtractionFile, lexicon: Lexicon
) -> tuple[Excerpt, ...]:
    """The fit sentences of `materials`, in order; of equal sentences only the first."""
    found: dict[str, Excerpt] = {}
    for number, material in enumerate(materials):
        document = parse_document(_spaced(material.text), lexicon.document_words)
        for excerpt in _of_material(number, material.title, document, rules, lexicon):
            found.setdefault(" ".join(excerpt.text.casefold().split()), excerpt)
    return tuple(found.values())


def stands_alone(sentence: str, language: str, rules: ExtractionFile) -> bool:
    """Whether a reader understands `sentence` without what stood before it in its source."""
    return (
        _well_formed(sentence, rules)
        and not leans_on_previous(sentence, language, rules)
        and not rules.unwanted.search(sentence)
    )


def leans_on_previous(sentence: str, language: str, rules: ExtractionFile) -> bool:
    """Whether `sentence` begins with a word, or soon has a pronoun, that points backwards."""
    words = [match.group() for match in _WORD.finditer(sentence)][: rules.pronoun_window]
    leaning = rules.leaning.get(language)
    if leaning is None or not words or _DEFINED.match(sentence):
        return False
    is_acronym = len(words[0]) > 1 and words[0].isupper()
    if leaning.match(sentence.lstrip("\"“'\u2018(")) and not is_acronym:
        return True
    return any(word in rules.pronouns[language] for word in words)


def _of_material(
    number: int, title: str, document: Document, rules: ExtractionFile, lexicon: Lexicon
) -> Iterator[Excerpt]:
    for position, sentence in enumerate(_prose(document.sentences)):
        first = sentence.text.split(" ", 1)[0].casefold()
        if first in lexicon.file.imperatives:
            continue
        if stands_alone(sentence.text, document.language, rules):
            yield Excerpt(
                material=number,
                position=position,
                text=sentence.text,
                stems=content_stems(sentence.text, lexicon.words),
                heading_stems=content_stems(" ".join((title, *sentence.section)), lexicon.words),
                offers=_offers(sentence.text, rules, lexicon),
                lead=position < _LEAD_SENTENCES,
            )


def _spaced(text: str) -> str:
    """`text` with an empty line after each line that ends a paragraph or is a heading.

    Text taken from pages has a paragraph a line, and text taken from PDF files no empty lines at
    all; without this, headings and table rows would run into the sentences after them. A line goes
    on in the next one only if it is about as long as the others and ends within a sentence.
    """
    lines = text.split("\n")
    lengths = sorted(len(line) for line in lines if line.strip())
    full = lengths[int(len(lengths) * _FULL_PERCENTILE)] if lengths else 0
    spaced: list[str] = []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        spaced.append(line)
        short = len(line) < _FULL_LINE * full and following.strip()[:1].isupper()
        if _END.search(line.rstrip()) or short:
            spaced.append("")
    return "\n".join(spaced)


def _prose(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    kinds = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)
    return (sentence for sentence in sentences if sentence.kind in kinds)


def _well_formed(sentence: str, rules: ExtractionFile) -> bool:
    return (
        rules.min_chars <= len(sentence) <= rules.max_chars
        and rules.min_words <= len(_WORD.findall(sentence)) <= rules.max_words
        and _OPENERS.match(sentence) is not None
        and _END.search(sentence) is not None
        and all(sentence.count(left) == sentence.count(right) for left, right in _PAIRS)
        and sentence.count('"') % 2 == 0
    )


def _offers(sentence: str, rules: ExtractionFile, lexicon: Lexicon) -> frozenset[Asked]:
    quantities, dates = find_slots(sentence, lexicon)
    found = {
        Asked.NUMBER: bool(quantities),
        Asked.MONEY: any(quantity.kind is QuantityKind.MONEY for quantity in quantities),
        Asked.DATE: bool(dates),
        Asked.NAME: _NAME.search(sentence) is not None,
        Asked.CAUSE: rules.causes.search(sentence) is not None,
    }
    return frozenset(asked for asked, present in found.items() if present)


@dataclass(frozen=True, slots=True)
class Query:
    """A question or a section's title as comparison forms, and what it asks for.

    `related` are the forms of words that belong to the same subject.
    """

    stems: frozenset[str]
    asks: frozenset[Asked]
    related: frozenset[str]


@dataclass(frozen=True, slots=True)
class Hit:
    """An excerpt that answers a question, and how well."""

    excerpt: Excerpt
    score: float


class Relevance:
    """Scores excerpts by rarity-weighted overlap.

    Args:
        excerpts: The sentences to choose from; rarity is counted over them.
        rules: Weights and thresholds.
        words: Stems.
    """

    def __init__(self, excerpts: Sequence[Excerpt], rules: ExtractionFile, words: WordBook) -> None:
        self.excerpts = excerpts
        self._rules = rules
        self._words = words
        self._counts = Counter(stem for excerpt in excerpts for stem in excerpt.stems)
        self._groups = _groups(rules, words)

    def query(self, text: str) -> Query:
        """`text` as a query."""
        stems = content_stems(text, self._words)
        cues = self._rules.asks.items()
        asks = frozenset(asked for asked, cue in cues if cue.search(text))
        related = frozenset[str]().union(*(self._groups.get(stem, ()) for stem in stems))
        return Query(stems, asks, related - stems)

    def answers(self, query: Query) -> list[Hit]:
        """The excerpts that answer the question `query`, the best first."""
        rules = self._rules
        long = len(query.stems) >= rules.long_question
        least = rules.answers_long if long else rules.answers
        needed = min(rules.min_shared_words, len(query.stems))
        found: list[Hit] = []
        for excerpt in self.excerpts:
            covered, shared = self.covered(query.stems, excerpt.stems)
            if covered >= least and shared >= needed:
                found.append(Hit(excerpt, covered + self._bonus(query, excerpt)))
        best = max((hit.score for hit in found), default=0.0)
        near = (hit for hit in found if hit.score >= rules.near_best * best)
        return sorted(near, key=lambda hit: -hit.score)

    def fit(self, title: Query, excerpt: Excerpt) -> float:
        """How well an excerpt fits under a section's title."""
        rules = self._rules
        covered, _ = self.covered(title.stems, excerpt.stems)
        above, _ = self.covered(title.stems, excerpt.heading_stems - excerpt.stems)
        # One related word counts 0.7 of the weight, two 0.91; in a heading each counts half.
        inside = len(title.related & excerpt.stems)
        overhead = len(title.related & (excerpt.heading_stems - excerpt.stems))
        kin = rules.related_weight * (1 - 0.3 ** (inside + rules.heading_weight * overhead))
        kind = rules.kind_bonus * bool(title.asks & excerpt.offers)
        return covered + rules.heading_weight * above + kin + kind

    def fitting(self, title: Query) -> list[Excerpt]:
        """The excerpts that fit under a section's title, the best first."""
        scored = [(self.fit(title, excerpt), excerpt) for excerpt in self.excerpts]
        near = [one for one in scored if one[0] >= self._rules.belongs]
        return [excerpt for _, excerpt in sorted(near, key=lambda one: -one[0])]

    def same(self, one: Excerpt, other: Excerpt) -> bool:
        """Whether two sentences say the same, by the words they share."""
        both = len(one.stems & other.stems)
        return both > self._rules.same * len(one.stems | other.stems)

    def covered(self, wanted: Iterable[str], present: frozenset[str]) -> tuple[float, int]:
        """The share of the weight of `wanted` that is in `present`, and how many words are."""
        total = found = 0.0
        shared = 0
        for stem in wanted:
            weight = math.log(1 + len(self.excerpts) / (1 + self._counts[stem]))
            total += weight
            if stem in present:
                found += weight
                shared += 1
        return (found / total if total else 0.0), shared

    def _bonus(self, query: Query, excerpt: Excerpt) -> float:
        rules = self._rules
        bonus = rules.kind_bonus * bool(query.asks & excerpt.offers)
        bonus += rules.figure_bonus * bool(excerpt.offers & _FIGURES)
        return bonus + rules.lead_bonus * excerpt.lead


def _groups(rules: ExtractionFile, words: WordBook) -> Mapping[str, frozenset[str]]:
    groups: dict[str, frozenset[str]] = {}
    for group in rules.related:
        stems = content_stems(" ".join(group), words)
        for stem in stems:
            groups[stem] = groups.get(stem, frozenset[str]()) | stems
    return groups
