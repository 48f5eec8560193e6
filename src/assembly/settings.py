"""The settings in force: a layer for each origin, merged, validated and checked against each other.

This module is the only place in the package that reads the environment.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import TypeVar, cast
from urllib.parse import urlsplit

from pydantic import SecretStr, ValidationError

from ..base.errors import SettingsError, mistake_text
from ..base.files import read_document
from ..base.registry import first_line, meant, parse_yaml, require_known_files
from ..base.vocabulary import FetchMode, SearchName
from ..core.config import (
    AnalystConfig,
    BaseAgentConfig,
    BudgetConfig,
    Config,
    FactCheckerConfig,
    JudgeConfig,
    PipelineConfig,
    PipelineMode,
    ReviewerConfig,
)
from ..core.tasks import Role
from ..review.config import (
    BlueDefenderConfig,
    ClaimExtractorConfig,
    RedReviewerConfig,
    ReviewConfig,
    SmokeTesterConfig,
    WebVerifierConfig,
)
from .model import (
    AGENT_KEYS,
    PATH_WORDS,
    PATHS,
    PROTECTED,
    LoadedSettings,
    Origin,
    Provenance,
    Settings,
)

PREFIX = "FOUREYES_"
FOLDER_FILE = "foureyes.yaml"
FOREIGN_VARIABLES = frozenset({"FOUREYES_DATA"})
"""Variables with our prefix that are no settings: where the benchmarks find their data."""


@dataclass(frozen=True, slots=True)
class Layer:
    """The values that one origin gives. `places` names each for messages."""

    origin: Origin
    values: Mapping[str, object]
    places: Mapping[str, str] = field(default_factory=dict[str, str])


def flag_name(key: str) -> str:
    """The flag of a setting."""
    return "--" + key.replace("_", "-")


def flag_layer(flags: Mapping[str, object]) -> Layer:
    """The settings that the caller gave."""
    given = {key: value for key, value in flags.items() if value not in (None, [], (), {})}
    return layer_of(Origin.FLAG, given, {key: flag_name(key) for key in given})


def environment_layer(environ: Mapping[str, str]) -> Layer:
    """The settings in ``FOUREYES_`` variables; an empty one counts as not set."""
    names = {
        name.removeprefix(PREFIX).lower(): name
        for name, value in environ.items()
        if name.startswith(PREFIX) and value and name not in FOREIGN_VARIABLES
    }
    return layer_of(Origin.ENVIRONMENT, {key: environ[name] for key, name in names.items()}, names)


def config_layer(config: Path | None, environ: Mapping[str, str]) -> Layer:
    """The settings in `config`, or else in the user's own config file."""
    folder = _user_folder(environ, "CONFIG", ".config")
    usual = folder / "config.yaml" if folder else None
    path = config or (usual if usual and usual.is_file() else None)
    return file_layer(Origin.CONFIG, path) if path else Layer(Origin.CONFIG, {})


def user_cache(environ: Mapping[str, str] | None) -> Path | None:
    """The folder of the user's cached files by the XDG rules, None without a home."""
    return _user_folder(os.environ if environ is None else environ, "CACHE", ".cache")


def _user_folder(environ: Mapping[str, str], kind: str, otherwise: str) -> Path | None:
    """The user's folder of a `kind` by the XDG rules, None without a home."""
    if base := environ.get(f"XDG_{kind}_HOME"):
        return Path(base) / "foureyes"
    home = environ.get("HOME") or environ.get("USERPROFILE")
    return Path(home) / otherwise / "foureyes" if home else None


def folder_layer(folder: Path) -> Layer:
    """The settings in `foureyes.yaml` in `folder`; protected ones are refused."""
    path = folder / FOLDER_FILE
    if not path.is_file():
        return Layer(Origin.FOLDER, {})
    layer = file_layer(Origin.FOLDER, path)
    for key in layer.values:
        if key.partition(".")[0] in PROTECTED:
            raise SettingsError(
                f"{layer.places[key]} may not be set in the working folder",
                "use a flag, a variable, or your own config file",
            )
    return layer


def file_layer(origin: Origin, path: Path) -> Layer:
    """The settings in the YAML file `path`; its relative paths start from its folder."""
    data = parse_yaml(read_document(path), str(path))
    if not isinstance(data, dict):
        raise SettingsError(f"{path}: not a mapping of settings", "write lines of 'name: value'")
    mapping = cast("dict[object, object]", data)
    values = {str(key): beside(path, str(key), value) for key, value in mapping.items()}
    return layer_of(origin, values, {key: f"{path}: {key}" for key in values})


def beside(file: Path, key: str, value: object) -> object:
    """`value`, made relative to the folder of `file` if `key` is a path."""
    if key not in PATHS or not isinstance(value, str) or value in PATH_WORDS:
        return value
    return file.parent / value


def layer_of(origin: Origin, values: Mapping[str, object], places: Mapping[str, str]) -> Layer:
    """A layer of known settings; what an agent has for itself is at ``KEY.AGENT``."""
    spread: dict[str, object] = {}
    named: dict[str, str] = {}
    for key, value in values.items():
        place = places[key]
        is_by_agent = known(key, place) in AGENT_KEYS
        for name, entry in by_agent(key, value, place) if is_by_agent else [(key, value)]:
            spread[name], named[name] = entry, place
    return Layer(origin, spread, named)


def known(key: str, place: str) -> str:
    """`key`, if it is a setting."""
    if key in Settings.model_fields:
        return key
    hint = meant(key, Settings.model_fields, "see `foureyes doctor` for all settings")
    raise SettingsError(f"{place}: unknown setting {key!r}", hint)


def by_agent(key: str, value: object, place: str) -> Iterator[tuple[str, str]]:
    """``value``, ``agent=value``, several of them, or a mapping, as one setting an agent."""
    match value:
        case str():
            pairs = [agent_pair(part) for part in value.split(",")]
        case dict():
            pairs = [(str(k), str(v)) for k, v in cast("dict[object, object]", value).items()]
        case list() | tuple():
            pairs = [agent_pair(str(part)) for part in cast("Sequence[object]", value)]
        case _:
            pairs = [("", "" if key == "model" else str(value))]
    for agent, entry in sorted(pairs, key=lambda pair: pair[0] != ""):
        role = agent.replace("-", "_")
        if not entry:
            raise SettingsError(f"{place}: no value", "give VALUE or AGENT=VALUE")
        if role and role not in tuple(Role):
            raise SettingsError(
                f"{place}: unknown agent {agent!r}", f"the agents are {', '.join(Role)}"
            )
        yield from ((f"{key}.{one}", entry) for one in Role if role in ("", one))


def agent_pair(text: str) -> tuple[str, str]:
    """Agent ("" for all) and value of ``agent=value`` or ``value``."""
    agent, equals, value = text.strip().partition("=")
    return (agent.strip(), value.strip()) if equals else ("", agent)


ConfigT = TypeVar("ConfigT", bound=BaseAgentConfig)
ModelT = TypeVar("ModelT", bound=Config)
LimitT = TypeVar("LimitT", Decimal, float)

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
    layers = [
        flag_layer(flags or {}),
        environment_layer(environ),
        config_layer(config, environ),
        folder_layer(folder or Path.cwd()),
    ]
    values: dict[str, object] = {}
    origins: dict[str, Provenance] = {}
    for layer in layers:
        for key, value in layer.values.items():
            if key not in values:
                values[key] = value
                origins[key] = Provenance(layer.origin, layer.places[key])
                origins.setdefault(key.partition(".")[0], origins[key])
    settings = validated(values, origins)
    if settings.registry_dir is not None:
        require_known_files(settings.registry_dir)
    for key in ("with_fact_checker", "judge"):
        lifted = lift_mode(settings, origins, key)
        if lifted is not settings.mode:
            settings = settings.model_copy(update={"mode": lifted})
            origins["mode"] = origins[key]
    check_fact_checker_flags(settings, origins)
    variable = key_variable(settings, origins, environ)
    key = NO_KEY if variable == NO_KEY else environ.get(variable, "")
    search_variable = search_key_variable(settings, origins)
    search_key = environ.get(search_variable, "")
    return LoadedSettings(
        settings,
        origins,
        variable,
        SecretStr(key) if key else None,
        search_key_variable=search_variable,
        search_key=SecretStr(search_key) if search_key else None,
    )


def source_cache(settings: Settings, environ: Mapping[str, str] | None = None) -> Path | None:
    """The folder of sources that runs share, None if there is none.

    ``auto`` means the cache folder of whoever runs the program now, not of who began a run.
    """
    if settings.source_cache == "auto":
        cache = user_cache(environ)
        return cache / "sources" if cache else None
    return None if settings.source_cache == "none" else settings.source_cache


def reader_cache(environ: Mapping[str, str] | None = None) -> Path | None:
    """The folder of the reader's scores, None for a user without a home."""
    cache = user_cache(environ)
    return cache / "reader" if cache else None


def telemetry_variables(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variables of OpenTelemetry, and those by which a program hands its trace on to us."""
    given = os.environ if environ is None else environ
    ours = ("TRACEPARENT", "TRACESTATE")
    return {name: given[name] for name in given if name.startswith("OTEL_") or name in ours}


def knowledge_base_file(settings: Settings, environ: Mapping[str, str] | None = None) -> Path:
    """The index file of the knowledge base: as set, else in the data folder of the user.

    Raises:
        SettingsError: It is not set, and there is no home.
    """
    if settings.knowledge_base is not None:
        return settings.knowledge_base
    data = _user_folder(os.environ if environ is None else environ, "DATA", ".local/share")
    if data is None:
        raise SettingsError(
            "there is no place for the knowledge base", "name a file with --knowledge-base"
        )
    return data / "knowledge_base.sqlite3"


def protected_key(names: Iterable[str]) -> str:
    """The first of the settings `names` that a file in a working folder may not set, or ""."""
    return next((name for name in names if name in PROTECTED), "")


def tighter(one: LimitT | None, other: LimitT | None) -> LimitT | None:
    """The lower of two limits; None is no limit."""
    given = [limit for limit in (one, other) if limit is not None]
    return min(given, default=None)


def validated(values: Mapping[str, object], origins: Mapping[str, Provenance]) -> Settings:
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


def lift_mode(settings: Settings, origins: Mapping[str, Provenance], key: str) -> PipelineMode:
    """The mode after the setting `key`: a fact checker lifts it, as it needs the reviewer.

    So does a judge of the user's own. A stronger ``mode: analyze`` wins over a weaker `key`.
    """
    wished = settings.with_fact_checker if key == "with_fact_checker" else settings.judge
    if not wished:
        return settings.mode
    if not settings.mode.reviews:
        wish, mode = origins[key], origins["mode"]
        if wish.rank > mode.rank:
            return settings.mode
        who = key.removeprefix("with_").replace("_", " ")
        raise SettingsError(
            f"{wish.place} cannot be combined with mode {settings.mode}",
            f"the {who} works beside the reviewer: leave the mode out",
        )
    parties = (
        settings.mode.fact_checks or key == "with_fact_checker",
        settings.mode.judges or key == "judge",
    )
    modes = (mode for mode in PipelineMode if mode.reviews)
    return next(mode for mode in modes if (mode.fact_checks, mode.judges) == parties)


def check_fact_checker_flags(settings: Settings, origins: Mapping[str, Provenance]) -> None:
    """Refuse a flag for the fact checker in a run without one."""
    if settings.mode.fact_checks:
        return
    for key in _OF_FACT_CHECKS:
        if key in origins and origins[key].origin is Origin.FLAG:
            raise SettingsError(
                f"{origins[key].place} needs the fact checker", "add --with-fact-checker"
            )


def key_variable(
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
    if not isinstance(settings.search, SearchName):
        # Whether queries leave this machine the user's own provider says when it is asked.
        return settings.max_searches > 0
    match settings.search:
        case SearchName.NONE:
            return False
        case SearchName.KNOWLEDGE_BASE:
            return settings.max_searches > 0
        case _:
            return settings.max_searches > 0 and settings.fetch is FetchMode.LIVE


def search_key_variable(settings: Settings, origins: Mapping[str, Provenance]) -> str:
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
    agents = {
        Role.ANALYST: AnalystConfig(max_websearches=settings.analyst_max_websearches),
        Role.REVIEWER: ReviewerConfig(strictness=settings.reviewer_strictness),
        Role.FACT_CHECKER: FactCheckerConfig(
            max_webfetches=settings.fact_checker_max_webfetches,
            max_searches=settings.max_searches if searches(settings) else 0,
            strictness=settings.fact_checker_strictness,
        ),
        Role.JUDGE: JudgeConfig(),
    }
    limits = settings.research_mode if settings.mode.fact_checks else None
    return _config_of(PipelineConfig, settings, agents, research_mode=limits)


def budget_config(settings: Settings) -> BudgetConfig:
    """The limits of a whole run or review."""
    return BudgetConfig(
        max_usd=settings.budget_usd,
        max_minutes=settings.max_minutes,
        max_tokens=settings.budget_tokens,
        max_turns=settings.budget_turns,
        max_tool_calls=settings.budget_tool_calls,
    )


def review_config(settings: Settings) -> ReviewConfig:
    """The settings as the configuration of a document review."""
    searches_left = settings.max_searches if searches(settings) else 0
    most = min(searches_left, WebVerifierConfig().max_searches)
    agents = {
        Role.RED_REVIEWER: RedReviewerConfig(),
        Role.BLUE_DEFENDER: BlueDefenderConfig(parallel=settings.defenders),
        Role.SMOKE_TESTER: SmokeTesterConfig(testers=settings.testers),
        Role.CLAIM_EXTRACTOR: ClaimExtractorConfig(),
        Role.WEB_VERIFIER: WebVerifierConfig(max_searches=most),
    }
    return _config_of(ReviewConfig, settings, agents, web=not settings.no_web)


def _config_of(
    kind: type[ModelT], settings: Settings, agents: Mapping[Role, BaseAgentConfig], **more: object
) -> ModelT:
    """A config of the settings that have the names of its fields, of its agents, and of `more`."""
    alike = {name: value for name, value in settings if name in kind.model_fields}
    own = {role: agent_config(config, settings, role) for role, config in agents.items()}
    return kind.model_validate({**alike, **own, "budgets": budget_config(settings), **more})


def agent_config(config: ConfigT, settings: Settings, role: Role) -> ConfigT:
    """`config` with what the settings hold for its agent; what they leave open stays."""
    given = {"model": settings.model, "effort": settings.effort}
    limits = {"max_turns": settings.max_turns, "max_cost_usd": settings.max_cost_usd}
    values = {key: of_agents.get(role) for key, of_agents in {**given, **limits}.items()}
    return config.model_copy(update={k: v for k, v in values.items() if v is not None})
