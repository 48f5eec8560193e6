"""Records of one iteration: evidence, findings, decisions, results, and the files that hold them.

With the drafts, the claims and `verify/` they make the run directory enough for a report.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Protocol, TypeVar

from ..base.errors import RunDirectoryError
from ..base.files import RecordFile
from ..base.vocabulary import (
    Finding,
    GateDecision,
    Recommendation,
    ReviewCriterion,
    Severity,
    Verdict,
    finding_id,
)
from ..claims.accounting import AccountedSentence
from ..claims.model import Claim
from ..documents.model import Document
from ..sources.model import Source
from ..sources.scoring.appraisal import reliability
from ..sources.scoring.model import Appraisal
from ..verification.model import ClaimAssessment, Evidence, GateResult, Ledger
from .artefacts import ArtefactFile, artefact_file
from .critique import Critique, Quality
from .gaps import DeepeningPlan, GapAnalysis
from .review_queue import ReviewChoice, ReviewDecision
from .tasks import Error, FailureKind, digest
from .work import EvidenceTools, Examination, IterationEvidence

T = TypeVar("T")

STALL_AFTER = 2
"""Iterations in a row in which no finding was resolved before the loop stalls."""

RANKS = {severity: severity.rank for severity in Severity}


@dataclass(frozen=True, slots=True)
class FindingChanges:
    """How the findings of an iteration compare with those of the one before, by id.

    `new` counts those that only this one has, `resolved` those that only the one before had,
    `recurring` those of both. In the first iteration all are new.
    """

    new: int = 0
    resolved: int = 0
    recurring: int = 0


def merge_findings(groups: Iterable[Iterable[Finding]]) -> tuple[Finding, ...]:
    """Every finding once, worst first, then in document order.

    Of two with the same id the worse is kept, and of equals the first.
    """
    kept: dict[str, Finding] = {}
    for group in groups:
        for finding in group:
            known = kept.get(finding.id)
            if known is None or RANKS[finding.severity] < RANKS[known.severity]:
                kept[finding.id] = finding
    return tuple(sorted(kept.values(), key=_order))


def _order(finding: Finding) -> tuple[int, int, str]:
    start = finding.location.start if finding.location else -1
    return RANKS[finding.severity], start, finding.id


def gate_findings(gate: GateResult | None) -> tuple[Finding, ...]:
    """The finding that a failed gate makes even if every critic approved (decision 38)."""
    if gate is None or gate.decision is not GateDecision.FAIL:
        return ()
    finding = Finding(
        id=finding_id(ReviewCriterion.GATE, gate.rule),
        severity=Severity.HIGH,
        type=ReviewCriterion.GATE,
        claim="",
        problem=f"The evidence gate failed ({gate.rule}): {gate.reason}",
        origin="gate",
        recommendation=gate.would_change,
    )
    return (finding,)


class FindingHistory:
    """The sets of finding ids of the iterations so far."""

    def __init__(self) -> None:
        self._sets: list[frozenset[str]] = []

    def add(self, findings: Iterable[Finding]) -> FindingChanges:
        """Take in an iteration's findings and say how they compare with the last iteration's."""
        current = frozenset(finding.id for finding in findings)
        previous = self._sets[-1] if self._sets else frozenset[str]()
        self._sets.append(current)
        new, resolved = current - previous, previous - current
        return FindingChanges(len(new), len(resolved), len(current & previous))

    @property
    def stalled(self) -> bool:
        """Whether a further iteration is pointless.

        True when the last iteration's set of findings was there before, or when no finding was
        resolved for `STALL_AFTER` iterations.
        """
        steps = list(pairwise(self._sets))[-STALL_AFTER:]
        stuck = len(steps) == STALL_AFTER and all(before <= after for before, after in steps)
        return stuck or any(earlier == self._sets[-1] for earlier in self._sets[:-1])


LEDGER_FILE = "claim_ledger.json"
UNREVIEWED_FILE = "claim_ledger_unreviewed.json"
"""The ledger as the checkers left it, where people's decisions changed it."""
GATE_FILE = "evidence_gate_result.json"
RELIABILITY_FILE = "source_reliability.json"
CHALLENGE_RECORD = "challenge.json"


def claims_name(iteration: int) -> str:
    """The name of an iteration's `ClaimsFile`."""
    return f"claims_iteration_{iteration}.json"


def recovery_name(iteration: int) -> str:
    """The name of the record of an iteration's `Recovery`."""
    return f"recovery_iteration_{iteration}.json"


def sources_step(iteration: int, document: Document) -> tuple[str, str]:
    """The name and the key under which the sources of an iteration are journalled."""
    return f"{iteration}/sources", digest([document.sha256, *document.cited_urls()])


def deepening_step(plan: DeepeningPlan) -> tuple[str, str]:
    """The name and the key under which the answers to a plan's queries are journalled."""
    return f"{plan.iteration}/deepening", digest([query.query for query in plan.queries])


@dataclass(frozen=True, slots=True)
class ClaimsFile:
    """`claims_iteration_N.json`: the list that every checker must answer.

    `sentences` are all of the draft's body, with what becomes of each.
    """

    iteration: int
    document_sha256: str
    language: str
    claims: tuple[Claim, ...]
    assessments: Mapping[str, ClaimAssessment]
    sources: Mapping[str, Source]
    sentences: tuple[AccountedSentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Corroboration:
    """Evidence about claims from sources other than those that each claim cites.

    `shown` has their words by claim id; `sources` are those that the document does not cite.
    """

    shown: Mapping[str, tuple[Evidence, ...]]
    sources: tuple[Source, ...] = ()


NO_CORROBORATION = Corroboration({})


@dataclass(frozen=True, slots=True)
class Recovery:
    """The answer of an iteration's recovery; also `recovery_iteration_N.json`.

    `again` are cited sources that had failed, `found` the hits of searches.
    """

    again: tuple[Source, ...] = ()
    found: tuple[Source, ...] = ()

    def over(self, cited: Sequence[Source]) -> tuple[Source, ...]:
        """`cited` as it is after the recovery."""
        again = {source.url: source for source in self.again}
        return tuple(again.get(source.url, source) for source in cited)


@dataclass(frozen=True, slots=True)
class FetchedSources:
    """The journal's record of an iteration's fetches; `fetches` went over the network.

    `sources` are those cited, as they are after the `recovery`.
    """

    sources: tuple[Source, ...]
    fetches: int
    recovery: Recovery = field(default_factory=Recovery)


def prepared_files(
    iteration: int,
    evidence: IterationEvidence,
    sentences: tuple[AccountedSentence, ...],
    recovery: Recovery,
) -> Iterator[ArtefactFile]:
    """The list of claims, and what was read beyond the first attempt."""
    file = ClaimsFile(
        iteration=iteration,
        document_sha256=evidence.document.sha256,
        language=evidence.document.language,
        claims=evidence.claims,
        assessments=evidence.assessments,
        sources=evidence.sources.sources,
        sentences=sentences,
    )
    yield artefact_file(claims_name(iteration), file)
    if recovery != Recovery():
        yield artefact_file(recovery_name(iteration), recovery)


class RecordedRun(Protocol):
    """A recorded run, which supplies its sources and replies again in a replay."""

    def sources(self, iteration: int, document: Document) -> FetchedSources:
        """Return the sources that an iteration's document cites, with its second reads."""
        ...

    def kept(self, step: tuple[str, str], kind: type[T]) -> T | None:
        """Return the journalled result of a step, its name and key; None if there is none."""
        ...

    def unsearched(self, iteration: int) -> tuple[str, ...]:
        """Return the failures of the search provider up to an iteration."""
        ...


@dataclass(frozen=True, slots=True)
class PreparedEvidence:
    """The evidence given to the critics, and the files that record it in `iterations/`.

    `not_fetched` are the cited addresses left out for budget or network (decision 17). `critique`
    is that by code's own verdicts. `sentences` are all of the draft's body.
    """

    iteration: int
    evidence: IterationEvidence
    source_tools: EvidenceTools | None
    artefacts: tuple[ArtefactFile, ...] = ()
    not_fetched: tuple[str, ...] = ()
    _: KW_ONLY
    critique: Critique | None = None
    corroboration: Corroboration = NO_CORROBORATION
    sentences: tuple[AccountedSentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Conclusion:
    """Code's conclusion from the claims, its own assessments and the fact checker's.

    `findings` are those that code adds to the critics': open contradictions, a failed gate and the
    remedies of a failed critique. `artefacts` go to the run's `verify/` folder. `appraisal` rates
    the sources.
    `quality` is the claim-evidence map with the critique. `settled` are the claims that a person
    lets stand against a critic's findings. `gaps` are the gaps of the evidence.
    `sentences` are all of the draft's body, with what becomes of each. `unsearched` says why a
    search provider could not be asked.
    """

    ledger: Ledger
    gate: GateResult
    _: KW_ONLY
    quality: Quality
    gaps: GapAnalysis
    findings: tuple[Finding, ...] = ()
    not_fetched: tuple[str, ...] = ()
    artefacts: tuple[ArtefactFile, ...] = ()
    appraisal: Appraisal | None = None
    settled: frozenset[str] = frozenset()
    sentences: tuple[AccountedSentence, ...] = ()
    unsearched: tuple[str, ...] = ()

    @property
    def open_slots(self) -> int:
        """Claims that no checker answered for."""
        return sum(entry.open_slot for entry in self.ledger.entries)

    @property
    def open_contradictions(self) -> int:
        """Claims that code found contradicted, whatever the severity."""
        return sum(entry.open_contradiction for entry in self.ledger.entries)

    @property
    def supported(self) -> int:
        """Claims with the verdict supported."""
        return sum(entry.verdict is Verdict.SUPPORTED for entry in self.ledger.entries)


@dataclass(frozen=True, slots=True)
class IterationResult:
    """An iteration that came to its end: the draft and every answer to it.

    `iteration` counts from 1.
    """

    iteration: int
    draft: str
    _: KW_ONLY
    examinations: Mapping[str, Examination] = field(default_factory=dict[str, Examination])
    failures: Mapping[str, Error] = field(default_factory=dict[str, Error])
    conclusion: Conclusion | None = None
    findings: tuple[Finding, ...] = ()
    changes: FindingChanges = field(default_factory=FindingChanges)

    @property
    def examined(self) -> bool:
        """Whether every critic answered."""
        return bool(self.examinations) and not self.failures

    def count(self, *severities: Severity) -> int:
        """How many findings have one of `severities`."""
        return sum(finding.severity in severities for finding in self.findings)


@dataclass(frozen=True, slots=True)
class CriticOutcome:
    """A critic's vote and the share of the document that it covers.

    `by_claim` is true of a critic that answers claim by claim; the ledger has what it left out.
    """

    recommendation: Recommendation
    stated_recommendation: Recommendation | None
    coverage: float
    independent: bool
    by_claim: bool


@dataclass(frozen=True, slots=True)
class IterationOutcome:
    """Votes, failures by critic, and every finding, worst first.

    `fact_checked` is whether there is a ledger. `not_fetched` are the cited addresses left out for
    budget or network (decision 17). `unsearched` says why a search provider could not be asked.
    """

    iteration: int
    critics: Mapping[str, CriticOutcome]
    failures: Mapping[str, str]
    findings: tuple[Finding, ...]
    fact_checked: bool
    not_fetched: tuple[str, ...]
    unsearched: tuple[str, ...] = ()


def outcome_name(iteration: int) -> str:
    """The name of an iteration's `IterationOutcome`."""
    return f"outcome_iteration_{iteration}.json"


def outcome_of(result: IterationResult) -> IterationOutcome:
    """The iteration as its file keeps it."""
    conclusion = result.conclusion
    return IterationOutcome(
        result.iteration,
        {name: _critic_outcome(one) for name, one in result.examinations.items()},
        {name: str(error) for name, error in result.failures.items()},
        result.findings,
        conclusion is not None,
        conclusion.not_fetched if conclusion else (),
        conclusion.unsearched if conclusion else (),
    )


def _critic_outcome(one: Examination) -> CriticOutcome:
    vote, stated, by_claim = one.recommendation, one.stated_recommendation, one.assessments
    return CriticOutcome(vote, stated, one.coverage, one.independent, by_claim is not None)


def outcome_file(result: IterationResult) -> ArtefactFile:
    """The iteration as a file of `iterations/`."""
    return artefact_file(outcome_name(result.iteration), outcome_of(result))


def recorded_failure(text: str) -> Error:
    """A critic's failure, as manifest and outcome word it.

    Raises:
        RunDirectoryError: `text` is none.
    """
    kind, _, message = text.partition(": ")
    try:
        return Error(FailureKind(kind), message)
    except ValueError:
        raise RunDirectoryError(f"{kind[:60]!r} is no way in which a critic fails") from None


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
    open_, stays = examination.findings, Severity.CRITICAL
    left = tuple(one for one in open_ if one.claim_id not in settled or one.severity is stays)
    if len(left) == len(open_):
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


def verify_files(
    ledger: Ledger, gate: GateResult, unreviewed: Ledger | None, appraisal: Appraisal | None
) -> Iterator[ArtefactFile]:
    """Files of the `verify/` folder; `unreviewed` is the ledger before people's decisions."""
    yield artefact_file(LEDGER_FILE, ledger)
    yield artefact_file(GATE_FILE, gate)
    if unreviewed is not None:
        yield artefact_file(UNREVIEWED_FILE, unreviewed)
    if appraisal is not None:
        yield artefact_file(RELIABILITY_FILE, reliability(appraisal))
