"""The command `sources score`: how good sources are, and why."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from ..assembly.model import LoadedSettings
from ..assembly.source_scores import score_urls
from ..base.vocabulary import ExitCode, FetchMode, SourceState
from ..core.record_folder import program_version
from ..report.wording import source_notes, tier_text
from ..sources.model import Source
from ..sources.scoring.appraisal import Appraisal, RatedSource, SourceRating, rating
from ..sources.scoring.gaps import Gap
from ..sources.scoring.model import Part
from .commands import CommandGroup
from .options import Json, argument, print_json, switch, with_settings
from .signals import run_until_stopped
from .tables import Cell, Column, show_table
from .terminal import print_line, print_lines, print_note, safe

FETCH_OPTIONS = ("fetch", "source_cache", "robots", "max_fetches", "allowed_hosts", "registry_dir")
SCORE_OPTIONS = (*FETCH_OPTIONS, "topic", "as_of")
COLUMNS = (
    Column("tier"),
    Column("score", right=True),
    Column("auth", right=True),
    Column("rec", right=True),
    Column("comp", right=True),
    Column("rel", right=True),
    Column("date"),
    Column("source", 1),
)
LEGEND = "authority of 40, recency of 30, completeness of 20, relevance of 10; --explain tells why"

Urls = Annotated[list[str], argument("URL", "Web addresses, doi:…, arXiv:…, archived copies.")]
Explain = Annotated[bool, switch("--explain", "Show why each part has its points.", "-v")]

app = CommandGroup()


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


@app.command(short_help="Score addresses from 0 to 100, with tier and reasons.")
@with_settings(SCORE_OPTIONS)
def score(
    urls: Urls, explain: Explain = False, *, loaded: LoadedSettings, json: Json = False
) -> int:
    """Score addresses by authority, recency, completeness and relevance to --topic.

    With --fetch none the address alone is judged. Exits 1 if one cannot be read, 2 if one was to be
    fetched and was not.
    """
    scored = run_until_stopped(score_urls(urls, loaded))
    found, fetch = scored.appraisal, loaded.settings.fetch
    by_address = fetch is FetchMode.NONE
    code = ExitCode.OK if by_address else fetch_code(rated.source for rated in found.rated)
    if json:
        outcome = ScoreOutcome(
            foureyes=program_version(),
            exit_code=int(code),
            as_of=found.as_of,
            topic=found.topic,
            fetch=fetch,
            sources=tuple(map(rating, found.rated)),
            gaps=found.gaps,
            log_line=scored.log_line,
        )
        print_json(ScoreOutcome, outcome)
        return code
    if by_address:
        print_note("nothing was fetched: scored by the address alone, without date and content")
    show_scores(found, explain=explain)
    sys.stderr.write(f"{safe(scored.log_line)}\n")
    return code


def show_scores(found: Appraisal, *, explain: bool) -> None:
    """The scores as a table, or with all reasons."""
    if explain:
        for rated in found.rated:
            show_explained(rated)
        return
    show_table(COLUMNS, map(score_row, found.rated), gap=1)
    print_line()
    print_line(LEGEND)


def show_explained(rated: RatedSource) -> None:
    """A source with the reasons for its score."""
    print_lines((*explain_score(rated), ""))


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


def explain_score(rated: RatedSource) -> Iterator[str]:
    """All reasons for a score, line by line."""
    score = rated.score
    yield f"{tier_text(rated)}  {score.total}/100  {rated.source.url}"
    if rated.given.title:
        yield f"  {rated.given.title}"
    for name, part in score.parts.items():
        shown = [text for text in part.evidence if text not in part.reason]
        evidence = f": {'; '.join(shown)}" if shown else ""
        yield f"  {name:<13}{points(part)} {part.reason}{evidence}"
    flags = (
        (score.reliable, "reliable"),
        (score.low_reliability, "low reliability"),
        (score.authoritative, "authoritative"),
    )
    said = ", ".join(name for holds, name in flags if holds)
    domain = f"domain tier {score.domain_tier}, authority weight {score.weight:g}"
    yield f"  {'':<13}{said + '; ' if said else ''}{domain}"
    yield from (f"  ! {text}" for text in source_notes(rated))


def points(part: Part) -> str:
    """Points of a part and the most it can have."""
    return f"{part.points:>3}/{part.out_of:<3}"


def fetch_code(sources: Iterable[Source]) -> ExitCode:
    """2 if something was not fetched, else 1 if something cannot be read, else 0."""
    states = {source.state for source in sources}
    if SourceState.NOT_FETCHED in states:
        return ExitCode.INCONCLUSIVE
    return ExitCode.OK if all(state.readable for state in states) else ExitCode.NOT_APPROVED
