"""Records of the agents' answers, as the run directory keeps them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import Field, JsonValue

from ..base.files import to_json
from ..base.vocabulary import Finding, Recommendation, Severity, Verdict
from .config import Config


class Artefact(Config):
    """Base of every artefact: frozen, and unknown keys are refused."""


class IssueRecord(Artefact):
    """One issue of a critic, as the fact-checker spec lays it out.

    `line` is its line in the document, from 1; None for an issue of the whole document.
    """

    id: str
    severity: Severity
    type: str
    claim: str
    location: str
    line: int | None = None
    problem: str
    evidence: str
    recommendation: str
    claim_id: str | None = None
    origin: str


class SeverityCounts(Artefact):
    """How many issues there are of each severity; each issue is counted once.

    `critical`, `high`, `medium` and `low` count the issues of that severity.
    """

    critical: int = 0
    high: int = 0
    medium: int = 0
    low: int = 0


def count_severities(findings: Iterable[Finding]) -> SeverityCounts:
    """How many findings there are of each severity."""
    return SeverityCounts(**Counter(finding.severity.value for finding in findings))


class Analysis(Artefact):
    """The analyst's document."""

    markdown: str


class CriterionScore(Artefact):
    """A score, or None with the reason why it cannot be judged.

    `score` is from 0, the worst, to 1, the best.
    """

    score: float | None = Field(ge=0, le=1)
    reason: str


class ReviewerFeedback(Artefact):
    """`reviewer_feedback_iteration_N.json`. Counts and recommendation are computed by code.

    `read_coverage` is the share of its files that the reviewer opened, 0 to 1.
    """

    recommendation: Recommendation
    stated_recommendation: Recommendation | None
    recommendation_reason: str
    timestamp: str
    analysis_path: str
    summary: str
    criteria: dict[str, CriterionScore]
    strengths: list[str]
    issues: list[IssueRecord]
    severity_counts: SeverityCounts
    read_coverage: float
    top_priorities: list[str]
    basis: str


class OwnAgentReport(Artefact):
    """`NAME_iteration_N.json` of a declared agent: its filled form and what code made of it."""

    recommendation: Recommendation
    veto: bool
    issues: list[IssueRecord]
    severity_counts: SeverityCounts
    form: JsonValue
    read_coverage: float
    basis: str


class VerificationResults(Artefact):
    """Sourced claims by verification state (fact-checker spec).

    `verified_true`, `verified_false` and `unverifiable` count those of the claims that were
    checked.
    """

    verified_true: int
    verified_false: int
    unverifiable: int


class FactCheckSummary(Artefact):
    """The counts of a fact check, computed by code. Scores are percentages, None when undefined.

    `total_claims` counts the checkable claims, `sourced_claims` and `unsourced_claims` those of
    them with and without a citation, `unchecked_claims` those of them that nobody answered for or
    that nothing could be compared with. `not_checkable_claims` are counted beside them.

    `accuracy_score` (0–100) is the share of the checked claims with a source that are true,
    `coverage` (0–100) that of the checkable claims that were checked.

    `citations_checked` counts the cited addresses that were fetched or tried, `citations_working`
    those that could be read; each address counts once.
    """

    total_claims: int
    sourced_claims: int
    unsourced_claims: int
    not_checkable_claims: int
    unchecked_claims: int
    verification_results: VerificationResults
    accuracy_score: float | None
    coverage: float | None
    citations_checked: int
    citations_working: int
    severity_counts: SeverityCounts


class EvidenceRecord(Artefact):
    """An exact quote in a snapshot; code copied it from the passage that the agent named.

    `[start, end)` is the place of the quote in the snapshot's extracted text, in characters.
    """

    url: str
    sha256: str
    quote: str
    start: int
    end: int
    stance: str


class ClaimVerdict(Artefact):
    """One claim's slot, filled. `verification` is the spec's word for verdict and citation.

    `line` is the line of the document in which the claim starts, from 1.
    """

    text: str
    location: str
    line: int
    kind: str
    cited: list[str]
    citation_state: str
    verdict: Verdict
    verification: str
    stated_verdict: Verdict | None
    reason: str
    checked: bool
    decided_by: str
    evidence: list[EvidenceRecord]


class AdditionalClaim(Artefact):
    """A claim the detector missed, quoted exactly from the document by the fact checker.

    `line` is the line of the document in which the quote starts, from 1; 1 too where it was not
    found.
    """

    quote: str
    line: int
    verdict: Verdict
    reason: str
    evidence: EvidenceRecord | None = None


class VerificationDetails(Artefact):
    """Counts of the fact check's work, made by code.

    `webfetch_attempts` counts the sources that were asked for and the agent's own fetches,
    `webfetch_successful` the sources that could be read. `websearch_fallbacks` counts none, 0: no
    search takes the place of a page. `processing_time_seconds` is the wall time of the turns in
    seconds, added up. `batches` counts the parts into which the claims were put, `failed_batches`
    those that got no answer.
    """

    webfetch_attempts: int
    webfetch_successful: int
    websearch_fallbacks: int
    processing_time_seconds: float
    batches: int
    failed_batches: int


class StatedSummary(Artefact):
    """The agent's own statement where code computes; kept for comparison."""

    recommendation: Recommendation | None = None
    recommendation_reason: str = ""


class FactCheck(Artefact):
    """`fact_check_iteration_N.json`: every field of the spec, plus one entry a claim."""

    recommendation: Recommendation
    stated_recommendation: Recommendation | None
    recommendation_reason: str
    timestamp: str
    analysis_path: str
    summary: FactCheckSummary
    issues: list[IssueRecord]
    claims: dict[str, ClaimVerdict]
    additional_claims: list[AdditionalClaim]
    verification_details: VerificationDetails
    top_priorities: list[str]
    stated: list[StatedSummary]
    basis: str


class Judgement(Artefact):
    """`judgement.json` (decision 9)."""

    recommendation: Recommendation
    stated_recommendation: Recommendation | None
    summary: str
    criteria: dict[str, CriterionScore]
    open_findings: list[IssueRecord]
    timestamp: str
    basis: str


@dataclass(frozen=True, slots=True)
class ArtefactFile:
    """A file for the run directory's `iterations/` folder."""

    name: str
    text: str


def issue_record(finding: Finding) -> IssueRecord:
    """A finding as it stands in an artefact."""
    return IssueRecord(
        id=finding.id,
        severity=finding.severity,
        type=finding.type.value,
        claim=finding.claim,
        location=str(finding.location) if finding.location else "whole document",
        line=finding.location.line if finding.location else None,
        problem=finding.problem,
        evidence=finding.evidence,
        recommendation=finding.recommendation,
        claim_id=finding.claim_id,
        origin=finding.origin,
    )


def artefact_file(name: str, record: object) -> ArtefactFile:
    """`record` as the JSON file `name`."""
    return ArtefactFile(name, to_json(type(record), record) + "\n")
