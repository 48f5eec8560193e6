"""The commands `sources fetch`, `list` and `diff`; those about scores are added to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from ..assembly.model import LoadedSettings
from ..assembly.source_scores import run_scores
from ..assembly.sources import diff_run, fetch_sources
from ..base.counting import counted
from ..base.vocabulary import ExitCode, SourceState
from ..report.wording import tier_text
from ..sources.drift import Change, SourceDrift
from ..sources.model import Snapshot, Source
from ..sources.scoring.appraisal import RatedSource, SourceRating, rating
from . import sources_cite, sources_gaps, sources_review, sources_score
from .commands import CommandGroup
from .options import Json, RunDir, print_json, switch, with_settings
from .signals import run_until_stopped
from .sources_score import FETCH_OPTIONS, Urls, fetch_code, source_cell
from .tables import Cell, Column, show_table
from .terminal import print_line, print_lines

COLUMNS = (
    Column("state"),
    Column("date"),
    Column("title", 3),
    Column("address", 3),
    Column("why", 2),
)
LISTED = (
    Column("tier"),
    Column("score", right=True),
    Column("state"),
    Column("date"),
    Column("source", 1),
)
LIST_OPTIONS = ("topic", "as_of", "registry_dir")
DIFF_OPTIONS = ("robots", "allowed_hosts", "registry_dir")

app = CommandGroup(
    name="sources",
    help="What citations lead to: fetched, scored, listed, compared with what is there now.",
)

for part in (sources_score, sources_gaps, sources_review, sources_cite):
    app.add_typer(part.app)


@app.command(short_help="Fetch addresses as a run does, and show what they are.")
@with_settings(FETCH_OPTIONS)
def fetch(
    urls: Urls,
    text: Annotated[bool, switch("--text", "Show the text that was read.")] = False,
    *,
    loaded: LoadedSettings,
    json: Json = False,
) -> int:
    """Fetch addresses as a run does. Exits 1 if one cannot be read, 2 if one was not fetched."""
    found = run_until_stopped(fetch_sources(urls, loaded))
    sources = tuple(found.sources.values())
    if json:
        print_json(tuple[Source, ...], sources)
    elif text:
        for source in sources:
            readable = found.readable(source.url)
            say_text(source, readable[1] if readable else "")
    else:
        show_sources(sources)
    return fetch_code(sources)


@app.command("list", short_help="Show what each address gave in a run, with its score.")
@with_settings(LIST_OPTIONS)
def list_(run_dir: RunDir, *, loaded: LoadedSettings, json: Json = False) -> int:
    """Show what each address gave in a run, with its tier and score."""
    found = run_scores(run_dir, loaded, cited=False)
    if json:
        print_json(tuple[ListedSource, ...], tuple(map(listed, found.rated)))
    elif found.rated:
        show_table(LISTED, map(listed_row, found.rated), gap=1)
    else:
        print_line("the run has no sources")
    return ExitCode.OK


@app.command(short_help="Compare a run's sources with the live pages.")
@with_settings(DIFF_OPTIONS)
def diff(run_dir: RunDir, *, loaded: LoadedSettings, json: Json = False) -> int:
    """Compare a run's sources with the live pages, and the quotes that its verdicts rest on.

    Exits 1 if a page is gone or a quote no longer stands, 2 if a page could not be compared.
    """
    drifts = run_until_stopped(diff_run(run_dir, loaded))
    if json:
        print_json(tuple[SourceDrift, ...], drifts)
    else:
        print_lines(drift_lines(drifts))
    return drift_code(drifts)


@dataclass(frozen=True, slots=True)
class ListedSource:
    """Output of `sources list --json` for each source."""

    url: str
    state: SourceState
    reason: str
    snapshot: Snapshot | None
    rating: SourceRating


def drift_code(drifts: Iterable[SourceDrift]) -> ExitCode:
    """1 if a page is gone or a quote lost, else 2 if a page could not be compared, else 0."""
    drifts = tuple(drifts)
    if any(drift.change is Change.GONE or drift.lost for drift in drifts):
        return ExitCode.NOT_APPROVED
    missing = any(drift.change is Change.NOT_COMPARED for drift in drifts)
    return ExitCode.INCONCLUSIVE if missing else ExitCode.OK


def say_text(source: Source, text: str) -> None:
    """A source's address and state, and its text line by line."""
    print_line(f"{source.url}: {source.state}: {source.reason}")
    print_lines((*text.split("\n"), "") if text else ("",))


def show_sources(sources: Sequence[Source]) -> None:
    """The sources as a table."""
    show_table(COLUMNS, map(source_row, sources))


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


def listed(rated: RatedSource) -> ListedSource:
    """A source for `--json`."""
    source = rated.source
    return ListedSource(source.url, source.state, source.reason, source.snapshot, rating(rated))


def listed_row(rated: RatedSource) -> Sequence[Cell]:
    """Tier, score, state, date, and title, address and remarks."""
    score, source = rated.score, rated.source
    day = score.dated.isoformat() if score.dated else "-"
    return tier_text(rated), str(score.total), source.state, day, source_cell(rated)


def drift_lines(drifts: Sequence[SourceDrift]) -> Iterator[str]:
    """Yield each source with its changes and lost quotes, then the sums."""
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
    stand = counted(used, "quote stands", "quotes stand")
    yield f"{counted(len(drifts), 'source')}: {sums}; {used - lost} of {stand}"
