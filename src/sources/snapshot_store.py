"""The stored copies of sources, named by the hash of their bytes, and what each address gave.

Files, in the run's `sources` folder:

    <sha256>            the bytes as they were answered
    <sha256>.txt        the text read out of them
    <sha256>.json       the `Snapshot`
    index/<key>.json    the `Source` of an address; the key is the hash of the address

Everything is written whole and renamed into place, content before what points to it, so that
processes may share a folder and an interrupted one leaves nothing half written.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from ..base.errors import SnapshotError
from ..base.files import from_json, storage_errors, to_json, write_atomic
from .addresses import address_key
from .model import Snapshot, Source, SourceSet

T = TypeVar("T")


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
