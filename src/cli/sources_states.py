"""What the commands over fetched sources share: their settings and their exit code."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..base.vocabulary import SourceState
from ..core.approval import ExitCode

if TYPE_CHECKING:
    from ..sources.model import Source

FETCH_OPTIONS = (
    *("fetch", "source_cache", "robots", "max_fetches", "allowed_hosts"),
    "registry_dir",
)


def fetch_code(sources: Iterable[Source]) -> ExitCode:
    """2 if something was not fetched, else 1 if something cannot be read, else 0."""
    states = {source.state for source in sources}
    if SourceState.NOT_FETCHED in states:
        return ExitCode.INCONCLUSIVE
    return ExitCode.OK if all(state.readable for state in states) else ExitCode.NOT_APPROVED
