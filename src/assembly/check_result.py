"""Result of a check: findings, gate, exit code, and the copies that it can make."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields, replace
from pathlib import Path

from ..base.files import JsonResult, to_json
from ..base.printable import counted, notebook_html
from ..base.vocabulary import (
    ExitCode,
    FailCode,
    Finding,
    GateDecision,
    Severity,
    SourceState,
    Verdict,
)
from ..claims.accounting import SentenceCounts, SentenceRole
from ..claims.model import Claim
from ..core.draft_claims import match_claims
from ..core.record_folder import program_version
from ..documents.model import Document
from ..documents.parse import parse_document
from ..report.check_outcome import CheckOutcome, CheckRecord, CitedCopy, FixedCopy, ToldFinding
from ..report.citing import CitedText, MarkStyle, cite_bound_claims
from ..sources.model import Source
from ..sources.scoring.appraisal import rating
from ..sources.scoring.citations import CitedSource
from ..sources.scoring.model import Appraisal
from ..verification.check import CheckReport
from ..verification.gate.decision import NOTHING_TO_CHECK
from ..verification.ledger.binding import SourceBinding
from ..verification.model import ClaimAssessment, GateResult, Ledger, LedgerEntry
from ..verification.repair.planning import Repair, apply_repairs, changes

_ROUNDS = 6


@dataclass(frozen=True, slots=True, repr=False)
class CheckResult(JsonResult):
    """Result of a check. `path` is the document's, "" for a text.

    `appraisal` rates the sources; it changes no finding. `bindings` show what each
    claim rests on, `citable` how each source is cited, by its address. `folder` holds the local
    files that are cited, if no source was named at all. `unsearched_files` is the number
    of files in the named folders that are neither cited nor, being too many or too large, looked
    through for a source of what none settles.
    """

    path: str
    report: CheckReport
    sources: tuple[Source, ...]
    appraisal: Appraisal
    _: KW_ONLY
    document: Document
    bindings: tuple[SourceBinding, ...]
    citable: Mapping[str, CitedSource]
    _again: Callable[[Document], CheckReport]
    _regate: Callable[[Ledger], GateResult]
    folder: Path | None = None
    unsearched_files: int = 0

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding, in document order."""
        return self.report.findings

    @property
    def claims(self) -> tuple[LedgerEntry, ...]:
        """The claims with verdict, evidence and place, in document order."""
        return self.report.ledger.entries

    @property
    def exit_code(self) -> ExitCode:
        """The exit code of the command line, where findings of medium severity or worse fail."""
        return self.exit_code_for(Severity.MEDIUM)

    def exit_code_for(self, fail_on: Severity | None, accepted: Collection[str] = ()) -> ExitCode:
        """1 on a finding of `fail_on` or worse or a failed gate, else 2 if something is unchecked.

        Unchecked is a document with sources that were not fetched or are refused, and one that the
        gate leaves to a person. Findings whose ids are `accepted` and their claims do not count,
        and no finding does if `fail_on` is None.
        """
        counted = (finding for finding in self.findings if finding.id not in accepted)
        if fail_on and any(finding.severity.at_least(fail_on) for finding in counted):
            return ExitCode.NOT_APPROVED
        gate = self.gate
        if accepted:
            ledger, out = self.report.ledger, set(accepted)
            kept = tuple(one for one in ledger.entries if out.isdisjoint(one.finding_ids))
            gate = self._regate(replace(ledger, entries=kept))
        if gate.decision is GateDecision.FAIL and gate.fail_code is not FailCode.COVERAGE:
            return ExitCode.NOT_APPROVED
        whole = gate.decision is GateDecision.PASS or gate.rule == NOTHING_TO_CHECK
        unread = self.not_fetched or self.refused
        return ExitCode.OK if whole and not unread else ExitCode.INCONCLUSIVE

    def outcome(
        self,
        code: ExitCode,
        fixed: FixedCopy | None = None,
        cited: CitedCopy | None = None,
        accepted: Collection[str] = (),
    ) -> CheckOutcome:
        """Output of `check --json`, with this exit code and the copies that were written."""
        return CheckOutcome(
            foureyes=program_version(),
            document=self.path,
            exit_code=int(code),
            gate=self.gate,
            accuracy=self.report.accuracy,
            coverage=self.report.coverage,
            findings=tuple(detailed_findings(self.report)),
            not_fetched=tuple(source.url for source in self.not_fetched),
            refused=tuple(source.url for source in self.refused),
            sentences=SentenceCounts.of(self.report.sentences),
            unchecked=tuple(
                one for one in self.report.sentences if one.role is not SentenceRole.CHECKED
            ),
            sources=tuple(map(rating, self.appraisal.rated)),
            gaps=self.appraisal.gaps,
            bindings=self.bindings,
            fixed=fixed,
            cited=cited,
            accepted=tuple(sorted(accepted)),
            unsearched_files=self.unsearched_files,
        )

    def record(self, code: ExitCode) -> CheckRecord:
        """The outcome with all that it was concluded from."""
        ledger = self.report.ledger
        return CheckRecord(self.outcome(code), self.document.text, ledger.entries, self.sources)

    def model_dump_json(self) -> str:
        """The result as JSON text, by the published schema ``output-check``."""
        return to_json(CheckOutcome, self.outcome(self.exit_code), indent=None)

    def __repr__(self) -> str:
        """One line: the document, its gate, and how many claims and findings it has."""
        name = self.path or "text"
        return f"<CheckResult {name}: gate {self.gate.decision}, {self._numbers()}>"

    def _repr_html_(self) -> str:
        """The same for notebooks, with the gate's reason."""
        lines = (self.path or "text", self.gate.reason, self._numbers())
        return notebook_html(f"gate {self.gate.decision}", lines)

    def _numbers(self) -> str:
        return f"{counted(len(self.claims), 'claim')}, {counted(len(self.findings), 'finding')}"

    @property
    def gate(self) -> GateResult:
        """The gate's answer by the profile ``document``."""
        return self.report.gate

    @property
    def refused(self) -> tuple[Source, ...]:
        """Cited sources that may not be read, with the reason."""
        state = SourceState.REFUSED_BY_POLICY
        cited = {one.target for claim in self.report.claims for one in claim.cited}
        return tuple(one for one in self.sources if one.state is state and one.url in cited)

    @property
    def not_fetched(self) -> tuple[Source, ...]:
        """Cited addresses left out for mode, limit or network, with the reason."""
        missing = SourceState.NOT_FETCHED
        return tuple(source for source in self.sources if source.state is missing)

    def fixed(self) -> FixedDocument:
        """The document with the repairs that are certain, checked again.

        Raises:
            SnapshotError: A readable source has no text.
        """
        return fix_document(self.document, self.report, self._again)

    def cited(self, style: MarkStyle) -> CitedText:
        """The document with a mark behind each claim that a source bears out."""
        claims = self.report.claims
        return cite_bound_claims(self.document, claims, self.bindings, self.citable, style)


def detailed_findings(report: CheckReport) -> Iterator[ToldFinding]:
    """Every finding with what is known about its claim."""
    answers = {assessment.claim_id: assessment for assessment in report.assessments}
    repairs = {repair.finding_id: repair for repair in report.repairs}
    for finding in report.findings:
        answer = answers.get(finding.claim_id or "")
        yield ToldFinding(
            **{field.name: getattr(finding, field.name) for field in fields(Finding)},
            verdict=answer.verdict if answer else None,
            quotes=answer.evidence if answer else (),
            repair=repairs.get(finding.id),
        )


@dataclass(frozen=True, slots=True)
class FixedDocument:
    """A document with its automatic repairs made.

    `made` are in the order of the document, `left` wait for a person. `report` is that of `text`.
    """

    text: str
    made: tuple[Repair, ...]
    left: tuple[Repair, ...]
    report: CheckReport


def fix_document(
    document: Document, report: CheckReport, check: Callable[[Document], CheckReport]
) -> FixedDocument:
    """Make the automatic repairs of `report`, and take back those that do not hold.

    The repaired text is checked again. A repair holds if its finding is gone, the claim is
    supported, and every other claim is judged as before or supported. A claim that inherits a dead
    citation may end unverifiable by the source that replaces it: nothing had been read for it.

    Args:
        document: What was checked.
        report: The result.
        check: Checks another version of the document against the same sources.

    Raises:
        SnapshotError: A readable source has no text.
    """
    wanted = [repair for repair in report.repairs if repair.automatic]
    for _ in range(_ROUNDS):
        kept = frozenset(changes(wanted))
        made = [repair for repair in wanted if repair.correction in kept]
        text = apply_repairs(document.text, made)
        again = check(parse_document(text, document.words)) if made else report
        failed = _failed(document, report, again, made)
        if not failed:
            left = tuple(repair for repair in report.repairs if repair not in made)
            return FixedDocument(text, tuple(made), left, again)
        wanted = [repair for repair in made if repair not in failed]
    return FixedDocument(document.text, (), report.repairs, report)


def _failed(
    document: Document, before: CheckReport, after: CheckReport, made: Sequence[Repair]
) -> list[Repair]:
    matched = match_claims(before.claims, after.claims)
    now = {claim.id: one for claim, one in zip(matched, after.assessments, strict=True)}
    repaired = {repair.claim_id for repair in made}
    places = {claim.id: claim for claim in before.claims}
    types = {one.id: one.type for answer in before.assessments for one in answer.findings}
    failed = [
        repair for repair in made if not _holds(types[repair.finding_id], now.get(repair.claim_id))
    ]
    for claim, assessment in zip(before.claims, before.assessments, strict=True):
        other = now.get(claim.id)
        if claim.id not in repaired and (other is None or not _is_as_good(assessment, other)):
            failed += _near(document, claim, made, places)
    return failed


def _holds(type_: str, now: ClaimAssessment | None) -> bool:
    if now is None or any(finding.type == type_ for finding in now.findings):
        return False
    return now.verdict is Verdict.SUPPORTED


def _is_as_good(before: ClaimAssessment, now: ClaimAssessment) -> bool:
    unread = before.verdict is Verdict.SOURCE_UNAVAILABLE
    return now.verdict in (before.verdict, Verdict.SUPPORTED) or (
        unread and now.verdict is Verdict.UNVERIFIABLE
    )


def _near(
    document: Document, claim: Claim, made: Sequence[Repair], places: Mapping[str, Claim]
) -> Iterable[Repair]:
    def block(claim: Claim) -> int:
        return document.sentences[claim.sentence].block

    inside = [one for one in made if block(places[one.claim_id]) == block(claim)]
    if inside or not made:
        return inside
    start = claim.location.start
    return [min(made, key=lambda one: abs(places[one.claim_id].location.start - start))]
