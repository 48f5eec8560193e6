"""How often a quotation is told to be its source's own words, altered ones and others never.

FOUREYES_DATA=../shared/data python benchmarks/quotations.py [-v]

Each quotation is looked up by its words, and stands in a document that cites the page. `match`
quotes leave out, mark in brackets or set in other type what the page says; `altered` ones change a
word, a number or a "must"; `absent` ones are of another page or made up. Only a supported quotation
counts as accepted.
"""

from __future__ import annotations

import re
import sys
from collections import Counter

from foureyes.base.vocabulary import Verdict
from foureyes.verification.exact.quotes import quote_in_text
from foureyes.verification.registry import load_registry
from measure import line, rows
from pairs import Pair, judge

# The pages are raw Markdown; in the document that quotes them their marks are letters.
_MARKS = re.compile(r"[\\`*_\[\]<>]")
_WANTED = Verdict.SUPPORTED
NAME, PAGES = "quote_check.dev.jsonl", "quote_check.docs.jsonl"


def report(name: str, total: Counter[tuple[str, str]], accepted: Counter[tuple[str, str]]) -> None:
    """Print the shares by kind, and the balanced accuracy."""
    print(f"\n{name}")
    for key in sorted(total):
        print(line(f"{' '.join(key)}: accepted", accepted[key], total[key]))
    sums = [
        (sum(accepted[key] for key in keys), sum(total[key] for key in keys))
        for keys in ([k for k in total if k[0] == "match"], [k for k in total if k[0] != "match"])
    ]
    (right, of_true), (wrong, of_false) = sums
    print(line("true quotations accepted", right, of_true))
    print(line("false quotations accepted", wrong, of_false))
    print(f"balanced accuracy {(right / of_true + 1 - wrong / of_false) / 2:.4f}")


def main() -> None:
    """Look every quotation up, and judge a document that has it."""
    registry = load_registry()
    pages = {page["id"]: page["text"] for page in rows(PAGES)}
    total, found, accepted = (Counter[tuple[str, str]]() for _ in range(3))
    for row in rows(NAME):
        key, text = (row["label"], row["kind"]), pages[row["source_doc"]]
        quote = _MARKS.sub(r"\\\g<0>", " ".join(row["quote"].split()))
        pair = Pair(row["kind"], f"The page says: “{quote}”", text, _WANTED)
        taken = judge(pair, registry) is _WANTED
        total[key] += 1
        found[key] += quote_in_text(row["quote"], text) is not None
        accepted[key] += taken
        if "-v" in sys.argv and taken != (row["label"] == "match"):
            print(row["kind"], "|", quote)
    print(f"python benchmarks/quotations.py\n{NAME}: n = {total.total()}")
    report("the words looked up", total, found)
    report("a document that quotes them", total, accepted)


if __name__ == "__main__":
    main()
