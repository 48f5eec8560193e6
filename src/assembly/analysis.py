"""The library's calls for runs, reviews and checks, and the `Pipeline` behind its runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self, Unpack

from ..base.errors import InputError
from ..base.logs import quiet_logs
from ..base.off_loop import blocking
from ..core.config import PipelineConfig
from ..core.result import PipelineResult
from ..core.work import Progress
from ..review.originals import read_as_text
from ..review.types import GateAnswer, GateChoice
from .check import check_text
from .check_result import CheckResult
from .document_review import prepare_review, prepare_review_resume
from .plugins import ReviewOptions, RunOptions, load_options
from .record_config import Notify
from .review_result import ReviewResult
from .runs import RunInput, prepare_resume, prepare_run
from .setting_values import SettingValues
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
        self._own = options
        self._loaded = load_options(options)
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
        return await prepared.run(notify)

    def stream(
        self,
        brief: str | None = None,
        *,
        draft: str | None = None,
        sources: Iterable[str | Path] = (),
    ) -> RunStream:
        """The events of such a run, ``async for event in pipeline.stream(brief)``.

        Iterating over them raises what `run` raises.
        """
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
        return await prepared.run(notify)


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


async def review_document(
    path: str | Path,
    *,
    sources: Iterable[str | Path] = (),
    yes: bool = False,
    by: str = "the caller",
    notify: Notify | None = None,
    **settings: Unpack[ReviewOptions],
) -> ReviewResult:
    """Review a document, as `foureyes review` does.

    Args:
        path: A Markdown, text, HTML, PDF or Word file.
        sources: Folders, files and web addresses that claims may be held against.
        yes: Go on past the gate. Without it the review ends there with the status
            ``awaiting_decision``, for a person to look at; `resume_review` goes on.
        by: Who says so.
        notify: Called with each event.
        settings: Settings by name (``no_web=True``); they come before variables and files. `search`
            and `backend` may be objects of your own.

    Raises:
        InputError: Something given cannot be used.
        FoureyesError: The review could not go on.
    """
    quiet_logs()
    loaded = load_options(settings)
    prepared = await prepare_review(Path(path), map(str, sources), loaded, settings)
    return await prepared.run(notify, GateAnswer(GateChoice.GO_ON, by) if yes else None)


review_document_sync = blocking(review_document, "review_document_sync")
"""`review_document` for callers without an event loop."""


async def resume_review(
    review_dir: str | Path,
    *,
    yes: bool = False,
    stop: bool = False,
    by: str = "the caller",
    notify: Notify | None = None,
    **settings: Unpack[ReviewOptions],
) -> ReviewResult:
    """Go on with the review in `review_dir`, as `foureyes review --resume` does.

    `yes` lets it go past the gate, `stop` ends it there. `search` and `backend` are those that
    it began with.

    Raises:
        InputError: The review directory or a setting cannot be used.
        FoureyesError: The review could not go on.
    """
    if yes and stop:
        raise InputError("a review cannot both go on and stop", "give one of yes and stop")
    choice = GateChoice.GO_ON if yes else GateChoice.STOP
    answer = GateAnswer(choice, by) if yes or stop else None
    quiet_logs()
    loaded = load_options(settings)
    prepared = await prepare_review_resume(Path(review_dir), loaded, answer, settings)
    return await prepared.run(notify, answer)


resume_review_sync = blocking(resume_review, "resume_review_sync")
"""`resume_review` for callers without an event loop."""


async def check_async(
    document: str | Path, *, sources: Iterable[str | Path] = (), **settings: Unpack[SettingValues]
) -> CheckResult:
    """Check the facts of a document against what it cites, as `foureyes check` does.

    Args:
        document: The text itself, or a file: a `Path`, or a line that ends in ``.md``,
            ``.markdown``, ``.txt``, ``.html`` or ``.htm``. Of HTML its text as Markdown is checked.
        sources: Folders and files that relative citations may lead to.
        settings: Settings by name (``fetch="none"``).

    Raises:
        InputError: The document, a source or a setting cannot be used.
    """
    loaded = load_settings(settings)
    # Text of one line that ends as a file's name names one.
    one_word = "\n" not in str(document) and str(document).endswith(_ENDINGS)
    file = Path(document) if isinstance(document, Path) or one_word else None
    text = read_as_text(file) if file else str(document)
    return await check_text(text, str(file or ""), map(str, sources), loaded)


_ENDINGS = (".md", ".markdown", ".txt", ".html", ".htm")
"""Of a line that names a file."""


check = blocking(check_async, "check")
"""`check_async` for callers without an event loop."""
