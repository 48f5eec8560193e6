"""The stored copies of sources, named by the hash of their bytes, and what each address gave.

`SharedStore` keeps those that runs share: what was fetched lately need not be fetched again.

Files, in the run's `sources` folder:

    <sha256>            the bytes as they were answered
    <sha256>.txt        the text read out of them
    <sha256>.json       the `Snapshot`
    index/<key>.json    the `Source` of an address; the key is the hash of the address

Everything is written whole and renamed into place, content before what points to it, so that
processes may share a folder and an interrupted one leaves nothing half written.

Files, in the shared folder, where the key also tells what read the source:

    <ab>/<key>            the `SharedCopy` on a line, the bytes, the text; its time is when it was
                          last used
    turns/<abc>.lock      held while an address is fetched

The hashes of bytes and text are checked when they are read, so that a missing or damaged entry is a
miss.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import accumulate
from pathlib import Path
from typing import TypeVar

import anyio
from pydantic import ValidationError

from ..base.errors import SnapshotError
from ..base.files import from_json, make_folder, storage_errors, take_lock, to_json, write_atomic
from .addresses import address_key
from .model import Snapshot, Source, SourceSet, evidence_of
from .policy import CachePolicy

T = TypeVar("T")

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
        make_folder(self._folder)
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
        make_folder(path.parent)
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
            if read := evidence_of(source):
                self.get(read.sha256)

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
        readable = {read.sha256 for source in by_url.values() if (read := evidence_of(source))}
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


def _cache_control(snapshot: Snapshot) -> str:
    """What the server said about keeping copies, in lower case."""
    return dict(snapshot.headers).get("cache-control", "").lower()


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
        wishes = _cache_control(self.snapshot)
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

    def find(self, url: str, now: datetime) -> SharedCopy | None:
        """The stored source of `url`, unless it is older than the policy allows.

        Raises:
            StorageError: The folder cannot be read.
        """
        path = self._path(url)
        # One that cannot be read was written by another version of this program.
        with storage_errors(path, "read"), suppress(FileNotFoundError, ValidationError):
            with path.open("rb") as file:
                copy = from_json(SharedCopy, file.readline())
            if (now - copy.confirmed).total_seconds() <= self._policy.longest:
                return replace(copy, source=replace(copy.source, url=url))
        return None

    def load(self, kept: SharedCopy, now: datetime) -> tuple[bytes, str] | None:
        """The bytes and the text of `kept`; None if they are gone or were changed.

        Raises:
            StorageError: The folder cannot be used.
        """
        path, snapshot = self._path(kept.source.url), kept.snapshot
        with storage_errors(path, "read"):
            with suppress(FileNotFoundError):
                _, _, content = path.read_bytes().partition(b"\n")
                body, text = content[: snapshot.size], content[snapshot.size :]
                names = snapshot.sha256, snapshot.text_sha256
                if (sha256_hex(body), sha256_hex(text)) == names:
                    os.utime(path, (now.timestamp(), now.timestamp()))
                    return body, text.decode("utf-8")
            path.unlink(missing_ok=True)
        return None

    @asynccontextmanager
    async def turn(self, url: str) -> AsyncGenerator[None]:
        """Hold `url` while the block fetches it, after whoever fetches it now.

        So the second of two runs that want an address at once finds what the first has shared.
        Nobody waits for long: a server may never answer.

        Raises:
            StorageError: The folder cannot be written.
        """
        path, lock = self._folder / "turns" / f"{self._path(url).name[:3]}.lock", None
        with storage_errors(path, "lock"), anyio.move_on_after(_LONGEST_TURN):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            while (lock := take_lock(path)) is None:  # noqa: ASYNC110 - polls processes
                await anyio.sleep(_LOOK)
        try:
            yield
        finally:
            if lock is not None:
                lock.release()

    def keep(self, source: Source, body: bytes, text: str, now: datetime) -> None:
        """Share a readable source, unless its server forbids to store it.

        Raises:
            StorageError: The folder cannot be written.
        """
        snapshot = evidence_of(source)
        if snapshot is None or "no-store" in _cache_control(snapshot):
            return
        path = self._path(source.url)
        record = to_json(SharedCopy, SharedCopy(source, snapshot, now), indent=None).encode()
        with storage_errors(path, "write"), suppress(FileNotFoundError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.parent.mkdir(exist_ok=True, mode=0o700)
            write_atomic(path, record + b"\n" + body + text.encode(), durable=False)
            # Another process may have removed it.
            os.utime(path, (now.timestamp(), now.timestamp()))

    def evict(self, now: datetime) -> None:
        """Remove what was not used for long, what is beyond the size, and what crashes left.

        Raises:
            StorageError: The folder cannot be written.
        """
        oldest = now.timestamp() - self._policy.longest
        known: list[tuple[float, int, Path]] = []
        with storage_errors(self._folder, "clean up"):
            for path in self._folder.glob("??/*"):
                with suppress(FileNotFoundError):
                    status = path.stat()
                    known.append((status.st_mtime, status.st_size, path))
            # The sources that were used last come first.
            known.sort(reverse=True)
            total = list(accumulate(size for _, size, _ in known))
            most = self._policy.most_bytes
            most = most if not total or total[-1] <= most else most * _ROOM
            for (used, _, path), size in zip(known, total, strict=True):
                # What begins with a dot is being written.
                if used < oldest or (size > most and not path.name.startswith(".")):
                    path.unlink(missing_ok=True)

    def _path(self, url: str) -> Path:
        named = f"{self._scope}\n{address_key(url)}".encode("utf-8", "surrogatepass")
        key = sha256_hex(named)
        return self._folder / key[:2] / key
