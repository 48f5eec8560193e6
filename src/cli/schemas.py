"""The command `schema`: the published schemas, which `tools/schemas.py` makes from the models."""

from __future__ import annotations

import difflib
import json
from typing import Annotated

from ..base.errors import InputError
from ..base.registry import packaged_config
from ..base.vocabulary import ExitCode
from .commands import CommandGroup
from .options import argument
from .tables import Column, show_table
from .terminal import print_line

_SUFFIX = ".schema.json"

Name = Annotated[str | None, argument("NAME", "As in the list, for example claim-ledger.")]

app = CommandGroup()


@app.command()
def schema(name: Name = None) -> int:
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
        columns = (Column("name"), Column("what"), Column("where"))
        show_table(columns, [(one, head["title"], head["$comment"]) for one, head in heads])
        return ExitCode.OK
    if name not in known:
        close = difflib.get_close_matches(name, known, 1)
        hint = f"did you mean {close[0]!r}?" if close else "see `foureyes schema` for all names"
        raise InputError(f"nothing is called {name!r}", hint)
    for line in (folder / f"{name}{_SUFFIX}").read_text(encoding="utf-8").splitlines():
        print_line(line)
    return ExitCode.OK
