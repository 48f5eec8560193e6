"""The options of `foureyes check` that no other command has."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..base.vocabulary import Severity

MARK_STYLES = ("inline", "footnotes")
"""`MarkStyle`, which is not loaded for the help alone."""

FailOn = Annotated[
    str,
    typer.Option(
        "--fail-on",
        metavar="|".join(Severity),
        help="Exit 1 on findings of this severity or worse.",
    ),
]
Fix = Annotated[
    bool,
    typer.Option(
        "--fix",
        help="Write a copy (NAME.fixed.md) with the repairs that are certain, and say what is "
        "left to you.",
    ),
]
Cite = Annotated[
    str | None,
    typer.Option(
        "--cite",
        metavar="|".join(MARK_STYLES),
        help="Write a copy (NAME.cited.md) with a mark behind each claim that a source bears out.",
    ),
]
Sarif = Annotated[
    Path | None,
    typer.Option("--sarif", metavar="FILE", help="Write the findings as SARIF 2.1.0."),
]
Baseline = Annotated[
    Path | None,
    typer.Option(
        "--baseline",
        metavar="FILE",
        help="Findings listed there are accepted and do not count.",
    ),
]
WriteBaseline = Annotated[
    Path | None,
    typer.Option(
        "--write-baseline",
        metavar="FILE",
        help="Accept what is found now: list it there for --baseline.",
    ),
]
