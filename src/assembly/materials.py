"""The sources that a person names or a document cites: sorted, read once, and kept."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import structlog

from ..base.call_limits import UNLIMITED, CallLimiter
from ..base.errors import InputError
from ..base.files import make_folder, read_document_bytes, scratch_folder, write_atomic
from ..base.registry import load_registry_file
from ..core import tracing
from ..core.record_folder import program_version
from ..core.tasks import digest
from ..core.tracing import trace_fetch
from ..core.work import Material
from ..documents.model import Document
from ..documents.references import with_named_works
from ..sources.copies import without_copies
from ..sources.fetcher import Fetcher
from ..sources.guard import Guard
from ..sources.local_files import LocalFile, LocalSources, folder_holding
from ..sources.model import Source, SourceSet
from ..sources.policy import FETCH_FILE, FetchPolicy
from ..sources.snapshot_store import SharedStore, SnapshotStore
from .model import LoadedSettings, Settings
from .record_config import GIVEN_FOLDER
from .settings import source_cache

MAX_MATERIALS = 500
"""More files than this are a mistake (a home folder), not a reading list."""

_WEB = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class GivenSources:
    """The sources named by `--sources`: folders, single files, and web addresses."""

    folders: tuple[Path, ...] = ()
    files: tuple[Path, ...] = ()
    urls: tuple[str, ...] = ()


def sort_sources(given: Iterable[str]) -> GivenSources:
    """The given sources by kind, their paths absolute.

    Raises:
        InputError: A path does not exist.
    """
    folders: list[Path] = []
    files: list[Path] = []
    urls: list[str] = []
    for name in given:
        if _WEB.match(name):
            urls.append(name)
            continue
        path = Path(name)
        if not path.exists():
            raise InputError(f"the source {name!r} does not exist", "give a path or an address")
        (folders if path.is_dir() else files).append(path.resolve())
    return GivenSources(tuple(folders), tuple(files), tuple(urls))


def absolute_sources(names: Iterable[str], folder: Path = Path()) -> tuple[str, ...]:
    """Sources as they can be named from anywhere; relative paths begin in `folder`.

    Raises:
        InputError: A path does not exist.
    """
    given = sort_sources(name if _WEB.match(name) else str(folder / name) for name in names)
    return (*map(str, (*given.folders, *given.files)), *given.urls)


def stage(files: Sequence[Path], folder: Path) -> tuple[Path, ...]:
    """Copy single files into `folder`, which then is the folder of sources they are cited from.

    Only the files themselves become readable that way, not what lies beside them.

    Returns:
        `folder`, or nothing if there are no files.

    Raises:
        InputError: A file cannot be read, or two have the same name.
        StorageError: The copy cannot be written.
    """
    if not files:
        return ()
    make_folder(folder)
    for path in files:
        if [other.name for other in files].count(path.name) > 1:
            raise InputError(f"two sources are called {path.name!r}", "rename one of them")
        write_atomic(folder / path.name, read_document_bytes(path))
    return (folder,)


def near_folders(file: Path | None) -> tuple[Path, ...]:
    """The folders that the relative citations of the document in `file`, or a text, start from."""
    return (Path.cwd(),) if file is None else (file.parent.resolve(), Path.cwd())


def local_sources(
    roots: Sequence[Path],
    given: Path,
    files: Sequence[Path],
    near: Sequence[Path],
    own: Path | None = None,
) -> LocalSources:
    """The folders `roots` and, if files were given, the folder `given` that they are copied to.

    `near` are the folders that relative paths may start from: the document's, the working folder.
    `own` is the document, which is none of its sources.

    Raises:
        SettingsError: A root is no folder, or its `sources.yaml` is broken.
    """
    copies = {path: given / path.name for path in files}
    folders = [*roots, given] if given.is_dir() else roots
    return LocalSources(folders, near=near, copies=copies, own=own)


def open_fetcher(
    folder: Path,
    settings: Settings,
    local: LocalSources | None = None,
    limiter: CallLimiter = UNLIMITED,
) -> Fetcher:
    """A fetcher that keeps its snapshots in `folder`; open it with ``async with``.

    It reads the files of `local`, none by default. `limiter` is asked before each request.

    Raises:
        RegistryError: `fetch.yaml` is broken.
    """
    policy, shared = fetch_policy(settings), None
    if cache := source_cache(settings):
        # Copies answer only where version, rules and allowed hosts are those they were read under.
        hosts = sorted(settings.allowed_hosts)
        scope = digest([program_version(), policy.fingerprint(), *hosts])
        shared = SharedStore(cache, policy.cache, scope)
    return Fetcher(
        SnapshotStore(folder),
        policy,
        Guard(policy, allowed_hosts=settings.allowed_hosts),
        local=local or LocalSources(),
        mode=settings.fetch,
        shared=shared,
        robots=settings.robots,
        around=trace_fetch,
        limiter=limiter,
        seconds=settings.fetch_timeout_total,
    )


def fetch_policy(settings: Settings) -> FetchPolicy:
    """``fetch.yaml`` of the settings.

    Raises:
        RegistryError: It is broken.
    """
    return load_registry_file(FetchPolicy, FETCH_FILE, settings.registry_dir)


async def read_materials(
    fetcher: Fetcher, store: SnapshotStore, local: LocalSources, urls: Sequence[str]
) -> tuple[Material, ...]:
    """The text of every file of `local` and of every address.

    What cannot be read is logged and left out.

    Raises:
        InputError: There are too many files, or nothing can be read.
    """
    names = source_names(local)
    sources = await fetcher.fetch_all([*names, *urls], limit=len(urls))
    materials: list[Material] = []
    for source in sources:
        if source.snapshot is None or not source.state.readable:
            log = structlog.get_logger()
            log.warning("source left out", source=source.url, reason=source.reason)
            continue
        title, sha256 = source.snapshot.title or source.url, source.snapshot.sha256
        materials.append(Material(source.url, title, sha256, store.text(sha256)))
    if sources and not materials:
        first = sources[0]
        raise InputError(f"no source can be read; {first.url!r}: {first.reason}")
    return tuple(materials)


def source_names(local: LocalSources) -> tuple[str, ...]:
    """How the files of `local` are cited.

    Raises:
        InputError: There are too many of them.
    """
    files = local.files()
    if len(files) > MAX_MATERIALS:
        raise InputError(
            f"the sources hold {len(files):,} files, more than {MAX_MATERIALS}",
            "name a smaller folder",
        )
    return tuple(file.cited_as for file in files)


async def gather(
    given: GivenSources, loaded: LoadedSettings, folder: Path, own: Path | None = None
) -> tuple[Material, ...]:
    """Read the given sources into snapshots below `folder`; the draft's `own` file is none."""
    roots = [*given.folders, *stage(given.files, folder / GIVEN_FOLDER)]
    local = LocalSources(roots, own=own)
    store = SnapshotStore(folder / "sources")
    settings, limiter = loaded.settings, loaded.limiter
    async with open_fetcher(folder / "sources", settings, local, limiter) as fetcher:
        return await read_materials(fetcher, store, local, given.urls)


@dataclass(frozen=True, slots=True)
class GatheredSources:
    """The sources that `document` cites, in order.

    `document` is led to the given files whose titles it names. `folder` holds the local files that
    are cited, if no source was given at all. `spare` are the given sources that are not read yet,
    and `beyond` the number of files that are too many or too large to be read beside the cited.
    """

    document: Document
    cited: tuple[Source, ...]
    folder: Path | None
    spare: tuple[str, ...]
    beyond: int
    fetcher: Fetcher
    store: SnapshotStore

    def texts(self) -> SourceSet:
        """The cited sources with their texts."""
        return self.store.source_set(self.cited)

    async def with_spare(self, limit: int) -> SourceSet:
        """The cited sources, and the other given ones that can be read, at most `limit` in all."""
        read = sum(source.snapshot is not None for source in self.cited)
        more = await self.fetcher.fetch_all(self.spare, limit=max(0, limit - read))
        known = {source.url for source in self.cited}
        extra = (one for one in more if one.state.readable and one.url not in known)
        found = [*self.cited, *extra]
        apart = without_copies(self.document, found, self.store.source_set(found))
        return self.store.source_set(apart)


@asynccontextmanager
async def gather_sources(
    document: Document, path: Path | None, given: Iterable[str], loaded: LoadedSettings
) -> AsyncGenerator[GatheredSources]:
    """Fetch what `document` cites; its snapshots are kept to the end of the block.

    Args:
        document: The document.
        path: Its file, None for a text.
        given: Folders, files and addresses that it may cite.
        loaded: The settings.

    Raises:
        InputError: A source that was named cannot be used, or `fetch.yaml` is broken.
    """
    named, settings = sort_sources(given), loaded.settings
    with scratch_folder("check") as folder:
        stage(named.files, folder / "given")
        near = near_folders(path)
        local = local_sources(named.folders, folder / "given", named.files, near, path)
        files, most = local.files(), fetch_policy(settings).limits.spare_bytes
        alone = not named.folders and not named.files
        wanted = folder_holding(document.cited_urls(), near) if alone else None
        store = SnapshotStore(folder / "sources")
        async with open_fetcher(folder / "sources", settings, local, loaded.limiter) as fetcher:
            with tracing.step("gather_evidence"):
                document = await _named_works(document, fetcher, _fitting(files, most))
                found = await fetcher.fetch_all(document.cited_urls(), limit=settings.max_fetches)
            cited = without_copies(document, found, store.source_set(found))
            read = {at for one in found if one.snapshot for at in one.snapshot.url_chain}
            others = [file for file in files if read.isdisjoint((file.address, file.cited_as))]
            names = _fitting(others, most)
            spare, beyond = (*names, *named.urls), len(others) - len(names)
            yield GatheredSources(document, tuple(cited), wanted, spare, beyond, fetcher, store)


def _fitting(files: Iterable[LocalFile], most: int) -> tuple[str, ...]:
    """How `files` are cited, in order, `most` bytes in all and no more than `MAX_MATERIALS`."""
    names: list[str] = []
    for file in files:
        with suppress(OSError):
            size = file.path.stat().st_size
            if size <= most and len(names) < MAX_MATERIALS:
                most -= size
                names.append(file.cited_as)
    return tuple(names)


async def _named_works(document: Document, fetcher: Fetcher, names: Sequence[str]) -> Document:
    """`document` with the entries that only name a work led to the given file with its title."""
    if all(one.target or not one.reference for one in document.citations):
        return document
    given = await fetcher.fetch_all(names, limit=0)
    titles = {one.url: one.snapshot.title for one in given if one.snapshot is not None}
    return with_named_works(document, titles)
