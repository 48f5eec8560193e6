"""How many sentences of a document are checked, and why the others are not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..base.printable import counted
from ..claims.accounting import AccountedSentence, SentenceRole


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
        """The counts in a line: "38 sentences: 24 checked, 3 without a source, 11 not …"."""
        uncited = self._of(SentenceRole.UNCITED, SentenceRole.QUOTATION)
        own = self._of(SentenceRole.OWN_RESULT)
        stated = self._of(SentenceRole.CHECKED) + uncited + own
        parts = [f"{self._of(SentenceRole.CHECKED)} with claims that are checked"]
        if uncited:
            parts.append(f"{counted(uncited, 'statement')} of fact without a source")
        if own:
            parts.append(counted(own, "result of the author's own", "results of the author's own"))
        if others := self.total - stated:
            parts.append(f"{others} not claims of fact")
        return f"{counted(self.total, 'sentence')}: {', '.join(parts)}"

    def _of(self, *roles: SentenceRole) -> int:
        return sum(self.roles.get(role, 0) for role in roles)
