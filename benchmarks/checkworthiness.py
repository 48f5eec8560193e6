"""Which sentences are taken for facts worth checking.

FOUREYES_DATA=../shared/data python benchmarks/checkworthiness.py

A sentence counts as taken if `detect_claims` lists it, each a document of its own, with
`statements` and without an exclusion. Labels: `factual_claim` (short sentences of one data set)
ought to be taken, `not_cite_worthy` (an expert's view of another one's long answers) ought not.
`cite_worthy` is of the same answers as `not_cite_worthy` and shows how far the two differ.
The same again for each half of the groups: what is tuned on all of them shows how it varies.
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from hashlib import sha256

from foureyes.claims.detect import detect_claims
from foureyes.claims.lexicon import load_lexicon
from foureyes.documents.parse import parse_document
from measure import line, rows

NAME = "checkworthiness.dev.jsonl"
AS_OF = date(2023, 9, 1)


def main() -> None:
    """Count the sentences that are taken, by label."""
    lexicon = load_lexicon()
    total: Counter[str] = Counter()
    taken: Counter[str] = Counter()
    slots: Counter[str] = Counter()
    halves: tuple[Counter[str], Counter[str]] = Counter(), Counter()
    taken_of: tuple[Counter[str], Counter[str]] = Counter(), Counter()
    for row in rows(NAME):
        label = row["label"]
        document = parse_document(row["text"])
        half = sha256(row["group"].encode()).digest()[-1] % 2
        total[label] += 1
        halves[half][label] += 1
        for counter, statements in ((taken, True), (slots, False)):
            found = detect_claims(document, lexicon, as_of=AS_OF, statements=statements)
            worth = any(not claim.exclusion for claim in found)
            counter[label] += worth
            taken_of[half][label] += worth and statements
    print(f"python benchmarks/checkworthiness.py\n{NAME}: n = {total.total()}\n")
    for label, n in total.most_common():
        print(line(f"{label}: taken", taken[label], n))
        print(line("  of them with number, quote or norm", slots[label], n))
        for name, all_of, some in zip(("one", "other"), halves, taken_of, strict=True):
            print(line(f"  taken in the {name} half", some[label], all_of[label]))


if __name__ == "__main__":
    main()
