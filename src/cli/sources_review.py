"""The commands `sources override` and `sources review`: a person decides on sources."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from ..assembly.model import LoadedSettings
from ..assembly.source_scores import override_source, rated_source, run_scores
from ..base.vocabulary import ExitCode
from ..sources.scoring.appraisal import Appraisal, RatedSource, SourceRating, rating
from ..sources.scoring.model import Override
from ..sources.scoring.overrides import parse_decision
from .commands import CommandGroup
from .options import Json, RunDir, argument, option, print_json, with_settings
from .person import By, ask_until_valid, decider_name, is_interactive
from .sources_score import show_explained
from .terminal import print_line

Url = Annotated[str, argument("URL", "A source of the run.")]
Decision = Annotated[str, argument("DECISION", "'approve tier 2' or 'reject source'.")]
Why = Annotated[str, option("--why", "TEXT", "The reason.")]

app = CommandGroup()


@app.command(short_help="Approve a source of a run at a tier, or reject it.")
@with_settings(("registry_dir",))
def override(
    run_dir: RunDir,
    url: Url,
    decision: Decision,
    why: Why,
    by: By = None,
    *,
    loaded: LoadedSettings,
    json: Json = False,
) -> int:
    """Record your decision on a source of a run; it holds whenever scores are computed again."""
    rated = rated_source(run_scores(run_dir, loaded, cited=False), url)
    made = override_source(run_dir, rated, decision, by=decider_name(by), why=why)
    if json:
        print_json(Override, made)
    else:
        print_line(decision_line(rated, made))
    return ExitCode.OK


@app.command(short_help="Go through the sources of a run that need a person.")
@with_settings(("registry_dir",))
def review(run_dir: RunDir, by: By = None, *, loaded: LoadedSettings, json: Json = False) -> int:
    """Go through the sources that the delivered draft cites and that need a person's decision.

    On a terminal you are asked about each; in a pipe they are listed. Exits 1 if some wait.
    """
    found = run_scores(run_dir, loaded)
    if json:
        ratings = tuple(map(rating, found.undecided))
        print_json(tuple[SourceRating, ...], ratings)
    elif not found.undecided:
        print_line("no source waits for a decision")
    elif is_interactive():
        found = ask_about_sources(run_dir, found, by) or run_scores(run_dir, loaded)
    else:
        for rated in found.undecided:
            show_explained(rated)
        print_line("decide with: foureyes sources override RUN_DIR URL 'approve tier N' --why TEXT")
    return ExitCode.NOT_APPROVED if found.undecided else ExitCode.OK


def ask_about_sources(run_dir: Path, found: Appraisal, by: str | None) -> None:
    """Ask about each source that waits."""
    for rated in found.undecided:
        show_explained(rated)
        words = ask_until_valid(
            "'approve tier N' or 'reject source'? (enter skips)", decision_words
        )
        why = ask_until_valid("why?", str) if words else None
        if words and why:
            made = override_source(run_dir, rated, words, by=decider_name(by), why=why)
            print_line(decision_line(rated, made))
            print_line()


def decision_words(answer: str) -> str:
    """`answer`, if it is a decision.

    Raises:
        InputError: It is none.
    """
    parse_decision(answer)
    return answer


def decision_line(rated: RatedSource, made: Override) -> str:
    """A decision in words."""
    decided = f"approved as {made.tier.name}" if made.tier else "rejected"
    was = f"{rated.score.computed_tier.name} by its score of {rated.score.total}"
    return f"{made.url}: {decided} by {made.by} (was {was}): {made.why}"
