"""Attempts to refute a claim: the refuter, the means of the search, and the outcome."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .model import (
    AnswerOutcome,
    Attempt,
    AttemptOutcome,
    Contrary,
    QuestionRecord,
    Searched,
)

_DENIAL = "a source that denies it, or gives another value"


def attempts(
    questions: Sequence[QuestionRecord], searches: Sequence[Searched], contrary: Sequence[Contrary]
) -> Iterator[Attempt]:
    """One attempt for each question, and one for a source that denies the claim."""
    for record in questions:
        by = tuple(dict.fromkeys(f"answers of {one.answer.by}" for one in record.answers))
        refuter = f"another answer than {record.claimed!r} to: {record.question.text}"
        yield Attempt(refuter, by, _of_answers(record))
    answered = [one for one in searches if not one.failure]
    compared = {url for one in answered for url in one.urls}
    by = tuple(dict.fromkeys(f"searches of {one.by}" for one in answered))
    if contrary:
        found = tuple(dict.fromkeys(f"{one.step} in {one.evidence.url}" for one in contrary))
        yield Attempt(_DENIAL, (*by, *found), AttemptOutcome.REFUTED)
    elif answered:
        # Where no source was there to be compared, nothing was withstood.
        withstood = AttemptOutcome.WITHSTOOD if compared else AttemptOutcome.UNSETTLED
        yield Attempt(_DENIAL, by, withstood)
    else:
        yield Attempt(_DENIAL, (), AttemptOutcome.NOT_LOOKED_FOR)


def _of_answers(record: QuestionRecord) -> AttemptOutcome:
    outcomes = {one.outcome for one in record.answers}
    if AnswerOutcome.DIFFERS in outcomes:
        return AttemptOutcome.REFUTED
    if AnswerOutcome.CONFIRMS in outcomes:
        return AttemptOutcome.WITHSTOOD
    return AttemptOutcome.UNSETTLED
