"""A document review as other tools read it: its findings at their places, and its claims."""

from __future__ import annotations

import bisect
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from ...base.errors import InputError
from ...base.finding import Location
from ...redteam.model import FlawKind, Lens
from ...review.contents import ReviewContents
from ...review.originals import OriginalKind
from ...review.store import READING_COPY
from ...sources.model import Source
from ..review_report import Appendix, ReportedFinding, ReportedPlace, review_report

FLAWS: Mapping[str, str] = MappingProxyType(
    {
        FlawKind.BROKEN_REFERENCE: "A reference to a place that the document does not have",
        FlawKind.DANGLING_NOTE: "A mark that leads to no note and no source",
        FlawKind.UNDEFINED_ACRONYM: "An acronym that is never spelled out",
        FlawKind.INCONSISTENT_NAME: "One thing under several names",
        FlawKind.INCONSISTENT_NUMBER: "A figure that differs from another place of the document",
        FlawKind.ARITHMETIC_ERROR: "Figures that do not come out",
        FlawKind.UNSUPPORTED_STATISTIC: "A statistic without a source",
        FlawKind.UNSUPPORTED_CONCLUSION: "A conclusion that nothing before it bears out",
        Lens.TEXTUAL: "Another fault of the text, in a reviewer's words",
        Lens.ANALYTICAL: "Another fault of the reasoning, in a reviewer's words",
        Lens.STRATEGIC: "Another fault of the whole, in a reviewer's words",
    }
)
"""What can be wrong: the kinds that rules know; for all else, the lens it was seen through."""


@dataclass(frozen=True, slots=True)
class NamedFinding:
    """A finding that is held; `flaw` is one of `FLAWS`.

    `fingerprint` stays as it is when lines move.
    """

    finding: ReportedFinding
    flaw: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class ReviewedDocument:
    """What the exports of a review are made from.

    `path` is the file that places are in: the document itself where lines are its own, else the
    reading copy, which reads `text`. `original` is the document's name. `unfinished` says in a line
    each what was not done, `ended` is when the review did.
    """

    path: str
    original: str
    text: str
    line_starts: tuple[int, ...]
    findings: tuple[NamedFinding, ...]
    appendix: Appendix | None
    sources: Mapping[str, Source]
    unfinished: tuple[str, ...]
    ended: datetime

    def location(self, place: ReportedPlace) -> Location | None:
        """`place` with its column; None for words that do not stand in the document."""
        if place.start is None or place.end is None:
            return None
        return self.between(place.start, place.end)

    def found(self, words: str) -> Location | None:
        """Where `words` stand first; None if they do not, or are none."""
        start = self.text.find(words) if words else -1
        return self.between(start, start + len(words)) if start >= 0 else None

    def between(self, start: int, end: int) -> Location:
        """The place `[start, end)`."""
        line = bisect.bisect_right(self.line_starts, start)
        return Location(line, start - self.line_starts[line - 1] + 1, start, end)


def reviewed_document(contents: ReviewContents) -> ReviewedDocument:
    """What a review directory holds, for the exports.

    Raises:
        InputError: Its findings are not compiled yet.
    """
    report, manifest = review_report(contents), contents.manifest
    if not report.compiled:
        raise InputError(
            f"the review of {manifest.original.name!r} has no findings yet",
            "go on with it first: `foureyes review --resume`",
        )
    own_lines = report.document.kind in (OriginalKind.MARKDOWN, OriginalKind.TEXT)
    return ReviewedDocument(
        manifest.original.name if own_lines else READING_COPY,
        manifest.original.name,
        contents.original.text,
        contents.original.line_starts,
        tuple(_named(report.findings)),
        report.appendix,
        {one.url: one for one in (contents.web.sources if contents.web else ())},
        tuple(f"{one.phase} {one.part}: {one.reason}" for one in report.not_done),
        manifest.ended or manifest.started,
    )


def _named(findings: Iterable[ReportedFinding]) -> Iterator[NamedFinding]:
    seen = Counter[str]()
    for one in findings:
        flaw = one.issue if one.issue in FLAWS else one.lens.value
        words = " ".join(one.quote.casefold().split())
        key = f"{one.lens}|{one.issue}|{words}".encode("utf-8", "surrogatepass")
        fingerprint = hashlib.sha256(key).hexdigest()[:16]
        # The same of the same words elsewhere is told apart by its order.
        seen[fingerprint] += 1
        again = f":{seen[fingerprint]}" if seen[fingerprint] > 1 else ""
        yield NamedFinding(one, flaw, fingerprint + again)
