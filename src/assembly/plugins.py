"""The user's own parts of a run: given as objects, or found by their names in the settings.

Critics and agents have a veto each, the gate policy may only lower the gate's answer, the
settlement policy has the last word before an approval, and the search provider is asked in place of
one of ours.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any, TypeAlias, cast

from ..agents.analyst import AgentDrafter, AnalystAgent
from ..agents.declared_agent import Agent, DeclaredAgent, own_agent_critic
from ..agents.fact_checker import FactCheckerAgent, fact_checker_critic
from ..agents.judge import AgentJudge, JudgeAgent
from ..agents.reviewer import ReviewerAgent, reviewer_critic
from ..agents.rules import agent_rules
from ..base.errors import RunDirectoryError, SettingsError
from ..core.agent_calls import UserCritic, UserDrafter, UserJudge
from ..core.approval import ApprovalHook, SettlementHook, SettlementPolicy
from ..core.config import PipelineConfig
from ..core.gate_policy import GatePolicy, GatePolicyRunner, OwnGate
from ..core.source_tools import SourceReader
from ..core.tasks import AgentBackend, Role
from ..core.work import Critic, Drafter, Judge
from ..sources.search.model import SearchProvider
from .backend import AgentDeps
from .model import CODE_KEYS, BackendName, LoadedSettings, Origin, Settings
from .setting_values import SettingValues
from .settings import agent_config, flag_name
from .user_code import code_name, full_name, given_object, load_code, load_object, require_shape

CriticPart: TypeAlias = Critic | ReviewerAgent | FactCheckerAgent
"""A critic of the user's own, or one of ours that is to take the place of its kind."""


class ReviewOptions(SettingValues, total=False):
    """The settings of a document review, and the parts that may be the user's own."""

    backend: AgentBackend | str | None
    search: SearchProvider | str | None


class RunOptions(ReviewOptions, total=False):
    """The settings of a run, and the parts that may be the user's own: objects, or their names.

    `analyst` and `judge` take the place of ours. `critics` and `agents` have a veto each, beside
    those of the mode; a `ReviewerAgent` or `FactCheckerAgent` takes the place of its kind.
    `gate_policy` may lower the evidence gate's answer, `settlement` has the last word before an
    approval. `backend` does the agents' work, `search` is asked for sources.
    """

    analyst: Drafter | AnalystAgent | str | None
    judge: Judge | JudgeAgent | str | None
    critics: Sequence[CriticPart | str]
    agents: Sequence[Agent[Any] | str]
    gate_policy: GatePolicy | str | None
    settlement: SettlementPolicy | str | None


@dataclass(frozen=True, slots=True)
class Plugins:
    """The user's own plugins as a program gives them: each an object, or the name of its code."""

    critics: Sequence[CriticPart | str] = ()
    gate_policy: GatePolicy | str | None = None
    settlement: SettlementPolicy | str | None = None
    search: SearchProvider | str | None = None
    agents: Sequence[Agent[Any] | str] = ()
    analyst: Drafter | AnalystAgent | str | None = None
    judge: Judge | JudgeAgent | str | None = None
    backend: AgentBackend | str | None = None

    def __post_init__(self) -> None:
        """Take one name for a list of one: text is a sequence of texts, too."""
        for key in ("critics", "agents"):
            given: Sequence[object] = getattr(self, key)
            parts = (given,) if isinstance(given, str) else tuple(given)
            object.__setattr__(self, key, parts)

    @classmethod
    def of(cls, options: RunOptions | ReviewOptions) -> Plugins:
        """The parts among the options of a call."""
        given: dict[str, Any] = dict(options)
        return cls(**{key: given[key] for key in cls.__dataclass_fields__ if key in given})

    def settings(self) -> dict[str, object]:
        """The settings that name them."""
        several = {"critics": tuple(map(code_name, self.critics))}
        several["agents"] = tuple(map(_agent_name, self.agents))
        given = (
            (key, getattr(self, key)) for key in self.__dataclass_fields__ if key not in several
        )
        named = {key: None if part is None else code_name(part) for key, part in given}
        return {**several, **named}


NO_PLUGINS = Plugins()


@dataclass(frozen=True, slots=True)
class LoadedPlugins:
    """The same, ready to be asked: live, or as a run on record tells it."""

    critics: tuple[Critic, ...] = ()
    gate: GatePolicyRunner | None = None
    settlement: ApprovalHook | None = None
    agents: tuple[Agent[Any] | Critic, ...] = ()
    analyst: AnalystAgent | Drafter | None = None
    judge: Judge | None = None

    @property
    def declared(self) -> tuple[Agent[Any], ...]:
        """The agents that are at hand."""
        return tuple(one for one in self.agents if isinstance(one, Agent))


def load_plugins(loaded: LoadedSettings, own: Plugins = NO_PLUGINS) -> LoadedPlugins:
    """The critics and policies of the settings.

    Raises:
        SettingsError: One of them cannot be found or used.
    """
    critics = tuple(_critics(loaded, own))
    agents = tuple(load_agents(loaded, own))
    names = [one.name for one in (*critics, *agents)]
    for name in names:
        if names.count(name) > 1:
            raise SettingsError(f"two critics are named {name!r}", "name them apart")
    return LoadedPlugins(
        critics,
        _gate(loaded, own),
        _settlement(loaded, own),
        agents,
        _analyst(loaded, own),
        _judge(loaded, own),
    )


def _analyst(loaded: LoadedSettings, own: Plugins) -> AnalystAgent | Drafter | None:
    name = loaded.settings.analyst
    if name is None:
        return None
    found = given_object(loaded, "analyst", name, own.analyst)
    if isinstance(found, AnalystAgent):
        return found
    return UserDrafter(require_shape(found, Drafter, "an analyst", "async write(work)"))


def _judge(loaded: LoadedSettings, own: Plugins) -> Judge | None:
    name = loaded.settings.judge
    if name is None:
        return None
    found = given_object(loaded, "judge", name, own.judge)
    if isinstance(found, JudgeAgent):
        return AgentJudge(found)
    return UserJudge(require_shape(found, Judge, "a judge", "async judge(work)"))


def load_agents(loaded: LoadedSettings, own: Plugins = NO_PLUGINS) -> Iterator[Agent[Any]]:
    """The declared agents of the settings.

    Raises:
        SettingsError: One of them cannot be found or used in such a run.
    """
    settings = loaded.settings
    for part in own.agents or settings.agents:
        found = load_object(loaded, "agents", part) if isinstance(part, str) else part
        if not isinstance(found, Agent):
            message = f"{code_name(found)!r} is no agent"
            raise SettingsError(message, "name a foureyes.Agent, with name, prompt and form")
        agent = cast("Agent[Any]", found)
        if agent.needs_evidence and not settings.mode.fact_checks:
            message = f"the agent {agent.name!r} works with claims and sources"
            raise SettingsError(message, "add --with-fact-checker")
        if settings.backend is BackendName.OFFLINE and agent.offline is None:
            raise SettingsError(
                f"the agent {agent.name!r} cannot work without a model: it has no offline=",
                "give it one, or choose a model with --backend",
            )
        yield agent


def _critics(loaded: LoadedSettings, own: Plugins) -> Iterator[Critic]:
    for part in own.critics or loaded.settings.critics:
        found = load_object(loaded, "critics", part) if isinstance(part, str) else part
        match found:
            case ReviewerAgent():
                yield reviewer_critic(found)
            case FactCheckerAgent():
                _checks_facts(loaded, "critics")
                yield fact_checker_critic(found)
            case _:
                needs = "a name and async examine(work)"
                yield UserCritic(require_shape(found, Critic, "a critic", needs))


def _gate(loaded: LoadedSettings, own: Plugins) -> GatePolicyRunner | None:
    name = loaded.settings.gate_policy
    if name is None or not _checks_facts(loaded, "gate_policy"):
        return None
    policy = _policy(loaded, "gate_policy", name, own.gate_policy)
    if iscoroutinefunction(policy):
        raise SettingsError("a gate policy cannot be async", "ask others in a settlement policy")
    return OwnGate(full_name(name), cast("GatePolicy", policy)).word


def _settlement(loaded: LoadedSettings, own: Plugins) -> ApprovalHook | None:
    settings = loaded.settings
    if settings.settlement is None:
        _require_no_flags(loaded, "settlement_mode", "settlement_timeout_s")
        return None
    # Without a fact check nothing is approved, and the policy would never be asked.
    if not _checks_facts(loaded, "settlement"):
        return None
    policy = _policy(loaded, "settlement", settings.settlement, own.settlement)
    return SettlementHook(
        full_name(settings.settlement),
        cast("SettlementPolicy", policy),
        settings.settlement_mode,
        settings.settlement_timeout_s,
    )


def _checks_facts(loaded: LoadedSettings, key: str) -> bool:
    """Whether the run has a fact checker; a flag for `key` asks for one."""
    if loaded.settings.mode.fact_checks:
        return True
    given = loaded.origin(key)
    if given.origin is Origin.FLAG:
        raise SettingsError(f"{given.place} needs the fact checker", "add --with-fact-checker")
    return False


def _require_no_flags(loaded: LoadedSettings, *keys: str) -> None:
    for given in map(loaded.origin, keys):
        if given.origin is Origin.FLAG:
            message = f"{given.place} does nothing without a settlement policy"
            raise SettingsError(message, "name one with --settlement")


def _policy(loaded: LoadedSettings, key: str, name: str, given: object) -> Callable[..., object]:
    """The policy `given`, else the one of the `name` that the setting `key` holds."""
    found = given_object(loaded, key, name, given, load_code)
    if not callable(found):
        place = loaded.origin(key).place or flag_name(key)
        raise SettingsError(f"{place}: {name!r} cannot be called", "name a function")
    return found


def _agent_name(part: Agent[Any] | str) -> str:
    return code_name(part) if isinstance(part, str) else f"agent:{part.name}"


def require_same_code(run_dir: Path, recorded: Settings, mine: Settings) -> None:
    """Refuse to go on with a run without the code that it began with.

    Raises:
        RunDirectoryError: One of them is another, or not given.
    """
    for key, what in CODE_KEYS.items():
        names = _code_names(recorded, key)
        if not names or names == _code_names(mine, key):
            continue
        listed = ", ".join(map(repr, names))
        flags = " ".join(f"{flag_name(key)} {shlex.quote(name)}" for name in names)
        raise RunDirectoryError(
            f"{str(run_dir)!r} {what} {listed}", f"add {flags}, or give {key}= in a program"
        )


def _code_names(settings: Settings, key: str) -> list[str]:
    named: str | tuple[str, ...] | None = dict(settings)[key]
    return list(map(full_name, (named,) if isinstance(named, str) else named or ()))


@dataclass(frozen=True, slots=True)
class RunAgents:
    """The agents that take part in a run: the user's own in the place of ours."""

    analyst: AnalystAgent | Drafter
    critics: tuple[Critic, ...]
    judge: Judge | None

    def drafter(self, reader: SourceReader | None) -> Drafter:
        """The analyst, who reads and searches sources through `reader`, if there is one."""
        if isinstance(self.analyst, AnalystAgent):
            return AgentDrafter(self.analyst, reader)
        return self.analyst


def build_run_agents(
    deps: AgentDeps, config: PipelineConfig, plugins: LoadedPlugins, settings: Settings
) -> RunAgents:
    """The agents of the mode, and the user's own."""
    parts, rules = (deps.backend, deps.prompts, deps.templates), agent_rules(deps.rules)
    taken = {critic.name for critic in plugins.critics}
    critics: list[Critic] = []
    if config.mode.reviews and "reviewer" not in taken:
        critics.append(reviewer_critic(ReviewerAgent(config.reviewer, *parts, rules=rules)))
    if config.mode.fact_checks and "fact_checker" not in taken:
        checker = FactCheckerAgent(config.fact_checker, *parts, rules=rules)
        critics.append(fact_checker_critic(checker))
    critics += plugins.critics
    for agent in plugins.agents:
        if isinstance(agent, Agent):
            own = agent_config(agent.config, settings, Role.OWN_AGENT)
            critics.append(own_agent_critic(DeclaredAgent(agent, own, *parts, rules=rules)))
        else:
            # The record of a replay, which stands for an agent that is not at hand.
            critics.append(agent)
    judge = plugins.judge
    if judge is None and config.mode.judges:
        judge = AgentJudge(JudgeAgent(config.judge, *parts, rules=rules))
    analyst = plugins.analyst or AnalystAgent(config.analyst, *parts, rules=rules)
    return RunAgents(analyst, tuple(critics), judge)
