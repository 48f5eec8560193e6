"""The provenance of a run: which draft came of what, who examined it by what, and who decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import MappingProxyType

from ...base.records import from_json
from ...core.asking import DRAFTER, JUDGE
from ...core.decisions import decisions_in
from ...core.evidence import GATE_FILE, LEDGER_FILE, UNREVIEWED_FILE, claims_name
from ...core.outcome import outcome_name
from ...core.record_folder import RunEvent, damaged
from ...core.settlement import SETTLEMENT_FILE
from ...core.work import Material
from ...sources.model import Source
from ...sources.scoring.gaps import gap_decisions
from ...sources.scoring.overrides import overrides_in
from ..html.run_files import RunFiles
from .model import Json
from .provenance import Activity, Entity, Fact
from .record_graph import RecordGraph
from .recorded_activities import ActivityKind, recorded_activities

_EXAMINED_IN: Mapping[str, str] = MappingProxyType(
    {"reviewer_feedback": "reviewer", "fact_check": "fact_checker"}
)
"""The agents by the first words of what they leave in ``iterations/``."""
_REPORTS = ("summary.md", "report.html", "evidence_pack.zip")


@dataclass(frozen=True, slots=True)
class _Decision:
    """A person's decision and its time; `of_claim` is whether it concerns a claim."""

    at: datetime
    made: Entity
    of_claim: bool = False


def run_provenance(files: RunFiles) -> Json:
    """The provenance of the run in `files` as PROV-JSON.

    Raises:
        RunDirectoryError: A file of it is damaged.
        SnapshotError: What is known of a source is damaged.
        StorageError: A file cannot be read.
    """
    events = tuple(files.events())
    return _Run(files, events).build()


class _Run:
    """The graph of one run, put together from its beginning to its end."""

    def __init__(self, files: RunFiles, events: tuple[RunEvent, ...]) -> None:
        self._files = files
        self._events = events
        self._record = RecordGraph(files.path, files.manifest, recorded_activities(events))
        self._graph = self._record.graph

    def build(self) -> Json:
        """The whole graph."""
        self._run = self._begin()
        given = tuple(self._given())
        snapshots = self._record.sources(self._sources())
        drafts = self._drafts(given)
        decisions = tuple(self._decisions())
        concluded: Activity | None = None
        for number, draft in drafts.items():
            concluded = self._iteration(number, draft, snapshots, decisions, after=concluded)
        self._end(drafts, concluded)
        return self._graph.json()

    def _begin(self) -> Activity:
        manifest = self._files.manifest
        facts: dict[str, Fact] = {
            "id": manifest.id,
            "mode": manifest.mode.value,
            "status": manifest.status.value if manifest.status else "",
            "reason": manifest.reason,
            "asOf": manifest.as_of.isoformat(),
            "approvalBasis": manifest.approval_basis.value if manifest.approval_basis else "",
            "bestIteration": manifest.best_iteration,
        }
        run = self._graph.activity(
            "run", "Run", manifest.title, facts, started=manifest.started, ended=manifest.ended
        )
        self._graph.associated(run, self._record.program)
        return run

    def _given(self) -> Iterator[Entity]:
        """Yield the inputs that a person gave."""
        for name, kind in (("brief.md", "Brief"), ("draft.md", "GivenDraft")):
            if (found := self._record.file(name, kind)) is not None:
                yield found
        path = self._files.path / "materials.json"
        if not path.exists():
            return
        with damaged(path, "run"):
            materials = from_json(tuple[Material, ...], path.read_bytes())
        for number, one in enumerate(materials, start=1):
            facts: dict[str, Fact] = {"url": one.url, "sha256": one.sha256}
            yield self._graph.entity(f"material.{number}", "Material", one.title or one.url, facts)

    def _sources(self) -> tuple[Source, ...]:
        """Return the sources that were read; without an index, those that the drafts cite."""
        cited = {
            url: source
            for number in self._files.drafts
            for url, source in self._files.cited(number).items()
        }
        known = {source.url: source for source in self._files.read_sources()}
        return tuple({**known, **cited}.values())

    def _drafts(self, given: Iterable[Entity]) -> Mapping[int, Entity]:
        """The chain of drafts, each a revision of the one before."""
        drafts: dict[int, Entity] = {}
        before: Entity | None = None
        for thing in given:
            self._graph.used(self._run, thing)
            if thing.name.endswith("draft.md"):
                before = thing
        for number in self._files.drafts:
            by = self._record.last_activity(ActivityKind.DRAFTING, DRAFTER, number)
            name = f"iterations/analysis_iteration_{number}.md"
            draft = self._record.generated_file(name, "Draft", by, {"iteration": number})
            if draft is None:
                continue
            if by is not None:
                self._uses(by, [*given, before])
            if before is not None:
                self._graph.derived(draft, before, how="Revision")
            drafts[number] = before = draft
        return drafts

    def _iteration(
        self,
        number: int,
        draft: Entity,
        snapshots: Mapping[str, Entity],
        decisions: Iterable[_Decision],
        *,
        after: Activity | None,
    ) -> Activity:
        """Add the activities on the draft of an iteration; returns its conclusion."""
        conclusion = self._conclusion(number)
        drafting = self._record.last_activity(ActivityKind.DRAFTING, DRAFTER, number)
        if drafting is not None and after is not None:
            self._graph.informed(drafting, after)
        gathering = self._record.last_activity(ActivityKind.GATHERING, iteration=number)
        cited = [snapshots[url] for url in self._files.cited(number) if url in snapshots]
        if gathering is not None:
            self._uses(gathering, [draft, *cited])
        facts: dict[str, Fact] = {"iteration": number}
        claims = self._record.generated_file(
            f"iterations/{claims_name(number)}", "ClaimList", gathering, facts
        )
        for recorded, examining in self._record.activities(
            ActivityKind.EXAMINING, iteration=number
        ):
            self._uses(examining, [draft, claims])
            self._of_turns(examining, recorded.agent, number)
            self._graph.informed(conclusion, examining)
        for answer in self._answers(number):
            self._graph.used(conclusion, answer)
        self._uses(conclusion, [draft, claims])
        self._concluded(number, conclusion, decisions)
        return conclusion

    def _answers(self, number: int) -> Iterator[Entity]:
        """Yield the answers of the critics of an iteration."""
        ours = {claims_name(number), outcome_name(number)}
        folder = self._files.path / "iterations"
        for path in sorted(folder.glob(f"*_iteration_{number}.json")):
            if path.name in ours:
                continue
            agent = _EXAMINED_IN.get(path.name.removesuffix(f"_iteration_{number}.json"))
            by = (
                self._record.last_activity(ActivityKind.EXAMINING, agent, number) if agent else None
            )
            facts: dict[str, Fact] = {"iteration": number}
            found = self._record.generated_file(f"iterations/{path.name}", "Answer", by, facts)
            if found is not None:
                yield found

    def _conclusion(self, number: int) -> Activity:
        """Add the conclusion of an iteration: ledger, gate, findings."""
        conclusion = self._graph.activity(
            f"conclusion.{number}",
            "Conclusion",
            f"conclusion of iteration {number}",
            {"iteration": number},
            ended=self._ended(number),
        )
        self._graph.associated(conclusion, self._record.program)
        return conclusion

    def _ended(self, number: int) -> datetime | None:
        """When an iteration was last concluded."""
        at = None
        for event in self._events:
            if event.event == "iteration_ended" and event.iteration == number:
                at = event.at
        return at

    def _concluded(self, number: int, conclusion: Activity, decisions: Iterable[_Decision]) -> None:
        ended = self._ended(number)
        facts: dict[str, Fact] = {"iteration": number}
        outcome = f"iterations/{outcome_name(number)}"
        self._record.generated_file(outcome, "Outcome", conclusion, facts)
        apart = (SETTLEMENT_FILE, GATE_FILE, LEDGER_FILE, UNREVIEWED_FILE)
        for path in sorted(self._files.verify_folder(number).glob("*.json")):
            if path.name not in apart:
                self._record.generated_file(self._name(path), "Conclusions", conclusion, facts)
        known = [one for one in decisions if ended is not None and one.at <= ended]
        of_claims = [one.made for one in known if one.of_claim]
        self._uses(conclusion, [one.made for one in known if not one.of_claim])
        self._ledgers(number, conclusion, of_claims)
        self._gate(number, conclusion, ended)

    def _ledgers(self, number: int, conclusion: Activity, decided: Iterable[Entity]) -> None:
        """The ledger; where people decided on claims, the one that it was before."""
        ledger, before = self._ledger(number), self._ledger(number, UNREVIEWED_FILE)
        if ledger is None or before is None:
            if ledger is not None:
                self._graph.generated(conclusion, ledger)
            return
        self._graph.generated(conclusion, before)
        label = f"decisions laid over the ledger of iteration {number}"
        laid = self._graph.activity(
            f"overruling.{number}", "Overruling", label, {}, ended=self._ended(number)
        )
        self._graph.associated(laid, self._record.program)
        self._graph.informed(laid, conclusion)
        self._uses(laid, [before, *decided])
        self._graph.generated(laid, ledger)
        self._graph.derived(ledger, before, how="Revision")

    def _gate(self, number: int, conclusion: Activity, at: datetime | None) -> None:
        result = self._files.gate(number)
        if result is None:
            return
        label = f"evidence gate of iteration {number}"
        gate = self._graph.activity(f"gate.{number}", "Gate", label, {}, ended=at)
        self._graph.associated(gate, self._record.program)
        self._graph.informed(gate, conclusion)
        self._uses(gate, [self._ledger(number)])
        path = self._files.verify_folder(number) / GATE_FILE
        facts: dict[str, Fact] = {
            "iteration": number,
            "decision": result.decision.value,
            "rule": result.rule,
            "reason": result.reason,
        }
        self._record.generated_file(self._name(path), "GateResult", gate, facts)

    def _decisions(self) -> Iterator[_Decision]:
        """Yield people's decisions, of each kind in the order of time."""
        folder = self._files.path
        for number, one in enumerate(decisions_in(folder).all(), start=1):
            facts: dict[str, Fact] = {
                "choice": one.choice.value,
                "subject": one.subject,
                "why": one.why,
                "iteration": one.iteration,
            }
            made, decision = self._record.add_decision(number, "Decision", one.by, one.at, facts)
            # What they were shown is the ledger as it was before they decided.
            shown = self._ledger(one.iteration, UNREVIEWED_FILE) or self._ledger(one.iteration)
            self._uses(made, [shown])
            yield _Decision(one.at, decision, of_claim=True)
        for number, one in enumerate(overrides_in(folder).all(), start=1):
            tier = one.tier.name if one.tier is not None else "rejected"
            facts = {"choice": tier, "url": one.url, "why": one.why}
            _, decision = self._record.add_decision(number, "Override", one.by, one.at, facts)
            yield _Decision(one.at, decision)
        for number, one in enumerate(gap_decisions(folder).all(), start=1):
            facts = {"choice": one.choice.value, "gap": one.gap.value, "why": one.why}
            _, decision = self._record.add_decision(number, "GapDecision", one.by, one.at, facts)
            yield _Decision(one.at, decision)

    def _ledger(self, number: int, file: str = LEDGER_FILE) -> Entity | None:
        name = self._name(self._files.verify_folder(number) / file)
        return self._record.file(name, "ClaimLedger", {"iteration": number})

    def _name(self, path: Path) -> str:
        return path.relative_to(self._files.path).as_posix()

    def _end(self, drafts: Mapping[int, Entity], concluded: Activity | None) -> None:
        """Settlement, judgement and reports."""
        best = drafts.get(self._files.manifest.best_iteration or 0)
        settling = self._record.last_activity(ActivityKind.SETTLING)
        self._record.generated_file(f"verify/{SETTLEMENT_FILE}", "Settlement", settling)
        judging = self._record.last_activity(ActivityKind.JUDGING)
        self._record.generated_file("judgement.json", "Judgement", judging)
        for recorded, last in (
            *self._record.activities(ActivityKind.SETTLING),
            *self._record.activities(ActivityKind.JUDGING, JUDGE),
        ):
            self._uses(last, [best])
            if concluded is not None:
                self._graph.informed(last, concluded)
            if recorded.agent:
                self._of_turns(last, recorded.agent, recorded.iteration)
        reporting = self._graph.activity(
            "reporting", "Reporting", "reports", {}, started=self._files.manifest.ended
        )
        self._graph.associated(reporting, self._record.program)
        self._graph.informed(reporting, self._run)
        self._uses(reporting, [best])
        for name in _REPORTS:
            self._record.generated_file(name, "Report", reporting)

    def _of_turns(self, activity: Activity, agent: str, number: int) -> None:
        """`activity` had its answers of its agent's turns."""
        for _, turn in self._record.activities(ActivityKind.TURN, agent, number):
            self._graph.informed(activity, turn)

    def _uses(self, activity: Activity, things: Iterable[Entity | None]) -> None:
        for thing in things:
            if thing is not None:
                self._graph.used(activity, thing)
