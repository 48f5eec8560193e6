"""The `.json` logs of Inspect (inspect_ai).

An `.eval` log is turned into one by Inspect itself: ``inspect log convert --to json``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import BaseModel, Field, JsonValue, ValidationError, field_validator

from ...base.errors import InputError
from ...base.files import read_document_bytes
from ...base.registry import first_mistake
from ..file import ImportedFile
from ..planning import TrialOutcome
from .tables import (
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

_SCORES: Mapping[str, float] = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_WORDS: Mapping[str, float] = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
MOST_BYTES = 256 * 1024 * 1024
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


class _Dataset(BaseModel):
    sample_ids: tuple[int | str, ...] | None = None


class _Config(BaseModel):
    epochs: int | None = None


class _Eval(BaseModel):
    model: str
    dataset: _Dataset = _Dataset()
    config: _Config = _Config()


class _Log(BaseModel):
    status: str = ""
    eval: _Eval
    samples: tuple[_Sample, ...] = ()

    @field_validator("samples", mode="before")
    @classmethod
    def _none_is_empty(cls, value: object) -> object:
        return () if value is None else value


def read_json_log(path: Path, arm: str, selection: ImportSelection) -> ImportedResults:
    """The `.json` log at `path`; its arm is `arm`, or else its model.

    Raises:
        InputError: It is no such log, or too large.
    """
    data = read_document_bytes(path, max_bytes=MOST_BYTES)
    try:
        log = _Log.model_validate_json(data)
    except ValidationError as error:
        message = f"{path}: no log of Inspect: {first_mistake(error)}"
        raise InputError(message, "check the file") from error
    if len(log.samples) > MOST_TRIALS:
        raise InputError(f"{path.name} has over {MOST_TRIALS:,} samples", "split it")
    if not log.samples and log.status == "success":
        raise InputError(
            f"{path.name} has no samples, though it ended well", "write logs with their samples"
        )
    arm = arm or plain_name(log.eval.model)
    trials = tuple(_trial(sample, arm, selection, path.name) for sample in log.samples)
    names = dict.fromkeys(
        name
        for trial, sample in zip(trials, log.samples, strict=True)
        for name in (*trial.values, *sample.metadata)
    )
    ids = (checked_id(str(one), path.name) for one in log.eval.dataset.sample_ids or ())
    digest = hashlib.sha256(data).hexdigest()
    return ImportedResults(
        ImportedFile(file=path.name, format="inspect_json", sha256=digest),
        trials,
        items=tuple(ids),
        arm=arm,
        each=log.eval.config.epochs or 1,
        columns=tuple(names),
    )


def _trial(sample: _Sample, arm: str, selection: ImportSelection, place: str) -> ImportedTrial:
    failed = sample.error is not None
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
    return ImportedTrial(
        checked_id(str(sample.id), place),
        arm,
        sample.epoch,
        outcome=TrialOutcome.ERROR if failed else TrialOutcome.FINISHED,
        error=sample.error.message[:MOST_ERROR_CHARS] if sample.error else "",
        values={} if failed else values,
        cost_usd=cost,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        seconds=seconds,
        cluster=_text(sample.metadata.get(CLUSTER)),
        slices={
            name: _text(sample.metadata[name])
            for name in selection.slices
            if name in sample.metadata
        },
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


def _text(value: JsonValue) -> str:
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)
