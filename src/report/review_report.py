"""The report of a document review: as one record (`report.json`) and for a person (`report.md`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from pathlib import Path
from typing import Any

from ..base.vocabulary import Drift, Stance
from ..core.record_folder import program_version
from ..redteam.model import Lens
from ..review.compiling import span_of
from ..review.originals import Original, OriginalKind
from ..review.store import ReviewContents, ReviewStatus
from ..review.types import (
    CompiledFinding,
    CrossReference,
    Defence,
    ExcludedClaim,
    ExtractedClaim,
    GateDecision,
    KilledFinding,
    NotDone,
    RedFinding,
    WebResult,
    WebVerdict,
)
from ..sources.model import Source
from .wording import shortened

LAYOUT = 1
"""The version of `ReviewReport`; raised when a reader of the old one could not read it."""

READING_ORDER = (
    "Read the findings above first and make up your own mind about them. They rest on nothing but "
    "the words of the document. What follows was looked up outside: it may confirm, contradict or "
    "complicate what the document claims, but it is another kind of work, with other evidence and "
    "other ways to go wrong, and it has changed no finding."
)
"""The reading-order protocol (review spec, safety constraint 8)."""

TITLES: Mapping[Lens, str] = {
    Lens.TEXTUAL: "Textual findings",
    Lens.ANALYTICAL: "Analytical findings",
    Lens.STRATEGIC: "Strategic findings",
}
SHOWN_EXCLUDED = 100
_CELL_CHARS = 120
NO_MODEL = "by rules only; no language model has read the document"
DRIFTS: Mapping[Drift, str] = {
    Drift.OUTDATED: "right when it was written, and outdated now",
    Drift.NEVER_TRUE: "never true",
}

BESIDE_COLUMNS = ("claim", "document says", "source says", "verdict", "flagged", "findings")


@dataclass(frozen=True, slots=True)
class ReportedPlace:
    """Place of words: `[start, end)` and `line` in the reading copy, `where` in the original.

    `start` and `end` are None for words that do not stand in the document.
    """

    where: str
    line: int
    start: int | None
    end: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedFinding(RedFinding):
    """A finding in a report. `number` is "" for one that was killed before findings were numbered.

    `reason` says why it was dropped, `doubt` why a smoke tester doubts one that stands. `sha256`
    seals it.
    """

    place: ReportedPlace
    number: str = ""
    defence: Defence | None = None
    merged: int = 0
    reason: str = ""
    doubt: str = ""
    sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedClaim(ExtractedClaim):
    """A claim in a report; `reason` says why it failed its smoke test."""

    place: ReportedPlace
    reason: str = ""


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim and what was found outside for it; `number` counts from 1."""

    number: int
    claim: ReportedClaim
    result: WebResult

    @property
    def denied(self) -> bool:
        """Whether any source contradicts it, authoritative or not."""
        return any(one.evidence.stance is Stance.CONTRADICTS for one in self.result.sources)


@dataclass(frozen=True, slots=True)
class Appendix:
    """The external verification, which stands apart from the review (review spec, phase 4).

    `searches` counts the queries to a search provider, `sources` the addresses that were tried;
    those that could not be read are `unread`.
    """

    reading_order: str
    searches: int
    sources: int
    unread: tuple[Source, ...]
    checked: Sequence[CheckedClaim]
    cross_reference: CrossReference | None
    not_verified: Sequence[ReportedClaim]
    failed: Sequence[ReportedClaim]
    excluded: Sequence[ExcludedClaim]


@dataclass(frozen=True, slots=True)
class ReportedDocument:
    """The document under review; `sha256` is that of its bytes, the other of its reading copy."""

    name: str
    kind: OriginalKind
    sha256: str
    reading_copy_sha256: str


@dataclass(frozen=True, slots=True)
class ReviewReport:
    """``report.json``. `status` is None for a review that is under way or was interrupted.

    `killed` were refuted by their defence, `dropped` failed their smoke test. `appendix` is None
    without the web, and as long as claims have not been tested.
    """

    foureyes: str
    title: str
    document: ReportedDocument
    as_of: date
    started: datetime
    backend: str
    independent: bool
    status: ReviewStatus | None
    reason: str
    decision: GateDecision | None
    compiled: bool
    smoke_tested: bool
    web: bool
    findings: Sequence[ReportedFinding]
    killed: Sequence[ReportedFinding]
    dropped: Sequence[ReportedFinding]
    not_done: tuple[NotDone, ...]
    appendix: Appendix | None
    layout: int = LAYOUT


@dataclass(frozen=True, slots=True)
class ReviewOutcome:
    """A review for other programs. `report` is as in ``report.json``."""

    foureyes: str
    status: ReviewStatus | None
    reason: str
    exit_code: int
    review_dir: str
    report: ReviewReport


def review_outcome(contents: ReviewContents, review_dir: Path, code: int) -> ReviewOutcome:
    """Return the outcome of a review with these contents and this exit code."""
    return ReviewOutcome(
        foureyes=program_version(),
        status=contents.manifest.status,
        reason=contents.manifest.reason,
        exit_code=int(code),
        review_dir=str(review_dir),
        report=review_report(contents),
    )


def review_report(contents: ReviewContents) -> ReviewReport:
    """Return the report of a review's contents."""
    manifest, places = contents.manifest, Places(contents.original)
    sealed = manifest.sealed or {}
    compiled, tested = contents.compiled, contents.tested
    original = manifest.original
    return ReviewReport(
        foureyes=manifest.foureyes,
        title=manifest.title,
        document=ReportedDocument(
            original.name, original.kind, original.sha256, original.document_sha256
        ),
        as_of=manifest.as_of,
        started=manifest.started,
        backend=manifest.backend,
        independent=manifest.independent,
        status=manifest.status,
        reason=manifest.reason,
        decision=contents.decision,
        compiled=compiled is not None,
        smoke_tested=tested is not None,
        web=manifest.web,
        findings=tuple(
            places.finding(one, sha256=sealed.get(one.number, "")) for one in contents.findings
        ),
        killed=tuple(map(places.finding, compiled.killed if compiled else ())),
        dropped=tuple(
            places.finding(one.finding, reason=one.reason)
            for one in (tested.dropped if tested else ())
        ),
        not_done=manifest.not_done,
        appendix=_appendix(contents, places),
    )


def _appendix(contents: ReviewContents, places: Places) -> Appendix | None:
    if contents.claims is None or contents.web is None or contents.extraction is None:
        return None
    claims = {one.id: one for one in contents.claims.claims}
    results = contents.web.results
    looked_up = {one.claim_id for one in results}
    return Appendix(
        READING_ORDER,
        sum(bool(query.query) for query in contents.web.queries),
        len(contents.web.sources),
        tuple(one for one in contents.web.sources if not one.state.readable),
        tuple(
            CheckedClaim(number, places.claim(claims[one.claim_id]), one)
            for number, one in enumerate(results, start=1)
        ),
        contents.cross_reference,
        tuple(places.claim(one) for one in claims.values() if one.id not in looked_up),
        tuple(places.claim(one.claim, one.reason) for one in contents.claims.dropped),
        contents.extraction.excluded,
    )


class Places:
    """Findings and claims with their places in the original."""

    def __init__(self, original: Original) -> None:
        self._original = original

    def finding(self, one: CompiledFinding | KilledFinding, **more: Any) -> ReportedFinding:
        """A finding with its defence, its number if it has one, and `more` of its fields."""
        place = self.place(one.finding.quote, one.finding.line)
        if isinstance(one, CompiledFinding):
            more |= {"number": one.number, "merged": len(one.merged), "doubt": one.doubt}
        return ReportedFinding(**_fields(one.finding), place=place, defence=one.defence, **more)

    def claim(self, one: ExtractedClaim, reason: str = "") -> ReportedClaim:
        """A claim; `reason` is why it failed."""
        return ReportedClaim(**_fields(one), place=self.place(one.quote, one.line), reason=reason)

    def place(self, quote: str, line: int) -> ReportedPlace:
        """Return the place of `quote`, expected in `line`."""
        span = span_of(quote, line, self._original)
        if span is None:
            return ReportedPlace(f"said to be in line {line}", line, None, None)
        return ReportedPlace(self._original.place(span[0]), line, *span)


def _fields(record: RedFinding | ExtractedClaim) -> dict[str, Any]:
    return {one.name: getattr(record, one.name) for one in fields(record)}


def beside_rows(appendix: Appendix, cross: CrossReference) -> Iterator[tuple[str, ...]]:
    """The claims that a source supports or contradicts, with the findings about them."""
    numbers = {one.claim.id: one.number for one in appendix.checked}
    for row in cross.rows:
        if row.verdict is not WebVerdict.UNVERIFIABLE:
            yield (
                f"{numbers.get(row.claim_id, '')}: {shortened(row.claim, _CELL_CHARS)}",
                shortened(row.document_says, _CELL_CHARS),
                shortened(row.web_says, _CELL_CHARS),
                row.verdict.value,
                {True: "yes", False: "no", None: "–"}[row.red_caught],
                ", ".join(row.findings) or "–",
            )
