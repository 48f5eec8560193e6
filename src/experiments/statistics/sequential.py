"""Looks at results before all items are in, paid for out of one error budget.

Peeking at the level 0.05 five times gives 14 % false positives. With alpha spending each look has a
level of its own, and all looks together keep 0.05. How often one looks need not be fixed
beforehand; the spending function and the number of items planned must be.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import assert_never

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from .power import bisect_increasing

FARTHEST = 8.5
"""No boundary is above this; beyond it lies less than 1e-16."""
CLOSEST = 0.01
"""Looks lie at least so far apart, as a share of the planned items."""
NODES = 10
"""Nodes of the integration for each standard deviation of the narrower step."""


class Spending(StrEnum):
    """How the error budget is laid out over the looks (Lan & DeMets 1983)."""

    OBRIEN_FLEMING = "obrien_fleming"
    """Almost nothing early: the last look is nearly at the full level."""
    POCOCK = "pocock"
    """About the same at each look."""


@dataclass(frozen=True, slots=True)
class Look:
    """One look at the results.

    Args:
        fraction: The share of the planned items that it sees.
        boundary: |z| from which it stops.
        level: The same as a two-sided p-value: what a test's p, and one minus the level of an
            interval, are held against at this look.
        spent: The share of false positives spent up to and with this look.
    """

    fraction: float
    boundary: float
    level: float
    spent: float


def spent(spending: Spending, fraction: float, alpha: float = 0.05) -> float:
    """The two-sided error that may be spent when this share of the planned items is in.

    Source: Lan & DeMets (1983), each side with half of `alpha`: 2 - 2 Phi(z / sqrt(t)) for
    O'Brien-Fleming, alpha ln(1 + (e - 1) t) for Pocock.
    """
    match spending:
        case Spending.OBRIEN_FLEMING:
            return 4 * float(ndtr(ndtri(alpha / 4) / math.sqrt(fraction)))
        case Spending.POCOCK:
            return alpha * math.log1p((math.e - 1) * fraction)
        case _:
            assert_never(spending)


def looks(fractions: Sequence[float], spending: Spending, alpha: float = 0.05) -> tuple[Look, ...]:
    """The boundary of each look, the next one being taken only if none before was crossed.

    Boundaries up to a look do not depend on later ones, so it may be asked with the looks so far.

    Args:
        fractions: The shares of the planned items seen at each look, rising to at most 1.
        spending: The spending function.
        alpha: The two-sided level of all looks together.
    """
    return _looks(tuple(fractions), spending, alpha)


@cache
def _looks(fractions: tuple[float, ...], spending: Spending, alpha: float) -> tuple[Look, ...]:
    done: list[Look] = []
    walk, before = _START, 0.0
    for at, fraction in enumerate(fractions):
        budget = spent(spending, fraction, alpha)
        step = math.sqrt(fraction - (fractions[at - 1] if at else 0.0))
        boundary = _boundary(walk, step, math.sqrt(fraction), budget - before)
        done.append(Look(fraction, boundary, 2 * float(ndtr(-boundary)), budget))
        before = budget
        if at + 1 < len(fractions):
            finest = min(step, math.sqrt(fractions[at + 1] - fraction))
            walk = _go_on(walk, step, boundary * math.sqrt(fraction), finest)
    return tuple(done)


def holm_factors(
    fractions: Sequence[float], spending: Spending, alpha: float, family: int
) -> tuple[tuple[float, ...], ...]:
    """Factors of Holm's procedure at each look, for 1, 2, … tests that are left of a family.

    By the factors p is multiplied to be held against the look's own level. Of so many tests the
    smallest p-value is held against the look's level for that part of `alpha`. At an early look
    this level is lower than the same part of the look's own, so that dividing that one would err
    too often. Only at a single look at the end the factors are 1, 2, ….

    Source: the group sequential Holm procedure (Ye, Li, Liu & Yao 2013).
    """
    levels = [
        [look.level for look in looks(fractions, spending, alpha / left)]
        for left in range(1, family + 1)
    ]
    return tuple(
        tuple(levels[0][at] / of_part[at] for of_part in levels) for at in range(len(fractions))
    )


@dataclass(frozen=True, slots=True)
class _Walk:
    """Where the sum of the results stands if no boundary was crossed: points with their mass."""

    places: NDArray[np.float64]
    masses: NDArray[np.float64]


_START = _Walk(np.zeros(1), np.ones(1))


def _outside(walk: _Walk, step: float, limit: float) -> float:
    """The chance that the next step ends beyond the limit on either side."""
    beyond = ndtr((-limit - walk.places) / step) + ndtr((walk.places - limit) / step)
    return float(walk.masses @ beyond)


def _boundary(walk: _Walk, step: float, root: float, budget: float) -> float:
    return bisect_increasing(lambda z: -_outside(walk, step, z * root), -budget, 0.0, FARTHEST)


def _go_on(walk: _Walk, step: float, limit: float, finest: float) -> _Walk:
    """The walk one step on, inside the limit, by Simpson's rule.

    Source: Armitage, McPherson & Rowe (1969); Jennison & Turnbull (2000), chapter 19.
    """
    panels = 2 * math.ceil(NODES * limit / finest)
    places = np.linspace(-limit, limit, panels + 1)
    weights = np.where(np.arange(panels + 1) % 2, 4.0, 2.0)
    weights[[0, -1]] = 1.0
    density = np.exp(-0.5 * ((places[:, None] - walk.places) / step) ** 2) @ walk.masses
    scale = 2 * limit / panels / 3 / (step * math.sqrt(2 * math.pi))
    return _Walk(places, weights * scale * density)
