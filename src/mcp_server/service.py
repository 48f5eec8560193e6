"""Configuration of a server: no call can change it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..assembly.model import LoadedSettings
from ..base.errors import SettingsError
from .inputs import CallArguments, ReviewDocument, RunPipeline


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of calls. Runs and reviews have half as many places, beside those of other calls.

    `run_minutes` bounds one call that runs or reviews, and not the run, which can go on.
    `document_bytes` bounds each text or file that a call hands over, as UTF-8.
    """

    parallel_calls: int = 4
    call_seconds: float = 120.0
    run_minutes: float = 60.0
    document_bytes: int = 2_000_000

    @property
    def parallel_runs(self) -> int:
        """How many runs and reviews are under way at once."""
        return max(1, self.parallel_calls // 2)

    @property
    def message_bytes(self) -> int:
        """The longest message that is read: a document, escaped, and its sources."""
        return 4 * self.document_bytes + 1_000_000


@dataclass(frozen=True, slots=True)
class Service:
    """The settings, the folders that calls may read (real paths), and the bounds."""

    loaded: LoadedSettings
    roots: tuple[Path, ...]
    limits: Limits

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where runs and reviews are, absolute; often one folder."""
        places = (self.loaded.settings.out.absolute(), self.loaded.reviews.absolute())
        return tuple(dict.fromkeys(places))


@dataclass(frozen=True, slots=True)
class Call:
    """One call: what it takes, and the client that made it, "" if it did not say who it is.

    `trace` are the variables by which the process of the call joins the trace of the server.
    """

    arguments: CallArguments
    client: str = ""
    trace: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def is_long(self) -> bool:
        """Whether it is a run or review: it ends with a record, and may take long."""
        return isinstance(self.arguments, RunPipeline | ReviewDocument)


def real_roots(folders: Iterable[Path]) -> tuple[Path, ...]:
    """The folders that calls may read, each by its real path.

    Raises:
        SettingsError: One is no folder.
    """
    roots: list[Path] = []
    for folder in folders:
        if not folder.is_dir():
            raise SettingsError(
                f"--root: {str(folder)!r} is not a folder", "name one that there is"
            )
        roots.append(folder.resolve())
    return tuple(dict.fromkeys(roots))
