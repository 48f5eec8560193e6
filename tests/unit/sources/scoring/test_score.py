"""How good a source is, from 0 to 100, and what follows from it."""

from __future__ import annotations

import importlib.resources
import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path

import foureyes
import pytest
from foureyes.datatypes import ConfidenceMark, DomainTier, SourceScore, Tier
from support.listed import AS_OF, CODE, PLAIN, REFERENCES, TABLE, Page, appraised, scored

TOPIC = "kubernetes pod scheduling priority"


def days_ago(count: int) -> date:
    return AS_OF - timedelta(count)


@dataclass(frozen=True)
class Example:
    """A worked example of the specification: its parts and what follows."""

    source: Page
    parts: tuple[int, int, int, int]
    total: int
    tier: Tier
    mark: ConfidenceMark
    conflict: bool


ON_TOPIC = "Kubernetes chooses a node by pod priority; scheduling can be tuned.\n"
MOSTLY = "Kubernetes pods have a priority.\n"
EXAMPLES_OF_THE_SPECIFICATION = {
    "fresh official documentation": Example(
        Page("https://kubernetes.io/docs/", ON_TOPIC + CODE, "Documentation", days_ago(20)),
        (40, 28, 18, 9), 95, Tier.T1, ConfidenceMark.HIGH, False,
    ),
    "an old post on a blog platform": Example(
        Page("https://medium.com/@random/old-post", MOSTLY, published=date(2020, 5, 1)),
        (10, 0, 10, 8), 28, Tier.T5, ConfidenceMark.WARNING, False,
    ),
    "outdated official documentation": Example(
        Page("https://linkerd.io/old/", MOSTLY, published=days_ago(1000)),
        (40, 0, 10, 8), 58, Tier.T3, ConfidenceMark.WARNING, True,
    ),
    "an official repository": Example(
        Page("https://github.com/kubernetes/examples", MOSTLY + CODE, published=days_ago(100)),
        (35, 24, 18, 8), 85, Tier.T2, ConfidenceMark.MEDIUM_HIGH, False,
    ),
}  # fmt: skip


@pytest.mark.parametrize("example", EXAMPLES_OF_THE_SPECIFICATION.values(), ids=lambda e: e.total)
def test_the_worked_examples_come_out_part_by_part(example: Example, tmp_path: Path) -> None:
    score = scored(tmp_path, example.source, topic=TOPIC)
    assert tuple(part.points for part in score.parts.values()) == example.parts
    assert [part.out_of for part in score.parts.values()] == [40, 30, 20, 10]
    assert all(part.reason for part in score.parts.values())
    assert (score.total, score.tier, score.mark) == (example.total, example.tier, example.mark)
    assert bool(score.conflict) is example.conflict


def test_an_official_repository_names_its_owner(tmp_path: Path) -> None:
    score = scored(tmp_path, EXAMPLES_OF_THE_SPECIFICATION["an official repository"].source)
    assert score.authority.evidence == (
        "github.com/kubernetes is listed as an official owner",
        "owner kubernetes",
    )


def test_a_conflict_is_noted_and_put_before_a_person(tmp_path: Path) -> None:
    source = EXAMPLES_OF_THE_SPECIFICATION["outdated official documentation"].source
    score = scored(tmp_path, source, topic=TOPIC)
    said = "the domain lets expect T1, the score says T3: the score holds"
    assert (score.conflict, score.notes, score.review) == (said, (said,), (said,))


BOTH = CODE + REFERENCES
# The scores at which tiers begin, and those below: authority, recency, completeness, relevance.
TIERS = [
    ("https://kubernetes.io/docs/", 3, BOTH, "Stone", 100, Tier.T1, "🟢"),
    ("https://kubernetes.io/docs/", 3, BOTH, "", 90, Tier.T1, "🟢"),
    ("https://github.com/kubernetes/x", 100, BOTH, "Stone", 89, Tier.T2, "🔵"),
    ("https://kubernetes.io/docs/", 999, BOTH, "", 60, Tier.T2, "🔵"),
    ("https://kubernetes.io/docs/", 400, TABLE[:10], "", 59, Tier.T3, "🟡"),
    ("https://medium.com/@a/b", 999, BOTH, "Stone", 40, Tier.T3, "🟡"),
    ("https://medium.com/@a/b", 400, TABLE[:10], "Stone", 39, Tier.T4, "🟠"),
    ("https://medium.com/@a/b", 999, BOTH, "", 30, Tier.T4, "🟠"),
    ("https://medium.com/@a/b", 400, TABLE[:10], "", 29, Tier.T5, "🔴"),
    ("https://www.nih.gov.blogspot.com/", 999, TABLE[:10], "", 10, Tier.T5, "🔴"),
]


@pytest.mark.parametrize(("url", "age", "text", "title", "total", "tier", "badge"), TIERS)
def test_tiers_begin_at_their_lowest_score(
    url: str, age: int, text: str, title: str, total: int, tier: Tier, badge: str, tmp_path: Path
) -> None:
    score = scored(tmp_path, Page(url, text, title, days_ago(age)), topic="stone")
    assert (score.total, score.tier, score.badge) == (total, tier, badge)


def test_a_page_that_was_not_read_is_a_warning_but_no_conflict(tmp_path: Path) -> None:
    score = scored(tmp_path, Page("https://docs.python.org/3/gone.html", ""), topic=TOPIC)
    assert (score.expected_tier, score.tier, score.conflict) == (Tier.T1, Tier.T3, "")
    assert (score.mark, score.usable) == (ConfidenceMark.WARNING, False)


def best(tmp_path: Path, url: str, published: date | None = None) -> SourceScore:
    return scored(tmp_path, Page(url, BOTH, TOPIC, published), topic=TOPIC)


UNKNOWN = "https://somewhere.example/page"


def test_an_unknown_domain_without_a_date_is_capped_and_queued(tmp_path: Path) -> None:
    score = best(tmp_path, UNKNOWN)
    assert (score.total, score.tier) == (39, Tier.T4)
    assert score.notes == ("capped at 39 from 44",)
    unknown = "unknown domain: no list names somewhere.example"
    assert score.review == (unknown, "no date is known")
    assert (score.mark, score.domain_tier) == (ConfidenceMark.WARNING, DomainTier.UNKNOWN)


def test_an_unknown_domain_with_a_date_is_not_capped(tmp_path: Path) -> None:
    score = best(tmp_path, UNKNOWN, AS_OF)
    assert (score.total, score.expected_tier) == (65, None)
    assert score.review == ("unknown domain: no list names somewhere.example",)


@pytest.mark.parametrize(
    "url", ["https://somewhere.example/blog/x", "https://patriot-front.example/"]
)
def test_what_a_name_alone_tells_does_not_make_a_domain_known(url: str, tmp_path: Path) -> None:
    score = best(tmp_path, url)
    assert (score.total, score.domain_tier) == (39, DomainTier.UNKNOWN)
    assert score.review[0].startswith("unknown domain: a")


def test_a_university_by_its_name_is_known(tmp_path: Path) -> None:
    score = best(tmp_path, "https://www.uni-heidelberg.de/x")
    assert (score.total, score.site.unknown) == (77, False)


def test_a_site_of_low_credibility_stays_in_the_last_tier(tmp_path: Path) -> None:
    score = best(tmp_path, "https://docs.python.org.evil.example/", AS_OF)
    assert (score.total, score.tier) == (29, Tier.T5)


@pytest.mark.parametrize(
    ("url", "published", "text", "expected"),
    [
        ("https://www.gov.uk/tax", 3, CODE, (True, True, False, DomainTier.HIGH)),
        ("https://www.gov.uk/tax", 3000, PLAIN, (False, False, False, DomainTier.MEDIUM)),
        ("https://www.bbc.co.uk/news/1", 3, CODE, (True, False, False, DomainTier.HIGH)),
        ("https://medium.com/@a/b", 3000, PLAIN, (False, False, True, DomainTier.LOW)),
    ],
)
def test_flags_follow_from_score_and_weight(
    url: str,
    published: int,
    text: str,
    expected: tuple[bool, bool, bool, DomainTier],
    tmp_path: Path,
) -> None:
    score = scored(tmp_path, Page(url, text, published=days_ago(published)))
    flags = (score.reliable, score.authoritative, score.low_reliability, score.domain_tier)
    assert flags == expected
    assert score.reliability_score == score.total / 100


def test_what_a_user_supplies_is_never_authoritative(tmp_path: Path) -> None:
    packaged = importlib.resources.files("foureyes.config") / "registry" / "authority.yaml"
    names = re.findall(r"^  (\w+): +\{points", packaged.read_text(encoding="utf-8"), re.M)
    rules, folder = tmp_path / "rules", tmp_path / "sources"
    for made in (rules, folder):
        made.mkdir()
    highest = "{points: 40, weight: 1.0, rank: 1, tier: 1, type: any}"
    (rules / "authority.yaml").write_text(
        "classes:\n" + "".join(f"  {name}: {highest}\n" for name in names)
    )
    (folder / "notes.txt").write_text(CODE)
    (folder / "sources.yaml").write_text(f"- {{file: notes.txt, published: {AS_OF}}}\n")
    (score,) = foureyes.check(
        "This is so (notes.txt).\n",
        sources=[folder],
        fetch="none",
        reader="none",
        as_of=AS_OF,
        registry_dir=rules,
    ).appraisal.scores
    assert (score.reliable, score.authoritative) == (True, False)


def test_a_known_domain_without_a_date_is_a_warning_but_not_queued(tmp_path: Path) -> None:
    score = scored(tmp_path, Page("https://docs.python.org/3/", CODE, TOPIC), topic=TOPIC)
    assert (score.total, score.tier, score.mark) == (77, Tier.T2, ConfidenceMark.WARNING)
    assert score.review == ()


def test_sources_are_scored_in_their_order(tmp_path: Path) -> None:
    pages = [Page("https://python.org/"), Page("https://example.org/")]
    for order in (pages, pages[::-1]):
        scores = appraised(tmp_path, order).scores
        assert [score.url for score in scores] == [page.url for page in order]
        assert scores == tuple(scored(tmp_path, replace(page)) for page in order)
