"""The commands `sources index` and `search`: the knowledge base filled and searched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from ..assembly.model import LoadedSettings
from ..assembly.search import knowledge_base
from ..base.errors import InputError
from ..base.printable import counted
from ..base.registry import load_registry_file
from ..sources.knowledge.base import IndexReport, KnowledgePassage
from ..sources.local_files import Skipped
from ..sources.policy import FETCH_FILE, FetchPolicy
from . import terminal
from ._options import CommandGroup, JsonOptions, argument, option
from .terminal import Column

KB_OPTIONS = ("knowledge_base", "registry_dir")
SHOWN_SKIPS = 20
EXCERPT = 300
COLUMNS = (
    Column("score", right=True),
    Column("document", 1),
    Column("at", right=True),
    Column("passage", 3),
)

app = CommandGroup()


class IndexOptions(JsonOptions):
    """Options of `sources index`."""

    folder: Annotated[Path, argument("FOLDER")]
    """Markdown, HTML, PDF and text files."""


@app.command(settings=KB_OPTIONS)
def index(options: IndexOptions, loaded: LoadedSettings) -> None:
    """Put FOLDER into the knowledge base, or what has changed in it since it was put there."""
    settings = loaded.settings
    policy = load_registry_file(FetchPolicy, FETCH_FILE, settings.registry_dir)
    report = knowledge_base(settings).add(options.folder, policy)
    if options.as_json:
        options.print_json(IndexReport, report)
        return
    for line in skip_lines(report.skipped):
        terminal.note(line)
    terminal.line(summary(report))


class SearchOptions(JsonOptions):
    """Options of `sources search`."""

    text: Annotated[str, argument("TEXT")]
    """A claim, or words to look for."""
    limit: Annotated[int, option("N", min=1, max=100)] = 5
    """Most passages."""


@app.command(settings=KB_OPTIONS)
def search(options: SearchOptions, loaded: LoadedSettings) -> None:
    """Show the passages of the indexed folders that come nearest to TEXT."""
    if not options.text.strip():
        raise InputError("there is nothing to look for", "give a claim in quotation marks")
    passages = knowledge_base(loaded.settings).search(options.text, options.limit)
    if options.as_json:
        options.print_json(tuple[KnowledgePassage, ...], passages)
    elif passages:
        terminal.table(COLUMNS, map(passage_row, passages))
    else:
        terminal.line("no passage holds any of these words")


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


def passage_row(passage: KnowledgePassage) -> tuple[str, ...]:
    """Score, document, place, and the beginning of its text."""
    excerpt = passage.text[:EXCERPT] + ("…" if len(passage.text) > EXCERPT else "")
    return f"{passage.score:.2f}", passage.path, f"{passage.start:,}", excerpt
