"""The end of a run: whether it was reached, and what is made from it."""

from __future__ import annotations

from datetime import date
from functools import partial
from pathlib import Path

from ..base.files import from_json
from ..core.approval import RunStatus
from ..core.iteration import IterationOutcome, outcome_name
from ..core.result import REPORT_FILE, RunFinisher
from ..core.run_store import RunStore
from ..report.evidence_pack import PACK_FILE, packed_as_is, replace_pack
from ..report.html.page import replace_report
from ..report.summary import SUMMARY_FILE, DirectoryFinisher, write_summary
from .model import Settings
from .record_config import (
    REPLAY_FILE,
)
from .sources import remember_gaps

_ENDS = frozenset(
    {
        *(RunStatus.APPROVED, RunStatus.REVIEWED, RunStatus.NOT_REVIEWED),
        *(RunStatus.MAX_ITERATIONS, RunStatus.STALLED),
    }
)
_DECIDED = ("config.json", "gap_decisions.json", "review_decisions.json", "source_overrides.json")


def has_ended(store: RunStore) -> bool:
    """Whether the run came to an end that a resume could not change.

    Nothing was left undone, its report and pack are there, and nobody has decided or changed
    anything since.
    """
    manifest, path = store.manifest, store.path
    ended = manifest.status in _ENDS and not manifest.judge_failed
    last = manifest.iterations[-1] if manifest.iterations else None
    if not ended or manifest.settlement_blocked or last is None or last.failures:
        return False
    if not all((path / name).is_file() for name in (REPORT_FILE, SUMMARY_FILE, PACK_FILE)):
        return False
    name = f"iterations/{outcome_name(last.iteration)}"
    outcome = from_json(IterationOutcome, store.read(name))
    return not outcome.not_fetched and packed_as_is(path, _DECIDED)


def run_finishers(settings: Settings, run_dir: Path, as_of: date) -> list[RunFinisher]:
    """Those who make summary, report, gaps and pack of the run in `run_dir`."""
    finishers: list[RunFinisher] = [
        DirectoryFinisher("summary", write_summary),
        DirectoryFinisher("HTML report", lambda _, run_dir: replace_report(run_dir)),
    ]
    if isinstance(settings.memory, Path):
        remember = partial(remember_gaps, settings.memory, as_of)
        finishers.append(DirectoryFinisher("source gaps", remember, is_proof=False))
    if not (run_dir / REPLAY_FILE).exists():
        pack = DirectoryFinisher("evidence pack", lambda _, run_dir: replace_pack(run_dir))
        finishers.append(pack)
    return finishers
