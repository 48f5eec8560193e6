from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from foureyes import RegistryError
from foureyes.base.registry import load_registry_file, packaged_config
from foureyes.datatypes import ScoringInput
from foureyes.sources.scoring.rules import SITE_FILES, ScoringRegistry, SiteList, load_scoring
from foureyes.sources.scoring.score import classify

SPECIFIED_WEIGHTS = {
    "government": 1.0, "regulatory": 1.0, "academic": 0.95, "news_major": 0.8, "corporate": 0.75,
    "news_trade": 0.7, "wiki": 0.6, "blog": 0.3, "unknown": 0.2, "official_docs": 0.95,
    "standards": 0.95, "official_repository": 0.75, "forum": 0.3, "user_supplied": 0.75,
}  # fmt: skip


def test_the_packaged_classes_have_the_weights_and_points_decided(
    registry: ScoringRegistry,
) -> None:
    assert {n: registry.classes[n].weight for n in SPECIFIED_WEIGHTS} == SPECIFIED_WEIGHTS
    named = ("official_docs", "official_repository", "blog", "unknown")
    assert [registry.classes[name].points for name in named] == [40, 35, 10, 5]


def test_the_ranks_follow_the_order_of_authority(registry: ScoringRegistry) -> None:
    order = ("government", "academic", "news_major", "wiki", "blog", "low_credibility")
    ranks = [registry.classes[name].rank for name in order]
    assert ranks == sorted(set(ranks))


def test_no_site_stands_in_two_packaged_lists() -> None:
    lists = [load_registry_file(SiteList, name) for name in SITE_FILES]
    counts = Counter(site for each in lists for sites in each.sites.values() for site in sites)
    assert [site for site, count in counts.items() if count > 1] == []
    assert len(counts) > 2000


def test_the_evidence_names_the_entry_and_every_class_is_used(registry: ScoringRegistry) -> None:
    lists = [load_registry_file(SiteList, name) for name in SITE_FILES]
    by_code = {"user_supplied", "unknown", "look_alike", "official_repository"}
    used = set[str]().union(*(each.class_names() for each in lists))
    assert registry.classes.keys() - used == by_code
    site = classify(ScoringInput("https://www.gov.uk/x"), registry)
    assert site.why == "gov.* is listed as government"


def test_each_listed_site_is_found_under_its_own_class(registry: ScoringRegistry) -> None:
    wrong = [
        f"{site}: {found.name}, not {name}"
        for file in SITE_FILES
        for name, sites in load_registry_file(SiteList, file).sites.items()
        for site in sites
        if "*" not in site
        for found in [classify(ScoringInput(f"https://{site}"), registry)]
        if found.name not in (name, "official_repository")
    ]
    assert wrong == []


def test_a_users_own_sites_win_over_the_packaged_ones(tmp_path: Path) -> None:
    (tmp_path / "sites_own.yaml").write_text(
        "sites:\n  official_docs: [handbook.example.org, medium.com/our-team]\n"
        "  blog: [www.gov.uk/opinions]\n"
        "repositories: {github.com: [Example-Inc], git.example.org: [core]}\n"
        "moved_to: {old.example.org: handbook.example.org}\n"
    )
    registry = load_scoring(tmp_path)
    urls = (
        "https://handbook.example.org/a", "https://medium.com/our-team/a", "https://medium.com/a",
        "https://www.gov.uk/opinions/1", "https://github.com/example-inc/x",
        "https://git.example.org/core/x", "https://github.com/python/x",
    )  # fmt: skip
    names = [classify(ScoringInput(url), registry).name for url in urls]
    repository = "official_repository"
    assert names == ["official_docs"] * 2 + ["blog"] * 2 + [repository] * 3
    assert classify(ScoringInput("https://old.example.org"), registry).moved_to


def packaged(name: str) -> str:
    return (packaged_config() / "registry" / name).read_text(encoding="utf-8")


BROKEN = {
    "weights that do not add up": (
        "scoring.yaml", "authority: 40,", "authority: 41,", "the weights add up to 101, not to 100",
    ),
    "a part over its weight": (
        "scoring.yaml", "undated: 9", "undated: 31",
        "recency can reach 31 points, its weight is 30",
    ),
    "bands in disorder": (
        "scoring.yaml", "{days: 30, points: 28}", "{days: 5, points: 28}",
        "recency: the days of the bands must rise",
    ),
    "shares in disorder": (
        "scoring.yaml", "{share: 0.75, points: 8}", "{share: 0.1, points: 8}",
        "relevance: the shares of the bands must fall",
    ),
    "tiers in disorder": (
        "scoring.yaml", "t2: 60", "t2: 95",
        "tiers: the scores must fall from t1 to t4",
    ),
    "an unknown key": (
        "scoring.yaml", "reliable: 0.6", "reliabel: 0.6", "reliable: it is missing",
    ),
    "a class without its weight": (
        "authority.yaml", "points: 5, weight: 0.2", "points: 5",
        "classes.unknown.weight: it is missing",
    ),
    "a class that code needs": (
        "authority.yaml", "  archive:", "  attic:", "the class 'archive' is missing",
    ),
    "points over the weight": (
        "authority.yaml", "  blog:                {points: 10",
        "  blog:                {points: 41",
        "classes.blog.points: 41 is more than the weight of authority, 40",
    ),
    "a site in two classes": (
        "sites_own.yaml", "sites: {}", "sites: {blog: [a.example], wiki: [a.example]}",
        "'a.example' stands in 'blog' and in 'wiki'",
    ),
    "an address for a site": (
        "sites_own.yaml", "sites: {}", "sites: {blog: ['https://a.example']}",
        "sites.blog.0: 'https://a.example' is not a host in lower case",
    ),
    "a class that is not there": (
        "sites_own.yaml", "sites: {}", "sites: {blogs: [a.example]}",
        "authority.yaml has no class 'blogs'",
    ),
    "a pattern that is none": (
        "sites_own.yaml", "sites: {}", "sites: {}\npatterns: [{class: blog, host: '(', why: x}]",
        "patterns.0.host: Input should be a valid regular expression",
    ),
    "a pattern that says nothing": (
        "sites_own.yaml", "sites: {}", "sites: {}\npatterns: [{class: blog, why: x}]",
        "the pattern for 'blog' has no host, label or path",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "said"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_file_is_refused_in_one_line(
    file: str, old: str, new: str, said: str, tmp_path: Path
) -> None:
    text = packaged(file)
    assert old in text
    (tmp_path / file).write_text(text.replace(old, new, 1))
    with pytest.raises(RegistryError, match=re.escape(said)) as caught:
        load_scoring(tmp_path)
    assert file in str(caught.value)
    assert "\n" not in str(caught.value)
