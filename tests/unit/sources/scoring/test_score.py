from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from foureyes.datatypes import (
    ConfidenceMark,
    DomainTier,
    PageFeatures,
    ScoringInput,
    SourceScore,
    Tier,
)
from foureyes.sources.scoring.rules import ScoringRegistry, load_scoring
from foureyes.sources.scoring.score import score_source, tier_of
from hypothesis import given
from hypothesis import strategies as st

AS_OF = date(2026, 2, 3)
TOPIC = "kubernetes pod scheduling priority"
PLAIN = PageFeatures()
EXAMPLES = PageFeatures(code_examples=True)


def days_ago(count: int) -> date:
    return AS_OF - timedelta(count)


@dataclass(frozen=True)
class Example:
    """A worked example of the specification: its parts and what follows."""

    source: ScoringInput
    parts: tuple[int, int, int, int]
    total: int
    tier: Tier
    mark: ConfidenceMark
    conflict: bool


ON_TOPIC = "Kubernetes chooses a node by pod priority; scheduling can be tuned."
MOSTLY = "Kubernetes pods have a priority."
EXAMPLES_OF_THE_SPECIFICATION = {
    "fresh official documentation": Example(
        ScoringInput(
            "https://kubernetes.io/docs/",
            title="Documentation",
            modified=days_ago(20),
            text=ON_TOPIC,
            features=EXAMPLES,
        ),
        (40, 28, 18, 9), 95, Tier.T1, ConfidenceMark.HIGH, False,
    ),
    "an old post on a blog platform": Example(
        ScoringInput(
            "https://medium.com/@random/old-post",
            published=date(2020, 5, 1),
            text=MOSTLY,
            features=PLAIN,
        ),
        (10, 0, 10, 8), 28, Tier.T5, ConfidenceMark.WARNING, False,
    ),
    "outdated official documentation": Example(
        ScoringInput(
            "https://linkerd.io/old/",
            published=days_ago(1000),
            text=MOSTLY,
            features=PLAIN,
        ),
        (40, 0, 10, 8), 58, Tier.T3, ConfidenceMark.WARNING, True,
    ),
    "an official repository": Example(
        ScoringInput(
            "https://github.com/kubernetes/examples",
            modified=days_ago(100),
            text=MOSTLY,
            features=EXAMPLES,
        ),
        (35, 24, 18, 8), 85, Tier.T2, ConfidenceMark.MEDIUM_HIGH, False,
    ),
}  # fmt: skip


@pytest.mark.parametrize("example", EXAMPLES_OF_THE_SPECIFICATION.values(), ids=lambda e: e.total)
def test_the_worked_examples_come_out_part_by_part(
    example: Example, registry: ScoringRegistry
) -> None:
    score = score_source(example.source, registry, as_of=AS_OF, topic=TOPIC)
    assert tuple(part.points for part in score.parts.values()) == example.parts
    assert [part.out_of for part in score.parts.values()] == [40, 30, 20, 10]
    assert all(part.reason for part in score.parts.values())
    assert (score.total, score.tier, score.mark) == (example.total, example.tier, example.mark)
    assert bool(score.conflict) is example.conflict


def test_an_official_repository_names_its_owner(registry: ScoringRegistry) -> None:
    source = EXAMPLES_OF_THE_SPECIFICATION["an official repository"].source
    score = score_source(source, registry, as_of=AS_OF)
    assert score.authority.evidence == (
        "github.com/kubernetes is listed as an official owner",
        "owner kubernetes",
    )


def test_a_conflict_is_noted_and_put_before_a_person(registry: ScoringRegistry) -> None:
    source = EXAMPLES_OF_THE_SPECIFICATION["outdated official documentation"].source
    score = score_source(source, registry, as_of=AS_OF, topic=TOPIC)
    said = "the domain lets expect T1, the score says T3: the score holds"
    assert (score.conflict, score.notes, score.review) == (said, (said,), (said,))


@pytest.mark.parametrize(
    ("score", "tier", "badge"),
    [
        (100, Tier.T1, "🟢"), (95, Tier.T1, "🟢"), (90, Tier.T1, "🟢"), (89, Tier.T2, "🔵"),
        (85, Tier.T2, "🔵"), (60, Tier.T2, "🔵"), (59, Tier.T3, "🟡"), (58, Tier.T3, "🟡"),
        (40, Tier.T3, "🟡"), (39, Tier.T4, "🟠"), (30, Tier.T4, "🟠"), (29, Tier.T5, "🔴"),
        (28, Tier.T5, "🔴"), (0, Tier.T5, "🔴"),
    ],
)  # fmt: skip
def test_tiers_begin_at_their_lowest_score(
    score: int, tier: Tier, badge: str, registry: ScoringRegistry
) -> None:
    assert tier_of(score, registry.rules.tiers) is tier
    assert tier.badge == badge


def test_a_page_that_was_not_read_is_a_warning_but_no_conflict(registry: ScoringRegistry) -> None:
    dead = ScoringInput("https://docs.python.org/3/gone.html", published=AS_OF)
    score = score_source(dead, registry, as_of=AS_OF, topic=TOPIC)
    assert (score.expected_tier, score.tier, score.conflict) == (Tier.T1, Tier.T2, "")
    assert (score.mark, score.usable) == (ConfidenceMark.WARNING, False)
    undated = score_source(replace(dead, published=None), registry, as_of=AS_OF, topic=TOPIC)
    assert (undated.tier, undated.conflict) == (Tier.T3, "")


def best_unknown(published: date | None) -> ScoringInput:
    return ScoringInput(
        "https://somewhere.example/page",
        title=TOPIC,
        published=published,
        features=PageFeatures(code_examples=True, references=True),
    )


def test_an_unknown_domain_without_a_date_is_capped_and_queued(registry: ScoringRegistry) -> None:
    score = score_source(best_unknown(None), registry, as_of=AS_OF, topic=TOPIC)
    assert (score.total, score.tier) == (39, Tier.T4)
    assert score.notes == ("capped at 39 from 44",)
    unknown = "unknown domain: no list names somewhere.example"
    assert score.review == (unknown, "no date is known")
    assert (score.mark, score.domain_tier) == (ConfidenceMark.WARNING, DomainTier.UNKNOWN)


def test_an_unknown_domain_with_a_date_is_not_capped(registry: ScoringRegistry) -> None:
    score = score_source(best_unknown(AS_OF), registry, as_of=AS_OF, topic=TOPIC)
    assert (score.total, score.expected_tier) == (65, None)
    assert score.review == ("unknown domain: no list names somewhere.example",)


@pytest.mark.parametrize(
    ("url", "total"),
    [("https://somewhere.example/blog/x", 39), ("https://patriot-front.example/", 39)],
)
def test_what_a_name_alone_tells_does_not_make_a_domain_known(
    url: str, total: int, registry: ScoringRegistry
) -> None:
    score = score_source(replace(best_unknown(None), url=url), registry, as_of=AS_OF, topic=TOPIC)
    assert (score.total, score.domain_tier) == (total, DomainTier.UNKNOWN)
    assert score.review[0].startswith("unknown domain: a")


def test_a_university_by_its_name_is_known(registry: ScoringRegistry) -> None:
    source = replace(best_unknown(None), url="https://www.uni-heidelberg.de/x")
    score = score_source(source, registry, as_of=AS_OF, topic=TOPIC)
    assert (score.total, score.site.unknown) == (77, False)


def test_a_site_of_low_credibility_stays_in_the_last_tier(registry: ScoringRegistry) -> None:
    source = ScoringInput(
        "https://docs.python.org.evil.example/",
        title=TOPIC,
        modified=AS_OF,
        features=PageFeatures(code_examples=True, references=True),
    )
    score = score_source(source, registry, as_of=AS_OF, topic=TOPIC)
    assert (score.total, score.tier) == (29, Tier.T5)


@pytest.mark.parametrize(
    ("url", "published", "features", "expected"),
    [
        ("https://www.gov.uk/tax", 3, EXAMPLES, (True, True, False, DomainTier.HIGH)),
        ("https://www.gov.uk/tax", 3000, PLAIN, (False, False, False, DomainTier.MEDIUM)),
        ("https://www.bbc.co.uk/news/1", 3, EXAMPLES, (True, False, False, DomainTier.HIGH)),
        ("https://medium.com/@a/b", 3000, PLAIN, (False, False, True, DomainTier.LOW)),
    ],
)
def test_flags_follow_from_score_and_weight(
    url: str,
    published: int,
    features: PageFeatures,
    expected: tuple[bool, bool, bool, DomainTier],
    registry: ScoringRegistry,
) -> None:
    source = ScoringInput(url, published=days_ago(published), features=features)
    score = score_source(source, registry, as_of=AS_OF)
    flags = (score.reliable, score.authoritative, score.low_reliability, score.domain_tier)
    assert flags == expected
    assert score.reliability_score == score.total / 100


def test_what_a_user_supplies_is_never_authoritative(tmp_path: Path) -> None:
    (tmp_path / "authority.yaml").write_text(
        "classes:\n"
        + "".join(
            f"  {name}: {{points: 40, weight: 1.0, rank: 1, tier: 1, type: any}}\n"
            for name in all_classes()
        )
    )
    registry = load_scoring(tmp_path)
    given_by_hand = ScoringInput("notes.md", user_supplied=True, modified=AS_OF, features=EXAMPLES)
    score = score_source(given_by_hand, registry, as_of=AS_OF)
    assert (score.reliable, score.authoritative) == (True, False)


def all_classes() -> list[str]:
    return list(load_scoring().classes)


def test_a_known_domain_without_a_date_is_a_warning_but_not_queued(
    registry: ScoringRegistry,
) -> None:
    source = ScoringInput("https://docs.python.org/3/", title=TOPIC, features=EXAMPLES)
    score = score_source(source, registry, as_of=AS_OF, topic=TOPIC)
    assert (score.total, score.tier, score.mark) == (77, Tier.T2, ConfidenceMark.WARNING)
    assert score.review == ()


def test_sources_are_scored_in_their_order(registry: ScoringRegistry) -> None:
    urls = ["https://python.org/", "https://example.org/", "https://python.org/"]
    scores = [score_source(ScoringInput(url), registry, as_of=AS_OF) for url in urls]
    assert [score.url for score in scores] == urls
    assert scores[0] == scores[2]


dates = st.none() | st.dates(date(1990, 1, 1), date(2040, 1, 1))
sources = st.builds(
    ScoringInput,
    st.text(max_size=60)
    | st.builds(
        "https://{}/{}".format,
        st.from_regex(r"[a-z0-9-]{1,8}(\.[a-z\u0431-\u04440-9-]{1,8}){0,4}", fullmatch=True)
        | st.sampled_from(["gov.uk", "docs.python.org", "github.com", "medium.com"]),
        st.text(max_size=20),
    ),
    title=st.text(max_size=30),
    published=dates,
    modified=dates,
    text=st.text(max_size=80),
    features=st.none() | st.builds(PageFeatures, st.booleans(), st.booleans(), st.booleans()),
    user_supplied=st.booleans(),
)


@given(sources, st.dates(date(2000, 1, 1), date(2030, 1, 1)), st.text(max_size=30))
def test_the_same_source_always_has_the_same_score(
    source: ScoringInput, as_of: date, topic: str
) -> None:
    first = scored(source, as_of, topic)
    assert scored(source, as_of, topic) == first
    parts = first.parts.values()
    assert all(0 <= part.points <= part.out_of for part in parts)
    assert first.total <= sum(part.points for part in parts) <= 100


REGISTRIES = (load_scoring(), load_scoring())


def scored(source: ScoringInput, as_of: date, topic: str) -> SourceScore:
    """By a registry loaded anew or by the first: there is no state between calls."""
    one, other = (score_source(source, r, as_of=as_of, topic=topic) for r in REGISTRIES)
    assert one == other
    return one


@given(sources, st.integers(0, 2000), st.integers(0, 2000))
def test_a_younger_source_never_scores_lower(source: ScoringInput, age: int, more: int) -> None:
    younger = replace(source, published=days_ago(age), modified=None)
    older = replace(source, published=days_ago(age + more), modified=None)
    assert scored(younger, AS_OF, "a b").total >= scored(older, AS_OF, "a b").total
