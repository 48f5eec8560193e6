"""The base of all agents: it builds a task from a context, and reads the filled template."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from ..base.errors import EditRefused, ReplyError
from .config import BaseAgentConfig
from .contexts import BaseContext
from .prompts import PromptLibrary
from .tasks import (
    AgentBackend,
    AgentResult,
    AgentTask,
    Error,
    FailureKind,
    OfflineForm,
    Role,
    Success,
    ToolSpec,
    Turn,
    TurnLimits,
)
from .templates import JsonTemplate, MarkdownTemplate, TemplateLibrary
from .turn_runner import DEFAULT_BACKOFF, Backoff, TurnRunner

ConfigT = TypeVar("ConfigT", bound=BaseAgentConfig)
ContextT = TypeVar("ContextT", bound=BaseContext)
OutputT = TypeVar("OutputT")
InputT = TypeVar("InputT")
T = TypeVar("T")

MEND_PROMPT = "agents/mend.md"
MEND_VARIABLES = ("file_name", "problems", "task")


class BaseAgent(ABC, Generic[ConfigT, ContextT, OutputT]):
    """An agent: its task for a context, and the reading of its reply.

    Args:
        config: The agent's settings.
        backend: Fills its templates.
        prompts: The library of its prompts.
        templates: The library of its templates.
        backoff: The waiting time between attempts.

    Raises:
        PromptError: The prompt for mending cannot be used.
    """

    def __init__(
        self,
        config: ConfigT,
        backend: AgentBackend,
        prompts: PromptLibrary,
        templates: TemplateLibrary,
        *,
        backoff: Backoff = DEFAULT_BACKOFF,
    ) -> None:
        self.config = config
        self.backend = backend
        self.prompts = prompts
        self.templates = templates
        self._backoff = backoff
        prompts.check(MEND_PROMPT, MEND_VARIABLES)

    @property
    @abstractmethod
    def agent_name(self) -> str:
        """The agent's name in progress, analytics and artefacts."""

    @abstractmethod
    def build_task(self, context: ContextT) -> AgentTask[object]:
        """The template to fill and the prompts for it."""

    @abstractmethod
    def read_reply(self, context: ContextT, turn: Turn) -> OutputT:
        """The output in a finished turn.

        Raises:
            ReplyError: The answer cannot be read; the message tells the agent what to correct.
        """

    def form_task(
        self,
        role: Role,
        name: str,
        inputs: InputT,
        *,
        system_prompt: str,
        user_prompt: str,
        file_name: str,
        form: JsonTemplate | MarkdownTemplate,
        readable: Mapping[str, str],
        tools: Sequence[ToolSpec] = (),
        offline: OfflineForm | None = None,
    ) -> AgentTask[InputT]:
        """A task under this agent's limits, with its model; for `build_task`.

        `form` is the template of `file_name` with its edit policy; the rest is as in `AgentTask`.
        """
        config = self.config
        return AgentTask(
            role=role,
            name=name,
            inputs=inputs,
            system_prompt=system_prompt,
            user_prompt=user_prompt,
            file_name=file_name,
            template=form.text,
            policy=form.policy,
            readable=readable,
            tools=tools,
            limits=TurnLimits(config.max_turns, config.timeout_s, config.max_cost_usd),
            model=config.model,
            effort=config.effort,
            to_do_list=config.allows("TodoWrite"),
            offline=offline,
        )

    async def process(self, context: ContextT) -> AgentResult[OutputT]:
        """Do the agent's work for `context`. Cancellation is raised, never returned."""
        return await self.run_task(
            self.build_task(context), context, lambda turn: self.read_reply(context, turn)
        )

    async def run_task(
        self, task: AgentTask[object], context: ContextT, read: Callable[[Turn], T]
    ) -> AgentResult[T]:
        """Have the backend fill `task` and read the answer with `read`, which has no effects.

        The finished turn is journalled and not run again; an `Error` is not. An answer with
        problems is mended by the agent at most twice; a failure that may pass is tried again
        `config.retries` times. A checker that was not given everything to read has not answered.

        Raises:
            StorageError: The disk refused.
        """
        services = context.services

        def problems(turn: Turn) -> tuple[str, ...]:
            return _problems(task, turn, read)

        runner = TurnRunner(
            agent=self.agent_name,
            iteration=context.iteration,
            backend=self.backend,
            services=services,
            problems=problems,
            mend=self._mend_prompt,
            retries=self.config.retries,
            backoff=self._backoff,
        )
        asked = False

        async def ask() -> Turn | Error:
            nonlocal asked
            asked = True
            return await runner.run(task)

        try:
            outcome = await services.steps.step(task.name, task.fingerprint(), Turn, ask)
        finally:
            runner.report_end()
        if isinstance(outcome, Error):
            return outcome
        if not asked:
            runner.report_kept(task, outcome.usage)
        try:
            return Success(read(outcome), outcome.usage)
        except ReplyError as error:
            return Error(FailureKind.MALFORMED, str(error), outcome.usage, outcome.text)

    def _mend_prompt(self, task: AgentTask[object], problems: tuple[str, ...]) -> str:
        return self.prompts.render(
            MEND_PROMPT, file_name=task.file_name, problems=problems, task=task.user_prompt
        )


def _problems(
    task: AgentTask[object], turn: Turn, read: Callable[[Turn], object]
) -> tuple[str, ...]:
    """The problems that make an answer unusable, one line each."""
    if turn.read_coverage < 1.0 and task.role is not Role.ANALYST:
        share = math.floor(100 * turn.read_coverage)
        return (f"only {share} % of the text to check was read: read all of it",)
    try:
        task.policy.check(task.template, turn.text)
    except EditRefused as error:
        return (str(error),)
    problems = task.policy.problems(turn.text)
    if problems:
        return problems
    try:
        read(turn)
    except ReplyError as error:
        return (str(error),)
    return ()
