"""Sources of a page, quotes in their snapshots, charts, and details of entries for its script."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from functools import lru_cache

from pydantic import JsonValue

from ...base.errors import SnapshotError
from ...base.vocabulary import Finding, GateDecision, SourceState
from ...core.artefacts import CriterionScore
from ...core.critique import DimensionScore
from ...core.run_analytics import AnalyticsFile, figures_table
from ...sources.model import Source
from ...sources.scoring.appraisal import SourceRating
from ...sources.scoring.model import Tier
from ...sources.snapshot_store import SnapshotStore
from ...verification.model import ChallengeNote, Evidence, GateResult, SlotCheck, WeighedEvidence
from ..summary import TABLE_LEGEND, join_sentences, used_table
from ..wording import spaced
from .model import NOTHING, SEVERITIES, STANCES, Label, Row, SourceCard, Table, Tone
from .run_files import CheckedClaim

_TIER_TONES = (Tone.GOOD, Tone.GOOD, Tone.MIXED, Tone.BAD, Tone.BAD)
UNSCORED = Label("not scored", "–", Tone.MUTED)
TIERS: Mapping[str, Label] = {
    tier.name: Label(tier.name, str(tier.value), tone)
    for tier, tone in zip(Tier, _TIER_TONES, strict=True)
}
GATE_DECISIONS: Mapping[GateDecision, Label] = {
    GateDecision.PASS: Label("pass", "✓", Tone.GOOD),
    GateDecision.PENDING_REVIEW: Label("pending review", "?", Tone.OPEN),
    GateDecision.FAIL: Label("fail", "✗", Tone.BAD),
}


def moment(at: datetime) -> str:
    """A moment in UTC."""
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"


def cost_table(analytics: AnalyticsFile | None) -> Table | None:
    """Return the table of each agent's work, cost and time."""
    if analytics is None:
        return None
    figures = figures_table(analytics.agents, analytics.total, analytics.turns)
    columns, rows = used_table(figures)
    texts = frozenset(columns.index(name) for name in ("agent", "vote") if name in columns)
    return Table(columns, rows, caption=f"What each agent did ({TABLE_LEGEND})", texts=texts)


def gate_tables(gate: GateResult) -> Iterable[Table]:
    """Yield the numbers that the gate saw, and the limits in force if there are any."""
    metrics = ((field.name, getattr(gate.metrics, field.name)) for field in fields(gate.metrics))
    numbers = tuple((spaced(name), _number(value)) for name, value in metrics)
    yield Table(("number", "value"), numbers, caption="What the gate saw")
    if gate.limits:
        rows = tuple(
            (spaced(one.name), _number(one.seen), _number(one.limit)) for one in gate.limits
        )
        yield Table(("limit", "seen", "needed"), rows, caption="Limits in force")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


def score_table(title: str, scores: Iterable[tuple[str, CriterionScore | DimensionScore]]) -> Table:
    """Return the table of scores by criterion."""
    rows = tuple(
        (spaced(name), "–" if one.score is None else f"{one.score:.2f}", one.reason)
        for name, one in scores
    )
    columns, texts = ("criterion", "score", "why"), frozenset({0, 2})
    return Table(columns, rows, caption=f"{title}: scores", texts=texts)


Json = dict[str, JsonValue]
_TIERS = tuple(tier.name for tier in Tier)
BEST_TIERS = (*(Label(one, "", NOTHING.tone) for one in _TIERS), UNSCORED, NOTHING)
"""Labels that `best_tier` indexes."""
CONTEXT_CHARS = 240
"""Characters of a source shown before and after a quote."""
_KEPT_TEXTS = 64


def best_tier(evidence: Iterable[Evidence], ratings: Mapping[str, SourceRating]) -> int:
    """The best tier among the sources of `evidence`, as an index of `BEST_TIERS`."""
    found = (ratings.get(item.url) for item in evidence)
    tiers = (_TIERS.index(one.tier) if one is not None else len(_TIERS) for one in found)
    return min(tiers, default=len(_TIERS) + 1)


def source_cards(
    known: Mapping[str, Source],
    ratings: Mapping[str, SourceRating],
    quoted: Iterable[Iterable[Evidence]],
    snapshots: SnapshotStore | None = None,
) -> Iterator[SourceCard]:
    """A card for each source by its address: first the `known` ones, in their order.

    `quoted` is the evidence of each claim; `snapshots` has what is known of its other sources.
    """
    uses, sha256 = Counter[str](), dict[str, str]()
    for evidence in quoted:
        found = {item.url: item.sha256 for item in evidence}
        uses.update(found.keys())
        sha256.update(found)
    for number, url in enumerate(dict.fromkeys([*known, *ratings, *uses]), start=1):
        rating, source = ratings.get(url), known.get(url)
        if source is None and snapshots is not None and url in sha256:
            source = _quoted_source(url, sha256[url], rating, snapshots)
        yield SourceCard(number, url, rating, source, uses[url])


def _quoted_source(
    url: str, sha256: str, rating: SourceRating | None, snapshots: SnapshotStore
) -> Source | None:
    """Build a source from its quoted snapshot and its score; None without a snapshot."""
    try:
        snapshot = snapshots.snapshot(sha256)
    except SnapshotError:
        return None
    state, reason = (rating.state, rating.reason) if rating else (SourceState.OK, "")
    return Source(url, state, reason, snapshot)


class Quotes:
    """Evidence for the page's script, each quote in its context and with its source card.

    Args:
        snapshots: The snapshots of a run or a review.
        cards: The source cards of the page.
    """

    def __init__(self, snapshots: SnapshotStore, cards: Iterable[SourceCard]) -> None:
        self._text = lru_cache(_KEPT_TEXTS)(snapshots.text)
        self._numbers = {card.url: card.number for card in cards}

    def json(self, item: Evidence, notes: Iterable[str]) -> JsonValue:
        """`item` with the text around it; `fault` is why that could not be shown."""
        before, after, fault = self._context(item)
        return {
            "stance": _label(STANCES[item.stance]),
            "quote": item.quote,
            "before": before,
            "after": after,
            "fault": fault,
            "notes": [*notes],
            "source": self._numbers.get(item.url),
            "url": item.url,
            "sha256": item.sha256,
            "place": f"characters {item.start:,} to {item.end:,}",
        }

    def _context(self, item: Evidence) -> tuple[str, str, str]:
        try:
            text = self._text(item.sha256)
        except SnapshotError as error:
            return "", "", error.message
        if text[item.start : item.end] != item.quote:
            return "", "", "the quote does not stand at this place of the snapshot"
        first, last = max(0, item.start - CONTEXT_CHARS), item.end + CONTEXT_CHARS
        before, after = text[first : item.start], text[item.end : last]
        return ("…" if first else "") + before, after + ("…" if last < len(text) else ""), ""


def details_json(
    row: Row,
    where: str,
    reason: str,
    *,
    text: str = "",
    context: str = "",
    quote: str = "",
    facts: Mapping[str, str],
    evidence: Sequence[JsonValue] | None = None,
    findings: Iterable[Finding] = (),
    notes: Mapping[str, Sequence[str]] | None = None,
    links: Mapping[str, Sequence[int]] | None = None,
) -> Json:
    """Everything on record for the thing in `row`, as the page's script reads it.

    `quote` are the document's own words if `text` is not. `evidence` is None for things that need
    none. `notes` are lines and `links` the numbers of other things, by their headings.
    """
    return {
        "name": str(row.name),
        "labels": [_label(label) for label in row.labels],
        "text": text or row.text,
        "where": where,
        "reason": reason,
        "context": context,
        "quote": quote,
        "facts": [[name, value] for name, value in facts.items() if value],
        "evidence": None if evidence is None else [*evidence],
        "findings": [_finding(each) for each in findings],
        "notes": [[title, [*lines]] for title, lines in (notes or {}).items() if lines],
        "links": [[title, [*numbers]] for title, numbers in (links or {}).items() if numbers],
    }


def _finding(finding: Finding) -> Json:
    return {
        "severity": _label(SEVERITIES[finding.severity]),
        "type": spaced(finding.type),
        "message": join_sentences(finding.problem, finding.evidence),
        "advice": finding.recommendation,
    }


def _label(label: Label) -> Json:
    return {"text": label.text, "sign": label.sign, "tone": label.tone.value}


def claim_details(
    checked: CheckedClaim,
    row: Row,
    quotes: Quotes,
    numbers: Mapping[str, int],
    findings: Sequence[Finding],
) -> Json:
    """Everything on record for a claim of a run; `numbers` are those of the claims by id."""
    entry = checked.entry
    section = entry.location.section
    history = [
        f"iteration {step.iteration}: {spaced(step.before or 'first seen')} → "
        f"{spaced(step.after)} by {spaced(step.by)}: {step.reason}"
        for step in entry.history
    ]
    return details_json(
        row,
        row.place + (f", {section}" if section else ""),
        entry.reason,
        context=checked.claim.context,
        facts=_facts(checked),
        evidence=[quotes.json(item, _worth(item)) for item in entry.evidence],
        findings=findings,
        notes={
            "What code compared": [*map(_slot, checked.slots)],
            "Challenges": [*map(_challenge, entry.challenges)],
            "History": history,
        },
        links={
            "Cannot be true beside": [numbers[id_] for id_ in entry.contradicts if id_ in numbers]
        },
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


def _facts(checked: CheckedClaim) -> dict[str, str]:
    entry, claim = checked.entry, checked.claim
    return {
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


def _slot(slot: SlotCheck) -> str:
    deviation = "" if slot.deviation is None else f" ({slot.deviation:.1%} off)"
    there = f", the source has “{slot.found}”" if slot.found else ""
    return f"{spaced(slot.kind)} “{slot.claimed}”: {spaced(slot.outcome)}{deviation}{there}"


def _challenge(note: ChallengeNote) -> str:
    return f"{spaced(note.step)}: {spaced(note.outcome)}; {note.detail}"
