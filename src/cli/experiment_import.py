"""The command `experiment import`: results of other harnesses, judged as ours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..base.errors import InputError
from ..experiments.statistics.samples import Direction, Scale
from .experiment import report_on
from .options import Json

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="[ARM=]FILE",
        help="Logs of Inspect (.json), or a trial a line (.csv, .jsonl).",
    ),
]
Declared = Annotated[
    Path | None,
    typer.Option(
        "--declared",
        metavar="FILE",
        help="A YAML file with name, baseline, metrics, slices, alpha, power and seed, "
        "instead of the options below.",
    ),
]
Primary = Annotated[
    str | None, typer.Option("--primary", metavar="NAME", help="The metric that decides.")
]
DirectionOption = Annotated[
    Direction | None,
    typer.Option("--direction", metavar="|".join(Direction), help="Which of its values are good."),
]
ScaleOption = Annotated[
    Scale | None,
    typer.Option("--scale", metavar="|".join(Scale), help="Its values. [default: numeric]"),
]
Margin = Annotated[
    float | None,
    typer.Option("--margin", metavar="NUMBER", help="Its smallest difference that matters."),
]
Failure = Annotated[
    float | None,
    typer.Option(
        "--failure",
        metavar="NUMBER",
        help="What a trial that failed or is missing counts as. [default: the worse value of "
        "a binary metric]",
    ),
]
Baseline = Annotated[
    str | None,
    typer.Option(
        "--baseline",
        metavar="ARM",
        help="The arm that others are compared with. [default: the first]",
    ),
]
Slices = Annotated[
    list[str] | None,
    typer.Option(
        "--slice", metavar="NAME", help="A column, or a key of a sample's metadata. Repeatable."
    ),
]
Name = Annotated[
    str | None, typer.Option("--name", metavar="TEXT", help="What the experiment is called.")
]
Out = Annotated[Path, typer.Option("--out", metavar="PATH", help="The folder for directories.")]


def import_results(
    files: Files,
    declared: Declared = None,
    primary: Primary = None,
    direction: DirectionOption = None,
    scale: ScaleOption = None,
    margin: Margin = None,
    failure: Failure = None,
    baseline: Baseline = None,
    slices: Slices = None,
    name: Name = None,
    out: Out = Path("experiments"),
    json: Json = False,
) -> int:
    """Make an experiment's directory of results that are there, and say what they show.

    Trials that failed, and those that one arm has and another lacks, count as failures.
    """
    from ..experiments.importing import building
    from ..experiments.importing.building import declare, read_import_file

    named = [building.import_name(one) for one in files]
    building.require_files(named)
    options = (primary, direction, scale, margin, failure, baseline, slices, name)
    if declared is not None:
        if any(one is not None for one in options):
            raise InputError("--declared says all that is declared", "leave out the other options")
        declaration = read_import_file(declared)
    elif primary is None:
        raise InputError("it is not said which metric decides", "add --primary or --declared")
    else:
        declaration = declare(
            name,
            baseline,
            tuple(slices or ()),
            primary=primary,
            direction=direction,
            scale=scale,
            margin=margin,
            failure=failure,
        )
    folder = building.import_results(named, declaration, out)
    return report_on(folder, None, json=json)
