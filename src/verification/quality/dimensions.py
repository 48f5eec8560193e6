"""The dimensions of a critique, each a pure function of a document of which a claim was compared.

They measure what can be counted. Whether an argument convinces, and whether it tells an expert
anything, no count says: that is the reviewer's and the judge's part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from ...base.counting import counted
from ...base.finding import Finding
from ...base.vocabulary import CitationState, IssueType, Verdict
from ...claims.duplicates import duplicate_groups
from ...claims.model import Claim
from ...claims.words import WORD, WordBook
from ...documents.language import detect_language
from ...documents.model import Document, Section
from ..source_index import reads_english
from .critique_policy import CritiquePolicy, Dimension
from .evidence_map import ClaimEvidenceMap, MappedClaim

_NAMED = 8
_MARKS = " \t\r\n-=*_#"


@dataclass(frozen=True, slots=True)
class Commission:
    """Assignment of a document: the questions of its brief, and the brief's own text."""

    questions: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Subject:
    """A document with all that its critique goes by; see `critique`."""

    document: Document
    claims: Sequence[Claim]
    evidence: ClaimEvidenceMap
    commission: Commission
    findings: tuple[Finding, ...]
    policy: CritiquePolicy
    book: WordBook

    @property
    def checked(self) -> tuple[MappedClaim, ...]:
        """The claims that were compared with something."""
        return tuple(
            one
            for one in self.evidence.claims
            if one.checked and one.verdict is not Verdict.NOT_CHECKABLE
        )

    @property
    def supported(self) -> tuple[MappedClaim, ...]:
        """The claims that a source bears out."""
        return tuple(one for one in self.checked if one.verdict is Verdict.SUPPORTED)


@dataclass(frozen=True, slots=True)
class Measured:
    """A score from 0 to 1, None where there is nothing to measure; why, and what would raise it."""

    score: float | None
    reason: str
    action: str = ""


Measure: TypeAlias = Callable[[Subject], Measured]


def coverage(subject: Subject) -> Measured:
    """The share of the brief's questions that are answered where supported claims stand.

    A question is taken to be answered where its words stand beside such claims: code does not
    read answers. One that the text names as open counts for a part.
    """
    if not reads_english(detect_language(subject.commission.text)):
        return Measured(None, "the language of the brief is not read")
    asked = [(q, stems) for q in subject.commission.questions if (stems := _stems(subject, q))]
    if not asked:
        return Measured(None, "the brief asks no question that can be looked for")
    sections = _sourced_sections(subject)
    everything = frozenset[str]().union(*sections)
    shares = {q: _answered(subject, stems, sections, everything) for q, stems in asked}
    missing = [q for q, share in shares.items() if share < 1]
    text = _plain(" ".join(s.text for s in subject.document.sentences if s.kind.makes_claims))
    open_ = [q for q in missing if _plain(q) in text]
    for question in open_:
        shares[question] = max(shares[question], subject.policy.coverage.named_as_open)
    answered = len(shares) - len(missing)
    questions = counted(len(shares), "question of the brief is", "questions of the brief are")
    reason = f"{answered} of {questions} answered where supported claims are"
    reason += f"; {len(open_)} more named as open" if open_ else ""
    action = f"answer with sources, or list as open: {'; '.join(missing[:_NAMED])}"
    return Measured(sum(shares.values()) / len(shares), reason, action)


def depth(subject: Subject) -> Measured:
    """How many different passages of sources stand behind each question of the brief."""
    passages = {
        (item.source_id, item.snippet)
        for claim in subject.supported
        for item in claim.supporting_evidence
    }
    questions = max(1, len(subject.commission.questions))
    enough = subject.policy.depth.passages * questions
    stand = counted(len(passages), "passage of sources stands", "passages of sources stand")
    reason = f"{stand} behind {counted(questions, 'question')}"
    reason += f", and {enough} {'is' if enough == 1 else 'are'} enough"
    action = (
        f"say more that rests on sources (needs {counted(enough - len(passages), 'passage')} more)"
    )
    return Measured(min(1.0, len(passages) / enough), reason, action)


def accuracy(subject: Subject) -> Measured:
    """The share of the compared claims with a source that hold, by what rests on them."""
    rules = subject.policy.accuracy
    cited = [one for one in subject.checked if one.citation_state is not CitationState.NONE]
    if not cited:
        return Measured(None, "no claim that was compared has a source")
    worth = {Verdict.SUPPORTED: 1.0, Verdict.PARTIALLY_SUPPORTED: rules.partly}
    weights = [rules.load_bearing if one.load_bearing else 1.0 for one in cited]
    weighed = (worth.get(one.verdict, 0.0) * w for one, w in zip(cited, weights, strict=True))
    short = [one for one in cited if one.verdict is not Verdict.SUPPORTED]
    those = counted(len(cited), "claim with a source is", "claims with a source are")
    reason = f"{len(cited) - len(short)} of {those} supported by it"
    action = f"correct, qualify or remove the claims that their source does not state{_at(short)}"
    return Measured(sum(weighed) / sum(weights), reason, action)


def novelty(subject: Subject) -> Measured:
    """The share of the claims that say something which is not said already, here or in the brief.

    Whether it is news to its reader, code cannot tell.
    """
    rules, known = subject.policy.novelty, _stems(subject, subject.commission.text)
    made = [claim for claim in subject.claims if not claim.exclusion]
    old = {
        made[place].id
        for group in duplicate_groups(made, subject.book)
        for place in group[rules.times :]
    }
    old |= {
        c.id for c in made if _share_present(_stems(subject, c.text), known) >= rules.from_brief
    }
    stale = [one for one in subject.checked if one.claim_id in old]
    total = len(subject.checked)
    say = counted(total, "claim says", "claims say")
    reason = f"{total - len(stale)} of {say} something that is not said already"
    action = f"remove what repeats the brief or the document itself{_at(stale)}"
    return Measured(1 - len(stale) / total, reason, action)


def coherence(subject: Subject) -> Measured:
    """Score of 1, less penalties for contradictions, wrong sums and empty sections."""
    rules = subject.policy.coherence
    contradictions = len(_contradictions(subject))
    sums = sum(found.type is IssueType.ARITHMETIC for found in subject.findings)
    empty = [one for one in subject.document.sections if _is_empty(subject.document, one)]
    lost = rules.contradiction * contradictions + rules.wrong_sum * sums
    lost += rules.empty_section * len(empty)
    reason = f"contradictions within the document: {contradictions}; "
    reason += f"sums that do not come out: {sums}; empty sections: {len(empty)}"
    action = "settle what contradicts itself and what does not add up, and fill or remove"
    action += f" sections without text{''.join(f' {one.title!r}' for one in empty[:_NAMED])}"
    return Measured(max(0.0, 1 - lost), reason, action)


def citation_quality(subject: Subject) -> Measured:
    """The share of the claims that are cited to sources which can be read and relied on."""
    worth = {one.claim_id: _citation_worth(subject, one) for one in subject.checked}
    poor = [one for one in subject.checked if worth[one.claim_id] < 1]
    total = len(worth)
    weak = sum(one.low_reliability for one in poor)
    cited = counted(total, "claim is", "claims are")
    reason = f"{total - len(poor)} of {cited} cited to a source that can be read"
    reason += (
        f"; {weak} {'rests' if weak == 1 else 'rest'} on sources of low reliability alone"
        if weak
        else ""
    )
    action = f"cite sources that can be read and relied on{_at(poor)}"
    return Measured(sum(worth.values()) / total, reason, action)


MEASURES: Mapping[Dimension, Measure] = MappingProxyType(
    {
        Dimension.COVERAGE: coverage,
        Dimension.DEPTH: depth,
        Dimension.ACCURACY: accuracy,
        Dimension.NOVELTY: novelty,
        Dimension.COHERENCE: coherence,
        Dimension.CITATION_QUALITY: citation_quality,
    }
)


def _citation_worth(subject: Subject, claim: MappedClaim) -> float:
    uncited = claim.citation_state is CitationState.NONE
    if uncited or claim.verdict is Verdict.SOURCE_UNAVAILABLE:
        return 0.0
    return subject.policy.citation_quality.low_reliability if claim.low_reliability else 1.0


def _sourced_sections(subject: Subject) -> tuple[frozenset[str], ...]:
    """The words of each section in which a supported claim stands, those of its headings too.

    A sentence that only repeats a question answers nothing.
    """
    questions = {_plain(question) for question in subject.commission.questions}
    sentences = subject.document.sentences
    words: dict[tuple[str, ...], set[str]] = {}
    for claim in subject.supported:
        path = sentences[claim.sentence].section
        words.setdefault(path, set(_stems(subject, " ".join(path))))
    for sentence in sentences:
        told = sentence.kind.makes_claims and _plain(sentence.text) not in questions
        if told and sentence.section in words:
            words[sentence.section] |= _stems(subject, sentence.text)
    return tuple(map(frozenset, words.values()))


def _answered(
    subject: Subject,
    stems: frozenset[str],
    sections: Sequence[frozenset[str]],
    everything: frozenset[str],
) -> float:
    """1 for a question with these words that is answered, 0.5 for one that is in part, or 0."""
    rules = subject.policy.coverage
    here = max((_share_present(stems, own) for own in sections), default=0.0)
    anywhere = _share_present(stems, everything)
    if here >= rules.in_section or anywhere >= rules.in_document:
        return 1.0
    hardly = here < rules.hardly_in_section and anywhere < rules.hardly_in_document
    return 0.0 if hardly else 0.5


def _contradictions(subject: Subject) -> set[frozenset[str]]:
    """Each pair of statements that cannot both be true, and each that is found to be such.

    A statement that is made again, in a summary, is the same one.
    """
    claims = subject.evidence.claims
    said = {claim.claim_id: _plain(claim.text) for claim in claims}
    pairs = {
        frozenset((said[claim.claim_id], said.get(other, other)))
        for claim in claims
        for other in claim.contradicts
    }
    linked = frozenset[str]().union(*pairs)
    alone = {
        frozenset((name,))
        for found in subject.findings
        if found.type is IssueType.INTERNAL_CONTRADICTION
        and (name := said.get(found.claim_id or "", found.id)) not in linked
    }
    return pairs | alone


def _is_empty(document: Document, section: Section) -> bool:
    _, _, below = document.text[section.start : section.end].strip().partition("\n")
    return not below.strip(_MARKS)


def _stems(subject: Subject, text: str) -> frozenset[str]:
    """The comparison forms of the words of `text` that carry meaning, numbers among them."""
    book = subject.book
    return frozenset(token.stem for token in book.tokens(text)) - book.stop_words


def _share_present(wanted: frozenset[str], present: frozenset[str]) -> float:
    """The share of `wanted` that `present` has, 0–1."""
    return len(wanted & present) / len(wanted) if wanted else 0.0


def _plain(text: str) -> str:
    return " ".join(WORD.findall(text)).casefold()


def _at(claims: Sequence[MappedClaim]) -> str:
    """Where these claims stand."""
    lines = [str(line) for line in dict.fromkeys(claim.line for claim in claims)]
    if not lines:
        return ""
    more = f" and {len(lines) - _NAMED} more" if len(lines) > _NAMED else ""
    return f" (line {', '.join(lines[:_NAMED])}{more})"
