"""The command line: the tree of the commands, and how one is run and its errors are printed.

The module of a command is imported when it is called.
"""

from __future__ import annotations

import asyncio
import difflib
import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
import typer.core
import typer.main

from .. import __version__
from ..base.errors import BudgetExceeded, FoureyesError, InputError, StorageError
from ..base.vocabulary import ExitCode
from . import terminal

GROUP_OPTIONS = ("--version", "--help", "-h")


@dataclass(frozen=True, slots=True)
class Leaf:
    """A command: its line in the help, and the module whose `app` has it."""

    summary: str
    module: str


@dataclass(frozen=True, slots=True)
class Branch:
    """A group of commands: its line in the help, and what is below it.

    `default` is the command that is meant where none is named.
    """

    summary: str
    below: Mapping[str, Leaf]
    default: str = ""


class LazyGroup(typer.core.TyperGroup):
    """A group whose help lists its commands without importing them."""

    tree: Mapping[str, Leaf | Branch] = {}
    default = ""

    def __init__(self, **settings: Any) -> None:
        # A branch gives its own; of all commands they are those of the class.
        self.tree = settings.pop("tree", self.tree)
        self.default = settings.pop("default", self.default)
        super().__init__(**settings)
        names: Any = dict.fromkeys(self.tree)
        self.commands = names

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - as in its base
        """The command of this name, whose module is imported now; None if there is none."""
        match self.tree.get(cmd_name):
            case None:
                return None
            case Branch(summary, below, default):
                epilog = f"A bare `foureyes {cmd_name} …` is `foureyes {cmd_name} {default}`."
                return LazyGroup(
                    name=cmd_name,
                    help=summary,
                    epilog=epilog if default else None,
                    rich_markup_mode=None,
                    tree=below,
                    default=default,
                )
            case Leaf(module=module):
                imported = importlib.import_module(f"._{module}", __package__)
                found: Any = typer.main.get_command(imported.app)
                return found if found.name == cmd_name else found.commands[cmd_name]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words behind the group's name, which may leave out the default command."""
        return super().parse_args(ctx, self.complete(args))

    def complete(self, words: Sequence[str]) -> list[str]:
        """The words, with the default command put first where they name none.

        Raises:
            InputError: The first is neither a command, an option nor a file.
        """
        if not self.default or (words[:1] and words[0] in (*self.tree, *GROUP_OPTIONS)):
            return list(words)
        if words:
            group = "" if self.tree is TREE else f" {self.name}"
            require_path(words[0], tuple(self.tree), f"foureyes{group}")
        return [self.default, *words]

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - as in its base
        """Write each command with its line."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, part.summary) for name, part in self.tree.items()])


def require_path(word: str, commands: Sequence[str], group: str) -> None:
    """Refuse a `word` in the place of a command of `group` that can be no file.

    Raises:
        InputError: It names no file, and reads as a command or is much like one.
    """
    if word.startswith("-") or Path(word).exists():
        return
    like = difflib.get_close_matches(word, commands, n=1)
    if like:
        raise InputError(f"there is no command {word!r}", f"did you mean {like[0]!r}?")
    if word.isalpha():
        raise InputError(f"there is no command and no file {word!r}", f"see {group} --help")


TREE: Mapping[str, Leaf | Branch] = {
    "run": Leaf("Write an analysis and have it examined.", "running"),
    "resume": Leaf("Go on with a run that was stopped.", "running"),
    "check": Leaf("Check the facts of a document, without a language model.", "checking"),
    "review": Leaf("Have a document attacked, defended, and its claims looked up.", "reviewing"),
    "batch": Branch(
        "Check, run or review many documents.",
        {
            "run": Leaf("Begin a batch.", "batch"),
            "resume": Leaf("Go on with a batch that was stopped.", "batch"),
            "status": Leaf("Show how far a batch is.", "batch"),
            "report": Leaf("Write the summary of a batch anew.", "batch"),
            "cancel": Leaf("Stop a batch that runs elsewhere.", "batch"),
        },
        default="run",
    ),
    "experiment": Branch(
        "Compare variants on the same items.",
        {
            "run": Leaf("Begin an experiment.", "experiment"),
            "resume": Leaf("Go on with an experiment that was stopped.", "experiment"),
            "status": Leaf("Show how far an experiment is.", "experiment"),
            "report": Leaf("Say what an experiment shows.", "experiment"),
            "cancel": Leaf("Stop an experiment that runs elsewhere.", "experiment"),
            "compare": Leaf("Compare an arm of one experiment with one of another.", "experiment"),
            "import": Leaf("Judge results of other harnesses.", "experiment"),
        },
    ),
    "claims": Branch(
        "What a document claims, and what a run leaves to you.",
        {
            "list": Leaf("List what a document claims, and of what sort.", "claims"),
            "decide": Leaf("Show what a run leaves to you, and decide.", "claims"),
        },
        default="list",
    ),
    "sources": Branch(
        "What citations lead to, and folders that are searched for sources.",
        {
            "fetch": Leaf("Fetch addresses as a run does, and show what they are.", "sources"),
            "score": Leaf("Score addresses from 0 to 100, with tier and reasons.", "sources"),
            "list": Leaf("Show what each address gave in a run, with its score.", "sources"),
            "cite": Leaf("Print the sources of a run or a document as citations.", "sources"),
            "diff": Leaf("Compare a run's sources with the live pages.", "sources"),
            "gaps": Leaf("Show what sources lack, and decide about it.", "sources_decide"),
            "review": Leaf("Go through the sources of a run that need a person.", "sources_decide"),
            "override": Leaf(
                "Approve a source of a run at a tier, or reject it.", "sources_decide"
            ),
            "index": Leaf(
                "Put a folder into the knowledge base, or what has changed in it.",
                "sources_search",
            ),
            "search": Leaf("Show the passages that come nearest to a claim.", "sources_search"),
        },
    ),
    "report": Branch(
        "A run, review, batch or experiment: as a page, in other formats, in order.",
        {
            "html": Leaf("Write the report as one HTML file.", "report"),
            "export": Leaf("Write it in a format that other tools read.", "report"),
            "log": Leaf("Show what happened in a run, in order.", "report"),
        },
        default="html",
    ),
    "pack": Branch(
        "A run and all that proves it as one file.",
        {
            "create": Leaf("Write a run and all that proves it into one file.", "report"),
            "verify": Leaf("Check everything in an evidence pack again.", "report"),
        },
        default="create",
    ),
    "serve": Branch(
        "Serve other programs, browsers and batches, until Ctrl-C.",
        {
            "mcp": Leaf("Offer this as tools to other programs (MCP).", "mcp"),
            "reports": Leaf("List and show the reports of a folder in a browser.", "report"),
            "jobs": Leaf("Work on the jobs of an engine.", "serve_jobs"),
            "limits": Leaf("Show and set what all workers may call.", "serve_jobs"),
        },
    ),
    "new": Branch("Files to start from.", {"agent": Leaf("Begin an agent of your own.", "new")}),
    "schema": Leaf("Print the JSON Schema of a file or of an output.", "new"),
    "doctor": Leaf("Show settings, backend, and what is missing.", "new"),
}
"""The commands in the order in which people meet them."""
RENAMED = {
    "review-queue": "claims decide",
    "kb add": "sources index",
    "kb search": "sources search",
    "kb": "sources",
    "log": "report log",
    "export": "report export",
    "verify-pack": "pack verify",
    "mcp": "serve mcp",
    "view": "serve reports",
    "worker": "serve jobs",
    "limits": "serve limits",
}
"""Deprecated names of commands, which still work, and the names that replace them."""
EPILOG = (
    "A bare `foureyes [options] INPUT` is `foureyes run`. Exit codes: 0 approved (or reviewed, "
    "without --require-approval), 1 not approved, 2 inconclusive, 3 budget, 4 failed or bad "
    "input, 130 cancelled."
)


class AllCommands(LazyGroup):
    """All commands."""

    tree = TREE
    default = "run"


app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    name="foureyes",
    cls=AllCommands,
    help="Nothing ships until two independent checkers have approved it.",
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def show_version(requested: bool) -> None:
    """Print the version and stop."""
    if requested:
        terminal.line(f"foureyes {__version__}")
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
    terminal.open_missing_streams()
    code = execute(sys.argv[1:])
    try:
        terminal.flush()
    except StorageError as error:
        terminal.error(error)
        code = ExitCode.FAILED
    sys.exit(code)


def execute(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code. Every expected error is one line on stderr."""
    try:
        show_begin(arguments)
        words = current_names(arguments)
        result: object = app(args=words, prog_name="foureyes", standalone_mode=False)
    except BudgetExceeded as error:
        terminal.error(error)
        return ExitCode.BUDGET
    except FoureyesError as error:
        terminal.error(error)
        return ExitCode.FAILED
    except typer.TyperException as error:
        context: typer.Context | None = getattr(error, "ctx", None)
        command = context.command_path if context else "foureyes"
        said = error.format_message().replace("Value error, ", "")
        # A file may begin like an option, too. A word that can't be a name makes `isfile` no error.
        files = [one for one in arguments if one[:1] == "-" and os.path.isfile(one)]
        hint = f"put -- before {files[0]!r} if it is a file" if files else f"see {command} --help"
        terminal.error(f"{said} ({hint})")
        return ExitCode.FAILED
    except (typer.Abort, asyncio.CancelledError):
        return ExitCode.CANCELLED
    except Exception as error:  # noqa: BLE001 - Python's exit code would be 1, "not approved"
        terminal.print_bug_report(error)
        return ExitCode.FAILED
    return result if isinstance(result, int) else ExitCode.OK


def show_begin(arguments: Sequence[str]) -> None:
    """Print on a terminal that a check has begun: its modules take a second to load.

    The next line overwrites it.
    """
    silent = {"--quiet", *GROUP_OPTIONS} & set(arguments)
    if arguments[:1] == ["check"] and not silent and sys.stderr.isatty():
        sys.stderr.write("foureyes: checking …\r")


def current_names(arguments: Sequence[str]) -> list[str]:
    """The arguments, with a deprecated command by its new name, which is told."""
    for old, new in RENAMED.items():
        words = old.split()
        if list(arguments[: len(words)]) == words:
            terminal.note(f"`foureyes {old}` is deprecated, use `foureyes {new}`")
            return [*new.split(), *arguments[len(words) :]]
    return list(arguments)
