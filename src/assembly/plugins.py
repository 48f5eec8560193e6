"""The user's own parts of a run: given as objects, or found by their names in the settings.

Critics and agents have a veto each, the gate policy may only lower the gate's answer, the
settlement policy has the last word before an approval, and the search provider is asked in place of
one of ours.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
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
from .model import CODE_KEYS, PART_KEYS, BackendName, LoadedSettings, Origin, Settings
from .setting_values import SettingValues
from .settings import agent_config, flag_name, load_settings
from .user_code import code_name, code_names, full_name, load_part, require_shape

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


NO_PARTS: RunOptions = {}


def load_options(options: RunOptions | ReviewOptions) -> LoadedSettings:
    """The settings of a program's call, in which its own parts are named by their code."""
    named: dict[str, object] = {}
    for key, part in options.items():
        if key in ("critics", "agents"):
            named[key] = tuple(map(_name_of, _parts(part)))
        elif key in PART_KEYS and part is not None:
            named[key] = _name_of(part)
    return load_settings({**options, **named})


def _parts(given: object) -> tuple[object, ...]:
    """One name is a list of one: text is a sequence of texts, too."""
    return (given,) if isinstance(given, str) else tuple(cast("Iterable[object]", given or ()))


def _name_of(part: object) -> str:
    return f"agent:{part.name}" if isinstance(part, Agent) else code_name(part)


@dataclass(frozen=True, slots=True)
class LoadedPlugins:
    """The same, ready to be asked: live, or as a run on record tells it."""

    critics: tuple[Critic, ...] = ()
    gate: GatePolicyRunner | None = None
    settlement: ApprovalHook | None = None
    agents: tuple[Agent[Any] | Critic, ...] = ()
    analyst: AnalystAgent | Drafter | None = None
    judge: Judge | None = None

    def drafter(self, reader: SourceReader | None) -> Drafter:
        """The analyst, who reads and searches sources through `reader`, if there is one."""
        if isinstance(self.analyst, AnalystAgent):
            return AgentDrafter(self.analyst, reader)
        assert self.analyst is not None
        return self.analyst

    @property
    def declared(self) -> tuple[Agent[Any], ...]:
        """The agents that are at hand."""
        return tuple(one for one in self.agents if isinstance(one, Agent))


def load_plugins(loaded: LoadedSettings, own: RunOptions = NO_PARTS) -> LoadedPlugins:
    """The critics and policies of the settings; `own` has those that were given as objects.

    Raises:
        SettingsError: One of them cannot be found or used.
    """
    critics = tuple(_critics(loaded, own))
    agents = tuple(load_agents(loaded, own))
    names = [one.name for one in (*critics, *agents)]
    for name in names:
        if names.count(name) > 1:
            raise SettingsError(f"two critics are named {name!r}", "name them apart")
    gate, settlement = _gate(loaded, own), _settlement(loaded, own)
    analyst: object = _part(loaded, own, "analyst")
    if analyst is not None and not isinstance(analyst, AnalystAgent):
        analyst = UserDrafter(require_shape(analyst, Drafter, "an analyst", "async write(work)"))
    judge: object = _part(loaded, own, "judge")
    if isinstance(judge, JudgeAgent):
        judge = AgentJudge(judge)
    elif judge is not None:
        judge = UserJudge(require_shape(judge, Judge, "a judge", "async judge(work)"))
    return LoadedPlugins(critics, gate, settlement, agents, analyst, judge)


def _part(loaded: LoadedSettings, own: RunOptions, key: str, *, call: bool = True) -> object:
    """The user's own part that the setting `key` names, None if it names none."""
    name: object = dict(loaded.settings)[key]
    given = own.get(key)
    part = name if given is None else given
    return None if name is None else load_part(loaded, key, part, call=call)


def load_agents(loaded: LoadedSettings, own: RunOptions = NO_PARTS) -> Iterator[Agent[Any]]:
    """The declared agents of the settings.

    Raises:
        SettingsError: One of them cannot be found or used in such a run.
    """
    settings = loaded.settings
    for part in _parts(own.get("agents")) or settings.agents:
        found = load_part(loaded, "agents", part)
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


def _critics(loaded: LoadedSettings, own: RunOptions) -> Iterator[Critic]:
    for part in _parts(own.get("critics")) or loaded.settings.critics:
        match found := load_part(loaded, "critics", part):
            case ReviewerAgent():
                yield reviewer_critic(found)
            case FactCheckerAgent():
                _checks_facts(loaded, "critics")
                yield fact_checker_critic(found)
            case _:
                needs = "a name and async examine(work)"
                yield UserCritic(require_shape(found, Critic, "a critic", needs))


def _gate(loaded: LoadedSettings, own: RunOptions) -> GatePolicyRunner | None:
    name = loaded.settings.gate_policy
    if name is None or not _checks_facts(loaded, "gate_policy"):
        return None
    policy = _policy(loaded, own, "gate_policy")
    if iscoroutinefunction(policy):
        raise SettingsError("a gate policy cannot be async", "ask others in a settlement policy")
    return OwnGate(full_name(name), cast("GatePolicy", policy)).word


def _settlement(loaded: LoadedSettings, own: RunOptions) -> ApprovalHook | None:
    settings = loaded.settings
    if settings.settlement is None:
        for given in map(loaded.origin, ("settlement_mode", "settlement_timeout_s")):
            if given.origin is Origin.FLAG:
                message = f"{given.place} does nothing without a settlement policy"
                raise SettingsError(message, "name one with --settlement")
        return None
    # Without a fact check nothing is approved, and the policy would never be asked.
    if not _checks_facts(loaded, "settlement"):
        return None
    return SettlementHook(
        full_name(settings.settlement),
        cast("SettlementPolicy", _policy(loaded, own, "settlement")),
        settings.settlement_mode,
        settings.settlement_timeout_s,
    )


def _checks_facts(loaded: LoadedSettings, key: str) -> bool:
    """Whether the run has a fact checker; a flag for `key` asks for one."""
    given = loaded.origin(key)
    if not loaded.settings.mode.fact_checks and given.origin is Origin.FLAG:
        raise SettingsError(f"{given.place} needs the fact checker", "add --with-fact-checker")
    return loaded.settings.mode.fact_checks


def _policy(loaded: LoadedSettings, own: RunOptions, key: str) -> object:
    """The policy that the setting `key` names, which is not called for another object."""
    found = _part(loaded, own, key, call=False)
    if not callable(found):
        place = loaded.origin(key).place or flag_name(key)
        name: object = dict(loaded.settings)[key]
        raise SettingsError(f"{place}: {name!r} cannot be called", "name a function")
    return found


def require_same_code(run_dir: Path, recorded: Settings, mine: Settings) -> None:
    """Refuse to go on with a run without the code that it began with.

    Raises:
        RunDirectoryError: One of them is another, or not given.
    """
    for key, what in CODE_KEYS.items():
        names = code_names(recorded, key)
        if names and names != code_names(mine, key):
            listed = ", ".join(map(repr, names))
            flags = " ".join(f"{flag_name(key)} {shlex.quote(name)}" for name in names)
            raise RunDirectoryError(
                f"{str(run_dir)!r} {what} {listed}", f"add {flags}, or give {key}= in a program"
            )


def with_built_in(
    plugins: LoadedPlugins, deps: AgentDeps, config: PipelineConfig, settings: Settings
) -> LoadedPlugins:
    """The agents of a run: the user's own, and ours of the mode where there are none."""
    parts, rules = deps.parts, agent_rules(deps.rules)
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
    return replace(plugins, critics=tuple(critics), analyst=analyst, judge=judge)
