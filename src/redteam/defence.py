"""The defence of a document by its own text: what answers a flaw that rules have found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from . import analytical_defence as analytical
from . import textual_defence as textual
from .defence_rules import DefenceRules
from .model import Flaw, FlawKind
from .reading import Reading
from .rebuttal import Case, Rebuttal

_RULES: Mapping[FlawKind, Callable[[Case], Rebuttal | None]] = MappingProxyType(
    {
        FlawKind.BROKEN_REFERENCE: textual.reference,
        FlawKind.DANGLING_NOTE: textual.note,
        FlawKind.UNDEFINED_ACRONYM: textual.acronym,
        FlawKind.INCONSISTENT_NAME: textual.name,
        FlawKind.INCONSISTENT_TERM: textual.term,
        FlawKind.DUPLICATED_PASSAGE: textual.repetition,
        FlawKind.UNCLOSED_QUOTATION: textual.quotation,
        FlawKind.INCONSISTENT_NUMBER: analytical.number,
        FlawKind.ARITHMETIC_ERROR: analytical.reckoning,
        FlawKind.UNSUPPORTED_STATISTIC: analytical.statistic,
        FlawKind.UNSUPPORTED_CONCLUSION: analytical.conclusion,
        FlawKind.HEDGED_PREMISE: analytical.premise,
        FlawKind.INVERTED_SHARE: analytical.share,
        FlawKind.CHANGED_DENOMINATOR: analytical.share,
        FlawKind.MISSING_TOPIC: textual.topic,
    }
)


def defend(flaw: Flaw, reading: Reading, rules: DefenceRules) -> Rebuttal | None:
    """What the document of `reading` answers to `flaw`, None if rules find nothing in it."""
    return _RULES[flaw.kind](Case(flaw, reading, rules))
