"""A person's decisions on sources, laid over scores, and the file of people's records."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import ValidationError

from ...base.errors import InputError, StorageError
from ...base.files import from_json, storage_errors, to_json, write_atomic
from ..addresses import address_key
from .model import Override, SourceScore, Tier
from .score import domain_tier_of


@contextmanager
def only_writer(path: Path, *, patience: float = 10.0) -> Generator[None]:
    """Lock `path` against other writers; its folder is made if it is missing.

    Raises:
        StorageError: Another writer kept the lock for `patience` seconds, or the file system
            refused.
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


RecordT = TypeVar("RecordT")


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


OVERRIDES_FILE = "source_overrides.json"

_TIER = re.compile(
    r"(?:approve|accept|use|set|assign)(?: as| it as)? (?:tier |t)([1-5])(?: instead)?",
    re.IGNORECASE,
)
_REJECT = re.compile(r"(?:reject|drop|refuse)(?: (?:this |the )?source)?", re.IGNORECASE)
_FORM = "say 'approve tier 2', 'use tier 3 instead' or 'reject source'"


def parse_decision(words: str) -> Tier | None:
    """The tier that a person gives in `words`, None if they reject the source.

    Raises:
        InputError: The words say neither.
    """
    plain = " ".join(words.split()).rstrip(".!")
    if match := _TIER.fullmatch(plain):
        return Tier(int(match[1]))
    if _REJECT.fullmatch(plain):
        return None
    raise InputError(f"{plain[:80]!r} is no decision on a source", _FORM)


def override_for(score: SourceScore, words: str, *, by: str, at: datetime, why: str) -> Override:
    """The record of a person's decision on `score`.

    Raises:
        InputError: The words are no decision, or who or why is missing.
    """
    if not by.strip() or not why.strip():
        raise InputError("an override needs who decides and why", "give both")
    tier = parse_decision(words)
    return Override(score.url, tier, by.strip(), at.astimezone(UTC), why.strip(), score=score.total)


def apply_overrides(
    scores: Iterable[SourceScore], overrides: Iterable[Override]
) -> tuple[SourceScore, ...]:
    """The scores with each source's latest override; score, parts and flags stay as computed.

    A rejected source is neither reliable nor authoritative, and an approved tier decides the
    domain tier.
    """
    latest = {address_key(one.url): one for one in sorted(overrides, key=lambda one: one.at)}

    def decided(score: SourceScore) -> SourceScore:
        override = latest.get(address_key(score.url))
        if override is None:
            return score
        if override.tier is None:
            return replace(score, override=override, authoritative=False, reliable=False)
        return replace(score, override=override, domain_tier=domain_tier_of(override.tier))

    return tuple(map(decided, scores))


def overrides_in(folder: Path) -> RecordFile[Override]:
    """The overrides kept in a run or project folder."""
    return RecordFile(folder / OVERRIDES_FILE, tuple[Override, ...])
