"""The readable sources of a check, each text split and indexed when it is first needed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from ..claims.lexicon import Lexicon
from ..sources.model import Snapshot, SourceSet, is_marked_retracted
from .passages.retrieval import JOINT, SourceText

_ENGLISH = frozenset({"en", "und", ""})


def reads_english(language: str) -> bool:
    """Whether a text of this language code is compared in full; unknown counts as English."""
    return language.partition("-")[0].lower() in _ENGLISH


MOST_JOINED = 400_000
"""Characters of sources that are read as one."""


@dataclass(frozen=True, slots=True)
class JoinedSources:
    """Several sources as one text, and where in it each begins."""

    text: SourceText
    starts: tuple[int, ...]

    def place(self, start: int, end: int) -> tuple[int, int, int]:
        """The number of the source that has `start`, and the range in its own text."""
        number = bisect_right(self.starts, start) - 1
        begin = self.starts[number]
        after = self.starts[number + 1 : number + 2]
        end = min(end, after[0] - len(JOINT)) if after else end
        return number, start - begin, end - begin


class SourceIndex:
    """The readable sources of an iteration.

    Keep one beside a `SourceSet` and pass it to every call; it holds no other state.
    """

    def __init__(self, sources: SourceSet, lexicon: Lexicon) -> None:
        self.sources = sources
        self.lexicon = lexicon
        self._texts: dict[str, SourceText] = {}
        self._joined: dict[tuple[str, ...], JoinedSources] = {}

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

    def joined(self, texts: Sequence[SourceText]) -> JoinedSources | None:
        """Sources read as one, None if that were longer than `MOST_JOINED`."""
        written = tuple(one.text for one in texts)
        if sum(map(len, written)) > MOST_JOINED:
            return None
        known = self._joined.get(written)
        if known is None:
            starts = [0]
            for one in written[:-1]:
                starts.append(starts[-1] + len(one) + len(JOINT))
            known = JoinedSources(SourceText.joined(texts), tuple(starts))
            self._joined[written] = known
        return known
