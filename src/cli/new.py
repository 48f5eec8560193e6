"""The command `new agent`: files to start an agent of one's own from."""

from __future__ import annotations

import keyword
from pathlib import Path
from typing import Annotated

from ..base.errors import InputError
from ..base.files import write_atomic
from ..base.registry import packaged_config
from ..base.vocabulary import ExitCode
from ..core.agent_calls import require_usable_name
from .commands import CommandGroup
from .options import argument, option
from .terminal import print_line

FILES = {"agent.py.txt": "{}.py", "prompt.md.txt": "{}.md", "test.py.txt": "test_{}.py"}
"""Packaged starter files, and their names in the user's folder."""

Name = Annotated[str, argument("NAME", "Small letters, digits and underscores.")]
Out = Annotated[Path, option("--out", "FOLDER", "Where the files go.")]

app = CommandGroup(name="new", help="Files to start from.")


@app.callback()
def new() -> None:
    """Files to start from."""


@app.command(short_help="Begin an agent of your own.")
def agent(name: Name, out: Out = Path()) -> int:
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
        print_line(str(path))
    print_line(f"run it with: foureyes run --draft DRAFT --agents {out / name}.py:AGENT")
    return ExitCode.OK
