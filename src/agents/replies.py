"""The border to an agent's words: lenient where the meaning is sure, else a `ReplyError`.

Words that an agent quotes are found in the document and in its sources.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ..base.vocabulary import (
    Correction,
    Finding,
    Location,
    Recommendation,
    ReviewCriterion,
    Severity,
    Verdict,
    finding_id,
)
from ..core.artefacts import CriterionScore
from ..documents.model import Document
from ..documents.parse import parse_document
from ..documents.source import line_starts
from ..sources.model import Snapshot, SourceSet
from ..verification.exact.quotes import quote_in_text
from ..verification.model import Passage
from ..verification.passages.units import widen_to_units

_APPROVE = ("approve", "approved", "accept", "accepted")
_REJECT = ("reject", "rejected", "revise", "revision", "needs revision")
_RECOMMENDATIONS: Mapping[str, Recommendation] = {
    **dict.fromkeys(_APPROVE, Recommendation.APPROVE),
    **dict.fromkeys((*_REJECT, "request changes", "changes requested"), Recommendation.REJECT),
}
_VERDICTS: Mapping[str, Verdict] = {
    **{verdict.replace("_", " "): verdict for verdict in Verdict},
    "verified true": Verdict.SUPPORTED,
    "confirmed": Verdict.SUPPORTED,
    "verified false": Verdict.CONTRADICTED,
    "refuted": Verdict.CONTRADICTED,
    "partial": Verdict.PARTIALLY_SUPPORTED,
    "partly supported": Verdict.PARTIALLY_SUPPORTED,
}
_DIGITS = re.compile(r"[0-9]{1,9}")
_NO_SCORE = ("", "null", "none", "n/a")


class Reply(BaseModel):
    """Base of what agents fill in; what code wrote into a form is left out."""

    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)


def folded(value: object) -> str:
    """A word as the agents' vocabularies have it: lower case, plain spaces.

    Raises:
        ValueError: It is no text.
    """
    if not isinstance(value, str):
        raise ValueError(f"expected a word, not {value!r}")
    words = value.replace("_", " ").replace("-", " ").strip(" .!'\"`*").split()
    return " ".join(words).casefold()


def _score(value: object) -> object:
    """A number in 0–1, also as text or percentage; None for null."""
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return value
    text = value.strip().casefold() if isinstance(value, str) else repr(value)
    if text in _NO_SCORE:
        return None
    percent = text.endswith("%")
    try:
        number = float(text.rstrip("% ").replace(",", "."))
    except ValueError:
        raise ValueError(f"{text[:60]!r} is neither a number from 0 to 1 nor null") from None
    return number / 100 if percent else number


def _text(value: object) -> object:
    """Text; a bare number or null in its place is taken as such."""
    if value is None:
        return ""
    return str(value) if isinstance(value, int | float) else value


def line_number(value: object) -> object:
    """The first number of a line as an agent names it ("12", "line 12"), 0 for none."""
    found = _DIGITS.search(str(value))
    return int(found[0]) if found else 0


def word_in(words: Mapping[str, object], known: Sequence[str] = ()) -> BeforeValidator:
    """Validate a word by `words`, however it is written; a refusal names the `known` ones.

    The keys of `words` are folded; by default its values are the known words.
    """

    def look_up(value: object) -> object:
        word = folded(value)
        if word not in words:
            named = ", ".join(known or sorted({str(word) for word in words.values()}))
            raise ValueError(f"{str(value)[:60]!r} is none of {named}")
        return words[word]

    return BeforeValidator(look_up)


def word_of(kind: Iterable[StrEnum]) -> BeforeValidator:
    """Validate a word of an enumeration, or of some of its members, however it is written."""
    return word_in({folded(member.value): member for member in kind})


RecommendationWord = Annotated[Recommendation, word_in(_RECOMMENDATIONS)]
VerdictWord = Annotated[Verdict, word_in(_VERDICTS)]
SeverityWord = Annotated[Severity, word_of(Severity)]
ScoreWord = Annotated[Annotated[float, Field(ge=0, le=1)] | None, BeforeValidator(_score)]
Words = Annotated[str, BeforeValidator(_text)]


class CriterionReply(Reply):
    """A criterion as the reviewer or the judge fills it in."""

    score: ScoreWord
    reason: Words


class GradingReply(Reply):
    """The part of a form that reviewer and judge have in common."""

    recommendation: RecommendationWord
    summary: Words
    criteria: dict[str, CriterionReply]

    def scores(self) -> dict[str, CriterionScore]:
        """The criteria as an artefact keeps them."""
        return {
            name: CriterionScore(score=one.score, reason=one.reason)
            for name, one in self.criteria.items()
        }


def locate(quote: str, document: Document) -> Location | None:
    """The first place of `quote` in `document`, None if it is empty or does not occur.

    Typography is let pass as it is for quotations: white space, marks and dashes.
    """
    text, words = document.text, quote.strip()
    found = _span(quote if words and quote in text else words, text)
    if found is None:
        return None
    titles = [one.title for one in document.sections if one.start <= found[0] < one.end]
    return document.location(*found, " > ".join(titles))


def find_quoted(quote: str, text: str, line: int = 0) -> tuple[str, int] | None:
    """The words of `quote` as `text` has them, and the line (from 1) in which they begin.

    That is `line` if they begin there, else that of their first place. Typography is let pass as in
    `locate`. None if they stand nowhere.
    """
    words = quote.strip()
    starts = line_starts(text)
    if 1 <= line <= len(starts):
        first = starts[line - 1]
        end = starts[line] if line < len(starts) else len(text)
        here = _span(words, text[first:])
        if here is not None and here[0] < end - first:
            return text[first + here[0] : first + here[1]], line
    found = _span(words, text)
    return (text[slice(*found)], bisect.bisect_right(starts, found[0])) if found else None


def named_passage(
    name: str, passages: Iterable[Passage], urls: Iterable[str], sources: SourceSet
) -> Passage | None:
    """The one of `passages` with this id, else the sentences of a source that hold these words.

    None for "", and if neither is found; the sources are looked at in the order of `urls`.
    """
    for passage in passages if name else ():
        if passage.id.casefold() == name.casefold():
            return passage
    found = (passage_with(name, url, sources) for url in urls if name)
    return next(filter(None, found), None)


def passage_with(words: str, url: str, sources: SourceSet) -> Passage | None:
    """The whole sentences of the source `url` that hold `words`; None if it does not have them."""
    readable = sources.readable(url)
    place = quote_in_text(words, readable[1]) if readable else None
    if readable is None or place is None:
        return None
    return whole_passage("quoted", url, *readable, *place)


def whole_passage(
    name: str, url: str, snapshot: Snapshot, text: str, start: int, end: int
) -> Passage:
    """The passage `name` from `start` to `end`, widened to whole sentences."""
    start, end = widen_to_units(text, start, end)
    return Passage(name, url, snapshot.sha256, start, end, text[start:end], 1.0)


def _span(words: str, text: str) -> tuple[int, int] | None:
    """Where `words` stand, as they are or with other typography."""
    if not words:
        return None
    start = text.find(words)
    return (start, start + len(words)) if start >= 0 else quote_in_text(words, text)


class Issue(BaseModel):
    """One thing that is wrong with a draft: what an agent fills in, and a program gives.

    Code looks up where the `quote` stands; "" is for the document as a whole. A `replacement` takes
    the place of the quoted words, and of nothing else.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    quote: Words = Field(
        default="",
        json_schema_extra={"maxLength": 500},
        description='words copied exactly from the document, "" for the document as a whole',
    )
    problem: Words = Field(description="what is wrong, and why it matters to the reader")
    recommendation: Words = Field(default="", description="what would settle it")
    evidence: Words = Field(default="", description="what shows it")
    severity: SeverityWord = Field(
        default=Severity.HIGH,
        description="high sends the document back, medium weakens it, low is form",
    )
    replacement: Words | None = Field(
        default=None, description="the words to put in place of the quoted ones, if that settles it"
    )


def locate_issues(
    issues: Iterable[tuple[ReviewCriterion, Issue]], draft: str, origin: str
) -> tuple[Finding, ...]:
    """The issues of `origin` as findings at their places in `draft`, each place's worst once.

    A finding keeps its id as long as the same words are found fault with in the same way.
    """
    document = parse_document(draft)
    found: dict[str, Finding] = {}
    for criterion, issue in issues:
        id_ = finding_id(criterion, issue.quote or issue.problem)
        if id_ in found and found[id_].problem != issue.problem:
            # Another issue at the same place.
            id_ = finding_id(criterion, f"{issue.quote} {issue.problem}")
        place = locate(issue.quote, document)
        finding = Finding(
            id=id_,
            severity=issue.severity,
            type=criterion,
            claim=issue.quote,
            problem=issue.problem,
            origin=origin,
            location=place,
            evidence=issue.evidence,
            recommendation=issue.recommendation,
            correction=Correction(place.start, place.end, issue.replacement)
            if place and issue.replacement is not None
            else None,
        )
        known = found.get(id_)
        if known is None or finding.severity.rank < known.severity.rank:
            found[id_] = finding
    return tuple(found.values())
