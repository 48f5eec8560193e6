"""The registry of scoring: `scoring.yaml`, `authority.yaml` and the lists of sites."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Self

from pydantic import (
    AfterValidator,
    Field,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    StringConstraints,
    model_validator,
)

from ...base.errors import RegistryError
from ...base.registry import RegistryModel, load_registry_file
from .sites import SiteIndex, SiteList

SCORING_FILE = "scoring.yaml"
AUTHORITY_FILE = "authority.yaml"
SITE_FILES = (
    "sites_official.yaml",
    "sites_institutions.yaml",
    "sites_media.yaml",
    "sites_web.yaml",
    "sites_own.yaml",
)
"""Later files win over earlier ones."""

NEEDED_CLASSES = frozenset(
    ("official_docs", "official_repository", "user_supplied", "unknown", "look_alike", "archive")
)
"""The classes that code gives by itself."""

Share = Annotated[float, Field(ge=0, le=1)]
Word = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1), AfterValidator(str.casefold)
]


class Weights(RegistryModel):
    """The most points of each part."""

    authority: PositiveInt
    recency: PositiveInt
    completeness: PositiveInt
    relevance: PositiveInt


class AgeBand(RegistryModel):
    """The points of a source at most `days` old."""

    days: NonNegativeInt
    points: NonNegativeInt


class ShareBand(RegistryModel):
    """The points of a source that holds at least `share` of the topic's words."""

    share: Share
    points: NonNegativeInt


class RecencyRules(RegistryModel):
    """Points by age, youngest band first."""

    bands: Annotated[tuple[AgeBand, ...], Field(min_length=1)]
    older: NonNegativeInt
    undated: NonNegativeInt
    ahead: NonNegativeInt

    @model_validator(mode="after")
    def _bands_rise(self) -> Self:
        days = [band.days for band in self.bands]
        if days != sorted(set(days)):
            raise ValueError("the days of the bands must rise")
        return self


class CompletenessRules(RegistryModel):
    """Points that are added up."""

    read: NonNegativeInt
    examples_or_data: NonNegativeInt
    references: NonNegativeInt


class RelevanceRules(RegistryModel):
    """Points by share of the topic's words, highest share first."""

    bands: tuple[ShareBand, ...]
    phrase_in_title: NonNegativeInt
    characters: PositiveInt
    stop_words: frozenset[Word]

    @model_validator(mode="after")
    def _bands_fall(self) -> Self:
        shares = [band.share for band in self.bands]
        if shares != sorted(set(shares), reverse=True):
            raise ValueError("the shares of the bands must fall")
        return self


class FeatureRules(RegistryModel):
    """From how many on something on a page counts."""

    code_lines: PositiveInt
    table_rows: PositiveInt
    figures: PositiveInt
    references: PositiveInt
    characters: PositiveInt
    headings: frozenset[Word]


class TierRules(RegistryModel):
    """The lowest score of the upper four tiers."""

    t1: int
    t2: int
    t3: int
    t4: int

    @model_validator(mode="after")
    def _fall(self) -> Self:
        if not 100 >= self.t1 > self.t2 > self.t3 > self.t4 > 0:
            raise ValueError("the scores must fall from t1 to t4")
        return self


class AuthoritativeRules(RegistryModel):
    """Least weight and score of an authoritative source."""

    weight: Share
    score: NonNegativeInt


class ConfidenceRules(RegistryModel):
    """How age weakens a source of a temporal claim."""

    half_life_days: PositiveFloat
    undated: Share


class IndependenceRules(RegistryModel):
    """When two texts are one."""

    shingle: PositiveInt
    similar: Annotated[float, Field(gt=0, le=1)]
    fewest_words: PositiveInt
    characters: PositiveInt


class GapRules(RegistryModel):
    """Limits beyond which the sources of a run have a gap."""

    outdated_days: PositiveInt
    fewest_sources: PositiveInt
    least_score: NonNegativeInt


class CitationRules(RegistryModel):
    """More sources than `many` are cited in detail."""

    many: PositiveInt


class ClaimRules(RegistryModel):
    """Words by which a page claims to be official: in hosts, paths, titles and domain names.

    Sites of a class with at least `imitable` points are worth imitating.
    """

    hosts: frozenset[Word]
    paths: frozenset[Word]
    titles: tuple[Word, ...]
    labels: frozenset[Word]
    imitable: NonNegativeInt


class ScoringRules(RegistryModel):
    """The whole of `scoring.yaml`."""

    weights: Weights
    recency: RecencyRules
    completeness: CompletenessRules
    relevance: RelevanceRules
    features: FeatureRules
    tiers: TierRules
    conflict_distance: PositiveInt
    unknown_undated_cap: NonNegativeInt
    reliable: Share
    low_reliability: Share
    authoritative: AuthoritativeRules
    confidence: ConfidenceRules
    independence: IndependenceRules
    gaps: GapRules
    citations: CitationRules
    claims: ClaimRules

    @model_validator(mode="after")
    def _points_keep_to_the_weights(self) -> Self:
        weights, recency, relevance = self.weights, self.recency, self.relevance
        total = sum((weights.authority, weights.recency, weights.completeness, weights.relevance))
        if total != 100:
            raise ValueError(f"the weights add up to {total}, not to 100")
        most = {
            "recency": max(recency.older, recency.undated, *(b.points for b in recency.bands)),
            "completeness": sum(self.completeness.model_dump().values()),
            "relevance": max(relevance.phrase_in_title, *(b.points for b in relevance.bands), 0),
        }
        for part, points in most.items():
            limit = int(getattr(weights, part))
            if points > limit:
                raise ValueError(f"{part} can reach {points} points, its weight is {limit}")
        return self


class AuthorityClass(RegistryModel):
    """One class of sites; `authority.yaml` explains the fields."""

    points: NonNegativeInt
    weight: Share
    rank: PositiveInt
    tier: Annotated[int, Field(ge=1, le=5)]
    type: str = Field(min_length=1)
    csl: str = Field(default="webpage", pattern="^[a-z_-]+$")
    cap: Annotated[int | None, Field(ge=0, le=100)] = None


class AuthorityClasses(RegistryModel):
    """The whole of `authority.yaml`."""

    classes: dict[str, AuthorityClass]

    @model_validator(mode="after")
    def _needed_are_there(self) -> Self:
        if missing := NEEDED_CLASSES - self.classes.keys():
            raise ValueError(f"the class {min(missing)!r} is missing")
        return self


@dataclass(frozen=True, slots=True)
class ScoringRegistry:
    """The inputs of scoring from the registry: rules, classes by name, and the sites of classes."""

    rules: ScoringRules
    classes: Mapping[str, AuthorityClass]
    sites: SiteIndex


def load_scoring(folder: Path | None = None) -> ScoringRegistry:
    """The packaged registry; each file in `folder` replaces the packaged file of its name.

    Raises:
        RegistryError: A file is broken, does not validate, or does not fit the others.
    """
    return _load(folder) if folder else _load_packaged()


@cache
def _load_packaged() -> ScoringRegistry:
    # As long as a process lives it stays the same.
    return _load(None)


def _load(folder: Path | None) -> ScoringRegistry:
    rules = load_registry_file(ScoringRules, SCORING_FILE, folder)
    classes = load_registry_file(AuthorityClasses, AUTHORITY_FILE, folder).classes
    for name, entry in classes.items():
        if entry.points > rules.weights.authority:
            raise RegistryError(
                f"{AUTHORITY_FILE}: classes.{name}.points: {entry.points} is more than the weight"
                f" of authority, {rules.weights.authority}",
                "correct the file",
            )
    lists = {name: load_registry_file(SiteList, name, folder) for name in SITE_FILES}
    for file, listed in lists.items():
        if unknown := listed.class_names() - classes.keys():
            raise RegistryError(
                f"{file}: {AUTHORITY_FILE} has no class {min(unknown)!r}", "correct the name"
            )
    imitable = {name for name, entry in classes.items() if entry.points >= rules.claims.imitable}
    return ScoringRegistry(rules, classes, SiteIndex(tuple(lists.values()), imitable))
