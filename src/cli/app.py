"""The commands. Each reads its input, hands it to `assembly`, and returns an exit code."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
import typer.core

from ..assembly.settings import load_settings, telemetry_variables
from ..base.errors import BudgetExceeded, FoureyesError, InputError, StorageError
from ..base.files import read_document
from ..base.records import to_json
from ..base.vocabulary import Severity
from ..core.approval import ExitCode
from ..report.exports import ExportFormat
from . import streams
from .batch import COMMANDS as BATCH_COMMANDS
from .batch import app as batch_app
from .claims import CLAIMS_OPTIONS
from .document_review import EPILOG as REVIEW_EPILOG
from .document_review import review
from .experiment import EPILOG as EXPERIMENT_EPILOG
from .experiment import app as experiment_app
from .experiment import worker
from .experiment_import import import_results
from .kb import app as kb
from .limits import limits
from .mcp import EPILOG as MCP_EPILOG
from .mcp import mcp
from .new import app as new_app
from .options import (
    CHECK_EPILOG,
    CHECK_OPTIONS,
    MARK_STYLES,
    RESUME_OPTIONS,
    RUN_OPTIONS,
    All,
    Baseline,
    Cite,
    CommandGroup,
    Config,
    FailOn,
    Fix,
    Json,
    Quiet,
    Sarif,
    Sources,
    WriteBaseline,
    require_choice,
    with_settings,
)
from .person import By
from .sources import app as sources_app
from .terminal import print_bug_report, print_error, print_line, print_note

COMMANDS = (
    "run",
    "resume",
    "check",
    "review",
    "claims",
    "sources",
    "kb",
    "review-queue",
    "log",
    "report",
    "export",
    "schema",
    "view",
    "pack",
    "verify-pack",
    "mcp",
    "batch",
    "experiment",
    "worker",
    "limits",
    "new",
    "doctor",
)
TRACED = ("run", "resume", "check", "review", "review-queue", "mcp")
"""Commands whose work is traced."""
TOP_OPTIONS = ("--version", "--help", "-h")
EPILOG = (
    "A bare `foureyes [options] INPUT` is `foureyes run`. Exit codes: 0 approved (or reviewed, "
    "without --require-approval), 1 not approved, 2 inconclusive, 3 budget, 4 failed or bad "
    "input, 130 cancelled."
)


class InOrder(typer.core.TyperGroup):
    """The commands in the order in which people meet them."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names, as the help lists them."""
        return sorted(super().list_commands(ctx), key=COMMANDS.index)


app = CommandGroup(
    name="foureyes",
    cls=InOrder,
    help="Nothing ships until two independent checkers have approved it.",
    epilog=EPILOG,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

app.add_typer(kb)
app.add_typer(sources_app)
experiment_app.command(
    "import", short_help="Judge results of other harnesses.", epilog=EXPERIMENT_EPILOG
)(import_results)
app.add_typer(batch_app)
app.add_typer(experiment_app)
app.add_typer(new_app)
app.command("worker", short_help="Work on the jobs of an engine.")(worker)
app.command("limits", short_help="Show and set what all workers may call.")(limits)
app.command(
    "review",
    short_help="Have a document attacked, defended, and its claims looked up.",
    epilog=REVIEW_EPILOG,
)(review)
app.command(
    "mcp",
    short_help="Offer this as tools to other programs (MCP).",
    epilog=MCP_EPILOG,
)(mcp)


def show_version(requested: bool) -> None:
    """Print the version and stop."""
    if requested:
        from .. import __version__

        print_line(f"foureyes {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Nothing ships until two independent checkers have approved it."""


@app.command(short_help="Write an analysis and have it examined.")
@with_settings(RUN_OPTIONS)
def run(
    brief: Annotated[
        Path | None, typer.Argument(metavar="INPUT", help="The brief, a text file.")
    ] = None,
    draft: Annotated[
        Path | None,
        typer.Option(
            "--draft", metavar="FILE", help="Analyst: examine this draft in place of its first."
        ),
    ] = None,
    sources: Sources = None,
    resume_dir: Annotated[
        Path | None,
        typer.Option("--resume", metavar="RUN_DIR", help="Go on with a run, as `resume` does."),
    ] = None,
    replay_dir: Annotated[
        Path | None,
        typer.Option(
            "--replay",
            metavar="RUN_DIR",
            help="Run a recorded run again from its record alone, and say where it departs.",
        ),
    ] = None,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
    **flags: object,
) -> int:
    """Write an analysis of INPUT and have it examined until two critics approve."""
    from ..review.originals import read_as_text
    from .running import OutputOptions, resume_run, start_run

    output = OutputOptions(json=json, quiet=quiet)
    if replay_dir is not None:
        from .running import replay

        if brief or draft or sources or resume_dir:
            raise InputError("--replay takes no INPUT, draft, sources or --resume")
        return replay(replay_dir, load_settings(flags, config=config), output)
    if resume_dir is not None:
        if brief or draft or sources:
            raise InputError("--resume goes on with a run and takes no INPUT, draft or sources")
        return resume_run(resume_dir, load_settings(flags, config=config), output)
    return start_run(
        read_document(brief) if brief else None,
        read_as_text(draft) if draft else None,
        tuple(sources or ()),
        load_settings(flags, config=config),
        output,
        draft,
    )


@app.command(short_help="Go on with a run that was stopped.")
@with_settings(RESUME_OPTIONS)
def resume(
    run_dir: Annotated[Path, typer.Argument(metavar="RUN_DIR", help="The run to go on with.")],
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
    **flags: object,
) -> int:
    """Go on with a run that was stopped; nothing that is finished runs again."""
    from .running import OutputOptions, resume_run

    output = OutputOptions(json=json, quiet=quiet)
    return resume_run(run_dir, load_settings(flags, config=config), output)


@app.command("review-queue", short_help="Show what a run leaves to you, and decide.")
@with_settings(RESUME_OPTIONS)
def review_queue(
    run_dir: Annotated[
        Path, typer.Argument(metavar="RUN_DIR", help="A run whose gate says pending_review.")
    ],
    accept: Annotated[
        list[str] | None,
        typer.Option("--accept", metavar="ID", help="The claim holds. Repeatable."),
    ] = None,
    reject: Annotated[
        list[str] | None,
        typer.Option("--reject", metavar="ID", help="Back to the author. Repeatable."),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option("--exclude", metavar="ID", help="The claim needs no check. Repeatable."),
    ] = None,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="The reason.")] = "",
    decisions: Annotated[
        Path | None,
        typer.Option(
            "--decisions",
            metavar="FILE",
            help="YAML or JSON: a list of entries with claim, decision and note.",
        ),
    ] = None,
    on: Annotated[
        bool, typer.Option("--continue", help="Go on with the run once nothing waits.")
    ] = False,
    by: By = None,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
    **flags: object,
) -> int:
    """Show the claims that the gate of RUN_DIR leaves to a person, and record what you decide.

    On a terminal you are asked about each. Exits 1 if some wait, else 0; with --continue as the
    run does.
    """
    from .review_queue import DecisionInput, review
    from .running import OutputOptions

    ids = (tuple(given or ()) for given in (accept, reject, exclude))
    given = DecisionInput(*ids, note=note, file=decisions, by=by)
    loaded = load_settings(flags, config=config)
    return review(run_dir, given, loaded, OutputOptions(json=json, quiet=quiet), on=on)


@app.command(short_help="Check the facts of a document by rules alone.", epilog=CHECK_EPILOG)
@with_settings(CHECK_OPTIONS)
def check(
    documents: Annotated[
        list[Path],
        typer.Argument(
            metavar="DOC",
            help="A Markdown, text or HTML file; - reads standard input.",
            allow_dash=True,
        ),
    ],
    sources: Sources = None,
    fail_on: FailOn = Severity.MEDIUM,
    fix: Fix = False,
    cite: Cite = None,
    sarif: Sarif = None,
    baseline: Baseline = None,
    write_baseline: WriteBaseline = None,
    every: All = False,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
    **flags: object,
) -> int:
    """Check the facts of documents against what they cite, by rules alone: no model, no run."""
    if not quiet and sys.stderr.isatty():
        # Before what takes a second to load; the next line overwrites it.
        sys.stderr.write("foureyes: checking …\r")
    from ..verification.repair.marking import MarkStyle
    from .checking import CheckOptions, check_files

    require_choice("--fail-on", fail_on, tuple(Severity))
    if cite is not None:
        require_choice("--cite", cite, MARK_STYLES)
    style = MarkStyle(cite) if cite else None
    options = CheckOptions(fix, style, sarif, baseline, write_baseline, every, quiet)
    loaded = load_settings(flags, config=config)
    given = tuple(sources or ())
    return check_files(documents, given, Severity(fail_on), loaded, options, as_json=json)


@app.command(short_help="List what a document claims, and of what sort.")
@with_settings(CLAIMS_OPTIONS)
def claims(
    document: Annotated[Path, typer.Argument(metavar="DOC", help="A Markdown, text or HTML file.")],
    statements: Annotated[
        bool,
        typer.Option(
            "--all",
            help="List uncited statements without a number too, if they look worth checking.",
        ),
    ] = False,
    spacy: Annotated[
        str | None,
        typer.Option(
            "--spacy",
            metavar="MODEL",
            help="Name more entities with a spaCy model of yours, installed or a folder; needs "
            "foureyes[spacy].",
        ),
    ] = None,
    config: Config = None,
    json: Json = False,
    **flags: object,
) -> int:
    """List the claims of DOC: kind, category, who can check it, names and numbers."""
    from datetime import UTC, datetime

    from .claims import Listing, list_claims

    settings = load_settings(flags, config=config).settings
    as_of = settings.as_of or datetime.now(UTC).date()
    folder = settings.registry_dir
    return list_claims(document, folder, as_of, Listing(statements, spacy), as_json=json)


@app.command()
def log(
    run_dir: Annotated[Path, typer.Argument(metavar="RUN_DIR", help="Run directory.")],
) -> int:
    """Show what happened in a run, in order."""
    from .log import timeline

    print_lines(timeline(run_dir))
    return ExitCode.OK


@app.command(short_help="Write the report of a run, review, batch or experiment as one HTML file.")
def report(
    directory: Annotated[
        Path,
        typer.Argument(
            metavar="DIR", help="The run, document review, batch, check or experiment to report."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where to write it. [default: report.html in DIR]",
        ),
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Open it in your browser.")] = False,
) -> int:
    """Write the report of DIR, from its files alone, as one HTML file that loads nothing."""
    from .report import report as write_it

    return write_it(directory, out, show=show)


@app.command(short_help="Write a run, a review or a check in a format that other tools read.")
def export(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The run, review or check to write.")
    ],
    form: Annotated[
        str, typer.Option("--format", metavar="|".join(ExportFormat), help="What to write.")
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Where to write it; - is standard output."
        ),
    ],
    publisher: Annotated[
        str,
        typer.Option(
            "--publisher", metavar="NAME", help="For claim-review: whose fact check it is."
        ),
    ] = "foureyes",
) -> int:
    """Write a run, a review or a check (its document, and what was found in it) as another format.

    prov-json tells how it came about, csl-json and bibtex what it rests on.
    """
    from .report import export as write_it

    require_choice("--format", form, tuple(ExportFormat))
    write_it(folder, ExportFormat(form), out, publisher)
    return ExitCode.OK


@app.command(short_help="Print the JSON Schema of a file or of an output.")
def schema(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="As in the list, for example claim-ledger.")
    ] = None,
) -> int:
    """Print the JSON Schema of NAME; without it, the names of all that has one."""
    from .schemas import show_schema

    show_schema(name)
    return ExitCode.OK


@app.command(short_help="List and show the reports of a folder in a browser.")
def view(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR", help="A folder of runs, reviews, batches and experiments, or one."
        ),
    ],
    port: Annotated[
        int,
        typer.Option("--port", metavar="PORT", min=0, max=65535, help="0 takes one that is free."),
    ] = 0,
    show: Annotated[bool, typer.Option("--open", help="Open the list in your browser.")] = False,
) -> int:
    """Serve the reports of runs, reviews, batches and experiments in DIR, until Ctrl-C.

    On 127.0.0.1, for this machine alone. A folder of DIR may hold them, too.
    """
    from .report import view as serve

    return serve(folder, port, show=show)


@app.command(short_help="Write a run and all that proves it into one file.")
def pack(
    run_dir: Annotated[Path, typer.Argument(metavar="RUN_DIR", help="The run to pack.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where to write it. [default: evidence_pack.zip in RUN_DIR]",
        ),
    ] = None,
    json: Json = False,
) -> int:
    """Write the run in RUN_DIR, with all that it rests on, into one file that anyone can check."""
    from .packing import pack as pack_it

    return pack_it(run_dir, out, as_json=json)


@app.command("verify-pack", short_help="Check everything in an evidence pack again.")
def verify_pack(
    pack_file: Annotated[
        Path, typer.Argument(metavar="PACK", help="The evidence_pack.zip to check.")
    ],
    digest: Annotated[
        str,
        typer.Option(
            "--digest",
            metavar="SHA256",
            help="What was told when the pack was made: fails if this is another pack.",
        ),
    ] = "",
    json: Json = False,
) -> int:
    """Check everything in PACK again, from it alone: no network, no model, no settings.

    Exit codes: 0 everything holds, 1 something differs, 4 it is no evidence pack.
    """
    from .packing import verify

    return verify(pack_file, digest, as_json=json)


@app.command(short_help="Show settings, backend, and what is missing.")
@with_settings(RUN_OPTIONS)
def doctor(
    ask: Annotated[
        bool, typer.Option("--ask", help="Put questions to a paid provider too (a few cents).")
    ] = False,
    config: Config = None,
    json: Json = False,
    **flags: object,
) -> int:
    """Show what is installed, which backend would run and why, every setting, what is missing."""
    from .doctor import Diagnosis, diagnose, lines

    diagnosis = diagnose(load_settings(flags, config=config), ask=ask)
    print_lines([to_json(Diagnosis, diagnosis, indent=None)] if json else lines(diagnosis))
    return ExitCode.FAILED if diagnosis.missing else ExitCode.OK


def print_lines(texts: Iterable[str]) -> None:
    """Each text on a line of standard output."""
    for text in texts:
        print_line(text)


def main() -> NoReturn:
    """Run the command line of this process and exit."""
    streams.open_missing()
    code = execute(sys.argv[1:])
    try:
        streams.flush()
    except StorageError as error:
        print_error(error)
        code = ExitCode.FAILED
    sys.exit(code)


def execute(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code. Every expected error is one line on stderr."""
    try:
        words = insert_default_command(arguments)
    except InputError as error:
        print_error(error)
        return ExitCode.FAILED
    variables = telemetry_variables()
    if not variables or words[0] not in TRACED:
        return run_command(words)
    from ..assembly.telemetry import exported

    with exported(variables, print_note):
        return run_command(words)


def run_command(words: Sequence[str]) -> int:
    """Run the command that `words` begin with; returns its exit code."""
    try:
        result: object = app(args=list(words), prog_name="foureyes", standalone_mode=False)
    except BudgetExceeded as error:
        print_error(error)
        return ExitCode.BUDGET
    except FoureyesError as error:
        print_error(error)
        return ExitCode.FAILED
    except typer.TyperException as error:
        context: typer.Context | None = getattr(error, "ctx", None)
        command = context.command_path if context else "foureyes"
        print_error(f"{error.format_message()} (see {command} --help)")
        return ExitCode.FAILED
    except typer.Abort:
        return ExitCode.CANCELLED
    except Exception as error:  # noqa: BLE001 - Python's exit code would be 1, "not approved"
        print_bug_report(error)
        return ExitCode.FAILED
    return result if isinstance(result, int) else ExitCode.OK


def insert_default_command(arguments: Sequence[str]) -> list[str]:
    """The arguments, with ``run`` put first, or behind ``batch``, where they name no command.

    Raises:
        InputError: The first is neither a command, an option nor a file.
    """
    if arguments[:1] == ["batch"] and arguments[1:2]:
        named = arguments[1] in (*BATCH_COMMANDS, *TOP_OPTIONS)
        if not named:
            require_path(arguments[1], BATCH_COMMANDS)
        return ["batch", *([] if named else ["run"]), *arguments[1:]]
    if arguments and arguments[0] in (*COMMANDS, *TOP_OPTIONS):
        return list(arguments)
    if arguments:
        require_path(arguments[0], COMMANDS)
    return ["run", *arguments]


def require_path(word: str, commands: Sequence[str]) -> None:
    """Refuse a `word` in the place of a command that can be no file.

    Raises:
        InputError: It names no file, and reads as a command or is much like one.
    """
    if word.startswith("-") or Path(word).exists():
        return
    like = difflib.get_close_matches(word, commands, n=1)
    if like:
        raise InputError(f"there is no command {word!r}", f"did you mean {like[0]!r}?")
    if word.isalpha():
        raise InputError(f"there is no command and no file {word!r}", "see foureyes --help")
