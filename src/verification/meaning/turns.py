"""Words that weaken or strengthen a sentence: what a claim may leave out, and what it may not.

A claim may say less than its source: "some" of "most", "may" of "must". It may not say more, nor
leave out a "may", an "if" or a "planned".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...claims.words import Key
from .objection import Objection, ObjectionKind

_CLEAR, _LIKELY, _DOUBTFUL = 0.7, 0.5, 0.3
# What a claim that only reports its source, or a table row, may leave out.
_REPORTED = frozenset({"forecast", "attribution", "modality"})
# What each quantifier is no more than: "most" is not "all".
_SHORT_OF = {
    "all": frozenset({"almost", "most", "many", "some", "few", "rest"}),
    "almost": frozenset({"some", "few"}),
    "most": frozenset({"few"}),
    "many": frozenset({"few"}),
    "few": frozenset({"all", "almost", "most", "many"}),
}
# What was so in spite of something was not so because of it.
_CONCESSION = "concession"
# Who has to is not free to leave it.
_FREEDOM = {"must": {"free"}, "free": {"must"}}
# A source with one of these says at least as much.
_AT_LEAST = {
    "quantifier": {
        "all": {"all"},
        "almost": {"almost", "all"},
        "most": {"most", "almost", "all"},
        "only": {"only"},
    },
    "modality": {"must": {"must"}, "should": {"should", "must"}, "free": {"free"}},
    "attribution": {"said": {"said", "spoke"}},
    "condition": {"if": {"if", "when"}, "unless": {"unless"}},
    "cause": {"because": {"because"}},
    "period": {"fiscal": {"fiscal"}},
    "frequency": {"once": {"once"}, "twice": {"twice"}},
    "currency": {"now": {"now"}},
}
# What a claim may not leave out, by how sure the difference is.
_KEPT = {
    "quantifier": {
        "most": _LIKELY,
        "some": _LIKELY,
        "few": _LIKELY,
        "almost": _DOUBTFUL,
        "only": _DOUBTFUL,
    },
    "modality": {"may": _LIKELY, "should": _LIKELY},
    "forecast": {"future": _CLEAR},
    "attribution": {"said": _LIKELY},
    "condition": {"if": _DOUBTFUL, "unless": _DOUBTFUL},
    "period": {"fiscal": _LIKELY},
    "frequency": {"once": _DOUBTFUL, "twice": _DOUBTFUL},
    "currency": {"former": _LIKELY},
}


class Turns(NamedTuple):
    """The turning words of a claim and of a passage, by class and group.

    `theirs` are those near the claim's words, `anywhere` all of the passage's.
    `reports` is true for a claim that says of its source that it states something. `dated` is true
    if the passage or the head of its source has a date, so that "now" may be another time.
    """

    own: Mapping[Key, str]
    theirs: Mapping[Key, str]
    anywhere: Mapping[Key, str]
    reports: bool
    dated: bool

    def objections(self) -> Iterator[Objection]:
        """Where the claim says more than the passage, or the contrary."""
        settled: set[str] = set()
        for (kind, group), word in self.own.items():
            objection = self._claimed(kind, group, word)
            if objection:
                settled.add(kind)
                yield objection
        for (kind, group), word in self.theirs.items():
            strength = _KEPT.get(kind, {}).get(group)
            if strength and kind not in settled and not self._allows(kind):
                yield Objection(ObjectionKind.TURN, "", word, guard=kind, strength=strength)

    def _claimed(self, kind: str, group: str, word: str) -> Objection | None:
        enough = _AT_LEAST.get(kind, {}).get(group, set[str]())
        theirs = self._groups(self.theirs, kind)
        # What is still so elsewhere in a passage says nothing of the claim's matter.
        said = theirs if kind == "currency" else self._groups(self.anywhere, kind)
        if kind == "cause" and self._groups(self.anywhere, _CONCESSION):
            said = set[str]()
        freed = (
            kind == "modality" and _FREEDOM.get(group, set[str]()) & theirs and not theirs & enough
        )
        if not freed and enough and not enough.isdisjoint(said):
            return None
        if kind == "currency" and not self.dated:
            return None
        short = _SHORT_OF.get(group, frozenset[str]()) if kind == "quantifier" else frozenset[str]()
        contrary = (short & theirs) - self._groups(self.own, kind)
        sure = _DOUBTFUL
        if kind == "modality" and group in _FREEDOM:
            contrary, sure = frozenset(_FREEDOM[group] & theirs), _CLEAR
        if kind == "modality" and group == "must" and not contrary:
            contrary, sure = frozenset({"may", "should"} & theirs), _DOUBTFUL
        if contrary:
            found = self.theirs[kind, min(contrary)]
            return Objection(
                ObjectionKind.TURN, word, found, guard=kind, strength=sure, flipped=True
            )
        if not enough:
            return None
        strength = _LIKELY if kind == "currency" else _DOUBTFUL
        return Objection(ObjectionKind.TURN, word, "", guard=kind, strength=strength)

    def _allows(self, kind: str) -> bool:
        """Whether the claim has a word of the class itself, or need not have one."""
        if self.reports and kind in _REPORTED:
            return True
        own = {key[0] for key in self.own}
        # What may be is less than what is planned.
        return kind in own or (kind == "forecast" and "modality" in own)

    @staticmethod
    def _groups(turns: Mapping[Key, str], kind: str) -> set[str]:
        return {group for other, group in turns if other == kind}
