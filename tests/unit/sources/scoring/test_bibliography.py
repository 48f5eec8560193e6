from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from typing import Any, cast

import bibtexparser
import pytest
from foureyes.datatypes import CitedSource, Tier
from foureyes.sources.scoring.citations import bibtex, csl_json
from foureyes.sources.scoring.rules import ScoringRegistry
from hypothesis import given
from hypothesis import strategies as st

DOCS = CitedSource(
    "https://www.example.org/guide",
    "official documentation",
    "webpage",
    Tier.T1,
    0.95,
    title="The Guide",
    author="Example Project",
    published=date(2025, 5, 1),
    accessed=date(2026, 2, 3),
)
BARE = CitedSource("https://example.net/x_y?a=1&b={2}", "blog", "post-weblog", Tier.T5, 0.2)
CSL_TYPES = {
    "article", "article-journal", "article-magazine", "article-newspaper", "dataset", "document",
    "entry-encyclopedia", "legislation", "post", "post-weblog", "report", "software", "standard",
    "webpage",
}  # fmt: skip


def test_csl_json_holds_what_is_known() -> None:
    assert json.loads(csl_json([DOCS, BARE])) == [
        {
            "id": "exampleorg2025",
            "type": "webpage",
            "title": "The Guide",
            "URL": "https://www.example.org/guide",
            "author": [{"literal": "Example Project"}],
            "issued": {"date-parts": [[2025, 5, 1]]},
            "accessed": {"date-parts": [[2026, 2, 3]]},
        },
        {
            "id": "examplenet",
            "type": "post-weblog",
            "title": "https://example.net/x_y?a=1&b=%7B2%7D",
            "URL": "https://example.net/x_y?a=1&b=%7B2%7D",
        },
    ]


def test_the_packaged_classes_use_item_types_that_exist(registry: ScoringRegistry) -> None:
    assert {entry.csl for entry in registry.classes.values()} <= CSL_TYPES


def test_bibtex_holds_what_is_known() -> None:
    assert bibtex([DOCS]) == (
        "@misc{exampleorg2025,\n"
        "  author = {{Example Project}},\n"
        "  title = {{The Guide}},\n"
        "  year = {2025},\n"
        "  month = {5},\n"
        "  url = {https://www.example.org/guide},\n"
        "  urldate = {2026-02-03},\n"
        "  note = {official documentation},\n"
        "}\n"
    )


def parsed(text: str) -> list[dict[str, str]]:
    """The fields of each entry by a BibTeX parser; nothing may be left over."""
    # The parser annotates only part of itself.
    library = cast("Any", bibtexparser).parse_string(text)
    assert library.failed_blocks == []
    assert len(library.blocks) == len(library.entries)
    return [
        {"key": entry.key, **{field.key: field.value for field in entry.fields}}
        for entry in library.entries
    ]


HOSTILE = (
    "A {brace", "A brace}", "}}\n@misc{other, title={x}}",
    "100 % of $5 & #1_a ~ ^ \\input{/etc/passwd}",
    'He said "x", {', "\\", "\\}", "@article{a,", "%", "tab\tand\x00null",
)  # fmt: skip


@pytest.mark.parametrize("title", HOSTILE)
def test_a_hostile_title_stays_in_its_field(title: str) -> None:
    entries = parsed(bibtex([replace(DOCS, title=title, author=title), BARE]))
    assert [entry["key"] for entry in entries] == ["exampleorg2025", "examplenet"]
    assert set(entries[0]) == {"key", "author", "title", "year", "month", "url", "urldate", "note"}
    assert "\\input" not in entries[0]["title"]


@given(
    st.lists(st.builds(replace, st.just(DOCS), title=st.text(), author=st.text(), url=st.text()))
)
def test_any_sources_parse_as_so_many_entries(sources: list[CitedSource]) -> None:
    entries = parsed(bibtex(sources))
    assert len({entry["key"] for entry in entries}) == len(sources)
    items = json.loads(csl_json(sources).encode())
    assert [item["id"] for item in items] == [entry["key"] for entry in entries]
