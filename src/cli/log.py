"""`foureyes log`: what happened in a run, in order, from its events."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..core.run_store import RunEvent, RunStore


def timeline(run: Path) -> Iterator[str]:
    """The run's events, one line each, with the seconds since the first.

    Raises:
        RunDirectoryError: `run` is no run directory, or is damaged.
    """
    store = RunStore.open(run)
    manifest = store.manifest
    yield f"{manifest.title} ({manifest.mode}), started {manifest.started:%Y-%m-%d %H:%M:%S} UTC"
    for event in store.events():
        seconds = (event.at - manifest.started).total_seconds()
        yield f"{seconds:9.2f} s  {described(event)}"
    status = manifest.status
    yield f"status: {status}, {manifest.reason}" if status else "status: under way, or interrupted"


def described(event: RunEvent) -> str:
    """An event in words: iteration, agent, what happened, and what a turn used."""
    where = f"[{event.iteration}] " if event.iteration else "    "
    words = [event.agent, event.event.replace("_", " "), event.outcome, event.detail]
    text = where + " ".join(word for word in words if word)
    if event.usage is None:
        return text
    usage = event.usage
    tokens = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens
    used = f"{usage.wall_s:.2f} s, {usage.tool_calls} tool calls, {usage.fetches} fetches"
    if tokens or usage.output_tokens:
        used += f", {tokens:,} tokens in, {usage.output_tokens:,} out"
    return f"{text} ({used})"
