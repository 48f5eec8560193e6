"""What the page shows of one claim when it is asked: its evidence in context, as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from ...verification.model import ChallengeNote, SlotCheck, WeighedEvidence
from .model import STANCES, FindingView, Label, SourceCard, spaced
from .run_files import CheckedClaim, RunFiles

Json = dict[str, JsonValue]


class ClaimDetails:
    """Makes the details of the claims of one run.

    Args:
        files: The run.
        cards: The sources by address.
        numbers: The numbers of the claims by id.
        findings: What is held against each claim, by id.
    """

    def __init__(
        self,
        files: RunFiles,
        cards: Mapping[str, SourceCard],
        numbers: Mapping[str, int],
        findings: Mapping[str, Sequence[FindingView]],
    ) -> None:
        self._files = files
        self._cards = cards
        self._numbers = numbers
        self._findings = findings

    def of(self, checked: CheckedClaim, number: int, label: Label) -> Json:
        """All that is on record for a claim; the page shows what there is of it."""
        entry, claim = checked.entry, checked.claim
        section = entry.location.section
        return {
            "n": number,
            "id": entry.claim_id,
            "text": entry.text,
            "context": claim.context,
            "where": f"line {entry.location.line}" + (f", {section}" if section else ""),
            "label": label_json(label),
            "reason": entry.reason,
            "facts": [[name, value] for name, value in _facts(checked).items()],
            "evidence": [self._evidence(item) for item in entry.evidence],
            "findings": [_finding(one) for one in self._findings.get(entry.claim_id, ())],
            "slots": [_slot(slot) for slot in checked.slots],
            "challenges": [_challenge(note) for note in entry.challenges],
            "history": [
                f"iteration {step.iteration}: {spaced(step.before or 'first seen')} → "
                f"{spaced(step.after)} by {spaced(step.by)}: {step.reason}"
                for step in entry.history
            ],
            "against": [self._numbers[id_] for id_ in entry.contradicts if id_ in self._numbers],
        }

    def _evidence(self, item: WeighedEvidence) -> Json:
        found = self._files.context(item.sha256, item.start, item.end, item.quote)
        card = self._cards.get(item.url)
        weights = {
            "words of the claim that it holds": item.strength,
            "reliability of its source": item.credibility,
        }
        notes: list[JsonValue] = [
            f"{name} {share:.0%}" for name, share in weights.items() if share is not None
        ]
        if item.circular:
            notes.append("circular: the source is, or is taken from, the document")
        if item.sought:
            notes.append("found by a challenge")
        return {
            "stance": label_json(STANCES[item.stance]),
            "quote": item.quote,
            "before": ("…" if found.cut_before else "") + found.before,
            "after": found.after + ("…" if found.cut_after else ""),
            "fault": found.fault,
            "notes": notes,
            "source": card.number if card else None,
            "url": item.url,
            "sha256": item.sha256,
            "place": f"characters {item.start:,} to {item.end:,}",
        }


def label_json(label: Label) -> Json:
    """A label as the page's script reads it."""
    return {"text": label.text, "sign": label.sign, "tone": label.tone.value}


def _facts(checked: CheckedClaim) -> dict[str, str]:
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
    return {name: value for name, value in facts.items() if value}


def _finding(finding: FindingView) -> Json:
    parts = (finding.problem, finding.evidence, finding.advice)
    return {
        "severity": label_json(finding.severity),
        "type": finding.type,
        "told": " ".join(part for part in parts if part),
    }


def _slot(slot: SlotCheck) -> list[JsonValue]:
    deviation = "" if slot.deviation is None else f" ({slot.deviation:.1%} off)"
    return [spaced(slot.kind), slot.claimed, spaced(slot.outcome) + deviation, slot.found]


def _challenge(note: ChallengeNote) -> str:
    return f"{spaced(note.step)}: {spaced(note.outcome)}; {note.detail}"
