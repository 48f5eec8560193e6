"""A claim that says more than its quote, or the contrary, is dropped, however small the change."""

from __future__ import annotations

from datetime import date

import pytest
from foureyes.datatypes import ClaimTopic, ExtractedClaim, Materiality, Polarity, Temporality
from foureyes.documents.parse import parse_document
from foureyes.review.extraction import SmokeTest
from foureyes.verification.registry import load_registry

REGISTRY = load_registry()

CHANGED = {
    "The crane lifts about 12 tonnes.": [
        "The crane lifts 12 tonnes.",
        "The crane lifts 12.4 tonnes.",
        "The crane lifts exactly 12 tonnes.",
        "The crane never lifts about 12 tonnes.",
    ],
    "Most of the 310 tenants pay by direct debit.": [
        "The 310 tenants pay by direct debit.",
        "73 per cent of the 310 tenants pay by direct debit.",
        "Most of the 310 tenants do not pay by direct debit.",
    ],
    "The dredging cost between 2 and 3 million crowns.": [
        "The dredging cost 2.3 million crowns.",
        "The dredging cost 3 million crowns.",
    ],
    "On average, a visitor stays 50 minutes in the reading room.": [
        "A visitor stays 50 minutes in the reading room.",
        "On average, a visitor stays 50.6 minutes in the reading room.",
    ],
    "Only 40 of the 90 lamps were working in 2019.": [
        "40 of the 90 lamps were working in 2019.",
        "Only 40 of the 90 lamps were working on 14 June 2019.",
        "Only 40 of the 90 lamps were not working in 2019.",
    ],
    "The library usually closes at six in winter.": [
        "The library closes at six in winter.",
        "The library usually closes at six.",
    ],
    "The tram runs every eight minutes, except on Sundays.": [
        "The tram runs every eight minutes.",
        "The tram runs every eight minutes, even on Sundays.",
    ],
    "The fund is expected to reach 4 million euros in 2030.": [
        "The fund reached 4 million euros in 2030.",
        "The fund is expected to reach 4.2 million euros in 2030.",
    ],
    "Members under the age of thirty pay a reduced fee.": [
        "Members pay a reduced fee.",
        "Members over the age of thirty pay a reduced fee.",
    ],
    "The contract allows the town to leave after a year.": [
        "The contract allows the town to leave before a year.",
    ],
    "This is a reason not to require long passwords.": [
        "This is not a reason not to require long passwords.",
    ],
    "The token MAY be used, if not revoked, for one session.": [
        "The token SHALL be used, if not revoked, for one session.",
        "The token MAY be used for one session.",
    ],
    "The programme reduced waiting times from 14 to 9 days.": [
        "The programme raised waiting times from 9 to 14 days.",
    ],
    "If the law passes, the tax rises to 20 percent.": ["The tax rises to 20 percent."],
}
SAID_OTHERWISE = {
    "The crane lifts about 12 tonnes.": ["The crane lifts approximately 12 tonnes"],
    "The ferry carried 12,400 people in May 2024 and does not run in winter.": [
        "The ferry carried 12,400 people in May 2024.",
        "The ferry carried 12,400 people in 2024.",
        "The ferry doesn't run in winter.",
    ],
    "In 2019, nearly half of the trainees found work in Merrow.": [
        "Nearly half of the trainees found work in Merrow in 2019.",
    ],
    "At least 40 per cent of the wells have been tested.": [
        "At least 40 % of the wells have been tested.",
    ],
    "If the law passes, the tax rises to 20 percent.": [
        "The tax climbs to 20 percent if the law passes.",
    ],
    "The town council approved the budget of 4.2 million crowns on 3 March 2023.": [
        "The council adopted a 4.2 million crown budget in March 2023.",
    ],
    "The bridge, which was opened in 1988, is closed to lorries over 7.5 tonnes.": [
        "The bridge was opened in 1988.",
        "Lorries heavier than 7.5 tonnes may not use the bridge.",
    ],
}


def _fault(quote: str, statement: str) -> str:
    document = parse_document(f"# Report\n\n{quote}\n")
    test = SmokeTest(document, REGISTRY, date(2026, 1, 1))
    claim = ExtractedClaim(
        "c-1", statement, quote, 3, ClaimTopic.OTHER, Materiality.LOAD_BEARING,
        Temporality.STATIC, Polarity.ASSERTED,
    )  # fmt: skip
    return test.claim_fault(claim)


@pytest.mark.parametrize(
    ("quote", "statement"), [(quote, one) for quote, all_ in CHANGED.items() for one in all_]
)
def test_a_claim_that_says_more_than_its_quote_is_dropped(quote: str, statement: str) -> None:
    assert _fault(quote, quote) == ""
    assert _fault(quote, statement)


@pytest.mark.parametrize(
    ("quote", "statement"), [(quote, one) for quote, all_ in SAID_OTHERWISE.items() for one in all_]
)
def test_a_claim_in_other_words_that_says_no_more_is_kept(quote: str, statement: str) -> None:
    assert _fault(quote, statement) == ""
