"""The documents of runs, reviews and checks as their exporters read them."""

from __future__ import annotations

import bisect
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from ...base.errors import InputError
from ...base.vocabulary import Location, ReviewCriterion
from ...core.run_store import RUN_FOLDER
from ...redteam.model import FlawKind
from ...review.originals import OriginalKind
from ...review.store import READING_COPY, REVIEW_FOLDER, ReviewContents, ReviewStore, read_contents
from ..check_outcome import CHECK_FILE, read_check
from ..html.page import RecordKind, kind_of
from ..html.run_files import RunFiles
from ..review_report import Appendix, ReportedFinding, ReportedPlace, review_report
from .model import ExaminedDocument


@dataclass(frozen=True, slots=True)
class NamedFinding:
    """A standing finding; `flaw` is one that rules know, else the lens.

    `fingerprint` stays as it is when lines move.
    """

    finding: ReportedFinding
    flaw: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class ReviewedDocument:
    """A document review, as its exports need it.

    `path` is the file that places refer to: the document itself if it has lines of its own, else
    the reading copy, whose text is `text`. `original` is the document's name. `unfinished` lists
    undone parts, one a line.
    """

    path: str
    original: str
    text: str
    line_starts: tuple[int, ...]
    findings: tuple[NamedFinding, ...]
    appendix: Appendix | None
    unfinished: tuple[str, ...]

    def location(self, place: ReportedPlace) -> Location | None:
        """Return the location of `place`; None for words that are not in the document."""
        if place.start is None or place.end is None:
            return None
        return self.between(place.start, place.end)

    def found(self, words: str) -> Location | None:
        """Return the first location of `words`; None if they are empty or absent."""
        start = self.text.find(words) if words else -1
        return self.between(start, start + len(words)) if start >= 0 else None

    def between(self, start: int, end: int) -> Location:
        """The place `[start, end)`."""
        line = bisect.bisect_right(self.line_starts, start)
        return Location(line, start - self.line_starts[line - 1] + 1, start, end)


def reviewed_document(contents: ReviewContents) -> ReviewedDocument:
    """Return the contents of a review directory as its exports need them.

    Raises:
        InputError: Its findings are not compiled yet.
    """
    report, name = review_report(contents), contents.manifest.original.name
    if not report.compiled:
        raise InputError(
            f"the review of {name!r} has no findings yet",
            "go on with it first: `foureyes review --resume`",
        )
    own_lines = report.document.kind in (OriginalKind.MARKDOWN, OriginalKind.TEXT)
    return ReviewedDocument(
        name if own_lines else READING_COPY,
        name,
        contents.original.text,
        contents.original.line_starts,
        tuple(_name_findings(report.findings)),
        report.appendix,
        tuple(f"{one.phase} {one.part}: {one.reason}" for one in report.not_done),
    )


def _name_findings(findings: Iterable[ReportedFinding]) -> Iterator[NamedFinding]:
    seen = Counter[str]()
    for one in findings:
        flaw = one.issue if one.issue in tuple(FlawKind) else one.lens.value
        words = " ".join(one.quote.casefold().split())
        key = f"{one.lens}|{one.issue}|{words}".encode("utf-8", "surrogatepass")
        fingerprint = hashlib.sha256(key).hexdigest()[:16]
        # The same of the same words elsewhere is distinguished by its order.
        seen[fingerprint] += 1
        again = f":{seen[fingerprint]}" if seen[fingerprint] > 1 else ""
        yield NamedFinding(one, flaw, fingerprint + again)


def examined_run(files: RunFiles) -> ExaminedDocument:
    """The delivered draft of the run in `files` with all that is on record about it.

    Raises:
        InputError: No draft of it was examined.
        RunDirectoryError: A file of it is damaged.
    """
    number = files.manifest.best_iteration
    outcome = files.outcome(number) if number is not None else None
    if number is None or outcome is None:
        raise InputError(
            f"{str(files.path)!r} has no draft that was examined",
            "go on with the run first: `foureyes resume`",
        )
    gate = files.gate(number)
    # What the gate says against a draft is also a finding for its author; once is enough here.
    failed = gate is not None and gate.fail_code is not None
    findings = (
        one for one in outcome.findings if not (failed and one.type is ReviewCriterion.GATE)
    )
    return ExaminedDocument(
        f"iterations/analysis_iteration_{number}.md",
        files.draft(number),
        files.entries(number),
        tuple(findings),
        gate=gate,
        sources=files.cited(number),
        unfinished=(
            *(f"{critic}: {failure}" for critic, failure in outcome.failures.items()),
            *(f"not fetched: {url}" for url in outcome.not_fetched),
        ),
    )


class ExportedRecord:
    """The run, review or check in `folder`, of which exporters read what they need.

    Args:
        folder: The directory of the record.
        publisher: The organization that publishes the export.

    Raises:
        InputError: `folder` is no such directory.
    """

    def __init__(self, folder: Path, publisher: str) -> None:
        self.folder, self.publisher = folder, publisher
        kind = kind_of(folder)
        if kind is None or kind is RecordKind.BATCH:
            raise InputError(
                f"{str(folder)!r} is neither a run nor a review directory",
                f"give a folder made by `{RUN_FOLDER.command}` or `{REVIEW_FOLDER.command}`",
            )
        self.kind = kind

    @cached_property
    def document(self) -> ExaminedDocument | ReviewedDocument:
        """The delivered draft of a run, the document of a check, or a reviewed document.

        Raises:
            InputError: Nothing was examined yet.
            RunDirectoryError: A file of the record is damaged.
        """
        match self.kind:
            case RecordKind.RUN:
                return examined_run(RunFiles(self.folder))
            case RecordKind.REVIEW:
                return reviewed_document(read_contents(ReviewStore.open(self.folder)))
            case _:
                return read_check(self.folder).examined()

    @property
    def made(self) -> datetime:
        """The end of the run, of the review or of the check."""
        if self.kind is RecordKind.CHECK:
            # The record holds no time of its own.
            return datetime.fromtimestamp((self.folder / CHECK_FILE).stat().st_mtime, UTC)
        folder = RUN_FOLDER if self.kind is RecordKind.RUN else REVIEW_FOLDER
        manifest = folder.read_manifest(self.folder)
        return manifest.ended or manifest.started
