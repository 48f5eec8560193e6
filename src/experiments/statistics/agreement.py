"""Agreement of observers beyond chance."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations


def krippendorff_alpha(units: Sequence[Sequence[str | None]]) -> float | None:
    """Krippendorff's alpha for names, for any number of observers, with values missing.

    Source: Krippendorff (2004), Content Analysis, chapter 11: alpha = 1 - observed / expected
    disagreement. A unit counts each pair of its m values with 1 / (m - 1); units with fewer than
    two values are left out.

    Args:
        units: For each unit the names that its observers gave, None where one gave none.

    Returns:
        1 for full agreement, 0 for agreement by chance, less for systematic disagreement. None if
        no unit has two values, or all values are equal: agreement then cannot be told from having
        only one value.
    """
    given = [[value for value in unit if value is not None] for unit in units]
    paired = [values for values in given if len(values) > 1]
    counts = Counter(value for values in paired for value in values)
    if len(counts) < 2:
        return None
    observed = math.fsum(
        (one != other) / (len(values) - 1)
        for values in paired
        for one, other in combinations(values, 2)
    )
    expected = sum(counts[one] * counts[other] for one, other in combinations(counts, 2))
    return 1 - observed / (expected / (counts.total() - 1))
