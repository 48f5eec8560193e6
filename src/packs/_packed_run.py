"""An unpacked run with its own rules and sources: what a check of its pack reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias, TypeVar

from pydantic import BaseModel, JsonValue, ValidationError

from ..assembly.model import Settings
from ..assembly.record_config import ALONE, RunConfig
from ..assembly.rules import OWN_FILES, VERSIONS_FILE, copied_rules, open_registry, versions
from ..base.errors import RegistryError, RunDirectoryError, SnapshotError
from ..base.files import from_json, to_json
from ..base.registry import first_line, load_registry_file
from ..core.artefacts import EvidenceRecord, FactCheck
from ..core.critique import MAP_FILE
from ..core.evidence_map import ClaimEvidenceMap
from ..core.iteration import LEDGER_FILE, ClaimsFile, claims_name
from ..core.run_store import RunStore
from ..core.work import Examination
from ..report.evidence_pack import Difference, PackCheck, compare, shown
from ..sources.model import Snapshot, Source
from ..sources.policy import FETCH_FILE, FetchPolicy
from ..sources.reading import reread, same_reading
from ..sources.snapshot_store import SnapshotStore
from ..verification.model import Evidence, Ledger, Passage
from ..verification.registry import Registry

PROGRAM = "foureyes"
EVENTS, ANALYTICS = "events.jsonl", "analytics.json"
DECISIONS = ("gap_decisions.json", "review_decisions.json", "source_overrides.json")
"""What people decided, which no program computes."""

T = TypeVar("T")


class _Entry(BaseModel):
    """Tells an examination in the journal from a turn."""

    findings: JsonValue = None


@dataclass(frozen=True, slots=True)
class PackedRun:
    """A run directory that came out of a pack.

    `recorded` are the settings as they stand in it, `settings` the same, held to the pack's rules
    and to no network. `changed` maps what has another version here to both versions.
    """

    store: RunStore
    recorded: Settings
    settings: Settings
    registry: Registry
    policy: FetchPolicy
    snapshots: SnapshotStore
    changed: Mapping[str, str]

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return self.store.path

    @property
    def other_version(self) -> bool:
        """Whether something that decides verdicts has another version here."""
        return bool(self.changed.keys() - {"python"})

    def iterations(self) -> Iterator[int]:
        """The iterations that have a list of claims."""
        number = 1
        while (self.folder / "iterations" / claims_name(number)).exists():
            yield number
            number += 1

    def claims(self, iteration: int) -> ClaimsFile:
        """The list of claims of an iteration."""
        return self.record(ClaimsFile, f"iterations/{claims_name(iteration)}")

    def record(self, kind: type[T], name: str) -> T:
        """The file `name` as a `kind`.

        Raises:
            RunDirectoryError: It is missing or damaged.
        """
        try:
            return from_json(kind, self.store.read(name))
        except ValidationError as error:
            raise RunDirectoryError(f"{name} is damaged: {first_line(str(error))}") from error

    def compare(
        self, check: PackCheck, member: str, recorded: str, found: str, apart: Sequence[str] = ()
    ) -> Iterator[Difference]:
        """Differences of the text `found` from the `recorded` text of a member."""
        other = self.other_version
        return compare(check, member, recorded, found, other_version=other, apart=apart)

    def examination(self, iteration: int, critic: str) -> Examination | None:
        """A critic's answer in the journal; None unless there is exactly one.

        Raises:
            RunDirectoryError: An entry is damaged.
        """
        found: list[Examination] = []
        for path in self.store.journal.glob(f"{iteration}-{critic}.*.json"):
            name = f"journal/{path.name}"
            # The turns of a critic are kept under the same name as its answer.
            if self.record(_Entry, name).findings is not None:
                found.append(self.record(Examination, name))
        return found[0] if len(found) == 1 else None


def open_packed(folder: Path) -> PackedRun:
    """The run in `folder`, which came out of a pack.

    Raises:
        FoureyesError: A file that everything rests on is missing or damaged.
    """
    store = RunStore.open(folder)
    rules = copied_rules(folder)
    held = {**ALONE, **{key: rules.get(key) for key in OWN_FILES}}
    recorded = store.config(RunConfig).settings
    settings = recorded.model_copy(update=held)
    changed = changed_versions(store)
    try:
        registry = open_registry(settings)
    except RegistryError as error:
        if not changed:
            raise
        # Another version may have laid its rules out otherwise; ours are the next best.
        changed["rules"] = f"those in the pack cannot be read here: {error.message}"
        settings = settings.model_copy(update={"registry_dir": None})
        registry = open_registry(settings)
    registry = registry.without(settings.skip_challenges)
    policy = load_registry_file(FetchPolicy, FETCH_FILE, settings.registry_dir)
    snapshots = SnapshotStore(store.sources)
    return PackedRun(store, recorded, settings, registry, policy, snapshots, changed)


def changed_versions(store: RunStore) -> dict[str, str]:
    """Components whose version differs from the one that made the run, with both versions.

    Raises:
        RunDirectoryError: `versions.json` is damaged, or not of this run.
    """
    made: dict[str, str] = {}
    if (store.path / VERSIONS_FILE).exists():
        try:
            made |= from_json(dict[str, str], store.read(VERSIONS_FILE))
        except ValidationError as error:
            raise RunDirectoryError(f"{VERSIONS_FILE} is damaged") from error
    program = store.manifest.foureyes
    if made.setdefault(PROGRAM, program) != program:
        raise RunDirectoryError(
            f"{VERSIONS_FILE} names foureyes {made[PROGRAM]!r}, and run.json {program!r}"
        )
    here = versions()
    return {
        name: f"{version} there, {here.get(name, 'none')} here"
        for name, version in made.items()
        if here.get(name) != version
    }


_NAME = re.compile(r"[0-9a-f]{64}")
_PARTS = ("txt", "json")


def snapshot_differences(run: PackedRun) -> tuple[Iterator[Difference], int]:
    """Snapshots whose bytes, text or metadata are not what they say; how many there are."""
    names = {path.name for path in run.store.sources.glob("*")}
    snapshots = {name for name in names if _NAME.fullmatch(name)}
    return _of_snapshots(run, names, snapshots), len(snapshots)


def _of_snapshots(run: PackedRun, names: set[str], snapshots: set[str]) -> Iterator[Difference]:
    for name in sorted(names):
        sha256, _, suffix = name.partition(".")
        if name in snapshots:
            yield from _snapshot(run, name)
        elif sha256 not in snapshots or suffix not in _PARTS:
            told = "a part of a snapshot", "a file of another name"
            yield Difference(PackCheck.SNAPSHOTS, f"sources/{name}", "", *told)
    for iteration in run.iterations():
        for source in run.claims(iteration).sources.values():
            yield from _cited(run, source, iteration)


def _snapshot(run: PackedRun, sha256: str) -> Iterator[Difference]:
    member = f"sources/{sha256}"
    try:
        body = run.snapshots.get(sha256)
        member = f"sources/{sha256}.json"
        stored = run.snapshots.snapshot(sha256)
        member = f"sources/{sha256}.txt"
        text = run.snapshots.text(sha256)
    except SnapshotError as error:
        yield Difference(PackCheck.SNAPSHOTS, member, "", "what its hash says", str(error))
        return
    found_text, found = reread(body, stored, run.policy)
    yield from run.compare(PackCheck.SNAPSHOTS, f"sources/{sha256}.txt", text, found_text)
    recorded, now = to_json(Snapshot, stored), to_json(Snapshot, found)
    yield from run.compare(PackCheck.SNAPSHOTS, f"sources/{sha256}.json", recorded, now)


def _cited(run: PackedRun, source: Source, iteration: int) -> Iterator[Difference]:
    """Compare the snapshot in the list of claims with the stored one."""
    kept = source.snapshot
    if kept is None:
        return
    try:
        stored = run.snapshots.snapshot(kept.sha256)
        if kept == stored or same_reading(
            kept, reread(run.snapshots.get(kept.sha256), kept, run.policy)[1]
        ):
            return
        found = to_json(Snapshot, stored)
    except SnapshotError as error:
        found = str(error)
    member = f"iterations/{claims_name(iteration)}"
    recorded, apart = to_json(Snapshot, kept), ("url_chain", "fetched_at", "headers", "status")
    for one in run.compare(PackCheck.SNAPSHOTS, member, recorded, found, apart):
        yield replace(one, place=f"sources.{source.url}.snapshot.{one.place}")


Quoted: TypeAlias = tuple[str, str, str, str, int, int]
"""The member and claim that record a quote, its snapshot, the quote, and its place there."""


def all_quotes(run: PackedRun) -> Iterator[Quoted]:
    """Every quote of a source in the pack."""
    for iteration in run.iterations():
        name = f"iterations/{claims_name(iteration)}"
        for id_, assessment in run.claims(iteration).assessments.items():
            yield from _quoted(name, id_, assessment.evidence)
            yield from _quoted(name, id_, assessment.passages)
        name = f"iterations/fact_check_iteration_{iteration}.json"
        if (run.folder / name).exists():
            check = run.record(FactCheck, name)
            for id_, verdict in check.claims.items():
                yield from _quoted(name, id_, verdict.evidence)
            for claim in check.additional_claims:
                yield from _quoted(name, "", [claim.evidence] if claim.evidence else [])
    yield from _verify_quotes(run)


def _verify_quotes(run: PackedRun) -> Iterator[Quoted]:
    """The quotes of ledgers and evidence maps."""
    for path in sorted((run.folder / "verify").rglob("*.json")):
        name = path.relative_to(run.folder).as_posix()
        if path.name == LEDGER_FILE:
            for entry in run.record(Ledger, name).entries:
                yield from _quoted(name, entry.claim_id, entry.evidence)
        elif path.name == MAP_FILE:
            for claim in run.record(ClaimEvidenceMap, name).claims:
                for one in claim.evidence:
                    yield name, claim.claim_id, one.source_id, one.snippet, one.start, one.end


def quote_differences(run: PackedRun, quoted: Iterable[Quoted]) -> Iterator[Difference]:
    """Those of `quoted` that do not stand in their snapshot at their offsets."""
    for member, claim_id, sha256, quote, start, end in quoted:
        try:
            found = run.snapshots.text(sha256)[max(0, start) : max(0, end)]
        except SnapshotError as error:
            found = f"no text: {error}"
        if found != quote:
            told = f"{sha256}[{start}:{end}]", shown(quote), shown(found), claim_id
            yield Difference(PackCheck.QUOTES, member, *told)


def _quoted(
    member: str, claim_id: str, records: Iterable[Evidence | Passage | EvidenceRecord]
) -> Iterator[Quoted]:
    for one in records:
        quote = one.text if isinstance(one, Passage) else one.quote
        yield member, claim_id, one.sha256, quote, one.start, one.end


def differs(member: str, place: str, recorded: str, found: str) -> Difference:
    """A place at which one of the run's own records does not agree with the others."""
    return Difference(PackCheck.RECORDS, member, place, recorded[:300], found[:300])
