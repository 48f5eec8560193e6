"""The provenance of a run: what came of what, who examined it, and who decided."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from ...base.files import from_json, storage_errors
from ...core.iteration import (
    GATE_FILE,
    LEDGER_FILE,
    UNREVIEWED_FILE,
    claims_name,
    decisions_in,
    outcome_name,
)
from ...core.record_folder import RunEvent, damaged
from ...core.settlement import SETTLEMENT_FILE
from ...core.tasks import Turn
from ...core.turn_log import read_turns
from ...core.work import Material
from ...sources.model import Snapshot
from ...sources.scoring.gaps import gap_decisions
from ...sources.scoring.overrides import overrides_in
from ..html.run_files import RunFiles
from .documents import ExportedRecord
from .model import Json, json_pieces
from .prov_graph import NO_FACTS, Facts, ProvGraph, local_name


def export(record: ExportedRecord) -> Iterator[str]:
    """Yield the provenance of the run `record` as PROV-JSON.

    Raises:
        RunDirectoryError: A file of it is damaged.
        SnapshotError: What is known of a source is damaged.
        StorageError: A file cannot be read.
    """
    return json_pieces(_RunGraph(RunFiles(record.folder)).build())


class StepKind(StrEnum):
    """Kind of a step that the events of a run or a review record."""

    DRAFTING = "drafting"
    GATHERING = "gathering_evidence"
    EXAMINING = "examining"
    JUDGING = "judging"
    SETTLING = "settling"


_EVENTS: Mapping[StepKind, tuple[str, ...]] = {
    StepKind.DRAFTING: ("drafting", "drafted", "draft_failed"),
    StepKind.GATHERING: ("gathering_evidence", "evidence_gathered"),
    StepKind.EXAMINING: ("examining", "examined", "critic_failed"),
    StepKind.JUDGING: ("judging", "judged", "judge_failed"),
    StepKind.SETTLING: ("settling", "settled"),
}
"""The event that begins a step of each kind, then those that end it."""
_KINDS = {name: kind for kind, names in _EVENTS.items() for name in names}


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an agent. `ended` is None if it was interrupted."""

    kind: StepKind
    agent: str
    iteration: int
    started: datetime
    ended: datetime | None = None
    outcome: str = ""


def recorded_steps(events: Iterable[RunEvent]) -> Iterator[Step]:
    """Yield the steps of `events`, in the order in which they first began.

    A step that was interrupted begins anew. A resumed run emits the events of finished steps
    again; those are ignored, because nothing was done.
    """
    found: dict[tuple[StepKind, str, int], Step] = {}
    for event in events:
        if (kind := _KINDS.get(event.event)) is None:
            continue
        key = (kind, event.agent, event.iteration)
        known = found.get(key)
        if known is not None and known.ended is not None:
            continue
        if event.event == _EVENTS[kind][0]:
            found[key] = Step(*key, event.at)
        elif known is not None:
            found[key] = replace(known, ended=event.at, outcome=event.detail)
    yield from found.values()


_Decision: TypeAlias = tuple[datetime, str, bool]
"""Time and node of a person's decision, and whether it concerns a claim."""


class _RunGraph(ProvGraph):
    """The graph of one run, put together from its beginning to its end.

    Raises:
        RunDirectoryError: A recorded turn is damaged.
    """

    def __init__(self, files: RunFiles) -> None:
        manifest, self._folder = files.manifest, files.path
        super().__init__(f"{manifest.id} {manifest.started.isoformat()}")
        self._files = files
        facts: Facts = {"version": manifest.foureyes}
        self._program = self.software("foureyes", f"foureyes {manifest.foureyes}", facts)
        self._turns = read_turns(files.path)
        events = tuple(files.events())
        self._tasks = {(one.agent, one.detail) for one in events if one.event == "turn_started"}
        self._steps = [(step, self._declare_step(step)) for step in recorded_steps(events)]
        concluded = (one for one in events if one.event == "iteration_ended")
        self._ended = {one.iteration: one.at for one in concluded}

    def build(self) -> Json:
        """The whole graph."""
        given = tuple(self._given())
        self.use(self._begin(), given)
        snapshots = self._sources()
        drafts = self._drafts(given)
        decisions = tuple(self._decisions())
        concluded: str | None = None
        for number, draft in drafts.items():
            concluded = self._iteration(number, draft, snapshots, decisions, after=concluded)
        self._end(drafts, concluded)
        return self.json()

    def _begin(self) -> str:
        """The whole run."""
        manifest = self._files.manifest
        facts: Facts = {
            "id": manifest.id,
            "status": manifest.status,
            "reason": manifest.reason,
            "asOf": manifest.as_of.isoformat(),
            "mode": manifest.mode.value,
            "approvalBasis": manifest.approval_basis,
            "bestIteration": manifest.best_iteration,
        }
        started, ended = manifest.started, manifest.ended
        return self.activity(
            "run", "Run", manifest.title, facts, started=started, ended=ended, by=self._program
        )

    def _of_kind(self, kind: StepKind, iteration: int | None = None) -> list[tuple[Step, str]]:
        """Return the steps of this kind with their activities."""
        return [
            (step, activity)
            for step, activity in self._steps
            if step.kind is kind and iteration in (None, step.iteration)
        ]

    def _last(self, kind: StepKind, iteration: int | None = None) -> str | None:
        """The activity of the last of these steps; None if there is none."""
        found = self._of_kind(kind, iteration)
        return found[-1][1] if found else None

    def _file(
        self, name: str, kind: str, facts: Facts = NO_FACTS, *, by: str | None = None
    ) -> str | None:
        """The file `name` of the folder, generated `by` an activity; None if it is not there.

        Raises:
            StorageError: It cannot be read.
        """
        path = self._folder / name
        if not path.is_file():
            return None
        with storage_errors(path, "read"), path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
        known: Facts = {"path": name, "sha256": digest, "bytes": size, **facts}
        found = self.entity(local_name("file", name), kind, name, known)
        if by is not None:
            self.relate("wasGeneratedBy", found, by)
        return found

    def _agent(self, name: str) -> str:
        """The agent `name`, which acts on the program's behalf."""
        tasks = sorted(task for agent, task in self._tasks if agent == name)
        turns = [turn for task in tasks for turn in self._turns.get(task, ())]
        models = (turn.outcome.model for turn in turns if isinstance(turn.outcome, Turn))
        facts: Facts = {
            "backend": ", ".join(dict.fromkeys(turn.backend for turn in turns)),
            "model": ", ".join(dict.fromkeys(model for model in models if model)),
            "independent": any(turn.independent for turn in turns) if turns else None,
        }
        agent = self.software(local_name("agent", name), name, facts)
        self.relate("actedOnBehalfOf", agent, self._program)
        return agent

    def _declare_step(self, step: Step) -> str:
        number = [str(step.iteration)] if step.iteration else []
        words = [step.agent] if step.agent else []
        facts: Facts = {
            "iteration": step.iteration or None,
            "outcome": step.outcome if step.ended else "broken off",
        }
        return self.activity(
            local_name(step.kind.value, *number, *words),
            "".join(word.capitalize() for word in step.kind.split("_")),
            " ".join((step.kind.value, *words)),
            facts,
            started=step.started,
            ended=step.ended,
            by=self._agent(step.agent) if step.agent else self._program,
        )

    def _given(self) -> Iterator[str]:
        """Yield the inputs that a person gave."""
        for name, kind in (("brief.md", "Brief"), ("draft.md", "GivenDraft")):
            if (found := self._file(name, kind)) is not None:
                yield found
        path = self._folder / "materials.json"
        if not path.exists():
            return
        with damaged(path, "run"):
            materials = from_json(tuple[Material, ...], path.read_bytes())
        for number, one in enumerate(materials, start=1):
            facts: Facts = {"url": one.url, "sha256": one.sha256}
            yield self.entity(f"material.{number}", "Material", one.title or one.url, facts)

    def _sources(self) -> Mapping[str, str]:
        """Declare the sources that were read or tried; returns their snapshots by address.

        A snapshot is derived from its address, which represents the live page. A source without a
        snapshot is declared with its state. Without an index they are those that the drafts cite.
        """
        known = {source.url: source for source in self._files.read_sources()}
        for number in self._files.drafts:
            known |= self._files.cited(number)
        snapshots: dict[str, str] = {}
        for source in known.values():
            facts = {"url": source.url, "state": source.state.value, "reason": source.reason}
            name = local_name("address", _key(source.url))
            page = self.entity(name, "Address", source.url, facts)
            if source.snapshot is not None:
                snapshots[source.url] = self._fetched(source.url, source.snapshot, page)
        return snapshots

    def _fetched(self, url: str, snapshot: Snapshot, page: str) -> str:
        known: Facts = {
            "url": snapshot.url_chain[-1] if snapshot.url_chain else url,
            "sha256": snapshot.sha256,
            "textSha256": snapshot.text_sha256,
            "bytes": snapshot.size,
            "mediaType": snapshot.media_type,
        }
        kept = self.entity(f"snapshot.{snapshot.sha256}", "Snapshot", snapshot.title or url, known)
        at, facts = snapshot.fetched_at, {"status": snapshot.status}
        name, label = local_name("fetch", _key(url)), f"fetch {url}"
        fetch = self.activity(name, "Fetch", label, facts, started=at, ended=at, by=self._program)
        self.relate("used", fetch, page)
        self.relate("wasGeneratedBy", kept, fetch)
        self.relate("wasDerivedFrom", kept, page, how="PrimarySource")
        return kept

    def _drafts(self, given: tuple[str, ...]) -> Mapping[int, str]:
        """The chain of drafts, each a revision of the one before."""
        drafts: dict[int, str] = {}
        before = next((thing for thing in given if thing.endswith("draft.md")), None)
        for number in self._files.drafts:
            by = self._last(StepKind.DRAFTING, number)
            name = f"iterations/analysis_iteration_{number}.md"
            draft = self._file(name, "Draft", {"iteration": number}, by=by)
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
        drafting = self._last(StepKind.DRAFTING, number)
        if drafting is not None and after is not None:
            self.relate("wasInformedBy", drafting, after)
        gathering = self._last(StepKind.GATHERING, number)
        if gathering is not None:
            self.use(gathering, [draft, *map(snapshots.get, self._files.cited(number))])
        claims = self._file(f"iterations/{claims_name(number)}", "ClaimList", facts, by=gathering)
        for _, examining in self._of_kind(StepKind.EXAMINING, number):
            self.use(examining, [draft, claims])
            self.relate("wasInformedBy", conclusion, examining)
        self.use(conclusion, [draft, claims])
        self._file(f"iterations/{outcome_name(number)}", "Outcome", facts, by=conclusion)
        ended = self._ended.get(number)
        known = [one for one in decisions if ended is not None and one[0] <= ended]
        self.use(conclusion, [made for _, made, of_claim in known if not of_claim])
        self._ledgers(number, conclusion, [made for _, made, of_claim in known if of_claim])
        self._gate(number, conclusion)
        return conclusion

    def _concluding(self, number: int, kind: str, label: str) -> str:
        """Declare an activity of code at the end of an iteration."""
        ended, facts = self._ended.get(number), {"iteration": number}
        name = f"{kind}.{number}"
        return self.activity(name, kind.capitalize(), label, facts, ended=ended, by=self._program)

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
        self._file(name, "GateResult", facts, by=gate)

    def _decision(
        self, number: int, kind: str, by: str, at: datetime, facts: Facts
    ) -> tuple[str, str]:
        """A person's decision: that it was made, and what was decided."""
        label, name = f"{kind}: {facts.get('choice', '')}", local_name(kind, str(number))
        person = self.person(by)
        made = self.activity(f"making.{name}", "Deciding", label, started=at, ended=at, by=person)
        decision = self.entity(name, kind, label, facts)
        self.relate("wasGeneratedBy", decision, made)
        return made, decision

    def _decisions(self) -> Iterator[_Decision]:
        """Yield people's decisions, of each kind in the order of time."""
        for number, one in enumerate(decisions_in(self._folder).all(), start=1):
            facts: Facts = {
                "choice": one.choice.value,
                "subject": one.subject,
                "why": one.why,
                "iteration": one.iteration,
            }
            made, decision = self._decision(number, "Decision", one.by, one.at, facts)
            # What they were shown is the ledger as it was before they decided.
            shown = self._ledger(one.iteration, UNREVIEWED_FILE) or self._ledger(one.iteration)
            self.use(made, [shown])
            yield one.at, decision, True
        for number, one in enumerate(overrides_in(self._folder).all(), start=1):
            tier = one.tier.name if one.tier is not None else "rejected"
            facts = {"choice": tier, "url": one.url, "why": one.why}
            yield one.at, self._decision(number, "Override", one.by, one.at, facts)[1], False
        for number, one in enumerate(gap_decisions(self._folder).all(), start=1):
            facts = {"choice": one.choice.value, "gap": one.gap.value, "why": one.why}
            yield one.at, self._decision(number, "GapDecision", one.by, one.at, facts)[1], False

    def _ledger(self, number: int, file: str = LEDGER_FILE) -> str | None:
        name = self._name(self._files.verify_folder(number) / file)
        return self._file(name, "ClaimLedger", {"iteration": number})

    def _name(self, path: Path) -> str:
        return path.relative_to(self._folder).as_posix()

    def _end(self, drafts: Mapping[int, str], concluded: str | None) -> None:
        """Settlement and judgement."""
        best = drafts.get(self._files.manifest.best_iteration or 0)
        settling, judging = self._last(StepKind.SETTLING), self._last(StepKind.JUDGING)
        self._file(f"verify/{SETTLEMENT_FILE}", "Settlement", by=settling)
        self._file("judgement.json", "Judgement", by=judging)
        for _, last in (*self._of_kind(StepKind.SETTLING), *self._of_kind(StepKind.JUDGING)):
            self.use(last, [best])
            if concluded is not None:
                self.relate("wasInformedBy", last, concluded)


def _key(url: str) -> str:
    return hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()[:16]
