"""The note of commands that check claims without a reader."""

from __future__ import annotations

from ..assembly.model import ReaderName, Settings
from .terminal import remark


def remark_unread(settings: Settings) -> None:
    """Print a note if the settings turn the reader off, so that no result passes for a full one."""
    if settings.reader is ReaderName.NONE:
        remark("--reader none: meaning was not read, only exact checks were made")
