from __future__ import annotations

from foureyes import Severity
from foureyes.engine.work_folder import WorkState
from foureyes.report.batch import (
    ClaimCounts,
    DocumentOutcome,
    DocumentResult,
    batch_exit_code,
    worst_first,
)
from hypothesis import given
from hypothesis import strategies as st

PASSED, FLAGGED = DocumentOutcome.PASSED, DocumentOutcome.FLAGGED


def result(
    name: str,
    outcome: DocumentOutcome = FLAGGED,
    claims: ClaimCounts | None = None,
    **severities: int,
) -> DocumentResult:
    counts = {Severity(one): count for one, count in severities.items()}
    return DocumentResult(name, name, name, outcome, claims=claims, severities=counts)


def test_the_worst_document_comes_first() -> None:
    in_order = [
        result("critical", critical=1),
        result("two high", high=2, low=1),
        result("one high", high=1, medium=9),
        result("contradicted", claims=ClaimCounts(9, contradicted=1)),
        result("unsourced", claims=ClaimCounts(9, unsourced=5)),
        result("failed", DocumentOutcome.FAILED),
        result("inconclusive", DocumentOutcome.INCONCLUSIVE),
        result("waiting", DocumentOutcome.NOT_EXAMINED),
        result("passed", PASSED, low=3),
    ]
    assert list(worst_first(reversed(in_order))) == in_order


@given(st.lists(st.sampled_from(DocumentOutcome), min_size=1), st.sampled_from(WorkState))
def test_no_batch_passes_that_any_document_or_its_own_end_keeps_from_it(
    outcomes: list[DocumentOutcome], state: WorkState
) -> None:
    code = batch_exit_code([result("x", one) for one in outcomes], state)
    if state is WorkState.CANCELLED:
        assert code == 130
    elif state is WorkState.BUDGET:
        assert code == 3
    elif set(outcomes) == {DocumentOutcome.FAILED}:
        assert code == 4
    elif FLAGGED in outcomes:
        assert code == 1
    else:
        assert code == (0 if set(outcomes) == {PASSED} else 2)
