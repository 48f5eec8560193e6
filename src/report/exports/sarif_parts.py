"""What every SARIF log is made of: runs, rules, places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from types import MappingProxyType

from pydantic import JsonValue

from ...base.finding import Location
from ...base.printable import visible
from ...base.vocabulary import Severity
from ...verification.model import Evidence
from .json_text import Streamed
from .model import Json, uri_reference

_BRACKET = re.compile(r"[\[\]]")
SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
FINGERPRINT = "foureyesFinding/v1"
"""The key of a finding's fingerprint; its value stays as it is when lines move."""
LEVELS: Mapping[Severity, str] = MappingProxyType(
    {
        Severity.CRITICAL: "error",
        Severity.HIGH: "error",
        Severity.MEDIUM: "warning",
        Severity.LOW: "note",
    }
)
RANKS: Mapping[Severity, float] = MappingProxyType(
    {Severity.CRITICAL: 100.0, Severity.HIGH: 75.0, Severity.MEDIUM: 50.0, Severity.LOW: 25.0}
)
"""SARIF's `rank`: 0 to 100, the higher the more important."""


@dataclass(frozen=True, slots=True)
class SarifRun:
    """One run of a log.

    `rules` are ids with their short descriptions. `warnings` say in a line each what was not looked
    at, `failures` what could not be examined. `category` tells the runs of one log apart, and
    `about` says what this one is.
    """

    foureyes: str
    rules: Mapping[str, str]
    artifacts: Sequence[Json]
    results: Iterator[JsonValue]
    _: KW_ONLY
    warnings: Sequence[str] = ()
    failures: Sequence[str] = ()
    category: str = ""
    about: str = ""


def sarif(runs: Sequence[SarifRun]) -> Mapping[str, Streamed]:
    """The log of `runs`. Columns count code points."""
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(run) for run in runs]}


def _run(run: SarifRun) -> Mapping[str, Streamed]:
    notices = [(line, "warning") for line in run.warnings]
    notices += [(line, "error") for line in run.failures]
    notifications: list[JsonValue] = [
        {"level": level, "message": message(line)} for line, level in notices
    ]
    driver: Json = {
        "name": "foureyes",
        "semanticVersion": run.foureyes,
        "rules": [_rule(id_, text) for id_, text in run.rules.items()],
    }
    written: dict[str, Streamed] = {"tool": {"driver": driver}}
    if run.category:
        told: Json = {"id": run.category}
        if run.about:
            told["description"] = message(run.about)
        written["automationDetails"] = told
    invocation: Json = {
        "executionSuccessful": not run.failures,
        "toolExecutionNotifications": notifications,
    }
    return {
        **written,
        "columnKind": "unicodeCodePoints",
        "artifacts": [*run.artifacts],
        "invocations": [invocation],
        "results": run.results,
    }


def artifact(path: str) -> Json:
    """The file `path` below the root of what is examined."""
    return {"uri": uri_reference(path), "uriBaseId": "%SRCROOT%"}


def place(location: Location | None, text: str, path: str, number: int) -> Json:
    """`location` in the text of the artifact `number`, which is `path`; None is the whole of it."""
    region: Json = {"startLine": 1} if location is None else _region(location, text)
    return {
        "physicalLocation": {
            "artifactLocation": {**artifact(path), "index": number},
            "region": region,
        }
    }


def evidence_place(item: Evidence) -> Json:
    """The words of a source that bear on a finding, in its extracted text."""
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": uri_reference(item.url)},
            "region": {
                "charOffset": item.start,
                "charLength": item.end - item.start,
                "snippet": {"text": visible(item.quote)},
            },
        },
        "message": {"text": f"{item.stance.value}, in the snapshot {item.sha256}"},
    }


def related(places: Sequence[Json]) -> Json:
    """`places` as the numbered places that a result is related to; nothing without any."""
    numbered: list[JsonValue] = [{"id": n, **one} for n, one in enumerate(places, start=1)]
    return {"relatedLocations": numbered} if numbered else {}


def _rule(id_: str, text: str) -> Json:
    name = "".join(word.capitalize() for word in id_.split("_"))
    return {"id": id_, "name": name, "shortDescription": {"text": text}}


def _region(location: Location, text: str) -> Json:
    end_line, end_column = _position(text, location)
    return {
        "startLine": location.line,
        "startColumn": location.column,
        "endLine": end_line,
        "endColumn": end_column,
        "charOffset": location.start,
        "charLength": location.end - location.start,
        "snippet": {"text": visible(text[location.start : location.end])},
    }


def _position(text: str, location: Location) -> tuple[int, int]:
    """Line and column (from 1) behind the last character of `location`."""
    inside = text[location.start : location.end]
    breaks = inside.count("\n")
    if not breaks:
        return location.line, location.column + len(inside)
    return location.line + breaks, len(inside) - inside.rfind("\n")


def message(text: str) -> Json:
    """A message that says `text`; nothing in it is a placeholder or link (SARIF 3.11.5-6)."""
    said = visible(text).replace("{", "{{").replace("}", "}}")
    return {"text": _BRACKET.sub(r"\\\g<0>", said) if "](" in said else said}
