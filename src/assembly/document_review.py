"""Document reviews from beginning to end: prepared, run, gone on with, reported again."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Unpack

from pydantic import JsonValue

from ..base.errors import DocumentError, FoureyesError, InputError, StorageError
from ..base.files import json_values, read_document_bytes, scratch_folder, to_json
from ..base.logs import quiet_logs
from ..base.off_loop import blocking, held, off_loop
from ..base.printable import counted, notebook_html
from ..base.vocabulary import Severity
from ..core.approval import ExitCode
from ..core.budget import Budget
from ..core.run_analytics import AnalyticsTable, RunAnalytics
from ..engine.local import open_run
from ..report.document_review import PAGE_FILE, REPORTS, write_reports
from ..report.review_report import ReviewOutcome, review_outcome
from ..review.originals import Original, read_original
from ..review.pipeline import GateAnswer
from ..review.store import (
    FILES,
    ReviewContents,
    ReviewInputs,
    ReviewStatus,
    ReviewStore,
    read_contents,
)
from ..review.types import CompiledFinding, GateChoice, ReviewPhase
from ..sources.local_files import LocalSources
from .backend import price_is_known
from .materials import open_fetcher, sort_sources, source_names, stage
from .model import REVIEW_ROLES, LoadedSettings, Settings
from .plugins import NO_PLUGINS, Plugins, ReviewOptions
from .record_config import (
    GIVEN_FOLDER,
    Notify,
    ReviewRunConfig,
    absolute,
    caller_settings,
    ignore,
    make_folder,
    refuse_links,
    require_same_parties,
)
from .review_components import ReviewComponents
from .rules import copied_rules, copy_rules, write_versions
from .search import knowledge_roots
from .settings import load_settings

_EXIT_CODES = {
    ReviewStatus.COMPLETED: ExitCode.OK,
    ReviewStatus.STOPPED: ExitCode.OK,
    ReviewStatus.AWAITING_DECISION: ExitCode.INCONCLUSIVE,
    ReviewStatus.INCONCLUSIVE: ExitCode.INCONCLUSIVE,
    ReviewStatus.BUDGET_EXCEEDED: ExitCode.BUDGET,
    ReviewStatus.CANCELLED: ExitCode.CANCELLED,
    ReviewStatus.FAILED: ExitCode.FAILED,
}


@dataclass(frozen=True, slots=True, repr=False)
class ReviewResult:
    """How a review stands, and all that it holds."""

    status: ReviewStatus
    reason: str
    review_dir: Path
    contents: ReviewContents
    figures: AnalyticsTable

    @property
    def findings(self) -> tuple[CompiledFinding, ...]:
        """The findings that have survived so far, the worst first."""
        return self.contents.findings

    @property
    def exit_code(self) -> ExitCode:
        """The exit code of the command line."""
        return self.exit_code_for()

    @property
    def report_path(self) -> Path | None:
        """The page about the review; None where it could not be written."""
        page = self.review_dir / PAGE_FILE
        return page if page.is_file() else None

    def to_dict(self) -> dict[str, JsonValue]:
        """The result as JSON values, by the published schema ``output-review``."""
        return json_values(self.model_dump_json())

    def model_dump_json(self) -> str:
        """The same as JSON text."""
        outcome = review_outcome(self.contents, self.review_dir, self.exit_code)
        return to_json(ReviewOutcome, outcome, indent=None)

    def __repr__(self) -> str:
        """Two lines: how it stands, and where it is."""
        return f"<ReviewResult {self.status}: {self.reason}\n{self._summary()}>"

    def _repr_html_(self) -> str:
        """The same for notebooks, with a link to the report."""
        return notebook_html(self.status, (self.reason, self._summary()), self.report_path)

    def _summary(self) -> str:
        return f"{counted(len(self.findings), 'finding')}, {self.review_dir}"

    def exit_code_for(self, fail_on: Severity | None = None) -> ExitCode:
        """The exit code of the command line; `fail_on` counts once a review has ended."""
        return review_exit_code(self.status, self.findings, fail_on)


def review_exit_code(
    status: ReviewStatus, findings: Iterable[CompiledFinding], fail_on: Severity | None
) -> ExitCode:
    """The exit code of a review that stands so; `fail_on` counts once it has ended."""
    code = _EXIT_CODES[status]
    bad = (fail_on and one.finding.severity.at_least(fail_on) for one in findings)
    return ExitCode.NOT_APPROVED if code is ExitCode.OK and any(bad) else code


class PreparedReview:
    """A review with its directory, ready to go."""

    def __init__(
        self, store: ReviewStore, config: ReviewRunConfig, parts: ReviewComponents
    ) -> None:
        self._store = store
        self._config = config
        self._parts = parts

    @property
    def review_dir(self) -> Path:
        """The review directory."""
        return self._store.path

    @property
    def settings(self) -> Settings:
        """The settings that the review goes by."""
        return self._config.settings

    @property
    def has_ended(self) -> bool:
        """Whether all was done that was asked for, and its reports are there."""
        manifest = self._store.manifest
        done = manifest.status is ReviewStatus.COMPLETED and not manifest.not_done
        return done and all((self.review_dir / name).is_file() for name in REPORTS)

    async def run(self, notify: Notify, answer: GateAnswer | None = None) -> ReviewResult:
        """Go on to the end, or to the gate; what the journal holds already is not done again.

        `answer` is what a person says to the compiled review, given beforehand.

        Raises:
            FoureyesError: The review cannot go on.
        """
        if self.has_ended:
            return await off_loop(self._read_result)
        settings = self._config.settings
        given = self._store.path / GIVEN_FOLDER
        roots = [*self._config.folders, *([given] if given.is_dir() else [])]
        local = LocalSources([*roots, *knowledge_roots(settings)])
        names = (*await off_loop(source_names, LocalSources(roots)), *self._config.urls)
        async with held(open_run(self._store)) as engine:
            limiter = self._parts.limiter
            async with open_fetcher(self._store.sources, settings, local, limiter) as fetcher:
                pipeline = await off_loop(
                    self._parts.pipeline, engine, fetcher, names, notify=notify
                )
                try:
                    end = await pipeline.run(answer)
                except StorageError:
                    # A disk that has refused a file of the review has no room for its reports.
                    raise
                except (asyncio.CancelledError, FoureyesError):
                    # Reports of an earlier session would show another state of the review.
                    with suppress(FoureyesError):
                        await off_loop(self._write_reports)
                    raise
            contents = await off_loop(self._write_reports)
            return ReviewResult(
                end.status, end.reason, self._store.path, contents, engine.analytics.table()
            )

    def _read_result(self) -> ReviewResult:
        """The result of a review that has ended."""
        figures = RunAnalytics(self._store.events()).table()
        reason, contents = self._store.manifest.reason, read_contents(self._store)
        return ReviewResult(ReviewStatus.COMPLETED, reason, self.review_dir, contents, figures)

    def _write_reports(self) -> ReviewContents:
        contents = read_contents(self._store)
        write_reports(contents, self._store)
        return contents


async def prepare_review(
    path: Path, sources: Iterable[str], loaded: LoadedSettings, own: Plugins = NO_PLUGINS
) -> PreparedReview:
    """Check everything that can be checked beforehand, and make the review directory.

    `own` has the user's own backend and search provider, as objects.

    Raises:
        InputError: Something given cannot be used; no review directory was made.
        StorageError: The folder for review directories cannot be written.
    """
    settings = loaded.settings.model_copy(update={"out": loaded.reviews})
    refuse_links(loaded, settings.out)
    given = sort_sources(sources)
    original, data = await off_loop(_read, path)
    parts = ReviewComponents(loaded, own)
    Budget(parts.config.budgets, priced=price_is_known(settings, REVIEW_ROLES))
    now = datetime.now(UTC)
    await off_loop(make_folder, settings.out)
    inputs = ReviewInputs(
        original,
        data,
        settings.as_of or now.date(),
        backend=parts.backend.name,
        independent=parts.backend.independent,
        web=parts.config.web,
        verify_background=parts.config.verify_background,
    )
    config = ReviewRunConfig(settings=absolute(settings), folders=given.folders, urls=given.urls)

    def create_store() -> ReviewStore:
        with scratch_folder("review") as contents:
            stage(given.files, contents / GIVEN_FOLDER)
            copy_rules(settings, contents)
            write_versions(contents)
            return ReviewStore.create(settings.out, inputs, config, now=now, contents=contents)

    return PreparedReview(await off_loop(create_store), config, parts)


def _read(path: Path) -> tuple[Original, bytes]:
    original, data = read_original(path), read_document_bytes(path)
    if hashlib.sha256(data).hexdigest() != original.sha256:
        raise DocumentError(f"{str(path)!r} was changed while it was read", "try again")
    return original, data


async def prepare_review_resume(
    review_dir: Path,
    loaded: LoadedSettings,
    answer: GateAnswer | None = None,
    own: Plugins = NO_PLUGINS,
) -> PreparedReview:
    """Open a review directory to go on with it.

    The review keeps its settings; who answers, with which key, and the budgets are the caller's.

    Raises:
        RunDirectoryError: It is no review directory, damaged, or from a newer version.
        InputError: Its backend is not the one that the settings choose now, or `answer` is to stop
            a review that has gone on.
    """
    store = await off_loop(ReviewStore.open, review_dir)
    config = await off_loop(store.config, ReviewRunConfig)
    require_same_parties(review_dir, config.settings, loaded.settings)
    gone_on = (store.path / FILES[ReviewPhase.SMOKE]).exists()
    if answer is not None and answer.choice is GateChoice.STOP and gone_on:
        raise InputError(
            f"{str(review_dir)!r} has gone on from the gate", "leave it as it is to end it"
        )
    changes = caller_settings(loaded) | copied_rules(store.path)
    settings = config.settings.model_copy(update=changes)
    parts = ReviewComponents(replace(loaded, settings=settings), own)
    return PreparedReview(store, config.model_copy(update={"settings": settings}), parts)


def report_again(review_dir: Path) -> ReviewContents:
    """Write the reports of a review anew from what its directory holds.

    Raises:
        RunDirectoryError: It is no review directory, is damaged or in use, or a finding was
            changed after the findings were sealed; the message names it.
        StorageError: The file system refused.
    """
    store = ReviewStore.open(review_dir)
    with store.lock():
        contents = read_contents(store)
        write_reports(contents, store)
    return contents


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
    own = Plugins.of(settings)
    loaded = load_settings({**settings, **own.settings()})
    prepared = await prepare_review(Path(path), map(str, sources), loaded, own)
    return await prepared.run(notify or ignore, _answer(yes=yes, stop=False, by=by))


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
    quiet_logs()
    answer = _answer(yes=yes, stop=stop, by=by)
    own = Plugins.of(settings)
    loaded = load_settings({**settings, **own.settings()})
    prepared = await prepare_review_resume(Path(review_dir), loaded, answer, own)
    return await prepared.run(notify or ignore, answer)


resume_review_sync = blocking(resume_review, "resume_review_sync")
"""`resume_review` for callers without an event loop."""


def _answer(*, yes: bool, stop: bool, by: str) -> GateAnswer | None:
    if yes and stop:
        raise InputError("a review cannot both go on and stop", "give one of yes and stop")
    if not yes and not stop:
        return None
    return GateAnswer(GateChoice.GO_ON if yes else GateChoice.STOP, by)
