"""Records of a pack that nothing computes again, held to the form in which a run writes them.

What a reader of the file sees is then what a program reads of it: no key that is not known, none
that stands twice, no record under the name of another.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue, ValidationError

from ..assembly.record_config import REPLAY_FILE
from ..assembly.rules import VERSIONS_FILE, versions
from ..base.files import from_json, to_json
from ..base.registry import first_line
from ..core.iteration import DECISIONS_FILE as REVIEW_DECISIONS
from ..core.iteration import ReviewDecision
from ..core.record_folder import RecordedTurn, RunEvent, program_version
from ..report.evidence_pack import Difference, PackCheck, run_files
from ..sources.model import Snapshot
from ..sources.scoring.appraisal import OVERRIDES_FILE, Override
from ..sources.scoring.gaps import DECISIONS_FILE as GAP_DECISIONS
from ..sources.scoring.gaps import GapDecision
from ..sources.search.searching import RunAnswers, SearchRecord
from ._packed_run import EVENTS, PackedRun, differs


@dataclass(frozen=True, slots=True)
class _ReplayOf:
    """The run that a replay was made from."""

    id: str
    path: str


_KINDS: tuple[tuple[str, Any], ...] = (
    (r"turns/[^/]+\.json", RecordedTurn),
    (r"searches/[^/]+\.json", SearchRecord),
    (r"sources/[0-9a-f]{64}\.json", Snapshot),
    (re.escape(GAP_DECISIONS), tuple[GapDecision, ...]),
    (re.escape(REVIEW_DECISIONS), tuple[ReviewDecision, ...]),
    (re.escape(OVERRIDES_FILE), tuple[Override, ...]),
    (re.escape(REPLAY_FILE), _ReplayOf),
)


def written_differences(run: PackedRun) -> Iterator[Difference]:
    """Members that are JSON and not as this version writes them.

    Raises:
        FoureyesError: A record is damaged.
    """
    same_program = run.store.manifest.foureyes == program_version()
    for name, path in run_files(run.folder):
        if name.endswith((".json", ".jsonl")):
            text = path.read_bytes().decode("utf-8", "replace")
            yield from _twice(name, text.split("\n") if name == EVENTS else [text])
            if same_program:
                yield from _otherwise(run, name, text)
    if same_program:
        yield from _unknown_versions(run)


def _twice(name: str, texts: list[str]) -> Iterator[Difference]:
    """Keys that stand twice in one object: which of them counts depends on who reads it."""
    found: list[str] = []

    def pairs(members: list[tuple[str, JsonValue]]) -> None:
        times = Counter(key for key, _ in members)
        found.extend(key for key, count in times.items() if count > 1)

    for text in filter(None, texts):
        try:
            json.loads(text, object_pairs_hook=pairs)
        except (ValueError, RecursionError):
            # Whatever reads the member reports it.
            return
    for key in found:
        yield differs(name, key, "a key that stands twice", "each key once")


def _otherwise(run: PackedRun, name: str, text: str) -> Iterator[Difference]:
    """Where a record says more than is read of it."""
    if name == EVENTS:
        for line in filter(None, text.split("\n")):
            yield from _read_back(run, name, RunEvent, line)
    for pattern, kind in _KINDS:
        if re.fullmatch(pattern, name):
            yield from _read_back(run, name, kind, text)


def _read_back(run: PackedRun, name: str, kind: Any, text: str) -> Iterator[Difference]:
    try:
        now = to_json(kind, from_json(kind, text))
    except ValidationError as error:
        yield differs(name, "", "a damaged record", first_line(str(error)))
        return
    if kind is SearchRecord:
        record = from_json(SearchRecord, text)
        folder = RunAnswers((run.folder / name).parent)
        if folder.find(record.provider, record.query) != record:
            yield differs(name, "query", record.query, "a question of another name")
    recorded, found = (json.dumps(json.loads(one), sort_keys=True) for one in (text, now))
    yield from run.compare(PackCheck.RECORDS, name, recorded, found)


def _unknown_versions(run: PackedRun) -> Iterator[Difference]:
    """Components that this version of the program does not name."""
    if (run.folder / VERSIONS_FILE).exists():
        made = from_json(dict[str, str], run.store.read(VERSIONS_FILE))
        for name in sorted(made.keys() - versions().keys()):
            yield differs(VERSIONS_FILE, name, made[name], "no such component")
