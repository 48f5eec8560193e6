"""Runs and reviews as jobs, and the directory that each leaves."""

from __future__ import annotations

import shutil
from pathlib import Path

from ..core.approval import RunStatus
from ..core.run_store import RUN_FOLDER, RunStore
from ..review.store import REVIEW_FOLDER, ReviewStatus, ReviewStore
from ..review.types import GateAnswer, GateChoice
from .document_review import prepare_review, prepare_review_resume
from .model import LoadedSettings
from .record_config import ignore
from .runs import RunInput, prepare_resume, prepare_run


async def review_to_end(
    path: Path, sources: tuple[str, ...], loaded: LoadedSettings, by: str | None
) -> Path:
    """The directory of the review of `path` that has ended or waits at its gate, as `run_to_end`.

    `by` lets it go on at its gate; with None it waits there.

    Raises:
        FoureyesError: The review could not begin, or could not go on.
    """
    answer = GateAnswer(GateChoice.GO_ON, by) if by else None
    review_dir = _left(loaded.reviews, REVIEW_FOLDER.manifest_file)
    if review_dir is None:
        prepared = await prepare_review(path, sources, loaded)
    elif ReviewStore.open(review_dir).manifest.status not in (None, ReviewStatus.CANCELLED):
        return review_dir
    else:
        prepared = await prepare_review_resume(review_dir, loaded, answer)
    await prepared.run(ignore, answer)
    return prepared.review_dir


def _left(out: Path, manifest_file: str) -> Path | None:
    """The directory that an earlier worker left in `out`. An unfinished one is removed."""
    for folder in sorted(out.iterdir()) if out.is_dir() else []:
        if not folder.name.startswith(".") and (folder / manifest_file).is_file():
            return folder
        shutil.rmtree(folder)
    return None


async def run_to_end(inputs: RunInput, loaded: LoadedSettings) -> Path:
    """The directory of the run that has ended; the only one in the folder of run directories.

    Raises:
        FoureyesError: The run could not begin, or could not go on.
    """
    run_dir = _left(loaded.settings.out, RUN_FOLDER.manifest_file)
    if run_dir is None:
        prepared = await prepare_run(inputs, loaded)
    elif RunStore.open(run_dir).manifest.status not in (None, RunStatus.CANCELLED):
        return run_dir
    else:
        prepared = await prepare_resume(run_dir, loaded)
    await prepared.run(ignore)
    return prepared.run_dir
