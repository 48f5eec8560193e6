"""Decisions of people about a run's claims: their file, and their effect on the votes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ..base.vocabulary import Recommendation, Severity
from ..claims.model import Claim
from ..sources.scoring.overrides import RecordFile
from ..verification.ledger.decisions import ReviewChoice, ReviewDecision
from .work import Examination

DECISIONS_FILE = "review_decisions.json"


def decisions_in(run_dir: Path) -> RecordFile[ReviewDecision]:
    """The decisions kept in a run directory."""
    return RecordFile(run_dir / DECISIONS_FILE, tuple[ReviewDecision, ...])


def decisions_before(run_dir: Path, sitting: int) -> tuple[ReviewDecision, ...]:
    """The decisions of a run directory that count in its sitting number `sitting`.

    Raises:
        StorageError: The file cannot be read or is damaged.
    """
    return tuple(one for one in decisions_in(run_dir).all() if one.sitting < sitting)


def settled_claims(made: Mapping[str, ReviewDecision]) -> frozenset[str]:
    """The claims that people let stand; `made` are the decisions that count."""
    return frozenset(id_ for id_, one in made.items() if one.choice is not ReviewChoice.REJECT)


def apply_decisions(examination: Examination, settled: frozenset[str]) -> Examination:
    """Remove the findings of `examination` about claims that people let stand.

    A critic of claims whose objections are settled so far that only those of low severity are left
    approves. A critical finding stays: a fabricated result can only be sourced or removed
    (decision 8).
    """
    if examination.assessments is None:
        return examination
    left = tuple(
        finding
        for finding in examination.findings
        if finding.claim_id not in settled or finding.severity is Severity.CRITICAL
    )
    if len(left) == len(examination.findings):
        return examination
    vote = examination.recommendation
    if all(finding.severity is Severity.LOW for finding in left):
        vote = Recommendation.APPROVE
    return replace(examination, findings=left, recommendation=vote)


def still_missing(
    not_fetched: Sequence[str], claims: Iterable[Claim], decided: Iterable[str]
) -> tuple[str, ...]:
    """Those of `not_fetched` that people's decisions do not make up for.

    An address is made up for if a claim cites it, and all that do are in `decided`, by their ids.
    """
    known = frozenset(decided)
    answered: set[str] = set()
    open_: set[str] = set()
    for claim in claims:
        (answered if claim.id in known else open_).update(
            one.target for one in claim.cited if one.target
        )
    return tuple(url for url in not_fetched if url in open_ or url not in answered)
