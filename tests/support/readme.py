"""Fills README.md with the real output of its commands and the table of settings.

Usage: python readme.py (or ``make readme``)
"""

from __future__ import annotations

import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from foureyes.assembly.layers import flag_name
from foureyes.assembly.model import AGENT_KEYS, Settings
from support.commands import EXAMPLES, ROOT, foureyes_here

README = ROOT / "README.md"
AGENT_ROWS = {
    "model": "All agents: the model, `NAME` for all or `AGENT=NAME` for one. Repeatable.",
    "effort": "All agents: how much the model thinks (low, medium, high …). As `--model`.",
    "max_turns": "All agents: most answers of the model in a turn. As `--model`.",
    "max_cost_usd": "All agents: dollars that a turn may cost. As `--model`.",
}


def filled(text: str, folder: Path) -> str:
    """`text` with each shown output replaced by what the command prints in `folder`."""
    if not (folder / "examples").exists():
        shutil.copytree(EXAMPLES, folder / "examples")
    demo = printed(demo_command(), folder)
    text = re.sub(r"```text\n.*?```", lambda _: f"```text\n{demo}```", text, count=1, flags=re.S)
    shown = re.compile(r"```console\n\$ foureyes ([^\n]*)\n.*?```", re.S)
    text = shown.sub(lambda m: f"```console\n$ foureyes {m[1]}\n{printed(m[1], folder)}```", text)
    table = "\n".join(settings_rows())
    rows = r"(?<=\| --- \| --- \| --- \|\n)(?:\| `--.*\n)+"
    return re.sub(rows, lambda _: f"{table}\n", text)


def demo_command() -> str:
    """What `make demo` runs."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    found = re.search(r"^demo:.*\n\t\S+ -m pipeline (.*)$", makefile, re.M)
    assert found is not None
    return found[1]


def printed(command: str, folder: Path) -> str:
    """The standard output of a command on a terminal of 100 columns."""
    run = foureyes_here(*shlex.split(command), cwd=folder, env={"COLUMNS": "100"})
    return "".join(f"{line.rstrip()}\n" for line in run.stdout.splitlines())


def settings_rows() -> Iterator[str]:
    """A row of the table for each setting that has a flag."""
    of_agents = {key for keys in AGENT_KEYS.values() for key in keys.values()}
    for name, field in Settings.model_fields.items():
        if name not in of_agents:
            default = {None: "", (): "", False: "off"}.get(field.default, str(field.default))
            yield f"| `{flag_name(name)}` | {default} | {field.description} |"
        if name == "backend":
            for agents, meaning in AGENT_ROWS.items():
                yield f"| `{flag_name(agents)}` |  | {meaning} |"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        README.write_text(filled(README.read_text(encoding="utf-8"), Path(name)), encoding="utf-8")
