"""A stranger's pack opened: nothing of it is believed, and nothing can get out of its folder."""

from __future__ import annotations

import errno
import hashlib
import re
import shutil
import struct
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BufferedRandom, BufferedReader
from pathlib import Path
from typing import TypeAlias

from pydantic import BaseModel, ValidationError

from ..base.errors import InputError, first_mistake
from ..base.files import from_json, storage_errors
from ..base.printable import counted
from .evidence_pack import (
    FORMAT,
    MANIFEST,
    Difference,
    PackCheck,
    PackedFile,
    PackManifest,
    digest_of,
    manifest_text,
    write_zip,
)

MOST_MEMBERS = 1_000_000
MOST_DIRECTORY_BYTES = 256 * 1024 * 1024
"""Maximum size of a zip's table of contents, which is read at once."""
MOST_MANIFEST_BYTES = 256 * 1024 * 1024
_PART = re.compile(r"[^\\/:*?\"<>|\x00-\x1f\x7f]{1,200}")
_REGULAR = 0o100000
_END, _END_SIZE = b"PK\x05\x06", 22
_LOCATOR_SIZE, _END64_SIZE = 20, 56

_File: TypeAlias = BufferedReader | BufferedRandom

# What zipfile raises for damaged archives, and for those with features that are not read.
_ZIP_FAULTS = (zipfile.BadZipFile, EOFError, LookupError, RuntimeError, ValueError, struct.error)


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A pack whose members lie in `folder`.

    `digest` is that of the manifest. `whole` is false if members could not be unpacked safely; then
    only `differences` describes them.
    """

    manifest: PackManifest
    digest: str
    folder: Path
    differences: tuple[Difference, ...]
    whole: bool


class _Format(BaseModel):
    format: int


def unpack(pack: Path, folder: Path) -> Unpacked:
    """Unpack `pack` into the empty `folder` and compare it with its manifest.

    Raises:
        InputError: It is no pack, or one of a newer format.
        StorageError: It cannot be read, or `folder` not be written.
    """
    with storage_errors(pack, "read"), pack.open("rb") as file:
        _require_zip(file, pack)
        try:
            with zipfile.ZipFile(file) as archive:
                return _unpack(archive, file, pack, folder)
        except _ZIP_FAULTS as error:
            raise _unreadable(pack, f"{type(error).__name__}: {error}") from error
        except OSError as error:
            if error.errno != errno.EINVAL:
                raise
            raise _unreadable(pack, "its table of contents leads out of the file") from error


def _unpack(archive: zipfile.ZipFile, file: _File, pack: Path, folder: Path) -> Unpacked:
    infos = archive.infolist()
    size = file.seek(0, 2)
    manifest, text = _manifest(archive, pack)
    digest = digest_of(text)
    refused = tuple(_refused(infos, size))
    if refused:
        return Unpacked(manifest, digest, folder, refused, whole=False)
    found: dict[str, PackedFile] = {}
    damaged: list[Difference] = []
    for info in infos:
        try:
            found[info.filename] = _extract(archive, info, folder)
        except (zipfile.BadZipFile, EOFError, RuntimeError) as error:
            damaged.append(_differs(info.filename, "a readable member", str(error)))
            (folder / info.filename).unlink(missing_ok=True)
    differences = [*damaged, *_against_manifest(manifest, found, {d.member for d in damaged})]
    if not differences:
        differences += _container(file, manifest, text, folder)
    return Unpacked(manifest, digest, folder, tuple(differences), whole=True)


def _require_zip(file: _File, pack: Path) -> None:
    """Refuse a file that is no zip, has trailing data, or a table of contents that is too large."""
    size = file.seek(0, 2)
    file.seek(max(0, size - _END_SIZE - _LOCATOR_SIZE - _END64_SIZE))
    tail = file.read()
    end = tail[-_END_SIZE:]
    if len(end) < _END_SIZE or not end.startswith(_END) or end[-2:] != b"\0\0":
        raise _unreadable(pack, "it is no zip file, or something stands behind its end")
    (directory,) = struct.unpack("<L", end[12:16])
    behind = tail[:-_END_SIZE]
    if behind[-_LOCATOR_SIZE:].startswith(b"PK\x06\x07") and behind.startswith(b"PK\x06\x06"):
        (directory,) = struct.unpack("<Q", behind[40:48])
    if directory > MOST_DIRECTORY_BYTES:
        raise _unreadable(pack, "its table of contents is too large")
    file.seek(0)


def _manifest(archive: zipfile.ZipFile, pack: Path) -> tuple[PackManifest, bytes]:
    try:
        info = archive.getinfo(MANIFEST)
    except KeyError:
        raise _unreadable(pack, f"it holds no {MANIFEST}") from None
    if info.compress_type != zipfile.ZIP_STORED or info.file_size > MOST_MANIFEST_BYTES:
        raise _unreadable(pack, f"its {MANIFEST} is compressed or too large")
    text = archive.read(info)
    try:
        known = from_json(_Format, text).format
        if known > FORMAT:
            raise InputError(
                f"{str(pack)!r} was made by a newer version (format {known}, known {FORMAT})",
                "update foureyes",
            )
        return from_json(PackManifest, text), text
    except ValidationError as error:
        raise _unreadable(pack, f"{MANIFEST}: {first_mistake(error)}") from error


def _refused(infos: Sequence[zipfile.ZipInfo], size: int) -> Iterator[Difference]:
    """Members that are not unpacked: names that lead elsewhere, links, whatever may expand."""
    if len(infos) > MOST_MEMBERS:
        yield _container_differs("", f"at most {MOST_MEMBERS:,} members", f"{len(infos):,}")
    if sum(info.file_size for info in infos) > size:
        yield _container_differs("", f"members of {size:,} bytes at most", "members that overlap")
    folded = Counter(info.orig_filename.casefold() for info in infos)
    for info in infos:
        # zipfile cuts names at a NUL and turns backslashes on Windows; the original counts.
        name = info.orig_filename
        parts = name.split("/")
        if not all(_PART.fullmatch(part) and part.strip(" .") for part in parts):
            yield _container_differs(name, "a relative path", "a name that may lead elsewhere")
        if folded[name.casefold()] > 1:
            yield _container_differs(name, "one member of this name", "several")
        if info.external_attr >> 16 & 0o170000 != _REGULAR:
            yield _container_differs(name, "a plain file", "a link, a folder or a device")
        if info.compress_type != zipfile.ZIP_STORED or info.compress_size != info.file_size:
            yield _container_differs(name, "stored bytes", "a compressed member, which may expand")
        if not 0 <= info.header_offset < size:
            yield _container_differs(name, "a place in the pack", "a place outside it")
        if info.flag_bits & 1:
            yield _container_differs(name, "readable bytes", "an encrypted member")


def _extract(archive: zipfile.ZipFile, info: zipfile.ZipInfo, folder: Path) -> PackedFile:
    path = folder / info.filename
    with storage_errors(path, "write"):
        path.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(info) as source, path.open("x+b") as target:
            shutil.copyfileobj(source, target)
            size = target.tell()
            return PackedFile(name=info.filename, size=size, sha256=_digest(target))


def _against_manifest(
    manifest: PackManifest, found: Mapping[str, PackedFile], damaged: set[str]
) -> Iterator[Difference]:
    listed = {file.name: file for file in manifest.files}
    if len(listed) < len(manifest.files):
        yield _differs(MANIFEST, "each member once", "a member that is listed twice")
    for name in sorted(listed.keys() - found.keys() - damaged):
        yield _differs(name, "a member", "nothing: the member is missing")
    for name in sorted(found.keys() - listed.keys() - {MANIFEST}):
        yield _differs(name, "nothing", "a member that the manifest does not list")
    for name in sorted(listed.keys() & found.keys()):
        now, before = found[name], listed[name]
        if now.size != before.size:
            yield _differs(name, counted(before.size, "byte"), counted(now.size, "byte"))
        elif now.sha256 != before.sha256:
            yield _differs(name, f"sha256 {before.sha256}", f"sha256 {now.sha256}")


def _container(
    file: _File, manifest: PackManifest, text: bytes, folder: Path
) -> Iterator[Difference]:
    """Hold every byte of the pack against a pack made of its members."""
    members = {listed.name: folder / listed.name for listed in manifest.files}
    with storage_errors(folder, "write"), tempfile.TemporaryFile(dir=folder) as again:
        made = write_zip(members, manifest.run_id, again)
        if manifest_text(made) != text:
            yield _differs(MANIFEST, "JSON as foureyes writes it", "the same written otherwise")
        elif _digest(file) != _digest(again):
            yield _container_differs("", "the bytes that follow from its members", "other bytes")


def _digest(file: _File) -> str:
    file.seek(0)
    return hashlib.file_digest(file, "sha256").hexdigest()


def _unreadable(pack: Path, reason: str) -> InputError:
    return InputError(
        f"{str(pack)!r} cannot be read as an evidence pack: {' '.join(reason.split())[:200]}",
        "give an evidence_pack.zip that `foureyes run` or `foureyes pack` has made",
    )


def _differs(member: str, recorded: str, found: str) -> Difference:
    return Difference(PackCheck.MEMBERS, member, "", recorded, found)


def _container_differs(member: str, recorded: str, found: str) -> Difference:
    return Difference(PackCheck.CONTAINER, member, "", recorded, found)
