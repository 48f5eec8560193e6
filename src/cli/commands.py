"""Groups of commands with plain help, one of which imports a command when it is called."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

import typer
import typer.core
import typer.main

Command: TypeAlias = typer.core.TyperCommand | typer.core.TyperGroup


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


class CommandGroup(typer.Typer):
    """A group of commands with plain help, or, of a module with one, that command."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(
            add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, **settings
        )

    def command(
        self,
        name: str | None = None,
        *,
        cls: type[typer.core.TyperCommand] | None = PlainCommand,
        **settings: Any,
    ) -> Callable[..., Any]:
        """A decorator that adds a command, as `typer.Typer.command`."""
        return super().command(name, cls=cls, **settings)


class ImportedCommands(Mapping[str, Command]):
    """Commands by name; the module of each is imported when it is looked up.

    The `app` of a module is the command itself, or a group that holds it.
    """

    def __init__(self, modules: Mapping[str, str]) -> None:
        self._modules = modules

    def __getitem__(self, name: str) -> Command:
        module = importlib.import_module(f".{self._modules[name]}", __package__)
        found: Any = typer.main.get_command(module.app)
        return found if found.name == name else found.commands[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


class LazyGroup(typer.core.TyperGroup):
    """A group whose help lists its commands without importing them.

    A subclass names in `modules` the module of each command, and in `summaries` its line.
    """

    modules: Mapping[str, str] = {}
    summaries: Mapping[str, str] = {}

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        imported: Any = ImportedCommands(self.modules)
        self.commands = imported

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the base class gives it
        """The names, in the order of the table."""
        return list(self.modules)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - as above
        """Write each command with its line."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.summaries.items()))
