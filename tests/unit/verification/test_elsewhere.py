"""Sources that a claim does not cite: what is read of them, and what counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from foureyes.documents.parse import parse_document
from foureyes.verification.check import check_document
from foureyes.verification.elsewhere import OtherSources
from foureyes.verification.passages.retrieval import SourceIndex
from foureyes.verification.reader.model import Reader, StanceScores, TextPair
from foureyes.verification.repair.planning import RepairKind
from support.claim_kit import AS_OF, cited, claims_of, registry, sources

OTHER = "https://example.net/log"
LOG = (
    "Log of the ferry\n\nThe mean crossing took 45 minutes. The ferry made 200 calls at Norrvik in "
    "May 2024. The hull of the ferry was built by Vastervik Works. The pier was opened on 14 May "
    "2019. “We sail in all weathers and carry every sort of freight,” said the captain. Olden "
    "Marine painted it."
)
CALLS = "The ferry made 200 calls at Norrvik in May 2024."


@dataclass(frozen=True)
class _Counting:
    """The packaged reader, with the pairs that it was asked for and had not read before."""

    reader: Reader = field(default_factory=lambda: registry().reader)
    asked: list[TextPair] = field(default_factory=list[TextPair])
    batches: list[int] = field(default_factory=list[int])
    available: bool = True

    @property
    def identity(self) -> str:
        return self.reader.identity

    def read(self, pairs: Sequence[TextPair]) -> Sequence[StanceScores]:
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self.asked]
        self.asked.extend(new)
        self.batches.extend([len(new)] if new else [])
        return self.reader.read(pairs)


def others(reader: Reader) -> OtherSources:
    index = SourceIndex(sources({OTHER: LOG}), registry().lexicon)
    return OtherSources(index, registry().with_reader(reader))


@pytest.mark.parametrize(
    ("claim", "support", "against"),
    [
        (CALLS, True, False),
        ("The ferry made 260 calls at Norrvik in May 2024.", False, True),
        ("In May 2024 the pier at Norrvik made the ferry 200 minutes late.", False, False),
    ],
)
def test_a_source_counts_for_a_claim_if_it_states_it_and_against_if_it_proves_it_wrong(
    claim: str, support: bool, against: bool
) -> None:
    (read,) = claims_of(claim)
    found = others(registry().reader).look(read)
    assert (found.support is not None, found.against is not None) == (support, against)


@dataclass(frozen=True)
class _Yielding:
    """A reader that takes every passage for support."""

    available: bool = True
    identity: str = "yielding"

    def read(self, pairs: Sequence[TextPair]) -> Sequence[StanceScores]:
        return [StanceScores(0.95, 0.03, 0.02) for _ in pairs]


@pytest.mark.parametrize(
    ("claim", "support"),
    [
        (CALLS, True),
        ("In May 2024, 200 calls at Norrvik were made by the ferry.", True),
        ("Vastervik Works built the hull of the ferry.", True),
        (
            "The captain of the ferry decides which freight has to wait for the next crossing.",
            False,
        ),
        ("Each of the 200 members may veto a crossing that the harbour board allows.", False),
        ("The hull of the ferry carries freight in two separate decks below the mean line.", False),
    ],
)
def test_what_has_other_words_than_the_claim_is_not_recommended_as_its_source(
    claim: str, support: bool
) -> None:
    (read,) = claims_of(f"{claim} [1]\n\n[1]: https://example.com/gone")
    assert (others(_Yielding()).look(read).support is not None) == support


@pytest.mark.parametrize(
    ("claim", "automatic"),
    [
        ("Vastervik Works built the hull of the ferry.", True),
        (
            "Vastervik Works built the hull of the Norrvik ferry that Olden Marine painted red.",
            False,
        ),
        ("In May 2024, 200 calls at Norrvik were made by the ferry.", True),
    ],
)
def test_a_source_of_other_words_and_no_figure_is_recommended_and_not_written(
    claim: str, automatic: bool
) -> None:
    rules = registry().with_reader(_Yielding())
    (repair,) = check_document(
        parse_document(f"# Log\n\n{claim}\n"), sources({OTHER: LOG}), rules, as_of=AS_OF
    ).repairs
    assert (repair.kind, repair.source) == (RepairKind.CITE, OTHER)
    assert repair.automatic == automatic


def test_the_page_is_read_only_where_the_best_sentences_may_support_the_claim() -> None:
    reader = _Counting()
    (stated,) = claims_of(CALLS)
    others(reader).look(stated)
    whole = max(len(passage) for passage, _ in reader.asked)
    reader.asked.clear()
    (denied,) = claims_of("The ferry made 260 calls at Norrvik in May 2024.")
    others(reader).look(denied)
    assert [len(passage) < whole for passage, _ in reader.asked] == [True, True]


def test_what_is_read_ahead_is_read_in_two_batches_and_not_again() -> None:
    reader = _Counting()
    claims = [
        *claims_of(CALLS),
        *claims_of("The hull of the ferry was built at Norrvik in May 2024."),
    ]
    found = others(reader)
    found.read_ahead(claims)
    assert len(reader.batches) == 2
    for claim in claims:
        found.look(claim)
    assert len(reader.batches) == 2


def test_what_one_source_supports_is_not_read_in_the_next() -> None:
    (claim,) = claims_of(CALLS)
    one, two = _Counting(), _Counting()
    others(one).look(claim)
    pages = {"https://a.example/log": LOG, "https://b.example/log": f"{LOG}\n\nThe end."}
    index = SourceIndex(sources(pages), registry().lexicon)
    found = OtherSources(index, registry().with_reader(two))
    found.read_ahead([claim])
    assert found.look(claim).support is not None
    assert len(two.asked) == len(one.asked)


def test_neither_the_cited_source_nor_one_that_must_not_be_cited_is_looked_through() -> None:
    index = SourceIndex(sources({OTHER: LOG}), registry().lexicon)
    (own,) = claims_of(cited(CALLS, OTHER))
    assert OtherSources(index, registry()).look(own).support is None
    (uncited,) = claims_of(CALLS)
    barred = OtherSources(index, registry(), not_citable={OTHER})
    assert barred.look(uncited).support is None
