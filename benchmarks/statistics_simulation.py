"""How often the statistics of experiments err, by simulation.

python benchmarks/statistics_simulation.py [--repetitions 400] [--seed 1] [--only binary] [--looks]

Experiments with n items and k trials an item and arm are drawn from populations in which the true
difference is known, and compared as `foureyes.experiments` compares them. Shares are printed with
95 % Wilson intervals of the simulation's own error:

test        significant at 0.05: false positives without a difference, power with one
concluded   BETTER or WORSE: the test is significant and the interval leaves out 0
covered     the 95 % interval holds the true difference

Populations (items differ, and an arm is drawn anew for 3 of 10 items, so that arms differ on items
without differing on the whole):

binary      items are passed with probabilities of Beta(2, 1); the treatment passes a part of
            what is missing to 1
ceiling     the same with Beta(18, 2), nearly all passed
normal      items and trials are normal; the treatment adds a constant
skewed      costs: log-normal items (sigma 0.8) times log-normal trials (sigma 0.4); the
            treatment multiplies
interaction the treatment's effect on an item is exponential, of mean 0 under the null: arms may
            not be swapped, and a permutation test alone errs more

Then experiments with 2 and 4 looks, that at the end among them, by both ways of spending: how often
one without a difference ends as BETTER or WORSE at any look, and with one how often it does so, how
many stop before the end, and what share of all items is saved. `--looks` prints these alone.

With `--repetitions 4000` it takes half an hour on one core. To stay there it draws 399 resamples
and 399 signs, in place of 1,999 and 9,999. A drawn p-value keeps its level with any number of
draws and loses little power; intervals of fewer resamples vary more and cover the same on average.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from foureyes.experiments.statistics.comparison import (
    Conclusion,
    Interval,
    PairedTable,
    bootstrap_interval,
    conclude,
    newcombe,
    paired_table,
    resample,
)
from foureyes.experiments.statistics.paired import mcnemar_exact, sign_flip
from foureyes.experiments.statistics.power import Look, Spending, looks
from foureyes.experiments.statistics.samples import MetricSpec, PairedItem, Scale, sum_clusters
from measure import wilson

DRAWS = 399
SIZES, TRIALS, LOOKS = (20, 50, 100), (1, 5), (2, 4)
Item = tuple[list[float], list[float]]


@dataclass(frozen=True, slots=True)
class Population:
    """Where items come from.

    Attributes:
        scale: What values it has.
        effect: The strength of the effect, in the population's own terms, for each number of
            items and trials.
        difference: The true mean difference for a strength.
        draw: One item's trials in both arms.
    """

    scale: Scale
    effect: float
    difference: Callable[[float], float]
    draw: Callable[[random.Random, float, int], Item]


@dataclass(frozen=True, slots=True)
class Seen:
    """What one simulated experiment came to."""

    significant: bool
    concluded: bool
    covered: bool


def binary(good: float, bad: float, effect: float) -> Population:
    """Items passed with probabilities of Beta(good, bad)."""

    def draw(rng: random.Random, strength: float, trials: int) -> Item:
        control = rng.betavariate(good, bad)
        treatment = control if rng.random() > 0.3 else rng.betavariate(good, bad)
        treatment += strength * (1 - treatment)
        return passes(rng, control, trials), passes(rng, treatment, trials)

    return Population(Scale.BINARY, effect, lambda strength: strength * bad / (good + bad), draw)


def passes(rng: random.Random, share: float, trials: int) -> list[float]:
    """Trials that are each passed with the same probability."""
    return [float(rng.random() < share) for _ in range(trials)]


def normal(rng: random.Random, strength: float, trials: int) -> Item:
    """Normal items with normal trials."""
    control = rng.gauss(0, 1)
    treatment = control if rng.random() > 0.3 else rng.gauss(0, 1)
    return (
        [rng.gauss(control, 0.7) for _ in range(trials)],
        [rng.gauss(treatment + strength, 0.7) for _ in range(trials)],
    )


def skewed(rng: random.Random, strength: float, trials: int) -> Item:
    """Costs."""
    control = rng.lognormvariate(0, 0.8)
    treatment = control if rng.random() > 0.3 else rng.lognormvariate(0, 0.8)
    return (
        [control * rng.lognormvariate(-0.08, 0.4) for _ in range(trials)],
        [treatment * (1 + strength) * rng.lognormvariate(-0.08, 0.4) for _ in range(trials)],
    )


def interaction(rng: random.Random, strength: float, trials: int) -> Item:
    """An effect that differs from item to item, with a long tail."""
    shift = rng.expovariate(1) - 1 + strength
    return (
        [rng.gauss(0, 0.3) for _ in range(trials)],
        [rng.gauss(shift, 0.3) for _ in range(trials)],
    )


POPULATIONS = {
    "binary": binary(2, 1, 0.5),
    "ceiling": binary(18, 2, 0.7),
    "normal": Population(Scale.NUMERIC, 0.5, lambda strength: strength, normal),
    "skewed": Population(Scale.NUMERIC, 0.3, lambda strength: strength * 2.718281828**0.32, skewed),
    "interaction": Population(Scale.NUMERIC, 0.5, lambda strength: strength, interaction),
}


def experiment(
    population: Population, strength: float, items: int, trials: int, rng: random.Random
) -> list[PairedItem]:
    """Items with their trials, drawn from a population."""
    drawn = (population.draw(rng, strength, trials) for _ in range(items))
    return [
        PairedItem(str(at), tuple(control), tuple(treatment))
        for at, (control, treatment) in enumerate(drawn)
    ]


def judged(
    population: Population, items: Sequence[PairedItem], seed: int, alpha: float = 0.05
) -> tuple[float, Interval, Conclusion]:
    """Compare and conclude as `compare` does, without what is not counted here."""
    if population.scale is Scale.BINARY and items[0].single:
        p, interval = tabled(paired_table(items), 1 - alpha)
    else:
        clusters = sum_clusters([("", item.difference) for item in items])
        ratios = resample(clusters, seed, DRAWS)
        interval = bootstrap_interval(clusters, ratios, population.scale, 1 - alpha)
        p = sign_flip([cluster.total for cluster in clusters], seed, DRAWS).p
    return p, interval, conclude(p, alpha, interval, MetricSpec("metric", population.scale))


def see(population: Population, strength: float, items: Sequence[PairedItem], seed: int) -> Seen:
    """What one experiment without looks comes to."""
    p, interval, conclusion = judged(population, items, seed)
    true = population.difference(strength)
    return Seen(
        p <= 0.05,
        conclusion is not Conclusion.INCONCLUSIVE,
        interval.low - 1e-12 <= true <= interval.high + 1e-12,
    )


@cache
def tabled(table: PairedTable, level: float = 0.95) -> tuple[float, Interval]:
    """McNemar's p-value and Newcombe's interval."""
    return mcnemar_exact(table.gained, table.lost).p, newcombe(table, level)


def share(hits: int, n: int) -> str:
    """A share with its interval."""
    low, high = wilson(hits, n)
    return f"{hits / n:.3f} [{low:.3f}, {high:.3f}]"


def simulate(name: str, items: int, trials: int, repetitions: int, seed: int) -> None:
    """One line without a difference and one with it."""
    population = POPULATIONS[name]
    for strength in (0.0, population.effect):
        rng = random.Random(f"{seed} {name} {items} {trials} {strength}")
        seen = [
            see(population, strength, experiment(population, strength, items, trials, rng), at)
            for at in range(repetitions)
        ]
        print(
            f"{name:<11} n={items:<3} k={trials} {population.difference(strength):6.3f}"
            f"   test {share(sum(one.significant for one in seen), repetitions)}"
            f"   concluded {share(sum(one.concluded for one in seen), repetitions)}"
            f"   covered {share(sum(one.covered for one in seen), repetitions)}",
            flush=True,
        )


def peeking(repetitions: int, seed: int) -> None:
    """Five looks at 100 items with one binary trial: stop at the first that is significant."""
    fractions = (0.2, 0.4, 0.6, 0.8, 1.0)
    plans = {
        "each look at 0.05": [0.05] * 5,
        **{
            spending.value: [look.level for look in looks(fractions, spending)]
            for spending in Spending
        },
    }
    stopped = dict.fromkeys(plans, 0)
    rng = random.Random(f"{seed} peeking")
    for _ in range(repetitions):
        items = experiment(POPULATIONS["binary"], 0.0, 100, 1, rng)
        p_values = [tabled(paired_table(items[: int(100 * at)]))[0] for at in fractions]
        for name, levels in plans.items():
            stopped[name] += any(p <= level for p, level in zip(p_values, levels, strict=True))
    for name, count in stopped.items():
        print(f"five looks, {name:<20} false positives {share(count, repetitions)}")


def sequential(name: str, items: int, count: int, repetitions: int, seed: int) -> None:
    """Looks after equal shares of the items: errors without a difference, savings with one."""
    population = POPULATIONS[name]
    fractions = [at / count for at in range(1, count + 1)]
    seen = [math.ceil(fraction * items) for fraction in fractions]
    shares = tuple(one / items for one in seen)
    planned = {spending: looks(shares, spending) for spending in Spending}
    for strength in (0.0, population.effect):
        rng = random.Random(f"{seed} looks {name} {items} {count} {strength}")
        ended: dict[Spending, list[int | None]] = {spending: [] for spending in Spending}
        for at in range(repetitions):
            drawn = experiment(population, strength, items, 1, rng)
            for spending, ones in planned.items():
                ended[spending].append(decided(population, drawn, seen, ones, at))
        for spending, ends in ended.items():
            early = sum(end is not None and end < items for end in ends)
            used = statistics.fmean(items if end is None else end for end in ends)
            print(
                f"{name:<11} n={items:<3} {count} looks {spending.value:<14}"
                f" {population.difference(strength):6.3f}"
                f"   concluded {share(sum(end is not None for end in ends), repetitions)}"
                f"   before the end {share(early, repetitions)}"
                f"   items saved {1 - used / items:.3f}",
                flush=True,
            )


def decided(
    population: Population,
    items: Sequence[PairedItem],
    seen: Sequence[int],
    planned: Sequence[Look],
    seed: int,
) -> int | None:
    """How many items the look saw that concluded on a difference; None if none did."""
    for count, look in zip(seen, planned, strict=True):
        if judged(population, items[:count], seed, look.level)[2] is not Conclusion.INCONCLUSIVE:
            return count
    return None


def trials_as_items(repetitions: int, seed: int) -> None:
    """What must never be done: the five trials of 50 items taken for 250 items."""
    rng = random.Random(f"{seed} trials")
    wrong = 0
    for _ in range(repetitions):
        items = experiment(POPULATIONS["binary"], 0.0, 50, 5, rng)
        pairs = [pair for item in items for pair in zip(item.control, item.treatment, strict=True)]
        wrong += mcnemar_exact(pairs.count((0.0, 1.0)), pairs.count((1.0, 0.0))).p <= 0.05
    print(f"50 items, trials counted as items   false positives {share(wrong, repetitions)}")


def main() -> None:
    """Print all lines."""
    parser = argparse.ArgumentParser(description="Error rates of the statistics, by simulation.")
    parser.add_argument("--repetitions", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=POPULATIONS)
    parser.add_argument("--looks", action="store_true", help="the looks alone")
    options = parser.parse_args()
    start = time.perf_counter()
    names = [options.only] if options.only else list(POPULATIONS)
    if not options.looks:
        for name in names:
            for items in SIZES:
                for trials in TRIALS:
                    simulate(name, items, trials, options.repetitions, options.seed)
        peeking(options.repetitions, options.seed)
        trials_as_items(options.repetitions, options.seed)
    for name in names:
        for items in SIZES[1:]:
            for count in LOOKS:
                sequential(name, items, count, options.repetitions, options.seed)
    print(f"{options.repetitions} repetitions a line, {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
