"""Looks at the primary metric before all items are in, and what each came to."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from datetime import datetime

from ..base.errors import InputError
from .file import ExperimentFile, Stopping
from .planning import Item, digest_of, order_items
from .statistics.comparison import Conclusion
from .statistics.samples import Design
from .statistics.sequential import CLOSEST, holm_factors, looks

LEAST_LEVEL = 1e-9
"""No experiment is decided at a level below this: so early a look cannot stop it."""
FEWEST_ITEMS = 2


@dataclass(frozen=True, slots=True)
class PlannedLook:
    """A look as it follows from the file and the items, before there is any result.

    Args:
        number: From 1; the last is that at the end.
        of: How many looks there are.
        fraction: The share of the planned items that it sees.
        items: The ids of those, the first of the plan's order.
        design: How it judges the primary metric; `alpha` is its level.
        secondary: How it judges the other metrics.
        before_end: Whether items are left.
    """

    number: int
    of: int
    fraction: float
    items: tuple[str, ...]
    design: Design
    secondary: Design
    _: KW_ONLY
    before_end: bool

    @property
    def digest(self) -> str:
        """The hash of the ids that it sees."""
        return digest_of(*self.items)[:16]

    def seen(self, items: Sequence[Item]) -> list[Item]:
        """Those of `items` that it sees, as they are ordered."""
        names = frozenset(self.items)
        return [item for item in items if item.id in names]


@dataclass(frozen=True, slots=True)
class LookDecision:
    """The primary metric of one treatment at a look.

    `p` is the two-sided p-value, above 0 and at most 1, `adjusted_p` the same adjusted for the
    family, `difference` that of the means, treatment minus baseline, in the metric's unit. They are
    None where nothing could be compared, `adjusted_p` as well where `p` by itself decides nothing.
    """

    treatment: str
    p: float | None
    adjusted_p: float | None
    difference: float | None
    conclusion: Conclusion


@dataclass(frozen=True, slots=True)
class TakenLook:
    """A look that was taken.

    Args:
        number: From 1.
        of: How many looks there are, with that at the end.
        fraction: The share of the planned items that it saw.
        items: How many those are.
        seen: The hash of their ids.
        level: What p and one minus the level of the interval were held against.
        decisions: The primary metric, a treatment each.
        stops: Whether it ended the experiment before its end.
    """

    number: int
    of: int
    fraction: float
    items: int
    seen: str
    level: float
    _: KW_ONLY
    decisions: tuple[LookDecision, ...]
    stops: bool


@dataclass(frozen=True, slots=True)
class LookRecord:
    """A line of `looks.jsonl`: a look and when it was taken."""

    at: datetime
    look: TakenLook


def planned_looks(file: ExperimentFile, items: Sequence[Item]) -> tuple[PlannedLook, ...]:
    """Every look of an experiment, that at the end last; only that one where no other is declared.

    Args:
        file: What was declared.
        items: All items.

    Raises:
        InputError: A look cannot be taken of so many items, or could never stop.
    """
    order, stopping = order_items(file.seed, items), file.stopping
    counts = [*(_counts(stopping, order) if stopping else ()), len(order)]
    designs = _designs(file, counts)
    first = next(at for at, (one, _) in enumerate(designs) if one.alpha >= LEAST_LEVEL)
    if first and stopping and stopping.every is None:
        raise InputError(
            f"stopping.looks: a look at {counts[0] / len(order):g} of the items could never stop "
            f"with {stopping.spending} spending",
            "look later, or spend as pocock does",
        )
    if first:
        counts = counts[first:]
        designs = _designs(file, counts)
    return tuple(
        PlannedLook(
            number,
            len(counts),
            count / len(order),
            tuple(item.id for item in order[:count]),
            *both,
            before_end=count < len(order),
        )
        for number, (count, both) in enumerate(zip(counts, designs, strict=True), start=1)
    )


def _counts(stopping: Stopping, order: Sequence[Item]) -> list[int]:
    """How many items each look before the end sees; items of one cluster are seen together."""
    total = len(order)
    if stopping.every is not None:
        # One so near the end would tell what the end tells.
        asked = range(stopping.every, math.floor(total * (1 - CLOSEST)) + 1, stopping.every)
    else:
        # The addend is for shares such as 0.7, which no float is.
        asked = [math.ceil(share * total - 1e-9) for share in stopping.looks]
    counts = [_whole(count, order) for count in asked]
    if stopping.every is not None:
        counts = [count for count in dict.fromkeys(counts) if FEWEST_ITEMS <= count < total]
    for before, count in zip([0, *counts], [*counts, total], strict=False):
        if count < FEWEST_ITEMS or (count - before) / total < CLOSEST - 1e-9:
            raise InputError(
                f"stopping: a look at {count} of {total} items after one at {before}",
                f"looks see {FEWEST_ITEMS} items or more, and are at least {CLOSEST:g} of all "
                "items apart",
            )
    return counts


def _whole(count: int, order: Sequence[Item]) -> int:
    while 0 < count < len(order) and order[count].cluster == order[count - 1].cluster != "":
        count += 1
    return count


def _designs(file: ExperimentFile, counts: Sequence[int]) -> list[tuple[Design, Design]]:
    """How looks that see so many items, the last of them all, judge the primary and other metrics.

    What answers the question stands alone: it is adjusted for treatments, never for other metrics.
    """
    treatments = len(file.treatments)
    families = treatments, max(1, len(file.metrics.secondary) * treatments)
    first, second = (_designs_of(file, counts, family) for family in families)
    return list(zip(first, second, strict=True))


def _designs_of(file: ExperimentFile, counts: Sequence[int], family: int) -> list[Design]:
    design = Design(alpha=file.alpha, power=file.power, family=family, seed=file.seed)
    if file.stopping is None:
        return [design]
    fractions, spending = [count / counts[-1] for count in counts], file.stopping.spending
    levels = looks(fractions, spending, file.alpha)
    factors = holm_factors(fractions, spending, file.alpha, family)
    of_equivalence = looks(fractions, spending, 2 * file.alpha / family)
    return [
        replace(
            design,
            alpha=look.level,
            # An interval at the level 1 is none.
            equivalence_alpha=max(of_both.level, LEAST_LEVEL),
            factors=times,
        )
        for look, of_both, times in zip(levels, of_equivalence, factors, strict=True)
    ]


def looks_before_end(
    planned: Sequence[PlannedLook],
    complete: frozenset[str],
    decide: Callable[[PlannedLook], tuple[LookDecision, ...]],
) -> tuple[TakenLook, ...]:
    """Take the looks before the end whose items are complete, in order, to the first that stops.

    A look sees its own items alone, whatever else has ended by then.

    Args:
        planned: All looks.
        complete: The ids of the items whose trials have all ended.
        decide: The primary metric at a look.
    """
    done: list[TakenLook] = []
    for look in planned:
        if not look.before_end or not complete.issuperset(look.items):
            break
        done.append(record_look(look, decide(look)))
        if done[-1].stops:
            break
    return tuple(done)


def record_look(look: PlannedLook, decisions: tuple[LookDecision, ...]) -> TakenLook:
    """Record a look. It stops if the primary metric is decided for every treatment."""
    decided = all(one.conclusion is not Conclusion.INCONCLUSIVE for one in decisions)
    return TakenLook(
        look.number,
        look.of,
        look.fraction,
        len(look.items),
        look.digest,
        look.design.alpha,
        decisions=decisions,
        stops=look.before_end and decided,
    )
