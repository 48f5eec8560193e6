"""The settings of jobs: the same for all workers, and how their limits combine."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import TypeVar

from ..base.errors import InputError
from ..core.approval import RunStatus
from ..core.run_store import RUN_FOLDER, RunStore
from ..review.pipeline import GateAnswer
from ..review.store import REVIEW_FOLDER, ReviewStatus, ReviewStore
from .document_review import prepare_review, prepare_review_resume
from .model import AGENT_KEYS, PROTECTED, LoadedSettings, Settings
from .record_config import ignore
from .rules import rules_digest
from .runs import RunInput, prepare_resume, prepare_run

OURS = frozenset({"out", "memory", "source_cache", "require_approval", "require_independent"})
"""Settings that whoever places jobs sets, that are each machine's own, or only set exit codes."""
LimitT = TypeVar("LimitT", Decimal, float)


def settings_digest(settings: Settings) -> str:
    """A digest of the settings that decide results; output folders do not count.

    The user's own registry, prompts and templates count by what they say.

    Raises:
        StorageError: One of those could not be read.
    """
    text = settings.model_dump_json(exclude=set(OURS)) + rules_digest(settings)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def require_same_settings(settings: Settings, digest: str, whose: str) -> None:
    """Refuse to work under other settings than those of `whose` jobs.

    Raises:
        InputError: `settings` come to another digest.
    """
    if settings_digest(settings) != digest:
        raise InputError(
            f"this worker's settings are not those of {whose}",
            "give all workers the same FOUREYES_ variables, config file, registry, prompts and "
            "templates, unchanged since it began",
        )


def protected_key(names: Iterable[str]) -> str:
    """The first of the settings `names` that a file in a working folder may not set, or ""."""
    return next((name for name in names if name in PROTECTED or name in AGENT_KEYS), "")


def tighter(one: LimitT | None, other: LimitT | None) -> LimitT | None:
    """The lower of two limits; None is no limit."""
    given = [limit for limit in (one, other) if limit is not None]
    return min(given, default=None)


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


async def review_to_end(
    path: Path, sources: tuple[str, ...], loaded: LoadedSettings, answer: GateAnswer | None
) -> Path:
    """The directory of the review of `path` that has ended or waits at its gate, as `run_to_end`.

    Raises:
        FoureyesError: The review could not begin, or could not go on.
    """
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
