"""The experiment file: items, variants and metrics, declared before any result is seen."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal, Self, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, model_validator

from ..assembly.jobs import GivenTexts
from ..assembly.model import CodeName
from ..base.call_limits import LimitName
from .metrics import METRICS, RATING, Task
from .statistics.power import Spending
from .statistics.samples import Direction, MetricSpec, Scale

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][\w.+-]{0,63}$")]
"""A short name without white space."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class GoldClaim(_Part):
    """A labelled claim: words of a draft, and whether they are true."""

    text: str = Field(min_length=1, description="Its words, as they stand in the draft.")
    true: bool = Field(description="Whether they are true.")

    @model_validator(mode="before")
    @classmethod
    def _true_is_a_name(cls, value: object) -> object:
        """In YAML ``true`` without quotation marks is no text."""
        if not isinstance(value, dict):
            return value
        given = cast("dict[object, object]", value)
        return {"true" if key is True else key: one for key, one in given.items()}


class ItemEntry(GivenTexts):
    """One item: what both arms work on. Texts may stand here, or in files beside this one."""

    id: Name
    cluster: str = Field(default="", description="The origin that it shares with other items.")
    slices: Mapping[str, str] = Field(default_factory=dict)
    gold: tuple[GoldClaim, ...] = ()


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

    @property
    def own(self) -> bool:
        """Whether it is code of the file's author, or what people gave."""
        return self.code is not None or self.name.startswith(RATING)

    @property
    def spec(self) -> MetricSpec:
        """The metric with what is known of it."""
        ours = METRICS.get(self.name)
        scale = ours.scale if ours else self.scale or Scale.NUMERIC
        direction = (ours and ours.direction) or self.direction or Direction.HIGHER
        return MetricSpec(self.name, scale, direction, self.margin)

    @property
    def worst(self) -> float | None:
        """What a trial that failed counts as; None where that is not known."""
        ours = METRICS.get(self.name)
        return ours.failure if ours and self.failure is None else self.failure

    @model_validator(mode="after")
    def _is_known(self) -> Self:
        known = None if self.own else METRICS.get(self.name)
        if known is None and not self.own and self.direction is None:
            raise ValueError(
                f"{unknown_metric(self.name)}; one of imported results needs a direction"
            )
        if known and (self.scale or (self.direction and known.direction)):
            raise ValueError(f"scale and direction of {self.name!r} are known: leave them out")
        if self.direction is None and (known is None or known.direction is None):
            raise ValueError(f"metric {self.name!r} needs a direction: higher or lower")
        return self


def _named(value: object) -> object:
    return {"name": value} if isinstance(value, str) else value


Metric = Annotated[MetricEntry, BeforeValidator(_named, json_schema_input_type=Name | MetricEntry)]
"""A metric; one of ours may be given by its name alone."""


def unknown_metric(name: str) -> str:
    """Error message for an unknown metric."""
    return f"there is no metric {name!r}; there are {', '.join(METRICS)}"


class Metrics(_Part):
    """The declared metrics. The primary metric answers the question."""

    primary: Metric
    secondary: tuple[Metric, ...] = ()

    @property
    def declared(self) -> tuple[MetricEntry, ...]:
        """The primary metric, then the others."""
        return (self.primary, *self.secondary)

    @model_validator(mode="after")
    def _counts_failures(self) -> Self:
        names = [one.name for one in self.declared]
        if len(set(names)) < len(names):
            raise ValueError("a metric is declared twice")
        if self.primary.worst is None:
            raise ValueError(
                f"primary metric {self.primary.name!r} has no worst value: add failure, which is "
                "what a trial that failed counts as"
            )
        return self


class Stopping(_Part):
    """Looks before the end, at which the primary metric may end the experiment."""

    spending: Spending = Field(
        default=Spending.OBRIEN_FLEMING, description="How the error is laid out over the looks."
    )
    looks: tuple[Annotated[float, Field(gt=0, lt=1, allow_inf_nan=False)], ...] = Field(
        default=(), description="Shares of the items, rising. That at the end is always taken."
    )
    every: int | None = Field(
        default=None, ge=1, description="In place of looks: one after every so many items."
    )

    @model_validator(mode="after")
    def _is_one_of_both(self) -> Self:
        if bool(self.looks) is (self.every is not None):
            raise ValueError("give looks, such as [0.5, 0.75], or every, a number of items")
        if list(self.looks) != sorted(set(self.looks)):
            raise ValueError("looks must rise")
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
    format: Literal["inspect_json", "csv", "jsonl"]
    sha256: str


class CallBounds(_Part):
    """How many calls all workers of the engine may make; what is left out is not limited."""

    at_once: int | None = Field(default=None, ge=1, description="Calls under way.")
    calls: int | None = Field(default=None, ge=1, description="Calls begun in any window.")
    seconds: float = Field(default=60.0, gt=0, le=86_400, description="The window.")


class ExperimentFile(_Part):
    """The file of `foureyes experiment run`."""

    name: str = Field(min_length=1, max_length=120)
    task: Task = Field(default=Task.RUN, description="What each trial does with its item.")
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
    stopping: Stopping | None = None
    budgets: Budgets = Budgets()
    limits: Mapping[LimitName, CallBounds] = Field(
        default_factory=dict[LimitName, CallBounds],
        description="Limits that are set on the engine when it starts.",
    )
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
        for item in self.items:
            item.require(self.task, f"item {item.id!r}: task: {self.task}")
        known = METRICS.get(self.metrics.primary.name)
        if known is not None and self.task not in known.tasks:
            its_own = [name for name, one in METRICS.items() if self.task in one.tasks]
            raise ValueError(
                f"metric {self.metrics.primary.name!r} is nothing that task: {self.task} measures; "
                f"it measures {', '.join(its_own[:3])} and {len(its_own) - 3} more"
            )
        if self.stopping is not None and self.metrics.primary.name.startswith(RATING):
            raise ValueError("ratings come after the end: they cannot be primary with stopping")
        return self

    @property
    def treatments(self) -> tuple[str, ...]:
        """The variants but for the baseline."""
        return tuple(name for name in self.variants if name != self.baseline)


class ImportFile(_Part):
    """The file of `foureyes experiment import --declared`: an experiment file without what is run.

    Metrics have the names of the results. Those that are not ours need a direction.
    """

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
