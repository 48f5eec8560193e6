"""The experiment file: items, variants and metrics, declared before any result is seen."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, model_validator

from ..assembly.model import CodeName
from ..base.call_limits import CallLimit, LimitName
from ..base.errors import InputError
from ..base.files import read_document
from ..base.registry import first_line, parse_yaml
from .metrics import METRICS, RATING
from .statistics.samples import Direction, Scale

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][\w.+-]{0,63}$")]
"""A short name without white space."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class GoldClaim(_Part):
    """What is known about some words of a draft."""

    text: str = Field(min_length=1, description="Its words, as they stand in the draft.")
    true: bool = Field(description="Whether they are true.")


class ItemEntry(_Part):
    """One item: what both arms work on. Texts may stand here, or in files beside this one."""

    id: Name
    brief: str | None = Field(default=None, description="The text of the brief.")
    brief_file: Path | None = None
    draft: str | None = Field(default=None, description="The text of a draft to examine.")
    draft_file: Path | None = None
    sources: tuple[str, ...] = Field(default=(), description="Folders, files and web addresses.")
    cluster: str = Field(default="", description="The origin that it shares with other items.")
    slices: Mapping[str, str] = Field(default_factory=dict)
    gold: tuple[GoldClaim, ...] = ()

    @model_validator(mode="after")
    def _has_one_text_each(self) -> Self:
        for name in ("brief", "draft"):
            if getattr(self, name) is not None and getattr(self, f"{name}_file") is not None:
                raise ValueError(f"item {self.id!r} has both {name} and {name}_file")
        if self.brief is self.brief_file is self.draft is self.draft_file is None:
            raise ValueError(f"item {self.id!r} has neither a brief nor a draft")
        return self


class Dataset(_Part):
    """A JSONL file with an item a line."""

    file: Path
    limit: int | None = Field(default=None, ge=1, description="Only the first so many items.")


class MetricEntry(_Part):
    """A metric. All but the name is known for our own metrics, and may be left out."""

    name: Name
    code: CodeName | None = Field(
        default=None, description="Your own function, as MODULE:NAME or FILE.py:NAME."
    )
    scale: Scale | None = None
    direction: Direction | None = None
    margin: float | None = Field(
        default=None, gt=0, allow_inf_nan=False, description="The smallest difference that matters."
    )
    failure: float | None = Field(
        default=None, allow_inf_nan=False, description="What a trial that failed counts as."
    )

    @model_validator(mode="before")
    @classmethod
    def _name_alone(cls, value: object) -> object:
        return {"name": value} if isinstance(value, str) else value

    @property
    def own(self) -> bool:
        """Whether it is code of the file's author, or what people gave."""
        return self.code is not None or self.name.startswith(RATING)

    @model_validator(mode="after")
    def _is_known(self) -> Self:
        own, known = self.own, self.name in METRICS
        if not own and not known and self.direction is None:
            raise ValueError(
                f"{unknown_metric(self.name)}; one of imported results needs a direction"
            )
        if not own and known and (self.scale or self.direction):
            raise ValueError(f"scale and direction of {self.name!r} are known: leave them out")
        if own and self.direction is None:
            raise ValueError(f"metric {self.name!r} needs a direction: higher or lower")
        return self


def unknown_metric(name: str) -> str:
    """What is said of a metric that is neither ours nor anybody's."""
    return f"there is no metric {name!r}; there are {', '.join(METRICS)}"


class Metrics(_Part):
    """What is measured. The primary metric answers the question."""

    primary: MetricEntry
    secondary: tuple[MetricEntry, ...] = ()

    @property
    def declared(self) -> tuple[MetricEntry, ...]:
        """The primary metric, then the others."""
        return (self.primary, *self.secondary)

    @model_validator(mode="after")
    def _counts_failures(self) -> Self:
        names = [one.name for one in self.declared]
        if len(set(names)) < len(names):
            raise ValueError("a metric is declared twice")
        known = METRICS.get(self.primary.name)
        if self.primary.failure is None and (known is None or known.failure is None):
            raise ValueError(
                f"primary metric {self.primary.name!r} has no worst value: add failure, which is "
                "what a trial that failed counts as"
            )
        return self


class Budgets(_Part):
    """Limits of the whole experiment, and of each run."""

    usd: Decimal | None = Field(default=None, gt=0)
    minutes: float | None = Field(default=None, gt=0)
    run_usd: Decimal | None = Field(default=None, gt=0)
    run_minutes: float | None = Field(default=None, gt=0)


class ImportedFile(_Part):
    """A file that results were taken from."""

    file: str = Field(description="Its name.")
    format: Literal["inspect_json", "inspect_eval", "csv", "jsonl"]
    sha256: str


class CallBounds(_Part):
    """How many calls all workers of the engine may make; what is left out is not limited."""

    at_once: int | None = Field(default=None, ge=1, description="Calls under way.")
    calls: int | None = Field(default=None, ge=1, description="Calls begun in any window.")
    seconds: float = Field(default=60.0, gt=0, le=86_400, description="The window.")


class EngineBounds(_Part):
    """Limits that are set on the engine when the experiment starts."""

    model: CallBounds | None = Field(default=None, description="Sessions, and their requests.")
    fetch: CallBounds | None = Field(default=None, description="Fetches and searches.")

    def given(self) -> Mapping[LimitName, CallLimit]:
        """Those that the file names."""
        named = {LimitName.MODEL: self.model, LimitName.FETCH: self.fetch}
        return {
            name: CallLimit(bounds.at_once, bounds.calls, bounds.seconds)
            for name, bounds in named.items()
            if bounds is not None
        }


class ExperimentFile(_Part):
    """The file of `foureyes experiment run`."""

    name: str = Field(min_length=1, max_length=120)
    items: tuple[ItemEntry, ...] = ()
    dataset: Dataset | None = None
    variants: Mapping[Name, Mapping[str, JsonValue]] = Field(
        min_length=2, description="Settings by variant, as in a settings file."
    )
    baseline: Name = Field(description="The variant that others are compared with.")
    trials: int = Field(default=1, ge=1, le=100, description="Runs of each item in each variant.")
    seed: int = 0
    metrics: Metrics
    slices: tuple[str, ...] = Field(default=(), description="Names in the items' slices.")
    alpha: float = Field(default=0.05, gt=0, lt=0.5)
    power: float = Field(default=0.8, ge=0.5, lt=1)
    budgets: Budgets = Budgets()
    limits: EngineBounds = EngineBounds()
    concurrency: int = Field(default=2, ge=1, le=64, description="Runs at once in one worker.")
    imported: tuple[ImportedFile, ...] = Field(
        default=(),
        description="Written by `foureyes experiment import`: results came from here, none is run.",
    )

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.baseline not in self.variants:
            raise ValueError(f"the baseline {self.baseline!r} is none of the variants")
        given = bool(self.items) or self.dataset is not None
        if not given and not self.imported:
            raise ValueError("there are no items: add items or a dataset")
        if given and self.imported:
            raise ValueError("imported results have their items already: leave out imported")
        for one in self.metrics.declared if given else ():
            if one.name not in METRICS and not one.own:
                raise ValueError(unknown_metric(one.name))
        return self

    @property
    def treatments(self) -> tuple[str, ...]:
        """The variants but for the baseline."""
        return tuple(name for name in self.variants if name != self.baseline)


def read_experiment_file(path: Path) -> ExperimentFile:
    """The experiment in the YAML file `path`.

    Raises:
        InputError: It cannot be read, or is wrong; the message names the first wrong place.
    """
    data = parse_yaml(read_document(path), str(path))
    try:
        return ExperimentFile.model_validate(data)
    except ValidationError as error:
        raise InputError(f"{path}: {told(error)}", "correct the file") from error


def told(error: ValidationError) -> str:
    """The first mistake with its place, on one line."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    reason = first_line(first["msg"].removeprefix("Value error, "))
    return f"{place}: {reason}" if place else reason
