"""All sources of a document together: scored, with what they lack, and as they are published."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from datetime import date

from ...base.vocabulary import SourceState
from ..model import Source, SourceSet
from .gaps import Gap, detect_gaps, normal_topic
from .inputs import scoring_input
from .model import ConfidenceMark, DomainTier, Override, Part, ScoringInput, SourceScore
from .overrides import apply_overrides
from .rules import ScoringRegistry
from .score import score_source


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


@dataclass(frozen=True, slots=True)
class SourceRating:
    """A source's score as machines read it.

    `state` and `reason` tell what became of the fetch, `tier` is T1 to T5. `authority_class` is the
    class of the site and `weight` its authority from 0 to 1. `rejected`: by a person.
    """

    url: str
    state: SourceState
    reason: str
    tier: str
    badge: str
    mark: ConfidenceMark
    score: int
    reliability_score: float
    parts: Mapping[str, Part]
    authority_class: str
    weight: float
    _: KW_ONLY
    title: str = ""
    author: str = ""
    dated: date | None = None
    domain_tier: DomainTier = DomainTier.UNKNOWN
    computed_tier: str = ""
    expected_tier: str | None = None
    conflict: str = ""
    notes: tuple[str, ...] = ()
    review: tuple[str, ...] = ()
    read: bool = False
    reliable: bool = False
    low_reliability: bool = False
    authoritative: bool = False
    rejected: bool = False
    override: Override | None = None


@dataclass(frozen=True, slots=True)
class SourceReliability:
    """`source_reliability.json`: the sources of a draft with their scores, and their gaps."""

    as_of: date
    topic: str
    sources: tuple[SourceRating, ...]
    gaps: tuple[Gap, ...]


def appraise(
    sources: SourceSet,
    registry: ScoringRegistry,
    *,
    as_of: date,
    topic: str = "",
    overrides: Iterable[Override] = (),
) -> Appraisal:
    """Score every source of `sources` at the day `as_of` for `topic`, and find the gaps.

    A source that could not be read is scored by its address alone. `overrides` are what people
    have decided, oldest first.

    Raises:
        SnapshotError: A source is readable but its text is not there.
    """
    topic = normal_topic(topic)
    features = registry.rules.features
    given: list[ScoringInput] = []
    for source in sources.sources.values():
        readable = sources.readable(source.url)
        given.append(scoring_input(source, readable[1] if readable else "", features))
    computed = (score_source(each, registry, as_of=as_of, topic=topic) for each in given)
    scores = apply_overrides(computed, overrides)
    rated = tuple(map(RatedSource, sources.sources.values(), given, scores))
    return Appraisal(as_of, topic, rated, detect_gaps(scores, registry.rules.gaps, as_of=as_of))


def reliability(appraisal: Appraisal) -> SourceReliability:
    """`appraisal` as it is published."""
    ratings = tuple(map(rating, appraisal.rated))
    return SourceReliability(appraisal.as_of, appraisal.topic, ratings, appraisal.gaps)


def rating(rated: RatedSource) -> SourceRating:
    """`rated` as it is published."""
    source, given, score = rated.source, rated.given, rated.score
    return SourceRating(
        source.url,
        source.state,
        source.reason,
        score.tier.name,
        score.badge,
        score.mark,
        score.total,
        score.reliability_score,
        score.parts,
        score.site.name,
        score.weight,
        title=given.title,
        author=given.author,
        dated=score.dated,
        domain_tier=score.domain_tier,
        computed_tier=score.computed_tier.name,
        expected_tier=score.expected_tier.name if score.expected_tier else None,
        conflict=score.conflict,
        notes=score.notes,
        review=score.review,
        read=score.read,
        reliable=score.reliable,
        low_reliability=score.low_reliability,
        authoritative=score.authoritative,
        rejected=score.rejected,
        override=score.override,
    )
