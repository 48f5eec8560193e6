"""Code and model together: the model proposes, code decides (design, principle 1 and section 4)."""

from __future__ import annotations

from dataclasses import replace

from ...base.finding import Finding
from ...base.vocabulary import IssueType, Stance, Verdict
from ...claims.model import Claim
from ..assessing import issues
from ..assessing.named import NamedPassage, NamedReading, read_named
from ..judging.judge import judge
from ..model import ClaimAssessment, Evidence, Passage
from ..reading.form import claim_form
from ..reading.index import SourceIndex, TextIndex
from ..registry import Registry
from ..values.sameness import FILLED

# From worst to best for the author. A model may move a verdict to the left, never to the right of
# what its passage bears out.
_ORDER = (
    Verdict.CONTRADICTED,
    Verdict.DISPUTED,
    Verdict.UNVERIFIABLE,
    Verdict.PARTIALLY_SUPPORTED,
    Verdict.SUPPORTED,
)


def counts_beside(engine: ClaimAssessment, stated: Verdict) -> bool:
    """Whether anybody's answer `stated` can take the place of the engine's assessment.

    It lifts no contradiction, excuses no claim from being checked, and only lowers what code has
    decided on every slot. That its quotes stand in their sources is another question.
    """
    if engine.verdict is Verdict.CONTRADICTED or not {engine.verdict, stated} <= set(_ORDER):
        return False
    return not engine.decided or _ORDER.index(stated) < _ORDER.index(engine.verdict)


def verdict_from_passage(claim: Claim, named: NamedPassage, registry: Registry) -> ClaimAssessment:
    """What code finds when it compares `claim` with one passage that a model chose.

    Every number, date and quotation of the claim is a slot of the result, looked for in this
    passage alone. The verdict is code's own; `UNVERIFIABLE` if the slots do not settle it.
    """
    form, passage = claim_form(claim, registry.lexicon), named.passage
    index = TextIndex(passage.text, registry.lexicon)
    judgement = judge(form, index, registry.lexicon, registry.verification)
    evidence: tuple[Evidence, ...] = ()
    if judgement.verdict is not Verdict.UNVERIFIABLE:
        start, end = judgement.start + passage.start, judgement.end + passage.start
        quote = passage.text[judgement.start : judgement.end]
        evidence = (Evidence(passage.url, passage.sha256, quote, start, end, judgement.stance),)
    return ClaimAssessment(
        claim.id,
        judgement.verdict,
        claim.citation_state,
        judgement.reason,
        decided=judgement.decided,
        slots=NamedReading(form, named, registry).slots(),
        evidence=evidence,
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

    A contradiction found by code stands, and so does an answer that needs no source. A model may
    lower any verdict; a contradiction of its own needs a passage. The passage counts as the whole
    sentences of `sources` that it touches. It may raise an undecided claim to supported only with
    one in which code finds every number, date and quotation of the claim, no contradiction and
    nothing that no model may overrule (`NamedReading.bar`); and to partially supported with one
    that neither contradicts it nor has such a thing.

    Raises:
        SnapshotError: A readable source has no text.
    """
    if engine.decided and engine.verdict is not Verdict.SUPPORTED:
        return engine
    if stated not in _ORDER or engine.verdict not in _ORDER:
        return engine
    if _ORDER.index(stated) >= _ORDER.index(engine.verdict) and engine.decided:
        return engine
    named = read_named(evidence, sources) if evidence else None
    if named is None:
        return _without_passage(claim, engine, stated, registry)
    checked = verdict_from_passage(claim, named, registry)
    if checked.verdict is Verdict.CONTRADICTED and stated is not Verdict.CONTRADICTED:
        reason = f"the passage chosen contradicts the claim: {checked.reason}"
        return _lowered(claim, engine, Verdict.CONTRADICTED, reason, checked.evidence, registry)
    match stated:
        case Verdict.SUPPORTED:
            return _raised(claim, engine, checked, named, registry)
        case Verdict.CONTRADICTED:
            quoted = checked.evidence or (named.evidence(Stance.CONTRADICTS),)
            reason = "the fact checker found that the passage contradicts the claim"
            return _lowered(claim, engine, stated, reason, quoted, registry)
        case Verdict.PARTIALLY_SUPPORTED | Verdict.DISPUTED:
            bar = _bar(claim, named, registry) if stated is Verdict.PARTIALLY_SUPPORTED else ""
            if bar and engine.verdict is not Verdict.SUPPORTED:
                return replace(engine, reason=bar)
            quoted = (named.evidence(Stance.NEUTRAL),)
            reason = f"the fact checker found the claim {stated.value.replace('_', ' ')}"
            return _lowered(claim, engine, stated, reason, quoted, registry)
        case _:
            return _without_passage(claim, engine, stated, registry)


def _without_passage(
    claim: Claim, engine: ClaimAssessment, stated: Verdict, registry: Registry
) -> ClaimAssessment:
    """No passage: the claim is at most unverifiable, and never contradicted."""
    if not engine.decided and stated in (Verdict.UNVERIFIABLE, Verdict.SUPPORTED):
        return replace(engine, reason=engine.reason, decided=False)
    reason = f"the fact checker answered {stated.value} without a passage that shows it"
    return _lowered(claim, engine, Verdict.UNVERIFIABLE, reason, (), registry)


def _raised(
    claim: Claim,
    engine: ClaimAssessment,
    checked: ClaimAssessment,
    named: NamedPassage,
    registry: Registry,
) -> ClaimAssessment:
    """Supported, if the passage fills every slot and nothing in it bars that."""
    missing = [slot.claimed for slot in checked.slots if slot.outcome not in FILLED]
    if missing:
        reason = f"the passage chosen does not state {', '.join(missing)}"
        return replace(engine, reason=reason, slots=checked.slots)
    bar = _bar(claim, named, registry)
    if bar:
        return replace(engine, reason=bar)
    spare = tuple(
        found
        for found in engine.findings
        if found.severity is registry.severity.spare_source
        and found.type not in (IssueType.UNVERIFIABLE, *issues.OWN_FIGURES)
    )
    return replace(
        engine,
        verdict=Verdict.SUPPORTED,
        reason="the fact checker found the claim supported; code found its figures in the passage",
        slots=checked.slots,
        evidence=checked.evidence or (named.evidence(Stance.SUPPORTS),),
        findings=(*spare, *_own_figures(engine)),
    )


def _bar(claim: Claim, named: NamedPassage, registry: Registry) -> str:
    return NamedReading(claim_form(claim, registry.lexicon), named, registry).bar()


def _lowered(
    claim: Claim,
    engine: ClaimAssessment,
    verdict: Verdict,
    reason: str,
    evidence: tuple[Evidence, ...],
    registry: Registry,
) -> ClaimAssessment:
    found = issues.stated(claim, verdict, reason, registry.severity)
    return replace(
        engine,
        verdict=verdict,
        reason=reason,
        evidence=evidence,
        findings=(found, *_own_figures(engine)),
        decided=False,
    )


def _own_figures(engine: ClaimAssessment) -> tuple[Finding, ...]:
    """What the document's own figures hold against the claim, whatever a source says."""
    return tuple(found for found in engine.findings if found.type in issues.OWN_FIGURES)
