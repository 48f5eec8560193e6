"""The command `claims`: what a document claims, and of what sort each claim is."""

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
from ..claims.model import Claim, DateSpan, Referent
from ..claims.tagging import SpacyTagger, with_tagged_entities
from ..documents.parse import parse_document
from ..review.originals import read_as_text
from .commands import CommandGroup
from .options import Json, argument, option, print_json, switch, with_settings
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
SpacyModel = Annotated[
    str | None,
    option(
        "--spacy",
        "MODEL",
        "Name more entities with a spaCy model of yours, installed or a folder; needs "
        "foureyes[spacy].",
    ),
]

app = CommandGroup()


@app.command()
@with_settings(("as_of", "registry_dir"))
def claims(
    document: Document,
    statements: Statements = False,
    spacy: SpacyModel = None,
    *,
    loaded: LoadedSettings,
    json: Json = False,
) -> int:
    """List the claims of DOC: kind, category, who can check it, names and numbers."""
    as_of = loaded.settings.as_of or datetime.now(UTC).date()
    parsed = parse_document(read_as_text(document))
    lexicon = load_lexicon(loaded.settings.registry_dir)
    found = detect_claims(parsed, lexicon, as_of=as_of, statements=statements)
    if spacy is not None:
        found = with_tagged_entities(found, SpacyTagger(spacy))
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
    yield from (f"“{one.text}”: {meaning(one)}" for one in claim.referents)
    yield from (f"“{day.text}”: {interval(day)}" for day in claim.dates if day.relative)
    if claim.entities:
        yield "; ".join(
            f"{entity.text} ({entity.type})" if entity.type else entity.text
            for entity in claim.entities
        )


def meaning(referent: Referent) -> str:
    """Name the antecedent of a word, as far as it is known."""
    if referent.certain:
        return referent.antecedent
    return f"perhaps {referent.antecedent}" if referent.antecedent else "not clear what is meant"


def interval(day: DateSpan) -> str:
    """The days that a date counted from another means."""
    days = f"{day.first} to {day.last}" if day.first < day.last else str(day.first)
    return f"{days} (the document states no date of its own)" if day.assumed else days


def summary(claims: Sequence[Claim]) -> str:
    """Count the claims, and those that are not checkable."""
    excluded = sum(bool(claim.exclusion) for claim in claims)
    return f"{counted(len(claims), 'claim')}, {excluded:,} of them not checkable"
