"""The program of one trial: a run, a check or a review in the folder of its job."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from ..assembly.check import check_text
from ..assembly.document_review import review_to_end
from ..assembly.model import LoadedSettings
from ..assembly.runs import RunInput, run_to_end
from ..base.call_limits import UNLIMITED, CallLimiter
from ..base.files import from_json, to_json, write_atomic
from ..base.logs import quiet_logs
from ..base.vocabulary import Severity
from ..core.tasks import TurnUsage
from ..engine.model import JobContext, Programs
from ..report.check_outcome import CHECK_FILE, CheckRecord
from ._trial_records import check_delivered, measure_trial, record_review, record_run
from .metrics import CheckedText, Task, TrialRecord
from .planning import PROGRAM, TRUSTED_PROGRAM, Item, TrialResult, TrialWork


def programs(*, trusted: bool) -> Programs:
    """The programs of a worker of experiments.

    Args:
        trusted: Whether an experiment may set what a file in a working folder may not, and have
            metrics of its own code run.
    """

    async def trial(payload: str, context: JobContext) -> str:
        work = from_json(TrialWork, payload)
        if not trusted:
            work.require_trust()
        record = await record_trial(work, context.folder, context.limiter)
        return to_json(TrialResult, measure_trial(work, record), indent=None)

    return {PROGRAM: trial, TRUSTED_PROGRAM: trial} if trusted else {PROGRAM: trial}


async def record_trial(
    work: TrialWork, folder: Path, limiter: CallLimiter = UNLIMITED
) -> TrialRecord:
    """Run a trial in `folder`, from its beginning or from where it stopped, and record it."""
    quiet_logs()
    item = work.item
    loaded = replace(work.loaded(folder / "runs"), limiter=limiter)
    match work.task:
        case Task.RUN:
            run_dir = await run_to_end(RunInput(item.brief, item.draft, item.sources), loaded)
            record = await check_delivered(work, record_run(run_dir), loaded)
        case Task.CHECK:
            record = await check_document(item, loaded, folder)
        case Task.REVIEW:
            path = folder / DOCUMENT
            if not path.exists():
                write_atomic(path, item.draft or "")
            # Nobody stops it at its gate.
            record = record_review(await review_to_end(path, item.sources, loaded, DECIDER))
    return replace(record, gold=item.gold, seed=work.trial.seed)


DOCUMENT = "document.md"
DECIDER = "an experiment"


async def check_document(item: Item, loaded: LoadedSettings, folder: Path) -> TrialRecord:
    """Check the item's document by the variant's settings; what was found is kept in `folder`.

    No agent takes part, and a check that was broken off begins anew.

    Raises:
        FoureyesError: It cannot be checked.
    """
    began = time.monotonic()
    text = item.draft or ""
    result = await check_text(text, "", item.sources, loaded)
    seconds = time.monotonic() - began
    record = result.record(result.exit_code_for(Severity.HIGH))
    write_atomic(folder / CHECK_FILE, to_json(CheckRecord, record) + "\n")
    report = result.report
    return TrialRecord(
        None,
        text,
        report.findings,
        0,
        TurnUsage(),
        seconds,
        run_dir=folder,
        checked=CheckedText(report.ledger.entries, report.coverage),
        gate=report.gate.decision,
    )
