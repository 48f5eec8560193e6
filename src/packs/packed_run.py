"""An unpacked run with its own rules: what a check of its pack reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, JsonValue, ValidationError

from ..assembly.model import Settings
from ..assembly.record_config import RunConfig
from ..assembly.rules import FOLDERS, VERSIONS_FILE, copied_rules, open_registry, versions
from ..base.errors import RegistryError, RunDirectoryError
from ..base.records import from_json
from ..base.registry import first_line, load_registry_file
from ..base.vocabulary import FetchMode, SearchName
from ..core.evidence_records import ClaimsFile, claims_name
from ..core.run_store import RunStore
from ..core.work import Examination
from ..report.evidence_pack import Difference, PackCheck
from ..report.pack_comparing import compare
from ..sources.policy import FETCH_FILE, FetchPolicy
from ..sources.snapshot_store import SnapshotStore
from ..verification.registry import Registry

PROGRAM = "foureyes"
PATHS = (*FOLDERS, "analyst_prompt")
"""The settings that name files, which are the pack's own or none of this machine."""

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
    held: dict[str, object] = {key: rules.get(key) for key in PATHS}
    held |= {"fetch": FetchMode.FROZEN, "search": SearchName.NONE}
    held |= {"memory": "none", "source_cache": "none"}
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
