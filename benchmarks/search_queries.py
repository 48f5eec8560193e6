"""How many near-equal queries share an answer, and how many different ones would.

    python benchmarks/search_queries.py

The pairs are those of the tests, `tests/support/query_pairs.py`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from foureyes.base.registry import load_registry_file
from foureyes.sources.policy import SEARCH_FILE, SearchPolicy
from foureyes.sources.search.searching import Likeness

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support.query_pairs import LOOK_ALIKE, NEAR_EQUAL


def interval(hits: int, count: int) -> str:
    """A share with its 95 % Wilson interval."""
    share, z = hits / count, 1.96
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count**2)) / (1 + z * z / count)
    return f"{hits} of {count} = {share:.3f} [{max(0, middle - half):.3f}, {middle + half:.3f}]"


def main() -> None:
    """Print the figures."""
    likeness = Likeness(load_registry_file(SearchPolicy, SEARCH_FILE).likeness)

    def shared(pairs: Sequence[tuple[str, str]]) -> int:
        return sum(likeness.key(a) == likeness.key(b) and likeness.same(a, b) for a, b in pairs)

    print("command: python benchmarks/search_queries.py")
    print("near-equal queries that share:", interval(shared(NEAR_EQUAL), len(NEAR_EQUAL)))
    print("different queries that share:", interval(shared(LOOK_ALIKE), len(LOOK_ALIKE)))
    questions = {query.lower(): query for pair in LOOK_ALIKE for query in pair}.values()
    pairs = list(combinations(questions, 2))
    print("any two of the different queries:", interval(shared(pairs), len(pairs)))


if __name__ == "__main__":
    main()
