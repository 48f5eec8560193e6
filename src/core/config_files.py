"""Prompts and templates: files that ship with the package, of which a user may replace some."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from ..base.errors import InputError
from ..base.registry import first_line

MAX_CONFIG_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class ConfigFiles:
    """The files under `base`; a file of the same name in `folder` or in `single` goes first.

    Names are relative with ``/`` between parts, for example ``agents/judge/system.md``. Problems
    are raised as `error`, naming the file.
    """

    base: Traversable
    folder: Path | None
    error: type[InputError]
    single: Mapping[str, Path] = field(default_factory=lambda: MappingProxyType({}))

    def text(self, name: str) -> str:
        """The text of the file `name`, its line ends as they are.

        Raises:
            InputError: It is missing, unreadable, over 256 KiB, or not UTF-8.
        """
        place = self._find(name)
        label = self.label(name)
        try:
            with place.open("rb") as file:
                data = file.read(MAX_CONFIG_BYTES + 1)
        except OSError as error:
            raise self.error(f"cannot read {label!r}: {first_line(str(error))}") from error
        if len(data) > MAX_CONFIG_BYTES:
            raise self.error(f"{label!r} is larger than {MAX_CONFIG_BYTES:,} bytes", "shorten it")
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise self.error(
                f"{label!r} is not UTF-8 (byte {error.start})", "convert it"
            ) from error

    def label(self, name: str) -> str:
        """How messages name the file: its path if the user gave it, else its packaged name."""
        own = self._own(name)
        return str(own) if own is not None else name

    def packaged(self) -> tuple[str, ...]:
        """The names of all packaged files, sorted."""
        return tuple(sorted(_walk(self.base, "")))

    def replaced(self) -> tuple[str, ...]:
        """The names of all files in the user's folder, sorted.

        Raises:
            InputError: The folder does not exist.
        """
        if self.folder is None:
            return ()
        if not self.folder.is_dir():
            raise self.error(f"{str(self.folder)!r} is not a folder", "give an existing folder")
        return tuple(sorted(_walk(self.folder, "")))

    def _own(self, name: str) -> Path | None:
        if name in self.single:
            return self.single[name]
        own = self.folder / name if self.folder is not None else None
        return own if own is not None and own.is_file() else None

    def _find(self, name: str) -> Traversable:
        path = PurePosixPath(name)
        if not path.parts or path.is_absolute() or ".." in path.parts or "\\" in name:
            raise self.error(f"{name!r} is not a file of the library", "name one of its files")
        own = self._own(name)
        if own is not None:
            return own
        place = self.base.joinpath(*path.parts)
        if not place.is_file():
            raise self.error(f"there is no file {name!r}", "check its name")
        return place


def _walk(folder: Traversable, prefix: str) -> Iterator[str]:
    for entry in folder.iterdir():
        if entry.name.startswith((".", "__")):
            continue
        if entry.is_dir():
            yield from _walk(entry, f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name
