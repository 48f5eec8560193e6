"""Cited addresses to sources: once each, in parallel, each with a state and the reason for it."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Generator, Iterable, Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Self, TypeAlias, TypeVar
from urllib.parse import urlsplit

import anyio
import anyio.to_thread
import structlog

from ..base.call_limits import UNLIMITED, CallLimiter
from ..base.errors import FoureyesError, StorageError
from ..base.off_loop import off_loop
from ..base.vocabulary import FetchMode, SourceState
from .addresses import address_key
from .failure import FetchFailed, NoSuchHost, with_retries
from .guard import Guard
from .local_files import LocalFile, LocalSources, read_local
from .model import Snapshot, Source, evidence_of
from .policy import FetchPolicy, Resolved, resolve
from .reading import Answer, Reader
from .snapshot_store import SharedCopy, SharedStore, SnapshotStore

if TYPE_CHECKING:
    import ssl

    from ._download import Downloader


T = TypeVar("T")

_Route = Source | LocalFile | SharedCopy | None
"""Where an address is found: a source of the run, a file, a shared copy, or else the network."""

Load: TypeAlias = Callable[[str], Awaitable[Source]]
Around: TypeAlias = Callable[[str, Load], Awaitable[Source]]
"""Given an address and what loads it: loads it, and returns what came."""


@dataclass(slots=True)
class _Running:
    """A fetch under way, for others who want the same address."""

    done: anyio.Event = field(default_factory=anyio.Event)
    source: Source | None = None


class _BusyClock:
    """Counts the seconds in which at least one fetch is under way."""

    def __init__(self) -> None:
        self._spent = 0.0
        self._since = 0.0
        self._running = 0

    @property
    def spent(self) -> float:
        """Seconds so far."""
        return self._spent + (anyio.current_time() - self._since if self._running else 0)

    @contextmanager
    def running(self) -> Generator[None]:
        """Count the time of one fetch."""
        if not self._running:
            self._since = anyio.current_time()
        self._running += 1
        try:
            yield
        finally:
            self._running -= 1
            if not self._running:
                self._spent += anyio.current_time() - self._since


class Fetcher:
    """Fetches the sources of one run. Open it with `async with`.

    Nothing that a source does makes a method raise: what goes wrong is its state. A
    source that was read is not fetched again in the run; a failed one is tried again at the next
    call. Of the modes, `live` uses the network, `none` only what the run has stored and local
    files, and `frozen` what is stored, in the run or shared, however old, and local files.

    Args:
        store: Where snapshots and outcomes are kept.
        policy: `fetch.yaml`.
        guard: Judges every connection.
        local: The folders whose files may be cited.
        mode: Where sources may come from.
        tls: Trusted certificates; the operating system's when None.
        shared: Snapshots of other runs; what is taken from there is copied into `store`.
        robots: Whether to load nothing that a host's robots.txt forbids.
        around: Who sees each address that is asked for over the network come and go.
        limiter: Is asked before each request.
        seconds: How long fetching may take in all, as long as one source is being fetched; later
            sources are `timeout`.
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
        shared: SharedStore | None = None,
        robots: bool = False,
        around: Around = lambda url, load: load(url),
        limiter: CallLimiter = UNLIMITED,
        seconds: float = math.inf,
    ) -> None:
        self._store = store
        self._policy = policy
        self._guard = guard
        self._local = local or LocalSources()
        self._mode = mode
        self._shared = shared
        self._around = around
        self._seconds = seconds
        self._reader = Reader(store, policy)
        self._clock = _BusyClock()
        self._running: dict[str, _Running] = {}
        self._is_open = False
        self._tls = tls
        self._robots = robots
        self._limiter = limiter
        self._downloader: Downloader | None = None
        self.fetches = 0
        """How many addresses were asked for over the network so far, retries not counted."""

    async def __aenter__(self) -> Self:
        """Take up work; the network is first touched when an address needs it."""
        self._is_open = True
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close every connection, and keep the shared store within its bounds."""
        downloader, self._downloader, self._is_open = self._downloader, None, False
        if downloader is not None:
            await downloader.aclose()
        if self.fetches:
            tidy = partial(self._with_shared, lambda shared: shared.evict(_now()))
            await anyio.to_thread.run_sync(tidy)

    async def fetch(self, url: str) -> Source:
        """The source that `url` leads to.

        It is a web address, an identifier that a public service resolves (``doi:``, ``arXiv:``),
        a `file:` address or a relative path.

        Raises:
            StorageError: A snapshot could not be written.
            SnapshotError: The snapshot folder is damaged.
        """
        return await self._follow(url, self._route(url))

    async def fetch_all(self, urls: Iterable[str], *, limit: int) -> tuple[Source, ...]:
        """The sources of all `urls`, fetched in parallel, in the order of `urls` without repeats.

        Args:
            urls: Cited addresses. Two spellings of one address are fetched once.
            limit: How many addresses may be asked for over the network. Later ones are
                `not_fetched`; what is stored and local files are free.

        Raises:
            StorageError: A snapshot could not be written.
            SnapshotError: The snapshot folder is damaged.
        """
        wanted = tuple(dict.fromkeys(urls))
        spellings: dict[str, list[str]] = {}
        for url in wanted:
            spellings.setdefault(address_key(url), []).append(url)
        asked = [same[0] for same in spellings.values()]
        routes = await off_loop(lambda: list(self._routes(asked, limit)))
        results: dict[str, Source] = {}
        errors: list[FoureyesError] = []

        async def follow(route: _Route, same: list[str]) -> None:
            try:
                source = await self._follow(same[0], route)
            except FoureyesError as error:
                errors.append(error)
                group.cancel_scope.cancel()
                return
            results.update({url: replace(source, url=url) for url in same})

        async with anyio.create_task_group() as group:
            for route, same in zip(routes, spellings.values(), strict=True):
                group.start_soon(follow, route, same)
        if errors:
            raise errors[0]
        return tuple(results[url] for url in wanted)

    def _routes(self, urls: Iterable[str], limit: int) -> Iterator[_Route]:
        """The route of each address; beyond `limit` there is none over the network."""
        for url in urls:
            route = self._route(url)
            if route is None and (limit := limit - 1) < 0:
                route = _not_fetched(url, "the limit of fetches is used up")
            yield route

    def _route(self, url: str) -> _Route:
        """The known source of `url`, the file that it names, or None for the network."""
        stored = self._store.lookup(url)
        if stored is not None and stored.state.readable:
            return stored
        try:
            match self._mode:
                case FetchMode.FROZEN:
                    nothing = _not_fetched(url, "no snapshot of it is stored")
                    known = self._find_shared(url) or stored
                    return known or self._local.find(url) or nothing
                case FetchMode.NONE:
                    fetching_is_off = _not_fetched(url, "fetching is switched off")
                    return self._local.find(url) or stored or fetching_is_off
                case FetchMode.LIVE:
                    if file := self._local.find(url):
                        return file
                    self._guard.require(resolve(url, self._policy.resolvers).address)
                    return self._find_fresh(url)
        except FetchFailed as failure:
            return Source(url, failure.state, failure.reason)

    def _find_shared(self, url: str) -> SharedCopy | None:
        return self._with_shared(lambda shared: shared.find(url, _now()))

    def _find_fresh(self, url: str) -> SharedCopy | None:
        """The shared copy of `url`, if it may stand for the live page."""
        kept = self._find_shared(url)
        return kept if kept and kept.is_fresh(_now(), self._policy.cache) else None

    def _with_shared(self, ask: Callable[[SharedStore], T]) -> T | None:
        """Ask the shared store, if there is one. A run continues without a store that fails."""
        try:
            return ask(self._shared) if self._shared is not None else None
        except StorageError as error:
            self._stop_sharing(error)
            return None

    def _stop_sharing(self, reason: StorageError) -> None:
        self._shared = None
        structlog.get_logger().warning("sources are not shared", reason=str(reason))

    async def _follow(self, url: str, route: _Route) -> Source:
        if route is None:
            return await self._fetch_once(url)
        if isinstance(route, SharedCopy):
            if (copy := await self._copy_shared(url, route)) is not None:
                return copy
            if self._mode is FetchMode.LIVE:
                return await self._fetch_once(url)
            return _not_fetched(url, "its snapshot is gone from the shared store")
        source = await self._from_file(url, route) if isinstance(route, LocalFile) else route
        if source.state is not SourceState.NOT_FETCHED:
            await anyio.to_thread.run_sync(self._store.record, source)
        return source

    async def _fetch_once(self, url: str) -> Source:
        """Fetch `url`, or wait for the fetch of it that is under way."""
        key = address_key(url)
        while (running := self._running.get(key)) is not None:
            await running.done.wait()
            if running.source is not None:
                return replace(running.source, url=url)
        running = self._running[key] = _Running()
        try:
            running.source = await self._fetch_in_turn(url)
            return running.source
        finally:
            del self._running[key]
            running.done.set()

    async def _fetch_in_turn(self, url: str) -> Source:
        """Fetch `url`, unless another run that wanted it at the same time has shared it by now."""
        async with AsyncExitStack() as stack:
            if self._shared is not None:
                try:
                    await stack.enter_async_context(self._shared.turn(url))
                except StorageError as error:
                    self._stop_sharing(error)
            if (kept := self._find_fresh(url)) and (copy := await self._copy_shared(url, kept)):
                return copy
            return await self._in_time(url)

    async def _in_time(self, url: str) -> Source:
        """Fetch `url` unless the time for all sources is over, or it ends meanwhile."""
        source: Source | None = None
        with self._clock.running(), anyio.move_on_after(self._seconds - self._clock.spent):
            source = await self._around(url, self._from_web)
        if source is None:
            reason = f"fetching all sources took over {self._seconds:g} s"
            source = Source(url, SourceState.TIMEOUT, reason)
            await anyio.to_thread.run_sync(self._store.record, source)
        return source

    async def _from_web(self, url: str) -> Source:
        downloader = self._open_downloader()
        self.fetches += 1
        kept = self._find_shared(url)
        body = b""
        place = resolve(url, self._policy.resolvers)
        try:
            known = kept.snapshot if kept else None
            answer = await self._load_with_retries(downloader, place, known)
            if answer.unchanged and kept is not None:
                if (source := await self._copy_shared(url, kept, now=_now())) is not None:
                    return source
                answer = await self._load_with_retries(downloader, place, None)
            if place.service:
                # Leading elsewhere is what the service is for.
                chain = (url, *answer.url_chain)
                answer = replace(answer, url_chain=chain, moved=False)
        except NoSuchHost as failure:
            own = urlsplit(place.address).hostname == failure.host
            # A service that cannot be found says nothing about what it answers for.
            state = SourceState.NOT_FETCHED if place.service and own else failure.state
            source = Source(url, state, failure.reason)
        except FetchFailed as failure:
            source = Source(url, failure.state, failure.reason)
        else:
            source, body = await self._reader.read(url, answer), answer.body
        await anyio.to_thread.run_sync(self._record, source, body)
        return source

    async def _copy_shared(
        self, url: str, kept: SharedCopy, now: datetime | None = None
    ) -> Source | None:
        """The shared copy as a source of this run, None if it is gone.

        With `now`, the server has just said that the page is still like it.
        """

        def copy() -> Source | None:
            contents = self._with_shared(lambda shared: shared.load(kept, _now()))
            if contents is None:
                return None
            body, text = contents
            snapshot = replace(kept.snapshot, fetched_at=now or kept.snapshot.fetched_at)
            stored = self._store.put(body, text, snapshot)
            source = replace(kept.source, url=url, snapshot=stored)
            self._record(source, body if now else b"")
            return source

        return await anyio.to_thread.run_sync(copy)

    def _record(self, source: Source, body: bytes) -> None:
        """Note `source` in the run, and share it if its `body` has just come from the network."""
        self._store.record(source)
        if self._shared is not None and body and (read := evidence_of(source)):
            text = self._store.text(read.sha256)
            self._with_shared(lambda shared: shared.keep(source, body, text, _now()))

    async def _load_with_retries(
        self, downloader: Downloader, place: Resolved, known: Snapshot | None
    ) -> Answer:
        """Load `place`, again after a wait while the failure is one that may pass."""
        most = left = self._policy.timeouts.source

        async def attempt() -> Answer:
            nonlocal left
            begun = anyio.current_time()
            try:
                return await downloader.load(place.address, known, seconds=max(left, min(1, most)))
            finally:
                left -= anyio.current_time() - begun

        return await with_retries(attempt, self._policy.retries, lambda: left > 0)

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
        from ._download import Downloader

        if not self._is_open:
            raise RuntimeError("open the fetcher with `async with` before the first fetch")
        if self._downloader is None:
            self._downloader = Downloader(
                self._guard, self._policy, self._tls, robots=self._robots, limiter=self._limiter
            )
        return self._downloader


def _now() -> datetime:
    return datetime.now(UTC)


def _not_fetched(url: str, reason: str) -> Source:
    return Source(url, SourceState.NOT_FETCHED, reason)
