"""What a review is made of: findings, their defence, extracted claims and what checks them."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from enum import StrEnum

from ..base.vocabulary import Severity
from ..claims.model import ClaimTopic, Materiality, Polarity, Temporality
from ..redteam.model import Lens


@dataclass(frozen=True, slots=True)
class RedFinding:
    """What a red reviewer holds against the document.

    `quote` are the document's own words, at `line` of the reading copy (from 1). `issue` names what
    is wrong in a word or two; two findings with the same issue at one place are one. `by_rules` is
    true for what rules found without a model.
    """

    id: str
    lens: Lens
    quote: str
    line: int
    issue: str
    problem: str
    severity: Severity
    _: KW_ONLY
    by_rules: bool = False


class DefenceOutcome(StrEnum):
    """What a blue defender made of a finding."""

    KILLED = "killed"
    WEAKENED = "weakened"
    SURVIVED = "survived"


@dataclass(frozen=True, slots=True)
class Defence:
    """A blue defender's answer to one finding; it rests on `quote`, words of the document."""

    finding_id: str
    outcome: DefenceOutcome
    argument: str
    quote: str = ""


@dataclass(frozen=True, slots=True)
class CompiledFinding:
    """A finding that survived, as the review prints it, with its number: T-1, A-1, S-1.

    `merged` are the ids of findings that said the same of the same place.
    """

    number: str
    finding: RedFinding
    defence: Defence | None
    merged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExtractedClaim:
    """A factual claim that the document makes, as an extractor wrote it down.

    `statement` is the claim in the extractor's words, `quote` the document's words at `line` of the
    reading copy.
    """

    id: str
    statement: str
    quote: str
    line: int
    topic: ClaimTopic
    materiality: Materiality
    temporality: Temporality
    polarity: Polarity
