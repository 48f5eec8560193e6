"""Repair of each finding, as a precise action (semantic spec, repair feedback).

A repair is automatic only if all parts of the claim except one agree with a source (decision 29).
That part is a number, date, name or quotation that differs, or a missing citation. Every other
repair describes an action for a person or an analyst. Statements of fact that cite nothing are
weighed by how much rests on them, and by what the sources say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING

from ...base.vocabulary import (
    CitationState,
    Correction,
    Finding,
    IssueType,
    ReviewCriterion,
    Stance,
    Verdict,
)
from ...claims.lexicon import Lexicon
from ...claims.model import Claim, ClaimCategory, DateSpan, Quantity, QuantityKind, Temporality
from ...claims.quantities import find_slots
from ...documents.language import reads_english
from ...documents.model import Document
from ...sources.model import Source
from ..model import ClaimAssessment, Evidence, SlotKind
from ..passages.units import terms
from ..severity import SeverityPolicy, is_closed, worse
from .marking import exchanged, mark_for, place_of_mark

if TYPE_CHECKING:
    from ..elsewhere import OtherSources

LEAST_CITED, LEAST_SHARE = 2, 0.3
"""A document cites if so many of its claims, and so large a share of them, have a source."""
_RESTATED = 0.6
_DENIED = "a statement of fact without a source, and a source at hand says otherwise"
_QUOTATION = re.compile('["“”„«»]')
# Which year it is depends on the day of the text.
_RELATIVE = re.compile(
    r"\b(?:last|this|next|the past|the previous) (?:year|month|week|quarter|season)|\byesterday\b",
    re.IGNORECASE,
)
_OWN_VOICE = re.compile(r"\W*(?:we|i|our|my)\b", re.IGNORECASE)
_OWN_MATTER = (ClaimCategory.GENERAL, ClaimCategory.STATISTICAL, ClaimCategory.OWN_RESULT)
_UNSOURCED = (IssueType.UNSOURCED, IssueType.FABRICATED)
_WORD = re.compile(r"[^\W\d_]+")
_PRESENT = re.compile(r"\b(?:is|are|has|have|now|today|[a-z]{3,}(?<!s)s)\b")
_NAME = re.compile(r"(?:[A-Z][\w.’'-]*)(?: (?:of |the |de |von |van )?[A-Z][\w.’'-]*){0,4}")
_QUOTED = 300
_EMPHASIS = re.compile(r"[*_`~]")
_TITLED = re.compile(r"\b\w*[A-Z]\w* $")
_UNMARKED = re.compile(r"[^\s*_`~]+")
_VALUES = (SlotKind.NUMBER, SlotKind.DATE, SlotKind.QUOTE)
CITABLE = frozenset(
    {
        IssueType.UNSOURCED,
        IssueType.UNVERIFIABLE,
        IssueType.MISATTRIBUTED,
        IssueType.DEAD_CITATION,
        IssueType.INCOMPLETE_CITATION,
    }
)
"""Issue types that another source may settle."""


class RepairKind(StrEnum):
    """Kind of action that settles a finding."""

    CORRECT = "correct"  # put what the source says in the place of what the claim says
    CITE = "cite"  # name a source that states it
    QUALIFY = "qualify"  # say less, or say for whom, when and how far it holds
    REPHRASE = "rephrase"  # say that it is the author's opinion
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Repair:
    """How one finding is settled.

    `[start, end)` of the document, in characters, is what changes; `replacement` takes its place,
    None if a person has to find the words. `action` is what to do, `reason` why. `source` is the
    address that shows it and `quote` its words, "" if there is none; `nearest` words only come near
    the claim. `automatic` repairs change nothing but what differs from that source.
    """

    kind: RepairKind
    finding_id: str
    claim_id: str
    start: int
    end: int
    replacement: str | None
    action: str
    reason: str
    _: KW_ONLY
    source: str = ""
    quote: str = ""
    nearest: bool = False
    automatic: bool = False

    @property
    def instruction(self) -> str:
        """Action with the words of the source, as one sentence for the analyst."""
        if not self.quote:
            return self.action
        near = "nearest in " if self.nearest else ""
        return f"{self.action} ({near}{self.source}: {quoted(self.quote)})"

    @property
    def correction(self) -> Correction | None:
        """The change of an automatic repair."""
        if not self.automatic or self.replacement is None:
            return None
        return Correction(self.start, self.end, self.replacement)


def plan_repairs(
    document: Document,
    claims: Sequence[Claim],
    assessments: Sequence[ClaimAssessment],
    others: OtherSources,
    *,
    written: date | None,
) -> tuple[Repair, ...]:
    """A repair for each finding of `assessments`, which are those of `claims` in the same order.

    `written` is the day that the document is of, None if it does not say. For a claim whose source
    is missing, silent or dead, the sources at hand are looked through for one that states it.

    Raises:
        SnapshotError: A readable source has no text.
    """
    judged = list(zip(claims, assessments, strict=True))
    planner = _Planner(document, judged, others, written)
    planner.read_ahead()
    return tuple(
        planner.plan(claim, assessment, finding)
        for claim, assessment in judged
        for finding in assessment.findings
    )


def with_repairs(
    assessments: Iterable[ClaimAssessment], repairs: Iterable[Repair]
) -> tuple[ClaimAssessment, ...]:
    """`assessments` whose findings ask for what `repairs` say."""
    by_id = {repair.finding_id: repair for repair in repairs}
    return tuple(
        replace(
            one, findings=tuple(apply_repair(found, by_id.get(found.id)) for found in one.findings)
        )
        for one in assessments
    )


def apply_repair(finding: Finding, repair: Repair | None) -> Finding:
    """`finding`, asking for what `repair` says if there is one."""
    if repair is None:
        return finding
    return replace(finding, recommendation=repair.instruction, correction=repair.correction)


class _Planner:
    def __init__(
        self,
        document: Document,
        judged: Sequence[tuple[Claim, ClaimAssessment]],
        others: OtherSources,
        written: date | None,
    ) -> None:
        self._document = document
        self._written = written
        self._others = others
        self._sources = others.sources
        self._registry = others.registry
        self._of_sentence: dict[int, list[tuple[Claim, ClaimAssessment]]] = {}
        for claim, assessment in judged:
            self._of_sentence.setdefault(claim.sentence, []).append((claim, assessment))

    def read_ahead(self) -> None:
        """Let the reader read what the repairs of claims will ask for, in large batches."""
        self._others.read_ahead(
            claim
            for judged in self._of_sentence.values()
            for claim, assessment in judged
            if any(map(_is_to_be_cited, assessment.findings))
        )

    def plan(self, claim: Claim, assessment: ClaimAssessment, finding: Finding) -> Repair:
        """The repair of one finding."""
        shown = _evidence(assessment)
        change = finding.correction and _narrowed(self._document.text, finding.correction)
        if _is_to_be_cited(finding):
            return self._cited(claim, assessment, finding)
        if change is not None:
            old = self._document.text[change.start : change.end]
            action = f"replace {quoted(old)} with {quoted(change.replacement)}"
            made = _by_hand(claim, finding, RepairKind.CORRECT, action, shown)
            alone = reads_english(self._document.language) and not self._is_entangled(claim)
            if shown is not None and not claim.quotes:
                alone = alone and not self._is_doubtful(claim, shown, old, change.replacement)
            source = self._sources.sources.source(shown.url) if shown else None
            lexicon, quote = self._registry.lexicon, finding.type is IssueType.ALTERED_QUOTE
            if not alone or quote or is_proved(claim, change, source, lexicon, self._written):
                return _changing(made, change, automatic=alone)
        return _by_hand(claim, finding, *_advice(claim, assessment, finding), shown)

    def _is_entangled(self, claim: Claim) -> bool:
        """Whether several parts of the sentence differ, and not all of them in a value.

        "The north had 5 and the south 7" may be mended by its names or by its numbers, and by both
        it becomes wrong.
        """
        wrong = [
            assessment
            for _, assessment in self._of_sentence[claim.sentence]
            if any(finding.correction is not None for finding in assessment.findings)
        ]
        return len(wrong) > 1 and not all(map(_differs_in_value, wrong))

    def _is_doubtful(self, claim: Claim, shown: Evidence, old: str, new: str) -> bool:
        """Whether the source may mean something else than the words that it is corrected by.

        What it quotes, as somebody's words or as an example, it need not hold itself; and where it
        says much of the claim about the claim's own name, too, the rest may be the wrong part.
        """
        if _QUOTATION.search(shown.quote):
            return True
        found = self._sources.readable(shown.url)
        if found is None or any(map(str.isdigit, old + new)):
            return False
        name, rest = frozenset(terms(old)), frozenset(terms(claim.text)) - frozenset(terms(old))
        told = (frozenset(terms(unit.text)) for unit in found[1].units)
        return any(name <= words and 2 * len(rest & words) >= len(rest) for words in told)

    def _cited(self, claim: Claim, assessment: ClaimAssessment, finding: Finding) -> Repair:
        found = self._others.look(claim)
        if found.support is not None:
            action = f"cite {found.support.url}, which states it"
            made = _by_hand(claim, finding, RepairKind.CITE, action, found.support)
            change = self._mark(claim, finding, found.support)
            # Other words, and nothing exact among them, may speak of something else.
            sure = claim.quantities or claim.dates or claim.quotes
            sure = sure or set(terms(claim.text)) <= set(terms(found.support.quote))
            automatic = bool(sure) and claim.category is not ClaimCategory.OWN_RESULT
            return made if change is None else _changing(made, change, automatic=automatic)
        if found.against is not None:
            action = (
                f"a source at hand says otherwise ({found.reason}): correct the claim and cite it, "
                "or remove the claim"
            )
            return _by_hand(claim, finding, RepairKind.CORRECT, action, found.against)
        shown, advice = _evidence(assessment), _advice(claim, assessment, finding)
        made = _by_hand(claim, finding, *advice, shown or _nearest(assessment))
        return replace(made, nearest=shown is None and bool(made.quote))

    def _is_borne_out(self, claim: Claim, assessment: ClaimAssessment, url: str) -> bool:
        """Whether a mark that leads to `url` does a claim of the same sentence no wrong."""
        if claim.exclusion or assessment.verdict is Verdict.SUPPORTED:
            return True
        support = self._others.look(claim).support
        return support is not None and support.url == url

    def _mark(self, claim: Claim, finding: Finding, source: Evidence) -> Correction | None:
        if not all(
            self._is_borne_out(*one, source.url) for one in self._of_sentence[claim.sentence]
        ):
            return None
        page = self._sources.sources.source(source.url).snapshot
        title = page.title if page else ""
        direct = [
            self._document.citations[scoped.citation]
            for scoped in self._document.scopes[claim.sentence]
            if scoped.state is CitationState.DIRECT
        ]
        # A citation that leads nowhere is led to the source; one that may yet be read stays.
        dead = finding.type in (IssueType.DEAD_CITATION, IssueType.INCOMPLETE_CITATION)
        lost = dead or is_closed(finding)
        if not lost or not direct:
            at = place_of_mark(self._document, self._document.sentences[claim.sentence])
            return Correction(at, at, mark_for(self._document, source.url, title))
        readable = any(one.target and self._sources.readable(one.target) for one in direct)
        if readable or len(direct) > 1:
            return None
        mark = exchanged(self._document, direct[0], source.url, title)
        return None if mark is None else Correction(direct[0].start, direct[0].end, mark)


def _narrowed(text: str, change: Correction) -> Correction | None:
    """`change` without the words at its ends that stay, where it reaches over marks of emphasis.

    None if the words that change have such marks between them, which it would lose.
    """
    old, new = text[change.start : change.end], change.replacement
    if not _EMPHASIS.search(old):
        return change
    mine, theirs = list(_UNMARKED.finditer(old)), list(_UNMARKED.finditer(new))
    while mine and theirs and mine[0][0] == theirs[0][0]:
        del mine[0], theirs[0]
    while mine and theirs and mine[-1][0] == theirs[-1][0]:
        del mine[-1], theirs[-1]
    if not (mine and theirs) or _EMPHASIS.search(old, mine[0].start(), mine[-1].end()):
        return None
    start, end = change.start + mine[0].start(), change.start + mine[-1].end()
    return Correction(start, end, new[theirs[0].start() : theirs[-1].end()])


def _is_to_be_cited(finding: Finding) -> bool:
    return finding.correction is None and finding.type in CITABLE


def _by_hand(
    claim: Claim, finding: Finding, kind: RepairKind, action: str, shown: Evidence | None
) -> Repair:
    return Repair(
        kind,
        finding.id,
        claim.id,
        claim.location.start,
        claim.location.end,
        "" if kind is RepairKind.REMOVE else None,
        action,
        finding.problem,
        source=shown.url if shown else "",
        quote=shown.quote if shown else "",
    )


def _changing(repair: Repair, change: Correction, *, automatic: bool) -> Repair:
    start, end, text = change.start, change.end, change.replacement
    return replace(repair, start=start, end=end, replacement=text, automatic=automatic)


def _advice(claim: Claim, assessment: ClaimAssessment, finding: Finding) -> tuple[RepairKind, str]:
    if finding.type is IssueType.UNSOURCED:
        figured = claim.quantities or claim.category is not ClaimCategory.GENERAL
        return _UNSOURCED_FIGURE if figured else _UNSOURCED_VIEW
    if finding.type is not IssueType.UNVERIFIABLE:
        kind, action = _ACTIONS.get(finding.type, (RepairKind.REPHRASE, None))
        return kind, action or finding.recommendation
    if assessment.verdict is Verdict.SOURCE_UNAVAILABLE:
        return RepairKind.CITE, finding.recommendation
    if assessment.verdict in _UNSETTLED:
        return RepairKind.QUALIFY, _UNSETTLED[assessment.verdict]
    open_ = (one for one in assessment.slots if not one.outcome.is_found)
    if missing := ", ".join(slot.claimed for slot in open_ if slot.kind in _VALUES):
        return RepairKind.CITE, (
            f"cite a source that states {missing}, or leave that out, or remove the claim"
        )
    return RepairKind.CITE, (
        "cite a source that states it, or say only what the cited source states, or remove it"
    )


_CORRECT = "correct the claim to what the source says, or remove it"
# What settles the findings that no change of one part settles; None where they say it themselves.
_ACTIONS: Mapping[IssueType | ReviewCriterion, tuple[RepairKind, str | None]] = {
    IssueType.VERIFIED_FALSE: (RepairKind.CORRECT, _CORRECT),
    IssueType.NUMERIC_ERROR: (RepairKind.CORRECT, _CORRECT),
    IssueType.ALTERED_QUOTE: (
        RepairKind.CORRECT,
        "quote the words of the source, or report them without quotation marks",
    ),
    IssueType.FABRICATED: (RepairKind.REMOVE, "remove the result, or cite where it is published"),
    IssueType.ARITHMETIC: (RepairKind.CORRECT, None),
    IssueType.INTERNAL_CONTRADICTION: (RepairKind.CORRECT, None),
    IssueType.DEAD_CITATION: (RepairKind.CITE, None),
    IssueType.INCOMPLETE_CITATION: (RepairKind.CITE, None),
    IssueType.MISATTRIBUTED: (RepairKind.CITE, None),
    IssueType.OUTDATED: (RepairKind.QUALIFY, None),
    IssueType.MISSING_CONTEXT: (RepairKind.QUALIFY, None),
}
_UNSOURCED_FIGURE = (
    RepairKind.CITE,
    "cite a source that states it, or call it your own estimate and say on what it rests, "
    "or remove it",
)
_UNSOURCED_VIEW = (
    RepairKind.REPHRASE,
    "cite a source that states it, or say whose view it is (“we think that …”), or remove it",
)
_UNSETTLED = {
    Verdict.DISPUTED: "say that the sources disagree, and what each of them says",
    Verdict.PARTIALLY_SUPPORTED: "say only what the source states, or cite a source for the rest",
}


def _differs_in_value(assessment: ClaimAssessment) -> bool:
    differing = [slot.kind for slot in assessment.slots if not slot.outcome.is_found]
    return bool(differing) and all(kind in _VALUES for kind in differing)


def _evidence(assessment: ClaimAssessment) -> Evidence | None:
    against = [one for one in assessment.evidence if one.stance is Stance.CONTRADICTS]
    return next(iter([*against, *assessment.evidence]), None)


def _nearest(assessment: ClaimAssessment) -> Evidence | None:
    if not assessment.passages:
        return None
    near = assessment.passages[0]
    return Evidence(near.url, near.sha256, near.text, near.start, near.end, Stance.NEUTRAL)


def quoted(text: str) -> str:
    """`text` on one line in quotation marks, at most 300 characters of it."""
    line = " ".join(text.split())
    return f"“{line}”" if len(line) <= _QUOTED else f"“{line[: _QUOTED - 1].rstrip()}…”"


def apply_repairs(text: str, repairs: Iterable[Repair]) -> str:
    """`text` with the automatic repairs made; of two that overlap the first stands."""
    pieces: list[str] = []
    at = 0
    for change in changes(repairs):
        pieces += (text[at : change.start], change.replacement)
        at = change.end
    return "".join([*pieces, text[at:]])


def changes(repairs: Iterable[Repair]) -> tuple[Correction, ...]:
    """Corrections of the automatic repairs, in document order, each place once."""
    wanted = sorted(
        {one.correction for one in repairs if one.correction is not None},
        key=lambda change: (change.start, change.end, change.replacement),
    )
    kept: list[Correction] = []
    for change in wanted:
        last = kept[-1] if kept else None
        if last is None or change.start > last.end or (change.start == last.end > last.start):
            kept.append(change)
    return tuple(kept)


def is_proved(
    claim: Claim,
    change: Correction,
    source: Source | None,
    lexicon: Lexicon,
    written: date | None,
) -> bool:
    """Whether `change` puts another value of the same sort in the place of one value of `claim`.

    A count is exchanged for no year, an identifier for nothing. A value of a source that is older
    than the document is no proof, nor is a younger one of what changes with time: it may have been
    right when it was written. `source` is where the value stands, None for another place of the
    document.
    """
    if source is not None and not _is_in_time(claim, source, written):
        return False
    places = [claim.source_span(at, at + 1)[0] for at in range(len(claim.text))]
    if change.start not in places or change.end - 1 not in places:
        return False
    start, end = places.index(change.start), places.index(change.end - 1) + 1
    old, new = claim.text[start:end], change.replacement
    if not any(map(str.isdigit, old + new)):
        return _NAME.fullmatch(old) is not None and _NAME.fullmatch(new) is not None
    changed = claim.text[:start] + new + claim.text[end:]
    before = _sort(claim.text, start, end, lexicon)
    return before is not None and before == _sort(changed, start, start + len(new), lexicon)


def _is_in_time(claim: Claim, source: Source, written: date | None) -> bool:
    dated = source.snapshot.modified or source.snapshot.published if source.snapshot else None
    if _RELATIVE.search(claim.text):
        return written is not None and dated == written
    if written is None or dated is None:
        return True
    changes = claim.temporality is Temporality.TEMPORAL
    changes = changes or (_PRESENT.search(claim.text) is not None and not claim.dates)
    return dated == written or (dated > written and not changes)


def _sort(text: str, start: int, end: int, lexicon: Lexicon) -> tuple[object, ...] | None:
    quantities, dates = find_slots(text, lexicon)
    found = [one for one in (*quantities, *dates) if one.start < end and start < one.end]
    if len(found) != 1:
        return None
    (value,) = found
    named = _TITLED.search(text, 0, value.start)
    counts = isinstance(value, Quantity) and value.kind is QuantityKind.COUNT
    if counts and named and terms(named[0]):  # "Windows 11", "Bus 40"
        return None
    rest = text[start : max(start, value.start)] + " " + text[min(end, value.end) : end]
    words = tuple(_WORD.findall(rest.casefold()))
    if isinstance(value, Quantity):
        return words, value.kind, value.unit, value.modifier
    return words, DateSpan, value.granularity


def weigh_uncited(
    claims: Sequence[Claim],
    assessments: Sequence[ClaimAssessment],
    repairs: Iterable[Repair],
    policy: SeverityPolicy,
    *,
    technical: bool,
) -> tuple[ClaimAssessment, ...]:
    """`assessments` of `claims` with what statements of fact without a source come to.

    One that a source at hand contradicts is at least as bad as a false claim. One that the argument
    rests on is high, in a document that cites for the rest, unless a source at hand or a supported
    claim states it. All others stay low, count in no rate and are listed as not checked. A
    `technical` document, a README or a specification, lays down its own matter: its figures, its
    own results and what it quotes are low, too.
    """
    by_id = {repair.finding_id: repair for repair in repairs}
    cited = sum(claim.citation_state is not CitationState.NONE for claim in claims)
    cites = not technical and cited >= LEAST_CITED and cited >= LEAST_SHARE * len(claims)
    judged = list(zip(claims, assessments, strict=True))
    stated = [
        frozenset(terms(claim.text))
        for claim, answer in judged
        if answer.verdict is Verdict.SUPPORTED
    ]

    def weighed(claim: Claim, answer: ClaimAssessment) -> ClaimAssessment:
        finding = next((one for one in answer.findings if one.type in _UNSOURCED), None)
        if finding is None:
            return answer
        if technical and claim.category in _OWN_MATTER:
            finding = replace(finding, severity=policy.unsourced_own_matter)
            answer = _with(answer, finding)
        if claim.category is not ClaimCategory.GENERAL or claim.own_estimate:
            return answer
        named = technical and claim.quotes  # a button's name, not what somebody said
        repair = None if named else by_id.get(finding.id)
        shown = repair if repair and repair.quote else None
        if shown and shown.kind is RepairKind.CORRECT:
            severity = worse(finding.severity, policy.verified_false)
            return _with(answer, replace(finding, severity=severity, problem=_DENIED))
        # A supported claim says the same in more or fewer words.
        words = frozenset(terms(claim.text))
        restated = words and any(len(words & one) >= _RESTATED * len(words) for one in stated)
        borne_out = restated or (shown and not shown.nearest) or _OWN_VOICE.match(claim.text)
        if claim.load_bearing and cites and not borne_out:
            severity = worse(finding.severity, policy.unsourced_load_bearing)
            return _with(answer, replace(finding, severity=severity))
        figures = claim.quantities or claim.dates or claim.quotes or claim.references
        if claim.citation_state is CitationState.NONE and not figures:
            reason = "it cites nothing, and no figure of it has to be true"
            return replace(answer, verdict=Verdict.NOT_CHECKABLE, reason=reason)
        return answer

    return tuple(weighed(claim, answer) for claim, answer in judged)


def unsourced(assessments: Iterable[ClaimAssessment]) -> frozenset[str]:
    """The ids of the claims without a source, or that only carry one not seen to state them."""
    return frozenset(
        one.claim_id
        for one in assessments
        if any(found.type is IssueType.UNSOURCED for found in one.findings)
        or (one.citation_state is CitationState.CARRIED and one.verdict is Verdict.UNVERIFIABLE)
    )


def _with(assessment: ClaimAssessment, finding: Finding) -> ClaimAssessment:
    others = tuple(one for one in assessment.findings if one.id != finding.id)
    return replace(assessment, findings=(finding, *others))
