"""A finding or a claim is let through only if it says what the document says."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from foureyes.base.registry import packaged_config
from foureyes.datatypes import ClaimTopic, ExtractedClaim, Materiality, Polarity, Temporality
from foureyes.documents.parse import parse_document
from foureyes.review.extraction import SmokeTest, load_limits
from foureyes.verification.reader.model import NoReader
from foureyes.verification.registry import load_registry

REGISTRY = load_registry()
TEXT = """# Harbour

The quay was built in 1921. It cost between 2 and 3 million crowns.

Boats of up to 40 tonnes may moor there. Most fishermen use the old quay.
The port authority says that the crane lifts about 12 tonnes. Critics say the quay is sinking,
but surveys have shown no movement.

The ferry carried 12,400 people in May 2024 and does not run in winter.
"""
TEST = SmokeTest(parse_document(TEXT), REGISTRY, date(2026, 1, 1))
BUILT = "The quay was built in 1921."
COST = "It cost between 2 and 3 million crowns."
MOOR = "Boats of up to 40 tonnes may moor there."
MOST = "Most fishermen use the old quay."
CRANE = "The port authority says that the crane lifts about 12 tonnes."
SINKING = "Critics say the quay is sinking,\nbut surveys have shown no movement."
FERRY = "The ferry carried 12,400 people in May 2024 and does not run in winter."


def _claim(
    quote: str, line: int, polarity: Polarity = Polarity.ASSERTED, statement: str = ""
) -> ExtractedClaim:
    return ExtractedClaim(
        "c-1",
        statement or quote,
        quote,
        line,
        ClaimTopic.OTHER,
        Materiality.LOAD_BEARING,
        Temporality.STATIC,
        polarity,
    )


INTACT = [
    _claim(BUILT, 3),
    _claim(COST, 3),
    _claim(MOOR, 5),
    _claim(CRANE, 6, Polarity.ATTRIBUTED),
    _claim(SINKING, 6, Polarity.REFUTED),
    _claim(FERRY, 9),
    _claim("The quay was built  in\n1921.", 3),
    _claim(BUILT, 3, statement="The quay was built in 1921"),
    _claim(FERRY, 9, statement="The ferry carried 12,400 people in May 2024"),
    _claim(FERRY, 9, statement="In 2024 the ferry carried 12,400 people"),
    _claim(FERRY, 9, statement=FERRY.replace("12,400", "12400").replace("does not", "doesn't")),
]


@pytest.mark.parametrize("claim", INTACT)
def test_what_the_document_says_passes(claim: ExtractedClaim) -> None:
    assert TEST.claim_fault(claim) == ""


FAULTY = [
    (_claim(BUILT, 4), "in line 3, not in line 4"),
    (_claim("The quay was built in 1912.", 3), "not in the document"),
    (_claim("", 3), "not in the document"),
    (_claim(BUILT, 3, Polarity.ATTRIBUTED), "are ASSERTED, not ATTRIBUTED"),
    (_claim(CRANE, 6), "are ATTRIBUTED, not ASSERTED"),
    (_claim(SINKING, 6), "are REFUTED, not ASSERTED"),
    (_claim(COST, 3, statement="It cost 2.3 million crowns"), "claim: 2.3"),
    (_claim(FERRY, 9, statement="The ferry carried 12,412 people in May 2024"), "12,412"),
    (_claim(FERRY, 9, statement="The ferry carried 12,400 people on 3 May 2024"), "3 May 2024"),
    (_claim(MOOR, 5, statement="Boats of 40 tonnes moor there"), ""),
    (_claim(MOST, 5, statement="Fishermen use the old quay"), ""),
    (_claim(MOST, 5, statement="All fishermen use the old quay"), ""),
    (_claim(FERRY, 9, statement="The ferry runs in winter"), ""),
    (_claim(BUILT, 3, statement="The quay was not built in 1921"), ""),
    (_claim(BUILT, 3, statement="The crane was built in 1921"), ""),
]


@pytest.mark.parametrize(("claim", "says"), FAULTY)
def test_what_it_does_not_say_is_dropped_with_the_reason(claim: ExtractedClaim, says: str) -> None:
    fault = TEST.claim_fault(claim)
    assert fault
    assert says in fault


BUILT_AGAIN = "Construction of the quay dates from 1921"
UNREAD = [
    (_claim(BUILT, 3, statement=BUILT_AGAIN), ""),
    (_claim(BUILT, 3, statement=BUILT_AGAIN.replace("1921", "1934")), "1934"),
    (_claim(BUILT, 3, statement=BUILT_AGAIN.replace("quay", "quay AB-12")), "AB-12"),
    (
        _claim(BUILT, 3, statement=f'{BUILT_AGAIN} "at the wish of the town"'),
        "not state at the wish",
    ),
    (_claim(FERRY, 9, statement="In May 2024, 12,412 passengers took the ferry"), "12,412"),
]


@pytest.mark.parametrize(("claim", "says"), UNREAD)
def test_without_a_reader_only_what_is_compared_exactly_counts(
    claim: ExtractedClaim, says: str
) -> None:
    fault = replace(TEST, registry=replace(REGISTRY, reader=NoReader())).claim_fault(claim)
    assert bool(fault) == bool(says)
    assert says in fault


def test_a_quote_may_be_found_at_one_of_several_lines() -> None:
    twice = replace(TEST, document=parse_document("It is old.\n\nYes.\n\nIt is old.\n"))
    assert [twice.quote_fault("It is old.", line) for line in (1, 5)] == ["", ""]
    assert twice.quote_fault("It is old.", 3) == "its quote is not in the document"


CUT_SHORT = [
    ("The budget is $1.5 million in 2024.", "The budget is $1", "inside a word or a number"),
    ("The budget is $15 million in 2024.", "The budget is $1", "inside a word or a number"),
    ("The budget is 1,700 crowns a day.", "700 crowns a day", "inside a word or a number"),
    ("According to Acme, sales rose 5 percent in 2023.", "sales rose 5 percent in 2023", "ATTR"),
    (
        "Critics say the plan costs $5 billion, but the audit of 2023 found $2 billion.",
        "the plan costs $5 billion",
        "REFUTED",
    ),
    ("It is not true that the plant closed in 2019.", "the plant closed in 2019", "REFUTED"),
    ("No plant closed in 2019.", "plant closed in 2019", "'No'"),
    ("Up to 40 percent of the staff left in 2020.", "40 percent of the staff left", "Up to"),
    ("About 40 percent of the staff left in 2020.", "40 percent of the staff left", "About"),
    ("If the law passes, the tax rises to 20 percent.", "the tax rises to 20 percent", "if"),
]


@pytest.mark.parametrize(("sentence", "quote", "fault"), CUT_SHORT)
def test_a_quote_that_is_cut_short_loses_nothing_of_its_sentence(
    sentence: str, quote: str, fault: str
) -> None:
    test = SmokeTest(parse_document(f"{sentence}\n"), REGISTRY, date(2026, 1, 1))
    assert fault in test.claim_fault(_claim(quote, 1, statement=f"{quote}."))


def test_a_statement_of_a_compound_sentence_may_be_quoted_alone() -> None:
    document = parse_document(
        "The quay was built in 1934, and the crane was built in about 1950.\n"
    )
    test = SmokeTest(document, REGISTRY, date(2026, 1, 1))
    assert test.claim_fault(_claim("The quay was built in 1934", 1)) == ""


def test_the_words_that_limit_are_the_users_to_change(tmp_path: Path) -> None:
    packaged = packaged_config() / "registry" / "smoke.yaml"
    own = packaged.read_text(encoding="utf-8").replace(
        "[on average, average", "[with luck, average"
    )
    (tmp_path / "smoke.yaml").write_text(own, encoding="utf-8")
    document = parse_document("With luck the crane lifts 12 tonnes.\n")
    quote, statement = "With luck the crane lifts 12 tonnes.", "The crane lifts 12 tonnes."
    claim = _claim(quote, 1, statement=statement)
    common = (document, REGISTRY, date(2026, 1, 1))
    assert SmokeTest(*common).claim_fault(claim) == ""
    assert "luck" in SmokeTest(*common, load_limits(tmp_path)).claim_fault(claim)
