"""What sources at hand that a document does not cite say about its cited claims."""

from __future__ import annotations

from dataclasses import replace

import pytest
from foureyes import Stance, Verdict
from foureyes.core._ledger_stage import with_corroboration
from foureyes.verification.elsewhere import corroborate
from foureyes.verification.passages.retrieval import SourceIndex
from support.claim_kit import assess, cited, claims_of, registry, sources

CITED, OTHER, THIRD = (f"https://{name}.example/" for name in ("cited", "other", "third"))
SENTENCE = "The Arnsund tidal power station has 24 turbines."
SAYS = "The Arnsund tidal power station has 24 turbines and two locks.\n"
DENIES = "The Arnsund tidal power station has 18 turbines, and two locks.\n"
SILENT = "The harbour of Arnsund was dredged twice.\n"


@pytest.mark.parametrize(
    ("texts", "stances"),
    [
        ({OTHER: SAYS}, [(OTHER, Stance.SUPPORTS)]),
        ({OTHER: DENIES}, [(OTHER, Stance.CONTRADICTS)]),
        ({OTHER: SILENT}, []),
        ({CITED: SAYS}, []),
        ({OTHER: SAYS, THIRD: DENIES}, [(OTHER, Stance.SUPPORTS), (THIRD, Stance.CONTRADICTS)]),
    ],
)
def test_each_other_source_has_its_say(
    texts: dict[str, str], stances: list[tuple[str, Stance]]
) -> None:
    found = SourceIndex(sources(texts), registry().lexicon)
    (claim,) = claims_of(cited(SENTENCE, CITED))
    shown = corroborate([claim], found, registry())
    assert sorted((one.url, one.stance) for one in shown.get(claim.id, ())) == stances


@pytest.mark.parametrize("text", [SENTENCE, "Ask whether it has 24 turbines."])
def test_an_uncited_statement_is_not_borne_out_by_what_it_does_not_cite(text: str) -> None:
    found = SourceIndex(sources({OTHER: SAYS}), registry().lexicon)
    assert corroborate(claims_of(text), found, registry()) == {}


@pytest.mark.parametrize(("text", "urls"), [(SAYS, [OTHER]), (DENIES, [])])
def test_a_source_that_the_document_cites_elsewhere_can_only_bear_a_claim_out(
    text: str, urls: list[str]
) -> None:
    """What it says against the claim is for the challenges, which ask for more."""
    found = SourceIndex(sources({OTHER: text}), registry().lexicon)
    (claim,) = claims_of(cited(SENTENCE, CITED))
    shown = corroborate([claim], found, registry(), cited={OTHER})
    assert [one.url for one in shown.get(claim.id, ())] == urls


@pytest.mark.parametrize(("compared", "numbers"), [(4, {24, 90}), (3, {24}), (1, set[int]())])
def test_claims_that_the_argument_rests_on_are_compared_first(
    compared: int, numbers: set[int]
) -> None:
    chairs = "Its visitor centre has 90 chairs."
    one, other = claims_of(f"{cited(chairs, CITED)} {cited(SENTENCE, CITED)}")
    claims = [replace(one, load_bearing=False), replace(other, load_bearing=True)]
    texts = {OTHER: f"{SAYS}{chairs}\n", THIRD: SILENT}
    policy = registry().deepening.model_copy(update={"compared": compared})
    found = SourceIndex(sources(texts), registry().lexicon)
    shown = corroborate(claims, found, replace(registry(), deepening=policy))
    assert {int(one.quantities[0].low) for one in claims if one.id in shown} == numbers


def test_only_a_supported_claim_takes_what_others_say_and_keeps_its_verdict() -> None:
    draft = cited(SENTENCE, CITED)
    (claim,) = claims_of(draft)
    supported = assess(draft, sources({CITED: SAYS}))
    found = SourceIndex(sources({OTHER: DENIES}), registry().lexicon)
    shown = corroborate([claim], found, registry())
    taken = with_corroboration(supported, shown)
    assert taken.verdict is Verdict.SUPPORTED
    assert [one.stance for one in taken.evidence] == [Stance.SUPPORTS, Stance.CONTRADICTS]
    other = replace(supported, verdict=Verdict.UNVERIFIABLE)
    assert with_corroboration(other, shown) is other
    assert with_corroboration(supported, {}) is supported
