"""Members of a stranger's zip, one by one and never more of them than is safe."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ...base.errors import InputError
from ...base.files import storage_errors

MOST_BYTES = 256 * 1024 * 1024
"""Of the file; also of all its members together that are read, times `MOST_RATIO`."""
MOST_RATIO = 8
MOST_MEMBER_BYTES = 64 * 1024 * 1024
MOST_MEMBERS = 250_000
ZSTANDARD = 93
"""The compression method that the standard library reads from Python 3.14 on."""
_LOCAL_HEADER = struct.Struct("<4s22xHH")
_MOST_WINDOW = 2**27
_FAULTS = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    EOFError,
    LookupError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    struct.error,
    zlib.error,
)
"""What zipfile raises for damaged archives, and for those with features that are not read."""


class Zipped:
    """An open zip of `open_zip`."""

    def __init__(self, path: Path, file: IO[bytes], archive: zipfile.ZipFile) -> None:
        self._path = path
        self._file = file
        self._archive = archive
        self._left = MOST_RATIO * MOST_BYTES
        # The last of a name counts, as for whoever reads it by name.
        self._members = {info.filename: info for info in archive.infolist()}
        if len(self._members) > MOST_MEMBERS:
            raise self._refused(f"it has {len(self._members):,} members")

    @property
    def names(self) -> Sequence[str]:
        """The names of its members."""
        return [*self._members]

    def read(self, name: str) -> bytes:
        """A member, whole.

        Raises:
            InputError: It is not there, is damaged, or too large.
        """
        info = self._members.get(name)
        if info is None:
            raise self._refused(f"it has no {name}")
        most = min(MOST_MEMBER_BYTES, self._left)
        with zip_errors(self._path):
            if info.compress_type == ZSTANDARD:
                data = self._zstandard(info, most)
            else:
                with self._archive.open(info) as member:
                    data = member.read(most + 1)
        if len(data) > most:
            raise self._refused(f"its members unpack to more than {most:,} bytes")
        self._left -= len(data)
        return data

    def _zstandard(self, info: zipfile.ZipInfo, most: int) -> bytes:
        try:
            import zstandard
        except ImportError:
            raise InputError(
                f"{str(self._path)!r} is compressed by zstandard, which needs an extra",
                "pip install 'foureyes[inspect]', or write the log as .json",
            ) from None
        self._file.seek(info.header_offset)
        mark, name, extra = _LOCAL_HEADER.unpack(self._file.read(_LOCAL_HEADER.size))
        if mark != b"PK\x03\x04" or info.flag_bits & 1:
            raise zipfile.BadZipFile(f"{info.filename!r} is not where it should be, or encrypted")
        self._file.seek(name + extra, 1)
        packed = self._file.read(min(info.compress_size, MOST_BYTES))
        reader = zstandard.ZstdDecompressor(max_window_size=_MOST_WINDOW)
        try:
            with reader.stream_reader(packed) as stream:
                data = stream.read(most + 1)
        except zstandard.ZstdError as error:
            raise zipfile.BadZipFile(str(error)) from error
        if len(data) <= most and zlib.crc32(data) != info.CRC:
            raise zipfile.BadZipFile(f"bad CRC-32 of {info.filename!r}")
        return data

    def _refused(self, why: str) -> InputError:
        return InputError(f"{str(self._path)!r} is not read: {why}", "check where it comes from")


@contextmanager
def open_zip(path: Path) -> Generator[Zipped]:
    """The zip at `path`.

    Raises:
        InputError: It is none, is damaged, or too large.
        StorageError: It cannot be read.
    """
    with storage_errors(path, "read"), path.open("rb") as file:
        if file.seek(0, 2) > MOST_BYTES:
            raise InputError(f"{str(path)!r} is larger than {MOST_BYTES:,} bytes", "split it")
        with zip_errors(path):
            archive = zipfile.ZipFile(file)
        with archive:
            yield Zipped(path, file, archive)


@contextmanager
def zip_errors(path: Path) -> Generator[None]:
    """Turn what damaged archives raise in the block into one line that names `path`."""
    try:
        yield
    except _FAULTS as error:
        raise InputError(
            f"{str(path)!r} is no zip that can be read: {error}", "copy it again from its origin"
        ) from error
