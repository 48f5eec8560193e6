"""One claim against one source: signals, the fitted decision, and the rules that override it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import date
from statistics import fmean

from ..base.vocabulary import Basis, CitationState, Verdict
from ..claims.arithmetic.reckoning import movement
from ..claims.model import Claim
from ..claims.quantities import find_slots
from ..documents.language import reads_english
from ._signals import Signals, collect, context_of
from .decide import Probabilities, weigh
from .exact.binding import goes_alike, is_equal
from .exact.changes import other_holder, was_so
from .exact.derivation import Operands, check_figure, is_left_open, with_derivation
from .exact.edits import find_verbatim, is_now, past_year
from .exact.model import Edit, FigureCheck, Judgement, QuoteCheck
from .exact.parts import PartCounts, find_parts
from .exact.quotes import check_quotations
from .exact.words import split_words
from .model import Evidence, SlotCheck, SlotKind, SlotOutcome
from .passages.retrieval import SourceIndex, SourceText, render
from .passages.units import Unit, terms
from .reader.model import StanceScores
from .registry import Registry

# A longer sentence is no sentence; comparing it would cost more than its length.
MAX_COMPARED = 4000
# From here on the reader takes a passage for the contrary, whatever the thresholds are.
_TAKEN_FOR_FALSE = 0.5
# A page that has a sentence word for word can't be its contrary: where the reader finds only that,
# it has misread a neighbour. From this share of "neither" on, the page may not mean what it says.
_NOT_MEANT = 0.1
# A derivation that is likelier an accident is no reason to give.
_TOLD_CHANCE = 0.5
_SMALLEST = 1e-5
_FEW_WORDS, _MANY_FIGURES = 8, 5
_SILENT = StanceScores(0.01, 0.01, 0.98)


def judge(claim: Claim, source: SourceText, registry: Registry) -> Judgement:
    """Compare a claim with the text of one source.

    Raises:
        InputError: The reader's files are missing or broken.
    """
    if len(claim.text) > MAX_COMPARED:
        reason = "the sentence is too long to be compared: split it"
        return Judgement(Verdict.UNVERIFIABLE, Basis.NONE, reason)
    found = _Case(claim, source, collect(claim, source, registry), registry).judgement()
    if found.decided or claim.quotes or claim.cells:
        return found
    parts = find_parts(claim, source, registry.verification.search.units, context_of(claim))
    return _by_parts(claim, found, parts, source, registry) if parts else found


def _by_parts(
    claim: Claim, found: Judgement, parts: PartCounts, source: SourceText, registry: Registry
) -> Judgement:
    """`found`, or what follows if the source bears out the parts of a count of several kinds."""
    if not parts.agrees:
        reason = f"source: {parts.working}; claim: {parts.claimed.text}"
        return replace(found, reason=reason) if found.verdict is Verdict.CONTRADICTED else found
    quantities, dates = find_slots(parts.restated, registry.lexicon)
    restated = replace(claim, text=parts.restated, quantities=quantities, dates=dates)
    apart = _Case(restated, source, collect(restated, source, registry), registry).judgement()
    if apart.verdict is not Verdict.SUPPORTED:
        # The reader takes "15 hospitals and clinics" for the contrary of 4 and 11.
        apart = replace(found, verdict=Verdict.UNVERIFIABLE, basis=Basis.READ, sure=False)
    summed = SlotCheck(SlotKind.NUMBER, SlotOutcome.MATCH, parts.claimed.text, parts.working)
    slots = tuple(summed if one.claimed == summed.claimed else one for one in found.slots)
    reason = f"{parts.claimed.text} follows from the source: {parts.working}"
    return replace(apart, reason=reason, slots=slots)


def judge_foreign(claim: Claim, source: SourceText) -> Judgement:
    """Compare by exact words alone (decision 28): supported or not checkable."""
    verbatim = find_verbatim(claim.text, source)
    quotations = check_quotations(claim, source)
    slots = tuple(check.slot(source.text) for check in quotations)
    if verbatim:
        reason = "the source has the sentence word for word"
        return Judgement(Verdict.SUPPORTED, Basis.EXACT, reason, *verbatim, slots)
    exact = all(check.outcome is SlotOutcome.MATCH for check in quotations)
    if quotations and exact and not (claim.quantities or claim.dates):
        reason = "the source has the quoted words exactly"
        first = quotations[0]
        return Judgement(Verdict.SUPPORTED, Basis.EXACT, reason, first.start, first.end, slots)
    reason = "the language, which is compared by exact words alone"
    return Judgement(Verdict.NOT_CHECKABLE, Basis.NONE, reason, slots=slots)


@dataclass(frozen=True, slots=True)
class _Case:
    """The overriding rules, in the order of the table in `system-architecture.md`."""

    claim: Claim
    source: SourceText
    signals: Signals
    registry: Registry

    def judgement(self) -> Judgement:
        exact = self._altered() or self._verbatim() or self._edited()
        if exact is None and (swap := self.signals.swap):
            exact = self._proved(f"source: {swap.found}; claim: {swap.claimed}", swap.unit)
        elif exact is None and (unit := other_holder(self.claim.text, self.source)):
            exact = self._proved("the source names another one", unit)
        return replace(exact or self._weighed(), reservation=self.signals.reservation)

    def _altered(self) -> Judgement | None:
        """A quotation differs from the source's words."""
        for check in self.signals.quotations:
            if check.outcome is SlotOutcome.MISMATCH:
                found = " ".join(self.source.text[check.start : check.end].split())
                reason = f"the source has other words: “{found}”"
                return replace(self._proved(reason, check), quote=check)
        return None

    def _proved(self, reason: str, place: QuoteCheck | Unit) -> Judgement:
        verdict, basis = Verdict.CONTRADICTED, Basis.PROVED
        return Judgement(verdict, basis, reason, place.start, place.end, self._slots())

    def _verbatim(self) -> Judgement | None:
        """The sentence stands there, and the reader does not take its passage for the contrary."""
        place = self.signals.verbatim
        if place is None or self.signals.reservation:
            return None
        texts = self.claim.text, self.source.stated[slice(*place)]
        own, theirs = ({word.key for word in split_words(text)} for text in texts)
        how, most = "word for word", _NOT_MEANT
        if not own <= theirs:  # the reader may not know that two figures are one
            how, most = "with its figures written another way", _TAKEN_FOR_FALSE
        if self._is_framed(*place, most):
            return None
        reason = f"the source has the sentence {how}"
        slots = (*self._slots(), SlotCheck(SlotKind.WORDS, SlotOutcome.MATCH, self.claim.text))
        return Judgement(Verdict.SUPPORTED, Basis.EXACT, reason, *place, slots)

    def _is_framed(self, start: int, end: int, most: float) -> bool:
        """Whether what stands around the sentence denies it, or only reports that it is said."""
        passage = self.signals.passage
        if not passage or passage.end <= start or end <= passage.start:
            return False
        scores = self.signals.scores
        if scores is None or scores.supports >= _TAKEN_FOR_FALSE:
            return False
        return scores.neutral >= most

    def _is_taken_back(self) -> bool:
        """Whether the reader finds that the passage, read with its page, does not say so.

        A row whose every figure stands in its cell needs no reading.
        """
        if self.signals.row_stated:
            return False
        decision = self.registry.decision.of(self.registry.reader)
        scores = self.signals.scores
        return scores is not None and scores.supports < decision.thresholds.read

    def _edited(self) -> Judgement | None:
        """One figure, date or name, or some figures, differ in a sentence that is otherwise so."""
        alone = len(self.signals.edits) == 1
        compared = ((edit, self._figure_at(edit, alone)) for edit in self.signals.edits)
        open_ = [
            (_with_whole_figure(edit, figure, self.source), figure)
            for edit, figure in compared
            if figure is None or not figure.is_found
        ]
        if not open_:
            return None
        figures = self.source.figures
        if all(f and is_left_open(f, edit.found, figures(edit.unit)) for edit, f in open_):
            reason = f"the source leaves it open: {', '.join(edit.found for edit, _ in open_)}"
            left = self._proved(reason, open_[0][0].unit)
            return replace(left, verdict=Verdict.UNVERIFIABLE, basis=Basis.EXACT)
        edit, figure = max(open_, key=lambda one: abs(one[1].change or 0) if one[1] else 0)
        found = ", ".join(one.found for one, _ in open_)
        claimed = ", ".join(dict.fromkeys(one.claimed for one, _ in open_))
        deviation = deviation_text(figure) if alone else ""
        proved = self._proved(f"source: {found}; claim: {claimed}{deviation}", edit.unit)
        return replace(proved, edit=edit if alone else None, figure=figure)

    def _figure_at(self, edit: Edit, alone: bool) -> FigureCheck | None:
        """The claim's figure at the edited place, against the figures of that sentence alone.

        Of several edits each is compared with what stands in its place.
        """
        lexicon, policy = self.registry.lexicon, self.registry.verification.numbers
        for check in self.signals.figures:
            if check.value.start < edit.claim_end and edit.claim_start < check.value.end:
                found = self.source.figures(edit.unit)
                if not alone:
                    there = [one for one in found if edit.found in one.text]
                    return check_figure(check.value, there, lexicon, policy)
                compared = check_figure(check.value, found, lexicon, policy)
                scope = Operands(found, [edit.unit.text])
                return with_derivation(compared, self.claim.text, [scope], (), lexicon, policy)
        return None

    def _weighed(self) -> Judgement:
        """Judgement by the fitted decision, within the limits of the exact checks."""
        decision = self.registry.decision.of(self.registry.reader)
        found = weigh(decision.model, features(self.claim, self.signals))
        limits = decision.thresholds
        if found.supported >= limits.supported:
            return self._supported(found)
        denied = found.contradicted >= limits.contradicted and self._is_denied()
        alike = self._goes_alike()
        if denied and not (alike or self._moves_alike()):
            return self._made(Verdict.CONTRADICTED, Basis.READ, found, self._against(found))
        unsaid = found.supported < limits.stated and not (denied or alike)
        sure = unsaid or past_year(self.signals.reservation) > 0
        return self._made(Verdict.UNVERIFIABLE, Basis.READ, found, self._open(sure), sure=sure)

    def _supported(self, found: Probabilities) -> Judgement:
        absent = self._absent()
        if absent:
            reason = f"the source speaks of it and does not state {', '.join(absent)}"
            return self._made(Verdict.UNVERIFIABLE, Basis.EXACT, found, reason)
        if self.claim.cells and self.signals.misbinding > 0:
            reason = "the words of the row fit other figures of the source"
            return self._made(Verdict.UNVERIFIABLE, Basis.EXACT, found, reason)
        if mark := self.signals.reservation:
            reason, past = f"source and claim differ in “{mark}”", past_year(mark) > 0
            return self._made(Verdict.UNVERIFIABLE, Basis.EXACT, found, reason, sure=past)
        if self._is_taken_back():
            reason = "what stands round the passage does not bear it out"
            return self._made(Verdict.UNVERIFIABLE, Basis.READ, found, reason)
        reason = "; ".join(found.reasons[:2]) or "the passage states it"
        for check in self.signals.figures:
            if check.derivation and check.derivation.chance < _TOLD_CHANCE:
                reason = f"{check.value.text} follows from the source: {check.working}"
                break
        return self._made(Verdict.SUPPORTED, Basis.READ_AND_EXACT, found, reason)

    def _absent(self) -> tuple[str, ...]:
        """Exact parts of the claim that the whole source lacks: quotes, figures, identifiers."""
        quoted = (
            check.quote.text
            for check in self.signals.quotations
            if check.outcome is not SlotOutcome.MATCH
        )
        # Small numbers in words ("two winters") may be said without any; the decision weighs them.
        nowhere = (
            value.text for value in self.signals.nowhere if any(map(str.isdigit, value.text))
        )
        return (*quoted, *nowhere, *self.signals.identifiers)

    def _is_denied(self) -> bool:
        """Whether the reader takes the passage for the contrary, and not for support.

        A figure that differs counts as the contrary, too, and as more than what is read where the
        source gives the same number another unit. One that the source merely lacks makes a claim
        doubtful, not false.
        """
        scores = self.signals.scores
        if scores is None:
            return True
        differs = any(one.outcome is SlotOutcome.MISMATCH for one in self.signals.figures)
        if differs and self.signals.other_unit:
            return True
        denied = scores.contradicts > _TAKEN_FOR_FALSE
        return (denied or differs) and scores.supports <= _TAKEN_FOR_FALSE

    def _moves_alike(self) -> bool:
        """Whether the nearest sentence has every figure of the claim, and moves the same way.

        Then what reads as the contrary may be said of something else: "Bus use increased by a
        third. Car use fell."
        """
        way, figures = movement(self.claim.text), [one.value for one in self.signals.figures]
        nearest = self.source.best_units(self.claim.text, 1) if way and figures else ()
        return any(
            movement(unit.text) == way
            and all(
                any(is_equal(one, other) for other in self.source.figures(unit)) for one in figures
            )
            for unit in nearest
        )

    def _goes_alike(self) -> bool:
        """Whether the source goes between the same values, falls as much below 0, or has them now.

        That is no proof of the claim, but no reason to think it wrong or unsaid.
        """
        claim, lexicon = self.claim.text, self.registry.lexicon
        below = any(one.derivation and one.derivation.fell for one in self.signals.figures)
        return below or any(
            goes_alike(claim, unit) or is_now(claim, unit, lexicon) for unit in self.signals.units
        )

    def _against(self, found: Probabilities) -> str:
        differing = [check for check in self.signals.figures if not check.is_found and check.found]
        # Of several, which one is meant beside which is not known.
        if len(differing) == 1 and differing[0].found:
            return f"source: {differing[0].found.text}; claim: {differing[0].value.text}"
        return "; ".join(found.reasons[:2]) or "the passage says otherwise"

    def _open(self, sure: bool) -> str:
        if self.source.retracted and self.signals.passage is None:
            return "its publisher has retracted the source"
        absent = self._absent()
        if absent:
            return f"the source does not state {', '.join(absent)}"
        if self.signals.passage is None:
            return "the source has no passage on this"
        if sure and past_year(mark := self.signals.reservation):
            return f"source and claim differ in “{mark}”"
        if sure:
            return "no passage states it"
        return "no passage states it clearly enough to be sure"

    def _made(
        self,
        verdict: Verdict,
        basis: Basis,
        found: Probabilities,
        reason: str,
        *,
        sure: bool = False,
    ) -> Judgement:
        passage = self.signals.passage
        start, end = (passage.start, passage.end) if passage else (0, 0)
        return Judgement(
            verdict, basis, reason, start, end, self._slots(), sure=sure, probabilities=found
        )

    def _slots(self) -> tuple[SlotCheck, ...]:
        quotations = (check.slot(self.source.text) for check in self.signals.quotations)
        return (*quotations, *(check.slot() for check in self.signals.figures))


def _with_whole_figure(edit: Edit, figure: FigureCheck | None, source: SourceText) -> Edit:
    """`edit` with the units of its figures, where the sentence has them as they were read."""
    if figure is None or figure.found is None:
        return edit
    claimed, found = figure.value, figure.found.text
    start = source.text.find(found, edit.unit.start, edit.unit.end)
    if edit.claimed not in claimed.text or not start <= edit.start < edit.end <= start + len(found):
        return edit
    places = claimed.start, claimed.end, start, start + len(found)
    return Edit(claimed.text, found, *places, edit.unit)


def deviation_text(figure: FigureCheck | None) -> str:
    """The signed difference from the source's value for a reader, "" if there is none."""
    change = figure.change if figure else None
    if not change:
        return ""
    digits = 1 if abs(change) < 0.1 else 0
    return f"; {change * 100:+.{digits}f} % against the source"


def features(claim: Claim, signals: Signals) -> dict[str, float]:
    """The features of one claim and one source; those of `READ` only if passages were read.

    A source without a passage on the claim counts as read, and as silent.
    """
    found = _exact(claim, signals)
    scores = signals.scores if signals.passage else _SILENT
    if scores is None:
        return found
    # A sentence that is silent without its page says nothing against the page.
    sentence, several = signals.alone or (scores, scores)
    readings, weights = (scores, several, sentence), (1.0, 1.0, 1 - sentence.neutral)
    read = {
        "support": fmean((_odds(one.supports) for one in readings), weights),
        "contradiction": fmean((_odds(one.contradicts) for one in readings), weights),
        "most_support": max(_odds(one.supports) for one in readings),
        "most_contradiction": max(_odds(one.contradicts) for one in readings),
    }
    return {**read, **found}


def _odds(share: float) -> float:
    return math.log(max(share, _SMALLEST) / max(1 - share, _SMALLEST))


def _exact(claim: Claim, signals: Signals) -> dict[str, float]:
    direct = claim.citation_state is CitationState.DIRECT
    missing = [check for check in signals.figures if not check.is_found]
    rivals = [check for check in missing if check.outcome is SlotOutcome.MISMATCH]
    chances = [check.derivation.chance for check in signals.figures if check.derivation]
    nowhere = [one.text for one in signals.nowhere]
    wanted = set(terms(claim.text))
    sources = {address.target for address in claim.cited if address.state is claim.citation_state}
    return {
        "digits_nowhere": float(direct and any(map(str.isdigit, "".join(nowhere)))),
        "unit_differs": float(signals.other_unit),
        "one_figure_differs": float(len(missing) == 1 and len(rivals) == 1),
        "other_row": signals.other_rows,
        "bound_elsewhere": signals.misbinding,
        "derived": float(bool(chances)),
        "by_accident": max(chances, default=0.0),
        "short_claim": float(len(claim.text.split()) < _FEW_WORDS),
        "figures": min(len(signals.figures), _MANY_FIGURES),
        "several_sources": float(len(sources) > 1),
        "coverage": len(wanted & set(terms(render(signals.units)))) / max(1, len(wanted)),
    }


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Evidence on a claim from sources that it does not cite.

    `support` is None as soon as one source proves the claim wrong. `slots` are the parts of the
    claim that were compared with that source.
    """

    support: Evidence | None = None
    against: Evidence | None = None
    reason: str = ""
    slots: tuple[SlotCheck, ...] = ()


NOTHING = Elsewhere()


def compare_with(
    claim: Claim, url: str, sources: SourceIndex, registry: Registry, *, written: date | None = None
) -> Elsewhere:
    """Evidence from the source at `url` on a claim that does not cite it.

    Only a proved contradiction counts against the claim. An uncited source may describe another
    thing of the same name. If `written` is given, the source supports what it says was so that day.

    Raises:
        SnapshotError: The source is readable and has no text.
        InputError: The reader's files are missing or broken.
    """
    readable = sources.readable(url)
    if readable is None or not reads_english(readable[0].language):
        return NOTHING
    snapshot, source = readable
    judgement = judge(claim, source, registry)
    if then := was_so(claim.text, source, written, registry.lexicon) if written else None:
        judgement = Judgement(Verdict.SUPPORTED, Basis.EXACT, "", then.start, then.end)
    if not judgement.decided:
        return NOTHING
    start, end = judgement.start, judgement.end
    quote = source.text[start:end]
    evidence = Evidence(url, snapshot.sha256, quote, start, end, judgement.stance)
    if judgement.verdict is Verdict.SUPPORTED:
        return Elsewhere(evidence)
    return Elsewhere(None, evidence, judgement.reason, judgement.slots)
