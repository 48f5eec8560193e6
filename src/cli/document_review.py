"""The command `review`: a document before a red team, its defence, and what is so outside."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..assembly.layers import flag_name
from ..assembly.model import AGENT_KEYS, REVIEW_ROLES
from ..assembly.settings import load_settings
from ..base.errors import InputError
from ..base.vocabulary import Severity
from .options import Config, Json, Quiet, Sources, require_choice, with_settings
from .person import By

RESUME_OPTIONS = (
    *("backend", "base_url", "api_key_env", "max_parallel", "defenders", "search", "search_url"),
    *("search_key_env", "knowledge_base", "source_cache", "budget_usd"),
    *("budget_tokens", "budget_turns", "budget_tool_calls", "max_minutes"),
    *("max_turns", "max_cost_usd"),
)
"""Settings that may differ on resume: backend, credentials and limits."""

REVIEW_OPTIONS = (
    *("no_web", "verify_background", "backend", "base_url", "api_key_env", "max_parallel"),
    *("defenders", "testers", "fetch", "source_cache", "max_fetches", "search", "search_url"),
    *("search_key_env", "max_searches", "knowledge_base", "robots", "allowed_hosts", "as_of"),
    *("topic", "reader", "prompts_dir", "templates_dir", "registry_dir", "budget_usd"),
    *("budget_tokens", "budget_turns", "budget_tool_calls"),
    "max_minutes",
    *AGENT_KEYS,
)

EPILOG = (
    "Exit codes: 0 done (or stopped by you at the gate), 1 a finding at or above --fail-on, 2 "
    "waiting for your decision, or a part was not done, 3 a limit was reached, 4 failed or bad "
    "input, 130 cancelled."
)


Document = Annotated[
    Path | None,
    typer.Argument(metavar="DOC", help="A Markdown, text, HTML, PDF or Word file."),
]
ResumeDir = Annotated[
    Path | None,
    typer.Option("--resume", metavar="DIR", help="Go on with the review in DIR."),
]
ReportDir = Annotated[
    Path | None,
    typer.Option("--report", metavar="DIR", help="Write the reports of DIR anew, and no more."),
]
Yes = Annotated[bool, typer.Option("--yes", help="Go on past the gate without being asked.")]
Stop = Annotated[bool, typer.Option("--stop", help="With --resume: end it at the gate.")]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="PATH", help="The folder for review directories. [default: reviews]"
    ),
]
FailOn = Annotated[
    str | None,
    typer.Option(
        "--fail-on",
        metavar="|".join(Severity),
        help="Exit 1 on findings of this severity or worse. [default: never]",
    ),
]


@with_settings(REVIEW_OPTIONS, REVIEW_ROLES)
def review(
    document: Document = None,
    sources: Sources = None,
    resume_dir: ResumeDir = None,
    report_dir: ReportDir = None,
    yes: Yes = False,
    stop: Stop = False,
    by: By = None,
    out: Out = None,
    fail_on: FailOn = None,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
    **flags: object,
) -> int:
    """Hold DOC against itself and, past the gate, its claims against sources.

    Three red reviewers look for what is wrong, a blue defender tries to kill each finding by the
    document's own words, and you see what survived. Going on, smoke testers verify every quotation,
    and the claims that the document rests on are looked up; what is found stands in an appendix and
    changes no finding.
    """
    from .reviewing import ReviewCommand, ReviewCommandOptions

    _require_one(document, resume_dir, report_dir)
    flags["out"] = out
    if yes and stop:
        raise InputError("--yes and --stop exclude each other", "give one of them")
    if stop and resume_dir is None:
        raise InputError("--stop ends a review at its gate", "name it with --resume DIR")
    if fail_on is not None:
        require_choice("--fail-on", fail_on, tuple(Severity))
    if document is None:
        _require_may_change(flags, sources)
    options = ReviewCommandOptions(
        json=json,
        quiet=quiet,
        fail_on=Severity(fail_on) if fail_on else None,
        by=by,
        yes=yes,
        stop=stop,
    )
    command = ReviewCommand(load_settings(flags, config=config), options)
    if report_dir is not None:
        return command.rewrite_reports(report_dir)
    if resume_dir is not None:
        return command.resume(resume_dir)
    return command.start(document or Path(), tuple(sources or ()))


def _require_one(*given: Path | None) -> None:
    if sum(one is not None for one in given) != 1:
        raise InputError("say what to review", "give one of DOC, --resume DIR and --report DIR")


def _require_may_change(flags: dict[str, object], sources: list[str] | None) -> None:
    """Refuse what a review that has begun would not heed."""
    named = [name for name, value in flags.items() if value and name not in RESUME_OPTIONS]
    given = ["--sources"] if sources else [flag_name(name) for name in named]
    if given:
        raise InputError(
            f"{given[0]} cannot change a review that has begun", "leave it out, or begin another"
        )
