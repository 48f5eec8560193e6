"""Claims, evidence, critique, gaps and sources in words, and text of others in Markdown."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime

import pyromark
import pytest
from foureyes import GateDecision, Stance, Verdict
from foureyes.base.printable import address, inline, one_line, plain, visible
from foureyes.datatypes import (
    Appraisal,
    CitationState,
    ClaimEvidenceMap,
    EvidenceCritique,
    EvidenceGap,
    GapAnalysis,
    GapKind,
    GapPriority,
    GapReport,
    LinkedEvidence,
    MappedClaim,
    MappedSentence,
    Snapshot,
    Source,
    SourceSet,
    SourceState,
    SupportTier,
)
from foureyes.report.wording import (
    evidence_line,
    gap_lines,
    gaps_line,
    hidden_count,
    quoted,
    source_notes,
    source_rows,
    sources_line,
    table,
)
from foureyes.sources.scoring.appraisal import appraise, rating, reliability
from foureyes.sources.scoring.rules import ScoringRegistry, load_scoring
from hypothesis import given
from hypothesis import strategies as st
from support.pieces import PIECES

HELD = LinkedEvidence(
    "https://a.example",
    "sha",
    "It has\n12 cranes.",
    0,
    17,
    Stance.SUPPORTS,
    1,
    0.8,
    "T2",
    False,
    False,
)
WEAK = replace(HELD, url="http://b.example", source_tier="T5", low_reliability=True)
AGAINST = replace(HELD, stance=Stance.CONTRADICTS, source_tier="", snippet="x" * 200)
CLAIM = MappedClaim(
    "c1",
    "It has 12 cranes.",
    1,
    3,
    CitationState.DIRECT,
    Verdict.SUPPORTED,
    True,
    SupportTier.VERIFIED,
    "so",
    0.9,
    False,
    True,
    (),
    ("sha",),
    (HELD, WEAK),
    (AGAINST,),
    (),
    False,
    (),
)
BARE = replace(
    CLAIM, line=4, verification_tier=None, supporting_evidence=(), contradicting_evidence=()
)


def sentence(line: int, *, linked: bool) -> MappedSentence:
    return MappedSentence(line, line, 0, 1, "", "text", ("c1",), linked)


MAP = ClaimEvidenceMap(
    "draft.md",
    1,
    "",
    (CLAIM, BARE),
    (sentence(3, linked=True), sentence(4, linked=False), sentence(9, linked=False)),
    (4, 9),
    ("http://b.example",),
)


def test_sentences_without_evidence_and_weak_sources_are_named() -> None:
    assert evidence_line(MAP) == (
        "1 of 3 sentences with a claim have evidence; without: line 4, 9; "
        "sources of low reliability: http://b.example"
    )
    copied = replace(MAP.sentences[0], copied_from=("https://a.example",))
    assert evidence_line(replace(MAP, sentences=(copied, *MAP.sentences[1:]))) == (
        "1 of 3 sentences with a claim have evidence; without: line 4, 9; "
        "word for word from a source, without quotation marks: line 3; "
        "sources of low reliability: http://b.example"
    )
    whole = replace(MAP, sentences=MAP.sentences[:1], low_reliability_sources=())
    assert evidence_line(whole) == "1 of 1 sentence with a claim has evidence"


HIGH = EvidenceGap(GapKind.UNSOURCED, GapPriority.HIGH, "no source: x.", "x 2024", line=3)
MEDIUM = EvidenceGap(GapKind.READS, GapPriority.MEDIUM, "3 of 4 not read", "")
LOW = EvidenceGap(GapKind.UNCORROBORATED, GapPriority.LOW, "one source", "y", line=4)


def analysis(gaps: Sequence[EvidenceGap], unlisted: int = 0) -> GapAnalysis:
    report = GapReport(1, GateDecision.FAIL, tuple(gaps), unlisted, ())
    return GapAnalysis(report, None, EvidenceCritique(1, (), (), ()))


@pytest.mark.parametrize(
    ("gaps", "line"),
    [
        ([], ""),
        ([MEDIUM, LOW], ""),
        ([HIGH, LOW], "gaps in the evidence: 1 high, see verify/gaps_verify.json"),
        ([HIGH, HIGH, MEDIUM], "gaps in the evidence: 2 high, 1 medium, see verify/gaps_ve"),
    ],
)
def test_the_end_of_a_run_tells_of_high_gaps(gaps: list[EvidenceGap], line: str) -> None:
    told = gaps_line(analysis(gaps))
    assert told.startswith(line)
    assert bool(told) is bool(line)


def test_a_gap_is_told_with_its_place_and_what_to_look_for() -> None:
    assert list(gap_lines(analysis([HIGH, MEDIUM, LOW]))) == [
        "high line 3: no source: x; look for: x 2024",
        "medium whole document: 3 of 4 not read",
    ]


def test_many_gaps_are_counted() -> None:
    lines = list(gap_lines(analysis([HIGH] * 12, unlisted=5)))
    assert (len(lines), lines[-1]) == (11, "and 7 more, see verify/gaps_verify.json")


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


TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=20).map("".join)


def rendered(line: str) -> str:
    options = pyromark.Options.ENABLE_FOOTNOTES | pyromark.Options.ENABLE_STRIKETHROUGH
    return pyromark.html(f"- Text: {line} end\n", options=options)


@given(TEXTS)
def test_a_reader_sees_the_text_and_no_markup_of_it(text: str) -> None:
    shown = rendered(inline(text))
    words = html.unescape(re.sub(r"</?(ul|li|code)>", "", shown)).split()
    assert words == ["Text:", *visible(text).split(), "end"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\n# b", "a \\# b"),
        ("\x1b[31mred", "\\\\u001b\\[31mred"),
        ("<script>", "\\<script\\>"),
        ("[a](javascript:x)", "\\[a\\](javascript:x)"),
        ("x\u202ey", "x\\\\u202ey"),
        ("a_b _c_", "a_b \\_c\\_"),
        ("- a", "\\- a"),
        ("12. a", "12\\. a"),
        ("=== ", "\\==="),
        ("see https://e.org/a_b. www.e.org", "see `https://e.org/a_b`. `www.e.org`"),
        ("me@e.org", "`me@e.org`"),
        ("{: onclick=x} $x$", "\\{: onclick=x\\} \\$x\\$"),
    ],
)
def test_what_could_act_is_written_out(text: str, line: str) -> None:
    assert inline(text) == line


def test_long_words_are_cut_and_told_to_be() -> None:
    assert quoted("a b c d", 3) == "“a b \\[…\\]”"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://e.org/a_b?c=1#d", "<https://e.org/a_b?c=1#d>"),
        ("https://e.org/<b>", "`https://e.org/<b>`"),
        ("javascript:alert(1)", "javascript:alert(1)"),
        ("notes/quay.md", "notes/quay.md"),
    ],
)
def test_only_plain_web_addresses_are_links(url: str, shown: str) -> None:
    assert address(url) == shown


def test_cells_cannot_leave_their_table() -> None:
    assert table(("a", "b"), [("1 | 2", "x\n| y")]).splitlines()[2:] == ["| 1 \\| 2 | x \\| y |"]


@given(TEXTS)
def test_what_was_written_can_be_read_back(text: str) -> None:
    assert plain(inline(text)) == one_line(text)
