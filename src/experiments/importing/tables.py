"""Plain results: CSV with a heading, or JSONL with an object a line, a trial each.

Columns: ``item``, ``arm`` (unless the file is given as ARM=FILE), ``trial`` (1 if it is not there),
one for each metric and slice, and if selected ``outcome``, ``error``, ``cost_usd``, ``tokens``,
``seconds``, ``cluster``. Others are not looked at. People's ratings are a CSV file, too.
"""

from __future__ import annotations

import csv
import hashlib
import io
import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import cast

from pydantic_core import from_json

from ...base.errors import InputError
from ...base.files import read_document
from ..file import ImportedFile
from ..metrics import RATING
from ..planning import TrialOutcome, TrialResult

MOST_BYTES = 64 * 1024 * 1024
MOST_TRIALS = 200_000
"""Of all files together, those that are missing among them."""
MOST_ID_CHARS, MOST_ERROR_CHARS = 300, 2_000
CLUSTER = "cluster"
"""The column, or the key of a sample's metadata, that says which items share their origin."""
_UNNAMED = re.compile(r"[^\w.+-]+")
_NUMBERS: Mapping[str, float | None] = {"": None, "true": 1.0, "false": 0.0}
_RATED = ("item", "arm", "trial", "rater")
Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ImportedTrial:
    """A trial as a file has it: `number` from 1, `arm` and metrics by plain name.

    Cost is None for an unknown price. `given` is a digest of what the item is; "" where the file
    does not say.
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
    if value is None:
        return None
    try:
        # Texts of digits alone may be very long.
        given = value[:100] if isinstance(value, str) else value
        found = float(given) if isinstance(given, float | int | str) else math.inf
    except (ValueError, OverflowError):
        found = math.inf
    if math.isinf(found):
        raise InputError(f"{place}: {str(value)[:40]!r} is no number", "correct it")
    return None if math.isnan(found) else found


def read_table(path: Path, arm: str, selection: ImportSelection) -> ImportedResults:
    """The CSV or JSONL file at `path`; its arm is `arm`, or else that of each line.

    Raises:
        InputError: It cannot be read, or a line of it is wrong.
    """
    text = read_document(path, max_bytes=MOST_BYTES)
    is_csv = path.suffix.lower() == ".csv"
    trials: list[ImportedTrial] = []
    columns: dict[str, None] = {}
    for place, row in (_csv_rows if is_csv else _jsonl_rows)(path, text):
        columns.update(dict.fromkeys(row))
        trials.append(_trial(row, place, arm, selection))
        if len(trials) > MOST_TRIALS:
            raise InputError(f"{path} has over {MOST_TRIALS:,} trials", "split it")
    if not trials:
        raise InputError(f"{path} has no trial", "give it a line for each, below the heading")
    digest = hashlib.sha256(text.encode()).hexdigest()
    file = ImportedFile(file=path.name, format="csv" if is_csv else "jsonl", sha256=digest)
    return ImportedResults(file, tuple(trials), arm=arm, columns=tuple(columns))


def _csv_rows(path: Path, text: str) -> Iterator[tuple[str, Row]]:
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        names = next(rows, list[str]())
        if len(set(names)) < len(names):
            raise InputError(f"{path}: two columns have the same name", "name each once")
        for cells in rows:
            place = f"{path}, line {rows.line_num}"
            if cells and len(cells) != len(names):
                raise InputError(
                    f"{place}: there are {len(cells)} cells and {len(names)} columns", "correct it"
                )
            if cells:
                yield place, dict(zip(names, cells, strict=True))
    except csv.Error as error:
        raise InputError(f"{path}, line {rows.line_num}: {error}", "correct it") from error


def _jsonl_rows(path: Path, text: str) -> Iterator[tuple[str, Row]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{path}, line {number}"
        try:
            row: object = from_json(line)
        except ValueError as error:
            raise InputError(f"{place}: no JSON: {error}", "correct it") from error
        if not isinstance(row, dict):
            raise InputError(f"{place}: no object", "write an object a line")
        yield place, cast("Row", row)


def _trial(row: Row, place: str, arm: str, selection: ImportSelection) -> ImportedTrial:
    if arm and "arm" in row:
        raise InputError(f"{place}: the file has arms of its own", "give it without ARM=")
    for name in ("item",) if arm else ("item", "arm"):
        if name not in row:
            raise InputError(f"{place}: there is no column {name!r}", "add it")

    def number(name: str, cell: object = None) -> float | None:
        return number_in(row.get(name) if cell is None else cell, f"{place}, {name}")

    # A metric's column may have a name that is no plain one.
    cells = dict[str, object]((plain_name(one), row[one]) for one in reversed([*row])) | dict(row)
    named = {name: number(name, cells.get(name)) for name in selection.metrics}
    outcome = _outcome(_text(row.get("outcome")), place)
    count = number("trial") or (1 if row.get("trial") in (None, "") else 0)
    if count < 1 or count != int(count):
        raise InputError(f"{place}: {count:g} is no number of a trial", "count them from 1")
    return ImportedTrial(
        checked_id(_text(row["item"]), place),
        arm or plain_name(_text(row["arm"])),
        int(count),
        outcome=outcome,
        error=_text(row.get("error"))[:MOST_ERROR_CHARS],
        values={}
        if outcome is TrialOutcome.ERROR
        else {name: one for name, one in named.items() if one is not None},
        cost_usd=number("cost_usd"),
        tokens_in=int(number("tokens") or 0),
        seconds=number("seconds") or 0.0,
        cluster=_text(row.get(CLUSTER)),
        slices={name: _text(row[name]) for name in selection.slices if name in row},
    )


def _outcome(text: str, place: str) -> TrialOutcome:
    try:
        return TrialOutcome(text.strip() or TrialOutcome.FINISHED)
    except ValueError:
        known = ", ".join(TrialOutcome)
        raise InputError(f"{place}: there is no outcome {text[:40]!r}", f"use {known}") from None


def _text(value: object) -> str:
    return "" if value is None else str(value)


def add_ratings(results: Mapping[str, TrialResult], path: Path) -> Mapping[str, TrialResult]:
    """`results` with the ratings in `path` as values ``rating.COLUMN``.

    Columns ``item`` and ``arm`` say what was rated, ``trial`` (1 if there is none) which run of
    it; a column ``rater`` is for you. Several raters of one trial are averaged.

    Raises:
        InputError: It cannot be read, or a line is of no trial or has no number.
    """
    rows = csv.DictReader(io.StringIO(read_document(path)))
    names = [name for name in rows.fieldnames or () if name not in _RATED]
    if not names or not {"item", "arm"} <= set(rows.fieldnames or ()):
        raise InputError(
            f"{path}: a ratings file has the columns item, arm and one for each rating",
            "name them in its first line",
        )
    keys = {(one.trial.item, one.trial.arm, one.trial.number): key for key, one in results.items()}
    given: defaultdict[str, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        place = f"{path}, line {rows.line_num}"
        try:
            key = keys[row["item"], row["arm"], int(row.get("trial") or 1)]
            for name in names:
                if row[name]:
                    given[key][RATING + name].append(float(row[name]))
        except KeyError:
            raise InputError(f"{place}: no such trial has ended", "check item and arm") from None
        except (TypeError, ValueError):
            raise InputError(f"{place}: a trial or a rating is no number", "correct it") from None
    rated = dict(results)
    for key, found in given.items():
        means = {name: fmean(values) for name, values in found.items()}
        rated[key] = replace(rated[key], values={**rated[key].values, **means})
    return rated
