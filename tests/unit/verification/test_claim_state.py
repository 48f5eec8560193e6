"""Who may move a claim from where to where."""

from __future__ import annotations

import pytest
from foureyes import TransitionRefused
from foureyes.datatypes import Checker, ClaimState, StateChange
from foureyes.verification.claim_state import allowed, moved
from hypothesis import given
from hypothesis import strategies as st

S = ClaimState
ENGINE, CRITIC, HUMAN = Checker.ENGINE, Checker.FACT_CHECKER, Checker.HUMAN


def at(state: ClaimState, iteration: int = 1, by: Checker = CRITIC) -> tuple[StateChange, ...]:
    return (StateChange(iteration, None, state, by, "so it was"),)


@pytest.mark.parametrize("by", Checker)
@pytest.mark.parametrize("state", S)
def test_no_move_leads_to_where_it_starts(by: Checker, state: ClaimState) -> None:
    assert state not in allowed(at(state), by)


@pytest.mark.parametrize("by", Checker)
@pytest.mark.parametrize("before", [None, *S])
@pytest.mark.parametrize("after", S)
def test_a_move_is_made_or_refused_as_is_allowed(
    by: Checker, before: ClaimState | None, after: ClaimState
) -> None:
    history = () if before is None else at(before)
    legal = allowed(history, by)
    if after is before:
        assert moved(history, after, iteration=2, by=by, reason="") == history
    elif after in legal:
        step = StateChange(2, before, after, by, "why")
        assert moved(history, after, iteration=2, by=by, reason="why") == (*history, step)
    else:
        with pytest.raises(TransitionRefused, match=f"{by} may not move a claim from"):
            moved(history, after, iteration=2, by=by, reason="")


REFUSED = [
    (CRITIC, S.CONTRADICTED, S.SUPPORTED),
    (CRITIC, S.CONTRADICTED, S.UNSETTLED),
    (CRITIC, S.SUPPORTED, S.CORROBORATED),
    (CRITIC, S.SUPPORTED, S.OPEN),
    (CRITIC, S.WITHDRAWN, S.SUPPORTED),
    (HUMAN, S.SUPPORTED, S.CORROBORATED),
    (HUMAN, S.UNSETTLED, S.WITHDRAWN),
    (HUMAN, S.WITHDRAWN, S.SUPPORTED),
]


@pytest.mark.parametrize(("by", "before", "after"), REFUSED)
def test_nobody_lifts_what_is_not_theirs_to_lift(
    by: Checker, before: ClaimState, after: ClaimState
) -> None:
    assert after not in allowed(at(before), by)


def test_a_person_may_overrule_a_contradiction_that_a_critic_found() -> None:
    history = moved(at(S.CONTRADICTED), S.SUPPORTED, iteration=1, by=HUMAN, reason="misread")
    assert history[-1] == StateChange(1, S.CONTRADICTED, S.SUPPORTED, HUMAN, "misread")


@pytest.mark.parametrize("after", [state for state in S if state is not S.CONTRADICTED])
def test_no_critic_overrules_a_contradiction_that_code_proved(after: S) -> None:
    with pytest.raises(TransitionRefused):
        moved(at(S.CONTRADICTED, by=ENGINE), after, iteration=1, by=CRITIC, reason="misread")


@pytest.mark.parametrize("read", [True, False])
def test_a_person_overrules_a_contradiction_that_code_found(read: bool) -> None:
    history = moved((), S.CONTRADICTED, iteration=1, by=ENGINE, reason="", read=read)
    after = moved(history, S.SUPPORTED, iteration=1, by=HUMAN, reason="misread")
    assert after[-1].after is S.SUPPORTED


def test_a_history_never_goes_back_in_iterations() -> None:
    with pytest.raises(TransitionRefused, match="iteration 1 comes before 2"):
        moved(at(S.OPEN, 2), S.SUPPORTED, iteration=1, by=ENGINE, reason="")


@given(st.lists(st.tuples(st.sampled_from(Checker), st.sampled_from(S)), max_size=20))
def test_every_history_is_a_chain_of_legal_moves(steps: list[tuple[Checker, ClaimState]]) -> None:
    history: tuple[StateChange, ...] = ()
    for number, (by, after) in enumerate(steps):
        if after in allowed(history, by):
            history = moved(history, after, iteration=number, by=by, reason="")
    befores = [step.before for step in history]
    assert befores == [None, *(step.after for step in history)][: len(befores)]
