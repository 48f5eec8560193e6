"""Runs from a program: the library's calls, and the `Pipeline` behind them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self, Unpack

from ..base.logs import quiet_logs
from ..base.off_loop import blocking
from ..core.config import PipelineConfig
from ..core.result import PipelineResult
from ..core.work import Progress
from .plugins import Plugins, RunOptions
from .record_config import Notify, ignore
from .runs import RunInput, prepare_resume, prepare_run
from .settings import load_settings, pipeline_config


class RunStream:
    """The events of a run as they happen: an async iterator; the run ends with it.

    Leaving the loop early, or a cancellation, stops the run; what it has finished is kept, and
    `Pipeline.resume` goes on from there.
    """

    def __init__(self, run: Callable[[Notify], Coroutine[Any, Any, PipelineResult]]) -> None:
        self._run = run
        self._result: PipelineResult | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def result(self) -> PipelineResult:
        """The result of the run.

        Raises:
            ValueError: It has not ended.
        """
        if self._result is None:
            raise ValueError("the run has not ended: go through all its events first")
        return self._result

    async def __aiter__(self) -> AsyncIterator[Progress]:
        """Each event, once.

        Raises:
            FoureyesError: The run could not begin, or not go on.
        """
        if self._task is not None:
            raise ValueError("the events of a run can be gone through once")
        events = asyncio.Queue[Progress | None]()
        self._task = asyncio.create_task(self._tell(events))
        try:
            while (event := await events.get()) is not None:
                yield event
            await self._task
        finally:
            await self.aclose()

    async def _tell(self, events: asyncio.Queue[Progress | None]) -> None:
        try:
            self._result = await self._run(events.put_nowait)
        finally:
            events.put_nowait(None)

    async def aclose(self) -> None:
        """Stop the run if it goes on, and wait until it has kept what is finished."""
        if self._task is not None and not self._task.done():
            self._task.cancel()
            await asyncio.wait([self._task])


class Pipeline:
    """The loop of analyst, critics, gate and judge, composed of your own parts and ours.

    Everything that is not given is as the settings say. As an async context manager it stops, at
    the end of the block, the runs that still go on.

    Args:
        **options: Settings by name (``mode="full_evaluation"``), which come before variables and
            files, like flags; and parts: `analyst`, `judge`, `critics`, `agents`, `gate_policy`,
            `settlement`, `search` and `backend`, as objects or by name (``MODULE:NAME``).

    Raises:
        SettingsError: A setting or a part cannot be used.
    """

    def __init__(self, **options: Unpack[RunOptions]) -> None:
        quiet_logs()
        self._own = Plugins.of(options)
        self._loaded = load_settings({**options, **self._own.settings()})
        self._streams: list[RunStream] = []

    @property
    def config(self) -> PipelineConfig:
        """The configuration of the loop and its agents in force."""
        return pipeline_config(self._loaded.settings)

    async def __aenter__(self) -> Self:
        """The pipeline."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop what still runs."""
        for stream in self._streams:
            await stream.aclose()

    async def run(
        self,
        brief: str | None = None,
        *,
        draft: str | None = None,
        sources: Iterable[str | Path] = (),
        notify: Notify | None = None,
    ) -> PipelineResult:
        """Write an analysis of `brief` and have it examined, in a run directory of its own.

        Args:
            brief: The text of the brief; may be left out if there is a `draft`.
            draft: The text of a draft to examine in place of the analyst's first.
            sources: Folders, files and web addresses that the analyst works from.
            notify: Called with each event.

        Raises:
            InputError: Something given cannot be used.
            FoureyesError: The run could not go on.
        """
        inputs = RunInput(brief, draft, tuple(str(source) for source in sources))
        prepared = await prepare_run(inputs, self._loaded, self._own)
        return await prepared.run(notify or ignore)

    def stream(
        self,
        brief: str | None = None,
        *,
        draft: str | None = None,
        sources: Iterable[str | Path] = (),
    ) -> RunStream:
        """The events of such a run, ``async for event in pipeline.stream(brief)``."""
        given = tuple(sources)
        stream = RunStream(
            lambda notify: self.run(brief, draft=draft, sources=given, notify=notify)
        )
        self._streams.append(stream)
        return stream

    async def resume(self, run_dir: str | Path, *, notify: Notify | None = None) -> PipelineResult:
        """Go on with the run in `run_dir`, as `foureyes resume` does.

        Its parts are those that it began with.

        Raises:
            InputError: The run directory or a setting cannot be used.
            FoureyesError: The run could not go on.
        """
        prepared = await prepare_resume(Path(run_dir), self._loaded, self._own)
        return await prepared.run(notify or ignore)


async def run_analysis_async(
    brief: str | None = None,
    *,
    sources: Iterable[str | Path] = (),
    draft: str | None = None,
    notify: Notify | None = None,
    **options: Unpack[RunOptions],
) -> PipelineResult:
    """Write an analysis of `brief` and have it examined, as `foureyes run` does.

    `options` are those of a `Pipeline`, the rest is as for `Pipeline.run`.

    Raises:
        InputError: Something given cannot be used.
        FoureyesError: The run could not go on.
    """
    pipeline = Pipeline(**options)
    return await pipeline.run(brief, draft=draft, sources=sources, notify=notify)


run_analysis = blocking(run_analysis_async, "run_analysis")
"""`run_analysis_async` for callers without an event loop."""


async def resume_run_async(
    run_dir: str | Path, *, notify: Notify | None = None, **options: Unpack[RunOptions]
) -> PipelineResult:
    """Go on with the run in `run_dir`, as `foureyes resume` does; `options` as for `Pipeline`.

    Raises:
        InputError: The run directory or a setting cannot be used.
        FoureyesError: The run could not go on.
    """
    return await Pipeline(**options).resume(run_dir, notify=notify)


resume_run = blocking(resume_run_async, "resume_run")
"""`resume_run_async` for callers without an event loop."""
