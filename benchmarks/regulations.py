"""How many annotated references to laws and standards are found, and how many found are annotated.

FOUREYES_DATA=../shared/data python benchmarks/regulations.py [-v]

Strict F1 and precision count only texts whose gold is complete and has offsets. The gold leaves
out some true references (short forms, codes of states), so that precision is a lower bound.
"""

from __future__ import annotations

import sys

from foureyes.claims._regulations import find_regulations, load_regulations
from measure import line, rows

NAME = "regulatory_citations.dev.jsonl"


def main() -> None:
    """Measure the spans."""
    forms = load_regulations()
    found_gold = gold = strict = complete_gold = right = predicted = 0
    for row in rows(NAME):
        found = [(one.start, one.end) for one in find_regulations(row["text"], forms)]
        spans = [(one["start"], one["end"]) for one in row["spans"] if one["start"] >= 0]
        hits = [any(a < d and c < b for c, d in found) for a, b in spans]
        gold += len(spans)
        found_gold += sum(hits)
        if "-v" in sys.argv and not all(hits):
            print("missed in", row["text"][:160], spans)
        if not row["complete"] or len(spans) < len(row["spans"]):
            continue
        complete_gold += len(spans)
        strict += len(set(spans) & set(found))
        predicted += len(found)
        right += sum(any(a < d and c < b for a, b in spans) for c, d in found)
    print(f"python benchmarks/regulations.py\n{NAME}\n")
    print(line("overlap recall", found_gold, gold))
    print(line("precision (overlap, complete gold)", right, predicted))
    print(line("strict recall", strict, complete_gold))
    print(line("strict precision", strict, predicted))
    f1 = 2 * strict / (complete_gold + predicted)
    print(f"strict F1 {f1:.3f} (n = {complete_gold} annotated, {predicted} found)")


if __name__ == "__main__":
    main()
