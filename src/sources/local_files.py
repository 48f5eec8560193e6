"""Sources in folders that the user has named: `file:` addresses, relative paths, `sources.yaml`."""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path, PurePosixPath
from urllib.parse import quote, unquote, urlsplit

from pydantic import BaseModel, ConfigDict, Field, RootModel, field_validator

from ..base.errors import SettingsError
from ..base.files import read_document
from ..base.registry import parse_yaml, validate
from ..base.vocabulary import SourceState
from .addresses import AddressError, parse_web_address
from .failure import AddressRefused, FetchFailed, too_large
from .model import ITSELF

LISTING = "sources.yaml"
_VISIT = re.compile(r"(?:utm_\w+|fbclid|gclid)=")
_MAX_BYTES = 1024 * 1024


class ListedFile(BaseModel):
    """One entry of `sources.yaml`.

    `file` is relative to the folder; `url` is the web address that the file answers for.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", coerce_numbers_to_str=True)

    file: str = Field(min_length=1)
    url: str = ""
    title: str = ""
    author: str = ""
    published: date | None = None

    @field_validator("url")
    @classmethod
    def _is_web_address(cls, url: str) -> str:
        try:
            parse_web_address(url) if url else None
        except AddressError as error:
            raise ValueError(error.message) from error
        return url

    @field_validator("published", mode="before")
    @classmethod
    def _is_whole_date(cls, value: object) -> object:
        # Without this, a number would be read as seconds since 1970.
        if value is None or value == "":
            return None
        if isinstance(value, date) or re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", str(value)):
            return value
        raise ValueError("write a whole date, as in 2024-05-01")


class _Listing(RootModel[list[ListedFile]]):
    """`sources.yaml`."""


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A file inside a root: where it is, its path from the root, and its entry if it is listed."""

    path: Path
    name: str
    listed: ListedFile | None

    @property
    def address(self) -> str:
        """How the file is cited: `name` with what a link cannot hold percent-encoded."""
        return quote(self.name)

    @property
    def cited_as(self) -> str:
        """How documents cite it: by the web address that it answers for, else by its name."""
        return (self.listed.url if self.listed else "") or self.name


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that is passed over; `path` is relative to the folder, with slashes."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class FoundFile:
    """An ordinary file below a root: where it is and its path from the root, with slashes."""

    path: Path
    name: str
    mtime_ns: int
    size: int


# What is in the directories that this program writes, which quote the very claims.
_RECORDS = (
    {"run.json", "versions.json"},
    {"review.json", "versions.json"},
    {"batch.json", "plan.json"},
    {"experiment.yaml", "plan.json"},
)


def files_below(root: Path) -> Iterator[FoundFile | Skipped]:
    """The files of `root`, which is a real path, by name.

    Hidden ones, directories of runs, reviews, batches and experiments below it, and links to what
    is found anyway, are passed over; links that lead out of the root are skipped, and so is what
    cannot be listed.
    """
    folders = [("", root)]
    while folders:
        above, folder = folders.pop()
        try:
            children = sorted(os.scandir(folder), key=lambda child: child.name)
        except OSError as error:
            yield Skipped(above.removesuffix("/") or ".", describe_refusal(error))
            continue
        held = {child.name for child in children}
        if above and any(names <= held for names in _RECORDS):
            continue
        for child in children:
            name = above + child.name
            if child.name.startswith(".") or name == LISTING:
                continue
            if child.is_dir(follow_symlinks=False):
                folders.append((f"{name}/", Path(child.path)))
            elif not child.is_symlink():
                yield _file(child, name)
            else:
                with suppress(OSError, RuntimeError):
                    if Path(child.path).resolve().is_relative_to(root):
                        continue
                yield Skipped(name, "it is a link that leads out of the folder")


def _file(child: os.DirEntry[str], name: str) -> FoundFile | Skipped:
    try:
        name.encode()
        status = child.stat(follow_symlinks=False)
    except UnicodeEncodeError:
        return Skipped(ascii(name)[1:-1], "its name is not valid text")
    except OSError as error:
        return Skipped(name, describe_refusal(error))
    if not stat.S_ISREG(status.st_mode):
        return Skipped(name, "it is not an ordinary file")
    return FoundFile(Path(child.path), name, status.st_mtime_ns, status.st_size)


def describe_refusal(error: OSError) -> str:
    """Why a file or folder cannot be read, in words."""
    return f"it cannot be read: {error.strerror or type(error).__name__}"


_COPY = re.compile(r"(?:\.(?:fixed|cited|annotated))+(?=\.[^.]*$)")


class LocalSources:
    """The folders whose files may be cited, in the order in which they are searched.

    Args:
        roots: Folders that the user named. Each may hold a `sources.yaml`.
        near: Folders that a relative path may start from as well: the document's, the working
            folder. Only files inside `roots` are reached from there.
        copies: Where the copy of a single file that the user named lies in `roots`, by its path.
        own: The document under check, which is no source of its own claims, and neither are the
            copies that were written beside it.

    Raises:
        InputError: A root is no folder, may not be read, or its `sources.yaml` is broken.
    """

    def __init__(
        self,
        roots: Sequence[Path] = (),
        *,
        near: Iterable[Path] = (),
        copies: Mapping[Path, Path] | None = None,
        own: Path | None = None,
    ) -> None:
        self._own = _real_path(own) if own is not None else None
        self._near = tuple(dict.fromkeys(folder.absolute() for folder in near))
        self._copies = dict(copies or {})
        self._roots: list[Path] = []
        self._names: list[tuple[Path, tuple[str, ...]]] = []
        self._by_url: dict[str, LocalFile] = {}
        self._by_path: dict[Path, LocalFile] = {}
        for root in roots:
            if not root.is_dir():
                raise SettingsError(f"{str(root)!r} is not a folder", "name a folder of sources")
            if not os.access(root, os.R_OK | os.X_OK):
                raise SettingsError(f"cannot read {str(root)!r}", "check the folder's rights")
            real = root.resolve()
            self._names += [(real, real.parts), (real, root.absolute().parts)]
            self._roots.append(real)
            if (real / LISTING).is_file():
                self._read_listing(real)

    def files(self) -> tuple[LocalFile, ...]:
        """Every file that `sources.yaml` lists, and after them every other one, by name."""
        others = [
            LocalFile(path, path.relative_to(root).as_posix(), None)
            for root in self._roots
            for path in sorted(f.path for f in files_below(root) if isinstance(f, FoundFile))
            if path not in self._by_path and not self._is_own(path)
        ]
        return (*self._by_path.values(), *others)

    def find(self, target: str) -> LocalFile | None:
        """The file that answers for a cited address.

        Returns:
            None if the address leads to the web.

        Raises:
            AddressRefused: The path leads out of the roots, or there are no roots.
            FetchFailed: `dead`, there is no such file; `unsupported_type`, it is a folder or a
                device.
        """
        if listed := self._by_url.get(_page_key(target)):
            return listed
        path = _local_path(target)
        return None if path is None else self._inside(path)

    def _inside(self, wanted: str) -> LocalFile:
        if not self._roots:
            raise AddressRefused("it is a local path, and no folder of sources was named")
        # What a path from the document or the working folder leads to, if it is given.
        for path in map(_real_path, _spellings(self._near, wanted)):
            if path in self._copies:
                return self._file(_real_path(self._copies[path]))
            if self._home(path) is not None and path.exists():
                return self._file(path)
        if ".." in wanted.split("/"):
            outside = "the path leads out of the folders of sources"
            raise AddressRefused(outside if self._near else f"{outside}: it holds '..'")
        for path in map(_real_path, self._meant(wanted)):
            if self._home(path) is None:
                raise AddressRefused("the path leads out of the folders of sources")
            if path.exists():
                return self._file(path)
        raise FetchFailed(SourceState.DEAD, "there is no such file in the folders of sources")

    def _file(self, path: Path) -> LocalFile:
        home = self._home(path)
        if self._is_own(path):
            raise AddressRefused(ITSELF)
        if home is None or not path.is_file():
            raise FetchFailed(SourceState.UNSUPPORTED_TYPE, "it is not an ordinary file")
        name = path.relative_to(home).as_posix()
        return self._by_path.get(path) or LocalFile(path, name, None)

    def _is_own(self, path: Path) -> bool:
        """Whether `path` is the document, its original, or a copy of it with repairs or marks."""
        return self._own is not None and _original(path) == _original(self._own)

    def _home(self, path: Path) -> Path | None:
        """The folder of sources that `path` lies in."""
        return next((root for root in self._roots if path.is_relative_to(root)), None)

    def _meant(self, wanted: str) -> Iterator[Path]:
        """The meanings of a path: from a root, or from above it as in ``sources/a.md``.

        A document beside its folder of sources links in the second way.
        """
        yield from _spellings(self._roots, wanted)
        parts = PurePosixPath(wanted).parts
        for original, copy in self._copies.items():
            if parts == original.parts[-len(parts) :]:
                yield copy
        for root, names in self._names:
            for count in range(1, min(len(parts), len(names))):
                if parts[:count] == names[-count:]:
                    yield root.joinpath(*parts[count:])

    def _read_listing(self, root: Path) -> None:
        listing = root / LISTING
        # One of no bytes lists nothing yet.
        text = read_document(listing, max_bytes=_MAX_BYTES) if os.path.getsize(listing) else ""
        name = str(listing)
        for entry in validate(_Listing, parse_yaml(text, name, pure=True) or [], name).root:
            path = _real_path(root / entry.file)
            if not path.is_relative_to(root) or not path.is_file():
                raise SettingsError(f"{listing}: there is no file {entry.file!r} in this folder")
            file = LocalFile(path, path.relative_to(root).as_posix(), entry)
            if entry.url and self._by_url.setdefault(_page_key(entry.url), file) is not file:
                raise SettingsError(f"{listing}: {entry.url} is listed twice")
            self._by_path.setdefault(path, file)


def _page_key(url: str) -> str:
    """A key of the addresses that lead to one page: a final slash, http and marks of a visit."""
    try:
        host, path, query = urlsplit(parse_web_address(url, max_characters=1_000_000).url)[1:4]
    except AddressError:
        return url
    asked = "&".join(one for one in query.split("&") if not _VISIT.match(one))
    return f"{host}{unquote(path).rstrip('/')}?{asked}"


def _local_path(target: str) -> str | None:
    """The path in a `file:` address or relative link, None for anything else with a scheme.

    Raises:
        AddressRefused: It is absolute, or holds what no path of a link holds.
    """
    target = target.strip()
    if re.match(r"file:", target, re.I):
        try:
            parts = urlsplit(target)
        except ValueError as error:
            raise AddressRefused("its host cannot be read") from error
        if parts.netloc not in ("", "localhost"):
            raise AddressRefused("a file address must not name another machine")
        path = unquote(parts.path)
    elif re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", target):
        return None
    else:
        path = unquote(re.split(r"[?#]", target, maxsplit=1)[0])
        if path.startswith(("/", "\\", "~")):
            raise AddressRefused("an absolute path is no citation")
    if not path:
        raise AddressRefused("it names no file")
    if "\\" in path or not path.isprintable():
        raise AddressRefused("the path holds a backslash or control characters")
    return path


def _original(path: Path) -> tuple[Path, str]:
    """Folder and name of what `path` may be a copy of: ``a.fixed.md`` is one of ``a.md``."""
    return path.parent, _COPY.sub("", path.name)


def _spellings(folders: Sequence[Path], wanted: str) -> Iterator[Path]:
    """`wanted` from each of `folders`, also with its accents composed and decomposed."""
    forms = dict.fromkeys((wanted, *(unicodedata.normalize(f, wanted) for f in ("NFC", "NFD"))))
    yield from (folder / form for form in forms for folder in folders)


def folder_holding(targets: Iterable[str], near: Iterable[Path]) -> Path | None:
    """The folder in which the local files `targets` lie if read from a folder of `near`.

    None if none of them exists. It is what the user may name as the folder of sources.
    """
    found: list[Path] = []
    for target in targets:
        try:
            path = _local_path(target)
            there = [one for one in _spellings(tuple(near), path or "") if path and one.is_file()]
        except (AddressRefused, OSError):
            continue
        found += [_real_path(one).parent for one in there[:1]]
    return Path(os.path.commonpath(found)) if found else None


def _real_path(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:
        raise AddressRefused("the path cannot be resolved") from error


def read_local(file: LocalFile, max_bytes: int) -> bytes:
    """The bytes of `file`.

    Raises:
        FetchFailed: `too_large`, or `dead` if it cannot be read any more.
    """
    try:
        with file.path.open("rb") as opened:
            body = opened.read(max_bytes + 1)
    except OSError as error:
        reason = f"the file cannot be read: {error.strerror or type(error).__name__}"
        raise FetchFailed(SourceState.DEAD, reason) from error
    if len(body) > max_bytes:
        raise too_large(max_bytes)
    return body
