"""Quotes in the snapshots that they were taken from."""

from __future__ import annotations

from dataclasses import dataclass

from ...base.errors import SnapshotError
from ...sources.model import Snapshot
from ...sources.snapshot_store import SnapshotStore

_KEPT_CHARS = 16_000_000
CONTEXT_CHARS = 240
"""How much of a source is shown before and after a quote."""


@dataclass(frozen=True, slots=True)
class Context:
    """What stands around a quote in its snapshot. `fault` says why it could not be shown there."""

    before: str = ""
    after: str = ""
    cut_before: bool = False
    cut_after: bool = False
    fault: str = ""


class Quotes:
    """The snapshots of a run or a review, of whose texts some stay in memory."""

    def __init__(self, snapshots: SnapshotStore) -> None:
        self._snapshots = snapshots
        self._kept: dict[str, str] = {}
        self._chars = 0

    def snapshot(self, sha256: str) -> Snapshot | None:
        """What is known of a snapshot; None if that is not on record."""
        try:
            return self._snapshots.snapshot(sha256)
        except SnapshotError:
            return None

    def context(self, sha256: str, start: int, end: int, quote: str) -> Context:
        """What stands around the quote `[start, end)` of a snapshot, if it does stand there."""
        try:
            text = self._text(sha256)
        except SnapshotError as error:
            return Context(fault=error.message)
        if text[start:end] != quote:
            return Context(fault="the quote does not stand at this place of the snapshot")
        first, last = max(0, start - CONTEXT_CHARS), end + CONTEXT_CHARS
        return Context(text[first:start], text[end:last], first > 0, last < len(text))

    def _text(self, sha256: str) -> str:
        """The text of a snapshot.

        Raises:
            SnapshotError: It is missing or was changed.
        """
        if sha256 not in self._kept:
            text = self._snapshots.text(sha256)
            if self._chars + len(text) > _KEPT_CHARS:
                self._kept, self._chars = {}, 0
            self._kept[sha256] = text
            self._chars += len(text)
        return self._kept[sha256]
