"""The commands `new agent`, `schema` and `doctor`: where a user begins."""

from __future__ import annotations

import json
import keyword
from pathlib import Path
from typing import Annotated

from ..assembly.diagnosis import Diagnosis, diagnose, diagnosis_lines
from ..assembly.model import LoadedSettings
from ..base.errors import InputError
from ..base.files import write_atomic
from ..base.registry import meant, packaged_config
from ..base.vocabulary import ExitCode
from ..core.agent_calls import require_usable_name
from . import terminal
from ._options import RUN_OPTIONS, CommandGroup, JsonOptions, argument, option

FILES = {"agent.py.txt": "{}.py", "prompt.md.txt": "{}.md", "test.py.txt": "test_{}.py"}
"""Packaged starter files, and their names in the user's folder."""
_SUFFIX = ".schema.json"

AgentName = Annotated[str, argument("NAME", help="Small letters, digits and underscores.")]
Out = Annotated[Path, option("FOLDER", "--out", help="Where the files go.")]
SchemaName = Annotated[
    str | None, argument("NAME", help="As in the list, for example claim-ledger.")
]

app = CommandGroup()


@app.command()
def agent(name: AgentName, out: Out = Path()) -> None:
    """Write NAME.py with an agent, NAME.md with its prompt, and test_NAME.py with a test."""
    require_usable_name(name)
    if keyword.iskeyword(name):
        raise InputError(f"{name!r} is a word of Python", "choose another name")
    starters = packaged_config() / "starters" / "agent"
    files = {out / target.format(name): source for source, target in FILES.items()}
    for path in files:
        if path.exists():
            raise InputError(f"{str(path)!r} exists", "choose another name, or another --out")
    if not out.is_dir():
        raise InputError(f"{str(out)!r} is not a folder", "give an existing folder")
    for path, source in files.items():
        text = (starters / source).read_text(encoding="utf-8")
        write_atomic(path, text.replace("{name}", name))
        terminal.line(str(path))
    terminal.line(f"run it with: foureyes run --draft DRAFT --agents {out / name}.py:AGENT")


@app.command()
def schema(name: SchemaName = None) -> None:
    """Print the JSON Schema of NAME; without it, the names of all that has one."""
    folder = packaged_config() / "schemas"
    known = sorted(
        file.name.removesuffix(_SUFFIX) for file in folder.iterdir() if file.name.endswith(_SUFFIX)
    )
    if name is None:
        heads = [
            (one, json.loads((folder / f"{one}{_SUFFIX}").read_text(encoding="utf-8")))
            for one in known
        ]
        columns = ("name", "what", "where")
        terminal.table(columns, [(one, head["title"], head["$comment"]) for one, head in heads])
        return
    if name not in known:
        hint = meant(name, known, "see `foureyes schema` for all names")
        raise InputError(f"nothing is called {name!r}", hint)
    terminal.lines((folder / f"{name}{_SUFFIX}").read_text(encoding="utf-8").splitlines())


class DoctorOptions(JsonOptions):
    """Options of `doctor`."""

    ask: bool = False
    """Put questions to a paid provider too (a few cents)."""


@app.command(settings=RUN_OPTIONS)
def doctor(options: DoctorOptions, loaded: LoadedSettings) -> int:
    """Show what is installed, which backend would run and why, every setting, what is missing."""
    diagnosis = terminal.run_until_stopped(diagnose(loaded, ask=options.ask))
    options.print_record(Diagnosis, diagnosis, diagnosis_lines(diagnosis))
    return ExitCode.FAILED if diagnosis.missing else ExitCode.OK
