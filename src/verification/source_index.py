"""The readable sources of a check, each text split and indexed when it is first needed."""

from __future__ import annotations

from ..claims.lexicon import Lexicon
from ..sources.model import Snapshot, SourceSet, is_marked_retracted
from .passages.retrieval import SourceText

_ENGLISH = frozenset({"en", "und", ""})


def reads_english(language: str) -> bool:
    """Whether a text of this language code is compared in full; unknown counts as English."""
    return language.partition("-")[0].lower() in _ENGLISH


class SourceIndex:
    """The readable sources of an iteration.

    Keep one beside a `SourceSet` and pass it to every call; it holds no other state.
    """

    def __init__(self, sources: SourceSet, lexicon: Lexicon) -> None:
        self.sources = sources
        self.lexicon = lexicon
        self._texts: dict[str, SourceText] = {}

    def readable(self, url: str) -> tuple[Snapshot, SourceText] | None:
        """Snapshot and indexed text of `url`, or None when there is nothing to compare with.

        Raises:
            SnapshotError: The source is readable but its text is missing.
        """
        found = self.sources.readable(url)
        if found is None:
            return None
        snapshot, text = found
        indexed = self._texts.get(snapshot.sha256)
        if indexed is None:
            indexed = self._texts[snapshot.sha256] = SourceText(
                text, self.lexicon, retracted=is_marked_retracted(snapshot.title)
            )
        return snapshot, indexed
