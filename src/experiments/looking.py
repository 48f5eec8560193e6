"""Looks taken while an experiment runs: each once, in order, and kept before anything follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from ..base.errors import InputError
from ..base.files import append_line, drop_torn_line, read_lines
from ..base.records import from_json, to_json
from .analysis import look_at
from .file import ExperimentFile
from .looks import LookRecord, TakenLook, planned_looks, require_same_looks, taken
from .planning import Item
from .trials import TrialResult

LOOKS = "looks.jsonl"


def recorded_looks(
    folder: Path, file: ExperimentFile, items: Sequence[Item]
) -> tuple[TakenLook, ...]:
    """The looks that were taken so far.

    Args:
        folder: The experiment's.
        file: What is declared now.
        items: All items of its plan.

    Raises:
        InputError: The record is damaged, or a look is now declared otherwise than it was taken.
    """
    path = folder / LOOKS
    if not path.exists():
        return ()
    try:
        found = tuple(from_json(LookRecord, line).look for line in read_lines(path))
    except ValidationError as error:
        raise InputError(f"{str(path)!r} is damaged", "restore it from a copy") from error
    require_same_looks(found, planned_looks(file, items))
    return found


class Looks:
    """The looks of an experiment as its results come in: a `StopRule`.

    Args:
        folder: The experiment's; looks taken before are there.
        file: What it declares.
        items: All items of its plan.

    Raises:
        InputError: As `recorded_looks`.
    """

    def __init__(self, folder: Path, file: ExperimentFile, items: Sequence[Item]) -> None:
        self._path = folder / LOOKS
        drop_torn_line(self._path)
        self._file = file
        self._items = items
        self._planned = planned_looks(file, items) if file.stopping is not None else ()
        self._taken = list(recorded_looks(folder, file, items))
        self._results: dict[str, TrialResult] = {}
        self._ended: Counter[str] = Counter()

    def add(self, result: TrialResult) -> bool:
        """Add the result of a trial. Returns whether a look is due."""
        self._results[result.trial.key] = result
        self._ended[result.trial.item] += 1
        return self._due()

    def decide(self) -> bool:
        """Take and keep the looks that are due; whether one, now or before, stops the experiment.

        Raises:
            StorageError: A look could not be kept.
        """
        while self._due():
            look = self._planned[len(self._taken)]
            found = taken(look, look_at(self._file, self._items, self._results, look))
            record = LookRecord(datetime.now(UTC), found)
            append_line(self._path, to_json(LookRecord, record, indent=None))
            self._taken.append(found)
        return bool(self._taken) and self._taken[-1].stops

    def _due(self) -> bool:
        """Whether every trial of the next look's items has ended."""
        done = len(self._taken)
        if done == len(self._planned) or (done and self._taken[-1].stops):
            return False
        each = self._file.trials * len(self._file.variants)
        return all(self._ended[item] == each for item in self._planned[done].items)
