"""A document review as annotations, as test cases and as reviewed claims."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from ...base.errors import InputError
from ...base.vocabulary import Severity, Verdict
from ...review.types import WebVerdict
from ..review_report import Appendix
from .claim_review import ReviewedClaim
from .json_text import Streamed
from .junit import case, claim_case, erred, failed, skipped, suites_xml
from .reviewed import NamedFinding, ReviewedDocument
from .web_annotation import Annotated, page_of, textual

_VERDICTS: Mapping[WebVerdict, Verdict] = MappingProxyType(
    {
        WebVerdict.CONFIRMED: Verdict.SUPPORTED,
        WebVerdict.CONTRADICTED: Verdict.CONTRADICTED,
        WebVerdict.DISPUTED: Verdict.DISPUTED,
    }
)
"""Those of a web check that are a rating of the claim."""


def review_annotations(document: ReviewedDocument) -> Mapping[str, Streamed]:
    """One annotation for each finding that is held, in their order.

    What was found outside is not there: nothing in such a page says to read the findings first.
    """
    said = (_annotated(one, document) for one in document.findings)
    return page_of(said, document.path, document.text, document.ended)


def review_junit(document: ReviewedDocument, fail_on: Severity) -> Iterator[str]:
    """A suite of the findings, and one of the claims that were looked up outside.

    A finding of `fail_on` or worse fails, as does a claim that is contradicted. What was not done
    is an error, and a claim that nothing settles is skipped.
    """
    suites = [(document.path, lambda: _findings(document, fail_on))]
    if (appendix := document.appendix) is not None:
        name = f"{document.path}: external verification"
        suites.append((name, lambda: _claims(name, document.path, appendix)))
    return suites_xml(suites)


def reviewed_claims(document: ReviewedDocument) -> Iterator[ReviewedClaim]:
    """The claims that sources outside the document decided.

    Raises:
        InputError: No claim was looked up.
    """
    if document.appendix is None:
        raise InputError(
            f"the review of {document.original!r} has looked up no claim",
            "go on with it, without --no-web",
        )
    return _decided(document.appendix)


def _decided(appendix: Appendix) -> Iterator[ReviewedClaim]:
    for one in appendix.checked:
        verdict, result = _VERDICTS.get(one.result.verdict), one.result
        # What only the document's own sources confirm confirms its citation and not the fact.
        if verdict is not None and result.sources and not result.circular:
            urls = tuple(source.evidence.url for source in result.sources)
            yield ReviewedClaim(one.claim.id, one.claim.statement, verdict, result.reason, urls)


def _annotated(one: NamedFinding, document: ReviewedDocument) -> Annotated:
    finding = one.finding
    tags = (one.flaw, finding.lens.value, finding.severity.value)
    bodies = [textual(tag, "tagging") for tag in tags]
    bodies.append(textual(finding.problem, "assessing"))
    if finding.defence is not None:
        answer = f"Defence ({finding.defence.outcome}): {finding.defence.argument}"
        bodies.append(textual(answer, "replying"))
    location = document.location(finding.place)
    span = (location.start, location.end) if location is not None else None
    return Annotated(("finding", one.fingerprint), span, tuple(bodies))


def _findings(document: ReviewedDocument, fail_on: Severity) -> Iterator[ET.Element]:
    whole = case(document.path, "every part of the review")
    if document.unfinished:
        erred(whole, "not_done", "; ".join(document.unfinished))
    yield whole
    for one in document.findings:
        finding = one.finding
        made = claim_case(
            document.path, document.path, finding.place.line, f"{finding.number} {finding.quote}"
        )
        if finding.severity.at_least(fail_on):
            failed(made, [(one.flaw, f"{finding.severity}: {finding.problem}")])
        yield made


def _claims(suite: str, path: str, appendix: Appendix) -> Iterator[ET.Element]:
    for one in appendix.checked:
        made = claim_case(suite, path, one.claim.place.line, one.claim.statement)
        result = one.result
        match result.verdict:
            case WebVerdict.CONTRADICTED | WebVerdict.DISPUTED:
                failed(made, [(result.verdict.value.lower(), result.reason)])
            case WebVerdict.UNVERIFIABLE:
                skipped(made, result.reason)
            case WebVerdict.CONFIRMED:
                pass
        yield made
