"""The command `experiment import` over results in a test's folder."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.commands import foureyes_here


@dataclass(frozen=True, slots=True)
class Imported:
    """What the command printed and left behind: the analysis, and the trials in order."""

    folder: Path
    analysis: dict[str, Any]
    trials: tuple[dict[str, Any], ...]

    def trial(self, item: str, arm: str) -> dict[str, Any]:
        """The only trial of `item` in `arm`."""
        places = ((one["trial"]["item"], one["trial"]["arm"]) for one in self.trials)
        return dict(zip(places, self.trials, strict=True))[item, arm]


def import_results(folder: Path, *files: str | Path, **options: object) -> Imported:
    """Import `files`; `slice` and other options are named as the command's are."""
    out = folder / "experiments"
    before = set(out.glob("*"))
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    done = foureyes_here("experiment", "import", *files, *words, "--out", out, "--json", cwd=folder)
    assert done.stdout, done.stderr
    (made,) = set(out.glob("*")) - before
    lines = (made / "results.jsonl").read_text(encoding="utf-8").splitlines()
    return Imported(made, json.loads(done.stdout), tuple(map(json.loads, lines)))


def refusal(folder: Path, *files: str | Path, **options: object) -> str:
    """The one line by which the command refuses `files`, with its hint."""
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    done = foureyes_here("experiment", "import", *files, *words, cwd=folder)
    assert (done.returncode, done.stdout) == (4, "")
    (line,) = done.stderr.splitlines()
    assert line.endswith(")"), line
    return line
