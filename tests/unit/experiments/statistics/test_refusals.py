"""What no statistic can be made from is refused by name, with what to do."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from foureyes.base.errors import StatisticsError
from foureyes.experiments.statistics.intervals import PairedTable, newcombe, resample, wilson
from foureyes.experiments.statistics.paired import Correction, adjust, mcnemar_exact, sign_flip
from foureyes.experiments.statistics.samples import ClusterSum, Scale
from foureyes.experiments.statistics.sequential import Spending, looks

REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: wilson(3, 2), "3 of 2 is no share"),
    (lambda: wilson(0, 0), "0 of 0 is no share"),
    (lambda: wilson(1, 2, 1.0), "1.0 is no confidence level"),
    (lambda: newcombe(PairedTable(0, 0, 0, 0)), "a table without items"),
    (lambda: mcnemar_exact(3, -1), "-1 items differ"),
    (lambda: sign_flip([1.0, 2.0], 0, draws=10), "10 draws are too few"),
    (lambda: resample([ClusterSum(1.0)], Scale.NUMERIC, 0), "at least 2 items or clusters"),
    (lambda: adjust([0.1, 1.2], Correction.HOLM), "1.2 is no p-value"),
    (lambda: adjust([float("nan")], Correction.BENJAMINI_HOCHBERG), "nan is no p-value"),
    (lambda: looks([1.0], Spending.POCOCK, alpha=1.0), "1.0 is no level"),
]


@pytest.mark.parametrize(("ask", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_what_cannot_be_computed_is_refused(ask: Callable[[], object], message: str) -> None:
    with pytest.raises(StatisticsError) as refused:
        ask()
    assert message in refused.value.message
    assert refused.value.hint
