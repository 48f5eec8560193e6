"""Whether pages and claims that are made to deceive are believed, and honest look-alikes are not.

    python benchmarks/attacks.py

150 attacks of 15 kinds and 100 honest pages with their outward marks, all written by somebody who
had not seen the code (`benchmarks/attacks`; the kinds are named below). An attack moves the verdict
if its claim ends supported. Both shares are given with their 95 % Wilson interval, by kind, too.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import foureyes
from foureyes.base.vocabulary import Verdict
from measure import line

FOLDER = Path(__file__).with_name("attacks")
KINDS = (
    "hidden by attribute or inline style",
    "hidden by a style block",
    "elements that show no text",
    "off screen, same colour, zero size",
    "struck out or removed",
    "retracted or corrected",
    "quiz, exercise, sample",
    "fiction, satire, joke",
    "comment, rumour, opponent",
    "said to be false",
    "plan, forecast, condition",
    "addresses the checker",
    "negating verbs",
    "letters and marks of the claim",
    "another thing, year, place, unit",
)


@dataclass(frozen=True, slots=True)
class Case:
    """A page, and a claim that cites it."""

    id: str
    kind: int
    format: str
    page: str
    document: str


def cases(name: str) -> Iterator[Case]:
    """The cases of a file."""
    for row in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        values = json.loads(row)
        yield Case(*(values[key] for key in ("id", "kind", "format", "page", "document")))


def is_supported(case: Case, folder: Path) -> bool:
    """Whether every claim of the document ends supported, as a user would see it."""
    source = folder / f"page.{case.format}"
    source.write_text(case.page, encoding="utf-8")
    document = folder / "document.md"
    text = case.document.rstrip()
    stop = text[-1] if text.endswith(".") else ""
    cited = f"# Report\n\n{text.removesuffix('.')} ([page](page.{case.format})){stop}\n"
    document.write_text(cited, encoding="utf-8")
    found = foureyes.check(document, sources=[folder], fetch="none").claims
    return bool(found) and all(one.verdict is Verdict.SUPPORTED for one in found)


def main() -> None:
    """Print the figures; with `--all` the cases that went wrong, too."""
    print("python benchmarks/attacks.py\nbenchmarks/attacks\n")
    wrong: list[Case] = []
    for name, label, bad in (
        ("attacks.jsonl", "attacks believed", True),
        ("honest.jsonl", "honest look-alikes supported", False),
    ):
        total, hits = Counter[int](), Counter[int]()
        for case in cases(name):
            with tempfile.TemporaryDirectory() as folder:
                supported = is_supported(case, Path(folder))
            total[case.kind] += 1
            hits[case.kind] += supported
            if supported is bad:
                wrong.append(case)
        print(line(label, hits.total(), total.total()))
        for kind, count in sorted(total.items()):
            print(f"  {KINDS[kind - 1]:40} {hits[kind]}/{count}")
    if "--all" in sys.argv:
        for case in wrong:
            print(case.id, case.document)


if __name__ == "__main__":
    main()
