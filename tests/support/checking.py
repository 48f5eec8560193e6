"""The public check of texts against files, without the network."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import Path

import foureyes
from foureyes import CheckResult
from foureyes.datatypes import ClaimAssessment, Document, ReaderName

AS_OF = date(2026, 3, 1)


def checked(text: str, sources: Iterable[str | Path] = ()) -> CheckResult:
    """The check of `text` against `sources` by rules alone."""
    return foureyes.check(text, sources=sources, fetch="none", reader="none")


def parsed(text: str, sources: Iterable[str | Path] = ()) -> Document:
    """The document that a check of `text` makes of it."""
    return checked(text, sources).document


def held_to(folder: Path, text: str, page: str, *, reader: str = "packaged") -> CheckResult:
    """The check of a document that cites `page.md` with this text."""
    (folder / "page.md").write_text(page, encoding="utf-8")
    return foureyes.check(
        text, sources=[folder], fetch="none", reader=ReaderName(reader), as_of=AS_OF
    )


def judged(folder: Path, claim: str, page: str, *, reader: str = "packaged") -> ClaimAssessment:
    """The assessment of a claim that cites a page with this text."""
    text = f"# Draft\n\n{claim.rstrip('.')} (page.md).\n"
    (found,) = held_to(folder, text, page, reader=reader).report.assessments
    return found
