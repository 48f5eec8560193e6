"""The command `sources cite`: the sources of a run or a document as citations."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, assert_never

from ..assembly.citing import document_citations, run_citations
from ..assembly.model import LoadedSettings
from ..base.errors import InputError
from ..base.vocabulary import ExitCode
from ..sources.scoring.citations import (
    CitationFormat,
    CitedSource,
    bibtex,
    citation_yaml,
    csl_json,
    footnotes,
    reference_list,
)
from .commands import CommandGroup
from .options import argument, option, require_choice, with_settings
from .signals import run_until_stopped
from .sources_score import SCORE_OPTIONS
from .terminal import print_lines, print_note

AUTO = "auto"


class CiteFormat(StrEnum):
    """Output format of citations."""

    YAML = "yaml"
    INLINE = "inline"
    FOOTNOTES = "footnotes"
    CSL_JSON = "csl-json"
    BIBTEX = "bibtex"


Target = Annotated[Path, argument("RUN_DIR|DOC", "A run directory or a Markdown document.")]
Format = Annotated[str, option("--format", "|".join(CiteFormat), "How they are written.")]
Citations = Annotated[
    str | None,
    option(
        "--citations",
        "|".join((*CitationFormat, AUTO)),
        "For yaml: how much a citation says. [default: auto, as the sources need it]",
    ),
]

app = CommandGroup()


@app.command(short_help="Print the sources of a run or a document as citations.")
@with_settings(SCORE_OPTIONS)
def cite(
    target: Target,
    form: Format = CiteFormat.YAML,
    citations: Citations = None,
    *,
    loaded: LoadedSettings,
) -> int:
    """Print what the delivered draft of a run, or a document, cites, in the order of mention."""
    written = require_choice("--format", form, tuple(CiteFormat))
    if citations is not None:
        require_choice("--citations", citations, (*CitationFormat, AUTO))
        if written != CiteFormat.YAML:
            raise InputError("--citations is for --format yaml", "leave one of them out")
    if target.is_dir():
        found = run_citations(target, loaded)
    else:
        found = run_until_stopped(document_citations(target, loaded))
    suits = found.form if citations in (None, AUTO) else CitationFormat(citations)
    note_left_out(found.unread)
    if not found.sources:
        return ExitCode.OK
    print_lines(format_citations(found.sources, CiteFormat(written), suits).splitlines())
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
