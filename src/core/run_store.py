"""The run directory: the truth about a run."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from pydantic import BaseModel

from ..base.files import from_json, storage_errors, to_json
from ..base.vocabulary import GateDecision, Recommendation, ResearchMode
from .approval import ApprovalBasis, RunStatus
from .artefacts import ArtefactFile
from .config import Config, PipelineMode
from .iteration import FindingChanges
from .record_folder import COMMON_FOLDERS, FolderKind, FolderManifest, RecordFolder, program_version
from .work import Material


@dataclass(frozen=True, slots=True)
class RunInputs:
    """The inputs of a run: with its configuration, enough to run it again."""

    brief: str
    as_of: date
    materials: tuple[Material, ...] = ()
    draft: str | None = None


class IterationSummary(Config):
    """One iteration as the manifest keeps it. `supported` is None without an evidence gate."""

    iteration: int
    votes: Mapping[str, Recommendation]
    failures: Mapping[str, str]
    gate: GateDecision | None
    severities: Mapping[str, int]
    changes: FindingChanges
    supported: int | None


class Manifest(FolderManifest):
    """`run.json`. `status` is None while the run is under way.

    `research_mode` is that of the gate's profile `research`; None for `document`, or no gate.
    """

    mode: PipelineMode
    research_mode: ResearchMode | None = None
    as_of: date
    status: RunStatus | None = None
    best_iteration: int | None = None
    approval_basis: ApprovalBasis | None = None
    judge_failed: bool = False
    settlement_blocked: bool = False
    iterations: tuple[IterationSummary, ...] = ()


RUN_FOLDER = FolderKind(
    "run", "run.json", Manifest, ("iterations", *COMMON_FOLDERS, "verify"), "foureyes run"
)


class RunStore(RecordFolder[Manifest]):
    """One run directory: artefacts beside what every record folder has."""

    def __init__(self, path: Path, manifest: Manifest) -> None:
        super().__init__(path, manifest, RUN_FOLDER)

    @classmethod
    def create(
        cls,
        root: Path,
        inputs: RunInputs,
        config: BaseModel,
        *,
        mode: PipelineMode,
        research_mode: ResearchMode | None = None,
        now: datetime,
        contents: Path | None = None,
    ) -> RunStore:
        """Make `root/<utc>_<slug>_<id>/` with everything that a resume needs.

        `config` is whatever the caller wants to find again with `config`. `now` is UTC. `contents`
        is a folder whose files the directory begins with.

        Raises:
            StorageError: The file system refused.
        """
        title = brief_title(inputs.brief)
        with RUN_FOLDER.making(root, title, now, contents) as new:
            manifest = Manifest(
                foureyes=program_version(),
                id=new.id,
                title=title,
                mode=mode,
                research_mode=research_mode,
                as_of=inputs.as_of,
                started=now.astimezone(UTC),
            )
            store = cls(new.unfinished, manifest)
            store.write("brief.md", inputs.brief)
            store.write_config(config)
            store.write("materials.json", to_json(tuple[Material, ...], inputs.materials) + "\n")
            if inputs.draft is not None:
                store.write("draft.md", inputs.draft)
            store.save(manifest)
        return cls(new.path, manifest)

    @classmethod
    def open(cls, path: Path) -> RunStore:
        """Open an existing run directory.

        Raises:
            RunDirectoryError: It is not one, is damaged, or comes from a newer version.
        """
        return cls(path, read_manifest(path))

    def inputs(self) -> RunInputs:
        """The inputs of the run.

        Raises:
            RunDirectoryError: A file is missing or damaged.
        """
        has_draft = (self.path / "draft.md").exists()
        with self.damaged("materials.json"):
            materials = from_json(tuple[Material, ...], self.read("materials.json"))
        return RunInputs(
            brief=self.read("brief.md"),
            as_of=self.manifest.as_of,
            materials=materials,
            draft=self.read("draft.md") if has_draft else None,
        )

    def write_verify(self, files: Iterable[ArtefactFile], *, previous: int | None) -> None:
        """Put `files` into `verify/`; those there move to `verify/iteration_<previous>/`.

        Files of an earlier session that are not replaced are removed.
        """
        folder, files = self.path / "verify", tuple(files)
        if previous is None:
            _remove_others(folder, {file.name for file in files})
        else:
            archive = folder / f"iteration_{previous}"
            with storage_errors(archive, "create"):
                archive.mkdir(exist_ok=True)
            _remove_others(archive, ())
            with storage_errors(archive, "move to"):
                for path in folder.glob("*.json"):
                    os.replace(path, archive / path.name)
        for file in files:
            self.write(f"verify/{file.name}", file.text)


def _remove_others(folder: Path, kept: Collection[str]) -> None:
    with storage_errors(folder, "tidy up"):
        for path in folder.glob("*.json"):
            if path.name not in kept:
                path.unlink()


def read_manifest(path: Path) -> Manifest:
    """The manifest of the run directory `path`.

    Raises:
        RunDirectoryError: As `RunStore.open`.
    """
    return RUN_FOLDER.read_manifest(path)


def brief_title(brief: str) -> str:
    """The first line of a brief that has words, without its heading mark; cut to 120 characters."""
    for line in brief.splitlines():
        title = line.strip().lstrip("#").strip()
        if title:
            return title[:120]
    return "untitled"
