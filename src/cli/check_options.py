"""The options of `foureyes check` that no other command has."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..base.vocabulary import Severity

MARK_STYLES = ("inline", "footnotes")
"""`MarkStyle`, which is not loaded for the help alone."""

CHECK_EPILOG = (
    "Exit codes: 0 the gate passes and no finding is as bad as --fail-on, 1 there are such "
    "findings or the gate fails, 2 something could not be checked (a source that was not read or "
    "is refused, a language, claims that wait for a person), 4 bad input, 130 cancelled."
)

All = Annotated[
    bool,
    typer.Option(
        "--all",
        help="Show all findings, those of low severity and all of a kind, and the sources.",
    ),
]
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
