"""The provenance of a run: what came of what, who examined it, and who decided."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from pydantic import JsonValue

from ...base.files import storage_errors
from ...base.printable import visible
from ...core.approval import SETTLEMENT_FILE
from ...core.iteration import (
    GATE_FILE,
    LEDGER_FILE,
    UNREVIEWED_FILE,
    claims_name,
    decisions_in,
    outcome_name,
)
from ...core.record_folder import RunEvent, read_record, read_turns
from ...core.review_queue import ReviewDecision
from ...core.tasks import Turn
from ...core.work import Material
from ...sources.model import Snapshot
from ...sources.scoring.appraisal import overrides_in
from ...sources.scoring.gaps import GapDecision, gap_decisions
from ...sources.scoring.model import Override
from ..html.run_files import RunFiles
from .documents import ExportedRecord
from .model import Json, json_pieces

VOCABULARY = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, 'foureyes:provenance')}#"
"""The namespace of the facts and types of our own, prefix ``foureyes``."""
_SUBJECTS = uuid.uuid5(uuid.NAMESPACE_URL, "foureyes:provenance:subject")
_PLAIN = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?")

Facts: TypeAlias = Mapping[str, str | int | float | bool | None]
"""Properties of a node; those that are "" or None are left out."""
NO_FACTS: Facts = MappingProxyType({})


_ENDS_OF: Mapping[str, tuple[str, str]] = {
    "used": ("activity", "entity"),
    "wasGeneratedBy": ("entity", "activity"),
    "wasDerivedFrom": ("generatedEntity", "usedEntity"),
    "wasInformedBy": ("informed", "informant"),
    "wasAssociatedWith": ("activity", "agent"),
    "actedOnBehalfOf": ("delegate", "responsible"),
}
"""Relations of PROV-DM with their ends, the later one first."""

_SOFTWARE = "prov:SoftwareAgent"

_EVENTS: Mapping[str, tuple[str, ...]] = {
    "drafting": ("drafted", "draft_failed"),
    "gathering_evidence": ("evidence_gathered",),
    "examining": ("examined", "critic_failed"),
    "judging": ("judged", "judge_failed"),
    "settling": ("settled",),
}
"""The events that begin a step, each with those that end it."""
_BEGUN_BY = {end: begin for begin, ends in _EVENTS.items() for end in ends}


class ProvGraph:
    """Provenance graph. Its nodes are known by the names that declaring them returns.

    Args:
        subject: What the graph is about; equal subjects give equal identifiers.
    """

    def __init__(self, subject: str) -> None:
        self._prefixes: Json = {
            "foureyes": VOCABULARY,
            "this": f"urn:uuid:{uuid.uuid5(_SUBJECTS, subject)}#",
        }
        self._nodes: dict[str, Json] = {}
        self._relations: dict[str, dict[tuple[str, str], Json]] = {}

    def relate(self, kind: str, later: str, earlier: str, *, how: str = "") -> None:
        """Relate two nodes by one of `_ENDS_OF`; `how` is ``Revision``, ``PrimarySource`` or ""."""
        one, other = _ENDS_OF[kind]
        record: Json = {f"prov:{one}": later, f"prov:{other}": earlier}
        if how:
            record["prov:type"] = _qualified(f"prov:{how}")
        self._relations.setdefault(kind, {}).setdefault((later, earlier), record)

    def use(self, activity: str, things: Iterable[str | None]) -> None:
        """`activity` used those of `things` that there are."""
        for thing in things:
            if thing is not None:
                self.relate("used", activity, thing)

    def json(self) -> Json:
        """The whole graph as PROV-JSON."""
        relations: Json = {
            kind: {f"_:{kind}{n}": record for n, record in enumerate(records.values(), start=1)}
            for kind, records in self._relations.items()
        }
        return {"prefix": self._prefixes, **self._nodes, **relations}

    def declare(self, group: str, name: str, kind: str, label: str, facts: Facts = NO_FACTS) -> str:
        """Declare an ``entity``, ``activity`` or ``agent`` of type `kind`, once.

        Of an activity, `facts` may have `times`.
        """
        record: Json = {fact: value for fact, value in facts.items() if ":" in fact and value}
        record |= {"prov:label": visible(label), "prov:type": _qualified(kind)}
        for fact, value in facts.items():
            if ":" not in fact and value not in (None, ""):
                record[f"foureyes:{fact}"] = visible(value) if isinstance(value, str) else value
        qualified = f"this:{name}"
        self._nodes.setdefault(group, {}).setdefault(qualified, record)
        return qualified


def local_name(*parts: str) -> str:
    """Join `parts` into a local name that PROV-N, PROV-XML and PROV-JSON all accept.

    Slashes become points. Other invalid characters are replaced, and a hash then keeps names
    distinct.
    """
    joined = ".".join(parts).replace("/", ".")
    if _PLAIN.fullmatch(joined):
        return joined
    digest = hashlib.sha256("\x00".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
    plain = re.sub(r"[^A-Za-z0-9_.-]+", "-", joined).strip(".-")[:60]
    return f"{plain}-{digest[:12]}" if plain else f"n-{digest[:12]}"


def _qualified(name: str) -> JsonValue:
    return {"$": name, "type": "xsd:QName"}


def times(started: datetime | None, ended: datetime | None) -> Facts:
    """When something began and ended, in UTC, as properties of PROV; "" for what is not known."""
    given = {"prov:startTime": started, "prov:endTime": ended}
    return {
        name: at.astimezone(UTC).isoformat().replace("+00:00", "Z") if at is not None else ""
        for name, at in given.items()
    }


def export(record: ExportedRecord) -> Iterator[str]:
    """Yield the provenance of the run `record` as PROV-JSON.

    Raises:
        RunDirectoryError: A file of it is damaged.
        SnapshotError: What is known of a source is damaged.
        StorageError: A file cannot be read.
    """
    return json_pieces(_RunGraph(RunFiles(record.folder)).build())


class Step(NamedTuple):
    """One step of an agent. `ended` is None if it was interrupted."""

    started: datetime
    ended: datetime | None = None
    outcome: str = "broken off"


def recorded_steps(events: Iterable[RunEvent]) -> dict[tuple[str, str, int], Step]:
    """The steps of `events` by kind, agent and iteration, in the order in which they first began.

    A step that was interrupted begins anew. A resumed run emits the events of finished steps
    again; those are ignored, because nothing was done.
    """
    found: dict[tuple[str, str, int], Step] = {}
    for event in events:
        kind = _BEGUN_BY.get(event.event, event.event)
        key = (kind, event.agent, event.iteration)
        known = found.get(key)
        if kind not in _EVENTS or (known is not None and known.ended is not None):
            continue
        if event.event == kind:
            found[key] = Step(event.at)
        elif known is not None:
            found[key] = Step(known.started, event.at, event.detail)
    return found


class _Decision(NamedTuple):
    """A person's decision: when, its node, and whether it concerns a claim."""

    at: datetime
    node: str
    of_claim: bool


class _RunGraph(ProvGraph):
    """The graph of one run, put together from its beginning to its end.

    Raises:
        RunDirectoryError: A recorded turn is damaged.
    """

    def __init__(self, files: RunFiles) -> None:
        self._manifest, self._folder = files.manifest, files.path
        super().__init__(f"{files.manifest.id} {files.manifest.started.isoformat()}")
        self._files = files
        version = files.manifest.foureyes
        label = f"foureyes {version}"
        self._program = self.declare("agent", "foureyes", _SOFTWARE, label, {"version": version})
        self._turns = read_turns(files.path)
        events = tuple(files.events())
        self._tasks = {(one.agent, one.detail) for one in events if one.event == "turn_started"}
        self._ended = {one.iteration: one.at for one in events if one.event == "iteration_ended"}
        steps = recorded_steps(events)
        self._steps = {key: self._declare_step(*key, step) for key, step in steps.items()}

    def build(self) -> Json:
        """The whole graph."""
        given = tuple(self._given())
        self.use(self._begin(), given)
        snapshots, drafts = self._sources(), self._drafts(given)
        decisions = tuple(self._decisions())
        concluded: str | None = None
        for number, draft in drafts.items():
            drafting = self._last("drafting", number)
            if drafting is not None and concluded is not None:
                self.relate("wasInformedBy", drafting, concluded)
            concluded = self._conclusion(number, draft, snapshots)
            ended = self._ended.get(number)
            known = [one for one in decisions if ended is not None and one.at <= ended]
            self.use(concluded, [one.node for one in known if not one.of_claim])
            self._ledgers(number, concluded, [one.node for one in known if one.of_claim])
            self._gate(number, concluded)
        self._end(drafts.get(self._manifest.best_iteration or 0), concluded)
        return self.json()

    def _activity(
        self, name: str, kind: str, label: str, facts: Facts = NO_FACTS, by: str = ""
    ) -> str:
        """Declare something that was done, by the program unless `by` another agent."""
        activity = self.declare("activity", name, f"foureyes:{kind}", label, facts)
        self.relate("wasAssociatedWith", activity, by or self._program)
        return activity

    def _entity(self, name: str, kind: str, label: str, facts: Facts) -> str:
        return self.declare("entity", name, f"foureyes:{kind}", label, facts)

    def _begin(self) -> str:
        """The whole run."""
        manifest = self._manifest
        facts: Facts = {
            "id": manifest.id,
            "status": manifest.status,
            "reason": manifest.reason,
            "asOf": manifest.as_of.isoformat(),
            "mode": manifest.mode.value,
            "approvalBasis": manifest.approval_basis,
            "bestIteration": manifest.best_iteration,
            **times(manifest.started, manifest.ended),
        }
        return self._activity("run", "Run", manifest.title, facts)

    def _all(self, kind: str, iteration: int | None = None) -> list[str]:
        """The activities of the steps of this kind."""
        steps = self._steps.items()
        return [one for (of, _, n), one in steps if of == kind and iteration in (None, n)]

    def _last(self, kind: str, iteration: int | None = None) -> str | None:
        """The activity of the last of these steps; None if there is none."""
        return next(reversed(self._all(kind, iteration)), None)

    def _file(
        self, path: Path | str, kind: str, facts: Facts = NO_FACTS, *, by: str | None = None
    ) -> str | None:
        """The file `path` of the folder, generated `by` an activity; None if it is not there.

        Raises:
            StorageError: It cannot be read.
        """
        path = self._folder / path
        if not path.is_file():
            return None
        with storage_errors(path, "read"), path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
        name = path.relative_to(self._folder).as_posix()
        known: Facts = {"path": name, "sha256": digest, "bytes": size, **facts}
        found = self._entity(local_name("file", name), kind, name, known)
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
        agent = self.declare("agent", local_name("agent", name), _SOFTWARE, name, facts)
        self.relate("actedOnBehalfOf", agent, self._program)
        return agent

    def _declare_step(self, kind: str, agent: str, iteration: int, step: Step) -> str:
        name = local_name(*filter(None, (kind, str(iteration or ""), agent)))
        named = "".join(word.capitalize() for word in kind.split("_"))
        when = times(step.started, step.ended)
        facts: Facts = {"iteration": iteration or None, "outcome": step.outcome, **when}
        by = self._agent(agent) if agent else ""
        return self._activity(name, named, f"{kind} {agent}".strip(), facts, by)

    def _given(self) -> Iterator[str]:
        """Yield the inputs that a person gave."""
        for name, kind in (("brief.md", "Brief"), ("draft.md", "GivenDraft")):
            if (found := self._file(name, kind)) is not None:
                yield found
        materials = read_record(tuple[Material, ...], self._folder / "materials.json")
        for number, one in enumerate(materials or (), start=1):
            facts: Facts = {"url": one.url, "sha256": one.sha256}
            yield self._entity(f"material.{number}", "Material", one.title or one.url, facts)

    def _sources(self) -> Mapping[str, str]:
        """Declare the sources that were read or tried; returns their snapshots by address.

        A snapshot is derived from its address, which represents the live page. A source without a
        snapshot is declared with its state. Without an index they are those that the drafts cite.
        """
        known = {source.url: source for source in self._files.snapshots.sources()}
        for number in self._files.drafts:
            known |= self._files.cited(number)
        snapshots: dict[str, str] = {}
        for source in known.values():
            facts = {"url": source.url, "state": source.state.value, "reason": source.reason}
            name = local_name("address", _key(source.url))
            page = self._entity(name, "Address", source.url, facts)
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
        kept = self._entity(f"snapshot.{snapshot.sha256}", "Snapshot", snapshot.title or url, known)
        at = snapshot.fetched_at
        facts: Facts = {"status": snapshot.status, **times(at, at)}
        fetch = self._activity(local_name("fetch", _key(url)), "Fetch", f"fetch {url}", facts)
        self.use(fetch, [page])
        self.relate("wasGeneratedBy", kept, fetch)
        self.relate("wasDerivedFrom", kept, page, how="PrimarySource")
        return kept

    def _drafts(self, given: tuple[str, ...]) -> Mapping[int, str]:
        """The chain of drafts, each a revision of the one before."""
        drafts: dict[int, str] = {}
        before = next((thing for thing in given if thing.endswith("draft.md")), None)
        for number in self._files.drafts:
            by = self._last("drafting", number)
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

    def _conclusion(self, number: int, draft: str, snapshots: Mapping[str, str]) -> str:
        """What was done with the draft of an iteration; returns its conclusion."""
        facts: Facts = {"iteration": number}
        conclusion = self._concluding(number, "conclusion", f"conclusion of iteration {number}")
        gathering = self._last("gathering_evidence", number)
        if gathering is not None:
            self.use(gathering, [draft, *map(snapshots.get, self._files.cited(number))])
        claims = self._file(f"iterations/{claims_name(number)}", "ClaimList", facts, by=gathering)
        for examining in self._all("examining", number):
            self.use(examining, [draft, claims])
            self.relate("wasInformedBy", conclusion, examining)
        self.use(conclusion, [draft, claims])
        self._file(f"iterations/{outcome_name(number)}", "Outcome", facts, by=conclusion)
        return conclusion

    def _concluding(self, number: int, kind: str, label: str) -> str:
        """Declare an activity of code at the end of an iteration."""
        facts: Facts = {"iteration": number, **times(None, self._ended.get(number))}
        return self._activity(f"{kind}.{number}", kind.capitalize(), label, facts)

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
        facts: Facts = {"decision": result.decision.value, "rule": result.rule}
        facts = {"iteration": number, **facts, "reason": result.reason}
        self._file(self._files.verify_folder(number) / GATE_FILE, "GateResult", facts, by=gate)

    def _decisions(self) -> Iterator[_Decision]:
        """Yield people's decisions, of each kind in the order of time."""
        for number, one in enumerate(decisions_in(self._folder).all(), start=1):
            facts: Facts = {"choice": one.choice.value, "subject": one.subject, "why": one.why}
            facts = {**facts, "iteration": one.iteration}
            # What they were shown is the ledger as it was before they decided.
            shown = self._ledger(one.iteration, UNREVIEWED_FILE) or self._ledger(one.iteration)
            yield self._decision(number, "Decision", one, facts, shown)
        for number, one in enumerate(overrides_in(self._folder).all(), start=1):
            tier = one.tier.name if one.tier is not None else "rejected"
            facts = {"choice": tier, "url": one.url, "why": one.why}
            yield self._decision(number, "Override", one, facts)
        for number, one in enumerate(gap_decisions(self._folder).all(), start=1):
            facts = {"choice": one.choice.value, "gap": one.gap.value, "why": one.why}
            yield self._decision(number, "GapDecision", one, facts)

    def _decision(
        self,
        number: int,
        kind: str,
        one: ReviewDecision | Override | GapDecision,
        facts: Facts,
        shown: str | None = None,
    ) -> _Decision:
        """A person's decision: that it was made, of what was `shown`, and what was decided."""
        label, name = f"{kind}: {facts.get('choice', '')}", local_name(kind, str(number))
        person = self.declare("agent", local_name("person", one.by), "prov:Person", one.by)
        when = times(one.at, one.at)
        made = self._activity(f"making.{name}", "Deciding", label, when, person)
        decision = self._entity(name, kind, label, facts)
        self.relate("wasGeneratedBy", decision, made)
        self.use(made, [shown])
        return _Decision(one.at, decision, isinstance(one, ReviewDecision))

    def _ledger(self, number: int, file: str = LEDGER_FILE) -> str | None:
        path = self._files.verify_folder(number) / file
        return self._file(path, "ClaimLedger", {"iteration": number})

    def _end(self, best: str | None, concluded: str | None) -> None:
        """Settlement and judgement."""
        self._file(f"verify/{SETTLEMENT_FILE}", "Settlement", by=self._last("settling"))
        self._file("judgement.json", "Judgement", by=self._last("judging"))
        for last in (*self._all("settling"), *self._all("judging")):
            self.use(last, [best])
            if concluded is not None:
                self.relate("wasInformedBy", last, concluded)


def _key(url: str) -> str:
    return hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()[:16]
