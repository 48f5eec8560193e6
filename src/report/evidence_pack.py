"""The evidence pack: one file from which anyone can check a run again.

A zip whose bytes follow from its members alone: sorted names, one time stamp, nothing compressed.
Compressed bytes depend on the version of the compressor, and stored ones cannot expand when a
stranger's pack is opened.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import IO, cast

from pydantic import JsonValue

from ..base.errors import RunDirectoryError
from ..base.files import atomic_file, storage_errors, to_json
from ..base.printable import counted, first_difference
from ..base.registry import packaged_config
from ..core.config import Config
from ..core.record_folder import RULES, program_version
from ..core.run_store import RUN_FOLDER, Manifest
from .wording import shortened

FORMAT = 1
"""The version of the pack's layout; raised when an older program could not check it."""

PACK_FILE = "evidence_pack.zip"
MANIFEST = "manifest.json"


class PackedFile(Config):
    """A member of a pack; `size` counts bytes."""

    name: str
    size: int
    sha256: str


class PackManifest(Config):
    """`manifest.json`: every other member, sorted by name."""

    format: int = FORMAT
    run_id: str
    files: tuple[PackedFile, ...]


class PackCheck(StrEnum):
    """Check of a pack; checks run in this order."""

    CONTAINER = "container"
    DIGEST = "digest"
    MEMBERS = "members"
    RECORDS = "records"
    RULES = "rules"
    SNAPSHOTS = "snapshots"
    QUOTES = "quotes"
    VERDICTS = "verdicts"
    CONCLUSIONS = "conclusions"
    VOTES = "votes"
    END = "end"
    REPLAY = "replay"


@dataclass(frozen=True, slots=True)
class Difference:
    """A value in a pack that does not follow from the rest of the pack.

    `place` is the path within the member, "" for all of it. `claim_id` names the claim that it is
    about, if it is about one. `other_version` tells that the run was made by another version of
    foureyes or of a library that decides this value, so that the difference need not be tampering.
    """

    check: PackCheck
    member: str
    place: str
    recorded: str
    found: str
    claim_id: str = ""
    other_version: bool = False


FILES = (
    "analytics.json",
    "brief.md",
    "config.json",
    "draft.md",
    "events.jsonl",
    "gap_decisions.json",
    "judgement.json",
    "materials.json",
    "replay.json",
    "report.html",
    "review_decisions.json",
    "run.json",
    "source_overrides.json",
    "summary.md",
    "versions.json",
)
FOLDERS = ("iterations", "journal", RULES, "searches", "sources", "turns", "verify")
LEFT_OUT = "sources/index/"
"""Lookup index of sources; the journal and the claims contain its facts."""

_STAMP = (1980, 1, 1, 0, 0, 0)
_UNIX, _PLAIN_FILE = 3, 0o100644

Content = Path | bytes


@dataclass(frozen=True, slots=True)
class WrittenPack:
    """A pack on disk. `digest` is the sha256 of its manifest, which covers every member.

    `members` counts the files in it, without the manifest.
    """

    path: Path
    digest: str
    members: int


def replace_pack(run_dir: Path) -> None:
    """Replace the pack in the run's directory.

    Raises:
        StorageError: The file system refused; then there is no pack.
    """
    path = run_dir / PACK_FILE
    with storage_errors(path, "replace"):
        # What an earlier end of a resumed run left must not pass for this one.
        path.unlink(missing_ok=True)
    write_pack(run_dir, path)


def write_pack(run_dir: Path, out: Path) -> WrittenPack:
    """Pack the ended run in `run_dir` into the file `out`, which is replaced whole.

    Raises:
        RunDirectoryError: `run_dir` is no run directory, damaged, or the run has not ended.
        StorageError: The file system refused; nothing is left behind.
    """
    manifest = RUN_FOLDER.read_manifest(run_dir)
    if manifest.status is None:
        raise RunDirectoryError(
            f"the run in {str(run_dir)!r} has not ended", f"go on with foureyes resume {run_dir}"
        )
    members = dict(run_files(run_dir))
    members |= {n: c for n, c in packaged_rules(manifest).items() if n not in members}
    with atomic_file(out) as file:
        packed = write_zip(members, manifest.id, file)
    return WrittenPack(out, digest_of(manifest_text(packed)), len(packed.files))


def run_files(run_dir: Path) -> Iterator[tuple[str, Path]]:
    """The files of a run directory that belong into its pack, by their names there."""
    for name in FILES:
        if (run_dir / name).is_file():
            yield name, run_dir / name
    for folder in FOLDERS:
        for path in (run_dir / folder).rglob("*"):
            name = path.relative_to(run_dir).as_posix()
            # A link could lead to anything on this machine; hidden files are half written ones.
            hidden = path.name.startswith(".") or name.startswith(LEFT_OUT)
            if path.is_file() and not path.is_symlink() and not hidden:
                yield name, path


def packaged_rules(manifest: Manifest) -> dict[str, bytes]:
    """The registry that a run of this very version went by, where no user's file is in place."""
    if manifest.foureyes != program_version():
        return {}
    files = (packaged_config() / "registry").iterdir()
    return {f"{RULES}/registry/{file.name}": file.read_bytes() for file in files if file.is_file()}


def write_zip(members: Mapping[str, Content], run_id: str, file: IO[bytes]) -> PackManifest:
    """Write `members` and their manifest as a zip to the empty `file`."""
    with zipfile.ZipFile(file, "w") as archive:
        packed = tuple(_add(archive, name, members[name]) for name in sorted(members))
        manifest = PackManifest(run_id=run_id, files=packed)
        _add(archive, MANIFEST, manifest_text(manifest))
    return manifest


def manifest_text(manifest: PackManifest) -> bytes:
    """`manifest.json`."""
    return (to_json(PackManifest, manifest, indent=1) + "\n").encode()


def digest_of(manifest: bytes) -> str:
    """Return the digest that identifies a pack: the sha256 of its `manifest.json`."""
    return hashlib.sha256(manifest).hexdigest()


def pack_digest(pack: Path) -> str:
    """The digest of a pack of this program's own making.

    Raises:
        StorageError: It cannot be read.
    """
    with storage_errors(pack, "read"), zipfile.ZipFile(pack) as archive:
        return digest_of(archive.read(MANIFEST))


def packed_as_is(run_dir: Path, names: Iterable[str]) -> bool:
    """Return whether the pack in `run_dir` contains the files `names` as they are now.

    What is in neither counts as the same.
    """
    try:
        with zipfile.ZipFile(run_dir / PACK_FILE) as archive:
            packed = set(archive.namelist())
            return all(
                (archive.read(name) if name in packed else None)
                == ((run_dir / name).read_bytes() if (run_dir / name).is_file() else None)
                for name in names
            )
    except (OSError, zipfile.BadZipFile):
        return False


def _add(archive: zipfile.ZipFile, name: str, content: Content) -> PackedFile:
    info = zipfile.ZipInfo(name, _STAMP)
    info.create_system, info.external_attr = _UNIX, _PLAIN_FILE << 16
    data = content if isinstance(content, bytes) else content.read_bytes()
    archive.writestr(info, data)
    return PackedFile(name=name, size=len(data), sha256=hashlib.sha256(data).hexdigest())


MOST_NAMED = 25
"""Maximum number of differences named for one file."""
SHOWN_CHARS = 160
MAX_PARSED_BYTES = 64 * 1024 * 1024
"""Larger files are compared as text, which takes a tenth of the memory."""
_BY_CLAIM = ("claims", "assessments")
_MISSING = "nothing"
_SCORES = (".supported", ".contradicted")
NEAR = 0.02
"""Probabilities (0–1) of the fitted decision this near are equal: floating point differs by
processor."""


def compare(
    check: PackCheck,
    member: str,
    recorded: str,
    found: str,
    *,
    other_version: bool = False,
    apart: Sequence[str] = (),
) -> Iterator[Difference]:
    """The differences between a member's text as `recorded` and as it was `found` to follow.

    `apart` are the keys at the top of JSON that need not agree.
    """
    if recorded == found:
        return
    before, now = _parsed(recorded), _parsed(found)
    if before is not None and now is not None:
        if apart and isinstance(before, dict) and isinstance(now, dict):
            before, now = (
                {key: each for key, each in one.items() if key not in apart}
                for one in (before, now)
            )
        named = list(islice(_walk("", before, now, ""), MOST_NAMED))
        for place, claim_id, old, new in named:
            yield Difference(check, member, place, old, new, claim_id, other_version)
        if named or apart or before != now:
            return
    lines = [line for line in first_difference(recorded, found).splitlines() if line]
    old = next((line[1:] for line in lines[2:] if line.startswith("-")), "")
    new = next((line[1:] for line in lines[2:] if line.startswith("+")), "")
    place = next((line.strip("@ ") for line in lines if line.startswith("@@")), "")
    yield Difference(check, member, place, shown(old), shown(new), other_version=other_version)


def shown(value: JsonValue) -> str:
    """A value on one line, shortened."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return shortened(text, SHOWN_CHARS)


def _parsed(text: str) -> JsonValue:
    """`text` as JSON; None if it is none."""
    if len(text) > MAX_PARSED_BYTES:
        return None
    try:
        return cast("JsonValue", json.loads(text))
    except (ValueError, RecursionError):
        return None


def _walk(
    place: str, before: JsonValue, now: JsonValue, claim_id: str
) -> Iterator[tuple[str, str, str, str]]:
    """Place, claim, and both values of everything that differs."""
    if isinstance(before, dict) and isinstance(now, dict):
        claim_id = _claim_of(before) or _claim_of(now) or claim_id
        for key in dict.fromkeys([*before, *now]):
            inner = f"{place}.{key}" if place else key
            claim = key if place in _BY_CLAIM else claim_id
            if key in before and key in now:
                yield from _walk(inner, before[key], now[key], claim)
            else:
                old, new = (shown(one[key]) if key in one else _MISSING for one in (before, now))
                yield inner, claim, old, new
    elif isinstance(before, list) and isinstance(now, list):
        if len(before) != len(now):
            were, are = (counted(len(one), "entry", "entries") for one in (before, now))
            yield place, claim_id, were, are
        for index, (old, new) in enumerate(zip(before, now, strict=False)):
            claim = _claim_of(old, "id") if place in _BY_CLAIM else ""
            yield from _walk(f"{place}[{index}]", old, new, claim or claim_id)
    elif not _are_near(place, before, now) and (before != now or type(before) is not type(now)):
        yield place, claim_id, shown(before), shown(now)


def _are_near(place: str, before: JsonValue, now: JsonValue) -> bool:
    """Return whether two probabilities may come from one reader on two processors."""
    scores = place.startswith("assessments") and place.endswith(_SCORES)
    if not (scores and isinstance(before, float) and isinstance(now, float)):
        return False
    return abs(before - now) <= NEAR


def _claim_of(value: JsonValue, key: str = "claim_id") -> str:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""
