"""How likely a text bears out a claim, by the words alone: a rank, never a verdict."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from pydantic import Field, field_validator

from ...base.registry import RegistryModel
from ...claims.words import Token, WordBook
from ..reading.index import TextIndex
from .objection import ObjectionKind
from .polarity import NegationKind, Parity, Statement

# So many of the best sentences are read, each with its neighbours.
_SENTENCES = 4
# A denial weighs less in a claim of more words than this, which has more parts to deny.
_SHORT = 4


class SupportFeatures(NamedTuple):
    """A claim's words against the sentences of a text that hold most of them.

    `missing` is the share of the claim's words that those lack; `one_missing` says that it is just
    one, `number_differs` that they have other numbers than one of the claim's, `named_rival` that
    the best sentence has another name than a missing one; `names_held` is the share of the claim's
    names. `claim_negated`, `negated` and `polarity_differs` are about negation in the claim and in
    the best sentence, `flipped` is how surely the one denies what the other says (less in a long
    claim), `opposite` whether the best sentence has the opposite of a missing word, and `novel` its
    share of words that the claim lacks.
    """

    missing: float
    one_missing: float
    number_differs: float
    names_held: float
    named_rival: float
    claim_negated: float
    negated: float
    polarity_differs: float
    flipped: float
    opposite: float
    novel: float


class SupportWeights(RegistryModel):
    """The logistic weights of `SupportFeatures`, fitted by `benchmarks/stance.py`.

    A score of at least `threshold` tells support from its absence best, on development data.
    """

    threshold: float = Field(gt=0, lt=1)
    constant: float
    weights: dict[str, float]

    @field_validator("weights")
    @classmethod
    def _names_every_feature(cls, weights: dict[str, float]) -> dict[str, float]:
        if set(weights) != set(SupportFeatures._fields):
            raise ValueError(f"the features are {', '.join(SupportFeatures._fields)}")
        return weights


def support_score(claim: str, index: TextIndex, weights: SupportWeights) -> float:
    """How likely the indexed text supports `claim`, 0–1.

    It ranks claims and texts for reading. It can be high for a text that talks about the claim:
    only slots that were compared make a verdict.
    """
    features = support_features(claim, index)
    if features is None:
        return 0.0
    named = zip(SupportFeatures._fields, features, strict=True)
    total = weights.constant + sum(weights.weights[name] * value for name, value in named)
    return 1 / (1 + math.exp(-total))


def support_features(claim: str, index: TextIndex) -> SupportFeatures | None:
    """The features of `claim`, None if it has no word that counts or the text holds none of it."""
    book = index.lexicon.words
    tokens = book.tokens(claim)
    words = [token for token in tokens if token.stem not in book.stop_words]
    ranked = _rank(words, index, book)
    if not words or not ranked:
        return None
    last = len(index.segments) - 1
    numbers = {near for n in ranked for near in (n - 1, n, n + 1) if 0 <= near <= last}
    read = [token for number in sorted(numbers) for token in index.facts(number).tokens]
    held = frozenset(token.stem for token in read)
    missing = [word for word in words if book.alike(word.stem).isdisjoint(held)]
    best = index.facts(ranked[0]).tokens
    return _features(words, missing, read, best, _Polarity(claim, tokens, best, index), book)


class _Polarity:
    """Negation in a claim and in the sentence that is nearest to it."""

    def __init__(
        self, claim: str, tokens: Sequence[Token], best: Sequence[Token], index: TextIndex
    ) -> None:
        book = index.lexicon.words
        own, theirs = (
            Statement(tuple(tokens), claim, book),
            Statement(tuple(best), index.text, book),
        )
        self.claim_negated = _is_negated(own)
        self.negated = _is_negated(theirs)
        flips = [o for o in Parity(own, theirs).objections() if o.flipped]
        denials = (o.strength for o in flips if o.kind is ObjectionKind.TURN)
        self.flipped = max(denials, default=0.0)


def _is_negated(statement: Statement) -> bool:
    implied = NegationKind.IMPLIED
    return any(negation.kind is not implied for negation in statement.negations)


def _features(
    words: Sequence[Token],
    missing: Sequence[Token],
    read: Sequence[Token],
    best: Sequence[Token],
    polarity: _Polarity,
    book: WordBook,
) -> SupportFeatures:
    names, lost = sum(map(_is_name, words)), sum(map(_is_name, missing))
    own = {stem for word in words for stem in book.alike(word.stem)}
    novel = [t for t in best if t.stem not in own and t.stem not in book.stop_words]
    start = best[0].start if best else 0
    return SupportFeatures(
        missing=len(missing) / len(words),
        one_missing=float(len(missing) == 1),
        number_differs=float(_numbers_differ(missing, read)),
        names_held=1 - lost / names if names else 1.0,
        named_rival=float(lost > 0 and any(t.capital and t.start > start for t in novel)),
        claim_negated=float(polarity.claim_negated),
        negated=float(polarity.negated),
        polarity_differs=float(polarity.claim_negated != polarity.negated),
        flipped=polarity.flipped / max(1.0, len(words) / _SHORT),
        opposite=float(_has_opposite(missing, best, book)),
        novel=len(novel) / max(1, len(best)),
    )


def _rank(words: Sequence[Token], index: TextIndex, book: WordBook) -> list[int]:
    """The segments that hold most of the claim's words, best first."""
    scores: dict[int, float] = {}
    for word in words:
        weight = index.weight(word.stem)
        for number in {n for stem in book.alike(word.stem) for n in index.postings.get(stem, ())}:
            scores[number] = scores.get(number, 0.0) + weight
    ranked = sorted((-score, number) for number, score in scores.items())
    return [number for _, number in ranked[:_SENTENCES]]


def _is_name(token: Token) -> bool:
    return token.capital and token.start > 0


def _numbers_differ(missing: Sequence[Token], read: Sequence[Token]) -> bool:
    lacks = any(token.word[0].isdigit() for token in missing)
    return lacks and any(token.word[0].isdigit() for token in read)


def _has_opposite(missing: Sequence[Token], best: Sequence[Token], book: WordBook) -> bool:
    stems = {token.stem for token in best}
    return any(not book.opposites.get(word.stem, frozenset()).isdisjoint(stems) for word in missing)
