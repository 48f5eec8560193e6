"""The directory of an experiment: what was declared, what is to be done, what it came to.

experiment.json   the manifest: state, and the round of jobs
experiment.yaml   a copy of the file
plan.json         every trial's work
results.jsonl     a `TrialResult` a line; the first of a trial counts
looks.jsonl       a `LookRecord` a line, where looks before the end are declared
analysis.json     what was last concluded, with report.md and report.html
engine/           jobs and run directories, with the engine of one machine
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..base.files import read_document, write_atomic
from ..base.records import to_json
from ..engine.work_folder import (
    RESULTS,
    WorkFolder,
    WorkKind,
    WorkState,
    make_work_folder,
    write_manifest,
)
from .file import ExperimentFile, read_experiment_file
from .looks import planned_looks
from .planning import Plan, plan
from .trials import TrialResult

COPY, PLAN = "experiment.yaml", "plan.json"
EXPERIMENT = WorkKind(
    "an experiment",
    "experiment.json",
    "foureyes experiment run",
    TrialResult,
    key=lambda result: result.trial.key,
    cost=lambda result: result.cost_usd or 0.0,
)


class ExperimentFolder(WorkFolder[TrialResult]):
    """An experiment on disk.

    Raises:
        InputError: `path` is no experiment's directory, or it is damaged.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, EXPERIMENT)
        self.file: ExperimentFile = read_experiment_file(path / COPY)

    @classmethod
    def create(cls, file: Path, root: Path, *, trusted: bool) -> ExperimentFolder:
        """A new directory below `root` for the experiment of `file`, everything checked.

        Raises:
            InputError: The file, or what it names, cannot be used.
        """
        declared = read_experiment_file(file)
        planned = plan(declared, file.parent)
        planned_looks(declared, planned.items)
        if not trusted:
            for work in planned.work:
                work.require_trust()
        return cls._made(declared.name, read_document(file), planned, root)

    @classmethod
    def imported(
        cls, declared: ExperimentFile, planned: Plan, results: Iterable[TrialResult], root: Path
    ) -> ExperimentFolder:
        """A new directory below `root` for results that other programs have made: it has ended."""
        text = declared.model_dump_json(indent=2, exclude_defaults=True)
        lines = "".join(f"{to_json(TrialResult, one, indent=None)}\n" for one in results)
        made = cls._made(declared.name, text, planned, root, lines)
        made.set(WorkState.FINISHED)
        return made

    @classmethod
    def _made(
        cls, name: str, copy: str, planned: Plan, root: Path, results: str = ""
    ) -> ExperimentFolder:
        path, manifest = make_work_folder(root, name)
        write_atomic(path / COPY, copy)
        write_atomic(path / PLAN, to_json(Plan, planned))
        if results:
            write_atomic(path / RESULTS, results)
        write_manifest(path, EXPERIMENT.manifest_file, manifest)
        return cls(path)

    def plan(self) -> Plan:
        """Every trial's work."""
        return self.read(Plan, PLAN)
