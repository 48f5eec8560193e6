"""The searches of a run: counted, logged, and answered from the record where that is enough.

A provider of the user's own is asked through `OwnSearch`, which checks its answers.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Generator, Iterable
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import zip_longest
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

import anyio
import anyio.to_thread
import structlog
from pydantic import ValidationError

from ...base.call_limits import UNLIMITED, CallLimiter, LimitName, one_call
from ...base.errors import SettingsError, SnapshotError, StorageError
from ...base.files import as_recorded, from_json, make_folder, storage_errors, to_json, write_atomic
from ...base.vocabulary import SearchName
from ..addresses import address_key
from ..policy import SearchPolicy
from ..snapshot_store import sha256_hex
from .model import SearchAnswer, SearchProvider, SearchUnavailable
from .web import usable_answer, web_address

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True, slots=True)
class SearchRecord:
    """A question that was answered: who was asked what and when (UTC), for at most `limit` hits."""

    provider: str
    query: str
    limit: int
    asked_at: datetime
    answer: SearchAnswer


class RunAnswers:
    """The searches of one run, a JSON file each; processes may share the folder.

    Args:
        folder: The run's folder for them. It is created at the first write.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, provider: str, query: str) -> SearchRecord | None:
        """The provider's last answer to `query`; None if there is none.

        Raises:
            SnapshotError: The record is damaged.
        """
        path = self._path(provider, query)
        return _read(path) if path.exists() else None

    def all(self) -> tuple[SearchRecord, ...]:
        """Every record, oldest first.

        Raises:
            SnapshotError: A record is damaged.
        """
        records = map(_read, self._folder.glob("*.json"))
        return tuple(sorted(records, key=lambda record: record.asked_at))

    def add(self, record: SearchRecord) -> None:
        """Keep a record.

        Raises:
            StorageError: The file system refused.
        """
        make_folder(self._folder)
        path = self._path(record.provider, record.query)
        write_atomic(path, to_json(SearchRecord, record))

    def _path(self, provider: str, query: str) -> Path:
        named = f"{provider}\x00{query}".encode("utf-8", "surrogatepass")
        return self._folder / f"{sha256_hex(named)}.json"


class SharedAnswers(RunAnswers):
    """Answers that runs share for a time.

    It is a convenience: a record that cannot be read is passed over.

    Args:
        folder: The folder. It is created at the first write.
        longest: How old an answer may be.
    """

    def __init__(self, folder: Path, longest: timedelta) -> None:
        super().__init__(folder)
        self._longest = longest

    def find(self, provider: str, query: str) -> SearchRecord | None:
        """The provider's answer to `query`; None if there is none that is young enough.

        Raises:
            StorageError: The folder is none.
        """
        with storage_errors(self._folder, "read"), suppress(SnapshotError):
            found = super().find(provider, query)
            if found is not None and found.asked_at >= datetime.now(UTC) - self._longest:
                return found
        return None

    def add(self, record: SearchRecord) -> None:
        """Keep a record, and drop those that are too old.

        Raises:
            StorageError: The file system refused.
        """
        super().add(record)
        oldest = (datetime.now(UTC) - self._longest).timestamp()
        with storage_errors(self._folder, "clean up"):
            for path in self._folder.glob("*.json"):
                with suppress(FileNotFoundError):
                    if path.stat().st_mtime < oldest:
                        path.unlink()


def _read(path: Path) -> SearchRecord:
    try:
        return from_json(SearchRecord, path.read_bytes())
    except (OSError, ValidationError) as error:
        raise SnapshotError(f"{path.name} is damaged", "the file was changed") from error


class Searching:
    """Asks one provider for a run, one question at a time.

    Args:
        provider: Who is asked.
        policy: `search.yaml`.
        run: The run's own answers.
        shared: Answers of other runs, for web providers; the run goes on if it cannot be used.
        limit: How many questions the run may put to the provider; answers at hand are free.
    """

    def __init__(
        self,
        provider: SearchProvider,
        policy: SearchPolicy,
        run: RunAnswers,
        *,
        shared: SharedAnswers | None = None,
        limit: int,
    ) -> None:
        self.provider = provider
        self._policy = policy
        self._run = run
        # What a folder of documents holds changes with the folder.
        self._shared = None if provider.local else shared
        self.query_characters = policy.query_characters
        self._limit = limit
        self._failed: dict[str, str] = {}
        self._turn = anyio.Lock()

    @property
    def unanswered(self) -> tuple[str, ...]:
        """Why the provider could not be asked, each reason once; empty if it answered all."""
        return tuple(dict.fromkeys(self._failed.values()))

    async def search(self, query: str) -> SearchAnswer:
        """The hits for `query`; those at hand, if it was put before.

        Raises:
            SearchUnavailable: The query is empty or too long, the run's searches are used up, or
                the provider gave no answer.
            StorageError: An answer could not be kept.
            SnapshotError: A kept answer is damaged.
        """
        if not 0 < len(query) <= self.query_characters:
            raise SearchUnavailable(self.provider.name, "the query is empty or too long")
        async with self._turn:
            record = await anyio.to_thread.run_sync(self._at_hand, query)
            log = structlog.get_logger()
            if record is not None:
                log.info("search shared", query=query)
                return record.answer
            if self._limit <= 0:
                reason = "no more questions may be put in this run"
                raise SearchUnavailable(self.provider.name, reason)
            self._limit -= 1
            log.info("search", provider=self.provider.name, query=query)
            try:
                answer = await self.provider.search(query, self._policy.hits)
            except SearchUnavailable as error:
                self._failed[query] = str(error)
                log.warning("search unavailable", provider=self.provider.name, reason=str(error))
                raise
            self._failed.pop(query, None)
            name, hits = self.provider.name, self._policy.hits
            record = SearchRecord(name, query, hits, datetime.now(UTC), answer)
            await anyio.to_thread.run_sync(self._keep, record)
        return answer

    def returned(self, url: str) -> bool:
        """Whether a search of this run gave `url`."""
        key = address_key(url)
        hits = (hit for record in self._run.all() for hit in record.answer.hits)
        return any(address_key(hit.url) == key for hit in hits)

    def found(self) -> tuple[str, ...]:
        """The addresses that searches of this run gave: the best hit of each, then the second.

        Raises:
            SnapshotError: A kept answer is damaged.
        """
        return interleaved(record.answer for record in reversed(self._run.all()))

    def _at_hand(self, query: str) -> SearchRecord | None:
        """The answer to `query`, if it was asked for as many hits as are wanted now."""
        name, wanted = self.provider.name, self._policy.hits
        record = self._run.find(name, query)
        if record is not None and record.limit == wanted:
            return record
        record = None
        with self._sharing() as shared:
            record = shared.find(name, query) if shared is not None else None
        if record is None or record.limit != wanted:
            return None
        # The run stays complete without the cache.
        self._run.add(record)
        return record

    def _keep(self, record: SearchRecord) -> None:
        self._run.add(record)
        with self._sharing() as shared:
            if shared is not None:
                shared.add(record)

    @contextmanager
    def _sharing(self) -> Generator[SharedAnswers | None]:
        """The shared answers, if there are any; the run goes on without them if they fail."""
        try:
            yield self._shared
        except StorageError as error:
            structlog.get_logger().warning("searches are not shared", reason=str(error))
            self._shared = None


def interleaved(answers: Iterable[SearchAnswer]) -> tuple[str, ...]:
    """The addresses of all hits, each once: the best of each answer, then the second of each."""
    found: dict[str, str] = {}
    for ranked in zip_longest(*(answer.hits for answer in answers)):
        for hit in filter(None, ranked):
            found.setdefault(address_key(hit.url), hit.url)
    return tuple(found.values())


class OwnSearch:
    """A `SearchProvider` that asks the user's own, for at most as long as one of ours may take.

    Args:
        provider: Who is asked; its name and whether it is local are taken once.
        policy: `search.yaml`.
        limiter: Is asked before each question that leaves this machine.

    Raises:
        SettingsError: Its name cannot be used.
    """

    def __init__(
        self, provider: SearchProvider, policy: SearchPolicy, limiter: CallLimiter = UNLIMITED
    ) -> None:
        self._provider = provider
        self._policy = policy
        self._limiter = limiter
        name = cast("object", provider.name)
        if not isinstance(name, str) or not _NAME.fullmatch(name) or name in tuple(SearchName):
            raise SettingsError(
                f"{name!r} cannot be the name of your own search provider",
                "use at most 40 small letters, digits and underscores, a letter first, and no "
                "provider's of foureyes",
            )
        self.name = name
        self.local = provider.local is True

    async def search(self, query: str, limit: int) -> SearchAnswer:
        """At most `limit` hits for `query`, without those that have no usable address.

        Raises:
            SearchUnavailable: It failed, took too long, or gave something else than an answer.
        """
        async with nullcontext() if self.local else one_call(self._limiter, LimitName.FETCH):
            answer = await self._ask(query, limit)
        if not isinstance(answer, SearchAnswer):
            kind = type(answer).__name__
            raise SearchUnavailable(self.name, f"it gave a {kind}, and no SearchAnswer")
        try:
            found = as_recorded(SearchAnswer, answer)
        except ValueError as error:
            raise SearchUnavailable(self.name, f"its answer is not whole: {error}") from error
        return usable_answer(self.name, found.hits, limit, self._policy, self._address)

    async def _ask(self, query: str, limit: int) -> object:
        try:
            async with asyncio.timeout(self._policy.transfer.attempt):
                return await self._provider.search(query, limit)
        except SearchUnavailable:
            raise
        # It is user code. Its messages may contain its key, so that an agent sees the kind only.
        except (Exception, SystemExit) as error:
            structlog.get_logger().error("search failed", provider=self.name, exc_info=True)
            raise SearchUnavailable(self.name, f"it raised {type(error).__name__}") from error

    def _address(self, url: str) -> str | None:
        """A web address, or a path below the user's folders from a provider on this machine."""
        if (web := web_address(url)) is not None:
            return web
        with suppress(ValueError):
            parts = urlsplit(url)
            plain = not parts.scheme and not parts.netloc and url.isprintable()
            return url if self.local and plain and parts.path else None
        return None
