"""Results of other harnesses: CSV with a heading, JSONL, and the `.json` logs of Inspect.

Columns: ``item``, ``arm`` (unless the file is given as ARM=FILE), ``trial`` (1 if it is not there),
one for each metric and slice, and if selected ``outcome``, ``error``, ``cost_usd``, ``tokens``,
``seconds``, ``cluster``. Others are not looked at. People's ratings are a CSV file, too.
An `.eval` log is turned into JSON by Inspect itself: ``inspect log convert --to json``.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import cast

from pydantic import AliasPath, BaseModel, Field, JsonValue
from pydantic_core import from_json

from ...base.errors import InputError
from ...base.files import read_document, read_document_bytes
from ...base.registry import validate
from ..file import ImportedFile, ImportFile
from ..metrics import RATING
from ..planning import Trial, TrialOutcome, TrialResult

MOST_BYTES = 64 * 1024 * 1024
MOST_ID_CHARS, MOST_ERROR_CHARS = 300, 2_000
CLUSTER = "cluster"
"""The column, or the key of a sample's metadata, that says which items share their origin."""
_UNNAMED = re.compile(r"[^\w.+-]+")
_NUMBERS: Mapping[str, float | None] = {"": None, "true": 1.0, "false": 0.0}
_RATED = ("item", "arm", "trial", "rater")
Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ImportedTrial:
    """A trial as a file has it, whose `result` has no key yet; arm and metrics have plain names.

    `given` is a digest of what the item is; "" where the file does not say.
    """

    result: TrialResult
    _: KW_ONLY
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


def read_table(path: Path, arm: str, declared: ImportFile) -> ImportedResults:
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
        trials.append(_trial(row, place, arm, declared))
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


def _trial(row: Row, place: str, arm: str, declared: ImportFile) -> ImportedTrial:
    if arm and "arm" in row:
        raise InputError(f"{place}: the file has arms of its own", "give it without ARM=")
    for name in ("item",) if arm else ("item", "arm"):
        if name not in row:
            raise InputError(f"{place}: there is no column {name!r}", "add it")

    def number(name: str, cell: object = None) -> float | None:
        return number_in(row.get(name) if cell is None else cell, f"{place}, {name}")

    # A metric's column may have a name that is no plain one.
    cells = dict[str, object]((plain_name(one), row[one]) for one in reversed([*row])) | dict(row)
    outcome = _outcome(_text(row.get("outcome")), place)
    finished = outcome is not TrialOutcome.ERROR
    count = number("trial") or (1 if row.get("trial") in (None, "") else 0)
    if count < 1 or count != int(count):
        raise InputError(f"{place}: {count:g} is no number of a trial", "count them from 1")
    item = checked_id(_text(row["item"]), place)
    names = (metric.name for metric in declared.metrics.declared)
    named = {name: number(name, cells.get(name)) for name in names}
    result = TrialResult(
        Trial("", item, arm or plain_name(_text(row["arm"])), int(count), 0),
        outcome,
        error=_text(row.get("error"))[:MOST_ERROR_CHARS],
        values={name: one for name, one in named.items() if one is not None and finished},
        cost_usd=number("cost_usd"),
        tokens_in=int(number("tokens") or 0),
        seconds=number("seconds") or 0.0,
    )
    slices = {name: _text(row[name]) for name in declared.slices if name in row}
    return ImportedTrial(result, cluster=_text(row.get(CLUSTER)), slices=slices)


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


_SCORES: Mapping[str, float] = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_WORDS: Mapping[str, float] = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
MOST_LOG_BYTES = 256 * 1024 * 1024
"""Of a log."""


class _Usage(BaseModel):
    input_tokens: int = 0
    output_tokens: int = 0
    input_tokens_cache_write: int | None = None
    input_tokens_cache_read: int | None = None
    total_cost: float | None = None


class _Score(BaseModel):
    value: JsonValue = None


class _Error(BaseModel):
    message: str = ""


class _Sample(BaseModel):
    id: int | str
    epoch: int = Field(default=1, ge=1)
    input: JsonValue = None
    scores: Mapping[str, _Score] | None = None
    metadata: Mapping[str, JsonValue] = Field(default_factory=dict)
    model_usage: Mapping[str, _Usage] = Field(default_factory=dict)
    error: _Error | None = None
    total_time: float | None = None


class _Log(BaseModel):
    status: str = ""
    model: str = Field(validation_alias=AliasPath("eval", "model"))
    ids: tuple[int | str, ...] | None = Field(
        default=None, validation_alias=AliasPath("eval", "dataset", "sample_ids")
    )
    epochs: int | None = Field(default=None, validation_alias=AliasPath("eval", "config", "epochs"))
    samples: tuple[_Sample, ...] | None = None


def read_json_log(path: Path, arm: str, declared: ImportFile) -> ImportedResults:
    """The `.json` log at `path`; its arm is `arm`, or else its model.

    Raises:
        InputError: It is no such log, or too large.
    """
    data = read_document_bytes(path, max_bytes=MOST_LOG_BYTES)
    log = validate(_Log, data, f"{path}: no log of Inspect", "check the file")
    samples = log.samples or ()
    if not samples and log.status == "success":
        raise InputError(
            f"{path.name} has no samples, though it ended well", "write logs with their samples"
        )
    arm = arm or plain_name(log.model)
    trials = tuple(_sample_trial(sample, arm, declared, path.name) for sample in samples)
    names = dict.fromkeys(
        name
        for trial, sample in zip(trials, samples, strict=True)
        for name in (*trial.result.values, *sample.metadata)
    )
    ids = (checked_id(str(one), path.name) for one in log.ids or ())
    digest = hashlib.sha256(data).hexdigest()
    return ImportedResults(
        ImportedFile(file=path.name, format="inspect_json", sha256=digest),
        trials,
        items=tuple(ids),
        arm=arm,
        each=log.epochs or 1,
        columns=tuple(names),
    )


def _sample_trial(sample: _Sample, arm: str, declared: ImportFile, place: str) -> ImportedTrial:
    used = sample.model_usage.values()
    costs = [one.total_cost for one in used if one.total_cost is not None]
    cost = sum(costs) if used and len(costs) == len(used) else None
    tokens_in = sum(
        one.input_tokens + (one.input_tokens_cache_read or 0) + (one.input_tokens_cache_write or 0)
        for one in used
    )
    tokens_out = sum(one.output_tokens for one in used)
    seconds = number_in(sample.total_time, place) or 0.0
    values = dict(_values(sample))
    values.update(tokens=float(tokens_in + tokens_out), seconds=seconds)
    if cost is not None:
        values["cost_usd"] = cost
    result = TrialResult(
        Trial("", checked_id(str(sample.id), place), arm, sample.epoch, 0),
        TrialOutcome.ERROR if sample.error else TrialOutcome.FINISHED,
        error=sample.error.message[:MOST_ERROR_CHARS] if sample.error else "",
        values={} if sample.error else values,
        cost_usd=cost,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        seconds=seconds,
    )
    texts = {name: _metadata_text(value) for name, value in sample.metadata.items()}
    return ImportedTrial(
        result,
        cluster=texts.get(CLUSTER, ""),
        slices={name: texts[name] for name in declared.slices if name in texts},
        given=hashlib.sha256(json.dumps(sample.input, sort_keys=True).encode()).hexdigest(),
    )


def _values(sample: _Sample) -> Iterator[tuple[str, float]]:
    """Each score by the scorer's name, those of one with several by ``SCORER.KEY``."""
    for name, score in (sample.scores or {}).items():
        several = score.value if isinstance(score.value, dict) else {"": score.value}
        for key, value in several.items():
            number = _number(value)
            if number is not None:
                yield plain_name(f"{name}.{key}" if key else name), number


def _number(value: JsonValue) -> float | None:
    """A score as Inspect counts it by default; None for what is no number."""
    if isinstance(value, str):
        value = _SCORES.get(value, _WORDS.get(value.lower(), value))
    try:
        return number_in(value, "")
    except InputError:
        return None


def _metadata_text(value: JsonValue) -> str:
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)
