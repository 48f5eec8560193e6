"""Fills README.md with the real output of its commands.

Usage: python readme.py (or ``make readme``)
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from pages import Ran, Session, nobody, ran
from support.commands import ROOT

README = ROOT / "README.md"
WIDTH = 100
"""Columns of the terminal that its outputs come from."""


def filled(text: str, folder: Path) -> Ran:
    """`text` with the output of its commands, run in `folder`."""
    return ran(text, Session(folder, WIDTH))


if __name__ == "__main__":
    with nobody() as home:
        README.write_text(filled(README.read_text(encoding="utf-8"), home).text, encoding="utf-8")
