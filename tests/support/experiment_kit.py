"""A small experiment of two items, and results without any run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from foureyes.core.approval import RunStatus
from foureyes.experiments.planning import Item, Trial
from foureyes.experiments.trials import TrialOutcome, TrialResult
from support.commands import EXAMPLES

FILE: Mapping[str, object] = {
    "name": "two items",
    "dataset": {"file": "items.jsonl", "limit": 2},
    "variants": {
        "reviewer": {"mode": "analyze_and_review", "fetch": "none"},
        "fact_checker": {"mode": "analyze_review_with_fact_check", "fetch": "none"},
    },
    "baseline": "reviewer",
    "metrics": {"primary": "all_false_claims_caught"},
}


def write_experiment(folder: Path, **changes: object) -> Path:
    """An experiment file with the shipped example's items; JSON is YAML."""
    shipped = EXAMPLES / "experiment"
    if not (folder / "items.jsonl").exists():
        (folder / "items.jsonl").symlink_to(shipped / "items.jsonl")
        (folder / "sources").symlink_to(shipped / "sources")
    path = folder / "experiment.yaml"
    path.write_text(json.dumps({**FILE, **changes}), encoding="utf-8")
    return path


def items(count: int) -> list[Item]:
    """So many items without content."""
    return [Item(f"item-{at}", None, "draft", slices={}) for at in range(count)]


def result(
    item: str, arm: str, value: float | None, outcome: TrialOutcome = TrialOutcome.FINISHED
) -> TrialResult:
    """The only trial of `item` in `arm`, with a value of `accepted`."""
    values = {} if value is None else {"accepted": value}
    trial = Trial(f"{item}-{arm}", item, arm, 1, 0)
    return TrialResult(trial, outcome, status=RunStatus.REVIEWED, values=values)


def by_key(results: Sequence[TrialResult]) -> dict[str, TrialResult]:
    """The results by their trials' keys."""
    return {one.trial.key: one for one in results}
