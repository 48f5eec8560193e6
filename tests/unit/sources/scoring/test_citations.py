from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from foureyes.base.registry import parse_yaml
from foureyes.datatypes import CitedSource, Override, PageFeatures, ScoringInput, Tier
from foureyes.documents.parse import parse_document
from foureyes.sources.plain_text import one_line
from foureyes.sources.scoring.appraisal import apply_overrides, score_source
from foureyes.sources.scoring.citations import (
    CitationFormat,
    choose_format,
    citation_yaml,
    cited_source,
    footnote_mark,
    footnotes,
    inline_mark,
    reference_list,
    safe_url,
)
from foureyes.sources.scoring.rules import ScoringRegistry
from hypothesis import given
from hypothesis import strategies as st

AS_OF = date(2026, 2, 3)
DOCS = CitedSource(
    "https://kubernetes.io/docs/",
    "official documentation",
    "webpage",
    Tier.T1,
    0.95,
    title="Documentation",
    accessed=AS_OF,
)
POST = CitedSource("https://medium.com/@a/b", "blog", "post-weblog", Tier.T5, 0.28)


def cited(url: str, registry: ScoringRegistry, age: int = 20) -> CitedSource:
    source = ScoringInput(
        url,
        title="Pods",
        modified=AS_OF - timedelta(age),
        accessed=AS_OF,
        text="pod priority",
        features=PageFeatures(code_examples=True),
    )
    return cited_source(
        source, score_source(source, registry, as_of=AS_OF, topic="pod priority"), registry
    )


BASELINE = ("https://kubernetes.io/docs/", "https://docs.python.org/3/")
MIXED = (*BASELINE, "https://github.com/kubernetes/examples", "https://stackoverflow.com/q/1")


@pytest.mark.parametrize(
    ("urls", "age", "disputed", "form"),
    [
        (BASELINE, 20, False, CitationFormat.MINIMAL),
        (MIXED, 20, False, CitationFormat.STANDARD),
        (BASELINE, 20, True, CitationFormat.DETAILED),
        (("https://medium.com/@a/b",), 3, False, CitationFormat.DETAILED),
        ([f"https://docs.python.org/{n}" for n in range(6)], 20, False, CitationFormat.DETAILED),
        ([f"https://docs.python.org/{n}" for n in range(5)], 20, False, CitationFormat.MINIMAL),
        (("https://nobody.example/",), 900, False, CitationFormat.DETAILED),
        ((), 20, False, CitationFormat.MINIMAL),
    ],
)
def test_the_format_follows_from_doubt_number_and_types(
    urls: list[str], age: int, disputed: bool, form: CitationFormat, registry: ScoringRegistry
) -> None:
    sources = [cited(url, registry, age) for url in urls]
    assert choose_format(sources, registry.rules.citations, disputed=disputed) is form


def test_the_minimal_format_is_a_list_of_addresses() -> None:
    text = "- https://kubernetes.io/docs/\n- https://medium.com/@a/b\n"
    assert citation_yaml([DOCS, POST], CitationFormat.MINIMAL) == text


def test_the_standard_format_adds_type_and_day() -> None:
    assert citation_yaml([DOCS, POST], CitationFormat.STANDARD) == (
        "- url: https://kubernetes.io/docs/\n  type: official documentation\n"
        "  accessed_date: 2026-02-03\n"
        "- url: https://medium.com/@a/b\n  type: blog\n"
    )


def test_the_detailed_format_adds_tier_score_and_notes() -> None:
    noted = replace(DOCS, notes=("capped at 39 from 44", "unknown domain"))
    assert citation_yaml([noted], CitationFormat.DETAILED) == (
        "- url: https://kubernetes.io/docs/\n  type: official documentation\n"
        "  accessed_date: 2026-02-03\n  tier: T1\n  reliability_score: 0.95\n"
        "  notes: capped at 39 from 44; unknown domain\n"
    )


def test_no_source_is_an_empty_list() -> None:
    assert parse_yaml(citation_yaml([], CitationFormat.MINIMAL), "test") == []


@given(st.text(max_size=40), st.text(max_size=40))
def test_whatever_a_source_says_the_yaml_reads_back(url: str, note: str) -> None:
    source = replace(POST, url=url, notes=(note, "second"))
    entries = parse_yaml(citation_yaml([source], CitationFormat.DETAILED), "test")
    entry = {"url": safe_url(url), "type": "blog", "tier": "T5", "reliability_score": 0.28}
    assert entries == [{**entry, "notes": f"{one_line(note)}; second"}]


def test_notes_hold_conflict_review_and_a_persons_reason(registry: ScoringRegistry) -> None:
    source = ScoringInput("https://nobody.example/")
    score = score_source(source, registry, as_of=AS_OF)
    decided = Override(source.url, Tier.T2, "Ann", datetime(2026, 2, 3, tzinfo=UTC), "I know them")
    (score,) = apply_overrides([score], [decided])
    made = cited_source(source, score, registry)
    assert made.tier is Tier.T2
    assert made.notes == (
        "unknown domain: no list names nobody.example",
        "no date is known",
        "Ann: I know them",
    )


def test_marks_name_their_number() -> None:
    assert (inline_mark(2), footnote_mark(2)) == ("[2]", "[^2]")


def test_references_and_footnotes_name_what_is_known() -> None:
    full = replace(DOCS, author="The Authors", published=date(2025, 5, 1))
    place = "<https://kubernetes.io/docs/> (accessed 2026-02-03)"
    said = f"The Authors. Documentation. 2025-05-01. {place}"
    assert reference_list([full, POST]) == f"[1] {said}\n\n[2] <https://medium.com/@a/b>\n"
    assert footnotes([full, POST]) == f"[^1]: {said}\n[^2]: <https://medium.com/@a/b>\n"
    assert reference_list([]) == ""


HOSTILE = (
    "A [link](https://evil.example) <script>x</script> `code` **bold**\n\n# Head | ![i](j)"
    " www.evil.example"
)


def test_a_hostile_title_stays_text() -> None:
    source = replace(DOCS, title=HOSTILE, url="https://k.example/a b>(c)")
    text = "A claim.[^1]\n\n" + footnotes([source])
    assert parse_document(text).cited_urls() == ("https://k.example/a%20b%3E(c)",)
    assert "\n\n#" not in text
    assert "<script" not in text.replace("\\<", "")
