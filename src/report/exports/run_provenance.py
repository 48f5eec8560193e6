"""The provenance of a run: which draft came of what, who examined it by what, and who decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from ...base.records import from_json
from ...core.agent_calls import DRAFTER, JUDGE
from ...core.decisions import decisions_in
from ...core.evidence_records import GATE_FILE, LEDGER_FILE, UNREVIEWED_FILE, claims_name
from ...core.outcome import outcome_name
from ...core.record_folder import damaged
from ...core.settlement import SETTLEMENT_FILE
from ...core.work import Material
from ...sources.model import Source
from ...sources.scoring.gaps import gap_decisions
from ...sources.scoring.overrides import overrides_in
from ..html.run_files import RunFiles
from .model import Json
from .provenance import Facts, RecordGraph, StepKind

_Decision: TypeAlias = tuple[datetime, str, bool]
"""Time and node of a person's decision, and whether it concerns a claim."""


def run_provenance(files: RunFiles) -> Json:
    """The provenance of the run in `files` as PROV-JSON.

    Raises:
        RunDirectoryError: A file of it is damaged.
        SnapshotError: What is known of a source is damaged.
        StorageError: A file cannot be read.
    """
    return _RunGraph(files).build()


class _RunGraph(RecordGraph):
    """The graph of one run, put together from its beginning to its end."""

    def __init__(self, files: RunFiles) -> None:
        events = tuple(files.events())
        super().__init__(files.path, files.manifest, events)
        self._files = files
        concluded = (one for one in events if one.event == "iteration_ended")
        self._ended = {one.iteration: one.at for one in concluded}

    def build(self) -> Json:
        """The whole graph."""
        run = self._begin()
        given = tuple(self._given())
        self.use(run, given)
        snapshots = self.sources(self._read_sources())
        drafts = self._drafts(given)
        decisions = tuple(self._decisions())
        concluded: str | None = None
        for number, draft in drafts.items():
            concluded = self._iteration(number, draft, snapshots, decisions, after=concluded)
        self._end(drafts, concluded)
        return self.json()

    def _begin(self) -> str:
        manifest = self._files.manifest
        facts: Facts = {
            "id": manifest.id,
            "mode": manifest.mode.value,
            "status": manifest.status.value if manifest.status else "",
            "reason": manifest.reason,
            "asOf": manifest.as_of.isoformat(),
            "approvalBasis": manifest.approval_basis.value if manifest.approval_basis else "",
            "bestIteration": manifest.best_iteration,
        }
        started, ended = manifest.started, manifest.ended
        return self.activity(
            "run", "Run", manifest.title, facts, started=started, ended=ended, by=self.program
        )

    def _given(self) -> Iterator[str]:
        """Yield the inputs that a person gave."""
        for name, kind in (("brief.md", "Brief"), ("draft.md", "GivenDraft")):
            if (found := self.file(name, kind)) is not None:
                yield found
        path = self.folder / "materials.json"
        if not path.exists():
            return
        with damaged(path, "run"):
            materials = from_json(tuple[Material, ...], path.read_bytes())
        for number, one in enumerate(materials, start=1):
            facts: Facts = {"url": one.url, "sha256": one.sha256}
            yield self.entity(f"material.{number}", "Material", one.title or one.url, facts)

    def _read_sources(self) -> Iterable[Source]:
        """Return the sources that were read; without an index, those that the drafts cite."""
        known = {source.url: source for source in self._files.read_sources()}
        for number in self._files.drafts:
            known |= self._files.cited(number)
        return known.values()

    def _drafts(self, given: tuple[str, ...]) -> Mapping[int, str]:
        """The chain of drafts, each a revision of the one before."""
        drafts: dict[int, str] = {}
        before = next((thing for thing in given if thing.endswith("draft.md")), None)
        for number in self._files.drafts:
            by = self.last_step(StepKind.DRAFTING, DRAFTER, number)
            name = f"iterations/analysis_iteration_{number}.md"
            draft = self.file(name, "Draft", {"iteration": number}, by=by)
            if draft is None:
                continue
            if by is not None:
                self.use(by, [*given, before])
            if before is not None:
                self.relate("wasDerivedFrom", draft, before, how="Revision")
            drafts[number] = before = draft
        return drafts

    def _iteration(
        self,
        number: int,
        draft: str,
        snapshots: Mapping[str, str],
        decisions: Iterable[_Decision],
        *,
        after: str | None,
    ) -> str:
        """Add the activities on the draft of an iteration; returns its conclusion."""
        facts: Facts = {"iteration": number}
        conclusion = self._concluding(number, "conclusion", f"conclusion of iteration {number}")
        drafting = self.last_step(StepKind.DRAFTING, DRAFTER, number)
        if drafting is not None and after is not None:
            self.relate("wasInformedBy", drafting, after)
        gathering = self.last_step(StepKind.GATHERING, iteration=number)
        if gathering is not None:
            cited = [snapshots.get(url) for url in self._files.cited(number)]
            self.use(gathering, [draft, *cited])
        name = f"iterations/{claims_name(number)}"
        claims = self.file(name, "ClaimList", facts, by=gathering)
        for _, examining in self.steps(StepKind.EXAMINING, iteration=number):
            self.use(examining, [draft, claims])
            self.relate("wasInformedBy", conclusion, examining)
        self.use(conclusion, [draft, claims])
        self._concluded(number, conclusion, decisions)
        return conclusion

    def _concluding(self, number: int, kind: str, label: str) -> str:
        """Declare an activity of code at the end of an iteration."""
        ended, facts = self._ended.get(number), {"iteration": number}
        name = f"{kind}.{number}"
        return self.activity(name, kind.capitalize(), label, facts, ended=ended, by=self.program)

    def _concluded(self, number: int, conclusion: str, decisions: Iterable[_Decision]) -> None:
        name = f"iterations/{outcome_name(number)}"
        self.file(name, "Outcome", {"iteration": number}, by=conclusion)
        ended = self._ended.get(number)
        known = [one for one in decisions if ended is not None and one[0] <= ended]
        self.use(conclusion, [made for _, made, of_claim in known if not of_claim])
        self._ledgers(number, conclusion, [made for _, made, of_claim in known if of_claim])
        self._gate(number, conclusion)

    def _ledgers(self, number: int, conclusion: str, decided: Iterable[str]) -> None:
        """The ledger; where people decided on claims, the one that it was before."""
        ledger, before = self._ledger(number), self._ledger(number, UNREVIEWED_FILE)
        if ledger is None:
            return
        self.relate("wasGeneratedBy", before or ledger, conclusion)
        if before is not None:
            label = f"decisions laid over the ledger of iteration {number}"
            laid = self._concluding(number, "overruling", label)
            self.relate("wasInformedBy", laid, conclusion)
            self.use(laid, [before, *decided])
            self.relate("wasGeneratedBy", ledger, laid)
            self.relate("wasDerivedFrom", ledger, before, how="Revision")

    def _gate(self, number: int, conclusion: str) -> None:
        result = self._files.gate(number)
        if result is None:
            return
        gate = self._concluding(number, "gate", f"evidence gate of iteration {number}")
        self.relate("wasInformedBy", gate, conclusion)
        self.use(gate, [self._ledger(number)])
        facts: Facts = {
            "iteration": number,
            "decision": result.decision.value,
            "rule": result.rule,
            "reason": result.reason,
        }
        name = self._name(self._files.verify_folder(number) / GATE_FILE)
        self.file(name, "GateResult", facts, by=gate)

    def _decisions(self) -> Iterator[_Decision]:
        """Yield people's decisions, of each kind in the order of time."""
        for number, one in enumerate(decisions_in(self.folder).all(), start=1):
            facts: Facts = {
                "choice": one.choice.value,
                "subject": one.subject,
                "why": one.why,
                "iteration": one.iteration,
            }
            made, decision = self.decision(number, "Decision", one.by, one.at, facts)
            # What they were shown is the ledger as it was before they decided.
            shown = self._ledger(one.iteration, UNREVIEWED_FILE) or self._ledger(one.iteration)
            self.use(made, [shown])
            yield one.at, decision, True
        for number, one in enumerate(overrides_in(self.folder).all(), start=1):
            tier = one.tier.name if one.tier is not None else "rejected"
            facts = {"choice": tier, "url": one.url, "why": one.why}
            yield one.at, self.decision(number, "Override", one.by, one.at, facts)[1], False
        for number, one in enumerate(gap_decisions(self.folder).all(), start=1):
            facts = {"choice": one.choice.value, "gap": one.gap.value, "why": one.why}
            yield one.at, self.decision(number, "GapDecision", one.by, one.at, facts)[1], False

    def _ledger(self, number: int, file: str = LEDGER_FILE) -> str | None:
        name = self._name(self._files.verify_folder(number) / file)
        return self.file(name, "ClaimLedger", {"iteration": number})

    def _name(self, path: Path) -> str:
        return path.relative_to(self.folder).as_posix()

    def _end(self, drafts: Mapping[int, str], concluded: str | None) -> None:
        """Settlement and judgement."""
        best = drafts.get(self._files.manifest.best_iteration or 0)
        settling, judging = self.last_step(StepKind.SETTLING), self.last_step(StepKind.JUDGING)
        self.file(f"verify/{SETTLEMENT_FILE}", "Settlement", by=settling)
        self.file("judgement.json", "Judgement", by=judging)
        for _, last in (*self.steps(StepKind.SETTLING), *self.steps(StepKind.JUDGING, JUDGE)):
            self.use(last, [best])
            if concluded is not None:
                self.relate("wasInformedBy", last, concluded)
