"""How often the engine alone judges the project's own pairs of claim and source as their author.

python benchmarks/suites.py {suite|close|blind} [dev|heldout]

``suite`` are heavily reworded pairs, ``close`` pairs whose claims keep the source's key terms.
Prints the figures of `benchmarks/pairs.py`, and apart those of the hard kinds: number, date, unit,
swap, negation, direction, entity, quote and injection.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from foureyes.base.vocabulary import Verdict
from foureyes.verification.registry import load_registry
from measure import line
from pairs import Pair, judge, report

HARD = frozenset(
    {
        "number_error",
        "wrong_date",
        "magnitude_or_unit",
        "unit_equivalent",
        "value_swapped",
        "role_swap",
        "negation",
        "direction",
        "wrong_entity",
        "quote_exact_altered",
        "source_asserts_claim",
    }
)


def load(folder: Path) -> Iterator[Pair]:
    """The pairs of every kind in `folder`."""
    for path in sorted(folder.glob("*.jsonl")):
        for row in map(json.loads, path.read_text("utf-8").splitlines()):
            yield Pair(row["kind"], row["claim"], row["source_text"], Verdict(row["label"]))


def main() -> None:
    """Judge every pair of one half of one suite."""
    suite, half = (*sys.argv[1:], "dev")[:2]
    pairs = list(load(Path(__file__).parent / suite / half))
    kinds = {pair.kind for pair in pairs}
    print(f"python benchmarks/suites.py {suite} {half}\nn = {len(pairs)}, {len(kinds)} kinds\n")
    registry = load_registry()
    results = [(pair, judge(pair, registry)) for pair in pairs]
    bad = [v for p, v in results if p.kind in HARD and p.label is not Verdict.SUPPORTED]
    print(line("bad claims of hard kinds passed", bad.count(Verdict.SUPPORTED), len(bad)))
    report(results)


if __name__ == "__main__":
    main()
