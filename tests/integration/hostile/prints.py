"""Everything that the command line prints of records, for records of a test's making."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import structlog
from foureyes.assembly.check_result import CheckResult
from foureyes.assembly.check_text import check_lines, closing_lines
from foureyes.assembly.diagnosis import Diagnosis, diagnosis_lines
from foureyes.base.errors import InputError
from foureyes.base.logs import set_up_logs
from foureyes.claims.model import Claim
from foureyes.cli import (
    _checking as checking,
)
from foureyes.cli import (
    _claims as claims,
)
from foureyes.cli import (
    _experiment as experiment,
)
from foureyes.cli import (
    _running as running,
)
from foureyes.cli import (
    _sources as sources,
)
from foureyes.cli import (
    _sources_decide as sources_decide,
)
from foureyes.cli import (
    _sources_search as sources_search,
)
from foureyes.cli import (
    terminal,
)
from foureyes.cli._options import JsonOptions
from foureyes.cli._progress import Board, log_progress
from foureyes.core.record_folder import RunEvent
from foureyes.core.result import PipelineResult
from foureyes.core.review_queue import ReviewDecision, ReviewQueue
from foureyes.core.run_analytics import RunAnalytics
from foureyes.core.work import Progress
from foureyes.documents.model import Document
from foureyes.documents.parse import parse_document
from foureyes.experiments.analysis import Analysis
from foureyes.experiments.statistics.samples import Design
from foureyes.packs.verify import PackReport, pack_lines
from foureyes.report.document_review import review_lines
from foureyes.report.review_report import ReviewReport
from foureyes.report.run_text import decision_text, event_text
from foureyes.report.wording import drift_lines, explain_score
from foureyes.sources.drift import SourceDrift
from foureyes.sources.knowledge.base import KnowledgePassage
from foureyes.sources.local_files import Skipped
from foureyes.sources.model import Source
from foureyes.sources.scoring.model import Appraisal
from integration.hostile.records import Filler
from rich.console import Console


def analysis_of(filler: Filler) -> Analysis:
    """What an experiment showed, with a design that can be."""
    filler.given = {**filler.given, Design: Design()}
    return filler.make(Analysis)


def result_of(filler: Filler) -> PipelineResult:
    """A result whose agents have the names that `filler` gives."""
    events = filler.make(tuple[RunEvent, ...])
    known = {RunAnalytics: RunAnalytics(events), "PipelineResult.iterations": ()}
    filler.given = {**filler.given, **known, "PipelineResult.run_dir": Path("runs")}
    return filler.make(PipelineResult)


def _check(filler: Filler) -> None:
    text = "\n\n".join(filler.words)
    filler.given = {
        **filler.given,
        Document: parse_document(text),
        "CheckResult._again": print,
        "CheckResult._regate": print,
        "Repair.start": 0,
    }
    result = filler.make(CheckResult)
    terminal.lines(check_lines(result, [result.findings[0].id], every=True))
    checking.print_sources(result.appraisal, every=True)
    terminal.lines(closing_lines(result, None, None))


def _progress(filler: Filler) -> None:
    """The live board as it is drawn, and the plain lines."""
    set_up_logs()
    for event in ("drafting", "examined", "turn_retried", "phase_started", "part_failed"):
        filler.given = {**filler.given, "Progress.event": event}
        board = Board()
        for one in filler.make(tuple[Progress, ...]):
            board.update(one)
            log_progress(one)
        Console(width=100, highlight=False).print(board)


def _logs(filler: Filler) -> None:
    set_up_logs()
    log_ = structlog.get_logger()
    for text in filler.words:
        log_.info(text, agent=text, detail=text)
        try:
            raise ValueError(text)
        except ValueError:
            log_.error("agent crashed", agent=text, exc_info=True)
    structlog.reset_defaults()


def _errors(filler: Filler) -> None:
    for text in filler.words:
        terminal.error(InputError(f"{text!r} does not exist", text))
        terminal.error(text)
        terminal.note(text)
        terminal.print_bug_report(ValueError(text))


def _gaps(filler: Filler) -> None:
    session = sources_decide.Session(filler.make(Appraisal), None, None)
    sources_decide.show(session)


def _scores(filler: Filler) -> None:
    found = filler.make(Appraisal)
    sources.show_scores(found, explain=True)
    terminal.table(sources.LISTED, map(sources.listed_row, found.rated), gap=1)
    for rated in found.rated:
        terminal.lines(explain_score(rated))


def _log(filler: Filler) -> None:
    terminal.lines(map(event_text, filler.make(tuple[RunEvent, ...])))
    terminal.lines(map(decision_text, filler.make(tuple[ReviewDecision, ...])))


def _sources(filler: Filler) -> None:
    made = filler.make(tuple[Source, ...])
    terminal.table(sources.FETCHED, map(sources.source_row, made))
    for source, text in zip(made, filler.words, strict=True):
        sources.print_text(source, text)
    terminal.lines(drift_lines(filler.make(tuple[SourceDrift, ...])))


def _knowledge(filler: Filler) -> None:
    rows = map(sources_search.passage_row, filler.make(tuple[KnowledgePassage, ...]))
    terminal.table(sources_search.COLUMNS, rows)
    terminal.lines(sources_search.skip_lines(filler.make(tuple[Skipped, ...])))


def _claims(filler: Filler) -> None:
    terminal.table(claims.COLUMNS, map(claims.row, filler.make(tuple[Claim, ...])))


PRINTED: Mapping[str, Callable[[Filler], None]] = {
    "check": _check,
    "claims": _claims,
    "doctor": lambda filler: terminal.lines(diagnosis_lines(filler.make(Diagnosis))),
    "errors": _errors,
    "experiment": lambda filler: experiment.show(analysis_of(filler), JsonOptions()),
    "sources search": _knowledge,
    "report log": _log,
    "logs": _logs,
    "progress": _progress,
    "review": lambda filler: terminal.lines(review_lines(filler.make(ReviewReport))),
    "claims decide": lambda filler: claims.print_queue(filler.make(ReviewQueue)),
    "run": lambda filler: running.print_result(result_of(filler)),
    "sources": _sources,
    "sources gaps": _gaps,
    "sources list and score": _scores,
    "pack verify": lambda filler: terminal.lines(pack_lines(filler.make(PackReport))),
}
"""What prints what, by the command."""
