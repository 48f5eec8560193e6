"""Fills README.md with the real output of its commands, and the tables of settings and names.

Usage: python readme.py (or ``make readme``)
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from foureyes.assembly.layers import flag_name
from foureyes.assembly.model import AGENT_KEYS, Settings
from support.commands import ROOT
from support.pages import Ran, Session, nobody, ran
from support.public_api import public

README = ROOT / "README.md"
WIDTH = 100
"""Columns of the terminal that its outputs come from."""
AGENT_ROWS = {
    "model": "All agents: the model, `NAME` for all or `AGENT=NAME` for one. Repeatable.",
    "effort": "All agents: how much the model thinks (low, medium, high …). As `--model`.",
    "max_turns": "All agents: most answers of the model in a turn. As `--model`.",
    "max_cost_usd": "All agents: dollars that a turn may cost. As `--model`.",
}


def filled(text: str, folder: Path) -> Ran:
    """`text` with what its commands print in `folder`, and the table of settings."""
    demo = re.search(r"```text\n.*?```\n", text, re.S)
    assert demo is not None
    below = ran(text[demo.end() :], Session(folder, WIDTH))
    table = "\n".join(settings_rows())
    rows = r"(?<=\| --- \| --- \| --- \|\n)(?:\| `--.*\n)+"
    settings = re.sub(rows, lambda _: f"{table}\n", below.text)
    names = "\n".join(name_rows())
    settings = re.sub(
        r"(?<=\| public \| \|\n\| --- \| --- \|\n)(?:\| .*\n)*", f"{names}\n", settings
    )
    shown = f"```text\n{printed(demo_command(), folder)}```\n"
    return Ran(f"{text[: demo.start()]}{shown}{settings}", below.programs)


def demo_command() -> str:
    """What `make demo` runs."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    found = re.search(r"^demo:.*\n\t\S+ -m pipeline (.*)$", makefile, re.M)
    assert found is not None
    return found[1]


def printed(command: str, folder: Path) -> str:
    """What `foureyes` with these arguments leaves on a terminal."""
    return Session(folder, WIDTH).printed(f"$ foureyes {command}")


def settings_rows() -> Iterator[str]:
    """A row of the table for each setting that has a flag."""
    for key, default, meaning in settings():
        yield f"| `{flag_name(key)}` | {default} | {meaning} |"


def name_rows() -> Iterator[str]:
    """A row of the table of public names for each sort."""
    things = public()
    errors = {name for name, one in things.items() if isinstance(one, type) and is_error(one)}
    functions = {name for name, one in things.items() if not isinstance(one, type)}
    for sort, names in (
        ("functions", functions),
        ("classes", things.keys() - functions - errors),
        ("errors", errors),
    ):
        yield f"| {sort} | {', '.join(f'`{name}`' for name in sorted(names))} |"


def is_error(kind: type) -> bool:
    """Whether a class is that of an error."""
    return issubclass(kind, Exception)


def settings() -> Iterator[tuple[str, str, str]]:
    """Key, default and meaning of each setting; what each agent has for itself counts once."""
    of_agents = {key for keys in AGENT_KEYS.values() for key in keys.values()}
    for name, field in Settings.model_fields.items():
        if name not in of_agents:
            default = {None: "", (): "", False: "off"}.get(field.default, str(field.default))
            yield name, default, field.description or ""
        if name == "backend":
            for agents, meaning in AGENT_ROWS.items():
                yield agents, "", meaning


if __name__ == "__main__":
    with nobody() as home:
        README.write_text(filled(README.read_text(encoding="utf-8"), home).text, encoding="utf-8")
