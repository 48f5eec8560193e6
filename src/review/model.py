"""The results of a review's phases; each record is also a file of the review directory."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from ..core.tasks import FailureKind
from ..sources.model import Source
from ..sources.scoring.appraisal import SourceRating
from .types import Defence, ExtractedClaim, RedFinding, WebQuery, WebResult


class ReviewPhase(StrEnum):
    """The phases of a review, in order (document review spec, pipeline architecture)."""

    RED = "red"
    DEFENCE = "defence"
    COMPILED = "compiled"
    GATE = "gate"
    SMOKE = "smoke"
    CLAIMS = "claims"
    CLAIM_SMOKE = "claim_smoke"
    WEB = "web"
    CROSS_REFERENCE = "cross_reference"


@dataclass(frozen=True, slots=True)
class NotDone:
    """A part of a phase that nobody did, and why; `kind` is None where no agent was asked."""

    phase: ReviewPhase
    part: str
    reason: str
    kind: FailureKind | None = None


@dataclass(frozen=True, slots=True)
class RedFindings:
    """``red_findings.json``: what the three lenses found, each lens in document order."""

    findings: tuple[RedFinding, ...]


@dataclass(frozen=True, slots=True)
class Defences:
    """``defences.json``: what was said for the document, at most one for each finding."""

    defences: tuple[Defence, ...]


@dataclass(frozen=True, slots=True)
class CompiledFinding:
    """A finding that survived, as the review prints it, with its number: T-1, A-1, S-1.

    `merged` are the ids of findings that said the same of the same place. `doubt` is what a smoke
    tester holds against a finding of rules, which no tester drops.
    """

    number: str
    finding: RedFinding
    defence: Defence | None
    merged: tuple[str, ...] = ()
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class KilledFinding:
    """A finding that its defence refuted."""

    finding: RedFinding
    defence: Defence


@dataclass(frozen=True, slots=True)
class CompiledReview:
    """``compiled.json``: what a person sees at the gate, of the document with this hash."""

    document_sha256: str
    findings: tuple[CompiledFinding, ...]
    killed: tuple[KilledFinding, ...]


class GateChoice(StrEnum):
    """The decisions that a person may take on a compiled review."""

    GO_ON = "go_on"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class GateDecision:
    """``gate_decision.json``: who let a review go on, or stopped it, and when.

    `compiled_sha256` is that of `compiled.json`: a decision counts for no other.
    """

    choice: GateChoice
    by: str
    at: datetime
    compiled_sha256: str


@dataclass(frozen=True, slots=True)
class DroppedFinding:
    """A finding that failed its smoke test."""

    finding: CompiledFinding
    reason: str


@dataclass(frozen=True, slots=True)
class SmokeTested:
    """``smoke.json``: the findings of the review, and those that failed their smoke test."""

    findings: tuple[CompiledFinding, ...]
    dropped: tuple[DroppedFinding, ...]


@dataclass(frozen=True, slots=True)
class DroppedClaim:
    """A claim that failed its smoke test; nothing is looked up for it."""

    claim: ExtractedClaim
    reason: str


@dataclass(frozen=True, slots=True)
class ClaimsTested:
    """``claim_smoke.json``: the claims that say what the document says, and the others."""

    claims: tuple[ExtractedClaim, ...]
    dropped: tuple[DroppedClaim, ...]


@dataclass(frozen=True, slots=True)
class WebChecked:
    """``web.json``: what was found for each claim that was looked up, and how it was looked for.

    `queries` and `sources` are all that code asked and read. `ratings` are the scores of those
    sources, and of what verifiers read besides.
    """

    results: tuple[WebResult, ...]
    queries: tuple[WebQuery, ...]
    sources: tuple[Source, ...]
    ratings: tuple[SourceRating, ...] = ()
