"""The stored copies of sources, named by the hash of their bytes, and what each address gave.

`SharedStore` keeps those that runs share: what was fetched lately need not be fetched again.

Files, in the run's `sources` folder:

    <sha256>            the bytes as they were answered
    <sha256>.txt        the text read out of them
    <sha256>.json       the `Snapshot`
    index/<key>.json    the `Source` of an address; the key is the hash of the address

Everything is written whole and renamed into place, content before what points to it, so that
processes may share a folder and an interrupted one leaves nothing half written.

Files, in the shared folder:

    index.sqlite3         which address gave which snapshot, and when that was last true
    blobs/<ab>/<sha256>   bytes and texts, named by the hash of their content
    turns/<abc>.lock      held while an address is fetched

Content is there before the index tells of it, and its hash is checked when it is read, so that a
killed process leaves at worst an unknown file, and a missing or damaged file is a miss.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
import threading
from collections.abc import AsyncGenerator, Generator, Iterable
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import anyio
from pydantic import ValidationError

from ..base.errors import SnapshotError, StorageError
from ..base.files import from_json, storage_errors, to_json, write_atomic
from .addresses import address_key
from .model import Snapshot, Source, SourceSet
from .policy import CachePolicy

if TYPE_CHECKING:
    import filelock


T = TypeVar("T")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS entries(
    key TEXT PRIMARY KEY, source TEXT NOT NULL, bytes TEXT NOT NULL, text TEXT NOT NULL,
    size INTEGER NOT NULL, confirmed REAL NOT NULL, used REAL NOT NULL);
CREATE INDEX IF NOT EXISTS entries_used ON entries(used);
"""
_PATIENCE = 30.0
_LEFT_OVER_AFTER = timedelta(hours=1)
_LONGEST_TURN, _LOOK = 10.0, 0.05
_ROOM = 0.9
"""How full the store is after it was found too large, so that it is not so again at once."""


def sha256_hex(data: bytes) -> str:
    """The name of `data` in a store: its sha256 in lower-case hexadecimal."""
    return hashlib.sha256(data).hexdigest()


_NO_TEXT = sha256_hex(b"")


class SnapshotStore:
    """The snapshots of one run.

    Args:
        folder: The run's `sources` folder. It is created at the first write.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, body: bytes, text: str, snapshot: Snapshot) -> Snapshot:
        """Store a copy of a source.

        Equal bytes are stored once. Their text is the one that was read first, unless it is empty:
        a later copy of the same bytes takes it over.

        Returns:
            `snapshot` with the hash and pages of the text that is stored.

        Raises:
            StorageError: The file system refused.
        """
        with storage_errors(self._folder, "create"):
            self._folder.mkdir(parents=True, exist_ok=True)
        known = self._path(snapshot.sha256, ".json").exists()
        stored = self.snapshot(snapshot.sha256) if known else None
        if stored is not None and (stored.text_sha256 != _NO_TEXT or not text):
            return replace(snapshot, text_sha256=stored.text_sha256, pages=stored.pages)
        write_atomic(self._folder / snapshot.sha256, body)
        write_atomic(self._folder / f"{snapshot.sha256}.txt", text)
        write_atomic(self._folder / f"{snapshot.sha256}.json", to_json(Snapshot, snapshot))
        return snapshot

    def record(self, source: Source) -> None:
        """Keep what an address gave. A source that was read stays; failures follow each other.

        Raises:
            StorageError: The file system refused.
        """
        before = self.lookup(source.url)
        if before is not None and (before.state.readable or before == source):
            return
        path = self._index_path(source.url)
        with storage_errors(path.parent, "create"):
            path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, to_json(Source, source))

    def lookup(self, url: str) -> Source | None:
        """The source fetched for `url` in this run, named `url`; None if it was not tried.

        Raises:
            SnapshotError: The entry is damaged.
        """
        path = self._index_path(url)
        if not path.exists():
            return None
        return replace(self._record(Source, path), url=url)

    def sources(self) -> tuple[Source, ...]:
        """The sources of all addresses tried, by address.

        Raises:
            SnapshotError: An entry is damaged.
        """
        entries = (self._folder / "index").glob("*.json")
        found = (self._record(Source, path) for path in entries)
        return tuple(sorted(found, key=lambda source: source.url))

    def get(self, sha256: str) -> bytes:
        """The bytes of a snapshot, checked against their name.

        Raises:
            SnapshotError: They are missing or were changed.
        """
        return self._read_verified(self._path(sha256), sha256)

    def require_whole(self, sources: Iterable[Source]) -> None:
        """Check the bytes of every snapshot of `sources` that can be read.

        Raises:
            SnapshotError: Some are missing or were changed.
        """
        for source in sources:
            if source.state.readable and source.snapshot is not None:
                self.get(source.snapshot.sha256)

    def text(self, sha256: str) -> str:
        """The text of a snapshot, checked against the hash in its metadata.

        Raises:
            SnapshotError: It is missing or was changed.
        """
        expected = self.snapshot(sha256).text_sha256
        return self._read_verified(self._path(sha256, ".txt"), expected).decode("utf-8")

    def snapshot(self, sha256: str) -> Snapshot:
        """The metadata of a snapshot, as of the first address that gave it.

        Raises:
            SnapshotError: It is missing or damaged.
        """
        return self._record(Snapshot, self._path(sha256, ".json"))

    def source_set(self, sources: Iterable[Source]) -> SourceSet:
        """`sources` by address, with the text of each that can be read.

        Raises:
            SnapshotError: A text is missing or was changed.
        """
        by_url = {source.url: source for source in sources}
        readable = {
            source.snapshot.sha256
            for source in by_url.values()
            if source.state.readable and source.snapshot is not None
        }
        return SourceSet(by_url, {sha256: self.text(sha256) for sha256 in sorted(readable)})

    def _path(self, sha256: str, suffix: str = "") -> Path:
        if not re.fullmatch(r"[0-9a-f]{64}", sha256):
            raise SnapshotError(f"{sha256[:80]!r} is not the name of a snapshot")
        return self._folder / (sha256 + suffix)

    def _index_path(self, url: str) -> Path:
        key = address_key(url).encode("utf-8", "surrogatepass")
        return self._folder / "index" / f"{sha256_hex(key)}.json"

    def _read_verified(self, path: Path, expected: str) -> bytes:
        data = _read(path)
        if sha256_hex(data) != expected:
            raise SnapshotError(f"{path.name} does not match its hash", "the file was changed")
        return data

    def _record(self, kind: type[T], path: Path) -> T:
        try:
            return from_json(kind, _read(path))
        except ValidationError as error:
            raise SnapshotError(f"{path.name} is damaged", "the file was changed") from error


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SnapshotError(f"snapshot file {path.name} cannot be read: {reason}") from error


@dataclass(frozen=True, slots=True)
class SharedCopy:
    """A source that a run has shared, and when the network last said that it is so."""

    source: Source
    snapshot: Snapshot
    confirmed: datetime

    def is_fresh(self, now: datetime, policy: CachePolicy) -> bool:
        """Whether it may stand for the live page without a request.

        A page that asks for a shorter time (``max-age``, ``no-cache``) gets it.
        """
        wishes = dict(self.snapshot.headers).get("cache-control", "").lower()
        asked = re.search(r"max-age\s*=\s*\"?([0-9]{1,9})", wishes)
        seconds = min(policy.fresh, float(asked[1])) if asked else policy.fresh
        age = (now - self.confirmed).total_seconds()
        return "no-cache" not in wishes and 0 <= age < seconds


class SharedStore:
    """The shared snapshots of one user.

    Args:
        folder: Created when it is first written to, for this user alone.
        policy: Bounds of age and size.
        scope: Tells apart what must not answer for each other: another version that reads text,
            other rules, other hosts allowed.
    """

    def __init__(self, folder: Path, policy: CachePolicy, scope: str = "") -> None:
        self._folder = folder
        self._policy = policy
        self._scope = scope
        # One connection for all threads: whoever closes the last one has to tidy up the log.
        self._turn = threading.Lock()
        self._opened: sqlite3.Connection | None = None

    def close(self) -> None:
        """Close the index; the next call opens it again."""
        with self._turn:
            opened, self._opened = self._opened, None
            if opened is not None:
                opened.close()

    def find(self, url: str, now: datetime) -> SharedCopy | None:
        """The stored source of `url`, unless it is older than the policy allows.

        Raises:
            StorageError: The index cannot be read.
        """
        if not self._index.exists():
            return None
        with self._connection() as index:
            row = index.execute(
                "SELECT source, confirmed FROM entries WHERE key = ?", (self._key(url),)
            ).fetchone()
        if row is None or now.timestamp() - row[1] > self._policy.longest:
            return None
        try:
            source = replace(from_json(Source, row[0]), url=url)
        except ValidationError:
            # Written by another version of this program.
            return None
        if source.snapshot is None:
            return None
        return SharedCopy(source, source.snapshot, datetime.fromtimestamp(row[1], now.tzinfo))

    def load(self, kept: SharedCopy, now: datetime) -> tuple[bytes, str] | None:
        """The bytes and the text of `kept`; None if they are gone or were changed.

        Raises:
            StorageError: The index cannot be written.
        """
        body = self._blob(kept.snapshot.sha256)
        text = self._blob(kept.snapshot.text_sha256)
        key = self._key(kept.source.url)
        with self._connection() as index:
            if body is None or text is None:
                index.execute("DELETE FROM entries WHERE key = ?", (key,))
                return None
            index.execute("UPDATE entries SET used = ? WHERE key = ?", (now.timestamp(), key))
        return body, text.decode("utf-8")

    @asynccontextmanager
    async def turn(self, url: str) -> AsyncGenerator[None]:
        """Hold `url` while the block fetches it, after whoever fetches it now.

        So the second of two runs that want an address at once finds what the first has shared.
        Nobody waits for long: a server may never answer.

        Raises:
            StorageError: The folder cannot be written.
        """
        # Costs 20 ms to import, which runs without a fetch need not pay.
        import filelock

        path = self._folder / "turns" / f"{self._key(url)[:3]}.lock"
        with storage_errors(path, "lock"):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = filelock.FileLock(path, timeout=0, thread_local=False)
        with anyio.move_on_after(_LONGEST_TURN):
            while not _try_lock(lock, path):  # noqa: ASYNC110 - polls processes
                await anyio.sleep(_LOOK)
        try:
            yield
        finally:
            lock.release()

    def keep(self, source: Source, body: bytes, text: str, now: datetime) -> None:
        """Share a readable source, unless its server forbids to store it.

        Raises:
            StorageError: The folder or the index cannot be written.
        """
        snapshot = source.snapshot
        if snapshot is None or not source.state.readable:
            return
        if "no-store" in dict(snapshot.headers).get("cache-control", "").lower():
            return
        data = text.encode("utf-8")
        for name, content in ((snapshot.sha256, body), (snapshot.text_sha256, data)):
            self._write(name, content)
        record = to_json(Source, source, indent=None)
        names = (snapshot.sha256, snapshot.text_sha256)
        seconds = now.timestamp()
        row = (self._key(source.url), record, *names, len(body) + len(data), seconds, seconds)
        with self._connection() as index:
            index.execute("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def evict(self, now: datetime) -> None:
        """Remove what is too old, what is beyond the size, and what crashes left.

        Raises:
            StorageError: The folder or the index cannot be written.
        """
        if not self._index.exists():
            return
        with self._connection() as index:
            index.execute("BEGIN IMMEDIATE")
            oldest = now.timestamp() - self._policy.longest
            dropped = index.execute(
                "DELETE FROM entries WHERE confirmed < ? RETURNING bytes, text", (oldest,)
            ).fetchall()
            dropped += self._beyond_size(index)
            rows = index.execute("SELECT bytes, text FROM entries").fetchall()
            index.execute("COMMIT")
        used = {name for row in rows for name in row}
        unused = {name for row in dropped for name in row} - used
        with storage_errors(self._folder, "clean up"):
            for path in (self._folder / "blobs").glob("??/*"):
                if path.name in unused or (path.name not in used and _is_left_over(path, now)):
                    path.unlink(missing_ok=True)

    def _beyond_size(self, index: sqlite3.Connection) -> list[tuple[str, str]]:
        """Delete the entries that were not used for longest, down to some room."""
        total = index.execute("SELECT coalesce(sum(size), 0) FROM entries").fetchone()[0]
        if total <= self._policy.most_bytes:
            return []
        deleted: list[tuple[str, str]] = []
        for key, size, body, text in index.execute(
            "SELECT key, size, bytes, text FROM entries ORDER BY used"
        ).fetchall():
            if total <= self._policy.most_bytes * _ROOM:
                break
            index.execute("DELETE FROM entries WHERE key = ?", (key,))
            deleted.append((body, text))
            total -= size
        return deleted

    @property
    def _index(self) -> Path:
        return self._folder / "index.sqlite3"

    def _key(self, url: str) -> str:
        return sha256_hex(f"{self._scope}\n{address_key(url)}".encode("utf-8", "surrogatepass"))

    def _path(self, name: str) -> Path:
        return self._folder / "blobs" / name.lstrip(".")[:2] / name

    def _blob(self, name: str) -> bytes | None:
        try:
            data = self._path(name).read_bytes()
        except OSError:
            return None
        return data if sha256_hex(data) == name else None

    def _write(self, name: str, content: bytes) -> None:
        path = self._path(name)
        with storage_errors(path.parent, "create"):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if self._blob(name) is None:
            write_atomic(path, content, durable=False)

    def _open(self) -> sqlite3.Connection:
        with storage_errors(self._folder, "create"):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        index = sqlite3.connect(
            self._index, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
        )
        try:
            index.execute("PRAGMA journal_mode = WAL")
            index.execute("PRAGMA synchronous = NORMAL")
            index.executescript(_SCHEMA)
        except sqlite3.Error:
            index.close()
            raise
        return index

    @contextmanager
    def _connection(self) -> Generator[sqlite3.Connection]:
        try:
            with self._turn:
                if self._opened is None:
                    self._opened = self._open()
                yield self._opened
        except sqlite3.Error as error:
            raise StorageError(
                f"the shared store of sources in {str(self._folder)!r} cannot be used: {error}",
                "delete the folder, or turn it off with --source-cache none",
            ) from error


def _try_lock(lock: filelock.BaseFileLock, path: Path) -> bool:
    with storage_errors(path, "lock"):
        try:
            lock.acquire()
        except TimeoutError:
            return False
    return True


def _is_left_over(path: Path, now: datetime) -> bool:
    """Whether a file that no entry names is old: a young one may be about to be named."""
    try:
        return path.stat().st_mtime < (now - _LEFT_OVER_AFTER).timestamp()
    except FileNotFoundError:
        return False
