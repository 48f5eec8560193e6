"""An arm of one experiment against one of another, on the items that they share."""

from __future__ import annotations

from dataclasses import replace

from ..base.errors import InputError
from .analysis import Analysis, analyse
from .folder import ExperimentFolder
from .trials import TrialResult


def compared(before: ExperimentFolder, after: ExperimentFolder, arm: str | None = None) -> Analysis:
    """What changed from `before` to `after`, by the metrics that `before` declares.

    Items count as shared if all of them that the runs were given is the same.

    Args:
        before: The control.
        after: What is compared with it.
        arm: The arm of both; the baseline of each if it is None.

    Raises:
        InputError: They have no such arm, or share no items.
    """
    arms = (arm or before.file.baseline, arm or after.file.baseline)
    for folder, name in zip((before, after), arms, strict=True):
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
    for folder, name, label in zip((before, after), arms, ("before", "after"), strict=True):
        for key, result in folder.results().items():
            if result.trial.arm == name and result.trial.item in shared:
                trial = replace(result.trial, arm=label)
                results[f"{label} {key}"] = replace(result, trial=trial)
    variants = {"before": before.file.variants[arms[0]], "after": after.file.variants[arms[1]]}
    changes = {"variants": variants, "baseline": "before", "stopping": None}
    file = before.file.model_copy(update=changes)
    return analyse(file, items, results)
