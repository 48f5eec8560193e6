"""Settings to the backend of the agents, and to what else every agent is built from."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..agents.declared_agent import Agent
from ..agents.rules import Rules, load_rules, present
from ..agents.source_tools import WebResearchProtocol
from ..backends.claude.backend import ClaudeBackend
from ..backends.claude.settings import (
    DEFAULT_MODELS,
    PRICES_FILE,
    ClaudeSettings,
    Credential,
    CredentialKind,
    ModelPrice,
    Prices,
    price_known,
)
from ..backends.offline.backend import OfflineBackend
from ..base.errors import BackendUnavailable, SettingsError
from ..base.registry import load_registry_file
from ..core.tasks import AgentBackend, Role
from ..core.templates import PromptLibrary, TemplateLibrary
from ..sources.scoring.rules import load_scoring
from ..verification.registry import Registry
from .model import LOOP_ROLES, BackendName, LoadedSettings, Settings
from .replay import Replay
from .rules import open_registry
from .settings import searches
from .user_code import load_part


def build_backend(loaded: LoadedSettings, own: AgentBackend | str | None = None) -> AgentBackend:
    """The backend that the settings choose; `own` is the user's, if it is at hand as an object.

    Raises:
        BackendUnavailable: It lacks its key.
        RegistryError: A file of its rules is broken.
        SettingsError: An agent has a limit in dollars and a model of unknown price.
    """
    match loaded.settings.backend:
        case BackendName.OFFLINE:
            return OfflineBackend(loaded.settings.registry_dir)
        case BackendName.CLAUDE:
            return ClaudeBackend(claude_settings(loaded), loaded.limiter)
        case name:
            found = load_part(loaded, "backend", name if own is None else own)
            if isinstance(found, type) or not isinstance(found, AgentBackend):
                needs = "give an object with name, independent and async run(task, folder)"
                raise SettingsError(f"{name!r} is no backend", needs)
            return found


def claude_settings(loaded: LoadedSettings) -> ClaudeSettings:
    """How sessions of the Claude backend are run.

    Raises:
        BackendUnavailable: The variable that should hold the key is not set.
        SettingsError: An agent has a limit in dollars and a model of unknown price.
    """
    for role in loaded.settings.max_cost_usd:
        if not _priced(loaded.settings, role):
            place = loaded.origin(f"max_cost_usd.{role}").place
            raise SettingsError(
                f"{place}: the price of the {role} is unknown, so no limit in dollars can be held",
                "leave it out, or limit answers with --max-turns",
            )
    variable = loaded.api_key_variable
    if loaded.api_key is None:
        raise BackendUnavailable(
            f"the claude backend has no key: {variable} is not set",
            f"set {variable}, or name another variable with --api-key-env",
        )
    named = variable in tuple(CredentialKind)
    kind = CredentialKind(variable) if named else CredentialKind.API_KEY
    settings = loaded.settings
    standard = ClaudeSettings(credential=Credential(kind, loaded.api_key.get_secret_value()))
    return replace(
        standard,
        base_url=settings.base_url or standard.base_url,
        models={**standard.models, **settings.model},
        max_parallel=settings.max_parallel,
        prices=user_prices(settings),
    )


def user_prices(settings: Settings) -> Mapping[str, ModelPrice]:
    """The user's prices by model.

    Raises:
        RegistryError: `prices.yaml` is broken.
    """
    return load_registry_file(Prices, PRICES_FILE, settings.registry_dir).models


def _priced(settings: Settings, who: Role | str) -> bool:
    """Whether the price of an agent, or of a model, is known."""
    model = settings.model.get(who, DEFAULT_MODELS[who]) if isinstance(who, Role) else who
    own_provider = settings.base_url is None and price_known(model)
    return own_provider or model in user_prices(settings)


def price_is_known(
    settings: Settings, roles: Collection[Role] = LOOP_ROLES, *, agents: Collection[Agent[Any]] = ()
) -> bool:
    """Whether every turn of `roles`, and of the user's own `agents`, comes with a true price.

    Rules cost nothing, Anthropic says, and for others the user's `prices.yaml` does. Of a backend
    of the user's own nobody knows beforehand.

    Raises:
        RegistryError: `prices.yaml` is broken.
    """
    match settings.backend:
        case BackendName.OFFLINE:
            return True
        case BackendName.CLAUDE:
            models = (agent.config.model for agent in agents if agent.config.model)
            return all(_priced(settings, who) for who in (*roles, *models))
        case _:
            # What an own backend's turns cost is known when they come back, which is too late.
            return False


ANALYST_PROMPT = "agents/analyst/system.md"


@dataclass(frozen=True, slots=True)
class AgentDeps:
    """Dependencies that every agent of a run is built from."""

    backend: AgentBackend
    prompts: PromptLibrary
    templates: TemplateLibrary
    rules: Rules

    @property
    def parts(self) -> tuple[AgentBackend, PromptLibrary, TemplateLibrary]:
        """The text that every agent begins with."""
        return self.backend, self.prompts, self.templates

    @property
    def registry(self) -> Registry:
        """The word lists and thresholds of verification."""
        return self.rules.registry


def build_agent_deps(
    loaded: LoadedSettings, replay: Replay | None = None, backend: AgentBackend | str | None = None
) -> AgentDeps:
    """Everything that several agents share; `backend` is the user's own, if it is an object."""
    settings = loaded.settings
    prompts = PromptLibrary(settings.prompts_dir)
    if settings.analyst_prompt is not None:
        prompts = prompts.with_override(ANALYST_PROMPT, settings.analyst_prompt)
    registry = open_registry(settings).without(settings.skip_challenges)
    protocol = None
    if searches(settings):
        protocol = WebResearchProtocol(prompts, load_scoring(settings.registry_dir))
    return AgentDeps(
        backend=replay.backend if replay else build_backend(loaded, backend),
        prompts=prompts,
        templates=TemplateLibrary(settings.templates_dir),
        rules=replace(
            load_rules(settings.registry_dir, registry),
            protocol=protocol,
            clock=replay.clock if replay else present,
        ),
    )
