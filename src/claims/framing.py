"""Words of authors about themselves and their text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..base.registry import RegistryModel, load_registry_file
from .clauses import ClauseWords, Finite, Word, words_of

FRAMING_FILE = "framing.yaml"

_ADVERB = r"(?:(?:also|then|only|first|thus|here|still|merely|simply|now|mainly|\w+ly) )?"
_BE = frozenset({"be", "been", "being", "is", "are"})
_PAST_BE = frozenset({"was", "were", "had", "did"})


class FramingFile(RegistryModel):
    """The whole of `framing.yaml`."""

    documents: tuple[str, ...]
    covering: tuple[str, ...]
    made: tuple[str, ...]
    made_for: tuple[str, ...]
    labels: tuple[str, ...]
    own_view: tuple[str, ...]
    own_view_nouns: tuple[str, ...]
    advice_sections: frozenset[str]


@dataclass(frozen=True, slots=True)
class FramingWords:
    """The words of `framing.yaml` as patterns, for lower-case text."""

    framing: re.Pattern[str]
    made_for: re.Pattern[str]
    label: re.Pattern[str]
    own_view: re.Pattern[str]
    advice_sections: frozenset[str]

    @classmethod
    def compile(cls, file: FramingFile) -> FramingWords:
        """The patterns of `file`."""
        return cls(
            framing=re.compile(
                rf"\W*(?:this|the present|the following) (?:[\w-]+ )?(?:{_either(file.documents)})"
                rf" {_ADVERB}(?:{_either(file.covering)})\b"
            ),
            made_for=re.compile(rf"\W*(?:{_either(file.made)}) (?:{_either(file.made_for)})\b"),
            label=re.compile(rf"\W*(?:{_either(file.labels)})\W{{0,3}}:\W"),
            own_view=re.compile(
                rf"\W*(?:[\w ]{{1,40}}, )?(?:(?:we|i) {_ADVERB}(?:{_either(file.own_view)})"
                rf"|(?:our|my) (?:[\w-]+ )?(?:{_either(file.own_view_nouns)}) (?:is|are))\b"
                r"|\W*(?:we|i) put (?:[\w-]+ ){1,4}?(?:to|before)\b"
            ),
            advice_sections=file.advice_sections,
        )

    def is_own_view(self, text: str, lists: ClauseWords) -> bool:
        """Whether the author says what they expect, plan or ask for, and nothing that has been."""
        found = self.own_view.match(text.lower())
        if found is None:
            return False
        words = words_of(text[found.end() :])
        return not any(_is_past(words, at, lists) for at in range(len(words)))


def load_framing(folder: Path | None = None) -> FramingWords:
    """The packaged word lists, or those of `folder`.

    Raises:
        RegistryError: The file is broken or does not validate.
    """
    return FramingWords.compile(load_registry_file(FramingFile, FRAMING_FILE, folder))


def _is_past(words: Sequence[Word], at: int, lists: ClauseWords) -> bool:
    low, finite = words[at].low, lists.finite(words, at)
    if finite is Finite.PERHAPS:
        # "Mills closed in 2019", but neither "will be closed in" nor "automated answers".
        following = words[at + 1].low if at + 1 < len(words) else ""
        passive = at > 0 and words[at - 1].low in _BE
        return not passive and (not following or following in lists.file.prepositions)
    if finite is Finite.NO:
        return False
    return low in lists.file.past or low in _PAST_BE or lists.is_past_or_participle(low)


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
