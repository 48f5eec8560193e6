"""Help that names what people give, not the types that a program turns it into."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer
import typer.core


class PlainCommand(typer.core.TyperCommand):
    """A command whose help lists its arguments by their names alone, without ``<list[Path]>``."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options."""
        told: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None:
                continue
            if isinstance(parameter, typer.core.TyperArgument):
                more = "" if parameter.nargs == 1 else "..."
                record = (f"{parameter.metavar or parameter.name}{more}", record[1])
                told["Arguments"].append(record)
            else:
                told["Options"].append(record)
        for heading, records in told.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


class Commands(typer.Typer):
    """A group of commands with plain help."""

    def command(
        self,
        name: str | None = None,
        *,
        cls: type[typer.core.TyperCommand] | None = PlainCommand,
        **settings: Any,
    ) -> Callable[..., Any]:
        """A decorator that adds a command, as `typer.Typer.command`."""
        return super().command(name, cls=cls, **settings)
