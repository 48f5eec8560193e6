"""Configuration of a server, which no call can change, and what one call may read of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path

from ..assembly.model import LoadedSettings
from ..base.errors import DocumentError, InputError, SettingsError
from ..base.files import make_folder, read_document, write_atomic
from ..core.work import Progress
from .inputs import CallInput, ReviewDocument, RunPipeline, SourceText

_WEB = re.compile(r"https?://", re.IGNORECASE)


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

    arguments: CallInput
    client: str = ""
    trace: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def is_long(self) -> bool:
        """Whether it is a run or review: it ends with a record, and may take long."""
        return isinstance(self.arguments, RunPipeline | ReviewDocument)


def real_roots(folders: Sequence[Path]) -> tuple[Path, ...]:
    """The folders that calls may read, each by its real path.

    Raises:
        SettingsError: One is no folder.
    """
    for folder in folders:
        if not folder.is_dir():
            message = f"--root: {str(folder)!r} is not a folder"
            raise SettingsError(message, "name one that there is")
    return tuple(dict.fromkeys(folder.resolve() for folder in folders))


@dataclass(frozen=True, slots=True)
class CallContext:
    """What a call may use: it turns what is named into texts and paths.

    Args:
        service: The server's settings, roots and limits.
        folder: A folder of this call alone, for the texts that it hands over.
        client: The client that made it.
        notify: Called with each step of a run or review.
        begun: Called with the directory of a run or review once there is one.
    """

    service: Service
    folder: Path
    client: str
    notify: Callable[[Progress], None]
    begun: Callable[[Path], None]

    def loaded(self, **changes: object) -> LoadedSettings:
        """The settings with what the call chooses for itself; None counts as not chosen."""
        loaded = self.service.loaded
        chosen = {name: value for name, value in changes.items() if value is not None}
        return replace(loaded, settings=loaded.settings.model_copy(update=chosen))

    def day(self, as_of: date | None) -> date:
        """The day that ages are measured at."""
        return as_of or self.service.loaded.settings.as_of or datetime.now(UTC).date()

    def text(self, what: str, text: str | None, path: str | None) -> str:
        """The text that a call gives itself or by a path; one of the two is needed.

        Raises:
            InputError: None or both are given, or what is given cannot be read.
        """
        if (text is None) == (path is None):
            raise InputError(f"{what}: give its text or its path, and not both")
        if path is not None:
            return read_document(self.file(path), max_bytes=self.service.limits.document_bytes)
        return self._bounded(what, text or "")

    def optional(self, what: str, text: str | None, path: str | None) -> str | None:
        """As `text`, or None if neither is given."""
        return None if text is None and path is None else self.text(what, text, path)

    def document(self, text: str | None, path: str | None) -> Path:
        """The file of a document, which is written where its text was given.

        Raises:
            InputError: As `text`.
        """
        if text is None and path is not None:
            return self.file(path)
        file = self.folder / "document.md"
        write_atomic(file, self.text("document", text, path), durable=False)
        return file

    def sources(self, named: Iterable[str], texts: Iterable[SourceText]) -> tuple[str, ...]:
        """Sources as a run takes them: addresses, real paths, and files of the texts.

        Raises:
            InputError: A path is not inside the roots, or a text is too long.
        """
        places = [name if _WEB.match(name) else str(self.inside(name)) for name in named]
        folder = self.folder / "texts"
        for one in texts:
            make_folder(folder)
            file = folder / one.name
            if file.exists():
                raise InputError(f"two texts are called {one.name!r}", "rename one of them")
            write_atomic(file, self._bounded(one.name, one.text), durable=False)
            places.append(str(file))
        return tuple(places)

    def file(self, name: str) -> Path:
        """The ordinary file inside the roots that `name` leads to, by its real path.

        Raises:
            InputError: There is none.
        """
        path = self.inside(name)
        if not path.is_file():
            raise DocumentError(f"{name!r} is not a file", "give one")
        return path

    def inside(self, name: str) -> Path:
        """The real path of `name`, which is absolute or relative to a root.

        Raises:
            InputError: It does not exist, or leads out of the roots, perhaps by a link.
        """
        roots = self.service.roots
        if not roots:
            raise InputError(
                f"{name!r}: this server reads no files",
                "give the text, or start it with --root DIR",
            )
        for root in roots:
            path = _real_path(root, name)
            if path is not None and any(path.is_relative_to(one) for one in roots):
                return path
        # Whether there is such a file elsewhere is not for a call to know.
        raise InputError(
            f"{name!r} is not in the folders that this server reads", "start it with --root DIR"
        )

    def _bounded(self, what: str, text: str) -> str:
        size, most = len(text.encode()), self.service.limits.document_bytes
        if size > most:
            raise InputError(
                f"{what}: {size:,} bytes are more than this server takes ({most:,})",
                "split it into several",
            )
        if not text.strip():
            raise InputError(f"{what} is empty", "give a text")
        return text


def _real_path(root: Path, name: str) -> Path | None:
    """The real path of `name` seen from `root`, None if there is no such thing."""
    try:
        return (root / name).resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        return None
