"""Accounting of all sentences of a document's body: each gets one role."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..base.vocabulary import CitationState, ClaimKind
from ..documents.model import Document
from .model import Claim, ClaimCategory, Detection


class SentenceRole(StrEnum):
    """Role of a body sentence in checking."""

    CHECKED = "checked"  # it makes a claim that is compared with what it cites
    UNCITED = "uncited"  # it states a fact without a source
    QUOTATION = "quotation"  # it quotes without a source
    OWN_RESULT = "own_result"
    OPINION = "opinion"
    RECOMMENDATION = "recommendation"
    FRAMING = "framing"
    EXCLUDED = "excluded"  # by the rule that is named


_BY_RULE = {
    "opinion": SentenceRole.OPINION,
    "recommendation": SentenceRole.RECOMMENDATION,
    "framing": SentenceRole.FRAMING,
}


@dataclass(frozen=True, slots=True)
class AccountedSentence:
    """A sentence of the body: its words, its role, and the rule that excluded it.

    `line` is the line of the document in which it starts, from 1.
    """

    line: int
    text: str
    role: SentenceRole
    rule: str = ""


def account(
    document: Document, detection: Detection, unsourced: Collection[str] = ()
) -> tuple[AccountedSentence, ...]:
    """Every sentence of the body of `document`, in order; `detection` is of the same document.

    `unsourced` are the ids of claims that only carry a citation which does not state them.
    """
    claims: dict[int, list[Claim]] = {}
    for claim in detection.claims:
        claims.setdefault(claim.sentence, []).append(claim)
    return tuple(
        AccountedSentence(
            one.line,
            one.text,
            *_role(claims.get(one.index, ()), detection.left.get(one.index, ""), unsourced),
        )
        for one in document.sentences
        if one.kind.makes_claims and one.text
    )


def _role(
    claims: Sequence[Claim], rule: str, unsourced: Collection[str]
) -> tuple[SentenceRole, str]:
    stated = [claim for claim in claims if not claim.exclusion]
    cited = (one for one in stated if one.citation_state is not CitationState.NONE)
    if any(claim.id not in unsourced for claim in cited):
        return SentenceRole.CHECKED, ""
    if any(claim.category is ClaimCategory.OWN_RESULT for claim in stated):
        return SentenceRole.OWN_RESULT, ""
    if stated:
        quoted = all(claim.kind is ClaimKind.QUOTATION for claim in stated)
        return SentenceRole.QUOTATION if quoted else SentenceRole.UNCITED, ""
    rule = next((claim.exclusion for claim in claims), rule)
    role = _BY_RULE.get(rule, SentenceRole.EXCLUDED)
    return role, rule if role is SentenceRole.EXCLUDED else ""
