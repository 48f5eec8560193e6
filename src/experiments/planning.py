"""From the file to trials: items and variants read and checked, arms interleaved, seeds hashed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from decimal import Decimal
from enum import StrEnum
from functools import partial
from itertools import islice
from pathlib import Path

from pydantic import JsonValue

from ..assembly.backend import price_is_known
from ..assembly.jobs import read_entries, worker_settings
from ..assembly.materials import absolute_sources
from ..assembly.model import CODE_KEYS, LoadedSettings
from ..assembly.rules import OURS, settings_digest
from ..assembly.settings import beside, load_settings, protected_key
from ..assembly.user_code import full_name
from ..base.errors import InputError
from ..base.files import read_document, to_json
from ..base.vocabulary import FetchMode
from ..review.originals import read_original
from .file import ExperimentFile, ItemEntry
from .metrics import METRICS, RATING, Gold, Task
from .statistics.samples import Scale

PROGRAM, TRUSTED_PROGRAM = "trial", "trusted_trial"
"""The second is for trials that need trust; only workers with `--trust` run them."""

CODE_SETTINGS = frozenset({*CODE_KEYS, "search", "backend"})
TRUST = "read the file, and add --trust if you stand by it"


@dataclass(frozen=True, slots=True)
class Item:
    """An item with its texts read. `sources` are absolute paths and web addresses.

    `draft` is the reading copy of the document where one is checked or reviewed.
    """

    id: str
    brief: str | None
    draft: str | None
    sources: tuple[str, ...] = ()
    _: KW_ONLY
    cluster: str = ""
    slices: Mapping[str, str]
    gold: tuple[Gold, ...] = ()


@dataclass(frozen=True, slots=True)
class OwnMetric:
    """A metric function of the user, by the name of its code."""

    name: str
    code: str
    scale: Scale


@dataclass(frozen=True, slots=True)
class Arm:
    """A variant. `digest` is of all settings in force, so that two machines can be told apart."""

    name: str
    settings: Mapping[str, JsonValue]
    digest: str


@dataclass(frozen=True, slots=True)
class Trial:
    """One run of one item in one arm. `key` is of everything that determines it.

    `number` counts the trials of the item in the arm, from 1. `seed` is the trial's own, from 0 to
    2^32 - 1; 0 for one that was imported.
    """

    key: str
    item: str
    arm: str
    number: int
    seed: int


@dataclass(frozen=True, slots=True)
class TrialWork:
    """The payload of a trial's job.

    `settings` are the variant's, for `load_settings`; `digest` is what they must come to. `run_usd`
    and `run_minutes` are limits of the run, where those of the settings are not tighter. `checks`
    is whether a metric needs the delivered text checked.
    """

    trial: Trial
    item: Item
    settings: Mapping[str, JsonValue]
    digest: str
    _: KW_ONLY
    run_usd: Decimal | None = None
    run_minutes: float | None = None
    checks: bool = False
    own: tuple[OwnMetric, ...] = ()
    task: Task = Task.RUN

    @property
    def beyond(self) -> str:
        """The first part of it that a file in a working folder may not decide, "" for none."""
        if key := protected_key(self.settings):
            return f"variant {self.trial.arm!r} sets {key!r}"
        return f"metric {self.own[0].name!r} is code: {self.own[0].code!r}" if self.own else ""

    def require_trust(self) -> None:
        """Refuse what a file in a working folder may not decide.

        Raises:
            InputError: It sets a protected setting, or names code.
        """
        if self.beyond:
            raise InputError(f"{self.beyond}, which needs your trust", TRUST)

    def loaded(self, out: Path) -> LoadedSettings:
        """The settings of the run, whose directory is made in `out`.

        No run sees what another has fetched, or what gaps it has left. Stored sources are only
        read where the variant says ``fetch: frozen``.

        Raises:
            InputError: A setting is wrong, or this machine's are not those of the experiment.
        """
        flags: dict[str, object] = {**self.settings, "out": out, "memory": "none"}
        if self.settings.get("fetch") != FetchMode.FROZEN:
            flags["source_cache"] = "none"
        limits = self.run_usd, self.run_minutes
        return worker_settings(flags, self.digest, "the experiment", *limits)


@dataclass(frozen=True, slots=True)
class Plan:
    """An experiment ready to be run: its work in the order in which it is submitted."""

    items: tuple[Item, ...]
    work: tuple[TrialWork, ...]


def plan(file: ExperimentFile, folder: Path) -> Plan:
    """The trials of `file`: items as `in_order`, in each item the arms in hashed order.

    Args:
        file: The experiment.
        folder: Where relative paths in it begin.

    Raises:
        InputError: An item, a variant or a metric cannot be used.
    """
    items = read_items(file, folder)
    arms = tuple(_arm(name, file, folder) for name in file.variants)
    declared = file.metrics.declared
    own = tuple(
        OwnMetric(entry.name, full_name(entry.code, folder), entry.scale or Scale.NUMERIC)
        for entry in declared
        if entry.code is not None
    )
    made = partial(
        TrialWork,
        run_usd=file.budgets.run_usd,
        run_minutes=file.budgets.run_minutes,
        checks=any(entry.name in METRICS and METRICS[entry.name].checks for entry in declared),
        own=own,
        task=file.task,
    )
    ordered = order_items(file.seed, items)
    return Plan(items, tuple(one for item in ordered for one in _trials(file, item, arms, made)))


def order_items(seed: int, items: Sequence[Item]) -> list[Item]:
    """The items in the order in which they are run and looks see them, those of a cluster together.

    It is hashed: neither the order of the file nor how long an item takes decides it.
    """

    def place(item: Item) -> tuple[str, str]:
        alone = digest_of(seed, item.id)
        return (digest_of(seed, "cluster", item.cluster) if item.cluster else alone, alone)

    return sorted(items, key=place)


def _trials(
    file: ExperimentFile, item: Item, arms: Sequence[Arm], made: partial[TrialWork]
) -> Iterator[TrialWork]:
    """The trials of one item, trial by trial, the arms of each in an order of its own."""
    given = hashlib.sha256(to_json(Item, item, indent=None).encode()).hexdigest()
    what = given if file.task is Task.RUN else digest_of(file.task, given)
    for number in range(1, file.trials + 1):
        found: list[TrialWork] = []
        for arm in arms:
            key = digest_of(file.seed, item.id, what, arm.name, arm.digest, number)
            seed = int(digest_of("seed", key)[:8], 16)
            trial = Trial(key[:24], item.id, arm.name, number, seed)
            found.append(made(trial, item, arm.settings, arm.digest))
        yield from sorted(found, key=lambda one: digest_of("order", one.trial.key))


def digest_of(*parts: object) -> str:
    """The SHA-256 of `parts`, kept apart."""
    return hashlib.sha256(json.dumps([str(part) for part in parts]).encode()).hexdigest()


def _arm(name: str, file: ExperimentFile, folder: Path) -> Arm:
    given: dict[str, JsonValue] = {}
    for key, value in file.variants[name].items():
        if key in OURS:
            raise InputError(f"variant {name!r} sets {key!r}", "an experiment sets it itself")
        if key in ItemEntry.model_fields:
            raise InputError(f"variant {name!r} sets {key!r}", "items have it: set it there")
        path = beside(folder.absolute() / "experiment.yaml", key, value)
        given[key] = str(path) if isinstance(path, Path) else _with_code(key, value, folder)
    try:
        settings = load_settings(dict(given)).settings
    except InputError as error:
        raise InputError(f"variant {name!r}: {error.message}", error.hint) from error
    if file.budgets.usd is not None and not price_is_known(settings):
        raise InputError(
            f"variant {name!r}: the price of a model is unknown, so budgets.usd cannot be held",
            "leave it out, or give the price in prices.yaml",
        )
    return Arm(name, given, settings_digest(settings))


def _with_code(key: str, value: JsonValue, folder: Path) -> JsonValue:
    """A setting that names code, with files of it beside the experiment's."""
    if key not in CODE_SETTINGS:
        return value
    if isinstance(value, list):
        return [_with_code(key, one, folder) for one in value]
    return full_name(value, folder) if isinstance(value, str) else value


def read_items(file: ExperimentFile, folder: Path) -> tuple[Item, ...]:
    """The items of `file` with their texts.

    Raises:
        InputError: One cannot be read or used, or two have the same id.
    """
    entries = [*file.items]
    if file.dataset:
        lines = read_entries(folder / file.dataset.file, ItemEntry)
        entries += (entry for _, entry in islice(lines, file.dataset.limit))
    seen: set[str] = set()
    for entry in entries:
        try:
            entry.require(file.task, f"item {entry.id!r}: task: {file.task}")
        except ValueError as error:
            raise InputError(str(error), "correct the item") from error
        if entry.id in seen:
            raise InputError(f"two items are called {entry.id!r}", "give each its own id")
        seen.add(entry.id)
    items = tuple(_item(entry, file, folder) for entry in entries)
    _check_fields(file, items)
    return items


def _check_fields(file: ExperimentFile, items: Sequence[Item]) -> None:
    if len(items) < 2:
        raise InputError(f"there are {len(items)} items", "a comparison needs at least 2")
    for name in file.slices:
        if not any(name in item.slices for item in items):
            raise InputError(f"no item has the slice {name!r}", "name it in the items' slices")
    gold = any(item.gold for item in items)
    for entry in file.metrics.declared:
        if "claims_" in entry.name and entry.name in METRICS and not gold:
            raise InputError(f"metric {entry.name!r} needs gold claims", "add gold to the items")
        if entry.name.startswith(RATING) and entry.code:
            raise InputError(f"metric {entry.name!r} is of people and has no code")


def _item(entry: ItemEntry, file: ExperimentFile, folder: Path) -> Item:
    def text(inline: str | None, path: Path | None) -> str | None:
        return inline if path is None else read_document(folder / path)

    draft = text(entry.draft, entry.draft_file) if entry.document is None else entry.document
    if entry.document_file is not None:
        draft = read_original(folder / entry.document_file).text
    gold = tuple(Gold(one.text, one.true) for one in entry.gold)
    for claim in gold:
        if draft is not None and claim.text not in draft:
            where = "draft" if file.task is Task.RUN else "document"
            raise InputError(
                f"item {entry.id!r}: gold claim {claim.text[:60]!r} is not in the {where}",
                "give its words as they stand there",
            )
    return Item(
        entry.id,
        text(entry.brief, entry.brief_file),
        draft,
        absolute_sources(entry.sources, folder),
        cluster=entry.cluster,
        slices=dict(entry.slices),
        gold=gold,
    )


class TrialOutcome(StrEnum):
    """How a trial ended. All but the first count as failures in the primary metric."""

    FINISHED = "finished"
    INCONCLUSIVE = "inconclusive"
    """No critic could say, or a limit of the run was reached."""
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class TrialResult:
    """Result of a trial. `run_dir` is "" if there is none.

    `values` hold the metrics that apply, each in its own unit. `status` is how the run or the
    review ended, in its own words; None of a check. `cost_usd` is in dollars, None for an unknown
    price. `tokens_in` counts the tokens that models read, those from a cache too, `tokens_out`
    those that they wrote. `seconds` is the wall time of all sittings.
    """

    trial: Trial
    outcome: TrialOutcome
    _: KW_ONLY
    status: str | None = None
    error: str = ""
    values: Mapping[str, float]
    run_dir: str = ""
    cost_usd: float | None = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0


def failed(trial: Trial, error: str) -> TrialResult:
    """The result of a trial that ended in an error."""
    return TrialResult(trial, TrialOutcome.ERROR, error=error, values={})


def program_of(work: TrialWork) -> str:
    """The program that a trial needs."""
    return TRUSTED_PROGRAM if work.beyond else PROGRAM
