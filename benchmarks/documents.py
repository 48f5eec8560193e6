"""What `foureyes check` finds in documents with planted errors that lie beside their sources.

    python benchmarks/documents.py [FOLDER] [--all]

Without a folder those of `benchmarks/documents`: eight documents on invented things with 366
labelled claims, written by somebody who had not seen the code or its results; nothing is fitted on
them. Claims and figures are matched and counted as in `corpus.py`; ``--all`` lists what went wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import foureyes
from corpus import Answer, gold_of, list_wrong, matched, report

FOLDER = Path(__file__).with_name("documents")


def answers_of(case: Path) -> Iterator[Answer]:
    """What the check says of each labelled claim."""
    draft = (case / "draft.md").read_text("utf-8")
    checked = foureyes.check(case / "draft.md", sources=[case / "sources"], fetch="none")
    for gold in gold_of(case):
        yield Answer(case.name, gold, *matched(gold, checked.report, draft))


def main() -> None:
    """Check every document and print the figures."""
    given = [Path(one) for one in sys.argv[1:] if not one.startswith("--")]
    folder = given[0] if given else FOLDER
    cases = sorted(path.parent for path in folder.glob("*/gold.json"))
    if not cases:
        print(f"documents: not measured, no folder in {folder} has a gold.json")
        return
    answers = [answer for case in cases for answer in answers_of(case)]
    if "--all" in sys.argv:
        list_wrong(answers)
    report("documents", answers, len(cases))


if __name__ == "__main__":
    main()
