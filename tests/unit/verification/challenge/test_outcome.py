"""What a failed challenge makes of a verdict: never a better one."""

from __future__ import annotations

from itertools import chain, combinations

import pytest
from foureyes import Verdict
from foureyes.verification.challenge.challenge import LOWERED, Failure, lowered
from foureyes.verification.model import WORST_FIRST

V, F = Verdict, Failure
SETS = list(chain.from_iterable(combinations(Failure, n) for n in range(len(Failure) + 1)))


def test_the_table_only_lowers() -> None:
    assert all(
        WORST_FIRST.index(after) < WORST_FIRST.index(before)
        for (_, before), after in LOWERED.items()
    )


@pytest.mark.parametrize("verdict", Verdict)
@pytest.mark.parametrize("failures", SETS)
def test_no_failures_make_a_verdict_better(verdict: Verdict, failures: tuple[Failure, ...]) -> None:
    after = lowered(verdict, failures)
    if verdict in WORST_FIRST:
        assert WORST_FIRST.index(after) <= WORST_FIRST.index(verdict)
    else:
        assert after is verdict
    assert after is lowered(verdict, reversed(failures))


CASES = [
    (V.SUPPORTED, F.CONTRADICTED, V.DISPUTED),
    (V.SUPPORTED, F.DIFFERS, V.DISPUTED),
    (V.SUPPORTED, F.SILENT, V.UNVERIFIABLE),
    (V.PARTIALLY_SUPPORTED, F.DIFFERS, V.DISPUTED),
    (V.UNVERIFIABLE, F.CONTRADICTED, V.DISPUTED),
    (V.UNVERIFIABLE, F.DIFFERS, V.UNVERIFIABLE),
    (V.CONTRADICTED, F.SILENT, V.CONTRADICTED),
    (V.DISPUTED, F.SILENT, V.DISPUTED),
]


@pytest.mark.parametrize(("before", "failure", "after"), CASES)
def test_the_tables_answer_is_the_decided_one(
    before: Verdict, failure: Failure, after: Verdict
) -> None:
    assert lowered(before, [failure]) is after
