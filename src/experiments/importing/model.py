"""Results of a file, whatever wrote it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass

from ...base.errors import InputError
from ..file import ImportedFile
from ..trials import TrialOutcome

MOST_TRIALS = 200_000
"""Of all files together, those that are missing among them."""
MOST_ID_CHARS, MOST_ERROR_CHARS = 300, 2_000
CLUSTER = "cluster"
"""The column, or the key of a sample's metadata, that says which items share their origin."""
_UNNAMED = re.compile(r"[^\w.+-]+")


@dataclass(frozen=True, slots=True)
class ImportedTrial:
    """A trial as a file has it.

    Args:
        item: The item's id there.
        arm: Its arm, as a plain name.
        number: Which trial of the item in the arm it is, from 1.
        outcome: How it ended.
        error: Why it ended so; "" if it finished.
        values: Metrics by plain name.
        cost_usd: None for an unknown price.
        tokens_in: What models read.
        tokens_out: What they wrote.
        seconds: How long it took.
        cluster: The item's.
        slices: The item's.
        given: A digest of what the item is; "" where the file does not say.
    """

    item: str
    arm: str
    number: int
    _: KW_ONLY
    outcome: TrialOutcome
    error: str = ""
    values: Mapping[str, float]
    cost_usd: float | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    cluster: str = ""
    slices: Mapping[str, str]
    given: str = ""


@dataclass(frozen=True, slots=True)
class ImportedResults:
    """The trials of one file.

    Args:
        file: The file.
        trials: Its trials.
        items: The items that it says there are, if it does; some may have no trial.
        arm: The arm of a file that has only one; "" for others.
        each: How many trials of an item it says there are; 0 where it does not.
        columns: What it has that can be a metric or a slice, for messages.
    """

    file: ImportedFile
    trials: tuple[ImportedTrial, ...]
    items: tuple[str, ...] = ()
    arm: str = ""
    each: int = 0
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportSelection:
    """The metrics and slices to read of each trial, by name."""

    metrics: tuple[str, ...]
    slices: tuple[str, ...]


def plain_name(text: str) -> str:
    """`text` as a name of arms and metrics: what stands in no name becomes hyphens."""
    return _UNNAMED.sub("-", text).lstrip("_.+-")[:64]


def checked_id(text: str, place: str) -> str:
    """The id of an item.

    Raises:
        InputError: It is empty or too long.
    """
    if not text.strip() or len(text) > MOST_ID_CHARS:
        raise InputError(
            f"{place}: an item's id has {len(text)} characters", f"give it 1 to {MOST_ID_CHARS}"
        )
    return text


def number_in(value: object, place: str) -> float | None:
    """A number as files write it: None for nothing and for NaN, 1 and 0 for truth values.

    Raises:
        InputError: It is something else, or infinite.
    """
    if isinstance(value, str):
        value = _NUMBERS.get(value.strip().lower(), value.strip())
    try:
        # Texts of digits alone may be very long.
        found = (
            None
            if value is None
            else float(value)
            if isinstance(value, float | int)
            else (float(str(value)[:100]) if isinstance(value, str) else math.inf)
        )
    except (ValueError, OverflowError):
        found = math.inf
    if found is not None and math.isinf(found):
        raise InputError(f"{place}: {str(value)[:40]!r} is no number", "correct it")
    return None if found is None or math.isnan(found) else found


_NUMBERS: Mapping[str, float | None] = {"": None, "true": 1.0, "false": 0.0}
