"""Whether a document describes what is its own, as a README, a handbook or a specification does."""

import re

from .model import BlockKind, Document

LEAST_CODE = 2
"""Listings, sentences with code or requirements that make a document technical."""
_REQUIRES = re.compile(r"\b(?:MUST|SHALL|SHOULD)\b")
# Options, paths, names in programs and versions: "--all", "/etc/passwd", "max_size", "3.0.1".
_IDENTIFIER = re.compile(
    r"(?<!\S)--?[a-z][\w-]*(?!\S)|(?<![\w:])/\w+/\w+|\w_\w|\w\(\)|\b\d+\.\d+(?:\.\d+|[a-z]\b|\.x\b)"
)
LEAST_NAMED, LEAST_SHARE_NAMED = 3, 0.05
"""Sentences with such identifiers, and their share, that do so, too."""


def is_technical(document: Document) -> bool:
    """Whether `document` is a README, a handbook or a specification, which describes its own."""
    shown = sum(bool(one.literal) or one.kind is BlockKind.CODE for one in document.sentences)
    if shown >= LEAST_CODE or len(_REQUIRES.findall(document.text)) >= LEAST_CODE:
        return True
    texts = [one.text for one in document.sentences if one.kind.makes_claims]
    named = sum(_IDENTIFIER.search(text) is not None for text in texts)
    return named >= LEAST_NAMED and named >= LEAST_SHARE_NAMED * len(texts)
