"""The commands `sources fetch`, `sources list` and `sources diff`."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..assembly.settings import load_settings
from ..base.records import to_json
from ..base.vocabulary import SourceState
from ..core.approval import ExitCode
from .options import Config, Json, with_settings
from .signals import run_until_stopped
from .terminal import safe, say

if TYPE_CHECKING:
    from ..sources.drift import SourceDrift
    from ..sources.model import Source

FETCH_OPTIONS = (
    *("fetch", "source_cache", "robots", "max_fetches", "allowed_hosts"),
    "registry_dir",
)
DIFF_OPTIONS = ("robots", "allowed_hosts", "registry_dir")
Column = tuple[str, int]
"""A heading and the column's share of the width; 0 takes what it needs."""

app = typer.Typer(
    name="sources",
    help="What citations lead to: fetched, listed, compared with what is there now.",
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

RunDir = Annotated[Path, typer.Argument(metavar="RUN_DIR", help="A run directory.")]


@app.command(short_help="Fetch addresses as a run does, and show what they are.")
@with_settings(FETCH_OPTIONS)
def fetch(
    urls: Annotated[
        list[str],
        typer.Argument(metavar="URL…", help="Web addresses, doi:…, arXiv:…, archived copies."),
    ],
    text: Annotated[bool, typer.Option("--text", help="Show the text that was read.")] = False,
    config: Config = None,
    json: Json = False,
    **flags: object,
) -> int:
    """Fetch addresses as a run does. Exits 1 if one cannot be read, 2 if one was not fetched."""
    from ..assembly.sources import fetch_sources
    from ..sources.model import Source

    loaded = load_settings(flags, config=config)
    try:
        found = run_until_stopped(fetch_sources(urls, loaded))
    except asyncio.CancelledError:
        return ExitCode.CANCELLED
    sources = tuple(found.sources.values())
    if json:
        say(to_json(tuple[Source, ...], sources, indent=None))
    elif text:
        for source in sources:
            readable = found.readable(source.url)
            say_text(source, readable[1] if readable else "")
    else:
        show_sources(sources)
    return fetch_code(sources)


@app.command("list", short_help="Show what each address gave in a run.")
def list_(run_dir: RunDir, json: Json = False) -> int:
    """Show what each address gave in a run."""
    from ..assembly.sources import run_sources
    from ..sources.model import Source

    sources = run_sources(run_dir)
    if json:
        say(to_json(tuple[Source, ...], sources, indent=None))
    elif sources:
        show_sources(sources)
    else:
        say("the run has no sources")
    return ExitCode.OK


@app.command(short_help="Compare a run's sources with the live pages.")
@with_settings(DIFF_OPTIONS)
def diff(run_dir: RunDir, config: Config = None, json: Json = False, **flags: object) -> int:
    """Compare a run's sources with the live pages, and the quotes that its verdicts rest on.

    Exits 1 if a page is gone or a quote no longer stands, 2 if a page could not be compared.
    """
    from ..assembly.sources import diff_run
    from ..sources.drift import SourceDrift

    loaded = load_settings(flags, config=config)
    try:
        drifts = run_until_stopped(diff_run(run_dir, loaded))
    except asyncio.CancelledError:
        return ExitCode.CANCELLED
    if json:
        say(to_json(tuple[SourceDrift, ...], drifts, indent=None))
    else:
        for line in drift_lines(drifts):
            say(line)
    return drift_code(drifts)


def fetch_code(sources: Iterable[Source]) -> ExitCode:
    """2 if something was not fetched, else 1 if something cannot be read, else 0."""
    states = {source.state for source in sources}
    if SourceState.NOT_FETCHED in states:
        return ExitCode.INCONCLUSIVE
    return ExitCode.OK if all(state.readable for state in states) else ExitCode.NOT_APPROVED


def drift_code(drifts: Iterable[SourceDrift]) -> ExitCode:
    """1 if a page is gone or a quote lost, else 2 if a page could not be compared, else 0."""
    from ..sources.drift import Change

    drifts = tuple(drifts)
    if any(drift.change is Change.GONE or drift.lost for drift in drifts):
        return ExitCode.NOT_APPROVED
    missing = any(drift.change is Change.NOT_COMPARED for drift in drifts)
    return ExitCode.INCONCLUSIVE if missing else ExitCode.OK


def say_text(source: Source, text: str) -> None:
    """A source's address and state, and its text line by line."""
    say(f"{source.url}: {source.state}: {source.reason}")
    for line in text.split("\n") if text else ():
        say(line)
    say()


def show_sources(sources: Sequence[Source]) -> None:
    """The sources as a table."""
    columns = (("state", 0), ("date", 0), ("title", 3), ("address", 3), ("why", 2))
    show_table(columns, (source_row(source) for source in sources))


def source_row(source: Source) -> tuple[str, ...]:
    """State, date, title, address, and the reason where it cannot be read."""
    snapshot = source.snapshot
    day = (snapshot.published or snapshot.modified) if snapshot else None
    return (
        source.state,
        day.isoformat() if day else "-",
        (snapshot.title if snapshot else "") or "-",
        source.url,
        "" if source.state is SourceState.OK else source.reason,
    )


def drift_lines(drifts: Sequence[SourceDrift]) -> Iterator[str]:
    """What has become of each source, its changes and lost quotes below it, and the sums."""
    if not drifts:
        yield "the run has no web source that was read"
        return
    for drift in drifts:
        yield f"{drift.change} {drift.url}: {drift.reason}"
        for quote in drift.quotes:
            if quote.stands:
                yield f"    stands: {quote.quote!r}"
                continue
            yield f"    LOST:   {quote.quote!r}"
            if quote.nearest:
                yield f"    now:    {quote.nearest!r}"
        yield from (f"    - {line}" for line in drift.removed)
        yield from (f"    + {line}" for line in drift.added)
    counts = {drift.change: 0 for drift in drifts}
    for drift in drifts:
        counts[drift.change] += 1
    lost = sum(len(drift.lost) for drift in drifts)
    used = sum(len(drift.quotes) for drift in drifts)
    sums = ", ".join(f"{count} {change}" for change, count in counts.items())
    yield f"{len(drifts)} sources: {sums}; {used - lost} of {used} quotes stand"


def show_table(columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> None:
    """A table as wide as the terminal."""
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE, pad_edge=False, show_edge=False)
    for heading, share in columns:
        table.add_column(heading, overflow="fold", ratio=share or None)
    for row in rows:
        table.add_row(*(Text(safe(cell)) for cell in row))
    width = shutil.get_terminal_size((120, 24)).columns
    Console(width=max(width, 60), highlight=False).print(table)
