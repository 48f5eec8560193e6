"""Why a claim of a run has its verdict, in data and in words."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

from ..base.errors import InputError
from ..base.printable import printable
from ..report.html.run_files import CheckedClaim, RunFiles
from ..verification.model import SlotCheck, WeighedEvidence
from .inputs import ExplainVerdict
from .outputs import RecordKind, VerdictExplained
from .records import find_record
from .service import Service

_SHORTENED = 300


async def explain_verdict(call: ExplainVerdict, service: Service) -> VerdictExplained:
    """The line of a claim in the ledger of the draft that a run delivers.

    Raises:
        InputError: There is no such run or claim, or the run had no fact checker.
        RunDirectoryError: The run directory is damaged.
    """
    files = RunFiles(find_record(service, call.run, RecordKind.RUN))
    iteration = files.manifest.best_iteration or max(files.drafts, default=0)
    ids: list[str] = []
    for checked in files.claims(iteration):
        if checked.entry.claim_id == call.claim:
            return _explained(files.path, iteration, checked)
        ids.append(checked.entry.claim_id)
    if not ids:
        raise InputError(f"{call.run} has no ledger", "the run had no fact checker, or no end yet")
    close = difflib.get_close_matches(call.claim, ids, 1)
    hint = f"did you mean {close[0]!r}?" if close else "see verify/claim_ledger.json of the run"
    raise InputError(f"iteration {iteration} of {call.run} has no claim {call.claim!r}", hint)


def _explained(run: Path, iteration: int, checked: CheckedClaim) -> VerdictExplained:
    entry = checked.entry
    return VerdictExplained(
        run=run.name,
        iteration=iteration,
        claim=entry.claim_id,
        text=entry.text,
        line=entry.location.line,
        section=entry.location.section,
        verdict=entry.verdict,
        state=entry.state,
        reason=entry.reason,
        citation=entry.citation_state,
        tier=entry.tier,
        confidence=entry.confidence,
        credibility_weight=entry.credibility_weight,
        checked_by=entry.checked_by,
        slots=checked.slots,
        evidence=entry.evidence,
        challenges=entry.challenges,
        history=entry.history,
        contradicts=entry.contradicts,
        findings=entry.finding_ids,
        words=tuple(map(printable, _words(iteration, checked))),
    )


def _words(iteration: int, checked: CheckedClaim) -> Iterator[str]:
    """The same in sentences: verdict, parts compared, evidence, challenges, history."""
    entry = checked.entry
    by = " and ".join(one.replace("_", " ") for one in entry.checked_by) or "nobody"
    verdict = entry.verdict.replace("_", " ")
    yield f"{entry.claim_id}, line {entry.location.line}: “{_short(entry.text)}”"
    yield f"Iteration {iteration}: {verdict}, by {by}. Reason: {entry.reason}."
    if entry.open_slot:
        yield "No checker answered for it, so that it counts as unchecked."
    yield from map(_describe_slot, checked.slots)
    yield from map(_describe_evidence, entry.evidence)
    if not entry.evidence:
        yield "There is no evidence."
    if entry.tier is not None and entry.confidence is not None:
        yield f"Tier {entry.tier}, confidence {entry.confidence:.2f} of 1."
    for other in entry.contradicts:
        yield f"It cannot be true beside {other}."
    for note in entry.challenges:
        yield f"Challenge, {note.step.replace('_', ' ')}: {note.outcome}; {note.detail}."
    for change in entry.history:
        before = f"from {change.before.replace('_', ' ')} " if change.before else ""
        after = change.after.replace("_", " ")
        yield (
            f"Iteration {change.iteration}: {before}to {after}, "
            f"by {change.by.replace('_', ' ')}: {change.reason}."
        )


def _describe_slot(slot: SlotCheck) -> str:
    found = f", found “{_short(slot.found)}”" if slot.found else ""
    off = f", off by {slot.deviation:.0%}" if slot.deviation else ""
    kind = slot.kind.capitalize()
    return f"{kind}: {slot.outcome}; claimed “{_short(slot.claimed)}”{found}{off}."


def _describe_evidence(item: WeighedEvidence) -> str:
    circular = " The source is, or is taken from, the document itself." if item.circular else ""
    return (
        f"{item.stance.capitalize()} it: “{_short(item.quote)}”, {item.url}, characters "
        f"{item.start:,} to {item.end:,} of snapshot {item.sha256[:12]}.{circular}"
    )


def _short(text: str) -> str:
    return text if len(text) <= _SHORTENED else f"{text[:_SHORTENED]} […]"
