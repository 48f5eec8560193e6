from __future__ import annotations

from datetime import UTC, date, datetime

from foureyes.datatypes import Appraisal, Snapshot, Source, SourceSet, SourceState
from foureyes.report.wording import hidden_count, source_notes, source_rows, sources_line
from foureyes.sources.scoring.appraisal import appraise, rating, reliability
from foureyes.sources.scoring.rules import ScoringRegistry, load_scoring

AS_OF = date(2026, 2, 3)
OFFICIAL = "https://kubernetes.io/docs/"
OLD = "https://reactjs.org/docs/"


def appraisal(registry: ScoringRegistry, *sources: Source) -> Appraisal:
    texts = {source.snapshot.sha256: "Pods run." for source in sources if source.snapshot}
    return appraise(SourceSet({s.url: s for s in sources}, texts), registry, as_of=AS_OF)


def page(url: str, state: SourceState = SourceState.OK) -> Source:
    fetched = datetime(2026, 2, 1, tzinfo=UTC)
    snapshot = Snapshot(
        "0" * 64, "1" * 64, (url,), fetched, 200, "text/html", 9, published=date(2026, 1, 25)
    )
    return Source(url, state, "told", snapshot)


def test_the_worst_sources_are_shown_first_and_the_others_counted() -> None:
    found = appraisal(
        load_scoring(),
        page(OFFICIAL),
        *(Source(f"https://nobody.example/{n}", SourceState.DEAD, "404") for n in range(21)),
    )
    rows = list(source_rows(found))
    assert (len(rows), hidden_count(found)) == (20, 2)
    assert rows[0] == ("🔴 T5 ⚠", "14", "dead", "-", "https://nobody.example/0")
    gaps = "missing_official_docs, insufficient_coverage"
    assert sources_line(found) == f"sources: 1 T2, 21 T5; gaps: {gaps}"


def test_no_sources_are_told_of_too() -> None:
    line = sources_line(appraisal(load_scoring()))
    assert line.startswith("sources: none; gaps: missing_official_docs")


def test_what_to_know_of_a_source_stands_beside_its_score() -> None:
    found = appraisal(
        load_scoring(),
        page(OLD, SourceState.MOVED),
        page("https://nobody.example/a", SourceState.PAYWALLED),
        page(OFFICIAL),
    )
    moved, walled, official = (list(source_notes(rated)) for rated in found.rated)
    assert moved == ["moved: told", "its content moved to react.dev: cite that"]
    assert walled[0] == "paywalled: told; its text does not count"
    assert walled[1] == "for review: unknown domain: no list names nobody.example"
    assert official == []


def test_what_is_published_is_what_was_found() -> None:
    found = appraisal(load_scoring(), page(OFFICIAL))
    published = reliability(found)
    assert (published.as_of, published.gaps) == (AS_OF, found.gaps)
    (only,) = published.sources
    assert only == rating(found.rated[0])
    assert (only.tier, only.computed_tier, only.expected_tier, only.read) == (
        "T2",
        "T2",
        "T1",
        True,
    )
    assert (only.dated, only.score, only.reliability_score) == (date(2026, 1, 25), 78, 0.78)
