"""The challenges of one iteration: a pure function from a ledger to a ledger that is no better.

What the claims say is held against answers, sources and each other; what comes of it lowers a
verdict or links two claims, by tables. Nothing here can lift a contradiction or raise a verdict.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...base.vocabulary import ChallengeStep, Verdict
from ...claims.model import Claim
from ...documents.language import reads_english
from ..ledger.building import link_contradictions
from ..model import Ledger, LedgerEntry
from ..passages.retrieval import SourceIndex
from ..policy import ChallengePolicy
from ..registry import Registry
from .answers import SNAPSHOTS, check_answer, find_answers
from .evidence import (
    ChallengeCase,
    applied_disputes,
    contrary_of,
    counter_queries,
    link_claims,
    source_conflicts,
)
from .model import (
    NOTHING_TOLD,
    ChallengeRecord,
    ClaimChallenge,
    ClaimLink,
    Contrary,
    Probe,
    QuestionRecord,
    Searched,
    Told,
)
from .outcome import apply_challenge, attempts, lowered, reasons_to_lower
from .questions import build_probes

_ORDER = {Verdict.SUPPORTED: 0, Verdict.PARTIALLY_SUPPORTED: 1, Verdict.UNVERIFIABLE: 2}


@dataclass(frozen=True, slots=True)
class Plan:
    """Plan of the challenges: probes and search queries by claim id."""

    probes: Mapping[str, tuple[Probe, ...]]
    queries: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Challenged:
    """The ledger after the challenges, and their record."""

    ledger: Ledger
    record: ChallengeRecord


def plan_challenges(case: ChallengeCase, registry: Registry) -> Plan:
    """The questions and queries for the claims that are to be challenged.

    Only English documents are challenged (decision 28).
    """
    policy = registry.challenge
    asks, seeks = map(policy.does, (ChallengeStep.QUESTIONS, ChallengeStep.COUNTER_EVIDENCE))
    probes: dict[str, tuple[Probe, ...]] = {}
    queries: dict[str, tuple[str, ...]] = {}
    if reads_english(case.language) and (asks or seeks):
        chosen = _choose_claims(case, policy)
        for claim in sorted(case.claims, key=lambda claim: claim.id):
            if claim.id in chosen:
                own = build_probes(claim, registry.lexicon, policy.questions)
                probes[claim.id] = own if asks else ()
                if seeks:
                    queries[claim.id] = counter_queries(claim, own, registry, case.topic)
    return Plan(probes, queries)


def _choose_claims(case: ChallengeCase, policy: ChallengePolicy) -> frozenset[str]:
    """The ids of the claims to challenge (decision 40), the same whatever the ledger's order.

    Those that earlier iterations challenged are challenged again, and with them the run has at
    most `policy.claims`. Claims that somebody found supported come first.
    """
    eligible = [
        entry
        for entry in case.ledger.entries
        if entry.verdict in _ORDER
        and not entry.open_slot
        and (policy.background or entry.load_bearing)
        and (policy.decided or entry.claim_id not in case.settled)
    ]
    eligible.sort(key=lambda e: (not e.load_bearing, _ORDER[e.verdict], e.claim_id))
    ids = [entry.claim_id for entry in eligible]
    fresh = [id_ for id_ in ids if id_ not in case.asked]
    room = max(0, policy.claims - len(case.asked))
    return frozenset((*(id_ for id_ in ids if id_ in case.asked), *fresh[:room]))


def challenge_ledger(
    case: ChallengeCase,
    registry: Registry,
    *,
    told: Told = NOTHING_TOLD,
    found: SourceIndex | None = None,
) -> Challenged:
    """Put the claims of a ledger to the challenges that are switched on.

    `told` is what was answered from outside, beyond what code finds in the snapshots; `found` are
    the sources that it names. Each claim is lowered by what the ledger said before, so that neither
    the order of claims nor that of sources matters.

    Raises:
        SnapshotError: A readable source has no text.
    """
    steps, iteration = registry.challenge.steps, case.ledger.iteration
    if not reads_english(case.language):
        return Challenged(case.ledger, ChallengeRecord(iteration, steps))
    links = link_claims(case.claims, registry)
    against: defaultdict[str, list[Contrary]] = defaultdict(list)
    for one in (*source_conflicts(case, registry), *applied_disputes(case, registry)):
        against[one.claim_id].append(one)
    plan = plan_challenges(case, registry)
    challenges = _Challenges(case, registry, told, found or case.sources, plan, against)
    claims = {claim.id: claim for claim in case.claims}
    trials = {
        entry.claim_id: challenges.of_claim(entry, claims[entry.claim_id])
        for entry in case.ledger.entries
        if entry.claim_id in plan.probes or entry.claim_id in against
    }
    pairs = [(link.claim_id, link.other_id) for link in links]
    ledger = link_contradictions(case.ledger, pairs)
    linked = _reasons_by_claim(links)
    entries = tuple(
        apply_challenge(entry, trials.get(entry.claim_id), linked.get(entry.claim_id, ()))
        for entry in ledger.entries
    )
    record = ChallengeRecord(
        iteration, steps, claims=tuple(trials.values()), links=links, failures=told.failures
    )
    return Challenged(replace(ledger, entries=entries), record)


def _reasons_by_claim(links: Sequence[ClaimLink]) -> Mapping[str, Sequence[str]]:
    reasons: defaultdict[str, list[str]] = defaultdict(list)
    for link in links:
        reasons[link.claim_id].append(f"{link.other_id}: {link.reason}")
        reasons[link.other_id].append(f"{link.claim_id}: {link.reason}")
    return reasons


@dataclass(frozen=True, slots=True)
class _Challenges:
    case: ChallengeCase
    registry: Registry
    told: Told
    found: SourceIndex
    plan: Plan
    against: Mapping[str, Sequence[Contrary]]

    def of_claim(self, entry: LedgerEntry, claim: Claim) -> ClaimChallenge:
        """Everything that one claim is put to, and what its verdict comes to."""
        id_, policy = claim.id, self.registry.challenge
        questions = tuple(map(self._ask, self.plan.probes.get(id_, ())))
        searches = tuple(self._search(id_))
        urls = {url for one in searches for url in one.urls}
        step = ChallengeStep.COUNTER_EVIDENCE
        sought = contrary_of(claim, urls, self.found, self.registry, step)
        contrary = (*self.against.get(id_, ()), *sought)
        falsification = ()
        if policy.does(ChallengeStep.FALSIFICATION) and id_ in self.plan.probes:
            falsification = tuple(attempts(questions, searches, contrary))
        reasons = reasons_to_lower(questions, contrary)
        return ClaimChallenge(
            id_,
            entry.verdict,
            lowered(entry.verdict, reasons),
            "; ".join(reasons.values()),
            questions=questions,
            searches=searches,
            contrary=contrary,
            falsification=falsification,
        )

    def _ask(self, probe: Probe) -> QuestionRecord:
        question, sources = probe.question, self.case.sources
        given = (one for one in self.told.answers if one.question_id == question.id)
        answers = (*find_answers(question, sources, self.registry), *given)
        checked = (check_answer(probe, one, sources, self.registry) for one in answers)
        return QuestionRecord(question, probe.words, tuple(checked))

    def _search(self, claim_id: str) -> Iterator[Searched]:
        for query in self.plan.queries.get(claim_id, ()):
            urls = self.case.sources.likely(query)
            yield Searched(claim_id, SNAPSHOTS, query, tuple(urls))
        yield from (one for one in self.told.searches if one.claim_id == claim_id)
