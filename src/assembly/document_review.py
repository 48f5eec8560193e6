"""Document reviews from beginning to end: prepared, run and gone on with."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from ..base.errors import DocumentError, FoureyesError, InputError, StorageError
from ..base.files import make_folder, read_document_bytes, remove_left_scratch, scratch_folder
from ..base.off_loop import held, off_loop
from ..core.budget import Budget
from ..core.run_analytics import RunAnalytics
from ..engine.local import open_run
from ..report.document_review import REPORTS, write_reports
from ..review.originals import Original, read_original
from ..review.store import (
    FILES,
    REVIEW_FOLDER,
    ReviewContents,
    ReviewInputs,
    ReviewStatus,
    ReviewStore,
    read_contents,
)
from ..review.types import GateAnswer, GateChoice, ReviewPhase
from ._review_components import ReviewComponents
from .backend import price_is_known
from .materials import (
    local_sources,
    near_folders,
    open_fetcher,
    sort_sources,
    source_names,
    stage,
)
from .model import REVIEW_ROLES, LoadedSettings, Settings
from .plugins import NO_PARTS, ReviewOptions
from .record_config import GIVEN_FOLDER, Notify, ReviewRunConfig, absolute, left_over, resumed
from .review_result import ReviewResult
from .rules import keep_rules
from .search import knowledge_roots


@dataclass(frozen=True, slots=True)
class PreparedReview:
    """A review with its directory, ready to go."""

    _store: ReviewStore
    _config: ReviewRunConfig
    _parts: ReviewComponents

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

    async def run(
        self, notify: Notify | None = None, answer: GateAnswer | None = None
    ) -> ReviewResult:
        """Go on to the end, or to the gate; what the journal holds already is not done again.

        `answer` is what a person says to the compiled review, given beforehand.

        Raises:
            FoureyesError: The review cannot go on.
        """
        if self.has_ended:
            return await off_loop(self._read_result)
        settings = self._config.settings
        given = self._store.path / GIVEN_FOLDER
        roots, near, own = self._config.folders, self._config.near, self._config.own
        known = local_sources([*roots, *knowledge_roots(settings)], given, (), near, own)
        named = local_sources(roots, given, (), near, own)
        names = (*await off_loop(source_names, named), *self._config.urls)
        async with held(open_run(self._store)) as engine:
            fetching = open_fetcher(self._store.sources, settings, known, self._parts.limiter)
            async with fetching as fetcher:
                pipeline = await off_loop(self._parts.pipeline, engine, fetcher, names, notify)
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
            figures = engine.analytics.table()
            return ReviewResult(end.status, end.reason, self.review_dir, contents, figures)

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
    path: Path, sources: Iterable[str], loaded: LoadedSettings, own: ReviewOptions = NO_PARTS
) -> PreparedReview:
    """Check everything that can be checked beforehand, and make the review directory.

    `own` has the user's own backend and search provider, as objects.

    Raises:
        InputError: Something given cannot be used; no review directory was made.
        StorageError: The folder for review directories cannot be written.
    """
    settings = loaded.settings.model_copy(update={"out": loaded.reviews})
    loaded.refuse_links(settings.out)
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
    own_file = await off_loop(path.resolve)
    config = ReviewRunConfig(
        settings=absolute(settings),
        folders=given.folders,
        near=near_folders(own_file),
        own=own_file,
        urls=given.urls,
    )

    def create_store() -> ReviewStore:
        with scratch_folder("review") as contents:
            stage(given.files, contents / GIVEN_FOLDER)
            keep_rules(settings, contents)
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
    own: ReviewOptions = NO_PARTS,
) -> PreparedReview:
    """Open a review directory to go on with it.

    The review keeps its settings; who answers, with which key, and the budgets are the caller's.

    Raises:
        RunDirectoryError: It is no review directory, damaged, or from a newer version.
        InputError: Its backend is not the one that the settings choose now, or `answer` is to stop
            a review that has gone on.
    """
    await off_loop(remove_left_scratch)
    store = await off_loop(ReviewStore.open, review_dir)
    config = await off_loop(store.config, ReviewRunConfig)
    changes = resumed(review_dir, config.settings, loaded)
    gone_on = (store.path / FILES[ReviewPhase.SMOKE]).exists()
    if answer is not None and answer.choice is GateChoice.STOP and gone_on:
        raise InputError(
            f"{str(review_dir)!r} has gone on from the gate", "leave it as it is to end it"
        )
    settings = config.settings.model_copy(update=changes)
    parts = ReviewComponents(replace(loaded, settings=settings), own)
    return PreparedReview(store, config.model_copy(update={"settings": settings}), parts)


async def review_to_end(
    path: Path, sources: tuple[str, ...], loaded: LoadedSettings, by: str | None
) -> Path:
    """The directory of the review of `path` that has ended or waits at its gate, as `run_to_end`.

    `by` lets it go on at its gate; with None it waits there.

    Raises:
        FoureyesError: The review could not begin, or could not go on.
    """
    answer = GateAnswer(GateChoice.GO_ON, by) if by else None
    review_dir = left_over(loaded.reviews, REVIEW_FOLDER.manifest_file)
    if review_dir is None:
        prepared = await prepare_review(path, sources, loaded)
    elif ReviewStore.open(review_dir).manifest.status not in (None, ReviewStatus.CANCELLED):
        return review_dir
    else:
        prepared = await prepare_review_resume(review_dir, loaded, answer)
    await prepared.run(answer=answer)
    return prepared.review_dir
