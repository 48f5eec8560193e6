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
from dataclasses import replace
from pathlib import Path

from ..assembly.jobs import read_yaml
from ..base.errors import InputError
from ..base.files import read_document, to_json, write_atomic
from ..engine.work_folder import RESULTS, WorkFolder, WorkKind, WorkState, make_work_folder
from .analysis import Analysis, analyse, planned_looks
from .file import ExperimentFile
from .planning import Plan, TrialResult, plan

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
        self.file: ExperimentFile = read_yaml(ExperimentFile, path / COPY)

    @classmethod
    def create(cls, file: Path, root: Path, *, trusted: bool) -> ExperimentFolder:
        """A new directory below `root` for the experiment of `file`, everything checked.

        Raises:
            InputError: The file, or what it names, cannot be used.
        """
        declared = read_yaml(ExperimentFile, file)
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
        with make_work_folder(root, name, EXPERIMENT.manifest_file) as path:
            write_atomic(path / COPY, copy)
            write_atomic(path / PLAN, to_json(Plan, planned))
            if results:
                write_atomic(path / RESULTS, results)
        return cls(path)

    def plan(self) -> Plan:
        """Every trial's work."""
        return self.read(Plan, PLAN)


def analyse_folder(folder: ExperimentFolder) -> Analysis:
    """Analyse the results of `folder` so far."""
    return analyse(folder.file, folder.plan().items, folder.results())


def compare_experiments(
    before: ExperimentFolder, after: ExperimentFolder, arm: str | None = None
) -> Analysis:
    """Compare `after` with `before` by the metrics that `before` declares.

    Items count as shared if all of them that the runs were given is the same.

    Args:
        before: The control.
        after: What is compared with it.
        arm: The arm of both; the baseline of each if it is None.

    Raises:
        InputError: They have no such arm, or share no items.
    """
    sides = {
        "before": (before, arm or before.file.baseline),
        "after": (after, arm or after.file.baseline),
    }
    for folder, name in sides.values():
        if name not in folder.file.variants:
            raise InputError(f"{str(folder.path)!r} has no arm {name!r}", "see experiment.yaml")
    if before.file.trials != after.file.trials:
        raise InputError(
            "the experiments have different numbers of trials", "compare those with the same"
        )
    theirs = {item.id: item for item in after.plan().items}
    items = [item for item in before.plan().items if theirs.get(item.id) == item]
    if len(items) < 2:
        raise InputError(f"the experiments share {len(items)} items", "a comparison needs 2")
    shared = {item.id for item in items}
    results: dict[str, TrialResult] = {}
    for label, (folder, name) in sides.items():
        for key, result in folder.results().items():
            if result.trial.arm == name and result.trial.item in shared:
                trial = replace(result.trial, arm=label)
                results[f"{label} {key}"] = replace(result, trial=trial)
    variants = {label: folder.file.variants[name] for label, (folder, name) in sides.items()}
    changes = {"variants": variants, "baseline": "before", "stopping": None}
    file = before.file.model_copy(update=changes)
    return analyse(file, items, results)
