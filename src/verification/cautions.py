"""Further reasons for a finding, once every claim has been assessed.

Signs that a person reads otherwise than code does: characters that cannot be seen or turn the
direction of others, a picture in place of a word, a raised figure behind a number, a sign that
denies or bounds it, a word spelt out letter by letter. A claim of these that may read otherwise is
not supported. Sums that do not come out, what may stand in the rest of a source that was read in
part, and links of a handbook that lead to where more stands.
"""

from __future__ import annotations

import bisect
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..base.as_read import JOINERS, UNSEEN, as_read
from ..base.vocabulary import CitationState, Finding, IssueType, Severity, SourceState, Verdict
from ..claims.arithmetic.calculation import Calculation, figure
from ..claims.arithmetic.checks import check_arithmetic, read_figures
from ..claims.arithmetic.reckoning import movement
from ..claims.lexicon import Lexicon
from ..claims.model import Claim, Modifier, Quantity
from ..claims.quantities import find_quantities
from ..documents.language import reads_english
from ..documents.model import Document
from ..sources.model import SourceSet
from ..sources.reading import BEYOND_LIMIT
from .assessing import issues
from .exact.comparison import same_value, signed_number
from .model import ClaimAssessment
from .registry import Registry
from .severity import SeverityPolicy, is_unread, unread_problem

_MARKS = re.compile(f"[{UNSEEN}]|(?<=[\x00-\x7f])[{JOINERS}](?=[\x00-\x7f])")
# A soft hyphen and a byte order mark are left behind by programs, and nobody is deceived by them.
_HARMLESS = "\u00ad\ufeff"
_PICTURE = re.compile(r"!\[[^\]\n]{0,300}\][(\[]|<img\b", re.IGNORECASE)
_RAISED = re.compile(r"(?<!10)(?<![\d.,]10)(?<=\d)(?:[⁺⁻]|[₀-₉]|[⁰¹²³⁴-⁹]*⁰)")
_NOTE = re.compile(r"(?<!10)\d([⁰¹²³⁴-⁹]+)")
_DENYING = re.compile(
    r"[\u2260\u2262\u2270\u2271\u00ac\u2209\u226e\u226f]|[\u274c\u274e\u2717\u2718\u2715\u2716\u26d4]|\U0001f6ab|\U0001f6d1|\U0001f44e"
    r"|[√∛](?=\s?\d)|\\(?:l?not|neg|neq?|nless|ngtr|notin)\b|!=(?=\s?\d)"
)
_SPELT = re.compile(
    r"(?<![\w-])(?:(?:[^\W\d_][-\u2010\u2011\u00b7]){3,12}[^\W\d_]|(?:[a-z][\s\u00b7]){3,12}[a-z]"
    r"|n[-\u2010\u2011\u00b7 ]o[-\u2010\u2011\u00b7 ]t)\b"
    # Letters in circles and squares; an odd number of those that make flags.
    r"|[\u24b6-\u24e9\U0001f130-\U0001f189]{2,}"
    r"|(?<![\U0001f1e6-\U0001f1ff])[\U0001f1e6-\U0001f1ff]"
    r"(?:[\U0001f1e6-\U0001f1ff]{2})+(?![\U0001f1e6-\U0001f1ff])"
)
_OTHER = "\u0250-\u02af\u0400-\u058f\u1d00-\u1d7f"
_MIXED = re.compile(f"[A-Za-z][{_OTHER}]|[{_OTHER}][A-Za-z]")
_STRUCK = re.compile(
    r"~~\S|<(?:del|s|strike)\b|[\u0334-\u0338\u20d2\u20d3\u20e0\u20e5\u20ea\u20eb]", re.IGNORECASE
)
_LIMIT_BEFORE = re.compile(
    r"(?:[<>≤≥\uff1c\uff1e\ufe64\ufe65≦≧≪≫⋘⋙≲≳≺≻≼≽⩽⩾]=?|\\[lg]eq?\b|\\[lg]t\b)\s?\Z"
    # A dash that stands for a minus, neither "3 – 4" nor "3 –4".
    r"|(?<![\d\s])\s[\u02d7\u2010-\u2013\u207b\u208b\ufe63\uff0d\u2796]\Z"
)
_LONGEST_LIMIT = 10
_PLACE = re.compile(r"\[(?:section|chapter|appendix|part)\s[\dA-Z]", re.IGNORECASE)
_BEHIND = "+‰‱"
PROBLEM = "the cited source was read in part, and the part that was read does not state this"
_LEADS_ON = "its link leads to where more stands, and no passage there states it"
_SETTLED = (IssueType.UNVERIFIABLE, IssueType.VERIFIED_FALSE)
_STANDS = (Verdict.SUPPORTED, Verdict.NOT_CHECKABLE)


def with_cautions(
    document: Document,
    claims: Sequence[Claim],
    assessments: Iterable[ClaimAssessment],
    registry: Registry,
) -> tuple[ClaimAssessment, ...]:
    """The assessments of `claims`, in order, with what a person would read otherwise held back."""
    return tuple(
        _cautioned(document, claim, one, registry)
        for claim, one in zip(claims, assessments, strict=True)
    )


def _cautioned(
    document: Document, claim: Claim, assessment: ClaimAssessment, registry: Registry
) -> ClaimAssessment:
    written = document.text[claim.location.start : claim.location.end]
    marks = sorted(set(_MARKS.findall(written)) - set(_HARMLESS))
    supported, misread = assessment.verdict is Verdict.SUPPORTED, True
    if marks:
        names = ", ".join(f"U+{ord(one):04X} {unicodedata.name(one, '')}".strip() for one in marks)
        problem = f"the sentence has characters that no reader sees: {names}"
        misread = any(unicodedata.bidirectional(mark) in _TURNING for mark in marks)
    else:
        said = " ".join(evidence.quote for evidence in assessment.evidence)
        problem = _otherwise_read(document, claim, said) or _signs_alone(written, said)
        problem = problem or _signed_otherwise(claim, said, registry.lexicon)
    if not problem or not (marks or supported):
        return assessment
    found = replace(
        issues.unverifiable(claim, problem, registry.severity),
        problem=problem,
        evidence="",
        recommendation="write it so that it reads as it is meant",
    )
    assessment = replace(assessment, findings=(*assessment.findings, found))
    if not (supported and misread):
        return assessment
    return replace(
        assessment,
        verdict=Verdict.UNVERIFIABLE,
        reason=problem,
        decided=True,
        evidence=(),
        supported=None,
        contradicted=None,
    )


_TURNING = frozenset(("RLO", "LRO", "RLE", "LRE", "RLI", "LRI", "FSI", "PDF", "PDI"))


def _otherwise_read(document: Document, claim: Claim, said: str) -> str:
    if _PICTURE.search(_between_words(document, claim)):
        return "a picture stands within the sentence, and what it shows was not compared"
    raised = _RAISED.search(claim.text)
    if raised is None and (mark := _NOTE.search(claim.text)):
        # The mark of a note, which then has the same before it, or a power that the source has.
        noted = document.text.count(mark[1]) > 1 or mark[0] in said
        raised = None if noted else mark
    if raised:
        return f"a raised or lowered figure stands behind a number: {raised[0]}"
    return ""


def _signs_alone(written: str, said: str) -> str:
    """What in a claim, as it is written, denies, bounds or hides a word, and is not `said`."""
    if (sign := _DENYING.search(written)) and sign[0] not in said:
        return f"a sign denies it, which the source has not: {sign[0]}"
    if _STRUCK.search(written):
        return "a part of it is struck out"
    if (word := _SPELT.search(written)) and word[0] not in said:
        return f"a word is spelt letter by letter: {word[0]}"
    if (letters := _MIXED.search(as_read(written))) and letters[0] not in said:
        return f"a word mixes alphabets: {letters[0]}"
    return ""


def _sign_of(text: str, one: Quantity) -> str:
    """The sign that bounds or turns a number: "<", "−", "+" or "‰" behind it; "" for words."""
    limit = _LIMIT_BEFORE.search(text, max(0, one.start - _LONGEST_LIMIT), one.start)
    minus = one.text[0] if one.low < 0 and one.text[0] in "-−" else ""
    behind = text[one.start : one.end + 1]
    return limit[0].strip() if limit else minus or next((s for s in _BEHIND if s in behind), "")


def _signed_otherwise(claim: Claim, said: str, lexicon: Lexicon) -> str:
    """Which number has a sign in the claim or in what is `said` alone; words may say it, too."""
    theirs, falls = find_quantities(said, lexicon), movement(said) < 0
    known = {key for one in theirs for key in (same_value(one, lexicon), signed_number(one))}
    for one in claim.quantities:
        if bound := _bounded(claim, one, said, theirs):
            return bound
        if {same_value(one, lexicon), signed_number(one)} & known:
            continue
        size = (abs(one.low), one.kind, one.unit)
        like = [other for other in theirs if (abs(other.low), other.kind, other.unit) == size]
        sign = _sign_of(claim.text, one)
        if sign and not (one.low < 0 and falls):
            return f"a sign bounds the number, which the source does not: {sign}"
        if like and one.low > 0 and all(other.low < 0 for other in like) and not falls:
            return f"the source’s number has a sign: {like[0].text}"
    return ""


def _bounded(claim: Claim, one: Quantity, said: str, theirs: Iterable[Quantity]) -> str:
    """What bounds the number on one side alone, where neither is worded so.

    A sign that is not read as "less than" or the like must be `said` as it is.
    """
    if one.modifier is not Modifier.EXACT:
        return ""
    if own := _sign_of(claim.text, one):
        foreign = one.low > 0 and own not in said
        return f"a sign bounds the number, which the source does not: {own}" if foreign else ""
    signs = [_sign_of(said, other) for other in theirs if abs(other.low) == abs(one.low)]
    minus = one.low < 0 or any(sign in "-−" for sign in signs)
    return (
        f"the source’s number has a sign: {signs[0]}" if signs and all(signs) and not minus else ""
    )


def _between_words(document: Document, claim: Claim) -> str:
    words = [at for at, char in enumerate(claim.text) if char.isalnum()]
    if not words or not claim.anchors:
        return ""
    start, end = claim.source_span(words[0], words[-1] + 1)
    return document.text[start:end]


def partly_read(claim: Claim, answer: ClaimAssessment, sources: SourceSet) -> ClaimAssessment:
    """`answer`, said to be unchecked if a source that was read in part left it open.

    Nobody knows what stands in the rest: that is a low finding, and no fault of the author's.
    """
    cited = (one.target for one in claim.cited if one.state is claim.citation_state)
    partly = any(BEYOND_LIMIT in sources.source(url).reason for url in cited if url)
    if not partly or answer.verdict is not Verdict.UNVERIFIABLE:
        return answer
    findings = tuple(map(_softened, answer.findings))
    return replace(answer, reason=PROBLEM, unchecked=True, sure=False, findings=findings)


def _softened(finding: Finding) -> Finding:
    if finding.type is not IssueType.UNVERIFIABLE:
        return finding
    return replace(
        finding,
        problem=PROBLEM,
        severity=Severity.LOW,
        recommendation="cite a shorter source, or the part of it that matters",
    )


def told_once(
    claims: Sequence[Claim], answers: Sequence[ClaimAssessment], policy: SeverityPolicy
) -> list[ClaimAssessment]:
    """`answers` of `claims`, where a source that cannot be read is one defect.

    The claim that cites it tells; others that it covers have a low finding.
    """
    direct = [claim.citation_state is CitationState.DIRECT for claim in claims]
    citing = (answer for answer, cites in zip(answers, direct, strict=True) if cites)
    told = {one.evidence for answer in citing for one in answer.findings if is_unread(one)}

    def lowered(one: Finding) -> Finding:
        again = is_unread(one) and one.evidence in told
        return replace(one, severity=policy.spare_source) if again else one

    return [
        answer if cites else replace(answer, findings=tuple(map(lowered, answer.findings)))
        for answer, cites in zip(answers, direct, strict=True)
    ]


def led_on(
    document: Document,
    claim: Claim,
    answer: ClaimAssessment,
    policy: SeverityPolicy,
    *,
    technical: bool,
) -> ClaimAssessment:
    """`answer`, held to nothing if the claim only leads on.

    "As said in [Section 4.2](s.md)": a claim without a figure in digits or a quotation, its links
    to numbered parts of the author's own work. In a handbook (`technical`) also other links among
    its words or in a later sentence: "Members are listed in the [charter](c.md)".
    """
    if not _leads_on(document, claim, technical=technical):
        return answer
    # The reader alone, and nothing exact, takes the source not to state it.
    if answer.sure or (answer.verdict is Verdict.CONTRADICTED and not answer.decided):
        return _unconfirmed(claim, answer, policy)
    folder = unread_problem(SourceState.UNSUPPORTED_TYPE)
    findings = (
        replace(one, severity=Severity.LOW) if one.problem == folder else one
        for one in answer.findings
    )
    return replace(answer, findings=tuple(findings))


def _leads_on(document: Document, claim: Claim, *, technical: bool) -> bool:
    counted = any(one.text[:1].isdigit() for one in claim.quantities)
    if counted or claim.dates or claim.quotes or claim.references:
        return False
    if claim.citation_state is not CitationState.DIRECT:
        return technical and claim.citation_state is CitationState.INHERITED
    scope = document.scopes[claim.sentence]
    own = [document.citations[one.citation] for one in scope if one.state is CitationState.DIRECT]
    own = [one for one in own if not _PLACE.match(one.raw)]
    if own and not technical:
        return False
    written = [claim.source_span(at, at + 1)[0] for at in range(len(claim.text))]
    return all(any(one.start <= at < one.end for at in written) for one in own)


def _unconfirmed(claim: Claim, answer: ClaimAssessment, policy: SeverityPolicy) -> ClaimAssessment:
    found = issues.not_found(claim, _LEADS_ON, policy, sure=False)
    others = (one for one in answer.findings if one.type not in _SETTLED)
    return replace(
        answer,
        verdict=Verdict.UNVERIFIABLE,
        reason=_LEADS_ON,
        sure=False,
        evidence=(),
        findings=(found, *others),
    )


def with_own_figures(
    document: Document,
    claims: Sequence[Claim],
    assessments: Sequence[ClaimAssessment],
    registry: Registry,
) -> tuple[ClaimAssessment, ...]:
    """The assessments, with a finding for each claim whose sum does not come out.

    `assessments` are those of `claims`, in the same order. Such a claim is contradicted unless its
    source supports it. Any of the figures may be the wrong one, so no correction is offered. Only
    English is read (decision 28).
    """
    found = list(assessments)
    if not reads_english(document.language):
        return tuple(found)
    figures = read_figures(document, registry.lexicon)
    for one in check_arithmetic(document, figures, registry.lexicon):
        at = None if one.calculation.agrees else _claim_at(claims, one.location.start)
        if at is not None:
            found[at] = _doubted(claims[at], found[at], one.calculation, registry.severity)
    return tuple(found)


def _claim_at(claims: Sequence[Claim], offset: int) -> int | None:
    """The last claim that covers `offset`; a relative clause stands inside another claim."""
    last = bisect.bisect_right(claims, offset, key=lambda claim: claim.location.start) - 1
    for at in range(last, -1, -1):
        if offset < claims[at].location.end:
            return at
        if claims[at].sentence != claims[last].sentence:
            break
    return None


def _doubted(
    claim: Claim, assessment: ClaimAssessment, wrong: Calculation, policy: SeverityPolicy
) -> ClaimAssessment:
    """`assessment` with a finding for a sum; the first finding of a claim's sums stands."""
    change = float((wrong.stated - wrong.computed) / wrong.computed) if wrong.computed else None
    said = "" if wrong.implied else f"; the text says {figure(wrong.stated)}"
    finding = issues.finding(
        claim,
        IssueType.ARITHMETIC,
        policy.of_number(change, load_bearing=claim.load_bearing),
        "the text's own figures come to something else",
        evidence=wrong.working + said,
        recommendation="correct the result, or the figures that it rests on",
    )
    if all(finding.id != one.id for one in assessment.findings):
        assessment = replace(assessment, findings=(*assessment.findings, finding))
    if assessment.verdict in _STANDS:
        return assessment
    reason = f"the document contradicts itself: {finding.evidence}"
    return replace(assessment, verdict=Verdict.CONTRADICTED, reason=reason, decided=True)
