"""The base of our agents: each declares its role, its prompts and the file that it fills."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import ClassVar, Generic, TypeVar

import structlog

from ..base.vocabulary import Finding, Recommendation, Strictness
from ..core.agent_base import BaseAgent, ConfigT, ContextT, OutputT
from ..core.agent_calls import call_agent
from ..core.artefacts import Judgement
from ..core.tasks import (
    AgentBackend,
    AgentTask,
    Error,
    FailureKind,
    OfflineForm,
    Role,
    ToolSpec,
    TurnUsage,
)
from ..core.templates import Claims, JsonTemplate, MarkdownTemplate, PromptLibrary, TemplateLibrary
from ..core.work import Critic, Examination, IterationWork
from ..verification.severity import recommend
from .reading import SECTION_TOKENS
from .rules import AgentRules, Rules, rules_of, strictness_rule
from .source_tools import WebResearchProtocol

InputT = TypeVar("InputT")


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """The declaration of an agent.

    `file_name` is the file that it fills, and the name of the template. `name` is the agent's name
    where it is not that of its role. The variables of its prompts are those of the packaged ones.
    """

    role: Role
    file_name: str
    _: KW_ONLY
    user_prompt: str = "user/initial.md"
    name: str = ""

    @property
    def folder(self) -> str:
        """The place of its prompts and its template: ``agents/red-reviewer``."""
        return f"agents/{(self.name or self.role).replace('_', '-')}"

    @property
    def template(self) -> str:
        """The name of the template."""
        return f"{self.folder}/{self.file_name}"


class PromptedAgent(BaseAgent[ConfigT, ContextT, OutputT], Generic[ConfigT, ContextT, OutputT]):
    """An agent with a declaration, which follows the rules of the registry.

    Args:
        config: Its settings.
        backend: Fills its forms.
        prompts: The library of its prompts.
        templates: The library of its template.
        rules: Word lists, severities and thresholds; the packaged ones by default.

    Raises:
        PromptError: One of its prompts cannot be used.
    """

    _spec: ClassVar[AgentSpec]

    def __init__(
        self,
        config: ConfigT,
        backend: AgentBackend,
        prompts: PromptLibrary,
        templates: TemplateLibrary,
        *,
        rules: AgentRules | None = None,
    ) -> None:
        super().__init__(config, backend, prompts, templates)
        self._given_rules = rules

    @property
    def agent_name(self) -> str:
        """The agent's name in progress, analytics and artefacts."""
        return self._spec.name or self._spec.role.value

    def _prompted_task(
        self,
        context: ContextT,
        name: str,
        inputs: InputT,
        *,
        readable: Mapping[str, str],
        entries: Claims | None = None,
        form: JsonTemplate | MarkdownTemplate | None = None,
        system: Mapping[str, object] = MappingProxyType({}),
        user: Mapping[str, object] = MappingProxyType({}),
        tools: Sequence[ToolSpec] = (),
        protocol: WebResearchProtocol | None = None,
        revision: bool = False,
        offline: OfflineForm | None = None,
    ) -> AgentTask[InputT]:
        """The task `name` of an iteration with both prompts rendered.

        Args:
            context: The context of the turn.
            name: The task's name within its iteration.
            inputs: What a backend of rules works on.
            readable: The files beside the form.
            entries: What code fills in of the form, an entry for each claim or other item.
            form: The form to fill where it is not the declared template.
            system: Variables of the system prompt.
            user: Variables of the user prompt besides those that all have.
            tools: Tools of the task.
            protocol: The rules of research to follow: its text ends the system prompt.
            revision: Whether the task revises an earlier answer.
            offline: Fills the form without a model.
        """
        spec = self._spec
        asked = "user/revision.md" if revision else spec.user_prompt
        instructions = self.prompts.render(
            f"{spec.folder}/system.md", file_name=spec.file_name, **system
        )
        request = self.prompts.render(
            f"{spec.folder}/{asked}",
            iteration=context.iteration,
            max_iterations=context.max_iterations,
            file_name=spec.file_name,
            readable=tuple(readable),
            split=any("-part-" in file for file in readable),
            section_tokens=SECTION_TOKENS,
            **user,
        )
        return self.form_task(
            spec.role,
            f"{context.iteration}/{name}",
            inputs,
            system_prompt=f"{instructions}\n\n{protocol.text()}" if protocol else instructions,
            user_prompt=request,
            file_name=spec.file_name,
            form=form or self.templates.json_template(spec.template, claims=entries),
            readable=readable,
            tools=(*tools, protocol.tool()) if protocol else tools,
            offline=offline,
        )

    @cached_property
    def _rules(self) -> Rules:
        return rules_of(self._given_rules)

    def _language(self, brief: str) -> str:
        """The name of the language that the answer is written in."""
        return self._rules.reading.wording(brief).name

    def _strictness_rule(self, strictness: Strictness) -> str:
        """Which issues reject, as a sentence."""
        return strictness_rule(self._rules.registry.severity, strictness)

    def _vote(self, findings: Iterable[Finding], strictness: Strictness) -> Recommendation:
        """The recommendation that follows from `findings`."""
        return recommend(findings, strictness, self._rules.registry.severity)


@dataclass(frozen=True, slots=True)
class AgentCritic(Generic[ConfigT, ContextT, OutputT]):
    """`Critic` over an agent.

    `to_context` makes the agent's context of an iteration, None if there is nothing to examine.
    `to_examination` makes its vote from its output.
    """

    agent: BaseAgent[ConfigT, ContextT, OutputT]
    to_context: Callable[[IterationWork], ContextT | None]
    to_examination: Callable[[OutputT, TurnUsage, IterationWork], Examination]

    @property
    def name(self) -> str:
        """The agent's name."""
        return self.agent.agent_name

    async def examine(self, work: IterationWork) -> Examination | Error:
        """Have the agent examine one iteration."""
        context = self.to_context(work)
        if context is None:
            return Error(FailureKind.CRASHED, f"{self.name} needs evidence, and the run has none")
        result = await self.agent.process(context)
        if isinstance(result, Error):
            return result
        examination = self.to_examination(result.output, result.usage, work)
        log_difference(self.name, work.iteration, examination)
        return examination


@dataclass(frozen=True, slots=True)
class Adviser:
    """`Critic` without a vote over another one: neither its answer nor its failure decides."""

    critic: Critic

    @property
    def name(self) -> str:
        """The critic's name."""
        return self.critic.name

    async def examine(self, work: IterationWork) -> Examination | Error:
        """The critic's findings; a failure stands in the answer as what is unfinished.

        Raises:
            FoureyesError: The run itself cannot go on.
        """
        ask = partial(self.critic.examine, work)
        answer, usage = await call_agent(self.name, work.iteration, ask)
        approval = Recommendation.APPROVE
        if isinstance(answer, Error):
            failed = (answer,)
            return Examination(approval, None, (), 0.0, usage, unfinished=failed, advisory=True)
        return replace(answer, recommendation=approval, independent=False, advisory=True)


def log_difference(agent: str, iteration: int, answer: Examination | Judgement) -> None:
    """Log that an agent said something else than follows from its issues (decision 1)."""
    stated, computed = answer.stated_recommendation, answer.recommendation
    if stated is None or stated is computed:
        return
    structlog.get_logger().info(
        "stated recommendation differs",
        agent=agent,
        iteration=iteration,
        stated=stated.value,
        computed=computed.value,
    )
