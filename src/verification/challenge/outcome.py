"""What comes of a claim's challenges: a lower verdict by a table, notes, evidence and findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from types import MappingProxyType

from ...base.printable import counted
from ...base.vocabulary import (
    ChallengeStep,
    Checker,
    IssueType,
    Stance,
    Verdict,
    finding_id,
)
from ..model import (
    ChallengeNote,
    ChallengeOutcome,
    LedgerEntry,
    WeighedEvidence,
)
from .model import (
    AnswerOutcome,
    Attempt,
    AttemptOutcome,
    CheckedAnswer,
    ClaimChallenge,
    Contrary,
    QuestionRecord,
    Searched,
)

WORST_FIRST = (
    Verdict.CONTRADICTED,
    Verdict.DISPUTED,
    Verdict.UNVERIFIABLE,
    Verdict.PARTIALLY_SUPPORTED,
    Verdict.SUPPORTED,
)
"""Verdicts about what sources say. The other two say that nothing was compared, and stay."""

_DENIAL = "a source that denies it, or gives another value"


class Failure(StrEnum):
    """How a challenge went against a claim.

    A source was found that contradicts it by the engine's rules; an independent answer differs from
    what it says; an independent answerer read the sources and found that they do not say.
    """

    CONTRADICTED = "contradicted"
    DIFFERS = "differs"
    SILENT = "silent"


_BORNE_OUT = (Verdict.SUPPORTED, Verdict.PARTIALLY_SUPPORTED)

# What some source bears out and another denies is disputed. An answer that differs is a reason to
# doubt support, and says nothing of a claim that has none.
LOWERED: Mapping[tuple[Failure, Verdict], Verdict] = MappingProxyType(
    {(Failure.CONTRADICTED, verdict): Verdict.DISPUTED for verdict in _BORNE_OUT}
    | {(Failure.CONTRADICTED, Verdict.UNVERIFIABLE): Verdict.DISPUTED}
    | {(Failure.DIFFERS, verdict): Verdict.DISPUTED for verdict in _BORNE_OUT}
    | {(Failure.SILENT, verdict): Verdict.UNVERIFIABLE for verdict in _BORNE_OUT}
)
"""The verdict after a failure, for each verdict that it lowers."""


def lowered(verdict: Verdict, failures: Iterable[Failure]) -> Verdict:
    """The worst that `failures` make of `verdict`; it is never better than before."""
    after = {LOWERED[failure, verdict] for failure in failures if (failure, verdict) in LOWERED}
    return min(after, key=WORST_FIRST.index, default=verdict)


def reasons_to_lower(
    questions: Sequence[QuestionRecord], contrary: Sequence[Contrary]
) -> Mapping[Failure, str]:
    """Each way in which the challenges went against a claim, with the reason."""
    reasons: dict[Failure, str] = {}
    if contrary:
        found = contrary[0]
        reasons[Failure.CONTRADICTED] = f"{found.evidence.url} contradicts it: {found.reason}"
    for record, one in _answers(questions, AnswerOutcome.DIFFERS)[:1]:
        asked, said = record.question.text, f"{one.answer.said!r} and not {record.claimed!r}"
        reasons[Failure.DIFFERS] = f"asked {asked!r}, {one.answer.by} answered {said}"
    if _is_silent(questions):
        reasons[Failure.SILENT] = (
            "asked without the claim, an answerer found that no source says it"
        )
    return reasons


def _answers(
    questions: Sequence[QuestionRecord], outcome: AnswerOutcome
) -> list[tuple[QuestionRecord, CheckedAnswer]]:
    return [(q, one) for q in questions for one in q.answers if one.outcome is outcome]


def _is_silent(questions: Sequence[QuestionRecord]) -> bool:
    """Whether to every question somebody found no answer in the sources, and nobody found any."""
    outcomes = [{one.outcome for one in record.answers} for record in questions]
    silent = all(AnswerOutcome.SILENT in own for own in outcomes)
    return bool(outcomes) and silent and not _answers(questions, AnswerOutcome.CONFIRMS)


def attempts(
    questions: Sequence[QuestionRecord], searches: Sequence[Searched], contrary: Sequence[Contrary]
) -> Iterator[Attempt]:
    """Attempts to refute a claim: one for each question, and one for a source that denies it."""
    for record in questions:
        by = tuple(dict.fromkeys(f"answers of {one.answer.by}" for one in record.answers))
        refuter = f"another answer than {record.claimed!r} to: {record.question.text}"
        outcome = AttemptOutcome.UNSETTLED
        if _answers([record], AnswerOutcome.DIFFERS):
            outcome = AttemptOutcome.REFUTED
        elif _answers([record], AnswerOutcome.CONFIRMS):
            outcome = AttemptOutcome.WITHSTOOD
        yield Attempt(refuter, by, outcome)
    answered = [one for one in searches if not one.failure]
    found = [f"searches of {one.by}" for one in answered]
    found += [f"{one.step} in {one.evidence.url}" for one in contrary]
    outcome = AttemptOutcome.NOT_LOOKED_FOR
    if contrary:
        outcome = AttemptOutcome.REFUTED
    elif answered:
        # Where no source was there to be compared, nothing was withstood.
        compared = any(one.urls for one in answered)
        outcome = AttemptOutcome.WITHSTOOD if compared else AttemptOutcome.UNSETTLED
    yield Attempt(_DENIAL, tuple(dict.fromkeys(found)), outcome)


def apply_challenge(
    entry: LedgerEntry, trial: ClaimChallenge | None, links: Sequence[str]
) -> LedgerEntry:
    """`entry` after its challenges; `links` name the claims that it cannot be true beside.

    What speaks against the claim is added to its evidence, and what it was put to is noted.
    """
    linked = [
        ChallengeNote(ChallengeStep.LINKS, ChallengeOutcome.LINKED, f"cannot be true beside {link}")
        for link in links
    ]
    if trial is None:
        return replace(entry, challenges=tuple(linked)) if linked else entry
    notes = (*_notes(trial), *linked)
    entry = replace(entry, challenges=notes, evidence=(*entry.evidence, *_sought(entry, trial)))
    if trial.after is trial.before:
        return entry
    by = tuple(dict.fromkeys((*entry.checked_by, Checker.ENGINE)))
    ids = (*entry.finding_ids, finding_id(IssueType.MISSING_CONTEXT, entry.claim_id))
    return replace(entry, verdict=trial.after, reason=trial.reason, checked_by=by, finding_ids=ids)


def _sought(entry: LedgerEntry, trial: ClaimChallenge) -> Iterator[WeighedEvidence]:
    found = [one.evidence for one in trial.contrary]
    if (Failure.DIFFERS, trial.before) in LOWERED:
        differing = _answers(trial.questions, AnswerOutcome.DIFFERS)
        found += [one.answer.evidence for _, one in differing if one.answer.evidence]
    known = {(item.sha256, item.start, item.end) for item in entry.evidence}
    fresh = {(item.url, item.start, item.end): item for item in found}
    for (url, start, end), item in sorted(fresh.items(), key=lambda one: one[0]):
        if (item.sha256, start, end) not in known:
            place = url, item.sha256, item.quote, start, end
            yield WeighedEvidence(*place, Stance.CONTRADICTS, sought=True)


def _notes(trial: ClaimChallenge) -> Iterator[ChallengeNote]:
    if trial.questions:
        yield _note_on_questions(trial)
    for step in (ChallengeStep.COUNTER_EVIDENCE, ChallengeStep.SOURCES, ChallengeStep.DISPUTES):
        found = [one for one in trial.contrary if one.step is step]
        if found:
            named = "; ".join(f"{one.evidence.url}: {one.reason}" for one in found)
            yield ChallengeNote(step, _outcome(Failure.CONTRADICTED, trial), named)
        elif step is ChallengeStep.COUNTER_EVIDENCE and trial.searches:
            compared = {url for one in trial.searches for url in one.urls}
            detail = (
                f"{counted(len(compared), 'source')} found in "
                f"{counted(len(trial.searches), 'search', 'searches')}, none against"
            )
            stood = ChallengeOutcome.STOOD if compared else ChallengeOutcome.OPEN
            yield ChallengeNote(step, stood, detail)
    if trial.falsification:
        outcomes = [attempt.outcome for attempt in trial.falsification]
        sought = len(outcomes) - outcomes.count(AttemptOutcome.NOT_LOOKED_FOR)
        refuted = outcomes.count(AttemptOutcome.REFUTED)
        detail = f"{sought} of {counted(len(outcomes), 'refuter')} looked for, {refuted} found"
        withstood = AttemptOutcome.WITHSTOOD in outcomes and not refuted
        stood = ChallengeOutcome.STOOD if withstood else ChallengeOutcome.OPEN
        yield ChallengeNote(ChallengeStep.FALSIFICATION, stood, detail)


def _note_on_questions(trial: ClaimChallenge) -> ChallengeNote:
    confirms = len(_answers(trial.questions, AnswerOutcome.CONFIRMS))
    differs = len(_answers(trial.questions, AnswerOutcome.DIFFERS))
    outcome = ChallengeOutcome.STOOD if confirms else ChallengeOutcome.OPEN
    if differs:
        outcome = _outcome(Failure.DIFFERS, trial)
    elif _is_silent(trial.questions):
        outcome = _outcome(Failure.SILENT, trial)
    detail = (
        f"{counted(len(trial.questions), 'question')}, "
        f"{counted(confirms, 'answer confirms', 'answers confirm')} and "
        f"{counted(differs, 'differs', 'differ')}"
    )
    return ChallengeNote(ChallengeStep.QUESTIONS, outcome, detail)


def _outcome(failure: Failure, trial: ClaimChallenge) -> ChallengeOutcome:
    lowers = (failure, trial.before) in LOWERED
    return ChallengeOutcome.LOWERED if lowers else ChallengeOutcome.OPEN
