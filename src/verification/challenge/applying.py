"""Results of a claim's challenges, applied to its ledger entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ...base.counting import counted
from ...base.finding import Finding, finding_id
from ...base.vocabulary import ChallengeStep, Checker, IssueType, Severity, Stance, Verdict
from ..model import (
    ChallengeNote,
    ChallengeOutcome,
    Evidence,
    Ledger,
    LedgerEntry,
    WeighedEvidence,
)
from .lowering import LOWERED, Failure
from .model import (
    AnswerOutcome,
    Attempt,
    AttemptOutcome,
    CheckedAnswer,
    ClaimChallenge,
    Contrary,
    QuestionRecord,
)

CHALLENGE = "challenge"
"""The origin of findings that challenges make."""

_OTHERWISE = "a source at hand says otherwise"
_NOWHERE = "no source was found to say this"
_TELL = "say that the sources differ and which of them is followed, or correct the claim"
_SHOW = "quote the passage that states it, or say less"


def failures_of(
    questions: Sequence[QuestionRecord], contrary: Sequence[Contrary]
) -> Iterator[tuple[Failure, str]]:
    """Each way in which the challenges went against a claim, with the reason."""
    for found in contrary[:1]:
        yield Failure.CONTRADICTED, f"{found.evidence.url} contradicts it: {found.reason}"
    for record, one in _answers(questions, AnswerOutcome.DIFFERS):
        said = f"{one.answer.said!r} and not {record.claimed!r}"
        yield Failure.DIFFERS, f"asked {record.question.text!r}, {one.answer.by} answered {said}"
        break
    if _is_silent(questions):
        yield Failure.SILENT, "asked without the claim, an answerer found that no source says it"


def _answers(
    questions: Sequence[QuestionRecord], outcome: AnswerOutcome
) -> Iterator[tuple[QuestionRecord, CheckedAnswer]]:
    for record in questions:
        for one in record.answers:
            if one.outcome is outcome:
                yield record, one


def _is_silent(questions: Sequence[QuestionRecord]) -> bool:
    """Whether to every question somebody found no answer in the sources, and nobody found any."""
    if not questions or any(_answers(questions, AnswerOutcome.CONFIRMS)):
        return False
    return all(
        any(one.outcome is AnswerOutcome.SILENT for one in record.answers) for record in questions
    )


def applied(entry: LedgerEntry, trial: ClaimChallenge | None, links: Sequence[str]) -> LedgerEntry:
    """`entry` after its challenges; `links` name the claims that it cannot be true beside.

    What speaks against the claim is added to its evidence, and what it was put to is noted.
    """
    notes = [
        ChallengeNote(ChallengeStep.LINKS, ChallengeOutcome.LINKED, f"cannot be true beside {link}")
        for link in links
    ]
    if trial is None:
        return replace(entry, challenges=tuple(notes)) if notes else entry
    entry = replace(entry, challenges=(*_notes(trial), *notes), evidence=_evidence(entry, trial))
    if trial.after is trial.before:
        return entry
    by = tuple(dict.fromkeys((*entry.checked_by, Checker.ENGINE)))
    ids = (*entry.finding_ids, _finding_id(entry))
    return replace(entry, verdict=trial.after, reason=trial.reason, checked_by=by, finding_ids=ids)


def lowered_findings(
    ledger: Ledger, challenges: Iterable[ClaimChallenge], severity: Severity
) -> Iterator[Finding]:
    """Findings on the claims of `ledger` that their challenge lowered.

    Each finding recommends a change and leaves the claim to its author or a person. A challenge
    gives a reason to doubt; it proves nothing.
    """
    entries = {entry.claim_id: entry for entry in ledger.entries}
    for trial in challenges:
        if trial.after is trial.before:
            continue
        entry = entries[trial.claim_id]
        disputed = trial.after is Verdict.DISPUTED
        yield Finding(
            id=_finding_id(entry),
            severity=severity,
            type=IssueType.MISSING_CONTEXT,
            claim=entry.text,
            problem=_OTHERWISE if disputed else _NOWHERE,
            origin=CHALLENGE,
            location=entry.location,
            evidence=trial.reason,
            recommendation=_TELL if disputed else _SHOW,
            claim_id=entry.claim_id,
        )


def _finding_id(entry: LedgerEntry) -> str:
    return finding_id(IssueType.MISSING_CONTEXT, entry.claim_id)


def _evidence(entry: LedgerEntry, trial: ClaimChallenge) -> tuple[WeighedEvidence, ...]:
    """The evidence that was there, then what was found, by its place."""
    found = [one.evidence for one in trial.contrary]
    if _lowers(Failure.DIFFERS, trial):
        differing = _answers(trial.questions, AnswerOutcome.DIFFERS)
        found += [one.answer.evidence for _, one in differing if one.answer.evidence]
    known = {(item.sha256, item.start, item.end) for item in entry.evidence}
    fresh = {
        (item.url, item.start, item.end): _sought(item)
        for item in found
        if (item.sha256, item.start, item.end) not in known
    }
    return (*entry.evidence, *(fresh[place] for place in sorted(fresh)))


def _sought(item: Evidence) -> WeighedEvidence:
    place = item.start, item.end
    return WeighedEvidence(
        item.url, item.sha256, item.quote, *place, Stance.CONTRADICTS, sought=True
    )


def _lowers(failure: Failure, trial: ClaimChallenge) -> bool:
    return LOWERED[failure, trial.before] is not trial.before


def _notes(trial: ClaimChallenge) -> Iterator[ChallengeNote]:
    if trial.questions:
        yield ChallengeNote(
            ChallengeStep.QUESTIONS, _by_questions(trial), _counts_text(trial.questions)
        )
    for step in (
        ChallengeStep.COUNTER_EVIDENCE,
        ChallengeStep.SOURCES,
        ChallengeStep.DISPUTES,
    ):
        found = [one for one in trial.contrary if one.step is step]
        if found:
            yield ChallengeNote(step, _outcome(Failure.CONTRADICTED, trial), _named(found))
        elif step is ChallengeStep.COUNTER_EVIDENCE and trial.searches:
            compared = {url for one in trial.searches for url in one.urls}
            stood = ChallengeOutcome.STOOD if compared else ChallengeOutcome.OPEN
            detail = (
                f"{counted(len(compared), 'source')} found in "
                f"{counted(len(trial.searches), 'search', 'searches')}, none against"
            )
            yield ChallengeNote(step, stood, detail)
    if trial.falsification:
        yield _falsified(trial.falsification)


def _by_questions(trial: ClaimChallenge) -> ChallengeOutcome:
    if any(_answers(trial.questions, AnswerOutcome.DIFFERS)):
        return _outcome(Failure.DIFFERS, trial)
    if _is_silent(trial.questions):
        return _outcome(Failure.SILENT, trial)
    confirmed = any(_answers(trial.questions, AnswerOutcome.CONFIRMS))
    return ChallengeOutcome.STOOD if confirmed else ChallengeOutcome.OPEN


def _outcome(failure: Failure, trial: ClaimChallenge) -> ChallengeOutcome:
    return ChallengeOutcome.LOWERED if _lowers(failure, trial) else ChallengeOutcome.OPEN


def _counts_text(questions: Sequence[QuestionRecord]) -> str:
    counts = {
        outcome: sum(1 for _ in _answers(questions, outcome))
        for outcome in (AnswerOutcome.CONFIRMS, AnswerOutcome.DIFFERS)
    }
    return (
        f"{counted(len(questions), 'question')}, "
        f"{counted(counts[AnswerOutcome.CONFIRMS], 'answer confirms', 'answers confirm')} and "
        f"{counted(counts[AnswerOutcome.DIFFERS], 'differs', 'differ')}"
    )


def _named(found: Sequence[Contrary]) -> str:
    return "; ".join(f"{one.evidence.url}: {one.reason}" for one in found)


def _falsified(attempts: Sequence[Attempt]) -> ChallengeNote:
    """How many of the things that would refute the claim were looked for, and came up."""
    outcomes = [attempt.outcome for attempt in attempts]
    sought = sum(outcome is not AttemptOutcome.NOT_LOOKED_FOR for outcome in outcomes)
    refuted = outcomes.count(AttemptOutcome.REFUTED)
    detail = f"{sought} of {counted(len(outcomes), 'refuter')} looked for, {refuted} found"
    withstood = AttemptOutcome.WITHSTOOD in outcomes and not refuted
    outcome = ChallengeOutcome.STOOD if withstood else ChallengeOutcome.OPEN
    return ChallengeNote(ChallengeStep.FALSIFICATION, outcome, detail)
