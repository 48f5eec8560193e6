"""What the page shows of one thing of its lists when it is asked, as JSON for its script."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass

from pydantic import JsonValue

from ...verification.model import Evidence
from .model import STANCES, Fact, FindingView, Label, Name, SourceCard
from .quotes import Context, Quotes

Json = dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """A quote in its source with what is to be said of it; `source` is the number of the card."""

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
    """All that is on record for a claim or a finding; the page shows what there is of it.

    `quote` are the document's own words where `text` is not. `evidence` is None for what asks for
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
        "told": finding.told,
        "advice": finding.advice,
    }


def _label(label: Label) -> Json:
    return {"text": label.text, "sign": label.sign, "tone": label.tone.value}
