"""Challenges of a ledger: what lowers a claim, what links two, and that nothing raises one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

import pytest
from foureyes import Ledger, LedgerEntry, Stance, Verdict
from foureyes.core._ledger_stage import as_left
from foureyes.datatypes import ChallengeOutcome, ChallengeStep, Evidence, SourceSet, WeighedEvidence
from foureyes.verification.challenge.challenge import (
    ChallengeCase,
    Challenged,
    challenge_ledger,
    plan_challenges,
)
from foureyes.verification.challenge.model import (
    NO_REPLIES,
    Answer,
    ChallengeReplies,
    Reply,
    Searched,
)
from foureyes.verification.gate.decision import gate_metrics
from foureyes.verification.ledger.building import build_ledger
from foureyes.verification.model import WORST_FIRST
from foureyes.verification.passages.retrieval import SourceIndex
from foureyes.verification.policy import ChallengePolicy
from foureyes.verification.registry import Registry
from hypothesis import given, settings
from hypothesis import strategies as st
from support.agent_kit import evidence_of, registry, source_set

S = ChallengeStep
A, B, C = "https://a.example/1", "https://b.example/2", "https://c.example/3"
LONG, OPENED = "The Arlen Bridge is 1,149 metres long.", "The Arlen Bridge opened in 1932."
CARRIED = "In 2024 the Arlen Bridge carried 38,400 vehicles."
DRAFT = f"""# The Arlen Bridge

## Summary

{LONG[:-1]} ({A}). {OPENED[:-1]} ({A}).

## Details

{CARRIED[:-1]} ({A}). The Arlen Bridge is painted green ({B}).
"""
PAGES = {A: f"{LONG} {OPENED} {CARRIED}", B: "The Arlen Bridge is painted green."}
ALL = registry().challenge.model_copy(update={"background": True, "decided": True})


def rules(policy: ChallengePolicy) -> Registry:
    return replace(registry(), challenge=policy)


def case(draft: str = DRAFT, pages: Mapping[str, str] = PAGES) -> ChallengeCase:
    found = evidence_of(draft, pages)
    ledger = build_ledger(found.claims, found.assessments.values())
    index = SourceIndex(found.sources, registry().lexicon)
    return ChallengeCase(ledger, found.claims, index, frozenset(), topic="The Arlen Bridge")


def with_verdict(given: ChallengeCase, text: str, verdict: Verdict, support: str = "") -> Ledger:
    """The ledger as a checker left it who gave this verdict, by the words `support` of page A."""

    def changed(entry: LedgerEntry) -> LedgerEntry:
        if entry.text != text:
            return entry
        evidence: tuple[WeighedEvidence, ...] = ()
        if support:
            sources = given.sources.sources
            page = sources.readable(A)
            assert page is not None
            at = page[1].index(support)
            place = A, page[0].sha256, support, at, at + len(support)
            evidence = (WeighedEvidence(*place, Stance.SUPPORTS),)
        return replace(entry, verdict=verdict, evidence=evidence)

    return replace(given.ledger, entries=tuple(map(changed, given.ledger.entries)))


def challenged(
    given: ChallengeCase,
    *steps: ChallengeStep,
    policy: ChallengePolicy = ALL,
    told: ChallengeReplies = NO_REPLIES,
) -> Challenged:
    chosen = policy.model_copy(update={"steps": steps or policy.steps})
    return challenge_ledger(given, rules(chosen), told=told)


def entry_of(result: Challenged, text: str) -> LedgerEntry:
    (found,) = [entry for entry in result.ledger.entries if entry.text == text]
    return found


def outcomes(entry: LedgerEntry) -> dict[ChallengeStep, ChallengeOutcome]:
    return {note.step: note.outcome for note in entry.challenges}


def test_claims_that_stand_keep_their_verdict_and_say_what_they_stood() -> None:
    before = case()
    result = challenged(before)
    assert [e.verdict for e in result.ledger.entries] == [e.verdict for e in before.ledger.entries]
    assert outcomes(entry_of(result, OPENED)) == {
        S.QUESTIONS: ChallengeOutcome.STOOD,
        S.COUNTER_EVIDENCE: ChallengeOutcome.STOOD,
        S.FALSIFICATION: ChallengeOutcome.STOOD,
    }
    assert entry_of(result, OPENED).evidence == before.ledger.entries[1].evidence


CONTRARY = {**PAGES, B: "The Arlen Bridge is painted green. The Arlen Bridge opened in 1936."}


@pytest.mark.parametrize("step", [S.QUESTIONS, S.COUNTER_EVIDENCE, S.SOURCES])
def test_a_source_that_gives_another_value_makes_a_supported_claim_disputed(
    step: ChallengeStep,
) -> None:
    result = challenged(case(pages=CONTRARY), step)
    entry = entry_of(result, OPENED)
    assert (entry.verdict, outcomes(entry)[step]) == (Verdict.DISPUTED, ChallengeOutcome.LOWERED)
    (sought,) = [item for item in entry.evidence if item.sought]
    assert (sought.url, sought.stance) == (B, Stance.CONTRADICTS)
    assert sought.quote == "The Arlen Bridge opened in 1936."
    assert B in entry.reason or "1936" in entry.reason
    assert entry_of(result, LONG).verdict is Verdict.SUPPORTED


def test_two_sources_that_disagree_are_on_record_as_a_conflict() -> None:
    ((conflict,),) = (
        one.contrary for one in challenged(case(pages=CONTRARY), S.SOURCES).record.claims
    )
    assert (conflict.step, conflict.evidence.url) == (S.SOURCES, B)
    assert conflict.reason == "source: 1936; claim: 1932"


def test_what_corroboration_found_against_a_claim_makes_it_disputed() -> None:
    given = case()
    entry = next(e for e in given.ledger.entries if e.text == OPENED)
    denial = replace(entry.evidence[0], stance=Stance.CONTRADICTS, start=0, end=4, quote="The ")
    entries = tuple(
        replace(e, evidence=(*e.evidence, denial)) if e is entry else e
        for e in given.ledger.entries
    )
    result = challenged(replace(given, ledger=replace(given.ledger, entries=entries)), S.SOURCES)
    assert entry_of(result, OPENED).verdict is Verdict.DISPUTED


DOUBLE = f"{DRAFT}\nThe Arlen Bridge has a length of 1,149 metres ({C}).\n"
DOUBLED = {
    **PAGES,
    C: "The Arlen Bridge has a length of 1,210 metres. The Arlen Bridge is 1,210 metres long.",
}


def test_a_disputed_fact_lowers_the_claim_that_says_the_same() -> None:
    result = challenged(case(DOUBLE, DOUBLED), S.DISPUTES)
    assert entry_of(result, LONG).verdict is Verdict.DISPUTED
    ((applied,),) = (one.contrary for one in result.record.claims)
    assert applied.evidence.url == C
    # Alike in words, but of another slot.
    assert entry_of(result, OPENED).verdict is Verdict.SUPPORTED


def test_claims_with_two_values_for_one_thing_are_linked_and_stay_as_they_are() -> None:
    other = "The Arlen Bridge opened in 1938."
    draft = f"{DRAFT}\n{other[:-1]} ({C}).\n"
    before = case(draft, {**PAGES, C: other})
    result = challenged(before, S.LINKS)
    one, two = entry_of(result, OPENED), entry_of(result, other)
    assert (one.contradicts, two.contradicts) == ((two.claim_id,), (one.claim_id,))
    assert outcomes(one) == outcomes(two) == {S.LINKS: ChallengeOutcome.LINKED}
    assert (one.verdict, two.verdict) == (Verdict.SUPPORTED, Verdict.SUPPORTED)
    assert len(result.record.links) == 1


@pytest.mark.parametrize(
    ("one", "other", "linked"),
    [
        ("17.5 GW of new capacity", "4.0 GW of new wind capacity", False),
        ("17.5 GW of new solar capacity", "4.0 GW of new wind capacity", False),
        ("17.5 GW of new capacity", "4.0 GW of new capacity", True),
        ("17.5 GW of new capacity", "4.0 GW of recent capacity", False),
        ("400 boats", "120 electric boats", False),
        ("400 boats", "120 boats", True),
    ],
)
def test_values_of_a_whole_and_of_a_part_are_not_two_values_of_one_thing(
    one: str, other: str, linked: bool
) -> None:
    first, second = (f"The yard of Orland delivered {said} in 2024" for said in (one, other))
    draft = f"# Report\n\n{first} ({A}).\n\n{second} ({B}).\n"
    result = challenged(case(draft, {A: f"{first}.", B: f"{second}."}), S.LINKS)
    assert bool(result.record.links) is linked


def test_what_is_said_of_lots_with_other_numbers_is_no_contradiction() -> None:
    four = "Lot 4 of the Arlen sale went for 1,200 euros in 2022."
    five = "Lot 5 of the Arlen sale went for 1,900 euros in 2022."
    draft = f"# The sale\n\n## Summary\n\n{four[:-1]} ({A}).\n\n## More\n\n{five[:-1]} ({B}).\n"
    result = challenged(case(draft, {A: four, B: five}))
    assert [one.verdict for one in result.ledger.entries] == [Verdict.SUPPORTED] * 2
    assert result.record.links == ()
    assert not any(one.contrary for one in result.record.claims)


def said(
    given: ChallengeCase, text: str, reply: Reply, words: str = "", page: str = ""
) -> ChallengeReplies:
    """What a model answered to the first question about a claim."""
    claim = next(c for c in given.claims if c.text == text)
    plan = plan_challenges(given, rules(ALL))
    question = plan.probes[claim.id][0].question
    if reply is not Reply.FOUND:
        return ChallengeReplies(answers=(Answer(question.id, "model", reply),))
    readable = given.sources.readable(page)
    assert readable is not None
    evidence = Evidence(
        page, readable[0].sha256, readable[1].text, 0, len(readable[1].text), Stance.NEUTRAL
    )
    return ChallengeReplies(
        answers=(Answer(question.id, "model", reply, said=words, evidence=evidence),)
    )


def test_a_models_answer_lowers_a_claim_only_by_a_quote_that_code_can_find() -> None:
    pages = {**PAGES, C: "Its opening fell in the spring of 1937."}
    given = case(f"{DRAFT}\nIts opening fell in spring ({C}).\n", pages)
    told = said(given, OPENED, Reply.FOUND, "1937", C)
    entry = entry_of(challenged(given, S.QUESTIONS, told=told), OPENED)
    assert (entry.verdict, "model answered '1937'" in entry.reason) == (Verdict.DISPUTED, True)
    assert [item.url for item in entry.evidence if item.sought] == [C]
    (answer,) = told.answers
    assert answer.evidence is not None
    forged = replace(answer, evidence=replace(answer.evidence, start=1))
    result = challenged(given, S.QUESTIONS, told=ChallengeReplies(answers=(forged,)))
    assert entry_of(result, OPENED).verdict is Verdict.SUPPORTED


def test_a_model_that_finds_no_source_for_a_claim_makes_it_unverifiable() -> None:
    green = "The Arlen Bridge cost $40 million."
    draft = f"{DRAFT}\n{green[:-1]} ({C}).\n"
    given = case(draft, {**PAGES, C: "The cost came to $40 million, it is said of another bridge."})
    ledger = with_verdict(given, green, Verdict.SUPPORTED)
    given = replace(given, ledger=ledger)
    told = said(given, green, Reply.NOT_STATED)
    result = challenged(given, S.QUESTIONS, told=told)
    assert entry_of(result, green).verdict is Verdict.UNVERIFIABLE
    # Where code finds the answer, a model's silence changes nothing.
    told = said(given, OPENED, Reply.NOT_STATED)
    result = challenged(given, S.QUESTIONS, told=told)
    assert entry_of(result, OPENED).verdict is Verdict.SUPPORTED


def test_what_a_search_found_is_judged_by_code() -> None:
    given = case()
    claim = next(c for c in given.claims if c.text == OPENED)
    found = source_set({**PAGES, C: "The Arlen Bridge opened in 1936."})
    told = ChallengeReplies(
        searches=(
            Searched(claim.id, "web", "Arlen Bridge", (C,)),
            Searched(claim.id, "web", "Arlen Bridge disputed", failure="no answer"),
        ),
        sources=(found.source(C),),
        failures=("web: no answer",),
    )
    policy = ALL.model_copy(update={"steps": (S.COUNTER_EVIDENCE, S.FALSIFICATION)})
    index = SourceIndex(found, registry().lexicon)
    result = challenge_ledger(given, rules(policy), told=told, found=index)
    assert entry_of(result, OPENED).verdict is Verdict.DISPUTED
    details = {note.step: note.detail for note in entry_of(result, OPENED).challenges}
    assert details[S.FALSIFICATION] == "1 of 1 refuter looked for, 1 found"
    assert result.record.failures == ("web: no answer",)


def test_what_was_not_looked_for_is_said_to_be_so() -> None:
    result = challenged(case(), S.QUESTIONS, S.FALSIFICATION)
    (note,) = [one for one in entry_of(result, OPENED).challenges if one.step is S.FALSIFICATION]
    assert note.detail == "1 of 2 refuters looked for, 0 found"
    assert note.outcome is ChallengeOutcome.STOOD


def test_only_what_the_argument_rests_on_and_code_left_open_is_asked_about() -> None:
    given = case()
    by_text = {claim.text: claim for claim in given.claims}
    policy = registry().challenge
    plan = plan_challenges(given, rules(policy))
    assert set(plan.probes) == {c.id for c in given.claims if c.load_bearing}
    settled = {by_text[OPENED].id}
    plan = plan_challenges(replace(given, settled=settled), rules(policy))
    assert by_text[OPENED].id not in plan.probes
    assert by_text[LONG].id in plan.probes
    few = policy.model_copy(update={"claims": 1})
    assert len(plan_challenges(given, rules(few)).probes) == 1
    spent = replace(given, asked={"c-00000001"})
    assert plan_challenges(spent, rules(few)).probes == {}
    again = replace(given, asked={by_text[LONG].id})
    assert set(plan_challenges(again, rules(few)).probes) == {by_text[LONG].id}


def test_a_document_that_is_not_english_is_left_alone() -> None:
    given = replace(case(pages=CONTRARY), language="de")
    result = challenged(given)
    assert result.ledger == given.ledger
    assert plan_challenges(given, rules(ALL)).probes == {}


def test_what_is_switched_off_does_nothing() -> None:
    given = case(pages=CONTRARY)
    policy = ALL.without(tuple(ChallengeStep))
    result = challenge_ledger(given, rules(policy))
    assert (result.ledger, result.record.claims) == (given.ledger, ())


def test_assessments_follow_the_ledger() -> None:
    found = evidence_of(DRAFT, CONTRARY)
    final = [found.assessments[claim.id] for claim in found.claims]
    result = challenged(case(pages=CONTRARY))
    left = {one.claim_id: one for one in as_left(final, result.ledger)}
    entry = entry_of(result, OPENED)
    assert left[entry.claim_id].verdict is Verdict.DISPUTED
    assert left[entry.claim_id].evidence == entry.evidence


VERDICTS = st.sampled_from(tuple(Verdict))
REPLIES = st.sampled_from(tuple(Reply))
WORDS = st.sampled_from(("1932", "1936", "1,149 metres", "38,400", "green", ""))


@st.composite
def tellings(draw: st.DrawFn, given_case: ChallengeCase) -> ChallengeReplies:
    plan = plan_challenges(given_case, rules(ALL))
    probes = [probe for own in plan.probes.values() for probe in own]
    answers: list[Answer] = []
    for probe in probes:
        page = draw(st.sampled_from((A, B)))
        readable = given_case.sources.readable(page)
        assert readable is not None
        text = readable[1].text
        evidence = Evidence(page, readable[0].sha256, text, 0, len(text), Stance.NEUTRAL)
        reply = draw(REPLIES)
        answers.append(
            Answer(probe.question.id, "model", reply, said=draw(WORDS), evidence=evidence)
        )
    return ChallengeReplies(answers=tuple(answers))


@settings(max_examples=8, deadline=None)
@given(st.data())
def test_no_answers_and_no_sources_raise_a_verdict(data: st.DataObject) -> None:
    base = case(pages=data.draw(st.sampled_from((PAGES, CONTRARY))))
    entries = tuple(replace(e, verdict=data.draw(VERDICTS)) for e in base.ledger.entries)
    before = replace(base, ledger=replace(base.ledger, entries=entries))
    after = challenged(before, told=data.draw(tellings(before)))
    for old, new in zip(entries, after.ledger.entries, strict=True):
        if old.verdict in WORST_FIRST:
            assert WORST_FIRST.index(new.verdict) <= WORST_FIRST.index(old.verdict)
        else:
            assert new.verdict is old.verdict
        assert new.open_contradiction is old.open_contradiction
        assert new.evidence[: len(old.evidence)] == old.evidence
    # What is found against a claim counts as no finding of the document's.
    seen, sees = gate_metrics(before.ledger), gate_metrics(after.ledger)
    assert (sees.findings_count, sees.bare) == (seen.findings_count, seen.bare)
    assert sees.supported <= seen.supported


def shuffled(given: ChallengeCase, random: Random) -> ChallengeCase:
    order = list(range(len(given.claims)))
    random.shuffle(order)
    urls = list(given.sources.sources.sources)
    random.shuffle(urls)
    old = given.sources.sources
    sources = SourceSet({url: old.sources[url] for url in urls}, old.texts)
    return replace(
        given,
        claims=[given.claims[at] for at in order],
        ledger=replace(given.ledger, entries=tuple(given.ledger.entries[at] for at in order)),
        sources=SourceIndex(sources, registry().lexicon),
    )


def by_id(entries: Sequence[LedgerEntry]) -> dict[str, LedgerEntry]:
    return {entry.claim_id: entry for entry in entries}


@pytest.mark.parametrize("seed", range(4))
def test_neither_the_order_of_claims_nor_that_of_sources_matters(seed: int) -> None:
    given = case(DOUBLE, {**CONTRARY, C: DOUBLED[C]})
    policy = ALL.model_copy(update={"claims": 3})
    straight = challenged(given, policy=policy)
    mixed = challenged(shuffled(given, Random(seed)), policy=policy)
    assert by_id(mixed.ledger.entries) == by_id(straight.ledger.entries)
    assert mixed.record.links == straight.record.links
    contrary = [
        {found for one in result.record.claims for found in one.contrary}
        for result in (mixed, straight)
    ]
    assert contrary[0] == contrary[1]
