"""The settings as command-line options: one declaration serves flags, variables and YAML keys."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin

import typer
from pydantic.fields import FieldInfo

from ..assembly.layers import flag_name
from ..assembly.model import AGENT_KEYS, LOOP_ROLES, PATHS, ReviewSettings, Settings
from ..core.config import BaseAgentConfig, Effort
from ..core.types import Role

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
"""What may differ when a run goes on: who answers, with which key, its limits; and what has to be
named again because it is code."""

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
"""What stands for the value of each, and its help."""


def with_settings(
    names: Iterable[str], agents: Sequence[Role] = LOOP_ROLES
) -> Callable[[CommandT], CommandT]:
    """Add an option for each named setting to a command in which `agents` take part.

    The help begins with whom a setting affects, but for other agents than those of an analysis.

    The command declares ``**flags`` and gets each option's text by the setting's name, None if it
    was not given; `load_settings` validates, so that a wrong flag, variable and file entry are
    told of in the same words.
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
        option = Annotated[kind(field), declared(name, field, help_text)]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option)


def kind(field: FieldInfo) -> object:
    """What Typer collects for a setting: a switch, or its text as given."""
    if field.annotation is bool:
        return bool | None
    return list[str] | None if repeats(field) else str | None


def repeats(field: FieldInfo) -> bool:
    """Whether a setting holds several values."""
    return get_origin(field.annotation) is tuple


def declared(name: str, field: FieldInfo, help_text: str) -> Any:
    """The option of one setting; its help tells the default."""
    if field.annotation is bool:
        return typer.Option(flag_name(name), help=help_text)
    if field.default not in (None, ()):
        help_text += f" [default: {field.default}]"
    return typer.Option(flag_name(name), metavar=metavar(name, field), help=help_text)


def metavar(name: str, field: FieldInfo) -> str:
    """What stands for the value in the help: the words allowed, or its kind."""
    for type_ in (field.annotation, *get_args(field.annotation)):
        if isinstance(type_, type) and issubclass(type_, StrEnum):
            return "|".join(type_)
    if name in PATHS:
        return "PATH"
    return "VALUE"
