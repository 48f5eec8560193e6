"""Files that several processes change: one at a time, each change whole or not at all."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from ...base.errors import StorageError
from ...base.files import storage_errors


@contextmanager
def only_writer(path: Path, *, patience: float = 10.0) -> Generator[None]:
    """Hold `path` against other writers; its folder is made if it is missing.

    Raises:
        StorageError: Another writer held it for `patience` seconds, or the file system refused.
    """
    # Imported here: it costs 20 ms, and only writers need it.
    import filelock

    lock_path = path.with_name(f".{path.name}.lock")
    with storage_errors(path, "write"):
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(lock_path, timeout=patience, thread_local=False)
        try:
            lock.acquire()
        except filelock.Timeout:
            raise StorageError(
                f"{str(path)!r} is being written by another process", "try again when it has ended"
            ) from None
    try:
        yield
    finally:
        lock.release()


def read_if_there(path: Path) -> str:
    """The text of `path`, "" if there is no such file.

    Raises:
        StorageError: It cannot be read, or is not UTF-8.
    """
    with storage_errors(path, "read"):
        try:
            return path.read_bytes().decode("utf-8")
        except FileNotFoundError:
            return ""
        except UnicodeDecodeError:
            raise StorageError(f"{str(path)!r} is not UTF-8", "restore or remove it") from None
