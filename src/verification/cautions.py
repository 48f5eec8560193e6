"""Supported claims that a person reads otherwise than code does.

Characters that cannot be seen or turn the direction of others, a picture in place of a word, and a
raised figure behind a number. A claim of these is a finding, and where it may read otherwise it is
not supported.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..base.as_read import JOINERS, UNSEEN
from ..base.vocabulary import Finding, Verdict
from ..claims.model import Claim
from ..documents.model import Document
from .assessing import issues
from .model import ClaimAssessment
from .registry import Registry

_MARKS = re.compile(f"[{UNSEEN}]|(?<=[\x00-\x7f])[{JOINERS}](?=[\x00-\x7f])")
# A soft hyphen and a byte order mark are left behind by programs, and nobody is deceived by them.
_HARMLESS = "\u00ad\ufeff"
_PICTURE = re.compile(r"!\[[^\]\n]{0,300}\][(\[]|<img\b", re.IGNORECASE)
_RAISED = re.compile(r"(?<!10)(?<![\d.,]10)(?<=\d)(?:[⁺⁻]|[₀-₉]|[⁰¹²³⁴-⁹]*⁰)")


def with_cautions(
    document: Document,
    claims: Sequence[Claim],
    assessments: Iterable[ClaimAssessment],
    registry: Registry,
) -> tuple[ClaimAssessment, ...]:
    """The assessments of `claims`, in order, with what a person would read otherwise held back."""
    return tuple(
        _cautioned(document, claim, one, registry)
        for claim, one in zip(claims, assessments, strict=True)
    )


def _cautioned(
    document: Document,
    claim: Claim,
    assessment: ClaimAssessment,
    registry: Registry,
) -> ClaimAssessment:
    written = document.text[claim.location.start : claim.location.end]
    marks = sorted(set(_MARKS.findall(written)) - set(_HARMLESS))
    if marks:
        names = ", ".join(
            f"U+{ord(mark):04X} {unicodedata.name(mark, '')}".strip() for mark in marks
        )
        problem = f"the sentence has characters that no reader sees: {names}"
        found = _finding(claim, problem, registry)
        kept = replace(assessment, findings=(*assessment.findings, found))
        turned = any(unicodedata.bidirectional(mark) in _TURNING for mark in marks)
        return _held_back(kept, problem) if turned else kept
    problem = _otherwise_read(document, claim)
    if assessment.verdict is not Verdict.SUPPORTED or not problem:
        return assessment
    found = _finding(claim, problem, registry)
    return _held_back(replace(assessment, findings=(*assessment.findings, found)), problem)


_TURNING = frozenset(("RLO", "LRO", "RLE", "LRE", "RLI", "LRI", "FSI", "PDF", "PDI"))


def _otherwise_read(document: Document, claim: Claim) -> str:
    if _PICTURE.search(_between_words(document, claim)):
        return "a picture stands within the sentence, and what it shows was not compared"
    if raised := _RAISED.search(claim.text):
        return f"a raised or lowered figure stands behind a number: {raised[0]}"
    return ""


def _between_words(document: Document, claim: Claim) -> str:
    words = [at for at, char in enumerate(claim.text) if char.isalnum()]
    if not words or not claim.anchors:
        return ""
    start, end = claim.source_span(words[0], words[-1] + 1)
    return document.text[start:end]


def _finding(claim: Claim, problem: str, registry: Registry) -> Finding:
    return replace(
        issues.unverifiable(claim, problem, registry.severity),
        problem=problem,
        evidence="",
        recommendation="write it so that it reads as it is meant",
    )


def _held_back(assessment: ClaimAssessment, problem: str) -> ClaimAssessment:
    """`assessment`; a supported claim is not supported for `problem`."""
    if assessment.verdict is not Verdict.SUPPORTED:
        return assessment
    return replace(
        assessment,
        verdict=Verdict.UNVERIFIABLE,
        reason=problem,
        decided=True,
        evidence=(),
        supported=None,
        contradicted=None,
    )
