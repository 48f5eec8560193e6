"""The command `experiment import`: results of other harnesses, judged as ours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from ..base.errors import InputError
from ..experiments.importing import building
from ..experiments.importing.building import declare, read_import_file
from ..experiments.statistics.samples import Direction, Scale
from .commands import CommandGroup
from .experiment_report import EPILOG, report_on
from .options import Json, argument, option

Files = Annotated[
    list[str],
    argument("[ARM=]FILE", "Logs of Inspect (.json), or a trial a line (.csv, .jsonl)."),
]
Declared = Annotated[
    Path | None,
    option(
        "--declared",
        "FILE",
        "A YAML file with name, baseline, metrics, slices, alpha, power and seed, instead of the "
        "options below.",
    ),
]
Primary = Annotated[str | None, option("--primary", "NAME", "The metric that decides.")]
DirectionOption = Annotated[
    Direction | None, option("--direction", "|".join(Direction), "Which of its values are good.")
]
ScaleOption = Annotated[
    Scale | None, option("--scale", "|".join(Scale), "Its values. [default: numeric]")
]
Margin = Annotated[
    float | None, option("--margin", "NUMBER", "Its smallest difference that matters.")
]
Failure = Annotated[
    float | None,
    option(
        "--failure",
        "NUMBER",
        "What a trial that failed or is missing counts as. [default: the worse value of a binary "
        "metric]",
    ),
]
Baseline = Annotated[
    str | None,
    option("--baseline", "ARM", "The arm that others are compared with. [default: the first]"),
]
Slices = Annotated[
    list[str] | None,
    option("--slice", "NAME", "A column, or a key of a sample's metadata. Repeatable."),
]
Name = Annotated[str | None, option("--name", "TEXT", "What the experiment is called.")]
Out = Annotated[Path, option("--out", "PATH", "The folder for directories.")]

app = CommandGroup()


@app.command("import", short_help="Judge results of other harnesses.", epilog=EPILOG)
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
