"""The sources of a document under check: those that it cites, and given ones that may help."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from ..base.files import scratch_folder
from ..core import tracing
from ..documents.model import Document
from ..documents.references import with_named_works
from ..sources.copies import without_copies
from ..sources.fetcher import Fetcher
from ..sources.local_files import LocalFile, folder_holding
from ..sources.model import Source, SourceSet
from ..sources.snapshot_store import SnapshotStore
from .materials import (
    MAX_MATERIALS,
    fetch_policy,
    local_sources,
    near_folders,
    open_fetcher,
    sort_sources,
    stage,
)
from .model import LoadedSettings


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
        return self.store.source_set(
            without_copies(self.document, found, self.store.source_set(found))
        )


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
        near = near_folders(path.parent if path else None)
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


def _fitting(files: Sequence[LocalFile], most: int) -> tuple[str, ...]:
    """How `files` are cited, in order, `most` bytes in all and no more than `MAX_MATERIALS`."""
    return tuple(islice(_within(files, most), MAX_MATERIALS))


def _within(files: Iterable[LocalFile], most: int) -> Iterator[str]:
    for file in files:
        try:
            size = file.path.stat().st_size
        except OSError:
            continue
        if size <= most:
            most -= size
            yield file.cited_as


async def _named_works(document: Document, fetcher: Fetcher, names: Sequence[str]) -> Document:
    """`document` with the entries that only name a work led to the given file with its title."""
    if all(one.target or not one.reference for one in document.citations):
        return document
    given = await fetcher.fetch_all(names, limit=0)
    return with_named_works(
        document, {one.url: one.snapshot.title for one in given if one.snapshot is not None}
    )
