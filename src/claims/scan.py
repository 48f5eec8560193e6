"""A text made ready for the number and date finders."""

from __future__ import annotations

from typing import NamedTuple

from .lexicon import Lexicon


class Scan(NamedTuple):
    """A text, the same text in lower case, and the word lists to read it with.

    Both texts have the same length, so that offsets hold in either.
    """

    text: str
    low: str
    lexicon: Lexicon


def scan(text: str, lexicon: Lexicon) -> Scan:
    """`text` ready to be read."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    return Scan(text, low, lexicon)
