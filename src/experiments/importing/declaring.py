"""Declaration of imported results: which metric decides, against which arm."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ...base.errors import InputError
from ...base.files import read_document
from ...base.registry import parse_yaml
from ..file import Metrics, first_mistake
from ..metrics import METRICS
from ..statistics.samples import Direction, Scale
from .model import plain_name


class ImportFile(BaseModel):
    """The file of `foureyes experiment import --declared`: an experiment file without what is run.

    Metrics have the names of the results. Those that are not ours need a direction.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(default="imported results", min_length=1, max_length=120)
    baseline: str | None = Field(
        default=None, description="The arm that others are compared with; else the first there is."
    )
    metrics: Metrics
    slices: tuple[str, ...] = Field(default=(), description="Columns, or keys of metadata.")
    seed: int = 0
    alpha: float = Field(default=0.05, gt=0, lt=0.5)
    power: float = Field(default=0.8, ge=0.5, lt=1)

    @model_validator(mode="after")
    def _measures_nothing(self) -> Self:
        for one in self.metrics.declared:
            if one.code is not None:
                raise ValueError(f"metric {one.name!r} has code, and nothing is measured again")
        return self


def read_import_file(path: Path) -> ImportFile:
    """The declaration in the YAML file `path`.

    Raises:
        InputError: It cannot be read, or is wrong; the message names the first wrong place.
    """
    data = parse_yaml(read_document(path), str(path))
    try:
        return ImportFile.model_validate(data)
    except ValidationError as error:
        raise InputError(f"{path}: {first_mistake(error)}", "correct the file") from error


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
    try:
        return ImportFile.model_validate(given if name is None else {**given, "name": name})
    except ValidationError as error:
        hint = "see --direction, --scale, --margin and --failure"
        raise InputError(f"{primary!r} cannot decide: {first_mistake(error)}", hint) from error
