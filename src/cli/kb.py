"""The commands `kb add` and `kb search`: folders into the knowledge base, passages out of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..assembly.settings import load_settings
from ..base.counting import counted
from ..base.errors import InputError
from ..base.records import to_json
from ..core.approval import ExitCode
from .options import CommandGroup, Config, Json, with_settings
from .tables import Column, show_table
from .terminal import print_line, print_note

if TYPE_CHECKING:
    from ..sources.knowledge.store import IndexReport, KnowledgePassage, Skipped

KB_OPTIONS = ("knowledge_base", "registry_dir")
SHOWN_SKIPS = 20
EXCERPT = 300
COLUMNS = (
    Column("score", right=True),
    Column("document", 1),
    Column("at", right=True),
    Column("passage", 3),
)

app = CommandGroup(
    name="kb",
    help="Folders of documents that are searched for sources.",
    rich_markup_mode=None,
)


@app.command(short_help="Index a folder, or what has changed in it.")
@with_settings(KB_OPTIONS)
def add(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Markdown, HTML, PDF and text files.")
    ],
    config: Config = None,
    json: Json = False,
    **flags: object,
) -> int:
    """Index FOLDER, or what has changed in it since it was last added."""
    from ..assembly.search import knowledge_base
    from ..base.registry import load_registry_file
    from ..sources.knowledge.store import IndexReport
    from ..sources.policy import FETCH_FILE, FetchPolicy

    settings = load_settings(flags, config=config).settings
    policy = load_registry_file(FetchPolicy, FETCH_FILE, settings.registry_dir)
    report = knowledge_base(settings).add(folder, policy)
    if json:
        print_line(to_json(IndexReport, report, indent=None))
        return ExitCode.OK
    for line in skip_lines(report.skipped):
        print_note(line)
    print_line(summary(report))
    return ExitCode.OK


@app.command(short_help="Show the passages that come nearest to a claim.")
@with_settings(KB_OPTIONS)
def search(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A claim, or words to look for.")],
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", min=1, max=100, help="Most passages.")
    ] = 5,
    config: Config = None,
    json: Json = False,
    **flags: object,
) -> int:
    """Show the passages of the added folders that come nearest to TEXT."""
    from ..assembly.search import knowledge_base
    from ..sources.knowledge.store import KnowledgePassage

    if not text.strip():
        raise InputError("there is nothing to look for", "give a claim in quotation marks")
    settings = load_settings(flags, config=config).settings
    passages = knowledge_base(settings).search(text, limit)
    if json:
        print_line(to_json(tuple[KnowledgePassage, ...], passages, indent=None))
    elif passages:
        show(passages)
    else:
        print_line("no passage holds any of these words")
    return ExitCode.OK


def summary(report: IndexReport) -> str:
    """The counts of `report` on one line."""
    return (
        f"{report.root}: {report.indexed:,} indexed ({counted(report.passages, 'passage')}), "
        f"{report.unchanged:,} unchanged, {report.removed:,} removed, "
        f"{len(report.skipped):,} skipped"
    )


def skip_lines(skipped: Sequence[Skipped]) -> Iterator[str]:
    """A line for each of the first files that were skipped, and how many more there are."""
    for skip in skipped[:SHOWN_SKIPS]:
        yield f"skipped {skip.path}: {skip.reason}"
    if len(skipped) > SHOWN_SKIPS:
        more = counted(len(skipped) - SHOWN_SKIPS, "more file was", "more files were")
        yield f"{more} skipped; --json lists all"


def show(passages: Sequence[KnowledgePassage]) -> None:
    """The passages as a table."""
    show_table(COLUMNS, map(passage_row, passages))


def passage_row(passage: KnowledgePassage) -> tuple[str, ...]:
    """Score, document, place, and the beginning of its text."""
    excerpt = passage.text[:EXCERPT] + ("…" if len(passage.text) > EXCERPT else "")
    return f"{passage.score:.2f}", passage.path, f"{passage.start:,}", excerpt
