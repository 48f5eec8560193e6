"""SARIF 2.1.0 (OASIS): findings for code scanning and editors."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.printable import visible
from ...base.vocabulary import Drift, Severity
from ...review.types import WebVerdict
from ..review_report import CheckedClaim
from .documents import ExportedRecord, NamedFinding, ReviewedDocument
from .model import Json
from .sarif_log import (
    LogFile,
    evidence_place,
    log_pieces,
    log_result,
    log_run,
    message,
    sarif_log,
    sarif_rules,
    sentences,
)


def export(record: ExportedRecord) -> Iterator[str]:
    """Yield the log of the document of `record`."""
    document = record.document
    if isinstance(document, ReviewedDocument):
        return review_sarif(document)
    return sarif_log([document])


def review_sarif(document: ReviewedDocument) -> Iterator[str]:
    """Return the review as one log.

    The first run contains the findings. The external verification changes none of them and is a
    separate run, which begins with the reading order (review spec, safety constraints 2 and 8).
    Places are in the first file; after a reading copy, the original document is listed, too.
    """
    paths = [*dict.fromkeys((document.path, document.original))]
    file = LogFile(document.path, document.text)
    findings = (_reviewed_finding(one, document, file) for one in document.findings)
    details: Json = {"id": "foureyes/review/"}
    runs = [log_run(sarif_rules().review, paths, findings, details, warnings=document.unfinished)]
    if (appendix := document.appendix) is not None:
        results = (
            _looked_up(one, rule, document, file)
            for one in appendix.checked
            if (rule := _rule_of(one)) is not None
        )
        unread = [f"not read: {one.url}: {one.reason}" for one in appendix.unread]
        order = message(appendix.reading_order)
        details = {"id": "foureyes/review/external-verification/", "description": order}
        runs.append(log_run(sarif_rules().outside, paths, results, details, warnings=unread))
    return log_pieces(runs)


def _reviewed_finding(one: NamedFinding, document: ReviewedDocument, file: LogFile) -> Json:
    finding, defence = one.finding, one.finding.defence
    answer, words = "", None
    if defence is not None:
        answer = f"Defence ({defence.outcome}): {defence.argument}"
        words = document.found(defence.quote)
    properties: Json = {
        "number": finding.number,
        "lens": finding.lens.value,
        "issue": visible(finding.issue),
        "severity": finding.severity.value,
        "place": visible(finding.place.where),
        "byRules": finding.by_rules,
    }
    if finding.doubt:
        properties["doubt"] = visible(finding.doubt)
    if finding.sha256:
        properties["sealedSha256"] = finding.sha256
    return log_result(
        one.flaw,
        finding.severity,
        sentences(finding.problem, answer),
        file.place(document.location(finding.place)),
        one.fingerprint,
        properties,
        [file.place(words, "said for the document")] if words is not None else (),
    )


def _rule_of(claim: CheckedClaim) -> str | None:
    match claim.result.verdict:
        case WebVerdict.CONTRADICTED:
            return "claim_contradicted"
        case WebVerdict.DISPUTED:
            return "claim_disputed"
        case WebVerdict.CONFIRMED | WebVerdict.UNVERIFIABLE:
            return "claim_outdated" if claim.result.drift is Drift.OUTDATED else None


def _looked_up(one: CheckedClaim, rule: str, document: ReviewedDocument, file: LogFile) -> Json:
    result, claim = one.result, one.claim
    return log_result(
        rule,
        Severity.HIGH if rule == "claim_contradicted" else Severity.MEDIUM,
        sentences(f"“{claim.statement}”: {result.reason}", result.temporal_note),
        file.place(document.location(claim.place)),
        f"{rule}/{claim.id}",
        {
            "claimId": claim.id,
            "verdict": result.verdict.value,
            "drift": result.drift.value,
            "place": visible(claim.place.where),
        },
        [evidence_place(source.evidence) for source in result.sources],
    )
