"""Words of authors about themselves and their text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ..base.registry import RegistryModel, load_registry_file

FRAMING_FILE = "framing.yaml"

_ADVERB = r"(?:(?:also|then|only|first|thus|here|still|merely|simply|now|mainly|\w+ly) )?"


class FramingFile(RegistryModel):
    """The whole of `framing.yaml`."""

    documents: tuple[str, ...]
    covering: tuple[str, ...]
    made: tuple[str, ...]
    made_for: tuple[str, ...]
    labels: tuple[str, ...]
    advice_sections: frozenset[str]


@dataclass(frozen=True, slots=True)
class FramingWords:
    """The words of `framing.yaml` as patterns, for lower-case text."""

    framing: re.Pattern[str]
    made_for: re.Pattern[str]
    label: re.Pattern[str]
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
            advice_sections=file.advice_sections,
        )


def load_framing(folder: Path | None = None) -> FramingWords:
    """The packaged word lists, or those of `folder`.

    Raises:
        RegistryError: The file is broken or does not validate.
    """
    return FramingWords.compile(load_registry_file(FramingFile, FRAMING_FILE, folder))


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
