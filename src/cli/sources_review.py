"""The commands `sources override` and `sources review`: a person decides on sources."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..assembly.settings import load_settings
from ..base.records import to_json
from ..core.approval import ExitCode
from ..sources.scoring.appraisal import Appraisal, RatedSource, SourceRating, rating
from ..sources.scoring.model import Override
from ..sources.scoring.overrides import parse_decision
from .options import CommandGroup, Config, Json, with_settings
from .person import By, ask_until_valid, decider_name, is_interactive
from .sources_score import explain_score
from .terminal import print_line

app = CommandGroup(rich_markup_mode=None)

RunDir = Annotated[Path, typer.Argument(metavar="RUN_DIR", help="A run directory.")]


@app.command(short_help="Approve a source of a run at a tier, or reject it.")
@with_settings(("registry_dir",))
def override(
    run_dir: RunDir,
    url: Annotated[str, typer.Argument(metavar="URL", help="A source of the run.")],
    decision: Annotated[
        str, typer.Argument(metavar="DECISION", help="'approve tier 2' or 'reject source'.")
    ],
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason.")],
    by: By = None,
    config: Config = None,
    json: Json = False,
    **flags: object,
) -> int:
    """Record your decision on a source of a run; it holds whenever scores are computed again."""
    from ..assembly.source_scores import override_source, rated_source, run_scores

    loaded = load_settings(flags, config=config)
    rated = rated_source(run_scores(run_dir, loaded, cited=False), url)
    made = override_source(run_dir, rated, decision, by=decider_name(by), why=why)
    print_line(to_json(Override, made, indent=None) if json else decision_line(rated, made))
    return ExitCode.OK


@app.command(short_help="Go through the sources of a run that need a person.")
@with_settings(("registry_dir",))
def review(
    run_dir: RunDir,
    by: By = None,
    config: Config = None,
    json: Json = False,
    **flags: object,
) -> int:
    """Go through the sources that the delivered draft cites and that need a person's decision.

    On a terminal you are asked about each; in a pipe they are listed. Exits 1 if some wait.
    """
    from ..assembly.source_scores import run_scores

    loaded = load_settings(flags, config=config)
    found = run_scores(run_dir, loaded)
    if json:
        ratings = tuple(map(rating, found.undecided))
        print_line(to_json(tuple[SourceRating, ...], ratings, indent=None))
    elif not found.undecided:
        print_line("no source waits for a decision")
    elif is_interactive():
        found = ask_about_sources(run_dir, found, by) or run_scores(run_dir, loaded)
    else:
        for rated in found.undecided:
            show(rated)
        print_line("decide with: foureyes sources override RUN_DIR URL 'approve tier N' --why TEXT")
    return ExitCode.NOT_APPROVED if found.undecided else ExitCode.OK


def ask_about_sources(run_dir: Path, found: Appraisal, by: str | None) -> None:
    """Ask about each source that waits."""
    from ..assembly.source_scores import override_source

    for rated in found.undecided:
        show(rated)
        words = ask_until_valid(
            "'approve tier N' or 'reject source'? (enter skips)", decision_words
        )
        why = ask_until_valid("why?", str) if words else None
        if words and why:
            print_line(
                decision_line(
                    rated, override_source(run_dir, rated, words, by=decider_name(by), why=why)
                )
            )
            print_line()


def decision_words(answer: str) -> str:
    """`answer`, if it is a decision.

    Raises:
        InputError: It is none.
    """
    parse_decision(answer)
    return answer


def show(rated: RatedSource) -> None:
    """A source with the reasons for its score."""
    for line in explain_score(rated):
        print_line(line)
    print_line()


def decision_line(rated: RatedSource, made: Override) -> str:
    """A decision in words."""
    decided = f"approved as {made.tier.name}" if made.tier else "rejected"
    was = f"{rated.score.computed_tier.name} by its score of {rated.score.total}"
    return f"{made.url}: {decided} by {made.by} (was {was}): {made.why}"
