"""Result of a check: findings, gate, exit code, and the copies that it can make."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, fields, replace
from pathlib import Path

from ..base.files import JsonResult, to_json
from ..base.printable import counted
from ..base.vocabulary import ExitCode, FailCode, Finding, GateDecision, Severity, SourceState
from ..claims.accounting import SentenceRole
from ..core.record_folder import program_version
from ..documents.model import Document
from ..report.check_outcome import CheckOutcome, CheckRecord, CitedCopy, FixedCopy, ToldFinding
from ..report.citing import CitedText, MarkStyle, cite_bound_claims
from ..report.sentence_counts import SentenceCounts
from ..sources.model import Source
from ..sources.scoring.appraisal import Appraisal, rating
from ..sources.scoring.citations import CitedSource
from ..verification.check import CheckReport
from ..verification.gate.decision import NOTHING_TO_CHECK
from ..verification.ledger.binding import SourceBinding
from ..verification.model import GateResult, Ledger, LedgerEntry
from .fixing import FixedDocument, fix_document


@dataclass(frozen=True, slots=True, repr=False)
class CheckResult(JsonResult):
    """Result of a check. `path` is the document's, "" for a text.

    `appraisal` rates the sources; it changes no finding. `bindings` show what each
    claim rests on, `citable` how each source is cited, by its address. `folder` holds the local
    files that are cited, if no source was named at all.
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
        gate = self._regate(_without(self.report.ledger, accepted)) if accepted else self.gate
        match gate.decision:
            case GateDecision.FAIL if gate.fail_code is not FailCode.COVERAGE:
                return ExitCode.NOT_APPROVED
            case GateDecision.PASS:
                whole = True
            case _:
                whole = gate.rule == NOTHING_TO_CHECK
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
        numbers = f"{counted(len(self.claims), 'claim')}, {counted(len(self.findings), 'finding')}"
        return f"<CheckResult {self.path or 'text'}: gate {self.gate.decision}, {numbers}>"

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
        """The document with the repairs that are certain, checked again."""
        return fix_document(self.document, self.report, self._again)

    def cited(self, style: MarkStyle) -> CitedText:
        """The document with a mark behind each claim that a source bears out."""
        claims = self.report.claims
        return cite_bound_claims(self.document, claims, self.bindings, self.citable, style)


def _without(ledger: Ledger, accepted: Collection[str]) -> Ledger:
    """`ledger` without the claims whose findings are accepted."""
    kept = (one for one in ledger.entries if not set(one.finding_ids) & set(accepted))
    return replace(ledger, entries=tuple(kept))


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
