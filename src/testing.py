"""Contract of a backend, as checks to run on your own backend.

In a test of yours:

    async def test_my_backend_keeps_the_contract() -> None:
        assert await check_backend(MyBackend()) == ()

The checks give it the analyst's and the reviewer's real tasks over a page of text. They ignore
the quality of a model's text: an `Error` from a weak model passes, a broken contract fails.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from .agents.analyst import AnalystAgent
from .agents.reviewer import ReviewerAgent
from .base.errors import EditRefused
from .base.files import write_atomic
from .core.budget import Budget
from .core.config import AnalystConfig, BudgetConfig, ReviewerConfig
from .core.record_folder import PlainSteps
from .core.run_analytics import RunAnalytics
from .core.tasks import AgentBackend, AgentTask, Error, ToolFailure, Turn, TurnLimits, make_tool
from .core.templates import PromptLibrary, TemplateLibrary
from .core.work import (
    AnalystContext,
    AnalystInput,
    Material,
    Progress,
    ReviewerContext,
    ReviewerInput,
    RunServices,
)

__all__ = ["Breach", "check_backend"]

BRIEF = "# Arnsund\n\nWhen did the station begin regular service?\n"
PAGE = "The Arnsund tidal power station began regular service on 4 May 2019.\n"
DRAFT = f"# Arnsund\n\n{PAGE}"
LATE_S = 30.0
"""How much longer than it may take a turn is waited for."""


@dataclass(frozen=True, slots=True)
class Breach:
    """A part of the contract that a backend broke: the check, and what was seen."""

    check: str
    seen: str


Check = Callable[[AgentBackend, Path, TurnLimits], Awaitable[str]]


async def check_backend(
    backend: AgentBackend, *, timeout_s: float = 300.0, max_turns: int = 20
) -> tuple[Breach, ...]:
    """Every part of the contract of `AgentBackend` that `backend` breaks; empty if it keeps it.

    Args:
        backend: Yours, ready to work. It does about eight turns.
        timeout_s: Seconds that one turn may take.
        max_turns: Answers of its model that one turn may have.
    """
    limits = TurnLimits(max_turns, timeout_s)
    found: list[Breach] = []
    for name, check in _CHECKS.items():
        with tempfile.TemporaryDirectory(prefix="foureyes-") as root:
            try:
                seen = await check(backend, Path(root), limits)
            # It has to return what goes wrong: whatever it raises is a breach.
            except Exception as error:  # noqa: BLE001 - see above
                seen = f"raised {type(error).__name__}: {error}"
        if seen:
            found.append(Breach(name, seen))
    return tuple(found)


async def _names(backend: AgentBackend, _root: Path, _limits: TurnLimits) -> str:
    return _wrong_names(backend.name, backend.independent)


def _wrong_names(name: object, independent: object) -> str:
    if not isinstance(name, str) or not name:
        return f"name is {name!r}, and no text"
    if not isinstance(independent, bool):
        return f"independent is {independent!r}, and neither true nor false"
    return ""


async def _form(backend: AgentBackend, root: Path, limits: TurnLimits) -> str:
    return await _kept(backend, replace(_reviewing(root), limits=limits), root)


async def _document(backend: AgentBackend, root: Path, limits: TurnLimits) -> str:
    return await _kept(backend, replace(_drafting(root), limits=limits), root)


async def _side_by_side(backend: AgentBackend, root: Path, limits: TurnLimits) -> str:
    tasks = {"one": _reviewing(root), "two": _drafting(root)}
    for name in tasks:
        (root / name).mkdir()
    seen = await asyncio.gather(
        *(_kept(backend, replace(task, limits=limits), root / n) for n, task in tasks.items())
    )
    return "; ".join(filter(None, seen))


async def _one_answer(backend: AgentBackend, root: Path, limits: TurnLimits) -> str:
    task = replace(_reviewing(root), limits=replace(limits, max_turns=1))
    outcome = await _run(backend, task, root)
    requests = outcome.usage.requests
    return f"{requests} requests in a turn that may have one" if requests > 1 else ""


async def _in_time(backend: AgentBackend, root: Path, limits: TurnLimits) -> str:
    begun = time.monotonic()
    task = replace(_reviewing(root), limits=replace(limits, timeout_s=0.05))
    try:
        async with asyncio.timeout(LATE_S):
            await _run(backend, task, root)
    except TimeoutError:
        return f"a turn of 0.05 s still went on after {time.monotonic() - begun:.0f} s"
    return ""


async def _cancelled(backend: AgentBackend, root: Path, limits: TurnLimits) -> str:
    task = replace(_reviewing(root), limits=limits)
    turn = asyncio.create_task(_run(backend, task, root))
    await asyncio.sleep(0.05)
    done = turn.done()
    turn.cancel()
    await asyncio.wait([turn], timeout=LATE_S)
    if not turn.done():
        return f"a cancelled turn still went on after {LATE_S:.0f} s"
    if not done and not turn.cancelled() and turn.exception() is None:
        outcome = turn.result()
        return f"a cancelled turn returned {type(outcome).__name__}" * isinstance(outcome, Error)
    return ""


async def _failing_tool(backend: AgentBackend, root: Path, limits: TurnLimits) -> str:
    calls: list[Mapping[str, object]] = []

    async def fail(arguments: Mapping[str, object]) -> str:
        calls.append(arguments)
        raise ToolFailure("the archive is closed today")

    tool = make_tool("look_up", "Look in the archive.", {}, fail, 1, read_only=True)
    task = replace(_reviewing(root), limits=limits, tools=(tool,))
    seen = await _kept(backend, task, root)
    if len(calls) > 1:
        return f"a tool with an allowance of one was called {len(calls)} times"
    return seen


_CHECKS: Mapping[str, Check] = {
    "it has a name, and says whether a model judges": _names,
    "a form is filled within its edit policy": _form,
    "a document is written within its edit policy": _document,
    "two turns at once do not meet": _side_by_side,
    "a turn has no more answers than it may": _one_answer,
    "a turn ends in its time": _in_time,
    "a cancelled turn ends and is no answer": _cancelled,
    "a tool that fails ends no turn and keeps its allowance": _failing_tool,
}


async def _kept(backend: AgentBackend, task: AgentTask[object], folder: Path) -> str:
    """Run `task` in `folder`; says what of the contract its outcome breaks."""
    outcome = await _run(backend, task, folder)
    for name, text in task.readable.items():
        if (folder / name).read_text(encoding="utf-8") != text:
            return f"it changed {name}, which it may only read"
    amounts = (outcome.usage.input_tokens, outcome.usage.output_tokens, outcome.usage.requests)
    if min(amounts) < 0:
        return f"it used {min(amounts)} of something"
    return "" if isinstance(outcome, Error) else _wrong(outcome, task, folder)


def _wrong(turn: Turn, task: AgentTask[object], folder: Path) -> str:
    if (folder / task.file_name).read_text(encoding="utf-8") != turn.text:
        return f"the text of its turn is not what stands in {task.file_name}"
    if not 0 <= turn.read_coverage <= 1:
        return f"a read coverage of {turn.read_coverage} is no share"
    try:
        task.policy.check(task.template, turn.text)
    except EditRefused as error:
        return f"the edit policy refuses its text: {error.message}"
    return ""


async def _run(backend: AgentBackend, task: AgentTask[object], folder: Path) -> Turn | Error:
    for name, text in {**task.readable, task.file_name: task.template}.items():
        write_atomic(folder / name, text, durable=False)
    return await backend.run(task, folder)


def _drafting(root: Path) -> AgentTask[object]:
    material = Material("report.md", "The report", "0" * 64, PAGE)
    agent = AnalystAgent(AnalystConfig(), _NOBODY, PromptLibrary(), TemplateLibrary())
    return agent.build_task(
        AnalystContext(
            iteration=1,
            max_iterations=1,
            services=_services(root),
            analysis_output_path=Path("analysis.md"),
            inputs=AnalystInput(BRIEF, (material,)),
        )
    )


def _reviewing(root: Path) -> AgentTask[object]:
    agent = ReviewerAgent(ReviewerConfig(), _NOBODY, PromptLibrary(), TemplateLibrary())
    return agent.build_task(
        ReviewerContext(
            iteration=1,
            max_iterations=1,
            services=_services(root),
            analysis_input_path=Path("analysis.md"),
            feedback_output_path=Path("feedback.json"),
            inputs=ReviewerInput(BRIEF, DRAFT),
        )
    )


def _services(root: Path) -> RunServices:
    def ignore(_progress: Progress) -> None:
        """Nobody watches."""

    return RunServices(PlainSteps(), RunAnalytics(), Budget(BudgetConfig()), ignore, root)


class _Nobody:
    """Builds tasks and fills none."""

    name, independent = "nobody", False

    async def run(self, task: AgentTask[object], folder: Path) -> Turn | Error:
        raise NotImplementedError


_NOBODY = _Nobody()
