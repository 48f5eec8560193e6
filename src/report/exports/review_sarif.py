"""A document review as SARIF: what is held against it, and apart what was found outside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from pydantic import JsonValue

from ...base.printable import visible
from ...base.vocabulary import Drift, Severity
from ...review.types import WebVerdict
from ..review_report import CheckedClaim
from .json_text import Streamed
from .model import Json
from .reviewed import FLAWS, NamedFinding, ReviewedDocument
from .sarif_parts import (
    FINGERPRINT,
    LEVELS,
    RANKS,
    SarifRun,
    artifact,
    evidence_place,
    message,
    place,
    related,
    sarif,
)

CLAIM_RULES: Mapping[str, tuple[str, Severity]] = MappingProxyType(
    {
        "claim_contradicted": ("An authoritative source says otherwise", Severity.HIGH),
        "claim_disputed": ("Sources do not agree on the claim", Severity.MEDIUM),
        "claim_outdated": ("Right once, and no longer", Severity.MEDIUM),
    }
)
"""What may come of looking a claim up, and how bad it is."""
_FLAW_INDEX = {id_: number for number, id_ in enumerate(FLAWS)}
_CLAIM_INDEX = {id_: number for number, id_ in enumerate(CLAIM_RULES)}


def review_sarif(document: ReviewedDocument, *, foureyes: str) -> Mapping[str, Streamed]:
    """The review as one log.

    Its first run holds the findings. What was looked up outside changes none of them and is a run
    of its own, which begins with the reading order (review spec, safety constraints 2 and 8).
    """
    artifacts = list(_artifacts(document))
    runs = [
        SarifRun(
            foureyes,
            FLAWS,
            artifacts,
            (_finding(one, document) for one in document.findings),
            warnings=document.unfinished,
            category="foureyes/review/",
        )
    ]
    if document.appendix is not None:
        rules = {id_: text for id_, (text, _) in CLAIM_RULES.items()}
        unread = [f"not read: {one.url}: {one.reason}" for one in document.appendix.unread]
        runs.append(
            SarifRun(
                foureyes,
                rules,
                artifacts,
                _claims(document),
                warnings=unread,
                category="foureyes/review/external-verification/",
                about=document.appendix.reading_order,
            )
        )
    return sarif(runs)


def _artifacts(document: ReviewedDocument) -> Iterator[Json]:
    """The file that places are in; beside a reading copy, the document that it is of."""
    yield {"location": artifact(document.path)}
    if document.path != document.original:
        yield {"location": artifact(document.original)}


def _finding(one: NamedFinding, document: ReviewedDocument) -> JsonValue:
    finding = one.finding
    said = [finding.problem]
    places: list[Json] = []
    if finding.defence is not None:
        said.append(f"Defence ({finding.defence.outcome}): {finding.defence.argument}")
        words = document.found(finding.defence.quote)
        if words is not None:
            there = place(words, document.text, document.path, 0)
            places.append({**there, "message": {"text": "said for the document"}})
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
    location = document.location(finding.place)
    return {
        "ruleId": one.flaw,
        "ruleIndex": _FLAW_INDEX[one.flaw],
        "level": LEVELS[finding.severity],
        "rank": RANKS[finding.severity],
        "message": message(_sentences(said)),
        "locations": [place(location, document.text, document.path, 0)],
        "partialFingerprints": {FINGERPRINT: one.fingerprint},
        "properties": properties,
        **related(places),
    }


def _claims(document: ReviewedDocument) -> Iterator[JsonValue]:
    assert document.appendix is not None
    for one in document.appendix.checked:
        rule = _rule_of(one)
        if rule is not None:
            yield _claim(one, rule, document)


def _rule_of(claim: CheckedClaim) -> str | None:
    match claim.result.verdict:
        case WebVerdict.CONTRADICTED:
            return "claim_contradicted"
        case WebVerdict.DISPUTED:
            return "claim_disputed"
        case WebVerdict.CONFIRMED | WebVerdict.UNVERIFIABLE:
            return "claim_outdated" if claim.result.drift is Drift.OUTDATED else None


def _claim(one: CheckedClaim, rule: str, document: ReviewedDocument) -> JsonValue:
    severity = CLAIM_RULES[rule][1]
    result = one.result
    said = [f"“{one.claim.statement}”: {result.reason}", result.temporal_note]
    location = document.location(one.claim.place)
    return {
        "ruleId": rule,
        "ruleIndex": _CLAIM_INDEX[rule],
        "level": LEVELS[severity],
        "rank": RANKS[severity],
        "message": message(_sentences(said)),
        "locations": [place(location, document.text, document.path, 0)],
        "partialFingerprints": {FINGERPRINT: f"{rule}/{one.claim.id}"},
        "properties": {
            "claimId": one.claim.id,
            "verdict": result.verdict.value,
            "drift": result.drift.value,
            "place": visible(one.claim.place.where),
        },
        **related([evidence_place(source.evidence) for source in result.sources]),
    }


def _sentences(said: list[str]) -> str:
    return " ".join(one.rstrip(".") + "." for one in said if one)
