"""The commands `run` and `resume`: from their input to the last line a person sees."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from ..assembly.layers import flag_name
from ..assembly.model import BackendName, LoadedSettings, Origin
from ..assembly.plugins import CODE_KEYS
from ..assembly.runs import PreparedRun, RunInput, prepare_resume, prepare_run
from ..base.errors import FoureyesError
from ..base.vocabulary import GateDecision, SearchName
from ..core.approval import ExitCode, RunStatus
from ..core.result import PipelineResult
from ..core.run_store import RunStore
from .outcome import result_json, show, stopped_json
from .progress import shown
from .reader_note import remark_unread
from .signals import run_until_stopped
from .terminal import complain, remark, safe, say


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a person wants to be told."""

    json: bool
    quiet: bool


def start(
    brief: str | None,
    draft: str | None,
    sources: tuple[str, ...],
    loaded: LoadedSettings,
    wanted: Wanted,
    file: Path | None = None,
) -> int:
    """Run the loop over a new brief, or the draft in `file`; returns the exit code."""
    given = loaded.origin("analyst_max_websearches").origin is not Origin.DEFAULT
    if given and loaded.settings.search is SearchName.NONE:
        remark("no search provider is configured: the allowance of web searches is not used")
    inputs = RunInput(brief=brief, draft=draft, sources=sources, file=file)
    return Sitting(loaded, wanted).hold(prepare_run(inputs, loaded))


def go_on(run_dir: Path, loaded: LoadedSettings, wanted: Wanted) -> int:
    """Go on with the run in `run_dir`; returns the exit code."""
    return Sitting(loaded, wanted).hold(prepare_resume(run_dir, loaded))


class Sitting:
    """One run from its preparation to its end, or until it is stopped."""

    def __init__(self, loaded: LoadedSettings, wanted: Wanted) -> None:
        self._loaded = loaded
        self._wanted = wanted
        self._run: PreparedRun | None = None
        self._had_ended = False

    def hold(self, preparation: Coroutine[object, object, PreparedRun]) -> int:
        """Prepare, run, and tell the end."""
        try:
            result = run_until_stopped(self._prepare_and_run(preparation))
        except asyncio.CancelledError:
            self._tell_stopped()
            return ExitCode.CANCELLED
        except FoureyesError as error:
            if self._run is None:
                raise
            complain(error)
            sys.stderr.write(f"foureyes: go on with: {self._resume_command()}\n")
            return ExitCode.FAILED
        settings = self._run.settings if self._run else self._loaded.settings
        remark_unread(settings)
        code = result.exit_code_for(
            require_approval=settings.require_approval,
            require_independent=settings.require_independent,
        )
        if self._wanted.json:
            say(result_json(result, code))
        else:
            show(result)
            self._tell_resume(result)
        if self._had_ended:
            remark("this run had ended: nothing was done again and nothing changed")
        return code

    async def _prepare_and_run(
        self, preparation: Coroutine[object, object, PreparedRun]
    ) -> PipelineResult:
        with shown(quiet=self._wanted.quiet) as notify:
            self._run = await preparation
            self._had_ended = self._run.has_ended
            return await self._run.run(notify)

    def _tell_resume(self, result: PipelineResult) -> None:
        if waits(result) and result.run_dir is not None:
            command = ["foureyes", "review-queue", str(result.run_dir)]
            say(f"decide with: {safe(shlex.join(command))}")
        if may_go_on(result):
            say(f"go on with: {self._resume_command()}")

    def _tell_stopped(self) -> None:
        text = "foureyes: cancelled; not approved"
        if self._run is None:
            sys.stderr.write(f"{text}; the run had not begun\n")
            return
        sys.stderr.write(f"{text}\nfoureyes: go on with: {self._resume_command()}\n")
        if self._wanted.json:
            manifest = RunStore.open(self._run.run_dir).manifest
            say(stopped_json(manifest, self._run.run_dir, ExitCode.CANCELLED))

    def _resume_command(self) -> str:
        """The command that goes on with this run; connection flags have to be given again."""
        words = ["foureyes", "resume", str(self._run.run_dir if self._run else "")]
        settings = self._loaded.settings
        names: tuple[str, ...] = ()
        if settings.backend is not BackendName.OFFLINE:
            names += ("backend", "base_url", "api_key_env")
        if settings.search is not SearchName.NONE:
            names += ("search", "search_url", "search_key_env", "knowledge_base")
        names += tuple(CODE_KEYS)
        held: dict[str, object] = dict(settings)
        for name in names:
            if self._loaded.origin(name).origin is Origin.FLAG:
                value = held[name]
                several = (
                    cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
                )
                for one in several:
                    words += [flag_name(name), str(one)]
        return safe(shlex.join(words))


def waits(result: PipelineResult) -> bool:
    """Whether the last iteration is left to a person."""
    last = result.iterations[-1].conclusion if result.iterations else None
    return last is not None and last.gate.decision is GateDecision.PENDING_REVIEW


def may_go_on(result: PipelineResult) -> bool:
    """Whether a resume could come to another end: something was left undone, not decided."""
    delivered = result.delivered
    undone = delivered is None or bool(delivered.failures)
    if delivered is not None and delivered.conclusion is not None:
        undone = undone or bool(delivered.conclusion.not_fetched)
    undone = undone or bool(result.unwritten)
    undone = undone or (result.settlement is not None and result.settlement.blocked)
    return undone or result.judge_failed or result.status is RunStatus.BUDGET_EXCEEDED
