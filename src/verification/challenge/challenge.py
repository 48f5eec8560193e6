"""The challenges of one iteration: a pure function from a ledger to a ledger that is no better.

What the claims say is held against answers, sources and each other; what comes of it lowers a
verdict or links two claims, by tables. Nothing here can lift a contradiction or raise a verdict.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from ...base.likeness import jaccard, masked_tokens, near_pairs
from ...base.printable import counted
from ...base.vocabulary import (
    ChallengeStep,
    Checker,
    IssueType,
    Stance,
    Verdict,
    finding_id,
)
from ...claims.classify import bare_claim
from ...claims.model import Claim
from ...documents.language import reads_english
from ..judge import compare_with, judge
from ..model import (
    WORST_FIRST,
    ChallengeNote,
    ChallengeOutcome,
    Evidence,
    Ledger,
    LedgerEntry,
    WeighedEvidence,
)
from ..passages.retrieval import SourceIndex, SourceText
from ..policy import ChallengePolicy
from ..queries import claim_query
from ..reader.model import NoReader
from ..registry import Registry
from .answers import SNAPSHOTS, build_probes, check_answer, find_answers
from .model import (
    NO_REPLIES,
    AnswerOutcome,
    ChallengeRecord,
    ChallengeReplies,
    CheckedAnswer,
    ClaimChallenge,
    ClaimLink,
    Contrary,
    Probe,
    QuestionRecord,
    Searched,
)

_BORNE_OUT = (Verdict.SUPPORTED, Verdict.PARTIALLY_SUPPORTED)
_DISPUTED = (Verdict.DISPUTED, Verdict.CONTRADICTED)


def counter_queries(
    claim: Claim, probes: Sequence[Probe], registry: Registry, topic: str
) -> tuple[str, ...]:
    """Queries for counter-evidence: one for another value of each probe, and one for criticism.

    `topic` is the document's title, for a claim without names. Queries contain only names, words,
    figures and dates of a claim (decision 19). The policy limits their length in characters.
    """
    longest, lexicon = registry.challenge.query_characters, registry.lexicon
    asked = [bare_claim(probe.question.bare, lexicon) for probe in probes]
    queries = [claim_query(one, lexicon, longest, topic) for one in asked]
    added = " ".join(registry.challenge.words)
    own = claim_query(claim, lexicon, longest - len(added) - 1, topic)
    queries.append(f"{own} {added}".strip() if own else "")
    return tuple(dict.fromkeys(query for query in queries if query))


def contrary_of(
    claim: Claim, urls: Iterable[str], sources: SourceIndex, registry: Registry, step: ChallengeStep
) -> Iterator[Contrary]:
    """The places of the sources at `urls` that prove `claim` wrong.

    A source that the claim cites is left out: it has been compared already.

    Raises:
        SnapshotError: A readable source has no text.
    """
    cited = {address.target for address in claim.cited}
    # Only what is proved counts, for which nothing has to be read.
    exact = registry.with_reader(NoReader())
    for url in sorted(set(urls) - cited):
        found = compare_with(claim, url, sources, exact)
        if found.against is not None:
            yield Contrary(claim.id, step, found.against, found.reason)


def source_conflicts(case: ChallengeCase, registry: Registry) -> Iterator[Contrary]:
    """What contradicts a claim that one source supports in another one, cited or not.

    Claims beyond the policy's number are left out, the document's argument last.

    Raises:
        SnapshotError: A readable source has no text.
    """
    if not registry.challenge.does(ChallengeStep.SOURCES):
        return
    entries = {entry.claim_id: entry for entry in case.ledger.entries}
    claims = [one for one in case.claims if entries[one.id].verdict in _BORNE_OUT]
    for claim in sorted(claims, key=_first)[: registry.challenge.compared]:
        entry, step = entries[claim.id], ChallengeStep.SOURCES
        if not entry.of_stance(Stance.SUPPORTS):
            continue
        for one in entry.of_stance(Stance.CONTRADICTS):
            denial = Evidence(one.url, one.sha256, one.quote, one.start, one.end, one.stance)
            yield Contrary(claim.id, step, denial, "it says otherwise")
        urls = case.sources.likely(claim.text)
        yield from contrary_of(claim, urls, case.sources, registry, step)


def _first(claim: Claim) -> tuple[bool, str]:
    """The order in which claims are taken where there are too many: the argument's first."""
    return not claim.load_bearing, claim.id


def applied_disputes(case: ChallengeCase, registry: Registry) -> Iterator[Contrary]:
    """Evidence that disputes one claim of the ledger and contradicts another on the same fact.

    Common words propose the pair. The pair counts if the engine finds that the source of the
    dispute also contradicts the other claim (decision 25).

    Raises:
        SnapshotError: A readable source has no text.
    """
    if not registry.challenge.does(ChallengeStep.DISPUTES):
        return
    claims = {claim.id: claim for claim in case.claims}
    disputed = [
        (masked_tokens(entry.text), {item.url for item in entry.of_stance(Stance.CONTRADICTS)})
        for entry in case.ledger.entries
        if entry.verdict in _DISPUTED
    ]
    for entry in case.ledger.entries if disputed else ():
        if entry.verdict not in (*_BORNE_OUT, Verdict.UNVERIFIABLE):
            continue
        own, least = masked_tokens(entry.text), registry.challenge.same_fact
        urls = {url for words, urls in disputed if jaccard(own, words) >= least for url in urls}
        claim, step = claims[entry.claim_id], ChallengeStep.DISPUTES
        yield from contrary_of(claim, urls, case.sources, registry, step)


def link_claims(claims: Iterable[Claim], registry: Registry) -> tuple[ClaimLink, ...]:
    """The pairs of claims that state two values of one thing.

    Common words propose a pair (decision 25); it is one if the engine finds that each contradicts
    the other in a number or date. Claims beyond the policy's number are left out, the document's
    argument last.
    """
    policy = registry.challenge
    if not policy.does(ChallengeStep.LINKS):
        return ()
    checkable = sorted((c for c in claims if not c.exclusion), key=_first)[: policy.linked]
    words = [masked_tokens(claim.text) for claim in checkable]
    near = near_pairs(words, policy.same_claim)
    # A value of new capacity and one of new wind capacity are those of a whole and of a part.
    pairs = sorted((a, b) for a, b in near if not (words[a] < words[b] or words[b] < words[a]))
    links: list[ClaimLink] = []
    for pair in pairs[: policy.pairs]:
        left, right = sorted((checkable[place] for place in pair), key=lambda claim: claim.id)
        reason = _denial(left, right, registry)
        if reason and _denial(right, left, registry):
            links.append(ClaimLink(left.id, right.id, reason))
    return tuple(sorted(links, key=lambda link: (link.claim_id, link.other_id)))


def _denial(claim: Claim, other: Claim, registry: Registry) -> str:
    """Why `claim` would be wrong with `other` as its source; "" unless a value contradicts it."""
    read = SourceText(other.text, registry.lexicon)
    judgement = judge(claim, read, registry.with_reader(NoReader()))
    by_value = judgement.verdict is Verdict.CONTRADICTED and judgement.figure is not None
    return judgement.reason if by_value else ""


@dataclass(frozen=True, slots=True)
class ChallengeCase:
    """One iteration's ledger with what it rests on.

    `settled` are the claims that code decided on every part. `language` is the document's, `topic`
    its title. `asked` are the claims that earlier iterations of the run challenged.
    """

    ledger: Ledger
    claims: Sequence[Claim]
    sources: SourceIndex
    settled: Collection[str]
    _: KW_ONLY
    language: str = "en"
    topic: str = ""
    asked: Collection[str] = ()


class Failure(StrEnum):
    """How a challenge went against a claim.

    A source was found that contradicts it by the engine's rules; an independent answer differs from
    what it says; an independent answerer read the sources and found that they do not say.
    """

    CONTRADICTED = "contradicted"
    DIFFERS = "differs"
    SILENT = "silent"


_BESIDE = "cannot be true beside"

# What some source bears out and another denies is disputed. An answer that differs is a reason to
# doubt support, and says nothing of a claim that has none.
LOWERED: Mapping[tuple[Failure, Verdict], Verdict] = MappingProxyType(
    {
        (failure, verdict): Verdict.UNVERIFIABLE if failure is Failure.SILENT else Verdict.DISPUTED
        for failure in Failure
        for verdict in _BORNE_OUT
    }
    | {(Failure.CONTRADICTED, Verdict.UNVERIFIABLE): Verdict.DISPUTED}
)
"""The verdict after a failure, for each verdict that it lowers."""


def lowered(verdict: Verdict, failures: Iterable[Failure]) -> Verdict:
    """The worst that `failures` make of `verdict`; it is never better than before."""
    after = {LOWERED[failure, verdict] for failure in failures if (failure, verdict) in LOWERED}
    return min(after, key=WORST_FIRST.index, default=verdict)


def reasons_to_lower(
    questions: Sequence[QuestionRecord], contrary: Sequence[Contrary]
) -> Mapping[Failure, str]:
    """Each way in which the challenges went against a claim, with the reason."""
    reasons: dict[Failure, str] = {}
    if contrary:
        found = contrary[0]
        reasons[Failure.CONTRADICTED] = f"{found.evidence.url} contradicts it: {found.reason}"
    for record, one in _answers(questions, AnswerOutcome.DIFFERS)[:1]:
        asked, said = record.question.text, f"{one.answer.said!r} and not {record.claimed!r}"
        reasons[Failure.DIFFERS] = f"asked {asked!r}, {one.answer.by} answered {said}"
    if _is_silent(questions):
        reasons[Failure.SILENT] = (
            "asked without the claim, an answerer found that no source says it"
        )
    return reasons


def _answers(
    questions: Sequence[QuestionRecord], outcome: AnswerOutcome
) -> list[tuple[QuestionRecord, CheckedAnswer]]:
    return [(q, one) for q in questions for one in q.answers if one.outcome is outcome]


def _is_silent(questions: Sequence[QuestionRecord]) -> bool:
    """Whether to every question somebody found no answer in the sources, and nobody found any."""
    outcomes = [{one.outcome for one in record.answers} for record in questions]
    silent = all(AnswerOutcome.SILENT in own for own in outcomes)
    return bool(outcomes) and silent and not _answers(questions, AnswerOutcome.CONFIRMS)


def apply_challenge(
    entry: LedgerEntry,
    trial: ClaimChallenge | None,
    links: Mapping[str, str],
    *,
    falsification: bool,
) -> LedgerEntry:
    """`entry` after its challenges; `links` are the claims that it cannot be true beside, and why.

    What speaks against the claim is added to its evidence, and what it was put to is noted, with
    `falsification` also how much was tried to refute it.
    """
    linked = tuple(
        ChallengeNote(ChallengeStep.LINKS, ChallengeOutcome.LINKED, f"{_BESIDE} {other}: {reason}")
        for other, reason in links.items()
    )
    contradicts = tuple(sorted({*entry.contradicts, *links}))
    entry = replace(entry, contradicts=contradicts, challenges=linked or entry.challenges)
    if trial is None:
        return entry
    tried = [_note_on_falsification(trial)] if falsification else []
    notes = (*_notes(trial), *tried, *linked)
    entry = replace(entry, challenges=notes, evidence=(*entry.evidence, *_sought(entry, trial)))
    if trial.after is trial.before:
        return entry
    by = tuple(dict.fromkeys((*entry.checked_by, Checker.ENGINE)))
    ids = (*entry.finding_ids, finding_id(IssueType.MISSING_CONTEXT, entry.claim_id))
    return replace(entry, verdict=trial.after, reason=trial.reason, checked_by=by, finding_ids=ids)


def _sought(entry: LedgerEntry, trial: ClaimChallenge) -> Iterator[WeighedEvidence]:
    found = [one.evidence for one in trial.contrary]
    if (Failure.DIFFERS, trial.before) in LOWERED:
        differing = _answers(trial.questions, AnswerOutcome.DIFFERS)
        found += [one.answer.evidence for _, one in differing if one.answer.evidence]
    known = {(item.sha256, item.start, item.end) for item in entry.evidence}
    fresh = {(item.url, item.start, item.end): item for item in found}
    for (url, start, end), item in sorted(fresh.items(), key=lambda one: one[0]):
        if (item.sha256, start, end) not in known:
            place = url, item.sha256, item.quote, start, end
            yield WeighedEvidence(*place, Stance.CONTRADICTS, sought=True)


def _notes(trial: ClaimChallenge) -> Iterator[ChallengeNote]:
    if trial.questions:
        yield _note_on_questions(trial)
    for step in (ChallengeStep.COUNTER_EVIDENCE, ChallengeStep.SOURCES, ChallengeStep.DISPUTES):
        found = [one for one in trial.contrary if one.step is step]
        if found:
            named = "; ".join(f"{one.evidence.url}: {one.reason}" for one in found)
            yield ChallengeNote(step, _outcome(Failure.CONTRADICTED, trial), named)
        elif step is ChallengeStep.COUNTER_EVIDENCE and trial.searches:
            compared = {url for one in trial.searches for url in one.urls}
            detail = (
                f"{counted(len(compared), 'source')} found in "
                f"{counted(len(trial.searches), 'search', 'searches')}, none against"
            )
            stood = ChallengeOutcome.STOOD if compared else ChallengeOutcome.OPEN
            yield ChallengeNote(step, stood, detail)


def _note_on_falsification(trial: ClaimChallenge) -> ChallengeNote:
    """How much of what would refute the claim was looked for: other answers, and a denial."""
    differing = {one.question.id for one, _ in _answers(trial.questions, AnswerOutcome.DIFFERS)}
    searched = [one for one in trial.searches if not one.failure]
    sought = len(trial.questions) + bool(searched or trial.contrary)
    refuted = len(differing) + bool(trial.contrary)
    compared = any(one.urls for one in searched)
    withstood = compared or _answers(trial.questions, AnswerOutcome.CONFIRMS)
    refuters = counted(len(trial.questions) + 1, "refuter")
    stood = ChallengeOutcome.STOOD if withstood and not refuted else ChallengeOutcome.OPEN
    detail = f"{sought} of {refuters} looked for, {refuted} found"
    return ChallengeNote(ChallengeStep.FALSIFICATION, stood, detail)


def _note_on_questions(trial: ClaimChallenge) -> ChallengeNote:
    confirms = len(_answers(trial.questions, AnswerOutcome.CONFIRMS))
    differs = len(_answers(trial.questions, AnswerOutcome.DIFFERS))
    outcome = ChallengeOutcome.STOOD if confirms else ChallengeOutcome.OPEN
    if differs or _is_silent(trial.questions):
        outcome = _outcome(Failure.DIFFERS if differs else Failure.SILENT, trial)
    detail = (
        f"{counted(len(trial.questions), 'question')}, "
        f"{counted(confirms, 'answer confirms', 'answers confirm')} and "
        f"{counted(differs, 'differs', 'differ')}"
    )
    return ChallengeNote(ChallengeStep.QUESTIONS, outcome, detail)


def _outcome(failure: Failure, trial: ClaimChallenge) -> ChallengeOutcome:
    lowers = (failure, trial.before) in LOWERED
    return ChallengeOutcome.LOWERED if lowers else ChallengeOutcome.OPEN


@dataclass(frozen=True, slots=True)
class Plan:
    """Plan of the challenges: probes and search queries by claim id."""

    probes: Mapping[str, tuple[Probe, ...]]
    queries: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Challenged:
    """The ledger after the challenges, and their record."""

    ledger: Ledger
    record: ChallengeRecord


def plan_challenges(case: ChallengeCase, registry: Registry) -> Plan:
    """The questions and queries for the claims that are to be challenged.

    Only English documents are challenged (decision 28).
    """
    policy = registry.challenge
    asks, seeks = map(policy.does, (ChallengeStep.QUESTIONS, ChallengeStep.COUNTER_EVIDENCE))
    probes: dict[str, tuple[Probe, ...]] = {}
    queries: dict[str, tuple[str, ...]] = {}
    if reads_english(case.language) and (asks or seeks):
        chosen = _choose_claims(case, policy)
        for claim in sorted(case.claims, key=lambda claim: claim.id):
            if claim.id in chosen:
                own = build_probes(claim, registry.lexicon, policy.questions)
                probes[claim.id] = own if asks else ()
                if seeks:
                    queries[claim.id] = counter_queries(claim, own, registry, case.topic)
    return Plan(probes, queries)


def _choose_claims(case: ChallengeCase, policy: ChallengePolicy) -> frozenset[str]:
    """The ids of the claims to challenge (decision 40), the same whatever the ledger's order.

    Those that earlier iterations challenged are challenged again, and with them the run has at
    most `policy.claims`. Claims that somebody found supported come first.
    """
    eligible = [
        entry
        for entry in case.ledger.entries
        if entry.verdict in (*_BORNE_OUT, Verdict.UNVERIFIABLE)
        and not entry.open_slot
        and (policy.background or entry.load_bearing)
        and (policy.decided or entry.claim_id not in case.settled)
    ]
    eligible.sort(key=lambda e: (not e.load_bearing, -WORST_FIRST.index(e.verdict), e.claim_id))
    ids = [entry.claim_id for entry in eligible]
    fresh = [id_ for id_ in ids if id_ not in case.asked]
    room = max(0, policy.claims - len(case.asked))
    return frozenset((*(id_ for id_ in ids if id_ in case.asked), *fresh[:room]))


def challenge_ledger(
    case: ChallengeCase,
    registry: Registry,
    *,
    told: ChallengeReplies = NO_REPLIES,
    found: SourceIndex | None = None,
) -> Challenged:
    """Put the claims of a ledger to the challenges that are switched on.

    `told` is what was answered from outside, beyond what code finds in the snapshots; `found` are
    the sources that it names. Each claim is lowered by what the ledger said before, so that neither
    the order of claims nor that of sources matters.

    Raises:
        SnapshotError: A readable source has no text.
    """
    steps, iteration = registry.challenge.steps, case.ledger.iteration
    if not reads_english(case.language):
        return Challenged(case.ledger, ChallengeRecord(iteration, steps))
    links = link_claims(case.claims, registry)
    linked: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for link in links:
        linked[link.claim_id][link.other_id] = link.reason
        linked[link.other_id][link.claim_id] = link.reason
    against: defaultdict[str, list[Contrary]] = defaultdict(list)
    for one in (*source_conflicts(case, registry), *applied_disputes(case, registry)):
        against[one.claim_id].append(one)
    plan = plan_challenges(case, registry)
    challenges = _Challenges(case, registry, told, found or case.sources, plan, against)
    claims = {claim.id: claim for claim in case.claims}
    trials = {
        entry.claim_id: challenges.of_claim(entry, claims[entry.claim_id])
        for entry in case.ledger.entries
        if entry.claim_id in plan.probes or entry.claim_id in against
    }
    falsified = plan.probes.keys() if registry.challenge.does(ChallengeStep.FALSIFICATION) else ()
    entries = tuple(
        apply_challenge(
            entry,
            trials.get(entry.claim_id),
            linked[entry.claim_id],
            falsification=entry.claim_id in falsified,
        )
        for entry in case.ledger.entries
    )
    record = ChallengeRecord(
        iteration, steps, claims=tuple(trials.values()), links=links, failures=told.failures
    )
    return Challenged(replace(case.ledger, entries=entries), record)


@dataclass(frozen=True, slots=True)
class _Challenges:
    case: ChallengeCase
    registry: Registry
    told: ChallengeReplies
    found: SourceIndex
    plan: Plan
    against: Mapping[str, Sequence[Contrary]]

    def of_claim(self, entry: LedgerEntry, claim: Claim) -> ClaimChallenge:
        """Everything that one claim is put to, and what its verdict comes to."""
        id_ = claim.id
        questions = tuple(map(self._ask, self.plan.probes.get(id_, ())))
        searches = tuple(self._search(id_))
        urls = {url for one in searches for url in one.urls}
        step = ChallengeStep.COUNTER_EVIDENCE
        sought = contrary_of(claim, urls, self.found, self.registry, step)
        contrary = (*self.against.get(id_, ()), *sought)
        reasons = reasons_to_lower(questions, contrary)
        return ClaimChallenge(
            id_,
            entry.verdict,
            lowered(entry.verdict, reasons),
            "; ".join(reasons.values()),
            questions=questions,
            searches=searches,
            contrary=contrary,
        )

    def _ask(self, probe: Probe) -> QuestionRecord:
        question, sources = probe.question, self.case.sources
        given = (one for one in self.told.answers if one.question_id == question.id)
        answers = (*find_answers(question, sources, self.registry), *given)
        checked = (check_answer(probe, one, sources, self.registry) for one in answers)
        return QuestionRecord(question, probe.words, tuple(checked))

    def _search(self, claim_id: str) -> Iterator[Searched]:
        for query in self.plan.queries.get(claim_id, ()):
            urls = self.case.sources.likely(query)
            yield Searched(claim_id, SNAPSHOTS, query, tuple(urls))
        yield from (one for one in self.told.searches if one.claim_id == claim_id)
