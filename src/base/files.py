"""Atomic writes, append-only logs, bounded reads, records as JSON, and locked files as places."""

from __future__ import annotations

import codecs
import errno
import functools
import hashlib
import json
import os
import re
import secrets
import shutil
import socket
import stat
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import IO, Any, Generic, TypeVar, cast

import filelock
from pydantic import JsonValue, TypeAdapter, ValidationError

from .errors import DocumentError, StorageError, first_mistake

MAX_DOCUMENT_BYTES = 20 * 1024 * 1024
STANDARD_INPUT = Path("-")
"""The name of standard input among files."""
OTHER_KINDS = {b"%PDF-": "a PDF file", b"PK\x03\x04": "a Word or ZIP file"}
"""Files that are no text even where all their bytes are characters, by how they begin."""

T = TypeVar("T")

RecordT = TypeVar("RecordT")

_MUTEX_S = 10.0


@contextmanager
def storage_errors(path: Path, action: str) -> Generator[None]:
    """Turn an `OSError` of the block into a `StorageError` that names `path` and a remedy."""
    try:
        yield
    except OSError as error:
        hints = {
            errno.ENOSPC: "the disk is full: free some space first",
            errno.EDQUOT: "the disk quota is used up: free some space first",
            errno.EACCES: "no permission: choose a folder you may write to",
            errno.EPERM: "no permission: choose a folder you may write to",
            errno.EROFS: "the file system is read-only: choose another folder",
            errno.ENAMETOOLONG: "the name is too long: choose a shorter one",
            errno.EISDIR: "give the name of a file",
        }
        number, reason = _cause(error)
        hint = hints.get(number, "")
        raise StorageError(f"cannot {action} {str(path)!r}: {reason}", hint) from error


def _cause(error: OSError) -> tuple[int, str]:
    """The number and the words of an error of the system, also of one that `shutil` collected."""
    collected = error.args[0] if isinstance(error, shutil.Error) and error.args else None
    if isinstance(collected, list) and collected:
        first = cast("list[tuple[str, str, str]]", collected)[0]
        if match := re.match(r"\[Errno (\d+)\] ([^:]+)", str(first[-1])):
            return int(match[1]), match[2]
    return error.errno or 0, error.strerror or type(error).__name__


def make_folder(folder: Path) -> None:
    """Make `folder` and those above it, if they are not there.

    Raises:
        StorageError: The file system refused.
    """
    with storage_errors(folder, "create"):
        folder.mkdir(parents=True, exist_ok=True)


def write_atomic(
    path: Path, content: str | bytes, *, durable: bool = True, private: bool = False
) -> None:
    """Replace `path` with `content` so that a reader sees the old file or the new one.

    Text is written as UTF-8 with its line ends as they are. `durable` also forces the bytes to
    the disk before the rename. A `private` file is its owner's alone; of others the umask says who
    may read them. The folder must exist.

    Raises:
        StorageError: The file system refused.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    with atomic_file(path, durable=durable, private=private) as file:
        file.write(data)


@contextmanager
def atomic_file(path: Path, *, durable: bool = True, private: bool = False) -> Generator[IO[bytes]]:
    """A file to write piece by piece that takes the place of `path` at the end of the block.

    Where the block raises, `path` is left as it was. `durable` and `private` as in `write_atomic`.

    Raises:
        StorageError: The file system refused.
    """
    with storage_errors(path, "write"):
        _refuse_no_file(path)
        name = path.with_name(f".{path.name[:40]}.{secrets.token_hex(8)}")
        handle = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
                file.flush()
                if durable:
                    os.fsync(file.fileno())
            os.replace(name, path)
        except BaseException:
            name.unlink(missing_ok=True)
            raise


def _refuse_no_file(path: Path) -> None:
    try:
        # Asked once: others may take the file away in the meantime.
        mode = path.stat().st_mode
    except OSError:
        return
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):
        # A device or a pipe would be gone for everybody.
        raise FileExistsError(errno.EEXIST, "it is a device or a pipe, no file")


@contextmanager
def scratch_folder(purpose: str) -> Generator[Path]:
    """A new private folder for the block; those that killed processes left behind go first.

    Raises:
        StorageError: The file system refused.
    """
    remove_left_scratch()
    root = Path(tempfile.gettempdir())
    with storage_errors(root, "make a folder in"):
        made = tempfile.TemporaryDirectory(
            prefix=f"foureyes-{purpose}-{owner_mark()}-", ignore_cleanup_errors=True
        )
    with made as folder:
        yield Path(folder)


def remove_left_scratch() -> None:
    """Remove the private folders, of whatever purpose, that killed processes left behind."""
    remove_left_behind(Path(tempfile.gettempdir()), "foureyes-*-")


def owner_mark() -> str:
    """Who makes a folder, for its name: this machine's processes and this one of them."""
    try:
        space = os.readlink("/proc/self/ns/pid")
    except OSError:
        space = ""
    machine = hashlib.sha256(f"{socket.gethostname()}{space}".encode()).hexdigest()[:8]
    return f"{machine}.{os.getpid()}"


def remove_left_behind(root: Path, prefix: str) -> None:
    """Remove the folders in `root` that begin with `prefix` and whose process is gone.

    Only this user's own, made on this machine; what cannot be removed stays. A ``*`` in `prefix`
    stands for any characters.
    """
    machine = owner_mark().partition(".")[0]
    with suppress(OSError):
        for folder in root.glob(f"{prefix}{machine}.*"):
            pid = folder.name.partition(f"{machine}.")[2].partition("-")[0]
            if pid.isdigit() and not _lives(int(pid)) and _is_own(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError as error:
        return not isinstance(error, ProcessLookupError)
    return True


def _is_own(folder: Path) -> bool:
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and (os.name != "posix" or found.st_uid == os.getuid())


def append_line(path: Path, line: str) -> None:
    """Append `line` and a line feed in one write. `line` must not contain a line feed.

    Raises:
        StorageError: The file system refused.
    """
    if "\n" in line:
        raise ValueError("a log line must not contain a line feed")
    with storage_errors(path, "append to"):
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        handle = os.open(path, flags, 0o644)
        try:
            data = f"{line}\n".encode()
            before = os.fstat(handle).st_size
            if os.write(handle, data) < len(data):
                # The disk had room for a part of it, which the next line must not stand behind.
                os.ftruncate(handle, before)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        finally:
            os.close(handle)


def drop_torn_line(path: Path) -> None:
    """Cut an append-only log back to its last whole line; a log that is not there is left so.

    Only who may append to it may do this.

    Raises:
        StorageError: The file system refused.
    """
    with storage_errors(path, "tidy up"), suppress(FileNotFoundError), path.open("r+b") as file:
        data = file.read()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            file.truncate(whole)


def read_lines(path: Path) -> Iterator[str]:
    """Yield the whole lines of an append-only log; a torn last line is dropped.

    Raises:
        StorageError: The file cannot be read.
    """
    with storage_errors(path, "read"):
        data = path.read_bytes()
    complete = data[: data.rfind(b"\n") + 1]
    for line in complete.decode("utf-8", "replace").split("\n"):
        if line:
            yield line


def read_document_bytes(path: Path, *, max_bytes: int = MAX_DOCUMENT_BYTES) -> bytes:
    """Read a file that a user named; `-` is standard input.

    A pipe gives its bytes once, so whoever needs them twice keeps them.

    Raises:
        DocumentError: It is missing, a folder, unreadable, empty or larger than `max_bytes`.
    """
    name = document_name(path)
    try:
        if path.is_dir():
            raise DocumentError(f"{name!r} is a folder", "give a file")
        if path == STANDARD_INPUT:
            data = sys.stdin.buffer.read(max_bytes + 1)
        else:
            with path.open("rb") as file:
                data = file.read(max_bytes + 1)
    except FileNotFoundError:
        raise DocumentError(f"{name!r} does not exist", "check the path") from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise DocumentError(f"cannot read {name!r}: {reason}", "check its rights") from error
    if len(data) > max_bytes:
        raise DocumentError(
            f"{name!r} is larger than {max_bytes:,} bytes", "split it into several documents"
        )
    if not data.strip():
        raise DocumentError(f"{name!r} is empty", "give a file with text")
    return data


def document_name(path: Path) -> str:
    """How a person knows the file at `path`."""
    return "standard input" if path == STANDARD_INPUT else str(path)


def read_document(path: Path, *, max_bytes: int = MAX_DOCUMENT_BYTES) -> str:
    """Read a UTF-8 text file that a user named; line ends are kept, a byte order mark is dropped.

    Raises:
        DocumentError: As `read_document_bytes` and `decode_document`.
    """
    return decode_document(read_document_bytes(path, max_bytes=max_bytes), document_name(path))


def decode_document(data: bytes, name: str) -> str:
    """The text of a UTF-8 document that a user knows as `name`.

    Raises:
        DocumentError: It is a PDF, a ZIP file, UTF-16, binary or not UTF-8.
    """
    for start, kind in OTHER_KINDS.items():
        if data.startswith(start):
            raise DocumentError(
                f"{name!r} is {kind}",
                "give a text or Markdown file; `foureyes review` reads PDF and Word files",
            )
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise DocumentError(f"{name!r} is UTF-16", "convert it to UTF-8 first")
    if b"\x00" in data:
        raise DocumentError(f"{name!r} is a binary file", "give a text or Markdown file")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentError(
            f"{name!r} is not UTF-8 (byte {error.start})", "convert it to UTF-8 first"
        ) from error


@functools.cache
def adapter(type_: Any) -> TypeAdapter[Any]:
    """The validator of `type_`, built once for each type."""
    return TypeAdapter(type_)


def to_json(type_: type[T], value: T, *, indent: int | None = 2) -> str:
    """`value` as JSON text. Keys keep the order of the fields."""
    return adapter(type_).dump_json(value, indent=indent).decode("utf-8")


class JsonResult(ABC):
    """The result of a call, as JSON of a published schema."""

    __slots__ = ()

    @abstractmethod
    def model_dump_json(self) -> str:
        """The result as JSON text."""

    def to_dict(self) -> dict[str, JsonValue]:
        """The result as JSON values."""
        return cast("dict[str, JsonValue]", json.loads(self.model_dump_json()))


def from_json(type_: type[T], text: str | bytes) -> T:
    """The record of `type_` in `text`.

    Raises:
        pydantic.ValidationError: `text` is not JSON or does not match.
    """
    return adapter(type_).validate_json(text)


def as_recorded(type_: type[T], value: T) -> T:
    """`value`, which anyone's code made, as it reads back from its record.

    What is meant is put right where the record leaves no doubt, such as a list for a tuple.

    Raises:
        ValueError: Its fields are not those of `type_`; the first that is wrong is named.
    """
    kind = adapter(type_)
    try:
        return kind.validate_json(kind.dump_json(value, warnings=False))
    except ValidationError as error:
        raise ValueError(first_mistake(error)) from error


def take_lock(path: Path, patience: float = 0.0) -> filelock.BaseFileLock | None:
    """The lock on `path`, to be released; None if another keeps it for `patience` seconds.

    It ends with the process.

    Raises:
        OSError: The file system refused.
    """
    lock = filelock.FileLock(path, timeout=patience, poll_interval=0.02, thread_local=False)
    try:
        lock.acquire()
    except filelock.Timeout:
        return None
    return lock


@contextmanager
def only_writer(path: Path, *, patience: float = 10.0) -> Generator[None]:
    """Lock `path` against other writers; its folder is made if it is missing.

    Raises:
        StorageError: Another writer kept the lock for `patience` seconds, or the file system
            refused.
    """
    with storage_errors(path, "write"):
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = take_lock(path.with_name(f".{path.name}.lock"), patience)
    if lock is None:
        raise StorageError(
            f"{str(path)!r} is being written by another process", "try again when it has ended"
        )
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


class RecordFile(Generic[RecordT]):
    """The records of one kind in the file `path`, oldest first.

    Args:
        path: The file; its folder is made with the first record.
        kind: The type of all records together.
    """

    def __init__(self, path: Path, kind: type[tuple[RecordT, ...]]) -> None:
        self.path = path
        self._kind = kind

    def all(self) -> tuple[RecordT, ...]:
        """Every record; none if there is no file.

        Raises:
            StorageError: The file cannot be read or is damaged.
        """
        text = read_if_there(self.path)
        if not text:
            return ()
        try:
            return from_json(self._kind, text)
        except ValidationError as error:
            raise StorageError(
                f"{str(self.path)!r} is damaged: {error.errors()[0]['msg']}",
                "restore or remove it",
            ) from error

    def add(self, *records: RecordT) -> None:
        """Keep `records` behind those that are there.

        Raises:
            StorageError: The file cannot be read or written.
        """
        with only_writer(self.path):
            kept = (*self.all(), *records)
            write_atomic(self.path, to_json(self._kind, kept) + "\n")


def take_place(folder: Path, name: str, most: int) -> filelock.BaseFileLock | None:
    """A place called `name` in `folder`, to be released; None if `most` are held already.

    However different the limits of those who ask, what all hold is counted together.

    Raises:
        StorageError: The file system refused.
    """
    path = folder / f"{name}.places"
    mutex = filelock.FileLock(path, timeout=_MUTEX_S, poll_interval=0.01, thread_local=False)
    with storage_errors(path, "lock"), mutex:
        places = sorted(folder.glob(f"{name}-*.place"))
        numbered = (folder / f"{name}-{number}.place" for number in count())
        new = next(place for place in numbered if place not in places)
        held, free = 0, None
        for place in places:
            if held == most:
                break
            lock = take_lock(place)
            if lock is None:
                held += 1
            elif free is None:
                free = lock
            else:
                lock.release()
        if held < most:
            return free or take_lock(new)
        if free is not None:
            free.release()
        return None
