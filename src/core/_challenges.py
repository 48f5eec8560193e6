"""Challenges of an iteration's claims, before the gate: they can only lower a verdict.

A model answers questions without having seen the claims, and a provider searches for evidence
against them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from ..base.off_loop import run_in_parallel
from ..base.vocabulary import Finding, IssueType, Verdict, finding_id
from ..claims.lexicon import Lexicon
from ..sources.addresses import address_key
from ..verification.challenge.answers import shows
from ..verification.challenge.challenge import (
    ChallengeCase,
    Challenged,
    Plan,
    challenge_ledger,
    plan_challenges,
)
from ..verification.challenge.model import (
    Answer,
    ChallengeRecord,
    ChallengeReplies,
    Probe,
    Searched,
)
from ..verification.model import ClaimAssessment, Ledger
from ..verification.passages.retrieval import SourceIndex
from ..verification.queries import is_internal
from ._source_pool import SourcePool, WebAnswer, best_first
from .artefacts import ArtefactFile, artefact_file
from .evidence_parts import Answerer, AnswersUnavailable, EvidenceParts
from .iteration import CHALLENGE_RECORD
from .tasks import digest
from .work import IterationEvidence, RunServices

GROUP_SIZE = 10
"""Most questions that are put at once."""

_OTHERWISE = "a source at hand says otherwise"
_NOWHERE = "no source was found to say this"
_TELL = "say that the sources differ and which of them is followed, or correct the claim"
_SHOW = "quote the passage that states it, or say less"


@dataclass(frozen=True, slots=True)
class ClaimChallenger:
    """Challenges the claims of a run's iterations, in their order.

    A run on record answers in place of those that nobody can ask now.
    """

    parts: EvidenceParts
    pool: SourcePool
    _asked: set[str] = field(init=False, default_factory=set[str])
    _answers: dict[tuple[str, str], tuple[Answer, ...]] = field(
        init=False, default_factory=dict[tuple[str, str], tuple[Answer, ...]]
    )

    def case(
        self, evidence: IterationEvidence, ledger: Ledger, final: Sequence[ClaimAssessment]
    ) -> ChallengeCase:
        """An iteration's ledger, made from the assessments `final`, ready to be challenged."""
        return ChallengeCase(
            ledger,
            evidence.claims,
            SourceIndex(evidence.sources, self.parts.registry.lexicon),
            frozenset(one.claim_id for one in final if one.decided),
            language=evidence.document.language,
            topic=evidence.document.title,
            asked=frozenset(self._asked),
        )

    async def ask(self, case: ChallengeCase, services: RunServices) -> ChallengeReplies:
        """What a model and a search provider say to the challenges of `case`; journalled.

        Who gives no answer is on record; that changes nothing for a claim.

        Raises:
            FoureyesError: The run cannot go on, for example because the disk refuses.
        """
        anybody = self.parts.answerer or self.parts.reader.searching or self.parts.recorded
        if anybody is None or not self.parts.registry.challenge.steps:
            return ChallengeReplies()
        plan = plan_challenges(case, self.parts.registry)
        return await self._answered(case, plan, services) + await self._found(case, plan, services)

    async def _answered(
        self, case: ChallengeCase, plan: Plan, services: RunServices
    ) -> ChallengeReplies:
        """The answers to the questions, and those that earlier iterations got to the same ones."""
        probes = [probe for id_ in sorted(plan.probes) for probe in plan.probes[id_]]
        known = [one for probe in probes for one in self._answers.get(_key(probe), ())]
        new = [probe for probe in probes if _key(probe) not in self._answers]
        number, ask = case.ledger.iteration, None
        if self.parts.answerer is not None and new:
            answerer, policy = self.parts.answerer(number, services), self.parts.registry.challenge
            ask = partial(put_questions, new, case.sources, answerer, at_once=policy.parallel)
        step = f"{number}/answers", digest([part for probe in new for part in _key(probe)])
        told = await self.parts.ask(services, step, ChallengeReplies, ask) or ChallengeReplies()
        for probe in new:
            own = tuple(one for one in told.answers if one.question_id == probe.question.id)
            if own:
                self._answers[_key(probe)] = own
        return ChallengeReplies(answers=tuple(known)) + told

    async def _found(
        self, case: ChallengeCase, plan: Plan, services: RunServices
    ) -> ChallengeReplies:
        """What searches for evidence against the claims that may be sent out have found."""
        searching, ask = self.parts.reader.searching, None
        if searching is not None and plan.queries:
            own = {claim.id for claim in case.claims if is_internal(claim)}
            may_go = {id_ for id_ in plan.queries if searching.provider.local or id_ not in own}
            ask = partial(self._search_against, plan.queries, may_go, searching.provider.name)
        flat = [part for id_ in sorted(plan.queries) for part in (id_, *plan.queries[id_])]
        step = f"{case.ledger.iteration}/counter_evidence", digest(flat)
        told = await self.parts.ask(services, step, ChallengeReplies, ask) or ChallengeReplies()
        self.pool.count_fetches(told.fetches)
        return told

    async def _search_against(
        self, queries: Mapping[str, Sequence[str]], may_go: set[str], by: str
    ) -> ChallengeReplies:
        asked = [(id_, query) for id_ in sorted(may_go) for query in queries[id_]]
        answers = await self.pool.search([query for _, query in asked])
        most = self.parts.registry.challenge.fetches
        sources, fetches = await self.pool.fetch(best_first(answers), most)
        known = tuple(source for source in sources if source.state.readable)
        by_key = {address_key(source.url): source.url for source in known}
        searches = (
            Searched(id_, by, query, _read(answer, by_key), answer.problem)
            for (id_, query), answer in zip(asked, answers, strict=True)
        )
        return ChallengeReplies((), tuple(searches), known, fetches=fetches)

    def challenge(self, case: ChallengeCase, told: ChallengeReplies) -> Challenged:
        """The ledger after the challenges, with their record.

        Raises:
            SnapshotError: A source that was found has no snapshot.
        """
        found = None
        if told.sources:
            every = {**case.sources.sources.sources, **{s.url: s for s in told.sources}}
            found = self.parts.reader.index(every.values(), self.parts.registry.lexicon)
        challenged = challenge_ledger(case, self.parts.registry, told=told, found=found)
        self._asked.update(
            one.claim_id for one in challenged.record.claims if one.questions or one.searches
        )
        return challenged

    def findings(
        self, ledger: Ledger, record: ChallengeRecord, *, decided: Collection[str]
    ) -> Iterator[Finding]:
        """Findings on the claims of `ledger` that were lowered, but for those people `decided`.

        Each recommends a change and leaves the claim to its author or a person. A challenge gives a
        reason to doubt; it proves nothing.
        """
        entries = {entry.claim_id: entry for entry in ledger.entries}
        for trial in record.claims:
            if trial.after is trial.before or trial.claim_id in decided:
                continue
            entry = entries[trial.claim_id]
            disputed = trial.after is Verdict.DISPUTED
            yield Finding(
                id=finding_id(IssueType.MISSING_CONTEXT, entry.claim_id),
                severity=self.parts.registry.challenge.severity,
                type=IssueType.MISSING_CONTEXT,
                claim=entry.text,
                problem=_OTHERWISE if disputed else _NOWHERE,
                origin="challenge",
                location=entry.location,
                evidence=trial.reason,
                recommendation=_TELL if disputed else _SHOW,
                claim_id=entry.claim_id,
            )

    def artefacts(self, record: ChallengeRecord) -> tuple[ArtefactFile, ...]:
        """The record as a file; none where everything is switched off."""
        if not self.parts.registry.challenge.steps:
            return ()
        return (artefact_file(CHALLENGE_RECORD, record),)


def _read(answer: WebAnswer, known: Mapping[str, str]) -> tuple[str, ...]:
    """The addresses of hits that are `known`, by their keys."""
    urls = (known.get(address_key(hit.url)) for hit in answer.hits)
    return tuple(dict.fromkeys(url for url in urls if url is not None))


def _key(probe: Probe) -> tuple[str, str]:
    return probe.question.id, probe.question.text


async def put_questions(
    probes: Sequence[Probe], sources: SourceIndex, answerer: Answerer, *, at_once: int
) -> ChallengeReplies:
    """The answers to the questions of `probes`, in groups of which `at_once` are under way.

    No group holds two questions of one claim, or one that shows the answer to another.

    Raises:
        FoureyesError: The run cannot go on.
    """

    async def put(group: Sequence[Probe]) -> ChallengeReplies:
        try:
            return ChallengeReplies(
                await answerer.answer([probe.question for probe in group], sources)
            )
        except AnswersUnavailable as error:
            return ChallengeReplies(failures=(f"{answerer.name}: {error}",))

    groups = independent_groups(probes, sources.lexicon)
    told = await run_in_parallel([partial(put, group) for group in groups], at_once=at_once)
    failures = {failure for one in told for failure in one.failures}
    answers = (answer for one in told for answer in one.answers)
    return ChallengeReplies(tuple(answers), failures=tuple(sorted(failures)))


def independent_groups(probes: Sequence[Probe], lexicon: Lexicon) -> list[list[Probe]]:
    """`probes` in groups of at most `GROUP_SIZE`, in which no question helps with another."""
    groups: list[list[Probe]] = []
    for probe in probes:
        for group in groups:
            if len(group) < GROUP_SIZE and not any(_helps(probe, one, lexicon) for one in group):
                group.append(probe)
                break
        else:
            groups.append([probe])
    return groups


def _helps(one: Probe, other: Probe, lexicon: Lexicon) -> bool:
    return (
        one.claim_id == other.claim_id
        or shows(one.question.text, other.words, lexicon)
        or shows(other.question.text, one.words, lexicon)
    )
