"""The command `schema`: what foureyes writes and reads, and the JSON Schema of each."""

from __future__ import annotations

import difflib

from ..base.errors import InputError
from ..report.schemas import schema_text
from .artefacts import ARTEFACTS
from .tables import Column, show_table
from .terminal import say


def show_schema(name: str | None) -> None:
    """Print the schema of `name`; without one, the list of all.

    Raises:
        InputError: Nothing is called so.
    """
    if name is None:
        columns = (Column("name"), Column("what"), Column("where"))
        show_table(columns, [(one.name, one.files, one.where.value) for one in ARTEFACTS])
        return
    known = {artefact.name: artefact for artefact in ARTEFACTS}
    if name not in known:
        close = difflib.get_close_matches(name, known, 1)
        hint = f"did you mean {close[0]!r}?" if close else "see `foureyes schema` for all names"
        raise InputError(f"nothing is called {name!r}", hint)
    for line in schema_text(known[name]).splitlines():
        say(line)
