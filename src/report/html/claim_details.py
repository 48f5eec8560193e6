"""What the page of a run shows of one claim when it is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...verification.model import ChallengeNote, SlotCheck, WeighedEvidence
from .details import Details, EvidenceViews, Links, Notes
from .model import Fact, FindingView, Label, Name, spaced
from .run_files import CheckedClaim


class ClaimDetails:
    """Makes the details of the claims of one run.

    Args:
        views: Makes views of their evidence.
        numbers: The numbers of the claims by id.
        findings: What is held against each claim, by id.
    """

    def __init__(
        self,
        views: EvidenceViews,
        numbers: Mapping[str, int],
        findings: Mapping[str, Sequence[FindingView]],
    ) -> None:
        self._views = views
        self._numbers = numbers
        self._findings = findings

    def of(self, checked: CheckedClaim, name: Name, label: Label) -> Details:
        """All that is on record for a claim."""
        entry, claim = checked.entry, checked.claim
        section = entry.location.section
        against = [self._numbers[id_] for id_ in entry.contradicts if id_ in self._numbers]
        history = (
            f"iteration {step.iteration}: {spaced(step.before or 'first seen')} → "
            f"{spaced(step.after)} by {spaced(step.by)}: {step.reason}"
            for step in entry.history
        )
        return Details(
            name,
            (label,),
            entry.text,
            f"line {entry.location.line}" + (f", {section}" if section else ""),
            entry.reason,
            context=claim.context,
            facts=_facts(checked),
            evidence=tuple(self._views.of(item, _worth(item)) for item in entry.evidence),
            findings=tuple(self._findings.get(entry.claim_id, ())),
            notes=(
                Notes("What code compared", tuple(map(_slot, checked.slots))),
                Notes("Challenges", tuple(map(_challenge, entry.challenges))),
                Notes("History", tuple(history)),
            ),
            links=(Links("Cannot be true beside", tuple(against)),),
        )


def _worth(item: WeighedEvidence) -> Iterator[str]:
    """What a piece of evidence is worth."""
    if item.strength is not None:
        yield f"words of the claim that it holds {item.strength:.0%}"
    if item.credibility is not None:
        yield f"reliability of its source {item.credibility:.0%}"
    if item.circular:
        yield "circular: the source is, or is taken from, the document"
    if item.sought:
        yield "found by a challenge"


def _facts(checked: CheckedClaim) -> tuple[Fact, ...]:
    entry, claim = checked.entry, checked.claim
    facts = {
        "kind": spaced(claim.kind),
        "citation": "no citation" if entry.citation_state == "none" else entry.citation_state,
        "support": spaced(entry.tier.lower()) if entry.tier else "",
        "confidence": "" if entry.confidence is None else f"{entry.confidence:.0%}",
        "checked by": ", ".join(spaced(one) for one in entry.checked_by),
        "weight": "load-bearing" if claim.load_bearing else "",
        "not checked": "nothing could be compared" if entry.unchecked else "",
        "left out by rule": claim.exclusion,
        "beware": "a checker's quote is not in its source" if entry.misquoted else "",
        "circular": "only circular sources keep it from a better tier" if entry.circular else "",
    }
    return tuple(Fact(name, value) for name, value in facts.items())


def _slot(slot: SlotCheck) -> str:
    deviation = "" if slot.deviation is None else f" ({slot.deviation:.1%} off)"
    there = f", the source has “{slot.found}”" if slot.found else ""
    return f"{spaced(slot.kind)} “{slot.claimed}”: {spaced(slot.outcome)}{deviation}{there}"


def _challenge(note: ChallengeNote) -> str:
    return f"{spaced(note.step)}: {spaced(note.outcome)}; {note.detail}"
