"""Which source says a sentence word for word."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.work import Material
from ...documents.parse import parse_document

_SAME = str.maketrans({"\u2018": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-"})


class VerbatimIndex:
    """Looks sentences up in the sources, white space, case and forms of quotation marks aside."""

    def __init__(self, materials: Sequence[Material]) -> None:
        self._materials = materials
        self._texts = [_folded(_plain(material.text)) for material in materials]

    def find(self, sentence: str, *, besides: frozenset[str] = frozenset()) -> Material | None:
        """The first source, not at an address of `besides`, that holds `sentence`."""
        wanted = _folded(sentence).rstrip(".! ")
        for material, text in zip(self._materials, self._texts, strict=True):
            if wanted and wanted in text and material.url not in besides:
                return material
        return None


def _plain(text: str) -> str:
    """The words of a source without its markup."""
    return " ".join(sentence.text for sentence in parse_document(text).sentences)


def _folded(text: str) -> str:
    return " ".join(text.translate(_SAME).casefold().split())
