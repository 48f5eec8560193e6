"""Code and model together: the model proposes, code decides (design, principle 1 and section 4).

What code has proved stands, and so does an answer that needs no source. What code only reads may be
lifted by an exact quote that passes the exact checks.

A model may quote a few words out of a sentence that denies them. So code reads the whole sentences
around them in the source, by the same checks as any other passage.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ...base.vocabulary import Basis, Finding, IssueType, Stance, Verdict
from ...claims.model import Claim
from ..assessing import issues
from ..exact.model import Judgement
from ..judge import judge
from ..model import WORST_FIRST, ClaimAssessment, Evidence, Passage
from ..passages.retrieval import SourceIndex, SourceText
from ..passages.units import widen_to_units
from ..registry import Registry

_NEGATION = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|nobody)\b|n['’]t\b", re.I
)


def counts_beside(
    claim: Claim,
    engine: ClaimAssessment,
    answer: ClaimAssessment,
    sources: SourceIndex,
    registry: Registry,
) -> bool:
    """Whether anybody's `answer` can take the place of the engine's assessment.

    It lifts no proved contradiction, excuses no claim from being checked, and only lowers what code
    has decided. It raises a claim as far as one of its passages does in `combine_verdicts`.

    Raises:
        SnapshotError: A readable source has no text.
        InputError: The reader's files are missing or broken.
    """
    stated = answer.verdict
    if not {engine.verdict, stated} <= set(WORST_FIRST):
        return False
    if WORST_FIRST.index(stated) <= WORST_FIRST.index(engine.verdict):
        return stated is not engine.verdict or not engine.decided
    if engine.decided:
        return False
    passages = (
        Passage(one.url, one.url, one.sha256, one.start, one.end, one.quote, 0.0)
        for one in answer.evidence
    )
    return any(
        combine_verdicts(claim, engine, stated, passage, sources, registry).verdict is stated
        for passage in passages
    )


def combine_verdicts(
    claim: Claim,
    engine: ClaimAssessment,
    stated: Verdict,
    evidence: Passage | None,
    sources: SourceIndex,
    registry: Registry,
) -> ClaimAssessment:
    """The verdict that follows from the engine's and from what a model `stated`.

    A proved contradiction stands, and so does an answer that needs no source. A model may lower any
    other verdict; a contradiction of its own needs a passage. The passage counts as the whole units
    of `sources` that it touches. It raises an undecided claim, also one that the reader takes for
    contradicted, to supported only if code finds every figure, date, identifier and quotation of
    the claim in it and nothing proved against it. A contradiction that was read gives way, to any
    verdict, only to such a passage that is negated as the claim is. A passage that states nothing
    raises no claim, nor does one that is read as saying otherwise.

    Raises:
        SnapshotError: A readable source has no text.
        InputError: The reader's files are missing or broken.
    """
    if engine.decided and engine.verdict is not Verdict.SUPPORTED:
        return engine
    if stated not in WORST_FIRST or engine.verdict not in WORST_FIRST:
        return engine
    if engine.decided and WORST_FIRST.index(stated) >= WORST_FIRST.index(engine.verdict):
        return engine
    named = read_named(evidence, sources) if evidence else None
    answer = _Answer(claim, engine, stated, registry)
    return answer.with_passage(named) if named else answer.without_passage()


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a model `stated` of a claim, beside the engine's assessment."""

    claim: Claim
    engine: ClaimAssessment
    stated: Verdict
    registry: Registry

    def without_passage(self) -> ClaimAssessment:
        engine, stated = self.engine, self.stated
        if WORST_FIRST.index(stated) >= WORST_FIRST.index(engine.verdict) or not engine.decided:
            return engine
        reason = f"the fact checker answered {stated.value} without a passage that shows it"
        return self._lowered(Verdict.UNVERIFIABLE, reason)

    def with_passage(self, named: NamedPassage) -> ClaimAssessment:
        stated, found = self.stated, judge_named(self.claim, named, self.registry)
        proved_wrong = found.verdict is Verdict.CONTRADICTED and found.decided
        against = named.evidence(Stance.CONTRADICTS)
        if proved_wrong and stated is not Verdict.CONTRADICTED:
            reason = f"the passage chosen contradicts the claim: {found.reason}"
            lowered = self._lowered(Verdict.CONTRADICTED, reason, against)
            return replace(lowered, basis=Basis.PROVED)
        match stated:
            case Verdict.SUPPORTED:
                return self._barred(found, named) or self._raised(found, named)
            case Verdict.CONTRADICTED:
                reason = "the fact checker found that the passage contradicts the claim"
                return self._lowered(stated, reason, against)
            case Verdict.PARTIALLY_SUPPORTED | Verdict.DISPUTED:
                reason = f"the fact checker found the claim {stated.value.replace('_', ' ')}"
                barred = self._barred_between(found, named)
                return barred or self._lowered(stated, reason, named.evidence(Stance.NEUTRAL))
            case _:
                return self.without_passage()

    def _barred_between(self, found: Judgement, named: NamedPassage) -> ClaimAssessment | None:
        """The same as `_barred` for a verdict between supported and contradicted."""
        if self.engine.verdict is Verdict.CONTRADICTED:
            return self._barred(found, named)
        if self.stated is Verdict.PARTIALLY_SUPPORTED and not self.engine.decided:
            return self._barred_by_reading(found, named)
        return None

    def _barred(self, found: Judgement, named: NamedPassage) -> ClaimAssessment | None:
        """Engine's assessment, with the reason why the passage cannot change it; None if it can."""
        missing = [slot.claimed for slot in found.slots if not slot.outcome.is_found]
        if missing:
            reason = f"the passage chosen does not state {', '.join(missing)}"
            return replace(self.engine, reason=reason, slots=found.slots)
        texts = (self.claim.text, named.passage.text)
        negated = {bool(_NEGATION.search(text)) for text in texts}
        if self.engine.verdict is Verdict.CONTRADICTED and len(negated) > 1:
            reason = "of the claim and the passage chosen one is negated and the other is not"
            return replace(self.engine, reason=reason)
        return self._barred_by_reading(found, named)

    def _barred_by_reading(self, found: Judgement, named: NamedPassage) -> ClaimAssessment | None:
        """Engine's assessment, with why the passage's reading bars a change; else None."""
        doubted = found.verdict is Verdict.CONTRADICTED
        if not named.states:
            reason = (
                "the passage chosen only asks it, vouches for it, speaks to its reader or denies it"
            )
        elif found.reservation:
            reason = f"claim and passage chosen differ in “{found.reservation}”"
        elif doubted and self.engine.verdict is not Verdict.CONTRADICTED:
            reason = f"the passage chosen says otherwise: {found.reason}"
        else:
            return None
        return replace(self.engine, reason=reason)

    def _raised(self, found: Judgement, named: NamedPassage) -> ClaimAssessment:
        spare = tuple(
            one
            for one in self.engine.findings
            if one.severity is self.registry.severity.spare_source
            and one.type
            not in (IssueType.UNVERIFIABLE, IssueType.VERIFIED_FALSE, *issues.OWN_FIGURES)
        )
        reason = "the fact checker found the claim supported; code found its figures in the passage"
        return replace(
            self.engine,
            verdict=Verdict.SUPPORTED,
            basis=Basis.READ_AND_EXACT,
            sure=False,
            reason=reason,
            slots=found.slots,
            evidence=(named.evidence(Stance.SUPPORTS),),
            findings=(*spare, *_own_figures(self.engine)),
        )

    def _lowered(self, verdict: Verdict, reason: str, *evidence: Evidence) -> ClaimAssessment:
        found = issues.stated(self.claim, verdict, reason, self.registry.severity)
        return replace(
            self.engine,
            verdict=verdict,
            reason=reason,
            evidence=evidence,
            findings=(found, *_own_figures(self.engine)),
            decided=False,
            basis=Basis.READ,
            sure=False,
        )


def _own_figures(engine: ClaimAssessment) -> tuple[Finding, ...]:
    return tuple(found for found in engine.findings if found.type in issues.OWN_FIGURES)


@dataclass(frozen=True, slots=True)
class NamedPassage:
    """The whole units of a source that a named passage touches.

    `states` says whether one of them states something where it stands: what is asked there, taken
    back by the next sentence or announced as a claim in the line above states nothing.
    """

    passage: Passage
    states: bool

    def evidence(self, stance: Stance) -> Evidence:
        """The passage as evidence."""
        one = self.passage
        return Evidence(one.url, one.sha256, one.text, one.start, one.end, stance)


def read_named(passage: Passage, sources: SourceIndex) -> NamedPassage | None:
    """`passage` widened to whole units of its source; None if it does not stand there.

    Raises:
        SnapshotError: A readable source has no text.
    """
    readable = sources.readable(passage.url)
    if readable is None or readable[0].sha256 != passage.sha256 or not passage.text.strip():
        return None
    source = readable[1]
    if source.text[passage.start : passage.end] != passage.text:
        return None
    start, end = widen_to_units(source.text, passage.start, passage.end)
    whole = replace(passage, start=start, end=end, text=source.text[start:end])
    return NamedPassage(whole, source.states_within(start, end))


def judge_named(claim: Claim, named: NamedPassage, registry: Registry) -> Judgement:
    """Judgement of `claim` against this passage alone; offsets are those of the source."""
    passage = named.passage
    found = judge(claim, SourceText(passage.text, registry.lexicon), registry)
    return replace(found, start=found.start + passage.start, end=found.end + passage.start)
