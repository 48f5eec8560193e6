"""Accounting of all sentences of a document's body: each gets one role, and is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..base.printable import counted
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


@dataclass(frozen=True, slots=True)
class SentenceCounts:
    """How many sentences there are, by role, and by rule of those that are excluded.

    `total` counts all of them, `roles` those of each role; a role that none has may be missing.
    `rules` counts the sentences that each rule excludes.
    """

    total: int
    roles: Mapping[SentenceRole, int]
    rules: Mapping[str, int]

    @classmethod
    def of(cls, sentences: Iterable[AccountedSentence]) -> SentenceCounts:
        """The counts of `sentences`."""
        every = list(sentences)
        rules = Counter(one.rule for one in every if one.rule)
        return cls(len(every), Counter(one.role for one in every), dict(sorted(rules.items())))

    @property
    def line(self) -> str:
        """The counts in a line: "38 sentences: 24 with claims that cite a source, …"."""
        uncited = self._of(SentenceRole.UNCITED, SentenceRole.QUOTATION)
        own = self._of(SentenceRole.OWN_RESULT)
        stated = self._of(SentenceRole.CHECKED) + uncited + own
        parts = [f"{self._of(SentenceRole.CHECKED)} with claims that cite a source"]
        if uncited:
            parts.append(f"{counted(uncited, 'statement')} of fact without a source")
        if own:
            parts.append(counted(own, "result of the author's own", "results of the author's own"))
        if others := self.total - stated:
            parts.append(f"{others} not claims of fact")
        return f"{counted(self.total, 'sentence')}: {', '.join(parts)}"

    def _of(self, *roles: SentenceRole) -> int:
        return sum(self.roles.get(role, 0) for role in roles)
