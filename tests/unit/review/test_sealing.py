"""Findings that were sealed are the same ever after, or the one that is not is named."""

from __future__ import annotations

from dataclasses import replace

import pytest
from foureyes import RunDirectoryError, Severity
from foureyes.datatypes import (
    CompiledFinding,
    Defence,
    DefenceOutcome,
    Lens,
    RedFinding,
    SmokeTested,
)
from foureyes.review.store import require_sealed, seal

FOUND = RedFinding("r-1", Lens.TEXTUAL, "the quay", 3, "typo", "It is no quay.", Severity.LOW)
DEFENCE = Defence("r-1", DefenceOutcome.WEAKENED, "It is one.", "a quay of stone")
FINDINGS = (
    CompiledFinding("T-1", FOUND, DEFENCE),
    CompiledFinding("T-2", replace(FOUND, id="r-2"), None, ("r-3",)),
)
FIRST, SECOND = FINDINGS

CHANGED = {
    "T-1 was": [
        (replace(FIRST, finding=replace(FOUND, severity=Severity.HIGH)), SECOND),
        (replace(FIRST, finding=replace(FOUND, quote="the quay ")), SECOND),
        (replace(FIRST, finding=replace(FOUND, problem="It is no pier.")), SECOND),
        (replace(FIRST, defence=None), SECOND),
        (replace(FIRST, merged=("r-9",)), SECOND),
    ],
    "T-1 was added, moved": [(SECOND, FIRST)],
    "T-1 is there twice": [
        (replace(FIRST, finding=replace(FOUND, problem="It is no pier.")), *FINDINGS),
        (*FINDINGS, FIRST),
    ],
    "T-2 was added": [(FIRST,)],
    "T-3 was added": [(FIRST, SECOND, replace(FIRST, number="T-3"))],
}


def test_findings_that_are_the_same_pass() -> None:
    require_sealed(SmokeTested(FINDINGS, ()), seal(FINDINGS))
    require_sealed(SmokeTested(FINDINGS, ()), None)


@pytest.mark.parametrize(
    ("named", "findings"), [(name, one) for name, many in CHANGED.items() for one in many]
)
def test_what_is_not_as_it_was_sealed_is_refused_by_name(
    named: str, findings: tuple[CompiledFinding, ...]
) -> None:
    with pytest.raises(RunDirectoryError, match=f"finding {named}"):
        require_sealed(SmokeTested(findings, ()), seal(FINDINGS))


def test_findings_that_are_gone_as_a_whole_are_missed() -> None:
    with pytest.raises(RunDirectoryError, match="finding T-1 was added, moved, taken away"):
        require_sealed(None, seal(FINDINGS))
