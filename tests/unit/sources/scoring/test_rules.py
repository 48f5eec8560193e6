"""The lists of sites and the rules of scoring are data that a user may replace."""

from __future__ import annotations

import importlib.resources
import re
from collections import Counter
from pathlib import Path
from typing import Any, cast

import foureyes
import pytest
from foureyes import RegistryError
from ruamel.yaml import YAML
from support.listed import by_address

PACKAGED = importlib.resources.files("foureyes.config") / "registry"
SITE_FILES = (
    "sites_official.yaml",
    "sites_institutions.yaml",
    "sites_media.yaml",
    "sites_web.yaml",
    "sites_own.yaml",
)
# By the decisions, and a site of each.
WEIGHTS = {
    "government": 1.0, "regulatory": 1.0, "academic": 0.95, "news_major": 0.8, "corporate": 0.75,
    "news_trade": 0.7, "wiki": 0.6, "blog": 0.3, "unknown": 0.2, "official_docs": 0.95,
    "standards": 0.95, "official_repository": 0.75, "forum": 0.3, "user_supplied": 0.75,
}  # fmt: skip
POINTS = {"official_docs": 40, "official_repository": 35, "blog": 10, "unknown": 5}
ORDER = ("government", "academic", "news_major", "wiki", "blog", "low_credibility")


def packaged(name: str) -> str:
    return (PACKAGED / name).read_text(encoding="utf-8")


def read(name: str) -> dict[str, Any]:
    return cast("Any", YAML(typ="safe")).load(packaged(name))


def listed() -> list[tuple[str, str]]:
    """Every class of the packaged lists with each of its sites."""
    lists = map(read, SITE_FILES)
    return [
        (name, site) for each in lists for name, sites in each["sites"].items() for site in sites
    ]


def test_the_packaged_classes_have_the_weights_and_points_decided() -> None:
    classes = read("authority.yaml")["classes"]
    assert {name: classes[name]["weight"] for name in WEIGHTS} == WEIGHTS
    assert {name: classes[name]["points"] for name in POINTS} == POINTS


def test_the_ranks_follow_the_order_of_authority() -> None:
    classes = read("authority.yaml")["classes"]
    ranks = [classes[name]["rank"] for name in ORDER]
    assert ranks == sorted(set(ranks))


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://www.gov.uk/tax", "government"),
        ("https://medium.com/@a/b", "blog"),
        ("https://github.com/python/cpython", "official_repository"),
        ("notes.md", "user_supplied"),
    ],
)
def test_a_source_weighs_what_its_class_weighs(url: str, name: str) -> None:
    found = by_address([url])[url]
    assert (found["authority_class"], found["weight"]) == (name, WEIGHTS[name])


def test_no_site_stands_in_two_packaged_lists() -> None:
    counts = Counter(site for _, site in listed())
    assert [site for site, count in counts.items() if count > 1] == []
    assert len(counts) > 2000


def test_every_class_is_used() -> None:
    patterns = (one for name in SITE_FILES for one in read(name).get("patterns", ()))
    used = {name for name, _ in listed()} | {one["class"] for one in patterns}
    by_code = {"user_supplied", "unknown", "look_alike", "official_repository"}
    assert read("authority.yaml")["classes"].keys() - used == by_code


def test_the_evidence_names_the_entry() -> None:
    url = "https://www.gov.uk/x"
    authority = by_address([url])[url]["parts"]["authority"]
    assert authority["evidence"] == ["gov.* is listed as government"]


def test_each_listed_site_is_found_under_its_own_class() -> None:
    classes = {f"https://{site}": name for name, site in listed() if "*" not in site}
    told = by_address(list(classes), "--max-fetches=0")
    wrong = [
        f"{url}: {one['authority_class']}, not {classes[url]}"
        for url, one in told.items()
        if one["authority_class"] not in (classes[url], "official_repository")
    ]
    assert wrong == []


def test_a_users_own_sites_win_over_the_packaged_ones(tmp_path: Path) -> None:
    (tmp_path / "sites_own.yaml").write_text(
        "sites:\n  official_docs: [handbook.example.org, medium.com/our-team]\n"
        "  blog: [www.gov.uk/opinions]\n"
        "repositories: {github.com: [Example-Inc], git.example.org: [core]}\n"
        "moved_to: {old.example.org: handbook.example.org}\n"
    )
    urls = (
        "https://handbook.example.org/a", "https://medium.com/our-team/a", "https://medium.com/a",
        "https://www.gov.uk/opinions/1", "https://github.com/example-inc/x",
        "https://git.example.org/core/x", "https://github.com/python/x",
    )  # fmt: skip
    old = "https://old.example.org"
    told = by_address([*urls, old], f"--registry-dir={tmp_path}")
    names = [told[url]["authority_class"] for url in urls]
    repository = "official_repository"
    assert names == ["official_docs"] * 2 + ["blog"] * 2 + [repository] * 3
    assert "handbook.example.org" in str(told[old])


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
        "scoring.yaml", "reliable: 0.6", "reliabel: 0.6",
        "reliabel: there is no such key (did you mean 'reliable'?)",
    ),
    "a class without its weight": (
        "authority.yaml", "points: 5, weight: 0.2", "points: 5",
        "classes.unknown.weight: it is missing",
    ),
    "a class that code needs": (
        "authority.yaml", "  archive:", "  attic:", "classes: lacks archive",
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
        foureyes.check("", fetch="none", reader="none", registry_dir=tmp_path)
    assert file in str(caught.value)
    assert "\n" not in str(caught.value)
