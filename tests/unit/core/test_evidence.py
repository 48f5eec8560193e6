"""Claims, sources, assessments, ledger and gate of a draft, over a real site on loopback."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from foureyes import (
    ApprovalBasis,
    Error,
    Examination,
    GateDecision,
    IssueType,
    IterationWork,
    ReviewCriterion,
    RunStatus,
    Stance,
    TurnUsage,
    Verdict,
)
from foureyes.core.evidence import DocumentEvidence
from foureyes.core.evidence_parts import EvidenceParts
from foureyes.core.iteration import PreparedEvidence
from foureyes.datatypes import (
    Appraisal,
    Checker,
    CitationState,
    ClaimAssessment,
    ClaimState,
    Conclusion,
    Evidence,
    FetchMode,
    ResearchMode,
    SourceSet,
    SourceState,
    SupportTier,
)
from foureyes.sources.scoring.appraisal import appraise
from foureyes.sources.scoring.rules import load_scoring
from foureyes.verification.assessing.combine import counts_beside
from foureyes.verification.passages.retrieval import SourceIndex
from foureyes.verification.registry import Registry, load_registry
from support.claim_kit import claims_of
from support.evidence_run import evidence, open_reader, services
from support.http_site import HttpSite
from support.loop_agents import APPROVE, AS_OF, BRIEF, ListedCritic, ListedDrafter, Loop, vote

LANES = (
    "The city built 42 kilometres of bicycle lanes in 2024.\n\nThe lanes cost 8 million euros.\n"
)


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load_registry()


@pytest.fixture
async def site() -> AsyncGenerator[HttpSite]:
    async with HttpSite() as opened:
        opened.page("/lanes.txt", LANES, media_type="text/plain")
        yield opened


def draft(site: HttpSite, *, length: int = 42, page: str = "/lanes.txt") -> str:
    url = site.url(page)
    return (
        "# Bicycle lanes\n\n"
        f"The city built {length} kilometres of bicycle lanes in 2024 [1].\n"
        "The lanes cost 8 million euros [1].\n\n"
        f"## References\n\n[1] {url}\n"
    )


async def prepared(
    folder: Path, site: HttpSite, registry: Registry, text: str
) -> tuple[PreparedEvidence, Conclusion]:
    """A draft's evidence, and the conclusion if a checker agrees with code everywhere."""
    async with open_reader(folder, site) as reader:
        stage = evidence(reader, registry)
        found = await stage.prepare(1, text, services(folder))
        given = services(folder)
        return found, await stage.conclude(found, found.evidence.assessments, given)


async def test_supported_claims_pass_the_gate(
    tmp_path: Path, site: HttpSite, registry: Registry
) -> None:
    found, end = await prepared(tmp_path, site, registry, draft(site))
    assert [a.verdict for a in found.evidence.assessments.values()] == [Verdict.SUPPORTED] * 2
    assert (end.gate.decision, end.supported, end.findings) == (GateDecision.PASS, 2, ())
    assert (end.open_slots, end.open_contradictions, end.not_fetched) == (0, 0, ())
    both = (Checker.ENGINE, Checker.FACT_CHECKER)
    assert [entry.checked_by for entry in end.ledger.entries] == [both, both]
    assert [file.name for file in end.artefacts] == [
        "claim_ledger.json",
        "evidence_gate_result.json",
        "claim_evidence_map.json",
        "critique.json",
        "gaps_verify.json",
        "evidence_critique.json",
        "challenge.json",
    ]


async def test_the_claims_file_lists_claims_assessments_and_sources(
    tmp_path: Path, site: HttpSite, registry: Registry
) -> None:
    found, _ = await prepared(tmp_path, site, registry, draft(site))
    (file,) = found.artefacts
    content = json.loads(file.text)
    assert file.name == "claims_iteration_1.json"
    ids = [claim["id"] for claim in content["claims"]]
    assert list(content["assessments"]) == ids
    assert content["sources"][site.url("/lanes.txt")]["state"] == "ok"


async def test_a_wrong_number_is_a_finding_by_code_whatever_the_checker_says(
    tmp_path: Path, site: HttpSite, registry: Registry
) -> None:
    async with open_reader(tmp_path, site) as reader:
        stage = evidence(reader, registry)
        found = await stage.prepare(1, draft(site, length=60), services(tmp_path))
        first = found.evidence.claims[0].id
        engine = found.evidence.assessments
        assert engine[first].verdict is Verdict.CONTRADICTED
        text = reader.store.text(engine[first].evidence[0].sha256)
        quote = Evidence(
            site.url("/lanes.txt"),
            engine[first].evidence[0].sha256,
            text[:10],
            0,
            10,
            Stance.SUPPORTS,
        )
        lifted = replace(engine[first], verdict=Verdict.SUPPORTED, evidence=(quote,), findings=())
        end = await stage.conclude(found, {**engine, first: lifted}, services(tmp_path))
    assert (end.gate.decision, end.open_contradictions) == (GateDecision.FAIL, 1)
    types = {finding.type for finding in end.findings}
    assert types == {IssueType.NUMERIC_ERROR, ReviewCriterion.GATE}


def spoiled(answer: ClaimAssessment) -> list[ClaimAssessment]:
    return [replace(answer, evidence=(replace(answer.evidence[0], quote="something else"),))]


def shifted(answer: ClaimAssessment) -> list[ClaimAssessment]:
    item = answer.evidence[0]
    return [replace(answer, evidence=(replace(item, start=item.start + 1, end=item.end + 1),))]


def of_no_snapshot(answer: ClaimAssessment) -> list[ClaimAssessment]:
    return [replace(answer, evidence=(replace(answer.evidence[0], sha256="0" * 64),))]


def bare(answer: ClaimAssessment) -> list[ClaimAssessment]:
    return [replace(answer, evidence=())]


def missing(_: ClaimAssessment) -> list[ClaimAssessment]:
    return []


async def test_an_uncited_claim_is_given_the_cited_source_that_states_it(
    tmp_path: Path, site: HttpSite, registry: Registry
) -> None:
    text = (
        draft(site).replace("euros [1].", "euros.").replace("[1].\nThe", "[1].\n\n## Cost\n\nThe")
    )
    found, _ = await prepared(tmp_path, site, registry, text)
    (finding,) = (f for a in found.evidence.assessments.values() for f in a.findings)
    assert finding.type is IssueType.UNSOURCED
    assert finding.recommendation.startswith(f"cite {site.url('/lanes.txt')}, which states it")
    assert finding.correction is not None
    assert finding.correction.replacement == " [1]"


@pytest.mark.parametrize("change", [spoiled, shifted, of_no_snapshot, bare, missing])
async def test_a_claim_without_a_valid_answer_is_an_open_slot(
    tmp_path: Path,
    site: HttpSite,
    registry: Registry,
    change: Callable[[ClaimAssessment], list[ClaimAssessment]],
) -> None:
    async with open_reader(tmp_path, site) as reader:
        stage = evidence(reader, registry)
        found = await stage.prepare(1, draft(site), services(tmp_path))
        first, second = found.evidence.assessments.values()
        answers = {answer.claim_id: answer for answer in [*change(first), second]}
        end = await stage.conclude(found, answers, services(tmp_path))
    assert (end.open_slots, end.gate.rule) == (1, "open_slot")
    assert [entry.open_slot for entry in end.ledger.entries] == [True, False]
    assert [finding.type for finding in end.findings] == [ReviewCriterion.GATE]


async def test_a_statement_that_is_not_checkable_needs_no_answer(
    tmp_path: Path, site: HttpSite, registry: Registry
) -> None:
    text = draft(site).replace(
        "## References", "Ask 12 neighbours what they think.\n\n## References"
    )
    async with open_reader(tmp_path, site) as reader:
        stage = evidence(reader, registry)
        found = await stage.prepare(1, text, services(tmp_path))
        excluded = [claim.id for claim in found.evidence.claims if claim.exclusion]
        answers = {i: a for i, a in found.evidence.assessments.items() if i not in excluded}
        end = await stage.conclude(found, answers, services(tmp_path))
    assert len(excluded) == 1
    assert (end.open_slots, end.gate.decision) == (0, GateDecision.PASS)


WORST_FIRST = (
    Verdict.CONTRADICTED,
    Verdict.DISPUTED,
    Verdict.UNVERIFIABLE,
    Verdict.PARTIALLY_SUPPORTED,
    Verdict.SUPPORTED,
)


def counts(engine: Verdict, answer: Verdict, *, decided: bool) -> bool:
    """Whether a checker's answer without a passage is taken in place of the engine's."""
    if not {engine, answer} <= set(WORST_FIRST):
        return False
    lowers = WORST_FIRST.index(answer) < WORST_FIRST.index(engine)
    return lowers or (answer is engine and not decided)


@pytest.mark.parametrize("decided", [True, False])
@pytest.mark.parametrize("engine", Verdict)
@pytest.mark.parametrize("answer", Verdict)
def test_a_checker_lowers_what_code_decided_and_neither_raises_nor_excuses_it(
    engine: Verdict, answer: Verdict, decided: bool
) -> None:
    def says(verdict: Verdict, *, decided: bool) -> ClaimAssessment:
        return ClaimAssessment("c1", verdict, CitationState.DIRECT, "because", decided=decided)

    by_code, by_checker = says(engine, decided=decided), says(answer, decided=False)
    (claim,) = claims_of("The lanes cost 8 million euros.")
    index = SourceIndex(SourceSet({}, {}), load_registry().lexicon)
    taken = counts_beside(claim, by_code, by_checker, index, load_registry())
    assert taken is counts(engine, answer, decided=decided)


async def test_claims_keep_their_ids_when_the_draft_is_revised(
    tmp_path: Path, site: HttpSite, registry: Registry
) -> None:
    async with open_reader(tmp_path, site) as reader:
        stage = evidence(reader, registry)
        first = await stage.prepare(1, draft(site, length=60), services(tmp_path))
        second = await stage.prepare(2, draft(site, length=42), services(tmp_path))
    ids = [[claim.id for claim in found.evidence.claims] for found in (first, second)]
    assert ids[0] == ids[1]


async def test_a_resumed_run_fetches_nothing_again(
    tmp_path: Path, site: HttpSite, registry: Registry
) -> None:
    site.page("/broken", status=500)
    text = draft(site) + f"\nIt rained on 12 days in 2024 ({site.url('/broken')}).\n"
    found: list[PreparedEvidence] = []
    for _ in range(2):
        async with open_reader(tmp_path, site) as reader:
            stage = evidence(reader, registry)
            found.append(await stage.prepare(1, text, services(tmp_path)))
    # What fails in a way that may pass is tried once more, by recovery.
    assert sorted(site.paths()) == ["/broken", "/broken", "/lanes.txt"]
    assert found[0].evidence.sources == found[1].evidence.sources


async def test_a_failed_fetch_is_tried_again_in_the_next_iteration(
    tmp_path: Path, site: HttpSite, registry: Registry
) -> None:
    for _ in range(2):
        site.page("/late", status=500)
    site.page("/late", LANES, media_type="text/plain")
    url = site.url("/late")
    async with open_reader(tmp_path, site) as reader:
        stage = evidence(reader, registry)
        states: list[SourceState] = []
        for iteration in (1, 2, 3):
            found = await stage.prepare(iteration, draft(site, page="/late"), services(tmp_path))
            states.append(found.evidence.sources.source(url).state)
    assert states == [SourceState.SERVER_ERROR, SourceState.OK, SourceState.OK]
    assert site.paths() == ["/late", "/late", "/late"]


async def test_recovery_reads_a_cited_source_that_failed_in_a_way_that_may_pass(
    tmp_path: Path, site: HttpSite, registry: Registry
) -> None:
    site.page("/late", status=500)
    site.page("/late", LANES, media_type="text/plain")
    found, _ = await prepared(tmp_path, site, registry, draft(site, page="/late"))
    assert [a.verdict for a in found.evidence.assessments.values()] == [Verdict.SUPPORTED] * 2
    file = next(f for f in found.artefacts if f.name == "recovery_iteration_1.json")
    recovery = json.loads(file.text)
    assert ([read["state"] for read in recovery["again"]], recovery["found"]) == (["ok"], [])


async def test_the_limit_of_fetches_is_for_the_whole_run(
    tmp_path: Path, site: HttpSite, registry: Registry
) -> None:
    for name in ("/a.txt", "/b.txt", "/c.txt"):
        site.page(name, LANES + name, media_type="text/plain")
    texts = [draft(site, page=page) for page in ("/a.txt", "/b.txt", "/c.txt")]
    for _ in range(2):
        async with open_reader(tmp_path, site) as reader:
            stage = evidence(reader, registry, max_fetches=2)
            ends: list[tuple[str, ...]] = []
            for iteration, text in enumerate(texts, 1):
                found = await stage.prepare(iteration, text, services(tmp_path))
                end = await stage.conclude(found, found.evidence.assessments, services(tmp_path))
                ends.append(end.not_fetched)
        assert ends == [(), (), (site.url("/c.txt"),)]
    assert site.paths() == ["/a.txt", "/b.txt"]


async def test_what_was_not_fetched_is_fetched_by_a_resumed_run_that_may(
    tmp_path: Path, site: HttpSite, registry: Registry
) -> None:
    ends: list[tuple[str, ...]] = []
    for mode in (FetchMode.NONE, FetchMode.LIVE):
        async with open_reader(tmp_path, site, mode=mode) as reader:
            stage = evidence(reader, registry)
            found = await stage.prepare(1, draft(site), services(tmp_path))
            end = await stage.conclude(found, found.evidence.assessments, services(tmp_path))
            ends.append(end.not_fetched)
    assert ends == [(site.url("/lanes.txt"),), ()]


async def test_what_was_not_fetched_stays_so_once_the_loop_went_on(
    tmp_path: Path, site: HttpSite, registry: Registry
) -> None:
    async with open_reader(tmp_path, site, mode=FetchMode.NONE) as reader:
        stage = evidence(reader, registry)
        await stage.prepare(1, draft(site), services(tmp_path))
        await stage.settle(services(tmp_path))
    async with open_reader(tmp_path, site) as reader:
        stage = evidence(reader, registry)
        first = await stage.prepare(1, draft(site), services(tmp_path))
        await stage.settle(services(tmp_path))
        second = await stage.prepare(2, draft(site), services(tmp_path))
    assert (first.not_fetched, second.not_fetched) == ((site.url("/lanes.txt"),), ())


class Agreeing:
    """A checker of claims that agrees with code."""

    name = "fact_checker"

    async def examine(self, work: IterationWork) -> Examination | Error:
        assert work.evidence is not None
        answers = tuple(work.evidence.assessments.values())
        return Examination(
            APPROVE, None, (), 1.0, TurnUsage(), assessments=answers, independent=False
        )


async def test_a_run_over_real_sources_is_approved(
    tmp_path: Path, site: HttpSite, registry: Registry
) -> None:
    pair = (ListedCritic("reviewer", vote(APPROVE)), Agreeing())
    async with open_reader(tmp_path, site) as reader:
        loop = Loop(ListedDrafter(), pair, evidence=evidence(reader, registry))
        result = await loop.pipeline().run(BRIEF, (), draft=draft(site))
    assert result.status is RunStatus.APPROVED
    assert result.approval_basis is ApprovalBasis.DETERMINISTIC_CHECKS
    checker = next(f for f in result.analytics.agents() if f.agent == "fact_checker")
    assert checker.claims is not None
    assert (checker.claims.found, checker.claims.supported) == (2, 2)


async def test_scored_sources_give_claims_a_tier_and_iterations_a_history(
    tmp_path: Path, site: HttpSite, registry: Registry
) -> None:
    scoring = load_scoring()
    async with open_reader(tmp_path, site) as reader:
        parts = EvidenceParts(
            reader,
            registry,
            as_of=AS_OF,
            appraise=lambda sources: appraise(sources, scoring, as_of=AS_OF),
            scoring=scoring,
            mode=ResearchMode.STANDARD,
        )
        stage = DocumentEvidence(parts)
        ends: list[Conclusion] = []
        for number, length in ((1, 52), (2, 42)):
            found = await stage.prepare(number, draft(site, length=length), services(tmp_path))
            ends.append(await stage.conclude(found, found.evidence.assessments, services(tmp_path)))
    line = ends[1].ledger.entries[0]
    assert [(step.iteration, step.after) for step in line.history] == [
        (1, ClaimState.CONTRADICTED),
        (2, ClaimState.SUPPORTED),
    ]
    assert (line.tier, line.corroborated) == (SupportTier.UNVERIFIED, False)
    assert line.evidence[0].credibility == line.credibility_weight
    assert (line.confidence or 0) > 0
    gate = ends[1].gate
    assert (gate.profile, gate.metrics.read_successes) == ("research/standard", 1)
    assert gate.decision is GateDecision.FAIL


@pytest.mark.parametrize(
    ("page", "tier"),
    [
        (LANES + "The mayor opened them.\n", SupportTier.AUTHORITATIVE),
        ("The mayor opened the bicycle lanes in 2024.\n", SupportTier.UNVERIFIED),
    ],
)
async def test_a_source_cited_for_another_claim_counts_for_all_that_it_states(
    tmp_path: Path, site: HttpSite, registry: Registry, page: str, tier: SupportTier
) -> None:
    site.page("/office.txt", page, media_type="text/plain")
    scoring = load_scoring()

    def appraised(sources: SourceSet) -> Appraisal:
        found = appraise(sources, scoring, as_of=AS_OF)
        of_office = (
            replace(one, score=replace(one.score, authoritative="office" in one.source.url))
            for one in found.rated
        )
        return replace(found, rated=tuple(of_office))

    text = draft(site) + f"\nThe mayor opened the lanes in 2024 ({site.url('/office.txt')}).\n"
    async with open_reader(tmp_path, site) as reader:
        parts = EvidenceParts(
            reader,
            registry,
            as_of=AS_OF,
            appraise=appraised,
            scoring=scoring,
        )
        stage = DocumentEvidence(parts)
        found = await stage.prepare(1, text, services(tmp_path))
        end = await stage.conclude(found, found.evidence.assessments, services(tmp_path))
    line = end.ledger.entries[0]
    assert (line.verdict, line.tier) == (Verdict.SUPPORTED, tier)
    assert end.gate.metrics.read_attempts == 2
