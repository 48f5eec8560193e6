"""The settings in force: those of each origin, merged, validated and checked against each other.

This module is the only place in the package that reads the environment.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast
from urllib.parse import urlsplit

from pydantic import SecretStr, ValidationError

from ..base.errors import SettingsError, mistake_text
from ..base.files import read_document
from ..base.registry import first_line, meant, parse_yaml, require_known_files
from ..base.vocabulary import FetchMode, SearchName
from ..core.config import BaseAgentConfig, BudgetConfig, Config, PipelineConfig, PipelineMode
from ..core.tasks import Role
from ..review.types import ReviewConfig, WebVerifierConfig
from .model import AGENT_KEYS, PATHS, PROTECTED, LoadedSettings, Origin, Provenance, Settings

PREFIX = "FOUREYES_"
FOLDER_FILE = "foureyes.yaml"
PATH_WORDS = ("auto", "none")
"""Words that may stand in place of a path."""
FOREIGN_VARIABLES = frozenset({"FOUREYES_DATA"})
"""Variables with our prefix that are no settings: where the benchmarks find their data."""


Given: TypeAlias = tuple[str, object, Provenance]
"""A setting, its value, and where that was given."""


def flag_name(key: str) -> str:
    """The flag of a setting."""
    return "--" + key.replace("_", "-")


def _given(
    flags: Mapping[str, object], environ: Mapping[str, str], config: Path | None, folder: Path
) -> Iterator[Given]:
    """Every setting that was given, the strongest place first.

    An empty variable counts as not set. Protected settings in `foureyes.yaml` are refused.
    """
    for key, value in flags.items():
        if value not in (None, [], (), {}):
            yield key, value, Provenance(Origin.FLAG, flag_name(key))
    for name, value in environ.items():
        if name.startswith(PREFIX) and value and name not in FOREIGN_VARIABLES:
            key = name.removeprefix(PREFIX).lower()
            yield key, value, Provenance(Origin.ENVIRONMENT, name)
    home = _user_folder(environ, "CONFIG", ".config")
    usual = home / "config.yaml" if home else None
    if path := config or (usual if usual and usual.is_file() else None):
        yield from _of_file(Origin.CONFIG, path)
    path = folder / FOLDER_FILE
    for key, value, given in _of_file(Origin.FOLDER, path) if path.is_file() else ():
        if key in PROTECTED:
            raise SettingsError(
                f"{given.place} may not be set in the working folder",
                "use a flag, a variable, or your own config file",
            )
        yield key, value, given


def _user_cache(name: str) -> Path | None:
    """The folder `name` of the user's cached files by the XDG rules, None without a home."""
    cache = _user_folder(os.environ, "CACHE", ".cache")
    return cache / name if cache else None


def _user_folder(environ: Mapping[str, str], kind: str, otherwise: str) -> Path | None:
    """The user's folder of a `kind` by the XDG rules, None without a home."""
    if base := environ.get(f"XDG_{kind}_HOME"):
        return Path(base) / "foureyes"
    home = environ.get("HOME") or environ.get("USERPROFILE")
    return Path(home) / otherwise / "foureyes" if home else None


def _of_file(origin: Origin, path: Path) -> Iterator[Given]:
    """The settings in the YAML file `path`; its relative paths start from its folder."""
    data = parse_yaml(read_document(path), str(path))
    if not isinstance(data, dict):
        raise SettingsError(f"{path}: not a mapping of settings", "write lines of 'name: value'")
    for key, value in cast("dict[object, object]", data).items():
        yield str(key), beside(path, str(key), value), Provenance(origin, f"{path}: {key}")


def beside(file: Path, key: str, value: object) -> object:
    """`value`, made relative to the folder of `file` if `key` is a path."""
    if key not in PATHS or not isinstance(value, str) or value in PATH_WORDS:
        return value
    return file.parent / value


def _spread(key: str, value: object, place: str) -> Iterator[tuple[str, object]]:
    """A known setting with its value; what an agent has for itself is at ``KEY.AGENT``.

    That is ``value``, ``agent=value``, several of them, or a mapping.
    """
    if key not in Settings.model_fields:
        hint = meant(key, Settings.model_fields, "see `foureyes doctor` for all settings")
        raise SettingsError(f"{place}: unknown setting {key!r}", hint)
    if key not in AGENT_KEYS:
        yield key, value
        return
    match value:
        case str():
            parts = value.split(",")
        case dict():
            by_agent = cast("dict[object, object]", value)
            parts = [f"{agent}={entry}" for agent, entry in by_agent.items()]
        case list() | tuple():
            parts = list(map(str, cast("Sequence[object]", value)))
        case _:
            parts = ["" if key == "model" else str(value)]
    for agent, entry in sorted(map(_agent_pair, parts), key=lambda pair: pair[0] != ""):
        role = agent.replace("-", "_")
        if not entry:
            raise SettingsError(f"{place}: no value", "give VALUE or AGENT=VALUE")
        if role and role not in tuple(Role):
            raise SettingsError(
                f"{place}: unknown agent {agent!r}", f"the agents are {', '.join(Role)}"
            )
        yield from ((f"{key}.{one}", entry) for one in Role if role in ("", one))


def _agent_pair(text: str) -> tuple[str, str]:
    """Agent ("" for all) and value of ``agent=value`` or ``value``."""
    agent, equals, value = text.strip().partition("=")
    return (agent.strip(), value.strip()) if equals else ("", agent)


ConfigT = TypeVar("ConfigT", bound=BaseAgentConfig)
ModelT = TypeVar("ModelT", bound=Config)

ANTHROPIC_KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN")
"""Variables that may hold a key for Anthropic's own address; the first that is set counts."""
SEARCH_KEYS = {
    SearchName.TAVILY: ("api.tavily.com", "TAVILY_API_KEY"),
    SearchName.BRAVE: ("api.search.brave.com", "BRAVE_API_KEY"),
    SearchName.ANTHROPIC: ("api.anthropic.com", ANTHROPIC_KEYS[0]),
}
"""The own host of each search provider with a key, and the variable that holds it."""
NO_KEY = "none"
_OF_FACT_CHECKS = (
    "fact_checker_max_webfetches",
    "fact_checker_strictness",
    "research_mode",
    "skip_challenges",
)


def load_settings(
    flags: Mapping[str, object] | None = None,
    *,
    config: Path | None = None,
    environ: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> LoadedSettings:
    """The settings in force: flags, variables, config file, folder, defaults.

    Args:
        flags: What was given on the command line or by the caller, by setting name; None values
            count as not given.
        config: A file to read instead of the user's own config file.
        environ: The environment; the process's by default.
        folder: Where `foureyes.yaml` is looked for; the working folder by default.

    Raises:
        SettingsError: A setting is unknown, has a wrong value, or may not come from its place.
        InputError: A settings file cannot be read, or a file of the user's registry replaces none.
    """
    environ = os.environ if environ is None else environ
    values: dict[str, object] = {}
    origins: dict[str, Provenance] = {}
    for key, value, given in _given(flags or {}, environ, config, folder or Path.cwd()):
        named: dict[str, object] = dict(_spread(key, value, given.place))
        for name in named.keys() - values.keys():
            values[name] = named[name]
            origins[name] = given
            origins.setdefault(key, given)
    settings = _validated(values, origins)
    if settings.registry_dir is not None:
        require_known_files(settings.registry_dir)
    settings = _lift_mode(settings, origins)
    for key in () if settings.mode.fact_checks else _OF_FACT_CHECKS:
        if key in origins and origins[key].origin is Origin.FLAG:
            raise SettingsError(
                f"{origins[key].place} needs the fact checker", "add --with-fact-checker"
            )
    variable = _key_variable(settings, origins, environ)
    key = NO_KEY if variable == NO_KEY else environ.get(variable, "")
    search_variable = _search_key_variable(settings, origins)
    search_key = environ.get(search_variable, "")
    return LoadedSettings(
        settings,
        origins,
        variable,
        SecretStr(key) if key else None,
        search_key_variable=search_variable,
        search_key=SecretStr(search_key) if search_key else None,
    )


def source_cache(settings: Settings) -> Path | None:
    """The folder of sources that runs share, None if there is none.

    ``auto`` means the cache folder of whoever runs the program now, not of who began a run.
    """
    if settings.source_cache == "auto":
        return _user_cache("sources")
    return None if settings.source_cache == "none" else settings.source_cache


def reader_cache() -> Path | None:
    """The folder of the reader's scores, None for a user without a home."""
    return _user_cache("reader")


def telemetry_variables() -> dict[str, str]:
    """The variables of OpenTelemetry, and those by which a program hands its trace on to us."""
    ours = ("TRACEPARENT", "TRACESTATE")
    given = os.environ.items()
    return {name: value for name, value in given if name.startswith("OTEL_") or name in ours}


def knowledge_base_file(settings: Settings) -> Path:
    """The index file of the knowledge base: as set, else in the data folder of the user.

    Raises:
        SettingsError: It is not set, and there is no home.
    """
    if settings.knowledge_base is not None:
        return settings.knowledge_base
    data = _user_folder(os.environ, "DATA", ".local/share")
    if data is None:
        raise SettingsError(
            "there is no place for the knowledge base", "name a file with --knowledge-base"
        )
    return data / "knowledge_base.sqlite3"


def protected_key(names: Iterable[str]) -> str:
    """The first of the settings `names` that a file in a working folder may not set, or ""."""
    return next((name for name in names if name in PROTECTED), "")


def _validated(values: Mapping[str, object], origins: Mapping[str, Provenance]) -> Settings:
    """`values` as settings, or a `SettingsError` that names the place of the first wrong one."""
    nested: dict[str, object] = {key: value for key, value in values.items() if "." not in key}
    for key in AGENT_KEYS:
        nested[key] = {role: values[name] for role in Role if (name := f"{key}.{role}") in values}
    try:
        return Settings.model_validate(nested)
    except ValidationError as error:
        first = error.errors()[0]
        place = first["loc"]
        key = f"{place[0]}.{place[1]}" if place[0] in AGENT_KEYS else str(place[0])
        given = first_line(str(values[key]))
        reason = mistake_text(first)
        reason = reason[0].lower() + reason[1:]
        raise SettingsError(f"{origins[key].place}: {given!r}: {reason}") from error


def _lift_mode(settings: Settings, origins: dict[str, Provenance]) -> Settings:
    """`settings` with the mode that a fact checker asks for, as it needs the reviewer.

    So does a judge of the user's own. A stronger ``mode: analyze`` wins over weaker ones of them.
    """
    mode = settings.mode
    parties = {
        "with_fact_checker": settings.with_fact_checker and not mode.fact_checks,
        "judge": settings.judge is not None and not mode.judges,
    }
    for key in [key for key, is_new in parties.items() if is_new]:
        if settings.mode.reviews:
            checks = settings.mode.fact_checks or key == "with_fact_checker"
            judges = settings.mode.judges or key == "judge"
            modes = (mode for mode in PipelineMode if mode.reviews)
            lifted = next(m for m in modes if (m.fact_checks, m.judges) == (checks, judges))
            settings = settings.model_copy(update={"mode": lifted})
            origins["mode"] = origins[key]
        elif origins[key].rank <= origins["mode"].rank:
            who = key.removeprefix("with_").replace("_", " ")
            raise SettingsError(
                f"{origins[key].place} cannot be combined with mode {mode}",
                f"the {who} works beside the reviewer: leave the mode out",
            )
    return settings


def _key_variable(
    settings: Settings, origins: Mapping[str, Provenance], environ: Mapping[str, str]
) -> str:
    """The variable that holds the key; another provider's address needs it named."""
    if settings.api_key_env:
        return settings.api_key_env
    if settings.base_url and urlsplit(settings.base_url).hostname != "api.anthropic.com":
        raise SettingsError(
            f"{origins['base_url'].place}: which key goes to {settings.base_url!r}?",
            "add --api-key-env NAME with the variable that holds it, or --api-key-env none",
        )
    return next((name for name in ANTHROPIC_KEYS if environ.get(name)), ANTHROPIC_KEYS[0])


def searches(settings: Settings) -> bool:
    """Whether agents are offered a search.

    Without live fetching only the knowledge base can be asked: no question leaves this machine.
    """
    search = settings.search
    if search is SearchName.NONE or settings.max_searches == 0:
        return False
    # Whether queries leave this machine the user's own provider says when it is asked.
    on_web = isinstance(search, SearchName) and search is not SearchName.KNOWLEDGE_BASE
    return settings.fetch is FetchMode.LIVE or not on_web


def _search_key_variable(settings: Settings, origins: Mapping[str, Provenance]) -> str:
    """The variable that holds the search provider's key, "" if it has none.

    As with the model's key, another address than the provider's own needs it named.

    Raises:
        SettingsError: It has to be named, or the provider's address is missing.
    """
    search = settings.search
    if search is SearchName.SEARXNG and settings.search_url is None:
        raise SettingsError(
            f"{origins['search'].place}: searxng needs its address", "add --search-url URL"
        )
    if not isinstance(search, SearchName) or search not in SEARCH_KEYS:
        return ""
    if settings.search_key_env:
        return settings.search_key_env
    host, variable = SEARCH_KEYS[search]
    if settings.search_url and urlsplit(settings.search_url).hostname != host:
        raise SettingsError(
            f"{origins['search_url'].place}: which key goes to {settings.search_url!r}?",
            "add --search-key-env NAME with the variable that holds it",
        )
    return variable


def pipeline_config(settings: Settings) -> PipelineConfig:
    """The settings as the loop's configuration."""
    own: Mapping[Role, Mapping[str, object]] = {
        Role.ANALYST: {"max_websearches": settings.analyst_max_websearches},
        Role.REVIEWER: {"strictness": settings.reviewer_strictness},
        Role.FACT_CHECKER: {
            "max_webfetches": settings.fact_checker_max_webfetches,
            "max_searches": settings.max_searches if searches(settings) else 0,
            "strictness": settings.fact_checker_strictness,
        },
    }
    limits = settings.research_mode if settings.mode.fact_checks else None
    return _config_of(PipelineConfig, settings, own, research_mode=limits)


def review_config(settings: Settings) -> ReviewConfig:
    """The settings as the configuration of a document review."""
    searches_left = settings.max_searches if searches(settings) else 0
    own: Mapping[Role, Mapping[str, object]] = {
        Role.BLUE_DEFENDER: {"parallel": settings.defenders},
        Role.SMOKE_TESTER: {"testers": settings.testers},
        Role.WEB_VERIFIER: {"max_searches": min(searches_left, WebVerifierConfig().max_searches)},
    }
    return _config_of(ReviewConfig, settings, own, web=not settings.no_web)


def _config_of(
    kind: type[ModelT], settings: Settings, own: Mapping[Role, Mapping[str, object]], **more: object
) -> ModelT:
    """A config of the settings that have the names of its fields, of its agents, and of `more`.

    `own` are the settings that an agent alone has.
    """
    values = {name: value for name, value in settings if name in kind.model_fields}
    for name, config in kind():
        if isinstance(config, BaseAgentConfig):
            role = Role(name)
            values[name] = agent_config(config.model_copy(update=own.get(role)), settings, role)
    budgets = BudgetConfig(
        max_usd=settings.budget_usd,
        max_minutes=settings.max_minutes,
        max_tokens=settings.budget_tokens,
        max_turns=settings.budget_turns,
        max_tool_calls=settings.budget_tool_calls,
    )
    return kind.model_validate({**values, "budgets": budgets, **more})


def agent_config(config: ConfigT, settings: Settings, role: Role) -> ConfigT:
    """`config` with what the settings hold for its agent; what they leave open stays."""
    held = dict[str, Any](settings)
    return config.model_copy(update={k: held[k][role] for k in AGENT_KEYS if role in held[k]})
