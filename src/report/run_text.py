"""The end of a run in lines, what happened in it, and the record that `--json` prints."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from ..base.files import to_json, write_atomic
from ..base.printable import counted
from ..claims.accounting import AccountedSentence, SentenceCounts, SentenceRole
from ..core.approval import RunStatus
from ..core.critique import MAP_FILE, Critique, critique_line
from ..core.iteration import RELIABILITY_FILE, Conclusion, decisions_in
from ..core.record_folder import RunEvent, program_version
from ..core.result import PipelineResult, RunEnd, analysis_path
from ..core.review_queue import ReviewDecision
from ..core.run_store import Manifest, RunStore
from ..review.store import REVIEW_FOLDER, ReviewStore
from ..sources.scoring.gaps import GapDecision, gap_decisions, open_gaps
from . import summary, wording
from .evidence_pack import PACK_FILE, pack_digest
from .summary import SUMMARY_FILE, Unchecked, headline, not_checked
from .wording import render_markdown, terminal_lines

SHOWN_FINDINGS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcome(RunEnd):
    """Output of `--json`: one object for each run."""

    headline: str
    critique: Critique | None = None
    not_checked: tuple[Unchecked, ...] = ()
    pack: str | None = None
    pack_digest: str | None = None
    sentences: SentenceCounts | None = None
    unchecked: tuple[AccountedSentence, ...] = ()


def result_json(result: PipelineResult, code: int) -> str:
    """A finished run for `--json`."""
    pack, concluded = pack_of(result), conclusion(result)
    sentences = concluded.sentences if concluded else ()
    ended = result.ended(code)
    outcome = RunOutcome(
        **{field.name: getattr(ended, field.name) for field in fields(ended)},
        headline=headline(result.status, result.approval_basis),
        critique=result.critique,
        not_checked=not_checked(result),
        pack=str(pack) if pack else None,
        pack_digest=pack_digest(pack) if pack else None,
        sentences=SentenceCounts.of(sentences) if sentences else None,
        unchecked=tuple(one for one in sentences if one.role is not SentenceRole.CHECKED),
    )
    return to_json(RunOutcome, outcome, indent=None)


def stopped_json(manifest: Manifest, run_dir: Path, code: int) -> str:
    """A stopped run for `--json`."""
    outcome = RunOutcome(
        foureyes=program_version(),
        status=manifest.status,
        headline=headline(manifest.status or RunStatus.CANCELLED, None),
        approved=False,
        approval_basis=None,
        reason=manifest.reason,
        exit_code=int(code),
        run_dir=str(run_dir),
        analysis=analysis_path(run_dir, manifest.best_iteration),
        iterations=len(manifest.iterations),
    )
    return to_json(RunOutcome, outcome, indent=None)


def pack_of(result: PipelineResult) -> Path | None:
    """The evidence pack of a run; None where there is none, or it could not be written."""
    path = result.run_dir / PACK_FILE
    return path if path.exists() else None


def conclusion(result: PipelineResult) -> Conclusion | None:
    """The conclusion on the delivered draft, None without a fact checker."""
    return result.delivered.conclusion if result.delivered else None


def result_lines(result: PipelineResult) -> Iterator[str]:
    """The end of a run, line by line: status, gate, findings, what was not checked."""
    return terminal_lines(
        "run.txt.jinja",
        result=result,
        concluded=conclusion(result),
        shown=SHOWN_FINDINGS,
        count_sentences=SentenceCounts.of,
        critique_line=critique_line,
        words=summary,
        wording=wording,
    )


def markdown(result: PipelineResult, decisions: Sequence[GapDecision] = ()) -> str:
    """`summary.md`; `decisions` are those of people about gaps of the sources."""
    concluded = conclusion(result)
    found = concluded.appraisal if concluded else None
    gaps = open_gaps(found.gaps, found.topic, decisions, as_of=found.as_of) if found else ()
    return render_markdown(
        "summary.md.jinja",
        result=result,
        source_gaps=gaps,
        count_sentences=SentenceCounts.of,
        critique_line=critique_line,
        map_file=MAP_FILE,
        reliability_file=RELIABILITY_FILE,
        words=summary,
        wording=wording,
    )


def write_summary(result: PipelineResult, run_dir: Path) -> None:
    """Write the summary of a run into its directory.

    Raises:
        StorageError: The file system refused, or the record of decisions is damaged.
    """
    write_atomic(run_dir / SUMMARY_FILE, markdown(result, gap_decisions(run_dir).all()))


def timeline(run: Path) -> Iterator[str]:
    """The run's events and people's decisions, one line each, with the seconds since the first.

    `run` may be a review directory.

    Raises:
        RunDirectoryError: `run` is no run directory, or is damaged.
        StorageError: The record of people's decisions is damaged.
    """
    if (run / REVIEW_FOLDER.manifest_file).exists():
        store, what = ReviewStore.open(run), "document review"
    else:
        store = RunStore.open(run)
        what = store.manifest.mode.value
    manifest = store.manifest
    yield f"{manifest.title} ({what}), started {manifest.started:%Y-%m-%d %H:%M:%S} UTC"
    events = ((event.at, event_text(event)) for event in store.events())
    decisions = ((one.at, decision_text(one)) for one in decisions_in(run).all())
    for at, text in heapq.merge(events, decisions, key=lambda line: line[0]):
        yield f"{(at - manifest.started).total_seconds():9.2f} s  {text}"
    status = manifest.status
    yield f"status: {status}, {manifest.reason}" if status else "status: under way, or interrupted"


def decision_text(decision: ReviewDecision) -> str:
    """A person's decision in words."""
    return f"[{decision.iteration}] {decision.subject} {decision.reason}"


def event_text(event: RunEvent) -> str:
    """An event in words: iteration, agent, what happened, and what a turn used."""
    where = f"[{event.iteration}] " if event.iteration else "    "
    words = [event.agent, event.event.replace("_", " "), event.outcome, event.detail]
    text = where + " ".join(word for word in words if word)
    if event.usage is None:
        return text
    usage = event.usage
    used = (
        f"{usage.wall_s:.2f} s, {counted(usage.tool_calls, 'tool call')}, "
        f"{counted(usage.fetches, 'fetch', 'fetches')}"
    )
    if usage.tokens_in or usage.output_tokens:
        used += f", {counted(usage.tokens_in, 'token')} in, {usage.output_tokens:,} out"
    return f"{text} ({used})"
