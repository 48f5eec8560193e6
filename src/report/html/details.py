"""Details of one list entry, as JSON for the page's script."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass

from pydantic import JsonValue

from ...verification.model import ChallengeNote, Evidence, SlotCheck, WeighedEvidence
from .model import STANCES, Fact, FindingView, Label, Name, SourceCard, spaced
from .run_files import CheckedClaim
from .source_cards import Context, Quotes

Json = dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """A quote in its source, with notes; `source` is the number of the source card."""

    evidence: Evidence
    context: Context
    notes: tuple[str, ...]
    source: int | None


@dataclass(frozen=True, slots=True)
class Notes:
    """Lines under a heading."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Links:
    """Other things of the page under a heading, by their numbers."""

    title: str
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Details:
    """Everything on record for a claim or a finding.

    `quote` are the document's own words if `text` is not. `evidence` is None for entries that need
    none.
    """

    name: Name
    labels: tuple[Label, ...]
    text: str
    where: str
    reason: str
    _: KW_ONLY
    context: str = ""
    quote: str = ""
    facts: tuple[Fact, ...] = ()
    evidence: tuple[EvidenceView, ...] | None = None
    findings: tuple[FindingView, ...] = ()
    notes: tuple[Notes, ...] = ()
    links: tuple[Links, ...] = ()


class EvidenceViews:
    """Makes views of evidence, each in its context and with the card of its source."""

    def __init__(self, quotes: Quotes, cards: Iterable[SourceCard]) -> None:
        self._quotes = quotes
        self._numbers: Mapping[str, int] = {card.url: card.number for card in cards}

    def of(self, item: Evidence, notes: Iterable[str]) -> EvidenceView:
        """The view of `item`."""
        found = self._quotes.context(item.sha256, item.start, item.end, item.quote)
        return EvidenceView(item, found, tuple(notes), self._numbers.get(item.url))


def details_json(one: Details) -> Json:
    """`one` as the page's script reads it."""
    return {
        "name": str(one.name),
        "labels": [_label(label) for label in one.labels],
        "text": one.text,
        "where": one.where,
        "reason": one.reason,
        "context": one.context,
        "quote": one.quote,
        "facts": [[fact.name, fact.value] for fact in one.facts if fact.value],
        "evidence": None if one.evidence is None else [_evidence(each) for each in one.evidence],
        "findings": [_finding(each) for each in one.findings],
        "notes": [[each.title, [*each.lines]] for each in one.notes if each.lines],
        "links": [[each.title, [*each.numbers]] for each in one.links if each.numbers],
    }


def _evidence(view: EvidenceView) -> Json:
    item, found = view.evidence, view.context
    return {
        "stance": _label(STANCES[item.stance]),
        "quote": item.quote,
        "before": ("…" if found.cut_before else "") + found.before,
        "after": found.after + ("…" if found.cut_after else ""),
        "fault": found.fault,
        "notes": [*view.notes],
        "source": view.source,
        "url": item.url,
        "sha256": item.sha256,
        "place": f"characters {item.start:,} to {item.end:,}",
    }


def _finding(finding: FindingView) -> Json:
    return {
        "severity": _label(finding.severity),
        "type": finding.type,
        "message": finding.message,
        "advice": finding.advice,
    }


def _label(label: Label) -> Json:
    return {"text": label.text, "sign": label.sign, "tone": label.tone.value}


class ClaimDetails:
    """Makes the details of the claims of one run.

    Args:
        views: Makes views of their evidence.
        numbers: The numbers of the claims by id.
        findings: The findings on each claim, by id.
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
        """Return everything on record for a claim."""
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
    """Yield notes on the weight of a piece of evidence."""
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
