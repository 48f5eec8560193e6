"""The settings as command-line options: one declaration serves flags, variables and YAML keys."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from copy import copy
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin

import typer
import typer.core
from pydantic import BaseModel, ConfigDict
from pydantic.fields import FieldInfo
from typer.models import OptionInfo, ParameterInfo

from ..assembly.model import (
    AGENT_KEYS,
    CODE_KEYS,
    LOOP_ROLES,
    PATHS,
    BackendName,
    LoadedSettings,
    Origin,
    ReaderName,
    ReviewSettings,
    Settings,
)
from ..assembly.record_config import BUDGETS, CONNECTIONS
from ..assembly.settings import flag_name, load_settings, telemetry_variables
from ..assembly.telemetry import exported
from ..base.files import to_json
from ..base.vocabulary import SearchName
from ..core.config import Effort
from ..core.tasks import Role
from . import terminal

T = TypeVar("T")


def option(metavar: str | None = None, *flags: str, **settings: Any) -> Any:
    """An option; without `flags` it is named as its field is."""
    # The parameter has the default: `...` stands in its place, or Typer takes a flag for it.
    return typer.Option(..., *flags, metavar=metavar, **settings)


def argument(metavar: str, **settings: Any) -> Any:
    """An argument."""
    return typer.Argument(metavar=metavar, **settings)


class CommandOptions(BaseModel):
    """The arguments and options of a command: one a field, whose help is the text below it."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True, defer_build=True)


class JsonOptions(CommandOptions):
    """The options of a command that has a record to print. They stand last."""

    as_json: Annotated[bool, option(None, "--json")] = False
    """Print JSON and nothing else."""

    def print_json(self, type_: type[T], value: T) -> None:
        """Print the output of `--json`: `value` on one line."""
        terminal.line(to_json(type_, value, indent=None))

    def print_record(self, type_: type[T], value: T, lines: Iterable[str]) -> None:
        """Print `value` for `--json`, else the `lines` that tell it to a person."""
        if self.as_json:
            self.print_json(type_, value)
        else:
            terminal.lines(lines)


class OutputOptions(JsonOptions):
    """The options of a command that shows progress, too."""

    quiet: bool = False
    """Show no progress."""

    def note_reader_off(self, settings: Settings) -> None:
        """Print a note if the reader is turned off, so that no result passes for a full one."""
        if settings.reader is ReaderName.NONE:
            terminal.note("--reader none: meaning was not read, only exact checks were made")


Sources = Annotated[
    list[str] | None,
    option(
        "PATH|URL",
        help="A folder, a file or an address that is worked from and that citations may lead to. "
        "Repeatable.",
    ),
]
RunDir = Annotated[Path, argument("RUN_DIR", help="A run directory.")]


class RunDirOptions(JsonOptions):
    """Options of a command over a run directory."""

    run_dir: RunDir


RUN_OPTIONS = tuple(key for key in Settings.model_fields if key not in ReviewSettings.model_fields)
"""Every setting of a run."""

_RESUMED = (
    *("backend", "search", *CONNECTIONS, "max_parallel", *BUDGETS, "max_turns", "max_cost_usd"),
)
"""Settings that may differ on resume: backend, credentials and limits."""
RESUME_OPTIONS = (*_RESUMED, *CODE_KEYS)
REVIEW_RESUME_OPTIONS = (*_RESUMED, "defenders")
CHECK_OPTIONS = (
    *("fetch", "source_cache", "robots", "max_fetches", "fetch_timeout_total", "allowed_hosts"),
    *("as_of", "topic", "registry_dir", "reader"),
)
REVIEW_OPTIONS = tuple(
    dict.fromkeys(
        (
            *("no_web", "verify_background", "testers", "max_searches", *CHECK_OPTIONS),
            *("prompts_dir", "templates_dir", *REVIEW_RESUME_OPTIONS, *AGENT_KEYS),
        )
    )
)

METAVARS = {"model": "NAME", "max_turns": "N", "max_cost_usd": "USD"}
"""What stands for the value that an agent has for itself."""


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
    """The commands of a module, with plain help."""

    def __init__(self) -> None:
        super().__init__(
            add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False
        )

    def command(
        self,
        name: str | None = None,
        *,
        settings: Iterable[str] = (),
        agents: Sequence[Role] = LOOP_ROLES,
        traced: bool = False,
        **more: Any,
    ) -> Callable[..., Any]:
        """A decorator that adds a command, as `typer.Typer.command`, with the options it declares.

        A command may take ``options``, a record of its own `CommandOptions`; ``loaded``, the
        settings in force; ``flags``, the text of each setting by name, None if it was not given;
        ``config``, the file of `--config`. `load_settings` validates the texts, so that flags,
        variables and files have the same error messages.

        Args:
            name: Its name, else that of the function.
            settings: The settings that it has options for.
            agents: Those that take part. The help of a setting begins with the agents that it
                affects, if they are the agents of a run.
            traced: Whether its work is sent to where OpenTelemetry's variables say.
            more: As `typer.Typer.command` takes them.
        """
        register = super().command(name, cls=PlainCommand, **more)
        keys = tuple(settings)

        def add(command: Callable[..., int | None]) -> Callable[..., int | None]:
            plain = inspect.signature(command, eval_str=True)
            if "options" not in plain.parameters:
                return register(command)
            kind: type[CommandOptions] = plain.parameters["options"].annotation

            @wraps(command)
            def run(**given: Any) -> int | None:
                with exported(telemetry_variables(), terminal.note) if traced else nullcontext():
                    known: dict[str, object] = {"config": given.pop("config", None)}
                    known["flags"] = flags = {key: given.pop(key) for key in keys}
                    known["options"] = kind(**given)
                    if "loaded" in plain.parameters:
                        known["loaded"] = load_settings(flags, config=cast("Any", known["config"]))
                    return command(**{name: known[name] for name in plain.parameters})

            last = OutputOptions.model_fields.keys()
            fields = dict(sorted(kind.model_fields.items(), key=lambda item: item[0] in last))
            parameters = [_own_option(name, field) for name, field in fields.items()]
            if not {"loaded", "config"}.isdisjoint(plain.parameters):
                parameters.insert(len(fields.keys() - last), _CONFIG)
            parameters += [setting_option(name, agents) for name in keys]
            # Typer reads the signature; pyright does not know that functions can have their own.
            cast("Any", run).__signature__ = plain.replace(parameters=parameters)
            return register(run)

        return add


def _own_option(name: str, field: FieldInfo) -> inspect.Parameter:
    """The field `name` of a command's options as a parameter that Typer understands."""
    declared = [one for one in field.metadata if isinstance(one, ParameterInfo)]
    info = copy(declared[0]) if declared else option()
    info.help = " ".join((field.description or info.help or "").split())
    if isinstance(info, OptionInfo):
        flags = info.param_decls or ()
        named = any(one.startswith("--") for one in flags)
        info.param_decls = flags if named else (flag_name(name), *flags)
        info.metavar = info.metavar or "|".join(choices(field)) or None
    default = inspect.Parameter.empty if field.is_required() else field.default
    return _parameter(name, field.annotation, info, default)


def _parameter(name: str, type_: object, info: Any, default: object = None) -> inspect.Parameter:
    annotation = Annotated[cast("Any", type_), info]
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, default=default, annotation=annotation)


def choices(field: FieldInfo) -> tuple[str, ...]:
    """The words that a field takes, if these are all."""
    for type_ in (field.annotation, *get_args(field.annotation)):
        if isinstance(type_, type) and issubclass(type_, StrEnum):
            return tuple(type_)
    return ()


_CONFIG = _parameter(
    "config", Path | None, option("FILE", help="Read this instead of your own config file.")
)


def setting_option(name: str, agents: Sequence[Role]) -> inspect.Parameter:
    """The setting `name` as a keyword parameter that Typer turns into an option.

    Typer collects a switch, or the text as it is given. The help shows the default.
    """
    field = Settings.model_fields[name]
    help_text = field.description or ""
    if name in AGENT_KEYS:
        help_text = help_text.replace("for one", f"for one ({', '.join(agents)})")
    elif agents is not LOOP_ROLES:
        said = help_text.partition(": ")[2]
        help_text = said[:1].upper() + said[1:]
    if field.annotation is bool:
        return _parameter(name, bool | None, option(None, flag_name(name), help=help_text))
    if field.default not in (None, (), {}):
        help_text += f" [default: {field.default}]"
    several = get_origin(field.annotation) in (tuple, Mapping)
    info = option(metavar(name, field), flag_name(name), help=help_text)
    return _parameter(name, list[str] | None if several else str | None, info)


def metavar(name: str, field: FieldInfo) -> str:
    """Return the metavar of a setting: the allowed words, or the kind of value."""
    if name in AGENT_KEYS:
        return f"[AGENT=]{METAVARS.get(name) or '|'.join(Effort)}"
    return "|".join(choices(field)) or ("PATH" if name in PATHS else "VALUE")


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


By = Annotated[str | None, option("NAME", help="Who decides. [default: your login name]")]
