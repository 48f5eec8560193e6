"""The commands `sources fetch`, `list`, `diff`, `score` and `cite`: what citations lead to."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

from ..assembly.citations import document_citations, run_citations
from ..assembly.model import LoadedSettings
from ..assembly.sources import diff_run, fetch_sources, run_scores, score_urls
from ..base.errors import InputError
from ..base.vocabulary import ExitCode, FetchMode, SourceState
from ..core.record_folder import program_version
from ..report.wording import drift_lines, explain_score, source_notes, tier_text
from ..sources.drift import Change, SourceDrift
from ..sources.model import Snapshot, Source
from ..sources.scoring.appraisal import SourceRating, rating
from ..sources.scoring.citations import (
    CitationFormat,
    CitedSource,
    bibtex,
    citation_yaml,
    csl_json,
    footnotes,
    reference_list,
)
from ..sources.scoring.model import Appraisal, Gap, RatedSource
from . import terminal
from ._options import CommandGroup, CommandOptions, JsonOptions, RunDirOptions, argument, option
from .terminal import Cell, Column

_TIER, _DATE, _SOURCE = "tier", "date", Column("source", 1)
_POINTS = tuple(Column(name, right=True) for name in ("score", "auth", "rec", "comp", "rel"))
FETCHED = (
    "state",
    _DATE,
    Column("title", 3),
    Column("address", 3),
    Column("why", 2),
)
LISTED = (_TIER, _POINTS[0], "state", _DATE, _SOURCE)
SCORED = (_TIER, *_POINTS, _DATE, _SOURCE)
LEGEND = "authority of 40, recency of 30, completeness of 20, relevance of 10; --explain tells why"
FETCH_OPTIONS = (
    *("fetch", "source_cache", "robots", "max_fetches", "fetch_timeout_total", "allowed_hosts"),
    "registry_dir",
)
SCORE_OPTIONS = (*FETCH_OPTIONS, "topic", "as_of")
LIST_OPTIONS = ("topic", "as_of", "registry_dir")
DIFF_OPTIONS = ("robots", "allowed_hosts", "registry_dir")


class CiteFormat(StrEnum):
    """Output format of citations."""

    YAML = "yaml"
    INLINE = "inline"
    FOOTNOTES = "footnotes"
    CSL_JSON = "csl-json"
    BIBTEX = "bibtex"


WRITERS: Mapping[CiteFormat, Callable[[tuple[CitedSource, ...]], str]] = {
    CiteFormat.INLINE: reference_list,
    CiteFormat.FOOTNOTES: footnotes,
    CiteFormat.CSL_JSON: csl_json,
    CiteFormat.BIBTEX: bibtex,
}
"""How citations are written, but for YAML."""

Urls = Annotated[list[str], argument("URL", help="Web addresses, doi:…, arXiv:…, archived copies.")]

app = CommandGroup()


@dataclass(frozen=True, slots=True)
class ListedSource:
    """Output of `sources list --json` for each source."""

    url: str
    state: SourceState
    reason: str
    snapshot: Snapshot | None
    rating: SourceRating

    @classmethod
    def of(cls, rated: RatedSource) -> ListedSource:
        """The record of a source with its score."""
        one = rated.source
        return cls(one.url, one.state, one.reason, one.snapshot, rating(rated))


@dataclass(frozen=True, slots=True)
class ScoreOutcome:
    """Output of `sources score --json`. `log_line` is the line that was logged."""

    foureyes: str
    exit_code: int
    as_of: date
    topic: str
    fetch: FetchMode
    sources: tuple[SourceRating, ...]
    gaps: tuple[Gap, ...]
    log_line: str


class FetchOptions(JsonOptions):
    """Options of `sources fetch`."""

    urls: Urls
    text: bool = False
    """Show the text that was read."""


@app.command(settings=FETCH_OPTIONS)
def fetch(options: FetchOptions, loaded: LoadedSettings) -> int:
    """Fetch addresses as a run does. Exits 1 if one cannot be read, 2 if one was not fetched."""
    require_addresses(options.urls)
    found = terminal.run_until_stopped(fetch_sources(options.urls, loaded))
    sources = tuple(found.sources.values())
    if options.as_json:
        options.print_json(tuple[Source, ...], sources)
    elif options.text:
        for source in sources:
            readable = found.readable(source.url)
            print_text(source, readable[1] if readable else "")
    else:
        terminal.table(FETCHED, map(source_row, sources))
    return fetch_code(sources)


@app.command("list", settings=LIST_OPTIONS)
def list_(options: RunDirOptions, loaded: LoadedSettings) -> None:
    """Show what each address gave in a run, with its tier and score."""
    found = run_scores(options.run_dir, loaded, cited=False)
    if options.as_json:
        options.print_json(tuple[ListedSource, ...], tuple(map(ListedSource.of, found.rated)))
    elif found.rated:
        terminal.table(LISTED, map(listed_row, found.rated), gap=1)
    else:
        terminal.line("the run has no sources")


@app.command(settings=DIFF_OPTIONS)
def diff(options: RunDirOptions, loaded: LoadedSettings) -> int:
    """Compare a run's sources with the live pages, and the quotes that its verdicts rest on.

    Exits 1 if a page is gone or a quote no longer stands, 2 if a page could not be compared.
    """
    drifts = terminal.run_until_stopped(diff_run(options.run_dir, loaded))
    options.print_record(tuple[SourceDrift, ...], drifts, drift_lines(drifts))
    if any(drift.change is Change.GONE or drift.lost for drift in drifts):
        return ExitCode.NOT_APPROVED
    missing = any(drift.change is Change.NOT_COMPARED for drift in drifts)
    return ExitCode.INCONCLUSIVE if missing else ExitCode.OK


def print_text(source: Source, text: str) -> None:
    """A source's address and state, and its text line by line."""
    terminal.line(f"{source.url}: {source.state}: {source.reason}")
    terminal.lines((*text.split("\n"), "") if text else ("",))


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


def listed_row(rated: RatedSource) -> Sequence[Cell]:
    """Tier, score, state, date, and title, address and remarks."""
    score, source = rated.score, rated.source
    day = score.dated.isoformat() if score.dated else "-"
    return tier_text(rated), str(score.total), source.state, day, source_cell(rated)


class ScoreOptions(JsonOptions):
    """Options of `sources score`."""

    urls: Urls
    explain: Annotated[bool, option(None, "-v")] = False
    """Show why each part has its points."""


@app.command(settings=SCORE_OPTIONS)
def score(options: ScoreOptions, loaded: LoadedSettings) -> int:
    """Score addresses by authority, recency, completeness and relevance to --topic.

    With --fetch none the address alone is judged. Exits 1 if one cannot be read, 2 if one was to be
    fetched and was not.
    """
    require_addresses(options.urls)
    found, log_line = terminal.run_until_stopped(score_urls(options.urls, loaded))
    fetch = loaded.settings.fetch
    by_address = fetch is FetchMode.NONE
    code = ExitCode.OK if by_address else fetch_code(rated.source for rated in found.rated)
    if options.as_json:
        outcome = ScoreOutcome(
            foureyes=program_version(),
            exit_code=int(code),
            as_of=found.as_of,
            topic=found.topic,
            fetch=fetch,
            sources=tuple(map(rating, found.rated)),
            gaps=found.gaps,
            log_line=log_line,
        )
        options.print_json(ScoreOutcome, outcome)
        return code
    if by_address:
        terminal.note("nothing was fetched: scored by the address alone, without date and content")
    show_scores(found, explain=options.explain)
    sys.stderr.write(f"{terminal.safe(log_line)}\n")
    return code


def require_addresses(urls: Iterable[str]) -> None:
    """Refuse what names a file or folder here: there is none that it could be read from.

    Raises:
        InputError: It does.
    """
    for url in urls:
        if Path(url).exists():
            hint = "give an address; `foureyes check` reads the files that a document cites"
            raise InputError(f"{url!r} is a {'folder' if Path(url).is_dir() else 'file'}", hint)


def show_scores(found: Appraisal, *, explain: bool) -> None:
    """The scores as a table, or with all reasons."""
    if explain:
        for rated in found.rated:
            terminal.lines(explain_score(rated))
        return
    terminal.table(SCORED, map(score_row, found.rated), gap=1)
    terminal.line()
    terminal.line(LEGEND)


def score_row(rated: RatedSource) -> Sequence[Cell]:
    """Tier, score, the four parts, date, and what is known of the source."""
    score = rated.score
    day = score.dated.isoformat() if score.dated else "-"
    points = (str(part.points) for part in score.parts.values())
    return tier_text(rated), str(score.total), *points, day, source_cell(rated)


def source_cell(rated: RatedSource) -> Sequence[tuple[str, str]]:
    """Title, address and class of a source, then what a person should know of it."""
    title = [(rated.given.title, "bold")] if rated.given.title else []
    known = f"class {rated.score.site.name}"
    notes = [(text, "yellow") for text in source_notes(rated)]
    return [*title, (rated.source.url, ""), (known, "dim"), *notes]


def fetch_code(sources: Iterable[Source]) -> ExitCode:
    """2 if something was not fetched, else 1 if something cannot be read, else 0."""
    states = {source.state for source in sources}
    if SourceState.NOT_FETCHED in states:
        return ExitCode.INCONCLUSIVE
    return ExitCode.OK if all(state.readable for state in states) else ExitCode.NOT_APPROVED


class CiteOptions(CommandOptions):
    """Options of `sources cite`."""

    target: Annotated[Path, argument("RUN_DIR|DOC")]
    """A run directory or a Markdown document."""
    form: Annotated[CiteFormat, option(None, "--format")] = CiteFormat.YAML
    """How they are written."""
    citations: Annotated[
        Literal["minimal", "standard", "detailed", "auto"] | None,
        option("|".join((*CitationFormat, "auto"))),
    ] = None
    """For yaml: how much a citation says. [default: auto, as the sources need it]"""


@app.command(settings=SCORE_OPTIONS)
def cite(options: CiteOptions, loaded: LoadedSettings) -> None:
    """Print what the delivered draft of a run, or a document, cites, in the order of mention."""
    target, form, citations = options.target, options.form, options.citations
    if citations is not None and form is not CiteFormat.YAML:
        raise InputError("--citations is for --format yaml", "leave one of them out")
    if target.is_dir():
        found = run_citations(target, loaded)
    else:
        found = terminal.run_until_stopped(document_citations(target, loaded))
    suits = found.form if citations in (None, "auto") else CitationFormat(citations)
    note_left_out(found.unread)
    if not found.sources:
        return
    if form is CiteFormat.YAML:
        text = citation_yaml(found.sources, suits)
    else:
        text = WRITERS[form](found.sources)
    terminal.lines(text.splitlines())


def note_left_out(urls: Iterable[str]) -> None:
    """Print a note for each source that is left out, so that no list passes for complete."""
    for url in urls:
        terminal.note(f"left out, because it could not be read: {url}")
