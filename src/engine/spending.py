"""Money for jobs that run side by side: reserved before one begins, as a run does for its turns."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of the whole, and what one job may cost. None means no limit."""

    usd: Decimal | None = None
    minutes: float | None = None
    each_usd: Decimal | None = None


def affordable(limits: Limits, spent: float, ended: int, under_way: int, first: int) -> int | None:
    """How many more jobs may begin; None for any number.

    A job is reserved at the most that it may cost, or else at the mean of those so far. Of the
    first, whose cost nobody knows, `first` may be under way.

    Args:
        limits: The limits.
        spent: Dollars that the jobs cost which have ended.
        ended: How many those are.
        under_way: How many have begun, or may begin, and have not ended.
        first: How many jobs run at once.
    """
    if limits.usd is None:
        return None
    if limits.each_usd is not None:
        each = float(limits.each_usd)
    elif ended:
        each = spent / ended
    else:
        return max(0, first - under_way)
    if each == 0:
        return None
    left = float(limits.usd) - spent - under_way * each
    # A millionth, the unit that costs are kept in, is no reason to leave a job out.
    return max(0, int((left + 1e-6) / each))
