"""Plain results: CSV with a heading, or JSONL with an object a line, a trial each.

Columns: ``item``, ``arm`` (unless the file is given as ARM=FILE), ``trial`` (1 if it is not there),
one for each metric and slice, and if selection ``outcome``, ``error``, ``cost_usd``, ``tokens``,
``seconds``, ``cluster``. Others are not looked at.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, cast

from pydantic_core import from_json

from ...base.errors import InputError
from ...base.files import read_document
from ..file import ImportedFile
from ..trials import TrialOutcome
from .model import (
    CLUSTER,
    MOST_ERROR_CHARS,
    MOST_TRIALS,
    ImportedResults,
    ImportedTrial,
    ImportSelection,
    checked_id,
    number_in,
    plain_name,
)

MOST_BYTES = 64 * 1024 * 1024
Row = Mapping[str, object]


def read_csv(path: Path, arm: str, selection: ImportSelection) -> ImportedResults:
    """The CSV file at `path`; its arm is `arm`, or else that of each line.

    Raises:
        InputError: It cannot be read, or a line of it is wrong.
    """
    text = read_document(path, max_bytes=MOST_BYTES)
    return _results(path, text, "csv", _csv_rows(path, text), arm, selection)


def read_jsonl(path: Path, arm: str, selection: ImportSelection) -> ImportedResults:
    """The same for a JSONL file.

    Raises:
        InputError: It cannot be read, or a line of it is wrong.
    """
    text = read_document(path, max_bytes=MOST_BYTES)
    return _results(path, text, "jsonl", _jsonl_rows(path, text), arm, selection)


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


def _results(
    path: Path,
    text: str,
    form: Literal["csv", "jsonl"],
    rows: Iterator[tuple[str, Row]],
    arm: str,
    selection: ImportSelection,
) -> ImportedResults:
    trials: list[ImportedTrial] = []
    columns: dict[str, None] = {}
    for place, row in rows:
        columns.update(dict.fromkeys(row))
        trials.append(_trial(row, place, arm, selection))
        if len(trials) > MOST_TRIALS:
            raise InputError(f"{path} has over {MOST_TRIALS:,} trials", "split it")
    if not trials:
        raise InputError(f"{path} has no trial", "give it a line for each, below the heading")
    digest = hashlib.sha256(text.encode()).hexdigest()
    return ImportedResults(
        ImportedFile(file=path.name, format=form, sha256=digest),
        tuple(trials),
        arm=arm,
        columns=tuple(columns),
    )


def _trial(row: Row, place: str, arm: str, selection: ImportSelection) -> ImportedTrial:
    if arm and "arm" in row:
        raise InputError(f"{place}: the file has arms of its own", "give it without ARM=")
    values = {
        name: number
        for name in selection.metrics
        if (number := number_in(_named(row, name), f"{place}, {name}")) is not None
    }
    outcome = _outcome(_text(row.get("outcome")), place)
    tokens = _amount(row, "tokens", place)
    return ImportedTrial(
        checked_id(_text(_required(row, "item", place)), place),
        arm or plain_name(_text(_required(row, "arm", place))),
        _trial_number(row, place),
        outcome=outcome,
        error=_text(row.get("error"))[:MOST_ERROR_CHARS],
        values={} if outcome is TrialOutcome.ERROR else values,
        cost_usd=number_in(row.get("cost_usd"), f"{place}, cost_usd"),
        tokens_in=int(tokens),
        seconds=_amount(row, "seconds", place),
        cluster=_text(row.get(CLUSTER)),
        slices={name: _text(row[name]) for name in selection.slices if name in row},
    )


def _named(row: Row, name: str) -> object:
    """The cell of a metric, whose column may have a name that is no plain one."""
    if name in row:
        return row[name]
    return next((cell for column, cell in row.items() if plain_name(column) == name), None)


def _required(row: Row, name: str, place: str) -> object:
    if name not in row:
        raise InputError(f"{place}: there is no column {name!r}", "add it")
    return row[name]


def _amount(row: Row, name: str, place: str) -> float:
    return number_in(row.get(name), f"{place}, {name}") or 0.0


def _trial_number(row: Row, place: str) -> int:
    found = number_in(row.get("trial"), f"{place}, trial")
    if found is None:
        return 1
    if found < 1 or found != int(found):
        raise InputError(f"{place}: {found:g} is no number of a trial", "count them from 1")
    return int(found)


def _outcome(text: str, place: str) -> TrialOutcome:
    try:
        return TrialOutcome(text.strip() or TrialOutcome.FINISHED)
    except ValueError:
        known = ", ".join(TrialOutcome)
        raise InputError(f"{place}: there is no outcome {text[:40]!r}", f"use {known}") from None


def _text(value: object) -> str:
    return "" if value is None else str(value)
