"""Words of authors about themselves and their text."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path

from ..base.registry import RegistryModel, load_registry_file
from .files import alternatives

FRAMING_FILE = "framing.yaml"

_ADVERB = r"(?:(?:also|then|only|first|thus|here|still|merely|simply|now|mainly|\w+ly) )?"


class FramingWords(RegistryModel):
    """The whole of `framing.yaml`; its patterns are for lower-case text."""

    documents: tuple[str, ...]
    covering: tuple[str, ...]
    made: tuple[str, ...]
    made_for: tuple[str, ...]
    labels: tuple[str, ...]
    advice_sections: frozenset[str]

    @cached_property
    def framing(self) -> re.Pattern[str]:
        """What a document says of itself: "This memo looks at three years"."""
        return re.compile(
            r"\W*(?:this|the present|the following) (?:[\w-]+ )?"
            rf"(?:{alternatives(self.documents)}) {_ADVERB}(?:{alternatives(self.covering)})\b"
        )

    @cached_property
    def head(self) -> re.Pattern[str]:
        """A line that says who made a document, for whom and when."""
        made, made_for = alternatives(self.made), alternatives(self.made_for)
        return re.compile(
            rf"\W*(?:(?:{alternatives(self.labels)})\W{{0,3}}:\W|(?:{made}) (?:{made_for})\b)"
        )


def load_framing(folder: Path | None = None) -> FramingWords:
    """The packaged word lists, or those of `folder`.

    Raises:
        RegistryError: The file is broken or does not validate.
    """
    return load_registry_file(FramingWords, FRAMING_FILE, folder)
