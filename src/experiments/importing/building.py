"""Imported trials to an experiment that has ended: nothing that is missing is dropped."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

from ...base.errors import InputError
from ...base.registry import validate
from ..file import ExperimentFile, ImportFile
from ..folder import ExperimentFolder
from ..metrics import METRICS
from ..planning import Item, Plan, Trial, TrialOutcome, TrialResult, TrialWork, digest_of, failed
from ..statistics.samples import Direction, Scale
from .tables import ImportedResults, ImportedTrial, plain_name, read_json_log, read_table

MOST_TRIALS = 200_000
"""Of all files together, those that are missing among them."""


def declare(
    name: str | None,
    baseline: str | None,
    slices: tuple[str, ...],
    *,
    primary: str,
    direction: Direction | None,
    scale: Scale | None,
    margin: float | None,
    failure: float | None,
) -> ImportFile:
    """A declaration of one metric.

    A binary metric that failed counts as its worse value unless `failure` says otherwise.

    Raises:
        InputError: Something of it is missing or wrong.
    """
    if primary not in METRICS and direction is None:
        raise InputError(
            f"it is not said which values of {primary!r} are good",
            "add --direction higher or --direction lower",
        )
    if failure is None and scale is Scale.BINARY:
        failure = 0.0 if direction is Direction.HIGHER else 1.0
    entry = {
        "name": plain_name(primary),
        "direction": direction,
        "scale": scale,
        "margin": margin,
        "failure": failure,
    }
    given = {"metrics": {"primary": entry}, "baseline": baseline, "slices": slices}
    return validate(
        ImportFile,
        given if name is None else {**given, "name": name},
        f"{primary!r} cannot decide",
        "see --direction, --scale, --margin and --failure",
    )


MISSING = "missing: the files have no such trial"
READERS = {".json": read_json_log, ".csv": read_table, ".jsonl": read_table}
"""By the ending of a file."""
Key = tuple[str, str, int]
"""An item, an arm and the number of a trial."""


def import_name(given: str) -> tuple[str, Path]:
    """The arm and the file of ``ARM=FILE`` or ``FILE``; "" where the file says what its arms are.

    A file that is there is one whatever its name.
    """
    arm, mark, path = given.partition("=")
    if not mark or Path(given).exists() or plain_name(arm) != arm:
        return "", Path(given)
    return arm, Path(path)


def import_results(
    names: Sequence[tuple[str, Path]], declared: ImportFile, root: Path
) -> ExperimentFolder:
    """An experiment's directory below `root` with the results of all files, named with their arms.

    Raises:
        InputError: A file cannot be read, or together they are no comparison.
    """
    found = _Gathered([_read(path, arm, declared) for arm, path in names])
    _check_names(found, declared)
    file = _file(found, declared)
    items = {name: _item(name, found.of_item[name]) for name in found.items}
    work: list[TrialWork] = []
    results: list[TrialResult] = []
    for name, item in items.items():
        for arm, number in product(file.variants, range(1, file.trials + 1)):
            trial = Trial(digest_of(file.seed, name, arm, number)[:24], name, arm, number, 0)
            work.append(TrialWork(trial, item, {}, ""))
            results.append(_result(trial, found.trials.get((name, arm, number)), declared))
    plan = Plan(tuple(items.values()), tuple(work))
    return ExperimentFolder.imported(file, plan, results, root)


def _read(path: Path, arm: str, declared: ImportFile) -> ImportedResults:
    ending = path.suffix.lower()
    if ending == ".eval":
        hint = f"inspect log convert {path} --to json --output-dir DIR, and import what it writes"
        raise InputError(f"{str(path)!r} is packed as only Inspect reads it", hint)
    if ending not in READERS:
        message = f"{str(path)!r} has none of the endings {', '.join(READERS)}"
        raise InputError(message, "rename it if it is one")
    return READERS[ending](path, arm, declared)


class _Gathered:
    """The trials of all files by item, arm and number."""

    def __init__(self, read: Sequence[ImportedResults]) -> None:
        self.read = read
        self.trials: dict[Key, ImportedTrial] = {}
        self.of_item: defaultdict[str, list[ImportedTrial]] = defaultdict(list)
        self.each: defaultdict[str, int] = defaultdict(int)
        listed: dict[str, None] = {}
        for one in read:
            if one.arm:
                self.each[one.arm] = max(self.each[one.arm], one.each)
            listed.update(dict.fromkeys(one.items))
            for trial in one.trials:
                self._add(trial, one.file.file)
        self.items = [*dict.fromkeys((*self.of_item, *listed))]

    def _add(self, found: ImportedTrial, file: str) -> None:
        trial = found.result.trial
        key = trial.item, trial.arm, trial.number
        if not trial.arm:
            raise InputError(f"{file}: item {trial.item!r} has an arm without a name", "name it")
        if key in self.trials:
            raise InputError(
                f"{file}: trial {trial.number} of item {trial.item!r} in arm {trial.arm!r} is "
                "there twice",
                "number the trials, or name the arms: ARM=FILE",
            )
        self.trials[key] = found
        self.of_item[trial.item].append(found)
        self.each[trial.arm] = max(self.each[trial.arm], trial.number)

    @property
    def trials_each(self) -> int:
        """How many trials of an item each arm has."""
        counts = {arm: count or 1 for arm, count in self.each.items()}
        if len(set(counts.values())) > 1:
            listed_counts = ", ".join(f"{arm!r} {count}" for arm, count in counts.items())
            raise InputError(
                f"the arms have different numbers of trials of an item: {listed_counts}",
                "import as many of each",
            )
        count = max(counts.values())
        if len(self.items) * len(counts) * count > MOST_TRIALS:
            raise InputError(
                f"{len(self.items):,} items in {len(counts)} arms are over {MOST_TRIALS:,} trials",
                "import a part of them",
            )
        return count


def _check_names(found: _Gathered, declared: ImportFile) -> None:
    if len(found.each) < 2:
        raise InputError(
            f"there is {len(found.each)} arm: {', '.join(found.each)}",
            "give the results of two, and name them if need be: ARM=FILE",
        )
    if len(found.items) < 2:
        raise InputError(f"there is {len(found.items)} item", "a comparison needs at least 2")
    valued = {name for trial in found.trials.values() for name in trial.result.values}
    columns = dict.fromkeys(name for one in found.read for name in one.columns)
    for entry in declared.metrics.declared:
        if entry.name not in valued and "rating." not in entry.name:
            raise InputError(
                f"no trial has a value of the metric {entry.name!r}",
                f"there are {', '.join(columns) or 'none'}",
            )
    for name in declared.slices:
        if not any(name in trial.slices for trial in found.trials.values()):
            raise InputError(f"no item has the slice {name!r}", f"there are {', '.join(columns)}")


def _file(found: _Gathered, declared: ImportFile) -> ExperimentFile:
    arms = [*found.each]
    baseline = arms[0] if declared.baseline is None else plain_name(declared.baseline)
    if baseline not in arms:
        raise InputError(f"there is no arm {baseline!r}", f"there are {', '.join(arms)}")
    given: dict[str, object] = {
        **declared.model_dump(exclude={"baseline"}),
        "variants": {arm: dict[str, object]() for arm in (baseline, *arms)},
        "baseline": baseline,
        "trials": found.trials_each,
        "imported": [one.file for one in found.read],
    }
    return validate(ExperimentFile, given, "the results are no experiment", "see the files")


def _item(name: str, trials: Sequence[ImportedTrial]) -> Item:
    """The item of all its trials, which have to agree on what it is."""
    slices = {
        key: _agreed(name, f"slice {key!r}", (trial.slices.get(key, "") for trial in trials))
        for key in dict.fromkeys(key for trial in trials for key in trial.slices)
    }
    given = _agreed(name, "input", (trial.given for trial in trials))
    return Item(
        name,
        f"sha256 {given}" if given else None,
        None,
        cluster=_agreed(name, "cluster", (trial.cluster for trial in trials)),
        slices={key: said for key, said in slices.items() if said},
    )


def _agreed(item: str, what: str, told_by: Iterable[str]) -> str:
    said = [*dict.fromkeys(filter(None, told_by))]
    if len(said) > 1:
        raise InputError(
            f"item {item!r} has another {what} in one trial than in another: "
            f"{said[0][:40]!r}, {said[1][:40]!r}",
            "only trials of the same items can be compared",
        )
    return said[0] if said else ""


def _result(trial: Trial, found: ImportedTrial | None, declared: ImportFile) -> TrialResult:
    if found is None:
        return replace(failed(trial, MISSING), cost_usd=None)
    result, primary = replace(found.result, trial=trial), declared.metrics.primary.name
    if result.outcome is TrialOutcome.FINISHED and primary not in result.values:
        reason = f"there is no value of {primary}"
        return replace(result, outcome=TrialOutcome.INCONCLUSIVE, error=reason)
    return result
