"""Provenance common to runs and reviews: files, agents, sources, people."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from ...base.files import storage_errors
from ...core.record_folder import FolderManifest
from ...core.tasks import Turn
from ...core.turn_log import read_turns
from ...sources.model import Snapshot, Source
from .provenance import Activity, Agent, Entity, Fact, ProvGraph, local_name
from .recorded_activities import ActivityKind, RecordedActivity

_KIND_NAMES: Mapping[ActivityKind, str] = {
    ActivityKind.DRAFTING: "Drafting",
    ActivityKind.GATHERING: "EvidenceGathering",
    ActivityKind.EXAMINING: "Examination",
    ActivityKind.JUDGING: "Judging",
    ActivityKind.SETTLING: "Settlement",
    ActivityKind.PHASE: "Phase",
    ActivityKind.PART: "Part",
    ActivityKind.TURN: "Turn",
}


@dataclass(frozen=True, slots=True)
class _AgentFacts:
    """Backends and models that answered for an agent, and whether any is a model."""

    backends: dict[str, None] = field(default_factory=dict[str, None])
    models: dict[str, None] = field(default_factory=dict[str, None])
    independent: bool | None = None


class RecordGraph:
    """The graph of one record folder, with what every such folder has.

    Args:
        folder: The run or review directory.
        manifest: Its manifest.
        done: What was done in it, in order.

    Raises:
        RunDirectoryError: A recorded turn is damaged.
    """

    def __init__(
        self, folder: Path, manifest: FolderManifest, done: Iterable[RecordedActivity]
    ) -> None:
        self.graph = ProvGraph(f"{manifest.id} {manifest.started.isoformat()}")
        self.folder = folder
        facts: dict[str, Fact] = {"version": manifest.foureyes}
        self.program = self.graph.software("foureyes", f"foureyes {manifest.foureyes}", facts)
        self._turns = read_turns(folder)
        self._done = tuple(done)
        self._agents: dict[str, Agent] = {}
        self._activities = {recorded: self._activity(recorded) for recorded in self._done}

    def activities(
        self, activity_kind: ActivityKind, agent: str = "", iteration: int | None = None
    ) -> tuple[tuple[RecordedActivity, Activity], ...]:
        """Return the activities of this kind, by `agent` or by anyone, in order."""
        return tuple(
            (recorded, self._activities[recorded])
            for recorded in self._done
            if recorded.kind is activity_kind
            and agent in ("", recorded.agent)
            and iteration in (None, recorded.iteration)
        )

    def last_activity(
        self, activity_kind: ActivityKind, agent: str = "", iteration: int | None = None
    ) -> Activity | None:
        """The last of `done`; None if there is none."""
        found = self.activities(activity_kind, agent, iteration)
        return found[-1][1] if found else None

    def file(self, name: str, kind: str, facts: Mapping[str, Fact] | None = None) -> Entity | None:
        """The file `name` of the folder with its hash and size; None if it is not there.

        Raises:
            StorageError: It cannot be read.
        """
        path = self.folder / name
        if not path.is_file():
            return None
        with storage_errors(path, "read"), path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
        known: dict[str, Fact] = {"path": name, "sha256": digest, "bytes": size, **(facts or {})}
        return self.graph.entity(local_name("file", name), kind, name, known)

    def generated_file(
        self, name: str, kind: str, by: Activity | None, facts: Mapping[str, Fact] | None = None
    ) -> Entity | None:
        """As `file`, made `by` an activity where it is known."""
        found = self.file(name, kind, facts)
        if found is not None and by is not None:
            self.graph.generated(by, found)
        return found

    def sources(self, sources: Iterable[Source]) -> Mapping[str, Entity]:
        """Declare the sources that were read or tried; returns their snapshots by address.

        A snapshot is derived from its address, which represents the live page. A source without a
        snapshot is declared with its state.
        """
        snapshots: dict[str, Entity] = {}
        for source in sources:
            page = self.graph.entity(
                local_name("address", _key(source.url)),
                "Address",
                source.url,
                {"url": source.url, "state": source.state.value, "reason": source.reason},
            )
            if source.snapshot is not None:
                snapshots[source.url] = self._fetched(source.url, source.snapshot, page)
        return snapshots

    def add_decision(
        self, number: int, kind: str, by: str, at: datetime, facts: Mapping[str, Fact]
    ) -> tuple[Activity, Entity]:
        """A person's decision: that it was made, and what was decided."""
        label = f"{kind}: {facts.get('choice', '')}"
        name = local_name(kind, str(number))
        made = self.graph.activity(f"making.{name}", "Deciding", label, {}, started=at, ended=at)
        self.graph.associated(made, self.graph.person(by))
        decision = self.graph.entity(name, kind, label, facts)
        self.graph.generated(made, decision)
        return made, decision

    def agent(self, name: str) -> Agent:
        """The agent `name`, which acts on the program's behalf."""
        if name not in self._agents:
            answered = self._agent_facts(name)
            agent = self._agents[name] = self.graph.software(
                local_name("agent", name),
                name,
                {
                    "backend": ", ".join(answered.backends),
                    "model": ", ".join(answered.models),
                    "independent": answered.independent,
                },
            )
            self.graph.on_behalf(agent, self.program)
        return self._agents[name]

    def _agent_facts(self, agent: str) -> _AgentFacts:
        tasks = {
            one.name for one in self._done if one.kind is ActivityKind.TURN and one.agent == agent
        }
        turns = [turn for task in sorted(tasks) for turn in self._turns.get(task, ())]
        models = (turn.outcome.model for turn in turns if isinstance(turn.outcome, Turn))
        return _AgentFacts(
            dict.fromkeys(turn.backend for turn in turns),
            dict.fromkeys(model for model in models if model),
            any(turn.independent for turn in turns) if turns else None,
        )

    def _activity(self, recorded: RecordedActivity) -> Activity:
        parts = [recorded.kind.value]
        parts += [str(recorded.iteration)] if recorded.iteration and not recorded.name else []
        parts += [one for one in (recorded.agent, recorded.name) if one]
        parts += [f"again-{recorded.attempt - 1}"] if recorded.attempt > 1 else []
        facts: dict[str, Fact] = {
            "iteration": recorded.iteration or None,
            "task": recorded.name,
            "outcome": recorded.outcome if recorded.ended else "broken off",
        }
        activity = self.graph.activity(
            local_name(*parts),
            _KIND_NAMES[recorded.kind],
            " ".join(one for one in (recorded.kind.value, recorded.agent, recorded.name) if one),
            facts,
            started=recorded.started,
            ended=recorded.ended,
        )
        answers = self.agent(recorded.agent) if recorded.agent else self.program
        self.graph.associated(activity, answers)
        return activity

    def _fetched(self, url: str, snapshot: Snapshot, page: Entity) -> Entity:
        known: dict[str, Fact] = {
            "url": snapshot.url_chain[-1] if snapshot.url_chain else url,
            "sha256": snapshot.sha256,
            "textSha256": snapshot.text_sha256,
            "bytes": snapshot.size,
            "mediaType": snapshot.media_type,
        }
        name = f"snapshot.{snapshot.sha256}"
        kept = self.graph.entity(name, "Snapshot", snapshot.title or url, known)
        at, facts = snapshot.fetched_at, {"status": snapshot.status}
        fetch = self.graph.activity(
            local_name("fetch", _key(url)), "Fetch", f"fetch {url}", facts, started=at, ended=at
        )
        self.graph.associated(fetch, self.program)
        self.graph.used(fetch, page)
        self.graph.generated(fetch, kept)
        self.graph.derived(kept, page, how="PrimarySource")
        return kept


def _key(url: str) -> str:
    return hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()[:16]
