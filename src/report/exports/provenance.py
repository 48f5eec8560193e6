"""Provenance (W3C PROV-DM) as PROV-JSON: the graph, and the part that runs and reviews share."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from pydantic import JsonValue

from ...base.files import storage_errors
from ...base.printable import visible
from ...core.record_folder import FolderManifest, RunEvent
from ...core.tasks import Turn
from ...core.turn_log import read_turns
from ...sources.model import Snapshot, Source
from .model import Json

VOCABULARY = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, 'foureyes:provenance')}#"
"""The namespace of the facts and types of our own, prefix ``foureyes``."""
_SUBJECTS = uuid.uuid5(uuid.NAMESPACE_URL, "foureyes:provenance:subject")
_PLAIN = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?")

Fact: TypeAlias = str | int | float | bool | Decimal | None
Facts: TypeAlias = Mapping[str, Fact]
"""Properties of a node; those that are "" or None are left out."""
_NO_FACTS: Facts = MappingProxyType({})


_ENDS_OF: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "used": ("activity", "entity"),
        "wasGeneratedBy": ("entity", "activity"),
        "wasDerivedFrom": ("generatedEntity", "usedEntity"),
        "wasInformedBy": ("informed", "informant"),
        "wasAssociatedWith": ("activity", "agent"),
        "actedOnBehalfOf": ("delegate", "responsible"),
    }
)
"""Relations of PROV-DM with their ends, the later one first."""


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

    def entity(self, name: str, kind: str, label: str, facts: Facts = _NO_FACTS) -> str:
        """Declare a thing of our own type `kind`; a second time adds nothing."""
        return self._declare("entity", name, _described(f"foureyes:{kind}", label, facts))

    def activity(
        self,
        name: str,
        kind: str,
        label: str,
        facts: Facts = _NO_FACTS,
        *,
        started: datetime | None = None,
        ended: datetime | None = None,
        by: str = "",
    ) -> str:
        """Declare something that was done by the agent `by`; an unknown time is None."""
        times = {"prov:startTime": _time(started), "prov:endTime": _time(ended)}
        known: Json = {key: value for key, value in times.items() if value}
        described = _described(f"foureyes:{kind}", label, facts)
        activity = self._declare("activity", name, {**known, **described})
        if by:
            self.relate("wasAssociatedWith", activity, by)
        return activity

    def software(self, name: str, label: str, facts: Facts) -> str:
        """Declare a program, or a part of one."""
        return self._declare("agent", name, _described("prov:SoftwareAgent", label, facts))

    def person(self, called: str) -> str:
        """Declare a person by what they are called."""
        described = _described("prov:Person", called, {})
        return self._declare("agent", local_name("person", called), described)

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

    def _declare(self, group: str, name: str, record: Json) -> str:
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


def _described(type_: str, label: str, facts: Facts) -> Json:
    described: Json = {"prov:label": visible(label), "prov:type": _qualified(type_)}
    for name, fact in facts.items():
        if fact not in (None, ""):
            described[f"foureyes:{name}"] = _value(fact)
    return described


def _qualified(name: str) -> JsonValue:
    return {"$": name, "type": "xsd:QName"}


def _value(fact: Fact) -> JsonValue:
    if isinstance(fact, Decimal):
        return {"$": f"{fact:f}", "type": "xsd:decimal"}
    return visible(fact) if isinstance(fact, str) else fact


def _time(at: datetime | None) -> str:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z") if at is not None else ""


# --- what is recorded in a run or review directory ------------------------------------------------


class StepKind(StrEnum):
    """Kind of a step that the events of a run or a review record."""

    DRAFTING = "drafting"
    GATHERING = "gathering_evidence"
    EXAMINING = "examining"
    JUDGING = "judging"
    SETTLING = "settling"
    PHASE = "phase"
    PART = "part"


_NAMED = frozenset({StepKind.PHASE, StepKind.PART})
"""Kinds whose events name the phase or part first in their details."""
_STARTS = {f"{kind}_started" if kind in _NAMED else kind.value: kind for kind in StepKind}
_ENDS: Mapping[str, StepKind] = MappingProxyType(
    {
        "drafted": StepKind.DRAFTING,
        "draft_failed": StepKind.DRAFTING,
        "evidence_gathered": StepKind.GATHERING,
        "examined": StepKind.EXAMINING,
        "critic_failed": StepKind.EXAMINING,
        "judged": StepKind.JUDGING,
        "judge_failed": StepKind.JUDGING,
        "settled": StepKind.SETTLING,
        "phase_ended": StepKind.PHASE,
        "part_ended": StepKind.PART,
        "part_failed": StepKind.PART,
    }
)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an agent. `ended` is None if it was interrupted.

    `name` is that of the phase or part, "" for the other kinds. `outcome` comes from the last
    event.
    """

    kind: StepKind
    agent: str
    iteration: int
    name: str
    started: datetime
    ended: datetime | None = None
    outcome: str = ""


def recorded_steps(events: Iterable[RunEvent]) -> Iterator[Step]:
    """Yield the steps of `events`, in the order in which they first began.

    A step that was interrupted begins anew. A resumed run emits the events of finished steps
    again; those are ignored, because nothing was done.
    """
    found: dict[tuple[StepKind, str, int, str], Step] = {}
    for event in events:
        start, end = _STARTS.get(event.event), _ENDS.get(event.event)
        if (kind := start or end) is None:
            continue
        name, _, rest = event.detail.partition(": ") if kind in _NAMED else ("", "", event.detail)
        key = (kind, event.agent, event.iteration, name)
        known = found.get(key)
        if known is not None and known.ended is not None:
            continue
        if start:
            found[key] = Step(*key, event.at)
        elif known is not None:
            found[key] = replace(known, ended=event.at, outcome=rest)
    yield from found.values()


class RecordGraph(ProvGraph):
    """The graph of one record folder, with what every such folder has.

    Args:
        folder: The run or review directory.
        manifest: Its manifest.
        events: Its events, in order.

    Raises:
        RunDirectoryError: A recorded turn is damaged.
    """

    def __init__(self, folder: Path, manifest: FolderManifest, events: Iterable[RunEvent]) -> None:
        super().__init__(f"{manifest.id} {manifest.started.isoformat()}")
        self.folder = folder
        facts: Facts = {"version": manifest.foureyes}
        self.program = self.software("foureyes", f"foureyes {manifest.foureyes}", facts)
        self._turns = read_turns(folder)
        every = tuple(events)
        self._tasks = {(one.agent, one.detail) for one in every if one.event == "turn_started"}
        self._steps = {step: self._declare_step(step) for step in recorded_steps(every)}

    def steps(
        self, kind: StepKind, agent: str = "", iteration: int | None = None
    ) -> tuple[tuple[Step, str], ...]:
        """Return the steps of this kind with their activities, by `agent` or by anyone."""
        return tuple(
            (step, activity)
            for step, activity in self._steps.items()
            if step.kind is kind
            and agent in ("", step.agent)
            and iteration in (None, step.iteration)
        )

    def last_step(
        self, kind: StepKind, agent: str = "", iteration: int | None = None
    ) -> str | None:
        """The activity of the last of `steps`; None if there is none."""
        found = self.steps(kind, agent, iteration)
        return found[-1][1] if found else None

    def file(
        self, name: str, kind: str, facts: Facts = _NO_FACTS, *, by: str | None = None
    ) -> str | None:
        """The file `name` of the folder, generated `by` an activity; None if it is not there.

        Raises:
            StorageError: It cannot be read.
        """
        path = self.folder / name
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

    def sources(self, sources: Iterable[Source]) -> Mapping[str, str]:
        """Declare the sources that were read or tried; returns their snapshots by address.

        A snapshot is derived from its address, which represents the live page. A source without a
        snapshot is declared with its state.
        """
        snapshots: dict[str, str] = {}
        for source in sources:
            facts = {"url": source.url, "state": source.state.value, "reason": source.reason}
            name = local_name("address", _key(source.url))
            page = self.entity(name, "Address", source.url, facts)
            if source.snapshot is not None:
                snapshots[source.url] = self._fetched(source.url, source.snapshot, page)
        return snapshots

    def decision(
        self, number: int, kind: str, by: str, at: datetime, facts: Facts
    ) -> tuple[str, str]:
        """A person's decision: that it was made, and what was decided."""
        label, name = f"{kind}: {facts.get('choice', '')}", local_name(kind, str(number))
        person = self.person(by)
        made = self.activity(f"making.{name}", "Deciding", label, started=at, ended=at, by=person)
        decision = self.entity(name, kind, label, facts)
        self.relate("wasGeneratedBy", decision, made)
        return made, decision

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
        self.relate("actedOnBehalfOf", agent, self.program)
        return agent

    def _declare_step(self, step: Step) -> str:
        number = [str(step.iteration)] if step.iteration and not step.name else []
        words = [one for one in (step.agent, step.name) if one]
        facts: Facts = {
            "iteration": step.iteration or None,
            "task": step.name,
            "outcome": step.outcome if step.ended else "broken off",
        }
        return self.activity(
            local_name(step.kind.value, *number, *words),
            "".join(word.capitalize() for word in step.kind.split("_")),
            " ".join((step.kind.value, *words)),
            facts,
            started=step.started,
            ended=step.ended,
            by=self._agent(step.agent) if step.agent else self.program,
        )

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
        fetch = self.activity(name, "Fetch", label, facts, started=at, ended=at, by=self.program)
        self.relate("used", fetch, page)
        self.relate("wasGeneratedBy", kept, fetch)
        self.relate("wasDerivedFrom", kept, page, how="PrimarySource")
        return kept


def _key(url: str) -> str:
    return hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()[:16]
