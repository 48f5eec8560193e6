"""The review directory: the truth about a document review, and its contents for every report."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from itertools import zip_longest
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from ..base.errors import RunDirectoryError
from ..base.files import make_folder, storage_errors, to_json, write_atomic
from ..core.config import Config
from ..core.record_folder import (
    COMMON_FOLDERS,
    FolderKind,
    FolderManifest,
    RecordFolder,
    program_version,
    read_record,
)
from ..core.tasks import digest
from .originals import Original, OriginalKind
from .types import (
    ClaimsTested,
    CompiledFinding,
    CompiledReview,
    CrossReference,
    Extraction,
    GateDecision,
    NotDone,
    ReviewPhase,
    SmokeTested,
    WebChecked,
)

T = TypeVar("T")

READING_COPY = "document.md"
ORIGINAL_FOLDER = "original"
FILES: Mapping[ReviewPhase, str] = {
    **{phase: f"{phase}.json" for phase in ReviewPhase},
    ReviewPhase.RED: "red_findings.json",
    ReviewPhase.DEFENCE: "defences.json",
    ReviewPhase.GATE: "gate_decision.json",
}
"""The file that each phase leaves."""


class ReviewStatus(StrEnum):
    """The status of a review after a session. Only `completed` means that every part was done."""

    COMPLETED = "completed"
    AWAITING_DECISION = "awaiting_decision"
    STOPPED = "stopped"
    INCONCLUSIVE = "inconclusive"
    BUDGET_EXCEEDED = "budget_exceeded"
    CANCELLED = "cancelled"
    FAILED = "failed"


class OriginalRecord(Config):
    """The document under review: its name and kind, the hashes of it and of its reading copy.

    `pages` are the offsets in the reading copy at which the pages of a PDF begin, in characters;
    empty for other kinds.
    """

    name: str
    kind: OriginalKind
    sha256: str
    document_sha256: str
    pages: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewInputs:
    """The inputs of a review: the fields of its manifest, and `data`, the original as bytes."""

    original: Original
    data: bytes
    as_of: date
    backend: str
    independent: bool
    web: bool = True
    verify_background: bool = False


class ReviewManifest(FolderManifest):
    """`review.json`. `status` is None while the review is under way.

    `independent` says whether the agents of `backend` judge with a language model.
    `sealed` are the hashes of the findings, by number, once phase 3 is done.
    """

    as_of: date
    original: OriginalRecord
    backend: str
    independent: bool
    web: bool
    verify_background: bool
    status: ReviewStatus | None = None
    not_done: tuple[NotDone, ...] = ()
    sealed: Mapping[str, str] | None = None


_GIVEN = ("as_of", "backend", "independent", "web", "verify_background")
REVIEW_FOLDER = FolderKind(
    "review", "review.json", ReviewManifest, COMMON_FOLDERS, "foureyes review"
)


class ReviewStore(RecordFolder[ReviewManifest]):
    """One review directory: the original, its reading copy, and a file for each phase."""

    def __init__(self, path: Path, manifest: ReviewManifest) -> None:
        super().__init__(path, manifest, REVIEW_FOLDER)
        self._known: Original | None = None

    @classmethod
    def create(
        cls,
        root: Path,
        inputs: ReviewInputs,
        config: BaseModel,
        *,
        now: datetime,
        contents: Path | None = None,
    ) -> ReviewStore:
        """Make `root/<utc>_<slug>_<id>/` with everything that a resume needs.

        `config` is stored for the caller. `now` is UTC. `contents` is a folder whose files are
        copied first.

        Raises:
            StorageError: The file system refused.
        """
        original = inputs.original
        title = original.document.title or Path(original.name).stem
        with REVIEW_FOLDER.making(root, title, now, contents) as new:
            manifest = ReviewManifest(
                foureyes=program_version(),
                id=new.id,
                title=title[:120],
                started=now.astimezone(UTC),
                original=OriginalRecord(
                    name=original.name,
                    kind=original.kind,
                    sha256=original.sha256,
                    document_sha256=original.document.sha256,
                    pages=original.pages,
                ),
                **{name: getattr(inputs, name) for name in _GIVEN},
            )
            store = cls(new.unfinished, manifest)
            make_folder(new.unfinished / ORIGINAL_FOLDER)
            write_atomic(new.unfinished / ORIGINAL_FOLDER / original.name, inputs.data)
            store.write(READING_COPY, original.text)
            store.write_config(config)
            store.save(manifest)
        made = cls(new.path, manifest)
        # Already parsed, which takes longest.
        made._known = original
        return made

    @classmethod
    def open(cls, path: Path) -> ReviewStore:
        """Open an existing review directory.

        Raises:
            RunDirectoryError: It is not one, is damaged, or comes from a newer version.
        """
        return cls(path, REVIEW_FOLDER.read_manifest(path))

    def original(self) -> Original:
        """The document under review, as it was read when the review began.

        Raises:
            RunDirectoryError: The reading copy is missing or was changed.
        """
        record, text = self.manifest.original, self.read(READING_COPY)
        if digest([text]) != record.document_sha256:
            raise RunDirectoryError(
                f"{str(self.path / READING_COPY)!r} was changed",
                "restore it, or review the document again",
            )
        if self._known is not None and self._known.text == text:
            return self._known
        return Original(record.name, record.kind, record.sha256, text, record.pages)

    def phase(self, phase: ReviewPhase, kind: type[T]) -> T | None:
        """Read the result of `phase`, None if it was not reached.

        Raises:
            RunDirectoryError: Its file is damaged.
        """
        return read_record(kind, self.path / FILES[phase], "review")

    def phase_sha256(self, phase: ReviewPhase) -> str:
        """The sha256 of the file of `phase`, which there is.

        Raises:
            RunDirectoryError: It cannot be read.
        """
        name = FILES[phase]
        with self.damaged(name), (self.path / name).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def write_phase(self, phase: ReviewPhase, record: object) -> None:
        """Store the result of `phase`; if it changed, the results of later phases are deleted.

        Raises:
            StorageError: The file system refused.
        """
        text = to_json(type(record), record) + "\n"
        path = self.path / FILES[phase]
        if path.exists() and self.read(path.name) == text:
            return
        later = list(FILES)[list(FILES).index(phase) + 1 :]
        with storage_errors(self.path, "tidy up"):
            for each in later:
                (self.path / FILES[each]).unlink(missing_ok=True)
        self.write(path.name, text)


def seal(findings: Iterable[CompiledFinding]) -> dict[str, str]:
    """The sha256 of each finding over all that is said of it, by its number and in their order.

    Raises:
        RunDirectoryError: Two have the same number.
    """
    sealed: dict[str, str] = {}
    for one in findings:
        if one.number in sealed:
            raise _broken(f"finding {one.number} is there twice")
        sealed[one.number] = digest([to_json(CompiledFinding, one, indent=None)])
    return sealed


def require_sealed(tested: SmokeTested | None, sealed: Mapping[str, str] | None) -> None:
    """Refuse findings that are not those that were sealed, if any were.

    `tested` is None where there are none on record. Their order is their priority.

    Raises:
        RunDirectoryError: One was changed, doubled, moved, added or taken away; the message names
            the first.
    """
    if sealed is None:
        return
    found = seal(tested.findings if tested is not None else ())
    for before, now in zip_longest(sealed.items(), found.items()):
        if before != now:
            number, _ = before or now
            raise _broken(f"finding {number} was added, moved, taken away or changed")


def _broken(what: str) -> RunDirectoryError:
    return RunDirectoryError(
        f"{what} after the findings were sealed for the web verification",
        "nothing that is found outside may alter a finding: restore the review directory, or "
        "review the document again",
    )


@dataclass(frozen=True, slots=True)
class ReviewContents:
    """A review as far as it has come; the result of a phase is None until it was reached.

    `decision` is the one about `compiled` as it stands.
    """

    manifest: ReviewManifest
    original: Original
    compiled: CompiledReview | None = None
    decision: GateDecision | None = None
    tested: SmokeTested | None = None
    extraction: Extraction | None = None
    claims: ClaimsTested | None = None
    web: WebChecked | None = None
    cross_reference: CrossReference | None = None

    @property
    def findings(self) -> tuple[CompiledFinding, ...]:
        """The findings that have survived so far."""
        if self.tested is not None:
            return self.tested.findings
        return self.compiled.findings if self.compiled is not None else ()


def read_contents(store: ReviewStore) -> ReviewContents:
    """Read the contents of `store`.

    Raises:
        RunDirectoryError: A file is damaged, or refers to a claim or finding that earlier files do
            not have, or a finding was changed after the sealing; the message names the file.
    """
    manifest = store.manifest
    tested = store.phase(ReviewPhase.SMOKE, SmokeTested)
    require_sealed(tested, manifest.sealed)
    claims = store.phase(ReviewPhase.CLAIM_SMOKE, ClaimsTested)
    web = store.phase(ReviewPhase.WEB, WebChecked)
    beside = store.phase(ReviewPhase.CROSS_REFERENCE, CrossReference)
    passed = [one.id for one in claims.claims] if claims else []
    looked_up = [one.claim_id for one in web.results] if web else []
    numbers = [one.number for one in tested.findings] if tested else []
    rows = beside.rows if beside else ()
    _require_known(ReviewPhase.WEB, "claim", looked_up, passed)
    if len(set(looked_up)) < len(looked_up):
        raise _at_odds(ReviewPhase.WEB, "a claim twice")
    _require_known(ReviewPhase.CROSS_REFERENCE, "claim", [row.claim_id for row in rows], looked_up)
    about = [number for row in rows for number in row.findings]
    _require_known(ReviewPhase.CROSS_REFERENCE, "finding", about, numbers)
    return ReviewContents(
        manifest,
        store.original(),
        compiled=store.phase(ReviewPhase.COMPILED, CompiledReview),
        decision=valid_decision(store),
        tested=tested,
        extraction=store.phase(ReviewPhase.CLAIMS, Extraction),
        claims=claims,
        web=web,
        cross_reference=beside,
    )


def valid_decision(store: ReviewStore) -> GateDecision | None:
    """The decision of a person on the compiled review as it stands; None if there is none.

    Raises:
        RunDirectoryError: The decision is damaged.
    """
    decision = store.phase(ReviewPhase.GATE, GateDecision)
    if decision is None or decision.compiled_sha256 != store.phase_sha256(ReviewPhase.COMPILED):
        return None
    return decision


def _require_known(
    phase: ReviewPhase, what: str, named: Iterable[str], known: Iterable[str]
) -> None:
    there = set(known)
    if unknown := [name for name in named if name not in there]:
        raise _at_odds(phase, f"a {what} {unknown[0]!r} that earlier files do not have")


def _at_odds(phase: ReviewPhase, what: str) -> RunDirectoryError:
    return RunDirectoryError(
        f"{FILES[phase]} has {what}", "restore the review directory, or review the document again"
    )
