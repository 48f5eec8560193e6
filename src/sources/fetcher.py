"""Cited addresses to sources: once each, in parallel, each with a state and the reason for it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import TYPE_CHECKING, Self, assert_never

import anyio
import anyio.to_thread

from ..base.errors import FoureyesError
from ..base.vocabulary import FetchMode, SourceState
from .addresses import address_key
from .failure import FetchFailed
from .guard import Guard
from .local_files import LocalFile, LocalSources, read_local
from .model import Source
from .policy import FetchPolicy
from .reading import Answer, Reader
from .snapshot_store import SnapshotStore

if TYPE_CHECKING:
    import ssl

    from .download import Downloader


_Route = Source | LocalFile | None
"""What settles an address: a source at hand, a file to read, or nothing but the network."""


@dataclass(slots=True)
class _Running:
    """A fetch under way, for others who want the same address."""

    done: anyio.Event = field(default_factory=anyio.Event)
    source: Source | None = None


class Fetcher:
    """Fetches the sources of one run. Open it with `async with`.

    Nothing that a source does makes a method raise: what goes wrong is its state (decision 18). A
    source that was read is not fetched again in the run; a failed one is tried again at the next
    call. Of the modes, `live` uses the network, `none` only what is stored and local files, and
    `frozen` only what is stored (decision 17).

    Args:
        store: Where snapshots and outcomes are kept.
        policy: `fetch.yaml`.
        guard: Judges every connection.
        local: The folders whose files may be cited.
        mode: Where sources may come from.
        tls: Trusted certificates; the operating system's when None.
    """

    def __init__(
        self,
        store: SnapshotStore,
        policy: FetchPolicy,
        guard: Guard,
        *,
        local: LocalSources | None = None,
        mode: FetchMode = FetchMode.LIVE,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._store = store
        self._policy = policy
        self._guard = guard
        self._local = local or LocalSources()
        self._mode = mode
        self._tls = tls
        self._reader = Reader(store, policy)
        self._running: dict[str, _Running] = {}
        self._stack: AsyncExitStack | None = None
        self._downloader: Downloader | None = None
        self._fetches = 0

    async def __aenter__(self) -> Self:
        """Take up work; the network is first touched when an address needs it."""
        self._stack = AsyncExitStack()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close every connection."""
        stack, self._stack, self._downloader = self._stack, None, None
        if stack is not None:
            await stack.aclose()

    @property
    def fetches(self) -> int:
        """How many addresses have been asked for over the network so far, retries not counted."""
        return self._fetches

    async def fetch(self, url: str) -> Source:
        """The source that `url` leads to: a web address, a `file:` address or a relative path.

        Raises:
            StorageError: A snapshot could not be written.
            SnapshotError: The snapshot folder is damaged.
        """
        return await self._follow(url, self._route(url))

    async def fetch_all(
        self,
        urls: Iterable[str],
        *,
        limit: int,
        on_result: Callable[[Source], None] | None = None,
    ) -> tuple[Source, ...]:
        """The sources of all `urls`, fetched in parallel, in the order of `urls` without repeats.

        Args:
            urls: Cited addresses. Two spellings of one address are fetched once.
            limit: How many addresses may be asked for over the network. Later ones are
                `not_fetched`; what is stored and local files are free.
            on_result: Called with each source as it arrives.

        Raises:
            StorageError: A snapshot could not be written.
            SnapshotError: The snapshot folder is damaged.
        """
        wanted = tuple(dict.fromkeys(urls))
        spellings: dict[str, list[str]] = {}
        for url in wanted:
            spellings.setdefault(address_key(url), []).append(url)
        routes = self._routes([same[0] for same in spellings.values()], limit)
        results: dict[str, Source] = {}
        errors: list[FoureyesError] = []

        async def settle(route: _Route, same: list[str]) -> None:
            try:
                source = await self._follow(same[0], route)
            except FoureyesError as error:
                errors.append(error)
                group.cancel_scope.cancel()
                return
            for url in same:
                results[url] = replace(source, url=url)
                if on_result is not None:
                    on_result(results[url])

        async with anyio.create_task_group() as group:
            for route, same in zip(routes, spellings.values(), strict=True):
                group.start_soon(settle, route, same)
        if errors:
            raise errors[0]
        return tuple(results[url] for url in wanted)

    def _routes(self, urls: Iterable[str], limit: int) -> list[_Route]:
        """The route of each address; beyond `limit` there is none over the network."""
        routes = [(url, self._route(url)) for url in urls]
        allowed: list[_Route] = []
        for url, route in routes:
            if route is None:
                limit -= 1
            beyond = route is None and limit < 0
            allowed.append(
                _not_fetched(url, "the limit of fetches is used up") if beyond else route
            )
        return allowed

    def _route(self, url: str) -> _Route:
        """What is known of `url` already, the file that it names, or None for the network."""
        stored = self._store.lookup(url)
        if stored is not None and stored.state.readable:
            return stored
        try:
            match self._mode:
                case FetchMode.FROZEN:
                    return stored or _not_fetched(url, "no snapshot of it is stored")
                case FetchMode.NONE:
                    fetching_is_off = _not_fetched(url, "fetching is switched off")
                    return self._local.find(url) or stored or fetching_is_off
                case FetchMode.LIVE:
                    file = self._local.find(url)
                    if file is None:
                        self._guard.require(url)
                    return file
                case _:
                    assert_never(self._mode)
        except FetchFailed as failure:
            return Source(url, failure.state, failure.reason)

    async def _follow(self, url: str, route: _Route) -> Source:
        if route is None:
            return await self._shared(url)
        source = await self._from_file(url, route) if isinstance(route, LocalFile) else route
        if source.state is not SourceState.NOT_FETCHED:
            await anyio.to_thread.run_sync(self._store.record, source)
        return source

    async def _shared(self, url: str) -> Source:
        """Fetch `url`, or wait for the fetch of it that is under way."""
        key = address_key(url)
        while (running := self._running.get(key)) is not None:
            await running.done.wait()
            if running.source is not None:
                return replace(running.source, url=url)
        running = self._running[key] = _Running()
        try:
            running.source = await self._from_web(url)
            return running.source
        finally:
            del self._running[key]
            running.done.set()

    async def _from_web(self, url: str) -> Source:
        downloader = self._open_downloader()
        self._fetches += 1
        try:
            answer = await self._loaded(downloader, url)
        except FetchFailed as failure:
            source = Source(url, failure.state, failure.reason)
        else:
            source = await self._reader.read(url, answer)
        await anyio.to_thread.run_sync(self._store.record, source)
        return source

    async def _loaded(self, downloader: Downloader, url: str) -> Answer:
        """Load `url`, again after a wait while the failure is one that may pass."""
        retries = self._policy.retries
        wait = retries.first_wait
        for _ in range(retries.attempts - 1):
            try:
                return await downloader.load(url)
            except FetchFailed as failure:
                if not failure.transient:
                    raise
                asked = failure.retry_after
            usual = min(wait, retries.longest_wait) + random.uniform(0, retries.jitter)
            await anyio.sleep(usual if asked is None else asked)
            wait *= 2
        return await downloader.load(url)

    async def _from_file(self, url: str, file: LocalFile) -> Source:
        limit = self._policy.limits.decoded_bytes
        try:
            body = await anyio.to_thread.run_sync(read_local, file, limit)
        except FetchFailed as failure:
            return Source(url, failure.state, failure.reason)
        chain = (url,) if url == file.address else (url, file.address)
        return await self._reader.read(url, Answer(chain, None, body, listed=file.listed))

    def _open_downloader(self) -> Downloader:
        # Imported here: the HTTP libraries take long to load, and many runs have only local files.
        from .download import Downloader
        from .transport import GuardedTransport

        if self._stack is None:
            raise RuntimeError("open the fetcher with `async with` before the first fetch")
        if self._downloader is None:
            transport = GuardedTransport(self._guard, self._policy.politeness, self._tls)
            self._stack.push_async_callback(transport.aclose)
            self._downloader = Downloader(transport, self._guard, self._policy)
        return self._downloader


def _not_fetched(url: str, reason: str) -> Source:
    return Source(url, SourceState.NOT_FETCHED, reason)
