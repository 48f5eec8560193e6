"""Deepening: searches for the gaps in the evidence of an iteration, and reads of the hits."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import partial

from ..base.errors import SnapshotError
from ..base.files import to_json
from ..base.vocabulary import Finding, SourceState
from ..sources.model import Source
from ..sources.search.model import SearchAnswer, SearchUnavailable
from ..sources.search.searching import Searching, interleaved
from ..verification.model import GateResult, Ledger
from ..verification.passages.retrieval import SourceIndex
from ..verification.registry import Registry
from ..verification.repair.planning import Repair, RepairKind, apply_repair, plan_repairs
from .artefacts import ArtefactFile
from .gaps import (
    EVIDENCE_CRITIQUE_FILE,
    GAPS_FILE,
    QUERIES_FILE,
    DeepeningPlan,
    GapAnalysis,
    GapReport,
    analyse_gaps,
)
from .iteration import RecordedRun, deepening_step
from .record_folder import ask_or_recall
from .source_pool import SourcePool
from .source_tools import SourceReader, cut_query
from .tasks import Error
from .work import (
    DeepeningQuery,
    EvidenceCritique,
    GapSearchRecord,
    Guidance,
    IterationEvidence,
    Material,
    QueryAnswer,
    RunServices,
)


@dataclass(frozen=True, slots=True)
class Deepening:
    """Input of the analyst for the next draft beside the findings.

    `materials` are what code read of what it found. `repairs` are citations of these that settle
    findings. `artefacts` go to the run's `iterations/` folder. `fetches` went over the network.
    """

    guidance: Guidance | None = None
    materials: tuple[Material, ...] = ()
    repairs: tuple[Repair, ...] = ()
    artefacts: tuple[ArtefactFile, ...] = ()
    fetches: int = 0

    def over(self, findings: Sequence[Finding]) -> tuple[Finding, ...]:
        """`findings`, asking for what the repairs say."""
        by_id = {repair.finding_id: repair for repair in self.repairs}
        return tuple(apply_repair(finding, by_id.get(finding.id)) for finding in findings)


@dataclass(frozen=True, slots=True)
class GapSearch:
    """Analyses the gaps of a run's iterations, and searches for sources that close them.

    `recorded` is a run on record, which answers in place of a search provider. `iterations` is how
    many the run has at most, None if that is not known.
    """

    reader: SourceReader
    registry: Registry
    found: SourcePool
    _: KW_ONLY
    recorded: RecordedRun | None = None
    iterations: int | None = None
    _planned: set[int] = field(init=False, default_factory=set[int])

    def analyse(self, evidence: IterationEvidence, ledger: Ledger, gate: GateResult) -> GapAnalysis:
        """Analyse the gaps of the ledger's iteration; to be called once for each, in order."""
        analysis = analyse_gaps(
            ledger,
            evidence.claims,
            gate,
            self.registry,
            topic=evidence.document.title,
            carried=sum(earlier < ledger.iteration for earlier in self._planned),
            last=self.iterations is not None and ledger.iteration >= self.iterations,
        )
        if analysis.plan is not None:
            self._planned.add(ledger.iteration)
        return analysis

    async def deepen(
        self, evidence: IterationEvidence, gaps: GapAnalysis, services: RunServices, *, limit: int
    ) -> Deepening:
        """Search for the plan of `gaps`, and repair findings of `evidence` by what is found.

        At most `limit` hits are fetched over the network.

        Raises:
            StorageError: An answer or a snapshot could not be written.
            SnapshotError: A stored answer or snapshot is missing or was changed.
        """
        plan = gaps.plan
        found = await self._find(plan, services, limit) if plan is not None else None
        if found is None:
            return Deepening(Guidance(gaps.critique))
        read = self.found.keep_readable(found.sources)
        fit = self.found.fit(read, evidence.document).sources
        new = {source.url for source in fit} - evidence.sources.sources.keys()
        repairs = await asyncio.to_thread(self._repairs, evidence, fit)
        text = to_json(GapSearchRecord, found) + "\n"
        return Deepening(
            Guidance(gaps.critique, found.answers),
            tuple(self._material(source) for source in fit if source.url in new),
            tuple(one for one in repairs if one.kind is RepairKind.CITE and one.source in new),
            (ArtefactFile(f"deepening_iteration_{found.iteration}.json", text),),
            found.fetches,
        )

    async def _find(
        self, plan: DeepeningPlan, services: RunServices, limit: int
    ) -> GapSearchRecord | None:
        """The journalled results for `plan`; None if there is nobody to ask."""
        searching, known, search = self.reader.searching, None, None
        if self.recorded is not None:
            known = self.recorded.gap_search(plan)
        elif searching is not None:
            search = partial(self._search, plan, searching, limit)
        step = deepening_step(plan)
        return await ask_or_recall(services.steps, step, GapSearchRecord, search, known)

    async def _search(
        self, plan: DeepeningPlan, searching: Searching, limit: int
    ) -> GapSearchRecord | Error:
        """The answers to the queries of `plan`, with hits that no recovery has tried read in turns.

        The best hit of each query comes first, then the second.
        """
        answers = [await _answer(query, searching) for query in plan.queries]
        found = interleaved(SearchAnswer(answer.hits) for answer in answers)
        most = self.registry.deepening.recovered_sources
        chosen = [url for url in found if self.found.is_untried(url)][:most]
        fetcher = self.reader.fetcher
        before = fetcher.fetches
        sources = await fetcher.fetch_all(chosen, limit=limit)
        tried = tuple(one for one in sources if one.state is not SourceState.NOT_FETCHED)
        return GapSearchRecord(plan.iteration, tuple(answers), tried, fetcher.fetches - before)

    def _repairs(self, evidence: IterationEvidence, found: Sequence[Source]) -> tuple[Repair, ...]:
        """The repairs of findings of `evidence` with the sources `found`."""
        sources = self.reader.store.source_set([*evidence.sources.sources.values(), *found])
        index = SourceIndex(sources, self.registry.lexicon)
        made = [evidence.assessments[claim.id] for claim in evidence.claims]
        return plan_repairs(evidence.document, evidence.claims, made, index, self.registry)

    def _material(self, source: Source) -> Material:
        snapshot = source.snapshot
        if snapshot is None:
            raise SnapshotError(f"{source.url} was read and has no snapshot")
        text = self.reader.store.text(snapshot.sha256)
        return Material(source.url, snapshot.title or source.url, snapshot.sha256, text)


async def _answer(query: DeepeningQuery, searching: Searching) -> QueryAnswer:
    asked = cut_query(query.query, searching.query_characters)
    try:
        answer = await searching.search(asked)
    except SearchUnavailable as error:
        return QueryAnswer(query, asked, problem=str(error))
    return QueryAnswer(query, asked, hits=answer.hits)


def gap_files(analysis: GapAnalysis) -> tuple[ArtefactFile, ...]:
    """The artefacts of an iteration's gap analysis; queries only where they are carried on."""
    files = [
        ArtefactFile(GAPS_FILE, to_json(GapReport, analysis.report) + "\n"),
        ArtefactFile(EVIDENCE_CRITIQUE_FILE, to_json(EvidenceCritique, analysis.critique) + "\n"),
    ]
    if analysis.plan is not None:
        files.append(ArtefactFile(QUERIES_FILE, to_json(DeepeningPlan, analysis.plan) + "\n"))
    return tuple(files)
