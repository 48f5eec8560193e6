"""The two files of settings as models, for their published schemas."""

from __future__ import annotations

from typing import Any, TypeAlias

from foureyes.assembly.model import AGENT_KEYS, PROTECTED, Settings
from foureyes.core.config import Config
from pydantic import Field, create_model

PerAgent: TypeAlias = str | int | float | list[str] | dict[str, str | int | float]
"""A value for all agents, ``agent=value`` in a text or a list, or a mapping by agent."""

_EVERY_AGENT: dict[str, Any] = {
    name: (
        PerAgent | None,
        Field(default=None, description=Settings.model_fields[name].description),
    )
    for name in AGENT_KEYS
}
_FREE: dict[str, Any] = {
    name: (field.annotation, field)
    for name, field in Settings.model_fields.items()
    if name not in PROTECTED
}

SettingsFile = create_model(
    "SettingsFile",
    __base__=Settings,
    __doc__="A file of settings: the one named by `--config`, or your own in your config folder.",
    **_EVERY_AGENT,
)

FolderSettingsFile = create_model(
    "FolderSettingsFile",
    __base__=Config,
    __doc__="`foureyes.yaml` in the working folder. It may come with a document, so it cannot set "
    "backend, models, addresses, providers, folders, your own code or budgets.",
    **_FREE,
)
