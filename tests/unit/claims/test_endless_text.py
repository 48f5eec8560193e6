"""Any text at all is read, and soon: no crash, and no cost that grows with the square of it."""

from __future__ import annotations

import time
from datetime import date

import pytest
from foureyes.claims.detect import detect_claims
from foureyes.documents.parse import parse_document
from foureyes.verification.judge import judge
from foureyes.verification.passages.retrieval import SourceText
from foureyes.verification.reader.model import NoReader
from foureyes.verification.registry import load_registry
from hypothesis import given
from hypothesis import strategies as st
from support.pieces import PIECES

REGISTRY = load_registry().with_reader(NoReader())
LEXICON = REGISTRY.lexicon
AS_OF = date(2026, 1, 1)
ENDLESS = (
    *("one hundred ", "more than 1 ", "12 CFR 1.1, ", "NIST SP 800-53, ", "12%", "$1", "1 ", "1-"),
    *("1+1=2 ", "2024 ", "12 % ", "m^2", "10^", "“a b c” ", "Nora Hale and ", "| a | 1 |\n", "a"),
    *("carried ", "Nora Hale carried "),
)
TOLD = "The ferry of Alden carried 12 boats in May 2024, 5 % more than in 2023."


def _judged(claim: str, source: str) -> None:
    text = SourceText(source, LEXICON)
    for found in detect_claims(parse_document(claim), LEXICON, as_of=AS_OF)[:3]:
        judge(found, text, REGISTRY)


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=40).map("".join))
def test_any_text_has_claims_that_stand_in_it(text: str) -> None:
    document = parse_document(text)
    for claim in detect_claims(document, LEXICON, as_of=AS_OF, statements=True):
        assert 0 <= claim.location.start <= claim.location.end <= len(document.text)
        assert all(0 <= one.start <= one.end <= len(claim.text) for one in claim.quantities)


@given(
    st.lists(st.sampled_from(PIECES), max_size=30).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=60).map("".join),
)
def test_any_claim_is_judged_by_any_source(claim: str, source: str) -> None:
    _judged(f"The ferry carried 12 boats. {claim}", source + TOLD)


@pytest.mark.parametrize("piece", ENDLESS)
@pytest.mark.usefixtures("uncounted")
def test_a_source_that_never_ends_its_sentence_is_read_in_time(piece: str) -> None:
    start = time.process_time()
    _judged(TOLD, piece * (20_000 // len(piece)))
    assert time.process_time() - start < 5


@pytest.mark.soak
@pytest.mark.parametrize("piece", PIECES)
def test_100_kb_of_anything_take_little_time(piece: str) -> None:
    text = piece * (100_000 // len(piece.encode()))
    start = time.process_time()
    _judged(TOLD, text)
    _judged(text, text)
    assert time.process_time() - start < 10


def test_a_number_in_words_without_end_is_no_number_to_lose_digits_of() -> None:
    document = parse_document(f"It sold {'one hundred ' * 2_000} boats.")
    assert detect_claims(document, LEXICON, as_of=AS_OF)
