"""The public check without the network and without the reader, for what is no matter of reading."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import foureyes
from foureyes import CheckResult
from foureyes.datatypes import Document


def checked(text: str, sources: Iterable[str | Path] = ()) -> CheckResult:
    """The check of `text` against `sources` by rules alone."""
    return foureyes.check(text, sources=sources, fetch="none", reader="none")


def parsed(text: str, sources: Iterable[str | Path] = ()) -> Document:
    """The document that a check of `text` makes of it."""
    return checked(text, sources).document
