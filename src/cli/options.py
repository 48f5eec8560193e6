"""The settings as command-line options: one declaration serves flags, variables and YAML keys."""

from __future__ import annotations

import getpass
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeVar, cast, get_args, get_origin

import typer
from pydantic.fields import FieldInfo

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
from ..base.errors import InputError
from ..base.files import to_json
from ..base.vocabulary import SearchName
from ..core.config import Effort
from ..core.tasks import Role
from .terminal import print_line, print_note

T = TypeVar("T")
Command: TypeAlias = Callable[..., int]


def option(flag: str, metavar: str, text: str, *others: str, **limits: Any) -> Any:
    """An option with a value; `others` are further names of it."""
    return typer.Option(flag, *others, metavar=metavar, help=text, **limits)


def switch(flag: str, text: str, *others: str) -> Any:
    """An option without a value."""
    return typer.Option(flag, *others, help=text)


def argument(metavar: str, text: str, **settings: Any) -> Any:
    """An argument."""
    return typer.Argument(metavar=metavar, help=text, **settings)


Config = Annotated[
    Path | None, option("--config", "FILE", "Read this instead of your own config file.")
]
Json = Annotated[bool, switch("--json", "Print JSON and nothing else.")]
Quiet = Annotated[bool, switch("--quiet", "Show no progress.")]
Sources = Annotated[
    list[str] | None,
    option(
        "--sources",
        "PATH|URL",
        "A folder, a file or an address that is worked from and that citations may lead to. "
        "Repeatable.",
    ),
]
RunDir = Annotated[Path, argument("RUN_DIR", "A run directory.")]


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """Output options of a command."""

    json: bool = False
    quiet: bool = False


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


def with_settings(
    names: Iterable[str], agents: Sequence[Role] = LOOP_ROLES, *, traced: bool = False
) -> Callable[[Command], Command]:
    """Add an option for each named setting to a command in which `agents` take part.

    The help of a setting begins with the agents that it affects, if those are the agents of a run.
    Where `traced`, the work of the command is sent to where OpenTelemetry's variables say.

    The command declares ``loaded`` in the place of `--config`, and gets the settings in force. One
    that declares ``config`` and ``**flags`` gets each option's text by the setting's name, None if
    it was not given. `load_settings` validates it, so that flags, variables and files have the
    same error messages.
    """
    keys = tuple(names)

    def add(command: Command) -> Command:
        plain = inspect.signature(command, eval_str=True)
        own = [_CONFIG if name == "loaded" else p for name, p in plain.parameters.items()]
        own = [p for p in own if p.kind is not p.VAR_KEYWORD]
        options = [setting_option(name, agents) for name in keys]

        @wraps(command)
        def run(**given: Any) -> int:
            with exported(telemetry_variables(), print_note) if traced else nullcontext():
                if "loaded" in plain.parameters:
                    flags = {key: given.pop(key) for key in keys}
                    given["loaded"] = load_settings(flags, config=given.pop("config"))
                return command(**given)

        # Typer reads the signature; pyright does not know that functions can have one of their own.
        cast("Any", run).__signature__ = plain.replace(parameters=[*own, *options])
        return run

    return add


_CONFIG = inspect.Parameter(
    "config", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Config
)


def setting_option(name: str, agents: Sequence[Role]) -> inspect.Parameter:
    """The setting `name` as a keyword parameter that Typer turns into an option."""
    field = Settings.model_fields[name]
    help_text = field.description or ""
    if name in AGENT_KEYS:
        help_text = help_text.replace("for one", f"for one ({', '.join(agents)})")
    elif agents is not LOOP_ROLES:
        said = help_text.partition(": ")[2]
        help_text = said[:1].upper() + said[1:]
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[option_type(field), make_option(name, field, help_text)],
    )


def option_type(field: FieldInfo) -> object:
    """Return the type that Typer collects for a setting: a switch, or its text as given."""
    if field.annotation is bool:
        return bool | None
    return list[str] | None if get_origin(field.annotation) in (tuple, Mapping) else str | None


def make_option(name: str, field: FieldInfo, help_text: str) -> Any:
    """Make the option of one setting; its help shows the default."""
    if field.annotation is bool:
        return switch(flag_name(name), help_text)
    if field.default not in (None, (), {}):
        help_text += f" [default: {field.default}]"
    return option(flag_name(name), metavar(name, field), help_text)


def metavar(name: str, field: FieldInfo) -> str:
    """Return the metavar of a setting: the allowed words, or the kind of value."""
    if name in AGENT_KEYS:
        return f"[AGENT=]{METAVARS.get(name) or '|'.join(Effort)}"
    for type_ in (field.annotation, *get_args(field.annotation)):
        if isinstance(type_, type) and issubclass(type_, StrEnum):
            return "|".join(type_)
    return "PATH" if name in PATHS else "VALUE"


def print_json(type_: type[T], value: T) -> None:
    """Print the output of `--json`: `value` on one line."""
    print_line(to_json(type_, value, indent=None))


def note_reader_off(settings: Settings) -> None:
    """Print a note if the settings turn the reader off, so that no result passes for a full one."""
    if settings.reader is ReaderName.NONE:
        print_note("--reader none: meaning was not read, only exact checks were made")


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


By = Annotated[str | None, option("--by", "NAME", "Who decides. [default: your login name]")]


def decider_name(by: str | None) -> str:
    """`by`, or the login name.

    Raises:
        InputError: Neither is known.
    """
    if by and by.strip():
        return by.strip()
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        raise InputError("it is not known who decides", "say so with --by NAME") from None
