"""Places that the processes of one machine share: locked files, free when their holder dies."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import filelock

from .files import storage_errors

_MUTEX_S = 10.0


class FilePlaces:
    """The places called `name` in `folder`, which is there.

    However different the limits of those who ask, what all hold is counted together.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name

    def take(self, most: int) -> filelock.BaseFileLock | None:
        """A place, to be released; None if `most` are held already.

        Raises:
            StorageError: The file system refused.
        """
        with self._looking():
            held, free = self._looked(most)
            if free is not None and held >= most:
                free.release()
                return None
            return free

    def held(self) -> int:
        """How many are held now.

        Raises:
            StorageError: The file system refused.
        """
        with self._looking():
            held, free = self._looked(None)
            if free is not None:
                free.release()
            return held

    @contextmanager
    def _looking(self) -> Generator[None]:
        path = self._folder / f"{self._name}.places"
        with storage_errors(path, "lock"), self._lock(path, _MUTEX_S):
            yield

    def _looked(self, enough: int | None) -> tuple[int, filelock.BaseFileLock | None]:
        """How many are held, counted to `enough`, and the first that was not, which now is."""
        paths = sorted(self._folder.glob(f"{self._name}-*.place"))
        new = next(path for path in self._numbered() if path not in paths)
        held, free = 0, None
        for path in (*paths, new):
            if held == enough or (path == new and free is not None):
                break
            lock = self._lock(path, 0)
            try:
                lock.acquire()
            except filelock.Timeout:
                held += 1
                continue
            if free is None:
                free = lock
            else:
                lock.release()
        return held, free

    def _numbered(self) -> Iterator[Path]:
        return (self._folder / f"{self._name}-{number}.place" for number in count())

    def _lock(self, path: Path, timeout: float) -> filelock.BaseFileLock:
        return filelock.FileLock(path, timeout=timeout, poll_interval=0.01, thread_local=False)
