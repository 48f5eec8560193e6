"""How many wrong sums the arithmetic layer catches, and how often it doubts a right one.

FOUREYES_DATA=../shared/data python benchmarks/arithmetic.py
"""

from __future__ import annotations

from foureyes.claims.arithmetic._equations import find_equations
from foureyes.claims.lexicon import load_lexicon
from measure import line, rows

NAME = "arithmetic_gsm8k.dev.jsonl"


def main() -> None:
    """Work every equation of the set again."""
    lexicon = load_lexicon()
    verdicts = [
        (
            row["label"] == "inconsistent",
            any(not one.agrees for one in find_equations(row["text"], lexicon)),
        )
        for row in rows(NAME)
    ]
    wrong = [doubted for is_wrong, doubted in verdicts if is_wrong]
    right = [doubted for is_wrong, doubted in verdicts if not is_wrong]
    print(f"python benchmarks/arithmetic.py\n{NAME}: n = {len(verdicts)}\n")
    print(line("wrong sums caught", sum(wrong), len(wrong)))
    print(line("right sums doubted", sum(right), len(right)))


if __name__ == "__main__":
    main()
