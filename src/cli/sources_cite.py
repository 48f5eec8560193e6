"""The command `sources cite`: the sources of a run or a document as citations."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, assert_never

import typer

from ..assembly.settings import load_settings
from ..base.errors import InputError
from ..core.approval import ExitCode
from ..sources.scoring.citations import (
    CitationFormat,
    CitedSource,
    bibtex,
    citation_yaml,
    csl_json,
    footnotes,
    reference_list,
)
from .options import CommandGroup, Config, require_choice, with_settings
from .signals import run_until_stopped
from .sources_score import SCORE_OPTIONS
from .terminal import print_line, print_note

AUTO = "auto"


class CiteFormat(StrEnum):
    """Output format of citations."""

    YAML = "yaml"
    INLINE = "inline"
    FOOTNOTES = "footnotes"
    CSL_JSON = "csl-json"
    BIBTEX = "bibtex"


app = CommandGroup(rich_markup_mode=None)


@app.command(short_help="Print the sources of a run or a document as citations.")
@with_settings(SCORE_OPTIONS)
def cite(
    target: Annotated[
        Path, typer.Argument(metavar="RUN_DIR|DOC", help="A run directory or a Markdown document.")
    ],
    form: Annotated[
        str,
        typer.Option("--format", metavar="|".join(CiteFormat), help="How they are written."),
    ] = CiteFormat.YAML,
    citations: Annotated[
        str | None,
        typer.Option(
            "--citations",
            metavar="|".join((*CitationFormat, AUTO)),
            help="For yaml: how much a citation says. [default: auto, as the sources need it]",
        ),
    ] = None,
    config: Config = None,
    **flags: object,
) -> int:
    """Print what the delivered draft of a run, or a document, cites, in the order of mention."""
    from ..assembly.citing import document_citations, run_citations

    written = require_choice("--format", form, tuple(CiteFormat))
    if citations is not None:
        require_choice("--citations", citations, (*CitationFormat, AUTO))
        if written != CiteFormat.YAML:
            raise InputError("--citations is for --format yaml", "leave one of them out")
    loaded = load_settings(flags, config=config)
    try:
        if target.is_dir():
            found = run_citations(target, loaded)
        else:
            found = run_until_stopped(document_citations(target, loaded))
    except asyncio.CancelledError:
        return ExitCode.CANCELLED
    suits = found.form if citations in (None, AUTO) else CitationFormat(citations)
    note_left_out(found.unread)
    if not found.sources:
        return ExitCode.OK
    for line in format_citations(found.sources, CiteFormat(written), suits).splitlines():
        print_line(line)
    return ExitCode.OK


def note_left_out(urls: Iterable[str]) -> None:
    """Print a note for each source that is left out, so that no list passes for complete."""
    for url in urls:
        print_note(f"left out, because it could not be read: {url}")


def format_citations(
    sources: tuple[CitedSource, ...], form: CiteFormat, suits: CitationFormat
) -> str:
    """`sources` in the wanted form; `suits` is the YAML format."""
    match form:
        case CiteFormat.YAML:
            return citation_yaml(sources, suits)
        case CiteFormat.INLINE:
            return reference_list(sources)
        case CiteFormat.FOOTNOTES:
            return footnotes(sources)
        case CiteFormat.CSL_JSON:
            return csl_json(sources)
        case CiteFormat.BIBTEX:
            return bibtex(sources)
        case _:
            assert_never(form)
