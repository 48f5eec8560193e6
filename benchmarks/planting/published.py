"""Published texts of the data folder: sections of a standard, drafts, answers of a model."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from measure import rows

_NIST, _ANSWERS = "e2e_nist_sp80063.dev.jsonl", "factcheckbench_docs.dev.jsonl"


def data_folder() -> Path | None:
    """The data folder, None if there is none, which is said."""
    folder = Path(os.environ.get("FOUREYES_DATA", "../shared/data"))
    if (folder / _NIST).is_file() and (folder / _ANSWERS).is_file():
        return folder
    print(f"published texts: not measured, they are not in {folder} (set FOUREYES_DATA)")
    return None


def published() -> Iterator[tuple[str, str]]:
    """Each text with its name, which begins with its sort: NIST, answer or draft."""
    folder = data_folder()
    if folder is None:
        return
    for row in rows(_NIST):
        yield f"NIST {row['id']}", row["markdown"]
    for number, row in enumerate(rows(_ANSWERS), start=1):
        yield f"answer {number}", row["response"]
    for case in sorted((folder / "corpus").glob("case[0-9][0-9]")):
        yield f"draft {case.name}", (case / "draft.md").read_text("utf-8")
