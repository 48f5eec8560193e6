"""Each origin of settings as one layer of known values; nothing is validated or merged here."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from ..base.errors import SettingsError
from ..base.files import read_document
from ..base.registry import parse_yaml
from ..core.tasks import Role
from .model import AGENT_KEYS, PATH_WORDS, PATHS, PROTECTED, Origin, Settings

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
    given = {key: value for key, value in flags.items() if value not in (None, [], ())}
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
    path = config or user_config(environ)
    if path is None or (config is None and not path.is_file()):
        return Layer(Origin.CONFIG, {})
    return file_layer(Origin.CONFIG, path)


def user_config(environ: Mapping[str, str]) -> Path | None:
    """The user's config file by the XDG rules, None where there is no home."""
    folder = _xdg_folder(environ, "XDG_CONFIG_HOME", ".config")
    return folder / "config.yaml" if folder else None


def user_cache(environ: Mapping[str, str]) -> Path | None:
    """The folder of the user's cached files by the XDG rules, None without a home."""
    return _xdg_folder(environ, "XDG_CACHE_HOME", ".cache")


def user_data(environ: Mapping[str, str]) -> Path | None:
    """The folder of the user's own data by the XDG rules, None without a home."""
    return _xdg_folder(environ, "XDG_DATA_HOME", ".local/share")


def _xdg_folder(environ: Mapping[str, str], variable: str, otherwise: str) -> Path | None:
    if base := environ.get(variable):
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
        if key in PROTECTED:
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
    """A layer of known settings, with those of every agent (`model`, …) spread over the agents."""
    spread: dict[str, object] = {}
    named: dict[str, str] = {}
    for key, value in values.items():
        place = places[key]
        entries = (
            agents_values(key, value, place) if key in AGENT_KEYS else {known(key, place): value}
        )
        for name, entry in entries.items():
            if key not in AGENT_KEYS or name not in values:
                spread[name], named[name] = entry, place
    return Layer(origin, spread, named)


def known(key: str, place: str) -> str:
    """`key`, if it is a setting."""
    names = [*Settings.model_fields, *AGENT_KEYS]
    if key in Settings.model_fields:
        return key
    close = difflib.get_close_matches(key, names, 1)
    hint = f"did you mean {close[0]!r}?" if close else "see `foureyes doctor` for all settings"
    raise SettingsError(f"{place}: unknown setting {key!r}", hint)


def agents_values(key: str, value: object, place: str) -> Mapping[str, str]:
    """``value``, ``agent=value``, several of them, or a mapping, as one setting an agent."""
    pairs: list[tuple[str, str]] = []
    match value:
        case str():
            pairs = [agent_pair(part) for part in value.split(",")]
        case dict():
            pairs = [(str(k), str(v)) for k, v in cast("dict[object, object]", value).items()]
        case list() | tuple():
            pairs = [agent_pair(str(part)) for part in cast("Sequence[object]", value)]
        case _ if key != "model":
            pairs = [("", str(value))]
        case _:
            pairs = [("", "")]
    spread: dict[str, str] = {}
    for agent, entry in sorted(pairs, key=lambda pair: pair[0] != ""):
        spread |= dict.fromkeys(agent_keys(key, agent, entry, place), entry)
    return spread


def agent_pair(text: str) -> tuple[str, str]:
    """Agent ("" for all) and value of ``agent=value`` or ``value``."""
    agent, equals, value = text.strip().partition("=")
    return (agent.strip(), value.strip()) if equals else ("", agent)


def agent_keys(key: str, agent: str, value: str, place: str) -> Sequence[str]:
    """The settings that a value given for `agent` goes to."""
    keys = AGENT_KEYS[key]
    role = agent.replace("-", "_")
    if not value:
        raise SettingsError(f"{place}: no value", "give VALUE or AGENT=VALUE")
    if not role:
        return list(keys.values())
    if role not in keys:
        raise SettingsError(
            f"{place}: unknown agent {agent!r}", f"the agents are {', '.join(keys)}"
        )
    return [keys[Role(role)]]
