"""Runs of the command over small invented texts, and what they leave behind."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any, cast

from support.commands import Command, foureyes_here

BRIEF = """# The tidal power station of Arnsund

What does the station produce, what did it cost, and who owns it?
"""

SOURCE = """# Arnsund tidal power station

The Arnsund tidal power station began regular service on 4 May 2019. Its 24 turbines have an
installed capacity of 96 megawatts and produced 212 gigawatt hours in 2022. The construction of the
station cost $30 billion. The municipality of Arnsund holds 60 percent of the shares, and the
harbour company holds 40 percent.

The chief engineer said that "the blades have to be cleaned of mussels twice a year".
"""

GOOD_DRAFT = """# The tidal power station of Arnsund

## Overview

The Arnsund tidal power station began regular service on 4 May 2019 [1]. Its 24 turbines have an
installed capacity of 96 megawatts [1].

## Production

The station produced 212 gigawatt hours in 2022 [1]. The chief engineer said that "the blades have
to be cleaned of mussels twice a year" [1].

## Cost and ownership

The construction of the station cost $30 billion [1]. The municipality of Arnsund holds 60 percent
of the shares, and the harbour company holds 40 percent [1].

## Sources

[1] [Arnsund tidal power station](arnsund.md)
"""


def write_case(folder: Path, draft: str) -> None:
    """Put brief, draft and sources into `folder`."""
    (folder / "sources").mkdir(parents=True)
    (folder / "brief.md").write_text(BRIEF, encoding="utf-8")
    (folder / "draft.md").write_text(draft, encoding="utf-8")
    (folder / "sources" / "arnsund.md").write_text(SOURCE, encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run that ended: the command, its JSON object, and its directory."""

    command: CompletedProcess[str]
    json: dict[str, Any]
    run_dir: Path

    def artefact(self, name: str) -> dict[str, Any]:
        """A JSON file of the run directory."""
        return cast("dict[str, Any]", json.loads((self.run_dir / name).read_bytes()))

    def events(self) -> list[dict[str, Any]]:
        """The lines of `events.jsonl`."""
        text = (self.run_dir / "events.jsonl").read_text(encoding="utf-8")
        return [cast("dict[str, Any]", json.loads(line)) for line in text.splitlines()]


def outcome(command: CompletedProcess[str], folder: Path) -> Outcome:
    """What a command with ``--json`` left behind."""
    result = cast("dict[str, Any]", json.loads(command.stdout))
    return Outcome(command, result, folder / result["run_dir"])


def examine(folder: Path, *options: str, by: Command = foureyes_here) -> Outcome:
    """Run the main job over the draft in `folder`."""
    command = by(
        "--with-fact-checker",
        *("--draft", "draft.md", "--sources", "sources", "--json", "--quiet"),
        *("--as-of", "2026-01-02", *options, "brief.md"),
        cwd=folder,
    )
    assert command.stdout, command.stderr
    return outcome(command, folder)
