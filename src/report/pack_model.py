"""The words of evidence packs: their manifest, and what a check of one has to say."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ..core.config import Config

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
