"""A document review that asks the web: a search server and pages on loopback, real HTTP."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus

import pytest
from support.commands import foureyes_here
from support.http_site import HttpSite, searxng
from support.serving import served

PRIVATE = "kestrels"
DOCUMENT = f"""# Plan of Alden

Date: 2026-02-01

## Summary

The quay of Alden was built in 1934. The port of Alden employs 240 people.

In our pilot, 73% of the {PRIVATE} stayed.
"""
FOUND = "The quay of Alden was built in 1936. It is made of stone.\n"


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A review's directory, what the search server was asked, and what the page's was."""

    folder: Path
    asked: tuple[str, ...]
    fetched: tuple[str, ...]
    page: str

    def artefact(self, name: str) -> Any:
        return json.loads((self.folder / name).read_bytes())

    def result(self, words: str) -> Mapping[str, Any]:
        claims = self.artefact("claims.json")["claims"]
        (claim,) = [one for one in claims if words in one["statement"]]
        (found,) = [
            one for one in self.artefact("web.json")["results"] if one["claim_id"] == claim["id"]
        ]
        return found


def reviewed(folder: Path, *options: str, allowed: bool = True) -> Reviewed:
    (folder / "plan.md").write_text(DOCUMENT, encoding="utf-8")
    with served(HttpSite()) as pages, served(HttpSite()) as search:
        pages.page("/quay", FOUND, media_type="text/plain")
        page = pages.url("/quay")
        search.tell(searxng([{"url": page, "title": "The quay", "content": "Of stone."}]))
        asking = ("--search", "searxng", "--search-url", search.url(""), "--source-cache", "none")
        hosts = ("--allowed-hosts", pages.authority) if allowed else ()
        command = foureyes_here(
            *("review", "plan.md", *asking, *hosts, *options, "--yes", "--quiet", "--json"),
            cwd=folder,
        )
        assert command.returncode in (0, 2), command.stderr
        (run,) = (folder / "reviews").iterdir()
        asked = tuple(unquote_plus(one.path) for one in search.requests)
        return Reviewed(run, asked, tuple(one.path for one in pages.requests), page)


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Reviewed:
    return reviewed(tmp_path_factory.mktemp("searched"))


def test_each_claim_is_asked_about_and_nothing_of_what_is_the_authors_own(
    searched: Reviewed,
) -> None:
    assert len(searched.asked) == 2
    assert all("Alden" in asked for asked in searched.asked)
    assert not any(PRIVATE in asked or "pilot" in asked for asked in searched.asked)
    assert "nothing is sent out" in searched.result(PRIVATE)["reason"]


def test_what_is_found_is_read_once_and_quoted_from_its_snapshot(searched: Reviewed) -> None:
    assert searched.fetched.count("/quay") == 1
    (source,) = searched.result("1934")["sources"]
    item = source["evidence"]
    text = (searched.folder / "sources" / f"{item['sha256']}.txt").read_text("utf-8")
    assert text[item["start"] : item["end"]] == item["quote"]
    assert item["quote"].startswith("The quay of Alden was built in 1936.")
    assert item["url"] == searched.page


def test_a_page_that_nobody_knows_settles_nothing(searched: Reviewed) -> None:
    found = searched.result("1934")
    assert found["verdict"] == "UNVERIFIABLE"
    assert "no authoritative source was found" in found["reason"]
    assert searched.page in found["reason"]


@pytest.mark.parametrize("options", [("--no-web",), ("--fetch", "none")], ids=" ".join)
def test_nobody_is_asked_without_leave(options: tuple[str, ...], tmp_path: Path) -> None:
    alone = reviewed(tmp_path, *options)
    assert (alone.asked, alone.fetched) == ((), ())


def test_a_hit_in_a_private_network_is_not_opened(tmp_path: Path) -> None:
    refused = reviewed(tmp_path, allowed=False)
    assert refused.fetched == ()
    assert [one["state"] for one in refused.artefact("web.json")["sources"]] == [
        "refused_by_policy"
    ]
