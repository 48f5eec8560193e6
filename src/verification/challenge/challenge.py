"""The challenges of one iteration: a pure function from a ledger to a ledger that is no better.

What the claims say is held against answers, sources and each other; what comes of it lowers a
verdict or links two claims, by tables. Nothing here can lift a contradiction or raise a verdict.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace

from ...base.vocabulary import ChallengeStep
from ...claims.model import Claim
from ..assessing.elsewhere import likely_sources
from ..ledger.building import link_contradictions
from ..model import ClaimAssessment, Ledger, LedgerEntry
from ..registry import Registry
from ..source_index import SourceIndex, reads_english
from .answering import SnapshotAnswerer
from .applying import applied, failures_of
from .checking import check_answer
from .choosing import choose_claims
from .counter import contrary_of, counter_queries
from .falsifying import attempts
from .linking import applied_disputes, link_claims, source_conflicts
from .lowering import lowered
from .model import (
    NOTHING_TOLD,
    ChallengeRecord,
    ClaimChallenge,
    ClaimLink,
    Contrary,
    Probe,
    QuestionRecord,
    Searched,
    SourceConflict,
    Told,
)
from .policy import ChallengePolicy
from .questions import build_probes


@dataclass(frozen=True, slots=True)
class ChallengeCase:
    """One iteration's ledger with what it rests on.

    `settled` are the claims that code decided on every part. `language` is the document's, `topic`
    its title. `asked` are the claims that earlier iterations of the run challenged.
    """

    ledger: Ledger
    claims: Sequence[Claim]
    sources: SourceIndex
    settled: Collection[str]
    _: KW_ONLY
    language: str = "en"
    topic: str = ""
    asked: Collection[str] = ()


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


def plan_challenges(case: ChallengeCase, registry: Registry, policy: ChallengePolicy) -> Plan:
    """The questions and queries for the claims that are to be challenged.

    Only English documents are challenged (decision 28).
    """
    chosen = choose_claims(case.ledger, case.settled, policy, asked=case.asked)
    asks, seeks = policy.does(ChallengeStep.QUESTIONS), policy.does(ChallengeStep.COUNTER_EVIDENCE)
    probes: dict[str, tuple[Probe, ...]] = {}
    queries: dict[str, tuple[str, ...]] = {}
    if not reads_english(case.language) or not (asks or seeks):
        return Plan(probes, queries)
    for claim in sorted(case.claims, key=lambda claim: claim.id):
        if claim.id not in chosen:
            continue
        own = build_probes(claim, registry.lexicon, policy.questions)
        probes[claim.id] = own if asks else ()
        if seeks:
            queries[claim.id] = counter_queries(claim, own, registry, policy, case.topic)
    return Plan(probes, queries)


def challenge_ledger(
    case: ChallengeCase,
    registry: Registry,
    policy: ChallengePolicy,
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
    if not reads_english(case.language):
        return Challenged(case.ledger, ChallengeRecord(case.ledger.iteration, policy.steps))
    return _Challenge(case, registry, policy, told, found or case.sources).run()


@dataclass(frozen=True, slots=True)
class _Challenge:
    case: ChallengeCase
    registry: Registry
    policy: ChallengePolicy
    told: Told
    found: SourceIndex

    def run(self) -> Challenged:
        case, policy = self.case, self.policy
        plan = plan_challenges(case, self.registry, policy)
        claims = {claim.id: claim for claim in case.claims}
        links: tuple[ClaimLink, ...] = ()
        if policy.does(ChallengeStep.LINKS):
            links = link_claims(case.claims, self.registry, policy)
        pairs = list(self._conflicts(claims))
        disputes = tuple(self._disputes(claims))
        against = _by_claim((*(contrary for _, contrary in pairs), *disputes))
        trials = {
            entry.claim_id: self._trial(entry, claims[entry.claim_id], plan, against)
            for entry in case.ledger.entries
            if entry.claim_id in plan.probes or entry.claim_id in against
        }
        ledger = link_contradictions(
            case.ledger, ((link.claim_id, link.other_id) for link in links)
        )
        linked = _linked(links)
        entries = tuple(
            applied(entry, trials.get(entry.claim_id), linked.get(entry.claim_id, ()))
            for entry in ledger.entries
        )
        record = ChallengeRecord(
            case.ledger.iteration,
            policy.steps,
            claims=tuple(trials[e.claim_id] for e in entries if e.claim_id in trials),
            links=links,
            conflicts=tuple(conflict for conflict, _ in pairs),
            disputes=disputes,
            failures=self.told.failures,
        )
        return Challenged(replace(ledger, entries=entries), record)

    def _conflicts(self, claims: Mapping[str, Claim]) -> Iterator[tuple[SourceConflict, Contrary]]:
        if self.policy.does(ChallengeStep.SOURCES):
            case = self.case
            yield from source_conflicts(
                case.ledger, claims, case.sources, self.registry, self.policy
            )

    def _disputes(self, claims: Mapping[str, Claim]) -> Iterator[Contrary]:
        if self.policy.does(ChallengeStep.DISPUTES):
            case = self.case
            yield from applied_disputes(
                case.ledger, claims, case.sources, self.registry, self.policy
            )

    def _trial(
        self, entry: LedgerEntry, claim: Claim, plan: Plan, against: Mapping[str, list[Contrary]]
    ) -> ClaimChallenge:
        """Everything that one claim is put to, and what its verdict comes to."""
        id_ = entry.claim_id
        questions = tuple(map(self._ask, plan.probes.get(id_, ())))
        searches = tuple(self._search(id_, plan.queries.get(id_, ())))
        urls = {url for one in searches for url in one.urls}
        step = ChallengeStep.COUNTER_EVIDENCE
        sought = contrary_of(claim, urls, self.found, self.registry, step=step)
        contrary = (*against.get(id_, ()), *sought)
        falsification = ()
        if self.policy.does(ChallengeStep.FALSIFICATION) and id_ in plan.probes:
            falsification = tuple(attempts(questions, searches, contrary))
        failures = dict(failures_of(questions, contrary))
        return ClaimChallenge(
            id_,
            entry.verdict,
            lowered(entry.verdict, failures),
            "; ".join(failures.values()),
            questions=questions,
            searches=searches,
            contrary=contrary,
            falsification=falsification,
        )

    def _ask(self, probe: Probe) -> QuestionRecord:
        answerer = SnapshotAnswerer(self.registry, self.policy)
        given = [one for one in self.told.answers if one.question_id == probe.question.id]
        answers = [*answerer.read(probe.question, self.case.sources), *given]
        checked = (check_answer(probe, one, self.case.sources, self.registry) for one in answers)
        return QuestionRecord(probe.question, probe.words, tuple(checked))

    def _search(self, claim_id: str, queries: Sequence[str]) -> Iterator[Searched]:
        for query in queries:
            urls = likely_sources(query, self.case.sources)
            yield Searched(claim_id, SnapshotAnswerer.name, query, tuple(urls))
        yield from (one for one in self.told.searches if one.claim_id == claim_id)


def as_left(assessments: Sequence[ClaimAssessment], ledger: Ledger) -> tuple[ClaimAssessment, ...]:
    """`assessments` with the verdicts and the evidence that `ledger` has for their claims now."""
    entries = {entry.claim_id: entry for entry in ledger.entries}
    return tuple(
        replace(one, verdict=entry.verdict, evidence=entry.evidence)
        if (entry := entries.get(one.claim_id))
        else one
        for one in assessments
    )


def _by_claim(found: Sequence[Contrary]) -> dict[str, list[Contrary]]:
    by_claim: dict[str, list[Contrary]] = {}
    for contrary in found:
        by_claim.setdefault(contrary.claim_id, []).append(contrary)
    return by_claim


def _linked(links: Sequence[ClaimLink]) -> dict[str, list[str]]:
    linked: dict[str, list[str]] = {}
    for link in links:
        linked.setdefault(link.claim_id, []).append(f"{link.other_id}: {link.reason}")
        linked.setdefault(link.other_id, []).append(f"{link.claim_id}: {link.reason}")
    return linked
