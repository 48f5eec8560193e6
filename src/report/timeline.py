"""What happened in a run or a review, in order, from its events."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from pathlib import Path

from ..base.printable import counted
from ..core.claim_decisions import ReviewDecision
from ..core.iteration import decisions_in
from ..core.record_folder import RunEvent
from ..core.run_store import RunStore
from ..review.store import REVIEW_FOLDER, ReviewStore


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
