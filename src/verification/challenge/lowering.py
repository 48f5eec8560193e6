"""How far a failed challenge lowers a verdict: total tables, in which no step goes up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType

from ...base.vocabulary import Verdict

WORST_FIRST = (
    Verdict.CONTRADICTED,
    Verdict.DISPUTED,
    Verdict.UNVERIFIABLE,
    Verdict.PARTIALLY_SUPPORTED,
    Verdict.SUPPORTED,
)
"""Verdicts about what sources say. The other two say that nothing was compared, and stay."""


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
    {(failure, verdict): verdict for failure in Failure for verdict in Verdict}
    | {(Failure.CONTRADICTED, verdict): Verdict.DISPUTED for verdict in _BORNE_OUT}
    | {(Failure.CONTRADICTED, Verdict.UNVERIFIABLE): Verdict.DISPUTED}
    | {(Failure.DIFFERS, verdict): Verdict.DISPUTED for verdict in _BORNE_OUT}
    | {(Failure.SILENT, verdict): Verdict.UNVERIFIABLE for verdict in _BORNE_OUT}
)
"""The verdict after a failure, for every verdict before it."""


def lowered(verdict: Verdict, failures: Iterable[Failure]) -> Verdict:
    """The worst that `failures` make of `verdict`; it is never better than before."""
    if verdict not in WORST_FIRST:
        return verdict
    after = (LOWERED[failure, verdict] for failure in failures)
    return min((verdict, *after), key=WORST_FIRST.index)
