"""A run with its directory, ready to go: its steps, whether it has ended, and who finishes it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..base.files import from_json, scratch_folder, storage_errors
from ..base.off_loop import held, off_loop
from ..core.approval import RunStatus
from ..core.iteration import IterationOutcome, outcome_name
from ..core.result import REPORT_FILE, PipelineResult, RunFinisher
from ..core.run_store import RunStore
from ..engine.local import open_run
from ..report.evidence_pack import PACK_FILE, packed_as_is, replace_pack
from ..report.html.page import replace_report
from ..report.run_text import write_summary
from ..report.summary import SUMMARY_FILE
from .materials import local_sources, open_fetcher
from .model import Settings
from .record_config import GIVEN_FOLDER, REPLAY_FILE, Notify, RunConfig
from .search import knowledge_roots
from .sources import remember_gaps

if TYPE_CHECKING:
    from ._components import RunComponents

_ENDS = (
    *(RunStatus.APPROVED, RunStatus.REVIEWED, RunStatus.NOT_REVIEWED),
    *(RunStatus.MAX_ITERATIONS, RunStatus.STALLED),
)
_DECIDED = ("config.json", "gap_decisions.json", "review_decisions.json", "source_overrides.json")


def run_finishers(settings: Settings, run_dir: Path, as_of: date) -> list[RunFinisher]:
    """Those who make summary, report, gaps and pack of the run in `run_dir`."""
    finishers: list[RunFinisher] = [
        RunFinisher("summary", write_summary),
        RunFinisher("HTML report", lambda _, run_dir: replace_report(run_dir)),
    ]
    if isinstance(settings.memory, Path):
        remember = partial(remember_gaps, settings.memory, as_of)
        finishers.append(RunFinisher("source gaps", remember, is_proof=False))
    if not (run_dir / REPLAY_FILE).exists():
        finishers.append(RunFinisher("evidence pack", lambda _, run_dir: replace_pack(run_dir)))
    return finishers


@dataclass(frozen=True)
class PreparedRun:
    """A run with its directory, ready to go."""

    _store: RunStore
    _config: RunConfig
    _components: RunComponents

    @property
    def run_dir(self) -> Path:
        """The run directory."""
        return self._store.path

    @property
    def settings(self) -> Settings:
        """The settings that the run goes by."""
        return self._config.settings

    @property
    def has_ended(self) -> bool:
        """Whether the run came to an end that a resume could not change.

        Nothing was left undone, its report and pack are there, and nobody has decided or changed
        anything since.
        """
        manifest, path = self._store.manifest, self.run_dir
        last = manifest.iterations[-1] if manifest.iterations else None
        if manifest.status not in _ENDS or manifest.judge_failed or manifest.settlement_blocked:
            return False
        told = all((path / name).is_file() for name in (REPORT_FILE, SUMMARY_FILE, PACK_FILE))
        if not told or last is None or last.failures:
            return False
        outcome = self._store.read(f"iterations/{outcome_name(last.iteration)}")
        not_fetched = from_json(IterationOutcome, outcome).not_fetched
        return not not_fetched and packed_as_is(path, _DECIDED)

    async def run(self, notify: Notify | None = None) -> PipelineResult:
        """Run to an end; what the journal holds already is not done again.

        A run that has ended is gone through once more in a copy, and left as it is.

        Raises:
            FoureyesError: The run cannot go on.
        """
        if not self.has_ended:
            with storage_errors(self.run_dir, "tidy up"):
                # What an earlier end left must not pass for this one.
                await off_loop((self.run_dir / PACK_FILE).unlink, missing_ok=True)
            return await self._run(self._store, notify)
        with scratch_folder("ended") as folder:
            with storage_errors(folder, "copy to"):
                copy = shutil.copytree(
                    self.run_dir, folder / self.run_dir.name, ignore=shutil.ignore_patterns(".*")
                )
            result = await self._run(RunStore.open(copy), None, finished=True)
        return replace(result, run_dir=self.run_dir)

    async def _run(
        self, store: RunStore, notify: Notify | None, *, finished: bool = False
    ) -> PipelineResult:
        settings, config = self.settings, self._config
        inputs = await off_loop(store.inputs)
        given = store.path / GIVEN_FOLDER
        roots = [*config.folders, *knowledge_roots(settings)]
        finishers = [] if finished else run_finishers(settings, self.run_dir, inputs.as_of)
        opened = open_run(store, fetch_allowances=fetch_allowances(settings))
        async with held(opened) as engine:
            local = local_sources(roots, given, config.files, config.near, config.own)
            async with open_fetcher(
                store.sources, settings, local, self._components.limiter
            ) as fetcher:
                make = self._components.pipeline
                pipeline = await off_loop(make, engine, fetcher, finishers, notify, inputs.as_of)
                return await pipeline.run(inputs.brief, inputs.materials, draft=inputs.draft)


def fetch_allowances(settings: Settings) -> dict[str, int]:
    """How many addresses an agent may have fetched in an iteration."""
    return {"fact_checker": settings.fact_checker_max_webfetches}
