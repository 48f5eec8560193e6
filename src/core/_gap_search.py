"""Deepening: searches for the gaps in the evidence of an iteration, and reads of the hits."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from ..base.errors import SnapshotError
from ..base.vocabulary import Finding, SourceState
from ..claims.document_day import day_written
from ..sources.model import Source
from ..verification.elsewhere import OtherSources
from ..verification.model import GateResult, Ledger
from ..verification.repair.planning import Repair, RepairKind, apply_repair, plan_repairs
from ._source_pool import SourcePool, best_first
from .artefacts import ArtefactFile, artefact_file
from .evidence_parts import EvidenceParts
from .gaps import DeepeningPlan, GapAnalysis, analyse_gaps
from .iteration import deepening_step
from .work import (
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
    findings. `artefacts` go to the run's `iterations/` folder.
    """

    guidance: Guidance | None = None
    materials: tuple[Material, ...] = ()
    repairs: tuple[Repair, ...] = ()
    artefacts: tuple[ArtefactFile, ...] = ()

    def over(self, findings: Sequence[Finding]) -> tuple[Finding, ...]:
        """`findings`, asking for what the repairs say."""
        by_id = {repair.finding_id: repair for repair in self.repairs}
        return tuple(apply_repair(finding, by_id.get(finding.id)) for finding in findings)


@dataclass(frozen=True, slots=True)
class GapSearch:
    """Analyses the gaps of a run's iterations, and searches for sources that close them."""

    parts: EvidenceParts
    pool: SourcePool
    _planned: set[int] = field(init=False, default_factory=set[int])

    def analyse(self, evidence: IterationEvidence, ledger: Ledger, gate: GateResult) -> GapAnalysis:
        """Analyse the gaps of the ledger's iteration; to be called once for each, in order."""
        analysis = analyse_gaps(
            ledger,
            evidence.claims,
            gate,
            self.parts.registry,
            topic=evidence.document.title,
            carried=sum(earlier < ledger.iteration for earlier in self._planned),
            last=self.parts.iterations is not None and ledger.iteration >= self.parts.iterations,
        )
        if analysis.plan is not None:
            self._planned.add(ledger.iteration)
        return analysis

    async def deepen(
        self, evidence: IterationEvidence, gaps: GapAnalysis, services: RunServices
    ) -> Deepening:
        """Search for the plan of `gaps`, and repair findings of `evidence` by what is found.

        Raises:
            StorageError: An answer or a snapshot could not be written.
            SnapshotError: A stored answer or snapshot is missing or was changed.
        """
        plan, ask, found = gaps.plan, None, None
        if plan is not None:
            if self.parts.reader.searching is not None:
                ask = partial(self._search, plan)
            found = await self.parts.ask(services, deepening_step(plan), GapSearchRecord, ask)
        if found is None:
            return Deepening(Guidance(gaps.critique))
        self.pool.count_fetches(found.fetches)
        read = self.pool.keep_readable(found.sources)
        fit = self.pool.fit(read, evidence.document).sources
        new = {source.url for source in fit} - evidence.sources.sources.keys()
        repairs = await asyncio.to_thread(self._repairs, evidence, fit)
        return Deepening(
            Guidance(gaps.critique, found.answers),
            tuple(self._material(source) for source in fit if source.url in new),
            tuple(one for one in repairs if one.kind is RepairKind.CITE and one.source in new),
            (artefact_file(f"deepening_iteration_{found.iteration}.json", found),),
        )

    async def _search(self, plan: DeepeningPlan) -> GapSearchRecord:
        """The answers to the queries of `plan`, and the hits that no recovery has tried, read."""
        answers = await self.pool.search([query.query for query in plan.queries])
        most = self.parts.registry.deepening.recovered_sources
        untried = [url for url in best_first(answers) if self.pool.is_untried(url)]
        sources, fetches = await self.pool.fetch(untried[:most])
        tried = tuple(one for one in sources if one.state is not SourceState.NOT_FETCHED)
        told = (
            QueryAnswer(query, answer.query, hits=answer.hits, problem=answer.problem)
            for query, answer in zip(plan.queries, answers, strict=True)
        )
        return GapSearchRecord(plan.iteration, tuple(told), tried, fetches)

    def _repairs(self, evidence: IterationEvidence, found: Sequence[Source]) -> tuple[Repair, ...]:
        """The repairs of findings of `evidence` with the sources `found`."""
        sources = [*evidence.sources.sources.values(), *found]
        index = self.parts.reader.index(sources, self.parts.registry.lexicon)
        made = [evidence.assessments[claim.id] for claim in evidence.claims]
        document, registry = evidence.document, self.parts.registry
        others = OtherSources(index, registry, language=document.language)
        written = day_written(document, registry.lexicon)
        return plan_repairs(document, evidence.claims, made, others, written=written)

    def _material(self, source: Source) -> Material:
        snapshot = source.snapshot
        if snapshot is None:
            raise SnapshotError(f"{source.url} was read and has no snapshot")
        text = self.parts.reader.store.text(snapshot.sha256)
        return Material(source.url, snapshot.title or source.url, snapshot.sha256, text)
