"""Which sentence rests on what."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from foureyes import Stance, Verdict
from foureyes.base.files import from_json, to_json
from foureyes.core.evidence_map import map_claims
from foureyes.datatypes import (
    Checker,
    ClaimCounts,
    ClaimEvidenceMap,
    Override,
    RatedSource,
    SourceSet,
    VerificationStatus,
)
from foureyes.documents.parse import parse_document
from foureyes.sources.scoring.appraisal import appraise
from foureyes.sources.scoring.rules import load_scoring
from foureyes.verification.ledger.building import build_ledger
from support.claim_kit import AS_OF, check, sources

GOOD, BLOG = "https://www.iso.org/harbour", "http://zwix.example/blog"
TEXTS = {
    GOOD: "The harbour of Osk has 12 cranes. The quay is 900 metres long.",
    BLOG: "The harbour of Osk opened on 3 May 1911.",
}
DRAFT = f"""# Harbour

## Cranes

The harbour of Osk has 12 cranes ({GOOD}). The quay is 700 metres long ({GOOD}).

## Past

The harbour of Osk opened on 3 May 1911 ({BLOG}). The harbour employed 4,000 people in 1950.
I believe that harbours are beautiful.
"""


def rated(found: SourceSet) -> dict[str, RatedSource]:
    return {one.score.url: one for one in appraise(found, load_scoring(), as_of=AS_OF).rated}


def mapped(*scores: RatedSource) -> ClaimEvidenceMap:
    report = check(DRAFT, sources(TEXTS))
    ledger = build_ledger(report.claims, report.assessments, iteration=2)
    first, second, *rest = ledger.entries
    first = replace(first, contradicts=(second.claim_id,))
    second = replace(second, contradicts=(first.claim_id,))
    ledger = replace(ledger, entries=(first, second, *rest))
    return map_claims(parse_document(DRAFT), report.claims, ledger, scores)


def test_every_claim_has_its_quotes_by_what_they_say_of_it() -> None:
    found = mapped()
    verdicts = [claim.verdict for claim in found.claims]
    assert verdicts == [
        Verdict.SUPPORTED,
        Verdict.CONTRADICTED,
        Verdict.SUPPORTED,
        Verdict.UNVERIFIABLE,
    ]
    held, against = found.claims[0].supporting_evidence, found.claims[1].contradicting_evidence
    assert [(e.url, e.snippet, e.stance) for e in (*held, *against)] == [
        (GOOD, "The harbour of Osk has 12 cranes.", Stance.SUPPORTS),
        (GOOD, "The quay is 900 metres long.", Stance.CONTRADICTS),
    ]
    assert all(TEXTS[e.url][e.start : e.end] == e.snippet for e in (*held, *against))
    assert found.claims[0].supporting_source_ids == (f"sha of {GOOD}",)
    assert found.claims[0].contradicts == (found.claims[1].claim_id,)
    assert found.claims[0].checked_by == (Checker.ENGINE,)


def test_sentences_without_evidence_are_listed_and_opinions_make_no_claim() -> None:
    found = mapped()
    assert (found.report_id, found.iteration) == ("analysis_iteration_2.md", 2)
    assert [(s.section, s.linked) for s in found.sentences] == [
        ("Harbour > Cranes", True),
        ("Harbour > Cranes", True),
        ("Harbour > Past", True),
        ("Harbour > Past", False),
    ]
    (bare,) = found.without_evidence
    last = found.sentences[-1]
    assert (bare, last.text) == (last.sentence, "The harbour employed 4,000 people in 1950.")
    assert DRAFT[last.start : last.end].startswith("The harbour employed")


@pytest.mark.parametrize("rejected", [False, True])
def test_sources_of_low_reliability_are_marked_and_so_are_those_a_person_rejects(
    rejected: bool,
) -> None:
    scores = rated(sources(TEXTS))
    blog = replace(scores[BLOG].score, low_reliability=not rejected)
    if rejected:
        blog = replace(blog, override=Override(BLOG, None, "me", datetime.now(UTC), "spam"))
    found = mapped(scores[GOOD], replace(scores[BLOG], score=blog))
    assert found.low_reliability_sources == (BLOG,)
    assert [claim.low_reliability for claim in found.claims] == [False, False, True, False]
    assert found.claims[2].supporting_evidence[0].source_tier.startswith("T")


def test_the_map_binds_each_claim_to_the_sources_that_bear_it_out_and_counts_them() -> None:
    found = mapped(*rated(sources(TEXTS)).values())
    assert [(one.verification_status, one.citation_text) for one in found.claims] == [
        (VerificationStatus.VERIFIED, GOOD),
        (VerificationStatus.UNVERIFIED, ""),
        (VerificationStatus.VERIFIED, BLOG),
        (VerificationStatus.UNVERIFIED, ""),
    ]
    counts = ClaimCounts(total=4, verified=2, partially_verified=0, unverified=2)
    assert (found.counts, found.citations_used) == (counts, 2)


def test_a_source_is_cited_by_title_and_day_where_they_are_known() -> None:
    known = rated(sources(TEXTS))
    good = known[GOOD]
    given = replace(good.given, title="Harbours of the world")
    dated = replace(good.score, dated=date(2024, 5, 3))
    found = mapped(replace(good, given=given, score=dated))
    assert found.claims[0].citation_text == f"Harbours of the world, 2024-05-03, {GOOD}"


@pytest.mark.parametrize(
    ("sentence", "copied"),
    [
        ("The harbour of Osk has 12 cranes", True),
        ("The Harbour of Osk has **12 cranes**", True),
        ("There are 12 cranes in the harbour of Osk", False),
        ('The register says: "The harbour of Osk has 12 cranes."', False),
    ],
)
def test_a_sentence_that_is_its_source_s_own_without_quotation_marks_is_marked(
    sentence: str, copied: bool
) -> None:
    draft = f"# Harbour\n\n{sentence} ({GOOD}).\n"
    report = check(draft, sources(TEXTS))
    ledger = build_ledger(report.claims, report.assessments)
    found = map_claims(parse_document(draft), report.claims, ledger)
    assert [one.copied_from for one in found.sentences] == [(GOOD,) if copied else ()]


def test_a_map_is_read_back_as_it_was_written() -> None:
    found = mapped()
    assert from_json(ClaimEvidenceMap, to_json(ClaimEvidenceMap, found)) == found
