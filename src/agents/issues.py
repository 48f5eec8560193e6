"""An issue as an agent fills it in, and the finding that code makes of it."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict, Field

from ..base.vocabulary import Correction, Finding, Location, ReviewCriterion, Severity, finding_id
from ..documents.parse import parse_document
from .replies import Places, SeverityWord, Words


class Issue(BaseModel):
    """One thing that is wrong with a draft: what an agent fills in, and a program gives.

    Code looks up where the `quote` stands; "" is for the document as a whole. A `replacement` takes
    the place of the quoted words, and of nothing else.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    quote: Words = Field(
        default="",
        json_schema_extra={"maxLength": 500},
        description='words copied exactly from the document, "" for the document as a whole',
    )
    problem: Words = Field(description="what is wrong, and why it matters to the reader")
    recommendation: Words = Field(default="", description="what would settle it")
    evidence: Words = Field(default="", description="what shows it")
    severity: SeverityWord = Field(
        default=Severity.HIGH,
        description="high sends the document back, medium weakens it, low is form",
    )
    replacement: Words | None = Field(
        default=None, description="the words to put in place of the quoted ones, if that settles it"
    )


def locate_issues(
    issues: Iterable[tuple[ReviewCriterion, Issue]], draft: str, origin: str
) -> tuple[Finding, ...]:
    """The issues of `origin` as findings at their places in `draft`, each place's worst once.

    A finding keeps its id as long as the same words are found fault with in the same way.
    """
    places = Places(parse_document(draft))
    found: dict[str, Finding] = {}
    for criterion, issue in issues:
        id_ = finding_id(criterion, issue.quote or issue.problem)
        if id_ in found and found[id_].problem != issue.problem:
            # Another issue at the same place.
            id_ = finding_id(criterion, f"{issue.quote} {issue.problem}")
        place = places.locate(issue.quote)
        finding = Finding(
            id=id_,
            severity=issue.severity,
            type=criterion,
            claim=issue.quote,
            problem=issue.problem,
            origin=origin,
            location=place,
            evidence=issue.evidence,
            recommendation=issue.recommendation,
            correction=_correction(place, issue.replacement),
        )
        known = found.get(id_)
        if known is None or finding.severity.rank < known.severity.rank:
            found[id_] = finding
    return tuple(found.values())


def _correction(place: Location | None, replacement: str | None) -> Correction | None:
    if place is None or replacement is None:
        return None
    return Correction(place.start, place.end, replacement)
