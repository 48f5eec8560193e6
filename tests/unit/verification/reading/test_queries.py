"""Claims to queries."""

from __future__ import annotations

from datetime import date

import pytest
from foureyes.claims.detect import detect_claims
from foureyes.claims.model import Claim
from foureyes.documents.parse import parse_document
from foureyes.verification.reading.queries import claim_query, is_internal
from foureyes.verification.registry import load_registry

LEXICON = load_registry().lexicon


def claim(text: str) -> Claim:
    (found, *_) = detect_claims(parse_document(text), LEXICON, as_of=date(2026, 1, 1))
    return found


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Port Ostrava was dredged to 14 metres in 2019.", "Port Ostrava dredged 14 metres 2019"),
        (
            "According to the audit, Delmar Dynamics lost $4.2 million in March 2021.",
            "Delmar Dynamics audit lost $4.2 million March 2021",
        ),
        (
            "The mayor of Ostrava said that “the quay is where we stop waiting”.",
            "Ostrava mayor said the quay is where we stop",
        ),
    ],
)
def test_a_query_has_names_words_figures_and_dates(text: str, query: str) -> None:
    assert claim_query(claim(text), LEXICON, 200) == query


def test_a_long_claim_keeps_names_and_figures() -> None:
    words = " ".join(f"quay{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(60))
    query = claim_query(claim(f"Port Ostrava with {words} has 14 cranes since 2019."), LEXICON, 200)
    assert len(query) <= 200
    assert query.startswith("Port Ostrava ")
    assert query.endswith("2019")


def test_a_claim_without_a_name_is_asked_about_by_the_title() -> None:
    found = claim("It was dredged to 14 metres in 2019.")
    assert claim_query(found, LEXICON, 200, "Port Ostrava") == (
        "Port Ostrava dredged 14 metres 2019"
    )


def test_a_claim_about_it_is_asked_about_what_it_stands_for() -> None:
    found = claim("The Ostrava is a ferry. It was built for 40 cars.")
    assert found.text == "It was built for 40 cars."
    assert claim_query(found, LEXICON, 200, "Notes").startswith("the Ostrava")


@pytest.mark.parametrize(
    ("text", "internal"),
    [
        ("Port Ostrava has 14 cranes.", False),
        ("Port Ostrava has 14 cranes ([port](https://port.example/)).", False),
        ("Port Ostrava has 14 cranes ([paper](https://doi.org/10.1000/182)).", False),
        ("Port Ostrava has 14 cranes ([notes](notes/port.md)).", True),
        ("Port Ostrava has 14 cranes ([notes](file:notes/port.md)).", True),
        ("Our tests showed that 73% of the cranes in Port Ostrava failed.", True),
    ],
)
def test_what_rests_on_the_authors_own_matter_is_internal(text: str, internal: bool) -> None:
    assert is_internal(claim(text)) is internal
