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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import cast

from pydantic import AliasPath, BaseModel, Field, JsonValue
from pydantic_core import from_json

from ..base.errors import InputError
from ..base.files import read_document, read_document_bytes
from ..base.registry import validate
from .file import ExperimentFile, ImportedFile, ImportFile
from .folder import ExperimentFolder
from .metrics import METRICS, RATING
from .planning import Item, Plan, Trial, TrialOutcome, TrialResult, TrialWork, digest_of, failed
from .statistics.samples import Direction, Scale

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
