"""The deterministic check of a document: what `foureyes check` prints."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from ..base.vocabulary import Finding, IssueType, Recommendation, Severity, Strictness, by_place
from ..claims.accounting import AccountedSentence, account
from ..claims.detect import detect
from ..claims.document_day import day_written
from ..claims.model import Claim
from ..documents.model import Document
from ..documents.scope import is_technical
from ..sources.model import SourceSet
from .assessing.assess import assess_claim, read_ahead
from .assessing.issues import OWN_FIGURES
from .cautions import led_on, partly_read, told_once, with_cautions, with_own_figures
from .elsewhere import OtherSources
from .gate.decision import decide_gate, read_statistics
from .ledger.building import accuracy_score, build_ledger, coverage
from .model import ClaimAssessment, GateResult, Ledger
from .passages.retrieval import SourceIndex
from .registry import Registry
from .repair.planning import Repair, plan_repairs, unsourced, weigh_uncited, with_repairs
from .severity import recommend, severity_counts

CONTRADICTIONS = (IssueType.VERIFIED_FALSE, IssueType.NUMERIC_ERROR, IssueType.ALTERED_QUOTE)
"""Issue types for a claim that a source contradicts."""
_AT_ONCE = 32

Progress = Callable[[int, int], None]
"""Called with how many claims are compared, and of how many."""


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The result of a check. `findings` are in document order; `sentences` are all of the body.

    `accuracy` (0–100) is the share of the checked claims with a source that are true, `coverage`
    (0–1) that of the checkable claims that were checked, None where there are none.
    `severity_counts` counts the findings of each severity.

    There is one finding for each sentence that has any, and one for each contradicted claim. The
    assessments keep all of them.
    """

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
    sentences: tuple[AccountedSentence, ...] = ()


def check_document(
    document: Document,
    sources: SourceSet,
    registry: Registry,
    *,
    as_of: date,
    strictness: Strictness = Strictness.NORMAL,
    not_citable: Collection[str] = (),
    progress: Progress | None = None,
) -> CheckReport:
    """Check every claim of `document` against the sources that it cites.

    Sources that it does not cite are only looked through for what an uncited claim could cite,
    those at the addresses `not_citable` not even for that. `as_of` is the day at which ages are
    measured (decision 16). `progress` is called now and then; what it raises ends the check.

    Raises:
        SnapshotError: A readable source has no text.
    """
    detection = detect(document, registry.lexicon, as_of=as_of, statements=True)
    claims = detection.claims
    index = SourceIndex(sources, registry.lexicon)
    compared: list[ClaimAssessment] = []
    written, language = day_written(document, registry.lexicon), document.language
    for at in range(0, len(claims), _AT_ONCE):
        if progress is not None:
            progress(at, len(claims))
        some = claims[at : at + _AT_ONCE]
        read_ahead(some, index, registry, language=language)
        compared += (
            assess_claim(claim, index, registry, as_of=as_of, written=written, language=language)
            for claim in some
        )
    if progress is not None:
        progress(len(claims), len(claims))
    assessments, repairs = refine_assessments(
        document, claims, compared, index, registry, written=written, not_citable=not_citable
    )
    cited = document.cited_urls()
    findings = merge_findings(claims, assessments)
    ledger = build_ledger(claims, assessments)
    reads = read_statistics(map(sources.source, cited))
    return CheckReport(
        claims=claims,
        assessments=assessments,
        ledger=ledger,
        gate=decide_gate(ledger, registry.gate, language=language, reads=reads),
        findings=findings,
        recommendation=recommend(findings, strictness, registry.severity),
        severity_counts=severity_counts(findings),
        accuracy=accuracy_score(ledger),
        coverage=coverage(ledger),
        repairs=repairs,
        sentences=account(document, detection, unsourced(assessments)),
    )


def refine_assessments(
    document: Document,
    claims: Sequence[Claim],
    assessments: Sequence[ClaimAssessment],
    index: SourceIndex,
    registry: Registry,
    *,
    written: date | None,
    not_citable: Collection[str] = (),
) -> tuple[tuple[ClaimAssessment, ...], tuple[Repair, ...]]:
    """`assessments`, made claim by claim, seen in the whole document; and the repairs for them.

    `written` is the day that the document is of, None if it does not say.

    Raises:
        SnapshotError: A readable source has no text.
    """
    found = [partly_read(*one, index.sources) for one in zip(claims, assessments, strict=True)]
    found = with_own_figures(document, claims, found, registry)
    policy, technical = registry.severity, is_technical(document)
    found = told_once(claims, found, policy)
    judged = zip(claims, found, strict=True)
    found = [led_on(document, *one, policy, technical=technical) for one in judged]
    found = with_cautions(document, claims, found, registry)
    others = OtherSources(index, registry, not_citable=not_citable, language=document.language)
    repairs = plan_repairs(document, claims, found, others, written=written)
    found = with_repairs(found, repairs)
    return weigh_uncited(claims, found, repairs, policy, technical=technical), repairs


def merge_findings(
    claims: Sequence[Claim], assessments: Sequence[ClaimAssessment]
) -> tuple[Finding, ...]:
    """The findings of `assessments`, those of `claims` in the same order; one defect makes one.

    What else is wrong with a sentence stands under the worst finding against it. Claims of one
    sentence that are contradicted keep a finding each.
    """
    of_sentence: dict[int, list[Finding]] = {}
    for claim, assessment in zip(claims, assessments, strict=True):
        of_sentence.setdefault(claim.sentence, []).extend(assessment.findings)
    every = (sorted(found, key=by_place) for found in of_sentence.values())
    merged = (one for found in every for one in _merged(found))
    return tuple(sorted(merged, key=by_place))


def _merged(findings: Sequence[Finding]) -> Iterator[Finding]:
    worst = sorted(findings, key=lambda one: one.severity.rank)
    if not worst:
        return
    heads: dict[str | None, Finding] = {}
    for one in worst:
        if one.type in CONTRADICTIONS:
            heads.setdefault(one.claim_id, one)
    main = next(iter(heads.values()), worst[0])
    heads.setdefault(main.claim_id, main)
    for head in heads.values():
        under = (one for one in worst if heads.get(one.claim_id, main) is head and one is not head)
        added = dict.fromkeys(_added_text(head, one) for one in under)
        yield replace(head, also=tuple(filter(None, added)))


def _added_text(head: Finding, one: Finding) -> str:
    """Text that `one` adds to `head`; "" if both report the same problem of the same words."""
    about = "" if one.claim == head.claim else f" (“{one.claim}”)"
    if one.problem == head.problem and not about:
        return ""
    # Without its working a sum can't be followed.
    working = f": {one.evidence}" if one.type in OWN_FIGURES else ""
    return f"{one.problem}{working}{about}"
