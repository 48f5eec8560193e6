from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from foureyes.datatypes import PageFeatures, ScoringInput, Snapshot, Source, SourceState
from foureyes.sources.scoring.appraisal import page_features, scoring_input
from foureyes.sources.scoring.rules import ScoringRegistry
from foureyes.sources.scoring.score import classify

FETCHED = datetime(2026, 2, 3, 12, tzinfo=UTC)


def snapshot(*chain: str, status: int | None = 200) -> Snapshot:
    return Snapshot(
        "0" * 64, "1" * 64, chain, FETCHED, status, "text/html", 100,
        title="Pods", author="Ann", published=date(2025, 1, 1), modified=date(2026, 1, 1),
    )  # fmt: skip


def test_a_fetched_page_hands_on_all_that_is_known(registry: ScoringRegistry) -> None:
    chain = ("https://k.example/a", "https://k.example/b")
    source = Source(chain[0], SourceState.MOVED, "moved", snapshot(*chain))
    made = scoring_input(source, "Pods run.", registry.rules.features)
    assert made == ScoringInput(
        "https://k.example/a",
        answered_by="https://k.example/b",
        title="Pods",
        author="Ann",
        published=date(2025, 1, 1),
        modified=date(2026, 1, 1),
        accessed=date(2026, 2, 3),
        text="Pods run.",
        features=PageFeatures(),
    )


def test_a_page_that_could_not_be_read_has_no_features(registry: ScoringRegistry) -> None:
    rules = registry.rules.features
    walled = Source(
        "https://k.example/a", SourceState.PAYWALLED, "", snapshot("https://k.example/a")
    )
    gone = Source("https://k.example/a", SourceState.DEAD, "404")
    assert scoring_input(walled, "", rules).features is None
    assert scoring_input(gone, "", rules) == ScoringInput("https://k.example/a")


def test_a_file_without_a_web_address_is_user_supplied(registry: ScoringRegistry) -> None:
    rules = registry.rules.features
    local = Source("notes.md", SourceState.OK, "", snapshot("notes.md", status=None))
    listed = Source("https://k.example/a", SourceState.OK, "", snapshot("notes.md", status=None))
    missing = Source("notes.md", SourceState.DEAD, "no such file")
    supplied = [scoring_input(s, "", rules).user_supplied for s in (local, listed, missing)]
    assert supplied == [True, False, True]


def test_a_file_that_answers_for_a_web_address_is_judged_by_that(registry: ScoringRegistry) -> None:
    url = "https://kubernetes.io/docs/"
    listed = Source(url, SourceState.OK, "", snapshot("notes.md", status=None))
    given = scoring_input(listed, "", registry.rules.features)
    assert classify(given, registry).name == "official_docs"


PROSE = "The pod is placed on a node. It was 3 years ago. We saw 20 people there; they left.\n" * 5
CODE = "import os\nfrom pathlib import Path\nx = os.getcwd();\nfor y in x {\n"
MANIFEST = "Write this:\napiVersion: v1\nkind: Pod\nmetadata:\n"
TABLE = "Year | Count\n2020 | 5\n2021 | 6\n"
FIGURES = "It rose by 3.5 % to $4.2 billion. " * 6
CITED = "See https://a.example/1 and doi: 10.1000/1.\n[3] A. Author, 2020.\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", PageFeatures()),
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
def test_features_are_seen_in_the_text(
    text: str, expected: PageFeatures, registry: ScoringRegistry
) -> None:
    assert page_features(text, registry.rules.features) == expected


def test_of_a_long_text_beginning_and_end_are_looked_at(registry: ScoringRegistry) -> None:
    rules = registry.rules.features
    filler = "word " * (rules.characters // 5)
    assert page_features(filler + TABLE + filler, rules) == PageFeatures()
    assert page_features(TABLE + filler * 2 + CITED, rules) == PageFeatures(
        data_tables=True, references=True
    )
