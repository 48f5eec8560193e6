"""`foureyes doctor`: what is installed, which backend would run and why, and what is missing."""

from __future__ import annotations

from typing import Annotated

from ..assembly.diagnosis import Diagnosis, diagnose, diagnosis_lines
from ..assembly.model import LoadedSettings
from ..base.vocabulary import ExitCode
from .commands import CommandGroup
from .options import RUN_OPTIONS, Json, print_json, switch, with_settings
from .terminal import print_lines, run_until_stopped

Ask = Annotated[bool, switch("--ask", "Put questions to a paid provider too (a few cents).")]

app = CommandGroup()


@app.command()
@with_settings(RUN_OPTIONS)
def doctor(ask: Ask = False, *, loaded: LoadedSettings, json: Json = False) -> int:
    """Show what is installed, which backend would run and why, every setting, what is missing."""
    diagnosis = run_until_stopped(diagnose(loaded, ask=ask))
    if json:
        print_json(Diagnosis, diagnosis)
    else:
        print_lines(diagnosis_lines(diagnosis))
    return ExitCode.FAILED if diagnosis.missing else ExitCode.OK
