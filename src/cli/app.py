"""The command line: the list of the commands, and how one is run and its errors are printed."""

from __future__ import annotations

import asyncio
import difflib
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from .. import __version__
from ..base.errors import BudgetExceeded, FoureyesError, InputError, StorageError
from ..base.vocabulary import ExitCode
from .commands import CommandGroup, LazyGroup
from .terminal import flush, open_missing_streams, print_bug_report, print_error, print_line

SUMMARIES = {
    "run": "Write an analysis and have it examined.",
    "resume": "Go on with a run that was stopped.",
    "check": "Check the facts of a document, without a language model.",
    "review": "Have a document attacked, defended, and its claims looked up.",
    "claims": "List what a document claims, and of what sort.",
    "sources": "What citations lead to: fetched, scored, listed, compared with what is there now.",
    "kb": "Folders of documents that are searched for sources.",
    "review-queue": "Show what a run leaves to you, and decide.",
    "log": "Show what happened in a run, in order.",
    "report": "Write the report of a run, review, batch or experiment as one HTML file.",
    "export": "Write a run, a review or a check in a format that other tools read.",
    "schema": "Print the JSON Schema of a file or of an output.",
    "view": "List and show the reports of a folder in a browser.",
    "pack": "Write a run and all that proves it into one file.",
    "verify-pack": "Check everything in an evidence pack again.",
    "mcp": "Offer this as tools to other programs (MCP).",
    "batch": "Check, run or review many documents.",
    "experiment": "Compare variants on the same items.",
    "worker": "Work on the jobs of an engine.",
    "limits": "Show and set what all workers may call.",
    "new": "Files to start from.",
    "doctor": "Show settings, backend, and what is missing.",
}
"""The commands in the order in which people meet them, and the line of each in the help."""
COMMANDS = tuple(SUMMARIES)
OTHER_MODULES = {
    "run": "running",
    "resume": "running",
    "check": "checking",
    "review": "reviewing",
    "review-queue": "review_queue",
    "export": "report",
    "schema": "schemas",
    "limits": "engines",
    "view": "report",
    "sources": "sources_decide",
    "pack": "packing",
    "verify-pack": "packing",
}
"""The module of each command whose module is not called as it is."""
BATCH_COMMANDS = ("run", "resume", "status", "report", "cancel")
TOP_OPTIONS = ("--version", "--help", "-h")
EPILOG = (
    "A bare `foureyes [options] INPUT` is `foureyes run`. Exit codes: 0 approved (or reviewed, "
    "without --require-approval), 1 not approved, 2 inconclusive, 3 budget, 4 failed or bad "
    "input, 130 cancelled."
)


class AllCommands(LazyGroup):
    """All commands."""

    modules: Mapping[str, str] = {name: OTHER_MODULES.get(name, name) for name in COMMANDS}
    summaries = SUMMARIES


app = CommandGroup(
    name="foureyes",
    cls=AllCommands,
    help="Nothing ships until two independent checkers have approved it.",
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def show_version(requested: bool) -> None:
    """Print the version and stop."""
    if requested:
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


def main() -> NoReturn:
    """Run the command line of this process and exit."""
    open_missing_streams()
    code = execute(sys.argv[1:])
    try:
        flush()
    except StorageError as error:
        print_error(error)
        code = ExitCode.FAILED
    sys.exit(code)


def execute(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code. Every expected error is one line on stderr."""
    try:
        words = insert_default_command(arguments)
        show_begin(words)
        result: object = app(args=words, prog_name="foureyes", standalone_mode=False)
    except BudgetExceeded as error:
        print_error(error)
        return ExitCode.BUDGET
    except FoureyesError as error:
        print_error(error)
        return ExitCode.FAILED
    except typer.TyperException as error:
        context: typer.Context | None = getattr(error, "ctx", None)
        command = context.command_path if context else "foureyes"
        said = error.format_message().replace("Value error, ", "")
        print_error(f"{said} (see {command} --help)")
        return ExitCode.FAILED
    except (typer.Abort, asyncio.CancelledError):
        return ExitCode.CANCELLED
    except Exception as error:  # noqa: BLE001 - Python's exit code would be 1, "not approved"
        print_bug_report(error)
        return ExitCode.FAILED
    return result if isinstance(result, int) else ExitCode.OK


def show_begin(words: Sequence[str]) -> None:
    """Print on a terminal that a check has begun: its modules take a second to load.

    The next line overwrites it.
    """
    silent = {"--quiet", *TOP_OPTIONS} & set(words)
    if words[0] == "check" and not silent and sys.stderr.isatty():
        sys.stderr.write("foureyes: checking …\r")


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
