"""The command `claims list`: what a document claims, and of what sort each claim is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from ..assembly.model import LoadedSettings
from ..base.printable import counted
from ..base.vocabulary import ExitCode
from ..claims.detect import detect_claims
from ..claims.lexicon import load_lexicon
from ..claims.model import Claim
from ..documents.parse import parse_document
from ..review.originals import read_as_text
from .commands import CommandGroup
from .options import Json, argument, print_json, switch, with_settings
from .tables import Cell, Column, show_table
from .terminal import print_line

COLUMNS = (
    Column("line", right=True),
    Column("kind"),
    Column("category"),
    Column("checked by"),
    Column("claim", 1),
)


Document = Annotated[Path, argument("DOC", "A Markdown, text or HTML file.")]
Statements = Annotated[
    bool,
    switch("--all", "List uncited statements without a number too, if they look worth checking."),
]
app = CommandGroup()


@app.command("list")
@with_settings(("as_of", "registry_dir"))
def list_(
    document: Document,
    statements: Statements = False,
    *,
    loaded: LoadedSettings,
    json: Json = False,
) -> int:
    """List the claims of DOC: kind, category, who can check it, names and numbers."""
    as_of = loaded.settings.as_of or datetime.now(UTC).date()
    parsed = parse_document(read_as_text(document))
    lexicon = load_lexicon(loaded.settings.registry_dir)
    found = detect_claims(parsed, lexicon, as_of=as_of, statements=statements)
    if json:
        print_json(tuple[Claim, ...], found)
        return ExitCode.OK
    if found:
        show_table(COLUMNS, map(row, found))
    print_line(summary(found))
    return ExitCode.OK


def row(claim: Claim) -> Sequence[Cell]:
    """A claim as the cells of its line."""
    return (
        str(claim.location.line),
        claim.kind,
        claim.topic,
        f"nobody: {claim.exclusion}" if claim.exclusion else claim.route,
        [(claim.text, ""), *((note, "dim") for note in notes(claim))],
    )


def notes(claim: Claim) -> Iterator[str]:
    """Yield further facts about the claim, one a line."""
    marks = (claim.materiality, claim.temporality, claim.polarity, f"cited: {claim.citation_state}")
    yield " · ".join(mark.lower() for mark in marks)
    if claim.entities:
        yield "; ".join(
            f"{entity.text} ({entity.type})" if entity.type else entity.text
            for entity in claim.entities
        )


def summary(claims: Sequence[Claim]) -> str:
    """Count the claims, and those that are not checkable."""
    excluded = sum(bool(claim.exclusion) for claim in claims)
    return f"{counted(len(claims), 'claim')}, {excluded:,} of them not checkable"
