"""Records of the exact checks of a claim against a source, and the verdict that rests on them."""

from __future__ import annotations

from dataclasses import dataclass

from ...base.vocabulary import Basis, Stance, Verdict
from ...claims.model import ClaimQuote, DateSpan, Figure
from ..decide import Probabilities
from ..model import SlotCheck, SlotKind, SlotOutcome
from ..passages.units import Unit


@dataclass(frozen=True, slots=True)
class Derivation:
    """How a figure follows.

    `chance` (0-1) is the likelihood that some result fits by accident. `fell` marks a fall that the
    source prints as a negative change.
    """

    working: str
    chance: float
    fell: bool = False


@dataclass(frozen=True, slots=True)
class FigureCheck:
    """One figure of a claim against passages.

    `found` is the value of the passage that it was compared with, if any. `change` is (claimed -
    found) / found. `derivation` shows how a figure follows that is not printed, if it does.
    """

    value: Figure
    outcome: SlotOutcome
    found: Figure | None = None
    change: float | None = None
    derivation: Derivation | None = None

    @property
    def is_found(self) -> bool:
        """Whether the passages print the figure or imply it."""
        return self.outcome.is_found

    @property
    def is_printed(self) -> bool:
        """Whether the passages have the figure itself, in whatever unit or form."""
        return self.is_found and not self.is_derived

    @property
    def is_derived(self) -> bool:
        """Whether it is only implied."""
        return self.derivation is not None

    @property
    def working(self) -> str:
        """How a derived figure follows, "" for any other."""
        return self.derivation.working if self.derivation else ""

    def slot(self) -> SlotCheck:
        """The check as it is recorded."""
        kind = SlotKind.DATE if isinstance(self.value, DateSpan) else SlotKind.NUMBER
        found = self.working or (self.found.text if self.found else "")
        deviation = None if self.change is None else abs(self.change)
        return SlotCheck(kind, self.outcome, self.value.text, found, deviation)


@dataclass(frozen=True, slots=True)
class Edit:
    """The one place where a claim differs from a sentence that it otherwise repeats.

    `[claim_start, claim_end)` are offsets into the claim's text, `[start, end)` into the source's.
    """

    claimed: str
    found: str
    claim_start: int
    claim_end: int
    start: int
    end: int
    unit: Unit


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """A quotation and the place in the source that has its words, or words close to them.

    The outcome is `MATCH`, `MISMATCH` for altered words, or `ABSENT`; an absent one has no place.
    """

    quote: ClaimQuote
    outcome: SlotOutcome
    start: int = 0
    end: int = 0

    def slot(self, text: str) -> SlotCheck:
        """The check as it is recorded; `text` is the source's."""
        found = " ".join(text[self.start : self.end].split())
        return SlotCheck(SlotKind.QUOTE, self.outcome, self.quote.text, found)


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on one source: supported, contradicted, unverifiable or not checkable.

    `[start, end)` is the passage in the source's text that the verdict rests on; of an unverifiable
    claim it is the nearest one. `sure` says that the claim is surely not stated in the source.
    `edit`, `figure` or `quote` is the one part that differs where a contradiction is proved.
    `probabilities` are those of the fitted decision, None where a rule needed none. `reservation`
    is the word by which the source takes back or limits what the claim repeats, "" if none does.
    """

    verdict: Verdict
    basis: Basis
    reason: str
    start: int = 0
    end: int = 0
    slots: tuple[SlotCheck, ...] = ()
    sure: bool = False
    edit: Edit | None = None
    figure: FigureCheck | None = None
    quote: QuoteCheck | None = None
    probabilities: Probabilities | None = None
    reservation: str = ""

    @property
    def decided(self) -> bool:
        """Whether no model may raise the verdict: it is supported, or the contrary is proved."""
        if self.verdict is Verdict.CONTRADICTED:
            return self.basis is Basis.PROVED
        return self.verdict is Verdict.SUPPORTED

    @property
    def stance(self) -> Stance:
        """Stance of the evidence towards the claim."""
        if self.verdict is Verdict.SUPPORTED:
            return Stance.SUPPORTS
        return Stance.CONTRADICTS if self.verdict is Verdict.CONTRADICTED else Stance.NEUTRAL
