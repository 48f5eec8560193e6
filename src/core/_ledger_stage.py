"""The ledger of an iteration, with the history of each claim, and the gate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

from ..base.errors import SnapshotError
from ..base.vocabulary import Checker, Verdict
from ..claims.model import Change
from ..documents.model import Document
from ..sources.model import SourceSet
from ..sources.scoring.model import Appraisal
from ..verification.assessing.combine import counts_beside
from ..verification.claim_state import ClaimState, StateChange, moved
from ..verification.gate.decision import ReadStatistics, decide_gate, read_statistics
from ..verification.ledger.binding import Scales, weigh_ledger
from ..verification.ledger.building import build_ledger
from ..verification.ledger.confidence import SourceCredibility, circular_sources, source_credibility
from ..verification.model import (
    STATES,
    ClaimAssessment,
    Evidence,
    GateResult,
    Ledger,
    LedgerEntry,
    WithdrawnClaim,
)
from ..verification.passages.retrieval import SourceIndex
from .evidence_parts import EvidenceParts
from .gate_policy import GateCase, under_policy
from .iteration import PreparedEvidence
from .review_queue import ReviewDecision, counting, decided_gate, with_decisions

BOTH_CHECKERS = (Checker.ENGINE, Checker.FACT_CHECKER)


@dataclass(frozen=True, slots=True)
class LedgerStage:
    """Makes the ledgers of a run's iterations, in their order.

    Without scores claims have no tiers.
    """

    parts: EvidenceParts
    _ledgers: dict[int, Ledger] = field(init=False, default_factory=dict[int, Ledger])

    def check(
        self,
        prepared: PreparedEvidence,
        given: Mapping[str, ClaimAssessment],
        index: SourceIndex,
    ) -> tuple[tuple[ClaimAssessment, ...], Ledger]:
        """Combine code's assessments with those `given` by critics, by claim id.

        An answer counts where a critic may answer and its quotes stand in their snapshots.
        """
        evidence, shown = prepared.evidence, prepared.corroboration.shown
        texts = evidence.sources.texts
        answers = {id_: one for id_, one in given.items() if self._is_shown(one, texts)}
        unanswered = {claim.id for claim in evidence.claims} - answers.keys()
        final: list[ClaimAssessment] = []
        for claim in evidence.claims:
            assessment, answer = evidence.assessments[claim.id], answers.get(claim.id)
            if answer and counts_beside(claim, assessment, answer, index, self.parts.registry):
                assessment = answer
            final.append(with_corroboration(assessment, shown))
        ledger = build_ledger(
            evidence.claims,
            final,
            iteration=prepared.iteration,
            open_slots={i for i in unanswered if not evidence.assessments[i].needs_no_answer},
            checked_by=dict.fromkeys(answers, BOTH_CHECKERS),
            misquoted=given.keys() - answers.keys(),
        )
        return tuple(final), ledger

    def conclude(
        self,
        prepared: PreparedEvidence,
        final: Sequence[ClaimAssessment],
        answered: Ledger,
        ledger: Ledger,
        sources: SourceSet,
        appraisal: Appraisal | None,
    ) -> tuple[Ledger, GateResult, Ledger, Mapping[str, ReviewDecision]]:
        """Weigh the `ledger` after its challenges, apply people's decisions, and ask the gate.

        `final` are the assessments that count, `answered` is their ledger before the challenges.

        Returns:
            The ledger, the gate's answer, the ledger as the checkers left it, and the decisions
            that count.
        """
        evidence, number = prepared.evidence, prepared.iteration
        previous = self._ledgers.get(number - 1)
        standings = self._standings(evidence.document, sources, appraisal)
        if standings is not None and self.parts.scoring is not None:
            book, rules = self.parts.registry.lexicon.words, self.parts.scoring.rules.confidence
            scales = Scales(standings, book, rules, as_of=self.parts.as_of, mode=self.parts.mode)
            ledger = weigh_ledger(ledger, evidence.claims, as_left(final, ledger), scales)
        checked = with_history(
            ledger, engine=evidence.assessments, previous=previous, answered=answered
        )
        made = counting(checked, self.parts.decisions)
        ledger = self._ledgers[number] = with_decisions(checked, made, previous=previous)
        reads = read_statistics(sources.sources.values(), standings)
        gate = self._gate(ledger, evidence.document.language, reads)
        return ledger, gate, checked, made

    def _standings(
        self, document: Document, sources: SourceSet, appraisal: Appraisal | None
    ) -> Mapping[str, SourceCredibility] | None:
        if appraisal is None or self.parts.scoring is None:
            return None
        rules = self.parts.scoring.rules.independence
        circular = circular_sources(document, sources, rules, written=self.parts.day_of(document))
        return source_credibility(sources, appraisal, self.parts.scoring, circular)

    def _gate(self, ledger: Ledger, language: str, reads: ReadStatistics) -> GateResult:
        """The gate by its limits, then by the user's own policy, then by what a person decided."""
        number, limits, mode = ledger.iteration, self.parts.registry.gate, self.parts.mode
        gate = decide_gate(ledger, limits, language=language, reads=reads, mode=mode)
        if self.parts.gatekeeper is not None:
            word = self.parts.gatekeeper(GateCase(number, language, ledger, gate))
            gate = under_policy(gate, word)
        return decided_gate(gate, self.parts.decisions, number)

    def _is_shown(self, answer: ClaimAssessment, texts: Mapping[str, str]) -> bool:
        """Whether the quotes of `answer` stand in their snapshots; support needs one.

        `texts` are those in memory, by hash: to read them again for every quote takes minutes.
        """
        if answer.verdict is Verdict.SUPPORTED and not answer.evidence:
            return False
        return all(self._stands(item, texts) for item in answer.evidence)

    def _stands(self, item: Evidence, texts: Mapping[str, str]) -> bool:
        text = texts.get(item.sha256)
        try:
            text = self.parts.reader.store.text(item.sha256) if text is None else text
        except SnapshotError:
            return False
        return text[item.start : item.end] == item.quote


def as_left(assessments: Sequence[ClaimAssessment], ledger: Ledger) -> tuple[ClaimAssessment, ...]:
    """`assessments` with the verdicts and the evidence that `ledger` has for their claims now."""
    entries = {entry.claim_id: entry for entry in ledger.entries}
    return tuple(
        replace(one, verdict=entry.verdict, evidence=entry.evidence)
        if (entry := entries.get(one.claim_id))
        else one
        for one in assessments
    )


def with_corroboration(
    assessment: ClaimAssessment, shown: Mapping[str, tuple[Evidence, ...]]
) -> ClaimAssessment:
    """A supported `assessment` with what `shown`, by claim id, has on it.

    The verdict is about the cited source and stays; a denial is on record beside it.
    """
    evidence = shown.get(assessment.claim_id, ())
    if not evidence or assessment.verdict is not Verdict.SUPPORTED:
        return assessment
    return replace(assessment, evidence=(*assessment.evidence, *evidence))


Way: TypeAlias = tuple[StateChange, ...]
_GONE = "no longer in the document"
_UNANSWERED = "no checker's answer counts"


def with_history(
    ledger: Ledger,
    *,
    engine: Mapping[str, ClaimAssessment],
    previous: Ledger | None = None,
    answered: Ledger | None = None,
) -> Ledger:
    """`ledger` with the history of every claim, and with the claims that have gone.

    Args:
        ledger: An iteration's ledger, as the checkers left it, or as it is after its challenges.
        engine: What code alone found, by claim id; where it is missing, that is the ledger's
            verdict.
        previous: The ledger of the iteration before, with histories of its own.
        answered: Before challenges by code, the ledger as the checkers left it.

    Raises:
        TransitionRefused: A checker moved a claim where it may not, or `previous` is no earlier
            ledger.
    """
    known, number = dict[str, Way](), ledger.iteration
    if previous is not None:
        earlier = (*previous.withdrawn, *previous.entries)
        known = {one.claim_id: one.history for one in earlier}
    left = {entry.claim_id: entry for entry in (answered or ledger).entries}
    entries: list[LedgerEntry] = []
    for entry in ledger.entries:
        id_ = entry.claim_id
        history = _history(entry, left[id_], known.get(id_, ()), engine.get(id_), number)
        entries.append(replace(entry, history=history))
    return replace(ledger, entries=tuple(entries), withdrawn=_withdrawn(ledger, previous))


def _history(
    entry: LedgerEntry,
    left: LedgerEntry,
    history: Way,
    alone: ClaimAssessment | None,
    number: int,
) -> Way:
    move, after, way = partial(moved, iteration=number), entry.state, history
    reason = _UNANSWERED if after is ClaimState.OPEN else entry.reason
    if not history and entry.lineage is not None:
        reason = f"{entry.lineage.change} from {', '.join(entry.lineage.ids)}: {reason}"
    read = alone is not None and alone.verdict is Verdict.CONTRADICTED and not alone.decided
    if alone and alone.verdict is not left.verdict and after is not ClaimState.OPEN:
        # What a critic made of it is only allowed from where code had left it.
        found, said = STATES[alone.verdict], STATES[left.verdict]
        way = move(way, found, by=Checker.ENGINE, reason=alone.reason, read=read)
        told = reason if left.verdict is entry.verdict else left.reason
        way = move(way, said, by=Checker.FACT_CHECKER, reason=told)
    way = move(way, after, by=Checker.ENGINE, reason=reason, read=read)
    return history if history and history[-1].after is after else way


def _withdrawn(ledger: Ledger, previous: Ledger | None) -> tuple[WithdrawnClaim, ...]:
    if previous is None:
        return ()
    present = {entry.claim_id for entry in ledger.entries}
    came = ((entry.claim_id, entry.lineage) for entry in ledger.entries if entry.lineage)
    merged = ((id_, one.ids) for id_, one in came if one.change is Change.MERGED)
    into = {old: id_ for id_, ids in merged for old in ids}
    withdrawn = [one for one in previous.withdrawn if one.claim_id not in present]
    withdraw = partial(moved, iteration=ledger.iteration, by=Checker.ENGINE)
    for entry in previous.entries:
        if entry.claim_id not in present:
            reason = f"merged into {into[entry.claim_id]}" if entry.claim_id in into else _GONE
            history = withdraw(entry.history, ClaimState.WITHDRAWN, reason=reason)
            withdrawn.append(WithdrawnClaim(entry.claim_id, entry.text, history))
    return tuple(withdrawn)
