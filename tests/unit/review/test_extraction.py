"""The claims of a document: nothing of code's detected is lost, and nothing excluded comes in."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import pytest
from foureyes.datatypes import (
    CitationState,
    ClaimTopic,
    Document,
    ExtractedClaim,
    Extraction,
    Materiality,
    Polarity,
    Temporality,
)
from foureyes.documents.parse import parse_document
from foureyes.review.compiling import line_of, span_of
from foureyes.review.extraction import (
    claims_to_check,
    detect_document_claims,
    extracted_claim,
    extraction_inputs,
    merge_extraction,
)
from foureyes.review.types import ClaimExtractorConfig, DetectedClaims
from foureyes.verification.queries import is_internal
from support.claim_kit import registry

AS_OF = date(2026, 11, 1)
TEXT = """# Report

## Summary

The base lies 1,700 nautical miles from the coast. Shaheen serves on the Armed Services Committee.
According to the audit office, the ferry carried 12,000 people in 2024 (https://a.org/x).

## Details

The ministry should repair the quay of Alden.

In our pilot, 73% of the users stayed. The ferry was built in Alden in 1987, weighs
900 tonnes and carries 240 people.

> The port of Alden
> employs 240 people and **moves** 3 million tonnes a year.

| Town  | People |
|-------|--------|
| Alden | 1,204  |
"""
DOCUMENT = parse_document(TEXT)
LEXICON = registry().lexicon
DETECTED = detect_document_claims(DOCUMENT, LEXICON, as_of=AS_OF)


def added(statement: str, quote: str, line: int, id_: str = "c-new") -> ExtractedClaim:
    return ExtractedClaim(
        id_,
        statement,
        quote,
        line,
        ClaimTopic.OTHER,
        Materiality.LOAD_BEARING,
        Temporality.STATIC,
        Polarity.ASSERTED,
    )


def merged(*answered: ExtractedClaim) -> Extraction:
    return merge_extraction(DETECTED, answered)


def inputs_of(document: Document, detected: DetectedClaims, chars: int, claims: int) -> list[str]:
    config = ClaimExtractorConfig(part_chars=chars, part_claims=claims)
    parts = extraction_inputs(detected, config)
    assert "".join(document.text[part.start : part.end] for part in parts) == document.text
    assert [c.id for part in parts for c in part.claims] == [c.id for c in detected.claims]
    return [document.text[part.start : part.end] for part in parts]


def test_every_claim_of_the_floor_stands_at_its_line_in_the_document() -> None:
    assert len(DETECTED.claims) == 7
    for claim in DETECTED.claims:
        one = extracted_claim(claim, DOCUMENT)
        span = span_of(one.quote, one.line, DOCUMENT)
        assert span is not None
        assert line_of(span[0], DOCUMENT) == one.line
        assert (one.statement, one.by_rules) == (claim.text, True)


def test_a_part_of_a_sentence_is_quoted_with_the_subject_that_it_takes_from_before() -> None:
    (one,) = [
        extracted_claim(claim, DOCUMENT)
        for claim in DETECTED.claims
        if "carries 240 people" in claim.text
    ]
    assert one.statement.startswith("The ferry")
    assert one.quote.startswith("The ferry was built")


def test_a_fact_without_a_figure_is_in_the_floor_and_a_recommendation_is_not() -> None:
    assert any("Shaheen serves on" in claim.text for claim in DETECTED.claims)
    assert [claim.exclusion for claim in DETECTED.excluded] == ["recommendation"]


@pytest.mark.parametrize(
    ("line", "rules"),
    [
        ("Date: 2026-02-01", ["date_line"]),
        ("Last updated 3 May 2026", ["date_line"]),
        ("The quay was finished in May 2026.", []),
    ],
)
def test_a_line_that_only_dates_the_document_is_no_claim(line: str, rules: list[str]) -> None:
    detected = detect_document_claims(parse_document(f"# Port\n\n{line}\n"), LEXICON, as_of=AS_OF)
    assert [claim.exclusion for claim in detected.excluded] == rules
    assert len(detected.claims) == 1 - len(rules)


def test_a_short_document_is_one_part() -> None:
    assert inputs_of(DOCUMENT, DETECTED, 30_000, 60) == [TEXT]


@pytest.mark.parametrize(("chars", "claims"), [(1000, 2), (1000, 1), (1000, 100)])
def test_parts_together_are_the_document_and_hold_no_more_than_they_may(
    chars: int, claims: int
) -> None:
    text = TEXT + "\n" + "Alden has 1,204 people. " * 200 + "\n\n" + "The quay is old. " * 100
    document = parse_document(text)
    detected = detect_document_claims(document, LEXICON, as_of=AS_OF)
    parts = inputs_of(document, detected, chars, claims)
    assert len(parts) > 4
    assert max(map(len, parts)) <= chars
    if claims == 100:
        # Nothing but a paragraph that is too long for a part is cut.
        assert parts[1].startswith(("#", "Alden", "The", "In", ">", "|"))


def test_a_sentence_longer_than_a_part_stands_alone() -> None:
    long = "The ferry carried " + ", ".join(f"{n},204 people in {n}" for n in range(2, 200)) + "."
    document = parse_document(f"# Ferry\n\nIt is old.\n\n{long}\n\nIt is blue.\n")
    detected = detect_document_claims(document, LEXICON, as_of=AS_OF)
    parts = inputs_of(document, detected, 1000, 100)
    assert [part.strip().startswith("The ferry carried") for part in parts].count(True) == 1


def test_the_floor_stands_whatever_failed_and_takes_an_extractors_classes() -> None:
    alone = merged()
    assert {one.id for one in alone.claims} == {claim.id for claim in DETECTED.claims}
    assert [(one.rule, one.line) for one in alone.excluded] == [("recommendation", 10)]
    first = alone.claims[0]
    answer = replace(first, topic=ClaimTopic.GEOGRAPHIC, statement="It is so.", quote="x", line=9)
    assert merged(answer).claims[0] == replace(first, topic=ClaimTopic.GEOGRAPHIC)


ADDED = [
    ("another fact of the sentence", "The port of Alden moves goods.", "The port of Alden", 15, 1),
    (
        "the claim itself",
        "Shaheen serves on the Armed Services Committee",
        "Shaheen serves on",
        5,
        0,
    ),
    (
        "the claim in other words",
        "The base lies 1,700 nautical miles away from the coast.",
        "The base lies 1,700 nautical miles from the coast.",
        5,
        0,
    ),
    (
        "the claim with another figure",
        "The base lies 1,900 nautical miles from the coast.",
        "The base lies 1,700 nautical miles from the coast.",
        5,
        1,
    ),
]


@pytest.mark.parametrize(
    ("statement", "quote", "line", "kept"), [a[1:] for a in ADDED], ids=[a[0] for a in ADDED]
)
def test_an_added_claim_is_kept_unless_its_place_states_it_already(
    statement: str, quote: str, line: int, kept: int
) -> None:
    result = merged(added(statement, quote, line))
    assert len(result.claims) == len(DETECTED.claims) + kept
    assert result.duplicates == 1 - kept


def test_what_a_rule_excludes_does_not_come_in_by_an_extractor() -> None:
    quote = "The ministry should repair the quay of Alden."
    (excluded,) = DETECTED.excluded
    result = merged(added(excluded.text, quote, 10))
    assert len(result.claims) == len(DETECTED.claims)
    assert [one.rule for one in result.excluded] == ["recommendation"]


def test_two_added_claims_of_one_id_get_two() -> None:
    one = added("The port of Alden has a quay.", "The port of Alden", 15)
    other = added("The ferry has a crew.", "The ferry was built", 12)
    result = merged(one, other)
    assert len({claim.id for claim in result.claims}) == len(DETECTED.claims) + 2


def test_an_added_claim_has_the_figures_of_its_words_and_the_citation_of_its_place() -> None:
    quote = "the ferry carried 12,000 people in 2024"
    one = added("The ferry carried 12,000 people in 2024.", quote, 6)
    claim = claims_to_check(DETECTED, [one])["c-new"]
    assert [cited.target for cited in claim.cited] == ["https://a.org/x"]
    assert claim.citation_state is CitationState.DIRECT
    assert [str(quantity.low) for quantity in claim.quantities] == ["12000"]
    assert TEXT[claim.location.start : claim.location.end] == quote
    assert not is_internal(claim)


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("73% of the users stayed.", "73% of the users stayed"),
        ("Users stayed.", "users stayed"),
    ],
)
def test_a_claim_from_the_authors_own_results_stays_internal_however_it_is_put(
    statement: str, quote: str
) -> None:
    one = added(statement, quote, 12)
    claims = claims_to_check(DETECTED, [one])
    assert is_internal(claims["c-new"])


def test_the_engine_gets_the_extractors_classes_of_its_own_claims() -> None:
    (first, *_) = merged().claims
    changed = replace(first, materiality=Materiality.BACKGROUND, polarity=Polarity.REFUTED)
    claims = claims_to_check(DETECTED, [changed])
    own = DETECTED.claims[0]
    assert claims == {
        own.id: replace(own, load_bearing=False, polarity=Polarity.REFUTED),
    }


def test_no_added_claim_can_pass_for_one_of_the_floor() -> None:
    own = DETECTED.claims[0]
    forged = replace(added("The quay is gone.", "The port of Alden", 15), id=own.id)
    result = merged(forged)
    assert [one.statement for one in result.claims if one.id == own.id] == [own.text]
    assert len({one.id for one in result.claims}) == len(DETECTED.claims) + 1


def test_parts_are_cut_the_same_way_each_time() -> None:
    config = ClaimExtractorConfig(part_chars=1000, part_claims=2)
    first, second = (
        [(part.start, part.end) for part in extraction_inputs(DETECTED, config)] for _ in range(2)
    )
    assert json.dumps(first) == json.dumps(second)


def test_what_the_document_cites_as_evidence_bears_load() -> None:
    document = parse_document(
        "# Quay\n\nIt is long.\n\nIt was built in 1921 [register](https://example.org/r).\n\n"
        "It was painted in 1950.\n"
    )
    detected = detect_document_claims(document, LEXICON, as_of=AS_OF)
    found = {
        one.line: one.materiality
        for one in (extracted_claim(claim, document) for claim in detected.claims)
    }
    assert found[5] is Materiality.LOAD_BEARING
    assert found[7] is Materiality.BACKGROUND
