"""The critique of a whole document: six scores with their reasons, and whether they suffice.

The scores measure what can be counted. Whether an argument convinces, and whether it tells an
expert anything, no count says: that is the reviewer's and the judge's part.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..base.printable import counted
from ..base.vocabulary import (
    CitationState,
    FailCode,
    Finding,
    IssueType,
    ReviewCriterion,
    Severity,
    Verdict,
    finding_id,
)
from ..claims.duplicates import duplicate_groups
from ..claims.model import Claim
from ..claims.words import WORD, WordBook
from ..documents.language import detect_language, reads_english
from ..documents.model import Document
from ..sources.scoring.model import Appraisal
from ..verification.model import ClaimAssessment, Ledger
from ..verification.policy import CritiquePolicy, Dimension
from ..verification.registry import Registry
from .artefacts import ArtefactFile, artefact_file
from .brief import Assignment
from .evidence_map import ClaimEvidenceMap, MappedClaim, map_claims
from .work import IterationEvidence

_NAMED = 8
_MARKS = " \t\r\n-=*_#"
MAP_FILE = "claim_evidence_map.json"
CRITIQUE_FILE = "critique.json"
CRITIQUE = "critique"
"""The origin of findings that a critique makes."""
# What an analyst knows how to settle by another name than quality.
_CRITERIA: Mapping[Dimension, ReviewCriterion] = {
    Dimension.COVERAGE: ReviewCriterion.COVERAGE,
    Dimension.COHERENCE: ReviewCriterion.CONSISTENCY,
    Dimension.CITATION_QUALITY: ReviewCriterion.CITATION_DENSITY,
}


@dataclass(frozen=True, slots=True)
class DimensionScore:
    """One dimension: its score, or None with the reason why there is none.

    `score` is from 0 to 1, the best. `weight` (0–1) is its part in the whole. `remediation_action`
    is what would raise the score, "" where nothing would.
    """

    score: float | None
    weight: float
    reason: str
    remediation_action: str


@dataclass(frozen=True, slots=True)
class Critique:
    """`critique.json` (verify-phase spec; decision 39).

    `iteration` counts from 1. `score` (0–1) is the mean of the dimensions that have a score by
    their weights, or the lowest of those below their floor if that is less; None if none has one,
    and then there is nothing to object to. `threshold` (0–1) is what it has to reach. `weaknesses`
    and `suggestions` are the reasons and remedies of the dimensions below `threshold`.
    """

    iteration: int
    score: float | None
    threshold: float
    passed: bool
    fail_code: FailCode | None
    dimensions: Mapping[Dimension, DimensionScore]
    weaknesses: tuple[str, ...]
    suggestions: tuple[str, ...]

    @property
    def weak(self) -> Mapping[Dimension, DimensionScore]:
        """The dimensions below the threshold."""
        return _weak(self.dimensions, self.threshold)


def critique_line(found: Critique) -> str:
    """The critique on one line: whether it passes, its score and those of its dimensions."""
    if found.score is None:
        return "quality: nothing could be scored"
    scored = (
        f"{dimension.replace('_', ' ')} {one.score:.2f}"
        for dimension, one in found.dimensions.items()
        if one.score is not None
    )
    decision = "pass" if found.passed else "fail"
    return f"quality {decision}: {found.score:.2f} ({', '.join(scored)})"


def _weak(
    dimensions: Mapping[Dimension, DimensionScore], threshold: float
) -> dict[Dimension, DimensionScore]:
    return {
        dimension: one
        for dimension, one in dimensions.items()
        if one.score is not None and one.score < threshold
    }


class _Measured(NamedTuple):
    """A score from 0 to 1, None where there is nothing to measure; why, and what would raise it."""

    score: float | None
    reason: str
    action: str = ""


@dataclass(frozen=True, slots=True)
class DraftCase:
    """A document that is scored.

    `evidence` is the map of its `claims`, `policy` has weights and thresholds, `book` the words of
    the language that is read. `assignment` is what the document was ordered to be, `findings` are
    what code holds against single claims.
    """

    document: Document
    claims: Sequence[Claim]
    evidence: ClaimEvidenceMap
    policy: CritiquePolicy
    book: WordBook
    assignment: Assignment
    findings: Sequence[Finding] = ()

    def critique(self) -> Critique:
        """The scores of all dimensions; passes at `policy.pass_score` and above."""
        policy = self.policy
        dimensions: dict[Dimension, DimensionScore] = {}
        for dimension, found in self._measured().items():
            score = None if found.score is None else round(found.score, 4)
            action = found.action if score is not None and score < 1 else ""
            weight = policy.weights[dimension]
            dimensions[dimension] = DimensionScore(score, weight, found.reason, action)
        score = None
        scored = {d: one for d, one in dimensions.items() if one.score is not None}
        if total := sum(one.weight for one in scored.values()):
            mean = sum(one.weight * (one.score or 0) for one in scored.values()) / total
            floors = policy.floors
            low = (s for d, one in scored.items() if (s := one.score or 0) < floors.get(d, 0))
            score = round(min(mean, *low, 1.0), 4)
        passed = score is None or score >= policy.pass_score
        weak = _weak(dimensions, policy.pass_score)
        return Critique(
            self.evidence.iteration,
            score,
            policy.pass_score,
            passed,
            None if passed else FailCode.QUALITY_GATE,
            dimensions,
            tuple(f"{dimension}: {one.reason}" for dimension, one in weak.items()),
            tuple(one.remediation_action for one in weak.values()),
        )

    @property
    def checked(self) -> Sequence[MappedClaim]:
        """The claims that were compared with a source."""
        known = (one for one in self.evidence.claims if one.checked)
        return [one for one in known if one.verdict is not Verdict.NOT_CHECKABLE]

    def _measured(self) -> Mapping[Dimension, _Measured]:
        """Each dimension's measure."""
        unread = _Measured(None, "the document's language is not read in full")
        if not reads_english(self.document.language):
            return dict.fromkeys(Dimension, unread)
        if not self.checked:
            return dict.fromkeys(Dimension, _Measured(None, "no claim was compared with a source"))
        return {
            Dimension.COVERAGE: self._coverage(),
            Dimension.DEPTH: self._depth(),
            Dimension.ACCURACY: self._accuracy(),
            Dimension.NOVELTY: self._novelty(),
            Dimension.COHERENCE: self._coherence(),
            Dimension.CITATION_QUALITY: self._citation_quality(),
        }

    def _coverage(self) -> _Measured:
        """The share of the brief's questions that are answered where supported claims stand.

        A question is taken to be answered where its words stand beside such claims: code does not
        read answers. One that the text names as open counts for a part.
        """
        if not reads_english(detect_language(self.assignment.text)):
            return _Measured(None, "the language of the brief is not read")
        asked = {q: stems for q in self.assignment.questions if (stems := self._stems(q))}
        if not asked:
            return _Measured(None, "the brief asks no question that can be looked for")
        sections = self._sourced_sections()
        shares = {q: self._answered(stems, sections) for q, stems in asked.items()}
        missing = [q for q, share in shares.items() if share < 1]
        sentences = (s.text for s in self.document.sentences if s.kind.makes_claims)
        text = _plain(" ".join(sentences))
        named = [q for q in missing if _plain(q) in text]
        for question in named:
            shares[question] = max(shares[question], self.policy.coverage.named_as_open)
        questions = counted(len(shares), "question of the brief is", "questions of the brief are")
        reason = f"{len(shares) - len(missing)} of {questions} answered where supported claims are"
        reason += f"; {len(named)} more named as open" if named else ""
        action = f"answer with sources, or list as open: {'; '.join(missing[:_NAMED])}"
        return _Measured(sum(shares.values()) / len(shares), reason, action)

    def _sourced_sections(self) -> Sequence[set[str]]:
        """The words of each section in which a supported claim stands, those of its headings too.

        A sentence that only repeats a question answers nothing.
        """
        questions = {_plain(question) for question in self.assignment.questions}
        sentences = self.document.sentences
        paths = {sentences[claim.sentence].section for claim in self._supported()}
        words = {path: set(self._stems(" ".join(path))) for path in paths}
        for sentence in sentences:
            told = sentence.kind.makes_claims and _plain(sentence.text) not in questions
            if told and sentence.section in words:
                words[sentence.section] |= self._stems(sentence.text)
        return tuple(words.values())

    def _answered(self, stems: frozenset[str], sections: Sequence[set[str]]) -> float:
        """1 for a question with these words that is answered, 0.5 for one in part, or 0."""
        rules = self.policy.coverage
        here = max((_share(stems, own) for own in sections), default=0.0)
        anywhere = _share(stems, set[str]().union(*sections))
        if here >= rules.in_section or anywhere >= rules.in_document:
            return 1.0
        hardly = here < rules.hardly_in_section and anywhere < rules.hardly_in_document
        return 0.0 if hardly else 0.5

    def _depth(self) -> _Measured:
        evidence = (item for claim in self._supported() for item in claim.supporting_evidence)
        passages = len({(item.source_id, item.snippet) for item in evidence})
        questions = max(1, len(self.assignment.questions))
        enough = self.policy.depth.passages * questions
        stand = counted(passages, "passage of sources stands", "passages of sources stand")
        reason = f"{stand} behind {counted(questions, 'question')}"
        reason += f", and {enough} {'is' if enough == 1 else 'are'} enough"
        missing = counted(enough - passages, "passage")
        action = f"say more that rests on sources (needs {missing} more)"
        return _Measured(min(1.0, passages / enough), reason, action)

    def _accuracy(self) -> _Measured:
        rules = self.policy.accuracy
        cited = [one for one in self.checked if one.citation_state is not CitationState.NONE]
        if not cited:
            return _Measured(None, "no claim that was compared has a source")
        worth = {Verdict.SUPPORTED: 1.0, Verdict.PARTIALLY_SUPPORTED: rules.partly}
        weights = [rules.load_bearing if one.load_bearing else 1.0 for one in cited]
        weighed = (worth.get(one.verdict, 0.0) * w for one, w in zip(cited, weights, strict=True))
        short = [one for one in cited if one.verdict is not Verdict.SUPPORTED]
        those = counted(len(cited), "claim with a source is", "claims with a source are")
        reason = f"{len(cited) - len(short)} of {those} supported by it"
        action = (
            f"correct, qualify or remove the claims that their source does not state{_at(short)}"
        )
        return _Measured(sum(weighed) / sum(weights), reason, action)

    def _novelty(self) -> _Measured:
        """The share of the claims that say something not said already, here or in the brief.

        Whether it is news to its reader, code cannot tell.
        """
        rules, known = self.policy.novelty, self._stems(self.assignment.text)
        made = [claim for claim in self.claims if not claim.exclusion]
        groups = duplicate_groups(made, self.book)
        old = {made[place].id for group in groups for place in group[rules.times :]}
        old |= {c.id for c in made if _share(self._stems(c.text), known) >= rules.from_brief}
        stale = [one for one in self.checked if one.claim_id in old]
        total = len(self.checked)
        say = counted(total, "claim says", "claims say")
        reason = f"{total - len(stale)} of {say} something that is not said already"
        action = f"remove what repeats the brief or the document itself{_at(stale)}"
        return _Measured(1 - len(stale) / total, reason, action)

    def _coherence(self) -> _Measured:
        rules = self.policy.coherence
        contradictions = len(self._contradictions())
        sums = sum(found.type is IssueType.ARITHMETIC for found in self.findings)
        bodies = (
            (section, self.document.text[section.start : section.end].strip().partition("\n")[2])
            for section in self.document.sections
        )
        empty = [section.title for section, body in bodies if not body.strip(_MARKS)]
        lost = rules.contradiction * contradictions + rules.wrong_sum * sums
        lost += rules.empty_section * len(empty)
        reason = f"contradictions within the document: {contradictions}; "
        reason += f"sums that do not come out: {sums}; empty sections: {len(empty)}"
        action = "settle what contradicts itself and what does not add up, and fill or remove"
        action += f" sections without text{''.join(f' {title!r}' for title in empty[:_NAMED])}"
        return _Measured(max(0.0, 1 - lost), reason, action)

    def _contradictions(self) -> set[frozenset[str]]:
        """Each pair of statements that cannot both be true, and each that is found to be such.

        A statement that is made again, in a summary, is the same one.
        """
        said = {claim.claim_id: _plain(claim.text) for claim in self.evidence.claims}
        pairs = {
            frozenset((said[claim.claim_id], said.get(other, other)))
            for claim in self.evidence.claims
            for other in claim.contradicts
        }
        linked = frozenset[str]().union(*pairs)
        alone = {
            frozenset((name,))
            for found in self.findings
            if found.type is IssueType.INTERNAL_CONTRADICTION
            and (name := said.get(found.claim_id or "", found.id)) not in linked
        }
        return pairs | alone

    def _citation_quality(self) -> _Measured:
        half, worth = self.policy.citation_quality.low_reliability, 0.0
        poor: list[MappedClaim] = []
        for claim in self.checked:
            uncited = claim.citation_state is CitationState.NONE
            unread = uncited or claim.verdict is Verdict.SOURCE_UNAVAILABLE
            own = 0.0 if unread else half if claim.low_reliability else 1.0
            worth += own
            if own < 1:
                poor.append(claim)
        total = len(self.checked)
        weak = sum(one.low_reliability for one in poor)
        cited = counted(total, "claim is", "claims are")
        reason = f"{total - len(poor)} of {cited} cited to a source that can be read"
        if weak:
            rests = "rests" if weak == 1 else "rest"
            reason += f"; {weak} {rests} on sources of low reliability alone"
        return _Measured(
            worth / total, reason, f"cite sources that can be read and relied on{_at(poor)}"
        )

    def _supported(self) -> Sequence[MappedClaim]:
        return [one for one in self.checked if one.verdict is Verdict.SUPPORTED]

    def _stems(self, text: str) -> frozenset[str]:
        return frozenset(token.stem for token in self.book.tokens(text)) - self.book.stop_words


def _share(wanted: frozenset[str], present: Collection[str]) -> float:
    return len(wanted.intersection(present)) / len(wanted) if wanted else 0.0


def _plain(text: str) -> str:
    return " ".join(WORD.findall(text)).casefold()


def _at(claims: Sequence[MappedClaim]) -> str:
    lines = [str(line) for line in dict.fromkeys(claim.line for claim in claims)]
    if not lines:
        return ""
    more = f" and {len(lines) - _NAMED} more" if len(lines) > _NAMED else ""
    return f" (line {', '.join(lines[:_NAMED])}{more})"


@dataclass(frozen=True, slots=True)
class Quality:
    """Code's assessment of a draft as a whole."""

    evidence_map: ClaimEvidenceMap
    critique: Critique

    def artefacts(self) -> tuple[ArtefactFile, ...]:
        """The files of the run's `verify/` folder."""
        return (
            artefact_file(MAP_FILE, self.evidence_map),
            artefact_file(CRITIQUE_FILE, self.critique),
        )


def judge_draft(
    registry: Registry,
    assignment: Assignment,
    evidence: IterationEvidence,
    ledger: Ledger,
    assessments: Iterable[ClaimAssessment],
    appraisal: Appraisal | None = None,
) -> Quality:
    """The map and the critique of a draft, by the demands of `assignment`.

    `assessments` are those that `ledger` was built from; `appraisal` rates the sources.
    """
    document, claims = evidence.document, evidence.claims
    mapped = map_claims(document, claims, ledger, appraisal.rated if appraisal else ())
    findings = [finding for each in assessments for finding in each.findings]
    policy, book = registry.critique, registry.lexicon.words
    case = DraftCase(document, claims, mapped, policy, book, assignment, findings)
    return Quality(mapped, case.critique())


def quality_findings(found: Critique, severity: Severity) -> tuple[Finding, ...]:
    """The findings of a failed critique: the remedy of each weak dimension (decision 39)."""
    if found.passed:
        return ()
    return tuple(
        Finding(
            id=finding_id(ReviewCriterion.QUALITY, dimension),
            severity=severity,
            type=_CRITERIA.get(dimension, ReviewCriterion.QUALITY),
            claim="",
            problem=f"The quality gate failed ({dimension} {one.score:.2f}): {one.reason}",
            origin=CRITIQUE,
            recommendation=one.remediation_action,
        )
        for dimension, one in found.weak.items()
    )
