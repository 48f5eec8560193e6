"""A provenance graph (W3C PROV-DM) as PROV-JSON."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from types import MappingProxyType
from typing import TypeAlias

from pydantic import JsonValue

from ...base.printable import visible
from .model import Json

VOCABULARY = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, 'foureyes:provenance')}#"
"""The namespace of the facts and types of our own, prefix ``foureyes``."""
_SUBJECTS = uuid.uuid5(uuid.NAMESPACE_URL, "foureyes:provenance:subject")
_PLAIN = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?")

Fact: TypeAlias = str | int | float | bool | Decimal | None
Facts: TypeAlias = Mapping[str, Fact]
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

    def declare(
        self, group: str, name: str, kind: str, label: str, facts: Facts = NO_FACTS, **times: str
    ) -> str:
        """Declare an ``entity``, ``activity`` or ``agent`` of type `kind`, once.

        `times` are the ``startTime`` and ``endTime`` of an activity, "" if they are unknown.
        """
        record: Json = {f"prov:{which}": time for which, time in times.items() if time}
        record |= {"prov:label": visible(label), "prov:type": _qualified(kind)}
        for fact, value in facts.items():
            if value not in (None, ""):
                record[f"foureyes:{fact}"] = _value(value)
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


def _value(fact: Fact) -> JsonValue:
    if isinstance(fact, Decimal):
        return {"$": f"{fact:f}", "type": "xsd:decimal"}
    return visible(fact) if isinstance(fact, str) else fact


def utc(at: datetime | None) -> str:
    """A time in UTC, "" for none."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z") if at is not None else ""
