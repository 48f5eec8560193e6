"""The base of all agents: a task for a context, its turns on a backend, and its answer."""

from __future__ import annotations

import math
import random
import secrets
import shutil
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, Generic, TypeAlias, TypeVar

import anyio

from ..base.errors import BudgetExceeded, EditRefused, FoureyesError, ReplyError, RunDirectoryError
from ..base.files import storage_errors, write_atomic
from ..base.off_loop import off_loop
from ..base.registry import first_line
from . import tracing
from .approval import RETRYABLE
from .config import BaseAgentConfig
from .edit_policy import MAX_TEXT_CHARS
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
    TurnUsage,
)
from .templates import JsonTemplate, MarkdownTemplate, PromptLibrary, TemplateLibrary
from .work import BaseContext, Progress, RunServices

ConfigT = TypeVar("ConfigT", bound=BaseAgentConfig)
ContextT = TypeVar("ContextT", bound=BaseContext)
OutputT = TypeVar("OutputT")
InputT = TypeVar("InputT")
T = TypeVar("T")

MEND_PROMPT = "agents/mend.md"


MAX_MENDS = 2
# A backend keeps the turn's time limit itself, so that it can say what the turn has cost, and
# counts it from when the turn leaves its queue. This many limits later it is taken to be stuck.
PATIENCE = 10

Report: TypeAlias = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Backoff:
    """Seconds between attempts: `base_s` doubled each time up to `max_s`, less up to half of it."""

    base_s: float = 5.0
    max_s: float = 60.0

    def delay(self, attempt: int) -> float:
        """Seconds to wait after `attempt`, counted from 0."""
        longest = min(self.max_s, self.base_s * 2.0 ** min(attempt, 30))
        return longest * random.uniform(0.5, 1.0)


DEFAULT_BACKOFF = Backoff()


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
        self.backoff = backoff

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
        """Do the agent's work for `context`. Cancellation is raised, never returned.

        Raises:
            StorageError: The disk refused.
            TemplateError: The agent's template is broken.
        """
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
        services, read = context.services, _once(read)
        # A process that is killed before the end of the block has the answer and no report of it,
        # never a report of an answer that is gone, which would be repeated.
        with ExitStack() as kept:
            runner = _TurnRunner(self, context.iteration, services, read, kept)
            ask = partial(runner.run, task)
            outcome = await services.steps.step(task.name, task.fingerprint(), Turn, ask)
        if isinstance(outcome, Error):
            return outcome
        runner.report_kept(task, outcome.usage)
        try:
            return Success(read(outcome), outcome.usage)
        except ReplyError as error:
            return Error(FailureKind.MALFORMED, str(error), outcome.usage, outcome.text)


def _once(read: Callable[[Turn], T]) -> Callable[[Turn], T]:
    """`read`, which gives the same answer to the same text without reading it again."""
    known: dict[str, T] = {}

    def answer(turn: Turn) -> T:
        if turn.text not in known:
            known[turn.text] = read(turn)
        return known[turn.text]

    return answer


def _problems(
    task: AgentTask[object], turn: Turn, read: Callable[[Turn], object]
) -> tuple[str, ...]:
    """The problems that make an answer unusable, one line each."""
    if turn.read_coverage < 1.0 and task.role is not Role.ANALYST:
        share = math.floor(100 * turn.read_coverage)
        return (f"only {share} % of the text to check was read: read all of it",)
    try:
        task.policy.check(task.template, turn.text)
        problems = task.policy.problems(turn.text)
        if not problems:
            read(turn)
    except (EditRefused, ReplyError) as error:
        return (str(error),)
    return problems


@dataclass(frozen=True, slots=True)
class _TurnRunner:
    """Runs a task of an agent in one iteration; `read` reads the answer.

    The turn that `run` returns is reported when `kept` is left.
    """

    agent: BaseAgent[Any, Any, Any]
    iteration: int
    services: RunServices
    read: Callable[[Turn], object]
    kept: ExitStack

    def report_kept(self, task: AgentTask[object], usage: TurnUsage) -> None:
        """Report the turn of `task`, which was kept, if the process ended before it did."""
        if not self.services.recorder.knows_turn(task.name):
            self._report(task, "ok", usage)

    async def run(self, task: AgentTask[object]) -> Turn | Error:
        """The finished turn, or why there is none; its usage covers all attempts.

        An attempt starts with a fresh folder and template.

        Raises:
            StorageError: The turn's folder cannot be written.
        """
        outcome, spent = await self._attempt(task), TurnUsage()
        for attempt in range(self.agent.config.retries):
            if isinstance(outcome, Turn) or outcome.kind not in RETRYABLE:
                break
            spent += outcome.usage
            self._notify("turn_retried", f"{task.name}: {outcome}")
            wait = outcome.retry_after_s
            await anyio.sleep(self.agent.backoff.delay(attempt) if wait is None else wait)
            outcome = await self._attempt(task)
        return replace(outcome, usage=spent + outcome.usage)

    async def _attempt(self, task: AgentTask[object]) -> Turn | Error:
        """One answer in one folder, mended by the agent at most `MAX_MENDS` times."""
        spent, refused, coverage, mends, current = TurnUsage(), (), 0.0, 0, task
        async with _private_folder(self.services.work_root, task) as folder:
            while True:
                outcome, report = await self._turn(current, folder)
                spent += outcome.usage
                refused += outcome.refused
                outcome = replace(outcome, usage=spent, refused=refused)
                if isinstance(outcome, Error):
                    report()
                    return outcome
                # A mending turn need not read again what the first has read.
                coverage = max(coverage, outcome.read_coverage)
                turn = replace(outcome, read_coverage=coverage)
                problems = _problems(task, turn, self.read)
                if not problems:
                    self.kept.callback(report)
                    return turn
                report()
                if mends == MAX_MENDS:
                    return Error(FailureKind.MALFORMED, _summary(problems), spent, turn.text)
                self._notify("turn_mended", f"{task.name}: {_summary(problems)}")
                text = turn.text
                try:
                    task.policy.check(task.template, text)
                except EditRefused:
                    text = task.template
                prompt = self.agent.prompts.render(
                    MEND_PROMPT, file_name=task.file_name, problems=problems, task=task.user_prompt
                )
                current = replace(task, user_prompt=prompt, template=text)
                # Replaced, not written into: it may have become a link to outside the folder.
                path = folder / task.file_name
                await off_loop(write_atomic, path, current.template, durable=False)
                mends += 1

    async def _turn(self, task: AgentTask[object], folder: Path) -> tuple[Turn | Error, Report]:
        """One call of the backend, reserved and settled, and what reports it."""
        try:
            self.services.budget.reserve(task.name, task.limits)
        except BudgetExceeded as error:
            refused = Error(FailureKind.BUDGET, str(error))
            await self._keep(task, refused, error)
            return refused, lambda: None
        agent, backend = self.agent.agent_name, self.agent.backend.name
        with tracing.invoke_agent(agent, self.iteration, task.name, backend) as traced:
            outcome = await self._reserved(task, folder, traced)
        await self._keep(task, outcome)
        for line in outcome.refused:
            self._notify("tool_refused", f"{task.name}: {line}")
        result = outcome.kind.value if isinstance(outcome, Error) else "ok"
        return outcome, lambda: self._report(task, result, outcome.usage)

    def _report(self, task: AgentTask[object], result: str, usage: TurnUsage) -> None:
        self._record(task, usage, result)
        self._notify("turn_ended", f"{task.name}: {result}")

    async def _reserved(
        self, task: AgentTask[object], folder: Path, traced: tracing.Invocation
    ) -> Turn | Error:
        self._notify("turn_started", task.name)
        usage, used = TurnUsage(), list[TurnUsage]()
        limits = self.services.budget.narrow(task.limits)
        try:
            outcome = await self._call(
                replace(task, limits=limits, on_cancelled=used.append), folder
            )
            usage = outcome.usage
        except anyio.get_cancelled_exc_class():
            if used:
                usage = used[0]
                traced.record_usage(usage, tracing.CANCELLED)
                self._record(task, usage, "cancelled")
            raise
        finally:
            self.services.budget.settle(task.name, usage)
        traced.end(outcome)
        return outcome

    def _record(self, task: AgentTask[object], usage: TurnUsage, result: str) -> None:
        recorder = self.services.recorder
        recorder.record_turn(self.agent.agent_name, self.iteration, usage, result, task=task.name)

    async def _call(self, task: AgentTask[object], folder: Path) -> Turn | Error:
        started = time.perf_counter()
        failure = Error(FailureKind.TIMEOUT, f"the backend did not end {task.name} in time")
        try:
            with anyio.move_on_after(task.limits.timeout_s * PATIENCE):
                outcome = await self.agent.backend.run(task, folder)
                if isinstance(outcome, Turn) or outcome.partial:
                    return outcome
                return replace(outcome, partial=await off_loop(_partial, task, folder))
        except BudgetExceeded as error:
            failure = Error(FailureKind.BUDGET, str(error))
        except RunDirectoryError:
            # What a replay cannot go on from is no failure of the agent.
            raise
        except (FoureyesError, OSError) as error:
            failure = Error(FailureKind.CRASHED, first_line(str(error)) or type(error).__name__)
        # The backend reported no usage; only a model costs anything.
        cost = None if self.agent.backend.independent else Decimal(0)
        usage = TurnUsage(cost_usd=cost, wall_s=time.perf_counter() - started)
        return replace(failure, usage=usage, partial=await off_loop(_partial, task, folder))

    async def _keep(
        self,
        task: AgentTask[object],
        outcome: Turn | Error,
        refusal: BudgetExceeded | None = None,
    ) -> None:
        if self.services.turn_log is not None:
            await off_loop(self.services.turn_log.keep, task, self.agent.backend, outcome, refusal)

    def _notify(self, event: str, detail: str) -> None:
        self.services.notify(Progress(event, self.agent.agent_name, self.iteration, detail))


@asynccontextmanager
async def _private_folder(root: Path, task: AgentTask[object]) -> AsyncGenerator[Path]:
    """A new folder under `root` with the task's files, gone when the block ends."""
    folder = root / f"turn-{secrets.token_hex(8)}"
    try:
        await off_loop(_fill_folder, folder, task)
        yield folder
    finally:
        with anyio.CancelScope(shield=True):
            # Errors are left aside: one raised here would take the place of a cancellation.
            await off_loop(shutil.rmtree, folder, ignore_errors=True)


def _fill_folder(folder: Path, task: AgentTask[object]) -> None:
    with storage_errors(folder.parent, "make a turn's folder in"):
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700)
    for name, text in {**task.readable, task.file_name: task.template}.items():
        path = folder / _plain(name)
        with storage_errors(path, "write"):
            path.parent.mkdir(parents=True, exist_ok=True)
            # A folder of its own: there is nothing yet to take the place of.
            with path.open("xb") as file:
                file.write(text.encode("utf-8"))


def _plain(name: str) -> PurePosixPath:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise ValueError(f"{name!r} is not a plain relative file name")
    return path


def _partial(task: AgentTask[object], folder: Path) -> str:
    """The file as it was left, "" if it is gone, untouched or a link to elsewhere."""
    path = folder / task.file_name
    if path.is_symlink():
        return ""
    try:
        with path.open("rb") as file:
            text = file.read(MAX_TEXT_CHARS).decode("utf-8", "replace")
    except OSError:
        return ""
    return "" if text == task.template else text


def _summary(problems: tuple[str, ...]) -> str:
    more = f" (and {len(problems) - 3} more)" if len(problems) > 3 else ""
    return first_line("; ".join(problems[:3])) + more
