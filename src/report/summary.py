"""The end of a run in words: status, gate, findings, and what was not checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..base.printable import counted
from ..base.vocabulary import Checker, Finding, Severity, Verdict
from ..claims.accounting import AccountedSentence, SentenceRole
from ..core.approval import ApprovalBasis, RunStatus, Settlement
from ..core.iteration import IterationOutcome, outcome_of
from ..core.result import PipelineResult
from ..verification.model import GateResult, LedgerEntry
from .wording import labels

BY_RULES_ONLY = "approved by rules only; not reviewed for reasoning"
SUMMARY_FILE = "summary.md"
TABLE_LEGEND = "claims: checked/found (+supported -contradicted); issues: critical/high/medium/low"


@dataclass(frozen=True, slots=True)
class Unchecked:
    """An unchecked part, the reason, and the places: lines of the document or addresses."""

    what: str
    reason: str
    places: tuple[str, ...] = ()


UNCHECKED_ROLES: Mapping[SentenceRole, tuple[str, str]] = {
    SentenceRole.UNCITED: (
        "statement of fact without a source",
        "statements of fact without a source",
    ),
    SentenceRole.QUOTATION: ("quotation without a source", "quotations without a source"),
    SentenceRole.OWN_RESULT: ("result of the author's own", "results of the author's own"),
    SentenceRole.OPINION: ("opinion", "opinions"),
    SentenceRole.RECOMMENDATION: ("recommendation", "recommendations"),
    SentenceRole.FRAMING: ("sentence of framing", "sentences of framing"),
}
"""Singular and plural of the sentence roles that are not compared with sources."""
UNANSWERED, BY_PERSON = "claims nobody answered for", "claims that a person decided"
UNSETTLED = "claims that could not be settled"
_LEFT_OPEN: Mapping[Verdict, str] = {
    Verdict.UNVERIFIABLE: UNSETTLED,
    Verdict.SOURCE_UNAVAILABLE: "claims whose source cannot be read",
    Verdict.NOT_CHECKABLE: "statements that are not checkable",
}
_LEFT = (UNANSWERED, BY_PERSON, *_LEFT_OPEN.values())
NO_DRAFT = Unchecked("everything", "there is no draft")


def headline(status: RunStatus, basis: ApprovalBasis | None) -> str:
    """Describe the end of a run, so that a stop never reads as an approval."""
    if status is RunStatus.APPROVED and basis is not ApprovalBasis.INDEPENDENT_REVIEW:
        return BY_RULES_ONLY
    return labels("run_ends")[status].text


def gate_line(gate: GateResult) -> str:
    """Format the gate's decision with its numbers; zero counts are left out.

    A research mode is named, with the number of verified claims, which its decision depends on.
    """
    seen = gate.metrics
    researched = gate.profile.startswith("research/")
    named = f" ({gate.profile})" if researched else ""
    rate = "n/a" if seen.rate is None else f"{seen.rate:.0%}"
    counts = (
        (seen.verified_claim_count if researched else 0, "verified"),
        (seen.contradicted, "contradicted"),
        (seen.unverifiable, "unverifiable"),
        (seen.unsourced, "without a source"),
        (seen.source_unavailable, "with a source that cannot be read"),
        (seen.open_slots, "unanswered"),
        (seen.claims - seen.checkable, "not checkable"),
    )
    others = "".join(f", {count} {what}" for count, what in counts if count)
    supported = (
        f"{seen.supported} of {counted(seen.checkable, 'checkable claim')} supported ({rate})"
    )
    return f"gate {gate.decision}{named}: {supported}{others}"


def gate_rule_line(gate: GateResult) -> str:
    """The rule that decided, why, and what would have changed it."""
    rule = gate.rule.replace("_", " ")
    return f"gate rule, {rule}: {gate.reason}; would change with {gate.would_change}"


def settlement_line(settlement: Settlement) -> str:
    """Describe the answer of the user's settlement policy."""
    word = "blocked" if settlement.blocked else "not blocked"
    said = f"{settlement.outcome.replace('_', ' ')}"
    if settlement.ok is not None:
        stands = settlement.ok and not settlement.block_synthesize
        said = "the approval may stand" if stands else "the approval is to be withheld"
    why = f": {settlement.reason}" if settlement.reason else ""
    return f"settlement ({settlement.mode}) {word}: {settlement.policy}, {said}{why}"


def finding_line(finding: Finding) -> str:
    """A finding on one line: severity, place, kind, and its message."""
    place = f"line {finding.location.line}" if finding.location else "whole document"
    return f"{finding.severity} {place} {finding.type}: {message(finding)}"


def message(finding: Finding) -> str:
    """Join the problem, its evidence and the recommendation."""
    return join_sentences(finding.problem, finding.evidence, finding.recommendation)


def join_sentences(*sentences: str) -> str:
    """The sentences that there are, on one line."""
    return "; ".join(sentence.rstrip(".") for sentence in sentences if sentence)


def by_severity(findings: Iterable[Finding]) -> Iterator[tuple[Severity, list[Finding]]]:
    """The findings of each severity that has any, worst first."""
    every = list(findings)
    for severity in Severity:
        same = [finding for finding in every if finding.severity is severity]
        if same:
            yield severity, same


def severity_counts(findings: Iterable[Finding]) -> str:
    """How many findings of each severity there are, worst first; "" if there are none."""
    return ", ".join(f"{len(same)} {severity}" for severity, same in by_severity(findings))


def not_checked(result: PipelineResult) -> tuple[Unchecked, ...]:
    """Return the parts that the delivered draft's status does not cover."""
    delivered = result.delivered
    if delivered is None:
        return (NO_DRAFT,)
    conclusion = delivered.conclusion
    if conclusion is None:
        return unchecked(outcome_of(delivered), ())
    left = unchecked(outcome_of(delivered), conclusion.ledger.entries)
    return (*left, *unexamined_sentences(conclusion.sentences))


def unexamined_sentences(sentences: Sequence[AccountedSentence]) -> Iterator[Unchecked]:
    """The sentences that state something and are compared with nothing, by role."""
    for role in (SentenceRole.UNCITED, SentenceRole.QUOTATION):
        found = [one for one in sentences if one.role is role]
        if found:
            what = counted(len(found), *UNCHECKED_ROLES[role])
            yield Unchecked(what, "compared with nothing", places_of(found))


def unchecked(outcome: IterationOutcome, entries: Iterable[LedgerEntry]) -> tuple[Unchecked, ...]:
    """Return the unchecked parts of an iteration; `entries` of its ledger are read once."""
    return (*_unchecked(outcome), *(_unchecked_claims(entries) if outcome.fact_checked else ()))


def _unchecked(outcome: IterationOutcome) -> Iterator[Unchecked]:
    if not outcome.critics:
        yield Unchecked("the whole document", "no critic gave an answer")
    elif not any(critic.independent for critic in outcome.critics.values()):
        yield Unchecked("reasoning", "no language model took part")
    for name, failure in outcome.failures.items():
        yield Unchecked(f"the part of the {name}", failure)
    for name, critic in outcome.critics.items():
        if not critic.by_claim and critic.coverage < 1:
            yield Unchecked("part of the document", f"{name} saw {critic.coverage:.0%} of it")
    if not outcome.fact_checked:
        yield Unchecked("facts and citations", "the run had no fact checker")
    for reason in outcome.unsearched:
        yield Unchecked("searches", f"the provider could not be asked: {reason}")
    if outcome.not_fetched:
        yield Unchecked("cited sources", "not fetched", outcome.not_fetched)


def _unchecked_claims(entries: Iterable[LedgerEntry]) -> Iterator[Unchecked]:
    """The claims that are not settled, together by why, each line once."""
    lines: dict[str, dict[str, dict[str, None]]] = {what: {} for what in _LEFT}
    for entry in entries:
        what = _left(entry)
        if what is not None:
            reason = "see the findings" if what == UNSETTLED else entry.reason
            lines[what].setdefault(reason, {})[f"line {entry.location.line}"] = None
    for what, reasons in lines.items():
        for reason, places in reasons.items():
            yield Unchecked(what, reason, tuple(places))


def incomparable_claims(entries: Iterable[LedgerEntry]) -> tuple[Unchecked, ...]:
    """The statements that nothing could be compared with, as those in another language."""
    left = Verdict.NOT_CHECKABLE
    return tuple(_unchecked_claims(e for e in entries if e.unchecked and e.verdict is left))


def places_of(sentences: Iterable[AccountedSentence]) -> tuple[str, ...]:
    """The lines of `sentences`, each once."""
    return tuple(dict.fromkeys(f"line {one.line}" for one in sentences))


SHOWN_PLACES = 5


def format_places(item: Unchecked) -> str:
    """Format the places, shortened."""
    if not item.places:
        return ""
    more = len(item.places) - SHOWN_PLACES
    listed = ", ".join(item.places[:SHOWN_PLACES]) + (f" and {more} more" if more > 0 else "")
    return f" ({listed})"


def _left(entry: LedgerEntry) -> str | None:
    """Return the group of an unsettled claim; None if it is settled."""
    if entry.open_slot:
        return UNANSWERED
    if Checker.HUMAN in entry.checked_by:
        return BY_PERSON
    return _LEFT_OPEN.get(entry.verdict)
