"""What is known of a source before it is scored."""

from __future__ import annotations

import importlib.resources
import json
from datetime import UTC, date, datetime
from pathlib import Path

import foureyes
import pytest
from foureyes.datatypes import PageFeatures, ScoringInput
from support.checking import checked
from support.http_site import HttpSite
from support.listed import Page, appraised
from support.serving import served

TITLED = (
    "<html><head><title>Pods</title><meta name=author content=Ann>"
    '<meta property="article:published_time" content="2025-01-01">'
    '<meta property="article:modified_time" content="2026-01-01"></head>'
    "<body><p>Pods run.</p></body></html>"
)


def test_a_fetched_page_hands_on_all_that_is_known() -> None:
    with served(HttpSite()) as site:
        asked, answered = site.redirect("/a", "/b"), site.page("/b", TITLED)
        result = foureyes.check(
            f"Pods run (<{asked}>).\n", reader="none", allowed_hosts=[site.authority]
        )
    (rated,) = result.appraisal.rated
    assert rated.given == ScoringInput(
        asked,
        answered_by=answered,
        title="Pods",
        author="Ann",
        published=date(2025, 1, 1),
        modified=date(2026, 1, 1),
        accessed=datetime.now(UTC).date(),
        text=rated.given.text,
        features=PageFeatures(),
    )
    assert "Pods run." in rated.given.text


def test_a_page_that_could_not_be_read_has_no_features() -> None:
    with served(HttpSite()) as site:
        gone = site.page("/gone", status=404)
        result = foureyes.check(
            f"Pods run (<{gone}>).\n", reader="none", allowed_hosts=[site.authority]
        )
    (rated,) = result.appraisal.rated
    assert rated.given == ScoringInput(gone)


def test_a_file_without_a_web_address_is_user_supplied(tmp_path: Path) -> None:
    for name in ("notes.txt", "listed.txt"):
        (tmp_path / name).write_text("Pods run.\n", encoding="utf-8")
    listing = [{"file": "listed.txt", "url": "https://k.example/a"}]
    (tmp_path / "sources.yaml").write_text(json.dumps(listing), encoding="utf-8")
    text = "It runs (notes.txt).\n\nIt ran (<https://k.example/a>).\n\nIt ran (gone.txt).\n"
    text += "\nIt was (<ftp://k.example/b>).\n"
    rated = checked(text, [tmp_path]).appraisal.rated
    assert [one.given.user_supplied for one in rated] == [True, False, True, False]
    assert [one.given.features for one in rated] == [PageFeatures(), PageFeatures(), None, None]


def test_a_file_that_answers_for_a_web_address_is_judged_by_that(tmp_path: Path) -> None:
    (score,) = appraised(tmp_path, [Page("https://kubernetes.io/docs/")]).scores
    assert score.site.name == "official_docs"


def features(folder: Path, text: str) -> PageFeatures | None:
    (rated,) = appraised(folder, [Page("https://a.example/", text)]).rated
    return rated.given.features


PROSE = "The pod is placed on a node. It was 3 years ago. We saw 20 people there; they left.\n" * 5
CODE = "import os\nfrom pathlib import Path\nx = os.getcwd();\nfor y in x {\n"
MANIFEST = "Write this:\napiVersion: v1\nkind: Pod\nmetadata:\n"
TABLE = "Year | Count\n2020 | 5\n2021 | 6\n"
FIGURES = "It rose by 3.5 % to $4.2 billion. " * 6
CITED = "See https://a.example/1 and doi: 10.1000/1.\n[3] A. Author, 2020.\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PROSE, PageFeatures()),
        (CODE, PageFeatures(code_examples=True)),
        ("```\nanything\n```\n", PageFeatures(code_examples=True)),
        (MANIFEST, PageFeatures(code_examples=True)),
        ("$ ls\n$ cd /tmp\n>>> 1\n", PageFeatures(code_examples=True)),
        (TABLE, PageFeatures(data_tables=True)),
        (FIGURES, PageFeatures(data_tables=True)),
        (CITED, PageFeatures(references=True)),
        ("Text.\n\n## References\n\nA book.\n", PageFeatures(references=True)),
        ("Text.\nLiteraturverzeichnis\nEin Buch.\n", PageFeatures(references=True)),
        (PROSE + CODE + TABLE + CITED, PageFeatures(True, True, True)),
    ],
)
def test_features_are_seen_in_the_text(text: str, expected: PageFeatures, tmp_path: Path) -> None:
    assert features(tmp_path, text) == expected


def test_of_a_long_text_beginning_and_end_are_looked_at(tmp_path: Path) -> None:
    packaged = importlib.resources.files("foureyes.config") / "registry" / "scoring.yaml"
    rules = packaged.read_text(encoding="utf-8").replace("characters: 500000", "characters: 5000")
    (tmp_path / "scoring.yaml").write_text(rules, encoding="utf-8")
    filler = "The mill is old and it is of stone.\n" * 140

    def seen(text: str) -> PageFeatures | None:
        page = Page("https://a.example/", text)
        (rated,) = appraised(tmp_path / "pages", [page], registry_dir=tmp_path).rated
        return rated.given.features

    assert seen(filler + TABLE + filler) == PageFeatures()
    assert seen(TABLE + filler * 2 + CITED) == PageFeatures(data_tables=True, references=True)
