"""What the sources behind a claim are worth, together."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date

import pytest
from foureyes.claims.document_day import day_written
from foureyes.datatypes import SupportTier
from foureyes.documents.parse import parse_document
from foureyes.sources.scoring.appraisal import appraise
from foureyes.sources.scoring.rules import load_scoring
from foureyes.verification.ledger.confidence import (
    SourceCredibility,
    Support,
    circular_sources,
    claim_confidence,
    share_held,
    source_credibility,
    support_tier,
    words_of_weight,
)
from hypothesis import given
from hypothesis import strategies as st
from support.claim_kit import AS_OF, claims_of, registry, source, sources

SCORING = load_scoring()
RULES = SCORING.rules.confidence
PROSE = " ".join(f"Pier {n} of Norrvik was mended by {n * 7} men in the spring." for n in range(40))
OTHER = " ".join(f"Boat {n} of Halden carried {n * 3} sacks of flour to town." for n in range(40))


def standing(
    cluster: int = 0, weight: float = 1.0, dated: date | None = AS_OF
) -> SourceCredibility:
    return SourceCredibility(f"u{cluster}", "A page", "government", weight, 1, cluster, dated=dated)


GOOD = Support(standing(), 0.5)

shares = st.floats(0, 1)
supports = st.lists(
    st.builds(
        Support,
        st.builds(
            standing,
            st.integers(0, 4),
            shares,
            st.none() | st.dates(date(2015, 1, 1), AS_OF),
        ),
        shares,
    ),
    max_size=6,
)


def confidence(support: list[Support], *, temporal: bool) -> float:
    return claim_confidence(support, RULES, as_of=AS_OF, temporal=temporal)


@given(supports, st.booleans(), st.randoms())
def test_the_order_of_the_sources_never_matters(
    support: list[Support], temporal: bool, chance: random.Random
) -> None:
    shuffled = chance.sample(support, len(support))
    assert confidence(support, temporal=temporal) == confidence(shuffled, temporal=temporal)


@given(supports, st.booleans(), st.integers(0, 5))
def test_a_source_less_never_raises_the_confidence_nor_one_more_lowers_it(
    support: list[Support], temporal: bool, gone: int
) -> None:
    fewer = support[:gone] + support[gone + 1 :]
    whole, rest = (confidence(some, temporal=temporal) for some in (support, fewer))
    assert 0 <= rest <= whole <= 1


@pytest.mark.parametrize(
    ("support", "expected"),
    [
        ([], 0.0),
        ([GOOD], 0.5),
        ([GOOD, Support(standing(1), 0.5)], 0.707107),
        ([GOOD, Support(standing(0), 0.5)], 0.5),
        ([GOOD, Support(standing(1, 0.1), 0.1)], 0.5),
    ],
)
def test_sources_of_one_publisher_count_once_and_weak_ones_lower_nothing(
    support: list[Support], expected: float
) -> None:
    assert confidence(support, temporal=True) == expected


def test_a_fixed_fact_does_not_age_with_its_source() -> None:
    old = [Support(standing(dated=date(2025, 3, 1)), 1.0)]
    assert confidence(old, temporal=False) == 1.0
    assert confidence(old, temporal=True) == pytest.approx(0.5, abs=0.001)


RELIABLE = replace(standing(), reliable=True)
TIERS: list[tuple[str, list[SourceCredibility], SupportTier]] = [
    ("nothing", [], SupportTier.UNVERIFIED),
    ("one reliable", [RELIABLE], SupportTier.UNVERIFIED),
    ("two of one publisher", [RELIABLE, RELIABLE], SupportTier.UNVERIFIED),
    ("two independent", [RELIABLE, replace(RELIABLE, cluster=1)], SupportTier.VERIFIED),
    ("two unreliable", [standing(), standing(1)], SupportTier.UNVERIFIED),
    ("an authority", [replace(standing(), authoritative=True)], SupportTier.AUTHORITATIVE),
    (
        "itself",
        [replace(RELIABLE, circular=True, authoritative=True), replace(RELIABLE, cluster=1)],
        SupportTier.UNVERIFIED,
    ),
]


@pytest.mark.parametrize(("what", "standings", "tier"), TIERS, ids=[case[0] for case in TIERS])
def test_the_tier_asks_for_an_authority_or_two_independent_reliable_sources(
    what: str, standings: list[SourceCredibility], tier: SupportTier
) -> None:
    assert support_tier([Support(one, 1.0) for one in standings]) is tier


CIRCULAR = [
    ("its own copy, undated", PROSE, None, "", True),
    ("its own copy, later", PROSE, date(2026, 5, 1), "", True),
    ("its own source, copied from", PROSE, date(2020, 1, 1), "", False),
    ("an excerpt published later", PROSE[:800], date(2026, 5, 1), "", True),
    ("an excerpt of no known date", PROSE[:800], None, "", False),
    ("another text", OTHER, None, "", False),
    ("another text at its own address", OTHER, None, "url: https://a.example/p\n", True),
    ("a copy older than the document says it is", PROSE, AS_OF, "date: 2026-04-01\n", False),
    ("a copy, and a date that cannot be read", PROSE, AS_OF, "date: spring\n", True),
]


@pytest.mark.parametrize(
    ("what", "page", "published", "front", "expected"), CIRCULAR, ids=[c[0] for c in CIRCULAR]
)
def test_only_the_document_and_what_is_taken_from_it_is_circular(
    what: str, page: str, published: date | None, front: str, expected: bool
) -> None:
    head = f"---\n{front}---\n\n" if front else ""
    document = parse_document(f"{head}{PROSE}\n")
    url = "https://a.example/p"
    found = sources({url: page}, source(url, published=published))
    rules, written = SCORING.rules.independence, day_written(document, registry().lexicon) or AS_OF
    circular = circular_sources(document, found, rules, written=written)
    assert circular == ({url} if expected else set())


def test_a_short_text_that_quotes_a_source_in_full_does_not_make_it_circular() -> None:
    words = "The pier of Norrvik is 60 metres long."
    found = sources({"https://a.example/p": words})
    rules = SCORING.rules.independence
    assert not circular_sources(parse_document(words), found, rules, written=AS_OF)


def test_a_standing_tells_authority_age_and_independence() -> None:
    urls = ("https://www.nist.gov/a", "https://blog.example/b", "https://www.nist.gov/c")
    found = sources({urls[0]: PROSE, urls[1]: OTHER, urls[2]: "Something else."})
    appraisal = appraise(found, SCORING, as_of=AS_OF)
    told = source_credibility(found, appraisal, SCORING, frozenset({urls[1]}))
    assert list(told) == list(urls)
    first, other, third = told.values()
    assert first.cluster == third.cluster != other.cluster
    assert first.rank < other.rank
    assert first.weight > other.weight
    assert (first.circular, other.circular) == (False, True)
    assert first.accessed_at is not None


@pytest.mark.parametrize(
    ("excerpt", "share"),
    [
        ("The pier of Norrvik is 60 metres long.", 1.0),
        ("A pier in Norrvik: 60 metres, quite long.", 1.0),
        ("Norrvik has a pier.", 0.4),
        ("Nothing of the kind.", 0.0),
    ],
)
def test_relevance_is_the_share_of_the_claims_words(excerpt: str, share: float) -> None:
    (claim,) = claims_of("The pier of Norrvik is 60 metres long.")
    book = registry().lexicon.words
    held = share_held(words_of_weight(claim, book), excerpt, book)
    assert held == pytest.approx(share, abs=0.01)


def test_a_claim_of_empty_words_has_no_relevance() -> None:
    (claim,) = claims_of("The pier of Norrvik is 60 metres long.")
    book = registry().lexicon.words
    wanted = words_of_weight(replace(claim, text="It is."), book)
    assert share_held(wanted, "It is.", book) == 0.0
