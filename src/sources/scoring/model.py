"""The input of scoring, its results, and the gaps in the sources of a run."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from datetime import date, datetime
from enum import IntEnum, StrEnum

from ..model import Source


class Tier(IntEnum):
    """How good a source is; T1 is best."""

    T1 = 1
    T2 = 2
    T3 = 3
    T4 = 4
    T5 = 5

    @property
    def badge(self) -> str:
        """The tier's coloured sign."""
        return "🟢🔵🟡🟠🔴"[self - 1]


class ConfidenceMark(StrEnum):
    """How far a tier can be relied on."""

    HIGH = "✓✓✓"
    MEDIUM_HIGH = "✓✓"
    MEDIUM = "✓"
    WARNING = "⚠"


class DomainTier(StrEnum):
    """The tiers in three steps."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class PageFeatures:
    """Contents of a page beside its prose."""

    code_examples: bool = False
    data_tables: bool = False
    references: bool = False


@dataclass(frozen=True, slots=True)
class ScoringInput:
    """The properties of a source that scoring uses; all but its address may be unknown.

    `answered_by` is where the address led, "" if nowhere else: the site that answered is judged.
    `features` is None if the page was not read. `user_supplied` is a document that the user gave
    without a web address.
    """

    url: str
    _: KW_ONLY
    answered_by: str = ""
    title: str = ""
    author: str = ""
    published: date | None = None
    modified: date | None = None
    accessed: date | None = None
    text: str = ""
    features: PageFeatures | None = None
    user_supplied: bool = False


@dataclass(frozen=True, slots=True)
class Site:
    """The class of an address by the lists.

    `name` is the authority class, `why` the evidence for it. `host` is "" if the address cannot be
    read, `domain` the registrable domain. `moved_to` is where the content went. `imitates` is the
    trusted site that the host has the looks of. `claim` is what the page says of itself that its
    domain does not bear out. `owner` is that of an official repository. `unknown` is whether no
    list names the domain and what its name tells lends it no authority.
    """

    name: str
    why: str
    _: KW_ONLY
    host: str = ""
    domain: str = ""
    moved_to: str = ""
    imitates: str = ""
    claim: str = ""
    owner: str = ""
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a score: its points, why, and what in the source shows it.

    `points` are from 0 to `out_of`.
    """

    points: int
    out_of: int
    reason: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Override:
    """A person's decision on one source.

    `tier` is None if the source was rejected. `at` is in UTC, `score` (0–100) what code had said.
    """

    url: str
    tier: Tier | None
    by: str
    at: datetime
    why: str
    _: KW_ONLY
    score: int | None = None


@dataclass(frozen=True, slots=True)
class SourceScore:
    """A source's score from 0 to 100, its parts and what follows from it.

    `total` (0–100) is the score, which the class of the site may cap. `weight` (0–1) is the
    authority of that class. `computed_tier` follows from the score; `expected_tier` is what the
    domain alone lets expect, None for an unknown one. `read` is whether the page was read at all,
    `dated` the day that counts for recency. `conflict` says how far score and domain are apart, ""
    if they agree. `review` lists why a person should look at the source.
    """

    url: str
    site: Site
    authority: Part
    recency: Part
    completeness: Part
    relevance: Part
    total: int
    computed_tier: Tier
    weight: float
    _: KW_ONLY
    read: bool = False
    dated: date | None = None
    expected_tier: Tier | None = None
    conflict: str = ""
    notes: tuple[str, ...] = ()
    review: tuple[str, ...] = ()
    domain_tier: DomainTier = DomainTier.UNKNOWN
    reliable: bool = False
    low_reliability: bool = False
    authoritative: bool = False
    override: Override | None = None

    @property
    def tier(self) -> Tier:
        """The tier that holds: a person's, else the computed one."""
        approved = self.override.tier if self.override else None
        return approved or self.computed_tier

    @property
    def rejected(self) -> bool:
        """Whether a person has rejected the source."""
        return self.override is not None and self.override.tier is None

    @property
    def usable(self) -> bool:
        """Whether the source was read and nobody has rejected it."""
        return self.read and not self.rejected

    @property
    def badge(self) -> str:
        """The sign of the tier that holds."""
        return self.tier.badge

    @property
    def reliability_score(self) -> float:
        """The score as a share from 0 to 1."""
        return self.total / 100

    @property
    def parts(self) -> dict[str, Part]:
        """The four parts by name."""
        names = "authority", "recency", "completeness", "relevance"
        return {name: getattr(self, name) for name in names}

    @property
    def mark(self) -> ConfidenceMark:
        """How far the tier can be relied on.

        A conflict or unknown metadata is a warning until a person has decided.
        """
        unknown = self.dated is None or not self.read
        doubtful = (bool(self.review) or unknown) and self.override is None
        if self.rejected or doubtful or self.tier >= Tier.T4:
            return ConfidenceMark.WARNING
        # The first three are for T1 to T3.
        return tuple(ConfidenceMark)[self.tier - 1]


def domain_tier_of(tier: Tier) -> DomainTier:
    """A tier in three steps."""
    if tier <= Tier.T2:
        return DomainTier.HIGH
    return DomainTier.MEDIUM if tier is Tier.T3 else DomainTier.LOW


class GapType(StrEnum):
    """Kinds of gaps."""

    MISSING_OFFICIAL_DOCS = "missing_official_docs"
    OUTDATED_SOURCES = "outdated_sources"
    INSUFFICIENT_COVERAGE = "insufficient_coverage"
    LOW_RELIABILITY = "low_reliability"


class GapChoice(StrEnum):
    """Decisions that a person can take about a gap."""

    RESEARCH_MORE = "research more"
    DEFER = "defer"
    ACCEPT = "accept"

    @property
    def resolution(self) -> str:
        """How the choice stands in the memory table."""
        if self is GapChoice.ACCEPT:
            return "source_gap_accepted_as_limitation"
        return "deferred" if self is GapChoice.DEFER else "research_more"


@dataclass(frozen=True, slots=True)
class Gap:
    """A gap with its trigger, in figures, and a suggestion what to look for."""

    type: GapType
    trigger: str
    suggestion: str
    options: tuple[GapChoice, ...] = tuple(GapChoice)


@dataclass(frozen=True, slots=True)
class RatedSource:
    """A source, what scoring was given of it, and what scoring said."""

    source: Source
    given: ScoringInput
    score: SourceScore

    @property
    def undecided(self) -> bool:
        """Whether a person should look at the source and has not decided yet."""
        return bool(self.score.review) and self.score.override is None


@dataclass(frozen=True, slots=True)
class Appraisal:
    """The sources in the order of their first mention, and their gaps.

    `topic` is as `normal_topic` makes it, "" if there is none.
    """

    as_of: date
    topic: str
    rated: tuple[RatedSource, ...]
    gaps: tuple[Gap, ...]

    @property
    def scores(self) -> tuple[SourceScore, ...]:
        """The scores alone."""
        return tuple(each.score for each in self.rated)

    @property
    def undecided(self) -> tuple[RatedSource, ...]:
        """The sources that wait for a person's decision."""
        return tuple(each for each in self.rated if each.undecided)
