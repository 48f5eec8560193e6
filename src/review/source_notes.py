"""Notes on the sources of claims: tier, age, and whether the document cites or copies them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TypeAlias

from pydantic import Field

from ..base.registry import RegistryModel, load_registry_file
from ..documents.model import Document
from ..sources.addresses import address_key
from ..sources.model import SourceSet
from ..sources.plain_text import words_of
from ..sources.scoring.confidence import share_within, shingles
from ..sources.scoring.model import Appraisal, RatedSource, Tier
from ..sources.scoring.rules import IndependenceRules, ScoringRegistry
from ..verification.ledger.confidence import DERIVED, circular_sources
from ..verification.registry import Registry
from .types import SourceNote

Appraise: TypeAlias = Callable[[SourceSet], Appraisal]
"""Scores sources, as `assembly.sources.SourceAppraiser` does."""


WEB_REVIEW_FILE = "web_review.yaml"


class WebReviewPolicy(RegistryModel):
    """The registry file `web_review.yaml`: the sources that phase 4b reads and trusts."""

    hits: int = Field(ge=1, le=20)
    tier: int = Field(ge=1, le=5)
    same_time_days: int = Field(ge=0)


def load_web_policy(folder: Path | None = None) -> WebReviewPolicy:
    """The packaged policy, or that of `folder` where it has one.

    Raises:
        RegistryError: The file is broken or does not validate.
    """
    return load_registry_file(WebReviewPolicy, WEB_REVIEW_FILE, folder)


@dataclass(frozen=True, slots=True)
class WebRules:
    """The registries and the policy of phase 4b."""

    registry: Registry
    scoring: ScoringRegistry
    policy: WebReviewPolicy
    appraise: Appraise


def source_notes(
    document: Document,
    sources: SourceSet,
    rated: Iterable[RatedSource],
    rules: WebRules,
    *,
    written: date,
) -> Mapping[str, SourceNote]:
    """The notes of `sources`, which were `rated`, by address; `written` is the document's day.

    A source is circular if `document` cites it, if it copies or quotes a cited source, or if it is
    or copies the document. It is authoritative if its site is of the policy's tier, unless its
    score is low or a person has rejected it.

    Raises:
        SnapshotError: A readable source has no text.
    """
    independence = rules.scoring.rules.independence
    own = circular_sources(document, sources, independence, as_of=written)
    cited = _Cited(document, sources, independence)
    notes: dict[str, SourceNote] = {}
    for one in rated:
        url = one.source.url
        label = cited.label(url)
        notes[url] = SourceNote(
            one.score.tier.name,
            _is_authoritative(one, rules.policy),
            label is not None or url in own or cited.is_copy(url),
            label or "",
            one.score.dated,
        )
    return notes


def _is_authoritative(rated: RatedSource, policy: WebReviewPolicy) -> bool:
    score = rated.score
    if score.rejected or score.low_reliability:
        return False
    if score.override is not None:
        return score.tier <= policy.tier
    expected = score.expected_tier
    return expected is not None and expected <= Tier(policy.tier)


class _Cited:
    """The document's citations with their addresses and texts."""

    def __init__(self, document: Document, sources: SourceSet, rules: IndependenceRules) -> None:
        self._sources = sources
        self._rules = rules
        self._labels: dict[str, str] = {}
        for one in document.citations:
            # A shortened or moved address, and where it leads to, are one.
            for key in _keys(one.target, sources) if one.target else ():
                # A person finds a citation by the document's own number for it, else by its line.
                self._labels.setdefault(key, one.label or f"in line {one.line}")
        self._texts = [text for url in document.cited_urls() if (text := self._shingles(url))]

    def label(self, url: str) -> str | None:
        """The name of the citation that leads to `url`, None if there is none."""
        keys = _keys(url, self._sources)
        return next((self._labels[key] for key in keys if key in self._labels), None)

    def is_copy(self, url: str) -> bool:
        """Whether the text at `url` is for the most part that of a cited source, or holds it."""
        text = self._shingles(url)
        return any(
            share_within(text, other) >= DERIVED or share_within(other, text) >= self._rules.similar
            for other in self._texts
        )

    def _shingles(self, url: str) -> frozenset[int]:
        readable = self._sources.readable(url)
        if readable is None:
            return frozenset()
        text = readable[1]
        # A few words are the same by chance.
        enough = len(words_of(text[: self._rules.characters])) >= self._rules.fewest_words
        return shingles(text, self._rules) if enough else frozenset()


def _keys(url: str, sources: SourceSet) -> frozenset[str]:
    """The addresses that a source is known by: as asked for, on the way, and by its own word."""
    snapshot = sources.source(url).snapshot
    others = (*snapshot.url_chain, snapshot.canonical) if snapshot is not None else ()
    return frozenset(address_key(each) for each in (url, *others) if each)
