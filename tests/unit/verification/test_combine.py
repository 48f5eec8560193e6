"""Code and model together: a model lowers a verdict freely and raises it only with proof."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import SourceState, Stance, Verdict
from foureyes.claims.model import Claim
from foureyes.verification.combine import combine_verdicts, verdict_from_passage
from foureyes.verification.model import ClaimAssessment, Passage, SlotKind, SlotOutcome
from support.claim_kit import PAGE, assess, cited, claims_of, registry, source, sources

CLAIM = "In 2024 the ferry moved 187,400 people, the report says."
STATES = "Yearly figures. All told 187,400 travellers used the boats in 2024."
OTHER = "Yearly figures. All told 171,300 travellers used the boats in 2023."
SILENT = "The harbour is open all year."


def passage(text: str, start: int = 100) -> Passage:
    return Passage("P1", PAGE, f"sha of {PAGE}", start, start + len(text), text, 0.5)


def case(sentence: str, text: str) -> tuple[Claim, ClaimAssessment]:
    draft = cited(sentence)
    (claim,) = claims_of(draft)
    return claim, assess(draft, sources({PAGE: text}))


def combined(
    text: str, stated: Verdict, chosen: str | None, sentence: str = CLAIM
) -> ClaimAssessment:
    claim, engine = case(sentence, text)
    evidence = passage(chosen) if chosen else None
    return combine_verdicts(claim, engine, stated, evidence, registry())


def test_an_undecided_claim_is_raised_by_a_passage_with_every_figure() -> None:
    result = combined(STATES, Verdict.SUPPORTED, STATES)
    assert result.verdict is Verdict.SUPPORTED
    assert result.findings == ()
    (evidence,) = result.evidence
    assert (evidence.quote, evidence.start, evidence.stance) == (STATES, 100, Stance.SUPPORTS)


@pytest.mark.parametrize(
    ("chosen", "reason"),
    [(OTHER, "187,400, 2024"), (SILENT, "187,400, 2024"), (None, "")],
)
def test_it_is_not_raised_without_one(chosen: str | None, reason: str) -> None:
    result = combined(STATES, Verdict.SUPPORTED, chosen)
    assert result.verdict is Verdict.UNVERIFIABLE
    assert reason in result.reason
    assert [finding.type for finding in result.findings] == ["unverifiable"]


def test_a_passage_that_contradicts_beats_the_models_support() -> None:
    text = "Log. The mean crossing took 45 minutes."
    sentence = "The mean crossing took 63 minutes."
    claim, _ = case(sentence, SILENT)
    undecided = assess(cited(sentence), sources({PAGE: SILENT}))
    result = combine_verdicts(claim, undecided, Verdict.SUPPORTED, passage(text), registry())
    assert result.verdict is Verdict.CONTRADICTED
    assert result.evidence[0].quote == "The mean crossing took 45 minutes."
    assert result.evidence[0].start == 100 + text.index("The mean")


@pytest.mark.parametrize("stated", list(Verdict))
def test_a_contradiction_found_by_code_stands(stated: Verdict) -> None:
    text = "The mean crossing took 45 minutes."
    claim, engine = case("The mean crossing took 63 minutes.", text)
    assert engine.verdict is Verdict.CONTRADICTED
    assert combine_verdicts(claim, engine, stated, passage(text), registry()) == engine


@pytest.mark.parametrize("stated", list(Verdict))
def test_what_needs_no_source_stands(stated: Verdict) -> None:
    for draft in ("87% of students use tablets.", "Suppose it takes 12 minutes."):
        (claim,) = claims_of(draft)
        engine = assess(draft, sources({}))
        assert combine_verdicts(claim, engine, stated, None, registry()) == engine
    (claim,) = claims_of(cited(CLAIM))
    dead = assess(cited(CLAIM), sources({}, source(PAGE, SourceState.DEAD)))
    assert combine_verdicts(claim, dead, stated, passage(STATES), registry()) == dead


@pytest.mark.parametrize(
    ("stated", "chosen", "verdict"),
    [
        (Verdict.SUPPORTED, None, Verdict.SUPPORTED),
        (Verdict.SUPPORTED, SILENT, Verdict.SUPPORTED),
        (Verdict.CONTRADICTED, SILENT, Verdict.CONTRADICTED),
        (Verdict.CONTRADICTED, None, Verdict.UNVERIFIABLE),
        (Verdict.PARTIALLY_SUPPORTED, SILENT, Verdict.PARTIALLY_SUPPORTED),
        (Verdict.PARTIALLY_SUPPORTED, None, Verdict.UNVERIFIABLE),
        (Verdict.DISPUTED, SILENT, Verdict.DISPUTED),
        (Verdict.UNVERIFIABLE, SILENT, Verdict.UNVERIFIABLE),
        (Verdict.UNVERIFIABLE, None, Verdict.UNVERIFIABLE),
        (Verdict.NOT_CHECKABLE, SILENT, Verdict.SUPPORTED),
        (Verdict.SOURCE_UNAVAILABLE, SILENT, Verdict.SUPPORTED),
    ],
)
def test_a_model_may_lower_what_code_supported(
    stated: Verdict, chosen: str | None, verdict: Verdict
) -> None:
    sentence = "The mean crossing took 45 minutes."
    claim, engine = case(sentence, sentence)
    evidence = passage(chosen) if chosen else None
    result = combine_verdicts(claim, engine, stated, evidence, registry())
    assert result.verdict is verdict
    assert bool(result.findings) == (verdict is not Verdict.SUPPORTED)
    assert all(finding.origin == "fact_checker" for finding in result.findings)


def test_a_models_contradiction_is_a_high_issue_with_its_passage() -> None:
    result = combined(STATES, Verdict.CONTRADICTED, OTHER)
    (finding,) = result.findings
    assert (finding.type, finding.severity, finding.origin) == (
        "verified_false",
        "high",
        "fact_checker",
    )
    assert result.evidence[0].stance is Stance.CONTRADICTS
    assert result.evidence[0].quote == OTHER


def test_a_passage_is_compared_slot_by_slot() -> None:
    (claim,) = claims_of(cited('The head said in 2024: "The 12 pumps ran dry."'))
    checked = verdict_from_passage(
        claim, passage('In 2024 the head said: "The 12 pumps ran dry."'), registry()
    )
    outcomes = {(slot.kind, slot.outcome) for slot in checked.slots}
    assert outcomes == {(SlotKind.QUOTE, SlotOutcome.MATCH), (SlotKind.DATE, SlotOutcome.MATCH)}
    assert checked.verdict is Verdict.SUPPORTED
    absent = verdict_from_passage(claim, passage("Nothing of the kind."), registry())
    assert {slot.outcome for slot in absent.slots} == {SlotOutcome.ABSENT}
    assert (absent.verdict, absent.evidence) == (Verdict.UNVERIFIABLE, ())
