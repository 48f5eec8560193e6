"""Claims, their evidence and the critique, in words for a person."""

from __future__ import annotations

from dataclasses import replace

from foureyes import Stance, Verdict
from foureyes.datatypes import (
    CitationState,
    ClaimEvidenceMap,
    LinkedEvidence,
    MappedClaim,
    MappedSentence,
    SupportTier,
)
from foureyes.report.wording import (
    SHOWN_CLAIMS,
    claim_rows,
    evidence_line,
    quality_rows,
)
from support.loop_agents import quality

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


def test_each_claim_shows_what_speaks_for_and_against_it() -> None:
    first, second = claim_rows(MAP)
    assert first[:4] == ("3", "supported", "VERIFIED", "It has 12 cranes.")
    assert first[4] == (
        "“It has 12 cranes.” https://a.example (T2); "
        "“It has 12 cranes.” http://b.example (T5, ⚠ low reliability) and 1 more"
    )
    assert (second[2], second[4]) == ("-", "none")
    (third,) = claim_rows(replace(MAP, claims=(replace(CLAIM, supporting_evidence=()),)))
    assert third[4] == f"against: “{'x' * 89}…” https://a.example"
    assert len(list(claim_rows(replace(MAP, claims=(CLAIM,) * 100)))) == SHOWN_CLAIMS


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


def test_each_dimension_has_its_score_and_why() -> None:
    found = quality(0.6).critique
    assert list(quality_rows(found)) == [("coverage", "0.60", "a reason")]
    none = {d: replace(one, score=None) for d, one in found.dimensions.items()}
    assert [row[1] for row in quality_rows(replace(found, dimensions=none))] == ["-"]
