"""The border to an agent's words: lenient where the meaning is sure, else a `ReplyError`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ..base.vocabulary import Recommendation, Severity, Verdict
from ..core.artefacts import CriterionScore

_RECOMMENDATIONS: Mapping[str, Recommendation] = {
    "approve": Recommendation.APPROVE,
    "approved": Recommendation.APPROVE,
    "accept": Recommendation.APPROVE,
    "accepted": Recommendation.APPROVE,
    "reject": Recommendation.REJECT,
    "rejected": Recommendation.REJECT,
    "revise": Recommendation.REJECT,
    "revision": Recommendation.REJECT,
    "needs revision": Recommendation.REJECT,
    "request changes": Recommendation.REJECT,
    "changes requested": Recommendation.REJECT,
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
    """Base of what agents fill in."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def folded(value: object) -> str:
    """A word as the agents' vocabularies have it: lower case, plain spaces.

    Raises:
        ValueError: It is no text.
    """
    if not isinstance(value, str):
        raise ValueError(f"expected a word, not {value!r}")
    words = value.replace("_", " ").replace("-", " ").strip(" .!'\"`*").split()
    return " ".join(words).casefold()


def _look_up(value: object, words: Mapping[str, object], known: Sequence[str]) -> object:
    word = folded(value)
    if word not in words:
        named = ", ".join(known or sorted({str(word) for word in words.values()}))
        raise ValueError(f"{str(value)[:60]!r} is none of {named}")
    return words[word]


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
    return BeforeValidator(lambda value: _look_up(value, words, known))


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
