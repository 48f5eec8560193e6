"""Repairs made, and taken back where they do not hold."""

from __future__ import annotations

from dataclasses import replace

from foureyes import Repair, Verdict
from foureyes.assembly.check_result import fix_document
from foureyes.datatypes import CheckReport, FixedDocument, RepairKind, SourceState
from foureyes.documents.parse import parse_document
from support.claim_kit import PAGE, check, source, sources

GONE = "https://example.com/gone"
TEXT = (
    "The mean crossing took 45 minutes. The ferry made 200 calls at Norrvik in May 2024. The pier "
    "is 60 metres long. The crew numbers 34 people."
)
FOUND = sources({PAGE: TEXT})
DRAFT = (
    f"# Log\n\nThe mean crossing took 65 minutes ({PAGE}). The ferry made 200 calls at Norrvik in "
    f"May 2024 ({PAGE}).\n\nThe pier is 90 metres long ({PAGE}).\n\n## Crew\n\n"
    "The crew numbers 34 people.\n\n## Pilot\n\nOur pilot of 40 trips showed a 73 % gain.\n"
)


def fixed(draft: str, *more: Repair) -> FixedDocument:
    report = check(draft, FOUND)
    report = replace(report, repairs=(*report.repairs, *more))
    return fix_document(parse_document(draft), report, lambda one: check(one.text, FOUND))


def kinds(report: CheckReport) -> list[str]:
    return [finding.type for finding in report.findings]


def test_the_fixed_text_has_none_of_the_repaired_findings_and_all_else_as_it_was() -> None:
    found = fixed(DRAFT)
    assert found.text == (
        DRAFT.replace("65", "45").replace("90", "60").replace("people.", f"people ({PAGE}).")
    )
    assert [repair.kind for repair in found.made] == ["correct", "correct", "cite"]
    assert [repair.kind for repair in found.left] == ["remove"]
    assert kinds(found.report) == ["fabricated"]
    assert fixed(found.text).text == found.text


def test_a_document_without_automatic_repairs_stays_as_it_is() -> None:
    draft = "Our pilot of 40 trips showed a 73 % gain.\n"
    found = fixed(draft)
    assert (found.text, found.made, len(found.left)) == (draft, (), 1)


def bad(draft: str, words: str, replacement: str, kind: RepairKind) -> Repair:
    """An automatic repair that does harm."""
    start = draft.index(words)
    report = check(draft, FOUND)
    at = next(c for c in report.claims if c.location.start <= start < c.location.end)
    finding = next(f for f in report.findings if f.claim_id == at.id)
    end = start + len(words)
    return Repair(kind, finding.id, at.id, start, end, replacement, "do", "why", automatic=True)


def test_a_repair_that_leaves_the_claim_wrong_is_taken_back() -> None:
    draft = f"Our pilot of 40 trips showed a 73 % gain.\n\nThe pier is 90 metres long ({PAGE}).\n"
    harm = bad(draft, "73 %", "80 %", RepairKind.CORRECT)
    found = fixed(draft, harm)
    assert found.text == draft.replace("90", "60")
    assert harm in found.left


def test_a_citation_that_does_not_bear_the_claim_out_is_taken_back() -> None:
    draft = "The captain is 50 years old.\n"
    harm = bad(draft, "old.", f"old ({PAGE}).", RepairKind.CITE)
    assert fixed(draft, harm).text == draft


def test_a_repair_that_spoils_another_claim_is_taken_back_with_those_around_it() -> None:
    draft = f"Our pilot of 40 trips showed a 73 % gain. The pier is 60 metres long ({PAGE}).\n"
    harm = bad(draft, f"gain. The pier is 60 metres long ({PAGE}).", "gain.", RepairKind.CORRECT)
    found = fixed(draft, harm)
    assert found.text == draft
    assert found.report.assessments[-1].verdict is Verdict.SUPPORTED


def test_a_repair_that_takes_the_claim_away_is_taken_back() -> None:
    draft = "It is good.\n\nThe captain is 50 years old.\n"
    harm = bad(draft, "The captain is 50 years old.", "", RepairKind.CORRECT)
    assert fixed(draft, harm).text == draft


def test_a_neighbour_whose_dead_source_is_replaced_by_a_silent_one_takes_nothing_back() -> None:
    found_in = sources({PAGE: TEXT}, source(GONE, SourceState.DEAD))
    draft = (
        f"# Log\n\nThe pier is 90 metres long ({PAGE}).\n\n## Crossing\n\n"
        "The mean crossing took 45 minutes [1].\n\nAbout 60 percent of crossings were late.\n\n"
        f"[1] <{GONE}>\n"
    )
    report = check(draft, found_in)
    assert report.assessments[-1].verdict is Verdict.SOURCE_UNAVAILABLE
    found = fix_document(parse_document(draft), report, lambda one: check(one.text, found_in))
    assert [repair.kind for repair in found.made] == ["correct", "cite"]
    assert found.report.assessments[-1].verdict is Verdict.UNVERIFIABLE
