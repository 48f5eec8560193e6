"""Which sentence rests on what."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from foureyes.base.records import from_json, to_json
from foureyes.base.vocabulary import Checker, Stance, Verdict
from foureyes.documents.parse import parse_document
from foureyes.sources.model import SourceSet
from foureyes.sources.scoring.appraisal import appraise
from foureyes.sources.scoring.model import Override, SourceScore
from foureyes.sources.scoring.rules import load_scoring
from foureyes.verification.ledger.building import build_ledger, link_contradictions
from foureyes.verification.quality.evidence_map import ClaimEvidenceMap, map_claims

from tests.support.claim_kit import AS_OF, check, sources

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


def scored(found: SourceSet) -> dict[str, SourceScore]:
    scores = appraise(found, load_scoring(), as_of=AS_OF).scores
    return {score.url: score for score in scores}


def mapped(*scores: SourceScore) -> ClaimEvidenceMap:
    report = check(DRAFT, sources(TEXTS))
    ledger = build_ledger(report.claims, report.assessments, iteration=2)
    ids = [claim.id for claim in report.claims]
    ledger = link_contradictions(ledger, [(ids[0], ids[1])])
    return map_claims("draft.md", parse_document(DRAFT), report.claims, ledger, scores)


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
    assert (found.report_id, found.iteration) == ("draft.md", 2)
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
    scores = scored(sources(TEXTS))
    blog = replace(scores[BLOG], low_reliability=not rejected)
    if rejected:
        blog = replace(blog, override=Override(BLOG, None, "me", datetime.now(UTC), "spam"))
    found = mapped(scores[GOOD], blog)
    assert found.low_reliability_sources == (BLOG,)
    assert [claim.low_reliability for claim in found.claims] == [False, False, True, False]
    assert found.claims[2].supporting_evidence[0].source_tier.startswith("T")


def test_a_map_is_read_back_as_it_was_written() -> None:
    found = mapped()
    assert from_json(ClaimEvidenceMap, to_json(ClaimEvidenceMap, found)) == found
