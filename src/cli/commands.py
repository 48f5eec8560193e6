"""Commands with plain help, and a tree of them whose modules are imported when they are called."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer.core
import typer.main

from ..base.errors import InputError

PLAIN: Mapping[str, Any] = {
    "add_completion": False,
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
}
"""What groups of commands are made with, so that their help is plain."""
GROUP_OPTIONS = ("--version", "--help", "-h")


class PlainCommand(typer.core.TyperCommand):
    """A command whose help lists its arguments by their names alone, without ``<list[Path]>``."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options."""
        records_by_heading: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None:
                continue
            if isinstance(parameter, typer.core.TyperArgument):
                more = "" if parameter.nargs == 1 else "..."
                record = (f"{parameter.metavar or parameter.name}{more}", record[1])
                records_by_heading["Arguments"].append(record)
            else:
                records_by_heading["Options"].append(record)
        for heading, records in records_by_heading.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A command: its line in the help, and the module whose `app` has it."""

    summary: str
    module: str


@dataclass(frozen=True, slots=True)
class Branch:
    """A group of commands: its line in the help, and what is below it.

    `default` is the command that is meant where none is named.
    """

    summary: str
    below: Mapping[str, Leaf]
    default: str = ""


class LazyGroup(typer.core.TyperGroup):
    """A group whose help lists its commands without importing them."""

    tree: Mapping[str, Leaf | Branch] = {}
    default = ""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.set_up(self.tree, self.default)

    def set_up(self, tree: Mapping[str, Leaf | Branch], default: str) -> None:
        """Have the commands of `tree`, of which `default` is the one that need not be named."""
        self.tree, self.default = tree, default
        names: Any = dict.fromkeys(tree)
        self.commands = names

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - as in its base
        """The command of this name, whose module is imported now; None if there is none."""
        match self.tree.get(cmd_name):
            case None:
                return None
            case Branch(summary, below, default):
                epilog = f"A bare `foureyes {cmd_name} …` is `foureyes {cmd_name} {default}`."
                group = LazyGroup(
                    name=cmd_name,
                    help=summary,
                    epilog=epilog if default else None,
                    rich_markup_mode=None,
                )
                group.set_up(below, default)
                return group
            case Leaf(module=module):
                imported = importlib.import_module(f".{module}", __package__)
                found: Any = typer.main.get_command(imported.app)
                return found if found.name == cmd_name else found.commands[cmd_name]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words behind the group's name, which may leave out the default command."""
        return super().parse_args(ctx, self.complete(args))

    def complete(self, words: Sequence[str]) -> list[str]:
        """The words, with the default command put first where they name none.

        Raises:
            InputError: The first is neither a command, an option nor a file.
        """
        if not self.default or (words[:1] and words[0] in (*self.tree, *GROUP_OPTIONS)):
            return list(words)
        if words:
            require_path(words[0], tuple(self.tree))
        return [self.default, *words]

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - as in its base
        """Write each command with its line."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, part.summary) for name, part in self.tree.items()])


def require_path(word: str, commands: Sequence[str]) -> None:
    """Refuse a `word` in the place of a command that can be no file.

    Raises:
        InputError: It names no file, and reads as a command or is much like one.
    """
    if word.startswith("-") or Path(word).exists():
        return
    like = difflib.get_close_matches(word, commands, n=1)
    if like:
        raise InputError(f"there is no command {word!r}", f"did you mean {like[0]!r}?")
    if word.isalpha():
        raise InputError(f"there is no command and no file {word!r}", "see foureyes --help")
