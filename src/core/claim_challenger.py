"""The challenges of a run: questions to a model, searches, and their effect on the ledger."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from ..base.files import to_json
from ..base.vocabulary import Finding, IssueType, Severity, Verdict, finding_id
from ..sources.model import Source
from ..sources.search.searching import Searching, interleaved
from ..verification.challenge.challenge import Challenged, Plan, challenge_ledger, plan_challenges
from ..verification.challenge.evidence import ChallengeCase
from ..verification.challenge.model import (
    NOTHING_TOLD,
    Answer,
    ChallengeRecord,
    ClaimChallenge,
    Probe,
    Told,
)
from ..verification.model import ClaimAssessment, Ledger
from ..verification.passages.retrieval import SourceIndex
from ..verification.queries import is_internal
from ..verification.registry import Registry
from .artefacts import ArtefactFile
from .inquiry import Answerer, inquire
from .iteration import CHALLENGE_RECORD, RecordedRun
from .record_folder import ask_or_recall
from .source_tools import SourceReader, cut_query
from .tasks import Error, digest
from .work import IterationEvidence, RunServices

AnswererMaker: TypeAlias = Callable[[int, RunServices], Answerer]
"""Makes the answerer of an iteration."""


class SourceSearch:
    """`verification`'s `SearchProvider` over the run's searches: hits are fetched and stored.

    At most `limit` pages are fetched in all.
    """

    def __init__(self, reader: SourceReader, searching: Searching, limit: int) -> None:
        self._reader = reader
        self._searching = searching
        self._left = limit

    @property
    def name(self) -> str:
        """The provider's name."""
        return self._searching.provider.name

    @property
    def local(self) -> bool:
        """Whether queries stay on this machine."""
        return self._searching.provider.local

    async def search(self, query: str) -> tuple[Source, ...]:
        """The readable ones of the hits for `query`, as far as they are stored or may be fetched.

        Raises:
            SourceError: There is no answer, or a kept one is damaged.
            StorageError: An answer or a snapshot could not be kept.
        """
        asked = cut_query(query, self._searching.query_characters)
        answer = await self._searching.search(asked)
        urls = interleaved([answer])
        known = {url: source for url in urls if (source := self._reader.stored(url)) is not None}
        missing = [url for url in urls if url not in known][: self._left]
        # Taken before anything is awaited: searches run side by side.
        self._left -= len(missing)
        fetched = await self._reader.fetcher.fetch_all(missing, limit=len(missing))
        known |= {source.url: source for source in fetched if source.state.readable}
        return tuple(known[url] for url in urls if url in known)


class ClaimChallenger:
    """Challenges the claims of a run's iterations.

    `answerer` makes the model's answerer; None leaves all questions to code. `recorded` is a run on
    record, whose answers take the place of those that nobody can give now.
    """

    def __init__(
        self,
        reader: SourceReader,
        registry: Registry,
        *,
        answerer: AnswererMaker | None = None,
        recorded: RecordedRun | None = None,
    ) -> None:
        self._reader = reader
        self._registry = registry
        self._answerer = answerer
        self._recorded = recorded
        self._index: SourceIndex | None = None
        self._asked: set[str] = set()
        self._answers: dict[tuple[str, str], tuple[Answer, ...]] = {}

    @property
    def can_ask(self) -> bool:
        """Whether a model, a provider or a record can answer."""
        anybody = self._answerer or self._reader.searching or self._recorded
        return bool(self._registry.challenge.steps) and anybody is not None

    def case(
        self, evidence: IterationEvidence, ledger: Ledger, final: Sequence[ClaimAssessment]
    ) -> ChallengeCase:
        """An iteration's ledger, made from the assessments `final`, ready to be challenged."""
        if self._index is None or self._index.sources is not evidence.sources:
            self._index = SourceIndex(evidence.sources, self._registry.lexicon)
        return ChallengeCase(
            ledger,
            evidence.claims,
            self._index,
            frozenset(one.claim_id for one in final if one.decided),
            language=evidence.document.language,
            topic=evidence.document.title,
            asked=frozenset(self._asked),
        )

    async def inquire(self, case: ChallengeCase, services: RunServices, *, limit: int) -> Told:
        """Ask a model and a search provider; `limit` bounds fetches. Both replies are journalled.

        Raises:
            StorageError: An answer or a snapshot could not be kept.
        """
        plan = plan_challenges(case, self._registry)
        answers = await self._answered(case, plan, services)
        return answers + await self._found(case, plan, services, limit)

    async def _answered(self, case: ChallengeCase, plan: Plan, services: RunServices) -> Told:
        """The answers to the questions, and those that earlier iterations got to the same ones."""
        probes = [probe for id_ in sorted(plan.probes) for probe in plan.probes[id_]]
        known = [one for probe in probes for one in self._answers.get(_key(probe), ())]
        new = [probe for probe in probes if _key(probe) not in self._answers]
        number, answerer = case.ledger.iteration, None
        if self._answerer is not None:
            answerer = self._answerer(number, services)

        async def ask() -> Told | Error:
            policy = self._registry.challenge
            return await inquire(new, {}, case.sources, policy, answerer=answerer)

        key = digest([part for probe in new for part in _key(probe)])
        step = f"{number}/answers", key
        replies = await self._journalled(
            step, services, ask, anybody=answerer is not None and bool(new)
        )
        for probe in new:
            own = tuple(one for one in replies.answers if one.question_id == probe.question.id)
            if own:
                self._answers[_key(probe)] = own
        return Told(answers=tuple(known)) + replies

    async def _found(
        self, case: ChallengeCase, plan: Plan, services: RunServices, limit: int
    ) -> Told:
        """Search for evidence against the claims that may be sent out."""
        searching, policy = self._reader.searching, self._registry.challenge
        provider = None
        queries: Mapping[str, Sequence[str]] = plan.queries
        if searching is not None:
            provider = SourceSearch(self._reader, searching, min(policy.fetches, limit))
            if not provider.local:
                own = {claim.id for claim in case.claims if is_internal(claim)}
                queries = {id_: asked for id_, asked in queries.items() if id_ not in own}

        async def search() -> Told | Error:
            before = self._reader.fetcher.fetches
            replies = await inquire([], queries, case.sources, policy, provider=provider)
            return replies + Told(fetches=self._reader.fetcher.fetches - before)

        flat = [part for id_ in sorted(plan.queries) for part in (id_, *plan.queries[id_])]
        step = f"{case.ledger.iteration}/counter_evidence", digest(flat)
        return await self._journalled(
            step, services, search, anybody=provider is not None and bool(flat)
        )

    async def _journalled(
        self,
        step: tuple[str, str],
        services: RunServices,
        ask: Callable[[], Awaitable[Told | Error]],
        *,
        anybody: bool,
    ) -> Told:
        """The journalled reply of `ask`, or that of the record if there is nobody to ask."""
        known = None
        if self._recorded is not None and not anybody:
            known = self._recorded.replies(*step)
        asking = ask if anybody else None
        replies = await ask_or_recall(services.steps, step, Told, asking, known)
        return NOTHING_TOLD if replies is None else replies

    def challenge(self, case: ChallengeCase, replies: Told) -> Challenged:
        """The ledger after the challenges, with their record.

        Raises:
            SnapshotError: A source that was found has no snapshot.
        """
        found = None
        if replies.sources:
            every = {**case.sources.sources.sources, **{s.url: s for s in replies.sources}}
            texts = self._reader.store.source_set(every.values())
            found = SourceIndex(texts, self._registry.lexicon)
        challenged = challenge_ledger(case, self._registry, told=replies, found=found)
        self._asked.update(
            one.claim_id for one in challenged.record.claims if one.questions or one.searches
        )
        return challenged

    def findings(
        self, ledger: Ledger, record: ChallengeRecord, *, decided: Collection[str]
    ) -> tuple[Finding, ...]:
        """The findings of the challenges of `ledger`, but for claims that people `decided`."""
        trials = (trial for trial in record.claims if trial.claim_id not in decided)
        return tuple(lowered_findings(ledger, trials, self._registry.challenge.severity))

    def artefacts(self, record: ChallengeRecord) -> tuple[ArtefactFile, ...]:
        """The record as a file; none where everything is switched off."""
        if not self._registry.challenge.steps:
            return ()
        return (ArtefactFile(CHALLENGE_RECORD, to_json(ChallengeRecord, record) + "\n"),)


def _key(probe: Probe) -> tuple[str, str]:
    return probe.question.id, probe.question.text


_OTHERWISE = "a source at hand says otherwise"
_NOWHERE = "no source was found to say this"
_TELL = "say that the sources differ and which of them is followed, or correct the claim"
_SHOW = "quote the passage that states it, or say less"


def lowered_findings(
    ledger: Ledger, challenges: Iterable[ClaimChallenge], severity: Severity
) -> Iterator[Finding]:
    """Findings on the claims of `ledger` that their challenge lowered.

    Each finding recommends a change and leaves the claim to its author or a person. A challenge
    gives a reason to doubt; it proves nothing.
    """
    entries = {entry.claim_id: entry for entry in ledger.entries}
    for trial in challenges:
        if trial.after is trial.before:
            continue
        entry = entries[trial.claim_id]
        disputed = trial.after is Verdict.DISPUTED
        yield Finding(
            id=finding_id(IssueType.MISSING_CONTEXT, entry.claim_id),
            severity=severity,
            type=IssueType.MISSING_CONTEXT,
            claim=entry.text,
            problem=_OTHERWISE if disputed else _NOWHERE,
            origin="challenge",
            location=entry.location,
            evidence=trial.reason,
            recommendation=_TELL if disputed else _SHOW,
            claim_id=entry.claim_id,
        )
