"""Items of experiments, drawn by hypothesis or from a seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from foureyes.experiments.statistics.comparison import Comparison, compare
from foureyes.experiments.statistics.samples import Design, Direction, MetricSpec, PairedItem, Scale
from hypothesis import strategies as st

QUICK = Design(draws=99, resamples=199)
SHARE = MetricSpec("valid citations", Scale.BINARY)
COST = MetricSpec("cost", Scale.NUMERIC, Direction.LOWER)


def single(both: int, gained: int, lost: int, neither: int) -> list[PairedItem]:
    """Items with one binary trial in each arm."""
    outcomes = [(1, 1)] * both + [(0, 1)] * gained + [(1, 0)] * lost + [(0, 0)] * neither
    return [
        PairedItem(f"item {at}", (float(control),), (float(treatment),))
        for at, (control, treatment) in enumerate(outcomes)
    ]


def from_pairs(pairs: Sequence[tuple[Sequence[float], Sequence[float]]]) -> list[PairedItem]:
    return [
        PairedItem(f"item {at}", tuple(control), tuple(treatment))
        for at, (control, treatment) in enumerate(pairs)
    ]


def passing(items: int, trials: int, seed: int, gain: float = 0.0) -> list[PairedItem]:
    """Binary trials; the treatment passes a part `gain` of what the control fails."""
    rng = random.Random(seed)

    def run(share: float) -> list[float]:
        return [float(rng.random() < share) for _ in range(trials)]

    shares = [rng.betavariate(2, 1) for _ in range(items)]
    return from_pairs([(run(share), run(share + gain * (1 - share))) for share in shares])


def swapped(items: Sequence[PairedItem]) -> list[PairedItem]:
    return [replace(item, control=item.treatment, treatment=item.control) for item in items]


def quickly(items: Sequence[PairedItem], metric: MetricSpec) -> Comparison:
    return compare(items, metric, QUICK)


def values(scale: Scale) -> st.SearchStrategy[float]:
    """Numbers are quarters, so that sums are exact and equal differences are equal."""
    if scale is Scale.BINARY:
        return st.sampled_from([0.0, 1.0])
    return st.integers(-40, 40).map(lambda quarters: quarters / 4)


@st.composite
def paired_items(
    draw: st.DrawFn, scale: Scale, *, least: int = 2, most: int = 12
) -> list[PairedItem]:
    """Items with one to three trials, some of them in clusters."""
    trials = st.lists(values(scale), min_size=1, max_size=3).map(tuple)
    drawn = draw(
        st.lists(
            st.tuples(trials, trials, st.sampled_from(["", "", "a", "b"])),
            min_size=least,
            max_size=most,
        )
    )
    clusters = ["", *(cluster for _, _, cluster in drawn[1:])]
    return [
        PairedItem(f"item {at}", control, treatment, cluster)
        for at, ((control, treatment, _), cluster) in enumerate(zip(drawn, clusters, strict=True))
    ]
