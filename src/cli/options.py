"""The settings as command-line options: one declaration serves flags, variables and YAML keys."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin

import typer
import typer.core
from pydantic.fields import FieldInfo

from ..assembly.layers import flag_name
from ..assembly.model import (
    AGENT_KEYS,
    LOOP_ROLES,
    PATHS,
    BackendName,
    LoadedSettings,
    Origin,
    ReaderName,
    ReviewSettings,
    Settings,
)
from ..base.errors import InputError
from ..base.vocabulary import SearchName, Severity
from ..core.config import BaseAgentConfig, Effort
from ..core.tasks import Role
from .terminal import print_note

Config = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="Read this instead of your own config file."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Show no progress.")]
Sources = Annotated[
    list[str] | None,
    typer.Option(
        "--sources",
        metavar="PATH|URL",
        help="A folder, a file or an address that is worked from and that citations may lead to. "
        "Repeatable.",
    ),
]

CommandT = TypeVar("CommandT", bound=Callable[..., object])

OF_ONE_AGENT = frozenset(key for keys in AGENT_KEYS.values() for key in keys.values())
RUN_OPTIONS = (
    *(
        key
        for key in Settings.model_fields
        if key not in OF_ONE_AGENT and key not in ReviewSettings.model_fields
    ),
    *AGENT_KEYS,
)
"""Every setting of a run. What each agent has for itself is set by one flag, such as `--model`."""

RESUME_OPTIONS = (
    "backend", "base_url", "api_key_env", "max_parallel", "budget_usd", "budget_tokens",
    "budget_turns", "budget_tool_calls", "max_minutes",
    "max_turns", "max_cost_usd", "search", "search_url", "search_key_env", "knowledge_base",
    "analyst", "judge", "critics", "agents", "gate_policy", "settlement",
)  # fmt: skip
"""Settings that may differ on resume: backend, credentials, limits, and the user's own code."""

CHECK_OPTIONS = (
    *("fetch", "source_cache", "robots", "max_fetches", "allowed_hosts"),
    *("as_of", "topic", "registry_dir", "reader"),
)

FOR_AGENTS = "for all or AGENT=… for one ({agents}). Repeatable."
AGENT_OPTIONS = {
    "model": ("NAME", f"All agents: the model, {FOR_AGENTS}"),
    "effort": (
        "|".join(Effort),
        f"All agents: how much the model thinks, {FOR_AGENTS} Models without such a choice take "
        "no notice.",
    ),
    "max_turns": (
        "N",
        f"All agents: most answers of the model in one turn, {FOR_AGENTS} "
        f"[default: {BaseAgentConfig().max_turns}]",
    ),
    "max_cost_usd": (
        "USD",
        f"All agents: dollars that one turn may cost, {FOR_AGENTS} One answer of the model may "
        "overshoot it.",
    ),
}
"""Metavar and help of each option."""


def with_settings(
    names: Iterable[str], agents: Sequence[Role] = LOOP_ROLES
) -> Callable[[CommandT], CommandT]:
    """Add an option for each named setting to a command in which `agents` take part.

    The help of a setting begins with the agents that it affects, if those are the agents of a run.

    The command declares ``**flags`` and gets each option's text by the setting's name, None if it
    was not given. `load_settings` validates it, so that flags, variables and files have the same
    error messages.
    """

    def add(command: CommandT) -> CommandT:
        plain = inspect.signature(command, eval_str=True)
        own = [p for p in plain.parameters.values() if p.kind is not p.VAR_KEYWORD]
        options = [setting_option(name, agents) for name in names]
        # Typer reads the signature; pyright does not know that functions can have one of their own.
        cast("Any", command).__signature__ = plain.replace(parameters=[*own, *options])
        return command

    return add


def setting_option(name: str, agents: Sequence[Role]) -> inspect.Parameter:
    """The setting `name` as a keyword parameter that Typer turns into an option."""
    if name in AGENT_OPTIONS:
        stands, help_text = AGENT_OPTIONS[name]
        help_text = help_text.format(agents=", ".join(agents))
        option: object = Annotated[
            list[str] | None,
            typer.Option(flag_name(name), metavar=f"[AGENT=]{stands}", help=help_text),
        ]
    else:
        field = Settings.model_fields[name]
        help_text = field.description or ""
        if agents is not LOOP_ROLES:
            said = help_text.partition(": ")[2]
            help_text = said[:1].upper() + said[1:]
        option = Annotated[option_type(field), make_option(name, field, help_text)]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option)


def option_type(field: FieldInfo) -> object:
    """Return the type that Typer collects for a setting: a switch, or its text as given."""
    if field.annotation is bool:
        return bool | None
    return list[str] | None if repeats(field) else str | None


def repeats(field: FieldInfo) -> bool:
    """Return whether a setting takes several values."""
    return get_origin(field.annotation) is tuple


def make_option(name: str, field: FieldInfo, help_text: str) -> Any:
    """Make the option of one setting; its help shows the default."""
    if field.annotation is bool:
        return typer.Option(flag_name(name), help=help_text)
    if field.default not in (None, ()):
        help_text += f" [default: {field.default}]"
    return typer.Option(flag_name(name), metavar=metavar(name, field), help=help_text)


def metavar(name: str, field: FieldInfo) -> str:
    """Return the metavar of a setting: the allowed words, or the kind of value."""
    for type_ in (field.annotation, *get_args(field.annotation)):
        if isinstance(type_, type) and issubclass(type_, StrEnum):
            return "|".join(type_)
    if name in PATHS:
        return "PATH"
    return "VALUE"


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


MARK_STYLES = ("inline", "footnotes")
"""`MarkStyle`, which is not loaded for the help alone."""

CHECK_EPILOG = (
    "Exit codes: 0 the gate passes and no finding is as bad as --fail-on, 1 there are such "
    "findings or the gate fails, 2 something could not be checked (a source that was not read or "
    "is refused, a language, claims that wait for a person), 4 bad input, 130 cancelled."
)

All = Annotated[
    bool,
    typer.Option(
        "--all",
        help="Show all findings, those of low severity and all of a kind, and the sources.",
    ),
]
FailOn = Annotated[
    str,
    typer.Option(
        "--fail-on",
        metavar="|".join(Severity),
        help="Exit 1 on findings of this severity or worse.",
    ),
]
Fix = Annotated[
    bool,
    typer.Option(
        "--fix",
        help="Write a copy (NAME.fixed.md) with the repairs that are certain, and say what is "
        "left to you.",
    ),
]
Cite = Annotated[
    str | None,
    typer.Option(
        "--cite",
        metavar="|".join(MARK_STYLES),
        help="Write a copy (NAME.cited.md) with a mark behind each claim that a source bears out.",
    ),
]
Sarif = Annotated[
    Path | None,
    typer.Option("--sarif", metavar="FILE", help="Write the findings as SARIF 2.1.0."),
]
Baseline = Annotated[
    Path | None,
    typer.Option(
        "--baseline",
        metavar="FILE",
        help="Findings listed there are accepted and do not count.",
    ),
]
WriteBaseline = Annotated[
    Path | None,
    typer.Option(
        "--write-baseline",
        metavar="FILE",
        help="Accept what is found now: list it there for --baseline.",
    ),
]


def note_reader_off(settings: Settings) -> None:
    """Print a note if the settings turn the reader off, so that no result passes for a full one."""
    if settings.reader is ReaderName.NONE:
        print_note("--reader none: meaning was not read, only exact checks were made")


def require_choice(flag: str, given: str, words: tuple[str, ...]) -> str:
    """Return `given` if it is one of `words`.

    Raises:
        InputError: It is not.
    """
    if given not in words:
        raise InputError(f"{flag}: {given!r} is none of {', '.join(words)}")
    return given


def connection_flags(loaded: LoadedSettings, more: Iterable[str] = ()) -> list[str]:
    """Return the given flags of backend and search, which a resume command needs again.

    `more` names further settings to repeat.
    """
    settings = loaded.settings
    names: tuple[str, ...] = ()
    if settings.backend is not BackendName.OFFLINE:
        names += ("backend", "base_url", "api_key_env")
    if settings.search is not SearchName.NONE:
        names += ("search", "search_url", "search_key_env", "knowledge_base")
    values: dict[str, object] = dict(settings)
    words: list[str] = []
    for name in (*names, *more):
        if loaded.origin(name).origin is Origin.FLAG:
            value = values[name]
            several = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
            for one in several:
                words += [flag_name(name), str(one)]
    return words
