"""The command `claims`: what a document claims, and of what sort each claim is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from ..base.counting import counted
from ..base.records import to_json
from ..core.approval import ExitCode
from .tables import Cell, Column, show_table
from .terminal import print_line

if TYPE_CHECKING:
    from ..claims.model import Claim, DateSpan, Referent

CLAIMS_OPTIONS = ("as_of", "registry_dir")
COLUMNS = (
    Column("line", right=True),
    Column("kind"),
    Column("category"),
    Column("checked by"),
    Column("claim", 1),
)


@dataclass(frozen=True, slots=True)
class Listing:
    """Options of the list: include plain `statements`, and add the names that a `tagger` finds."""

    statements: bool = False
    tagger: str | None = None


def list_claims(
    path: Path, registry: Path | None, as_of: date, options: Listing, *, as_json: bool
) -> int:
    """Print the claims of the document at `path`.

    Raises:
        DocumentError: The document cannot be read.
        RegistryError: A registry file is broken.
        InputError: There is no such tagger.
    """
    from ..claims.detect import detect_claims
    from ..claims.lexicon import load_lexicon
    from ..claims.model import Claim
    from ..claims.tagging import SpacyTagger, with_tagged_entities
    from ..documents.parse import parse_document
    from ..review.originals import read_as_text

    document = parse_document(read_as_text(path))
    lexicon = load_lexicon(registry)
    claims = detect_claims(document, lexicon, as_of=as_of, statements=options.statements)
    if options.tagger is not None:
        claims = with_tagged_entities(claims, SpacyTagger(options.tagger))
    if as_json:
        print_line(to_json(tuple[Claim, ...], claims, indent=None))
        return ExitCode.OK
    if claims:
        show_table(COLUMNS, map(row, claims))
    print_line(summary(claims))
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
