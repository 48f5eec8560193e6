"""The deterministic check of a document: what `foureyes check` prints."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from ..base.finding import Finding
from ..base.vocabulary import Recommendation, Severity, Strictness
from ..claims.detect import detect_claims
from ..claims.model import Claim
from ..documents.model import Document
from ..sources.model import SourceSet
from .assessing.assess import assess_claim, read_ahead
from .assessing.own_figures import with_own_figures
from .cautions import with_cautions
from .gate.decision import decide_gate
from .gate.reads import read_statistics
from .ledger.building import build_ledger, inner_contradictions, link_contradictions
from .ledger.scores import accuracy_score, coverage
from .model import ClaimAssessment, GateResult, Ledger
from .registry import Registry
from .repair.planning import Repair, plan_repairs, with_repairs
from .severity import recommend, severity_counts
from .source_index import SourceIndex


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The result of a check. `findings` are in document order; `accuracy` is 0–100."""

    claims: tuple[Claim, ...]
    assessments: tuple[ClaimAssessment, ...]
    ledger: Ledger
    gate: GateResult
    findings: tuple[Finding, ...]
    recommendation: Recommendation
    severity_counts: Mapping[Severity, int]
    accuracy: float | None
    coverage: float | None
    repairs: tuple[Repair, ...] = ()


def check_document(
    document: Document,
    sources: SourceSet,
    registry: Registry,
    *,
    as_of: date,
    strictness: Strictness = Strictness.NORMAL,
    not_citable: Collection[str] = (),
) -> CheckReport:
    """Check every claim of `document` against the sources that it cites.

    Sources that it does not cite are only looked through for what an uncited claim could cite,
    those at the addresses `not_citable` not even for that. `as_of` is the day at which ages are
    measured (decision 16).

    Raises:
        SnapshotError: A readable source has no text.
    """
    claims = detect_claims(document, registry.lexicon, as_of=as_of)
    index = SourceIndex(sources, registry.lexicon)
    read_ahead(claims, index, registry, language=document.language)
    assessments = with_own_figures(
        document,
        claims,
        [
            assess_claim(claim, index, registry, as_of=as_of, language=document.language)
            for claim in claims
        ],
        registry,
    )
    assessments = with_cautions(document, claims, assessments, registry)
    repairs = plan_repairs(document, claims, assessments, index, registry, not_citable=not_citable)
    assessments = with_repairs(assessments, repairs)
    findings = sort_findings(
        finding for assessment in assessments for finding in assessment.findings
    )
    ledger = build_ledger(claims, assessments)
    ledger = link_contradictions(ledger, inner_contradictions(ledger, findings))
    reads = read_statistics(map(sources.source, document.cited_urls()))
    return CheckReport(
        claims=claims,
        assessments=assessments,
        ledger=ledger,
        gate=decide_gate(ledger, registry.gate, language=document.language, reads=reads),
        findings=findings,
        recommendation=recommend(findings, strictness, registry.severity),
        severity_counts=severity_counts(findings),
        accuracy=accuracy_score(ledger),
        coverage=coverage(ledger),
        repairs=repairs,
    )


def sort_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """`findings` by their place in the document, the worse first at one place."""
    return tuple(
        sorted(
            findings,
            key=lambda finding: (
                finding.location.start if finding.location else -1,
                finding.severity.rank,
                finding.id,
            ),
        )
    )
