"""A graph of provenance (W3C PROV-DM) and its PROV-JSON text.

A relation takes what declared its ends gave, so that a graph names nothing that it does not
declare.
"""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import TypeAlias

from pydantic import JsonValue

from ...base.printable import visible
from .model import Json

VOCABULARY = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, 'foureyes:provenance')}#"
"""The namespace of the facts and types of our own, prefix ``foureyes``."""
_SUBJECTS = uuid.uuid5(uuid.NAMESPACE_URL, "foureyes:provenance:subject")
_PLAIN = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?")

Fact: TypeAlias = str | int | float | bool | Decimal | None
"""A property of a node; "" and None are left out."""


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing: a file, a source, a decision."""

    name: str


@dataclass(frozen=True, slots=True)
class Activity:
    """Something that was done."""

    name: str


@dataclass(frozen=True, slots=True)
class Agent:
    """A person or program responsible for an activity."""

    name: str


class ProvGraph:
    """Provenance graph of a record folder.

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

    def entity(
        self, name: str, kind: str, label: str, facts: Mapping[str, Fact], *, prov_type: str = ""
    ) -> Entity:
        """Declare a thing of our own type `kind`; a second time adds nothing."""
        return Entity(self._declare("entity", name, _described(kind, label, facts, prov_type)))

    def activity(
        self,
        name: str,
        kind: str,
        label: str,
        facts: Mapping[str, Fact],
        *,
        started: datetime | None = None,
        ended: datetime | None = None,
    ) -> Activity:
        """Declare something that was done; a time that is not known is None."""
        times = {"prov:startTime": _time(started), "prov:endTime": _time(ended)}
        known: Json = {key: value for key, value in times.items() if value}
        return Activity(
            self._declare("activity", name, {**known, **_described(kind, label, facts, "")})
        )

    def software(self, name: str, label: str, facts: Mapping[str, Fact]) -> Agent:
        """Declare a program, or a part of one."""
        described = _described("", label, facts, "SoftwareAgent")
        return Agent(self._declare("agent", name, described))

    def person(self, called: str) -> Agent:
        """Declare a person by what they are called."""
        described = _described("", called, {}, "Person")
        return Agent(self._declare("agent", local_name("person", called), described))

    def used(self, activity: Activity, thing: Entity) -> None:
        """`activity` went by `thing`."""
        self._relate("used", ("activity", activity.name), ("entity", thing.name))

    def generated(self, activity: Activity, thing: Entity) -> None:
        """`activity` made `thing`."""
        self._relate("wasGeneratedBy", ("entity", thing.name), ("activity", activity.name))

    def derived(self, thing: Entity, source: Entity, *, how: str = "") -> None:
        """`thing` was made from `source`; `how` is ``Revision``, ``PrimarySource`` or ""."""
        facts: Json = {"prov:type": _qualified(f"prov:{how}")} if how else {}
        ends = (("generatedEntity", thing.name), ("usedEntity", source.name))
        self._relate("wasDerivedFrom", *ends, facts=facts)

    def informed(self, later: Activity, earlier: Activity) -> None:
        """`later` had something of `earlier`."""
        self._relate("wasInformedBy", ("informed", later.name), ("informant", earlier.name))

    def associated(self, activity: Activity, agent: Agent) -> None:
        """`agent` answers for `activity`."""
        self._relate("wasAssociatedWith", ("activity", activity.name), ("agent", agent.name))

    def on_behalf(self, delegate: Agent, responsible: Agent) -> None:
        """`delegate` did what it did for `responsible`."""
        ends = (("delegate", delegate.name), ("responsible", responsible.name))
        self._relate("actedOnBehalfOf", *ends)

    def attributed(self, thing: Entity, agent: Agent) -> None:
        """`agent` answers for `thing`."""
        self._relate("wasAttributedTo", ("entity", thing.name), ("agent", agent.name))

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

    def _relate(
        self, kind: str, one: tuple[str, str], other: tuple[str, str], facts: Json | None = None
    ) -> None:
        ends: Json = {f"prov:{role}": name for role, name in (one, other)}
        records = self._relations.setdefault(kind, {})
        records.setdefault((one[1], other[1]), {**ends, **(facts or {})})


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


def _described(kind: str, label: str, facts: Mapping[str, Fact], prov_type: str) -> Json:
    types = [f"foureyes:{kind}"] if kind else []
    types += [f"prov:{prov_type}"] if prov_type else []
    written: list[JsonValue] = [_qualified(one) for one in types]
    described: Json = {"prov:label": visible(label)}
    if written:
        described["prov:type"] = written if len(written) > 1 else written[0]
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
