"""The note of commands that check claims without a reader."""

from __future__ import annotations

from ..assembly.model import ReaderName, Settings
from .terminal import print_note


def note_reader_off(settings: Settings) -> None:
    """Print a note if the settings turn the reader off, so that no result passes for a full one."""
    if settings.reader is ReaderName.NONE:
        print_note("--reader none: meaning was not read, only exact checks were made")
