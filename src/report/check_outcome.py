"""Result of the check of one document, as a record, and the baseline of accepted findings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from pathlib import Path

from ..base.errors import InputError
from ..base.files import read_document
from ..base.registry import validate
from ..base.vocabulary import Finding, Verdict
from ..claims.accounting import AccountedSentence, SentenceCounts
from ..core.config import Config
from ..core.record_folder import require_record
from ..sources.model import Source
from ..sources.scoring.appraisal import SourceRating
from ..sources.scoring.model import Gap
from ..verification.ledger.binding import SourceBinding
from ..verification.model import Evidence, GateResult, LedgerEntry
from ..verification.repair.planning import Repair
from .exports.model import ExaminedDocument

CHECK_FILE = "check.json"
FORMAT = 1
"""The version of the file's layout; another one is refused, so that nothing is accepted unread."""


@dataclass(frozen=True, slots=True)
class ToldFinding(Finding):
    """A finding with the verdict on its claim, the words of the sources, and what settles it."""

    _: KW_ONLY
    verdict: Verdict | None = None
    quotes: tuple[Evidence, ...] = ()
    repair: Repair | None = None


@dataclass(frozen=True, slots=True)
class FixedCopy:
    """The copy with the automatic repairs; `path` is None if there were none to make."""

    path: str | None
    made: tuple[Repair, ...]
    left: tuple[Repair, ...]


@dataclass(frozen=True, slots=True)
class CitedCopy:
    """The copy with marks behind bound claims; `path` is None if none had to be added.

    `marks` counts those that were added.
    """

    path: str | None
    marks: int


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """Output of `check --json`. `accepted` are the ids of findings in the baseline.

    `sentences` counts those of the body, `unchecked` lists those that were compared with nothing.
    `exit_code` is that of the command line, a value of `ExitCode`. `accuracy` (0–100) is the share
    of the checked claims with a source that are true, `coverage` (0–1) that of the checkable claims
    that were checked, None where there are none. `unsearched_files` is the number of files
    in the named folders that were not looked through for a lacking source, since there are too many
    or they are too large.
    """

    foureyes: str
    document: str
    exit_code: int
    gate: GateResult
    accuracy: float | None
    coverage: float | None
    findings: tuple[ToldFinding, ...]
    not_fetched: tuple[str, ...]
    sources: tuple[SourceRating, ...]
    gaps: tuple[Gap, ...]
    bindings: tuple[SourceBinding, ...]
    fixed: FixedCopy | None = None
    cited: CitedCopy | None = None
    accepted: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    sentences: SentenceCounts | None = None
    unchecked: tuple[AccountedSentence, ...] = ()
    unsearched_files: int = 0


@dataclass(frozen=True, slots=True)
class CheckRecord:
    """``check.json`` of a document in a batch: the outcome, and all that it was concluded from.

    `text` is what was checked: the document, or its reading copy. `entries` are the ledger's,
    `sources` what was looked at for the document's citations.
    """

    outcome: CheckOutcome
    text: str
    entries: tuple[LedgerEntry, ...]
    sources: tuple[Source, ...]

    def examined(self) -> ExaminedDocument:
        """The document as exports take it."""
        return ExaminedDocument(
            self.outcome.document,
            self.text,
            self.entries,
            self.outcome.findings,
            gate=self.outcome.gate,
            sources={source.url: source for source in self.sources},
            unfinished=tuple(not_fetched_lines(self.outcome.not_fetched, self.sources)),
        )


def not_fetched_lines(urls: tuple[str, ...], sources: tuple[Source, ...]) -> Iterator[str]:
    """Of `sources` those at `urls`, each with why it was not looked at."""
    for source in sources:
        if source.url in urls:
            yield f"not fetched: {source.url}: {source.reason}"


def read_check(directory: Path) -> CheckRecord:
    """The record of the check that is kept in `directory`.

    Raises:
        RunDirectoryError: It is damaged.
    """
    return require_record(CheckRecord, directory / CHECK_FILE, "check")


class WrittenCopy(StrEnum):
    """Kind of a copy that a check writes beside the document."""

    FIXED = "fixed"
    CITED = "cited"

    def path(self, document: Path) -> Path:
        """``folder/report.fixed.md`` for ``folder/report.md``."""
        return document.with_name(f"{document.stem}.{self}{document.suffix}")


def is_written_copy(name: str, beside: Collection[str]) -> bool:
    """Return whether `name` is that of a copy of one of the files `beside` it."""
    file = Path(name)
    inner = Path(file.stem)
    made = inner.suffix.removeprefix(".") in tuple(WrittenCopy)
    return made and f"{inner.stem}{file.suffix}" in beside


class AcceptedFinding(Config):
    """A finding as it was when it was accepted; `document` is its path as it was given."""

    document: str
    id: str
    type: str
    claim: str
    problem: str


class Baseline(Config):
    """The accepted findings, sorted. A finding is accepted only with the words it was made on."""

    format: int = FORMAT
    findings: tuple[AcceptedFinding, ...] = ()

    def accepted(self, document: str, findings: Iterable[Finding]) -> frozenset[str]:
        """The ids of those `findings` of `document` that are accepted."""
        known = {(one.document, one.id, one.type, one.claim) for one in self.findings}
        return frozenset(
            finding.id
            for finding in findings
            if (document, finding.id, str(finding.type), finding.claim) in known
        )


def baseline_of(documents: Iterable[tuple[str, Iterable[Finding]]]) -> Baseline:
    """The baseline in which every finding of `documents`, by path, is accepted."""
    entries = [
        AcceptedFinding(
            document=path,
            id=finding.id,
            type=str(finding.type),
            claim=finding.claim,
            problem=finding.problem,
        )
        for path, findings in documents
        for finding in findings
    ]
    return Baseline(findings=tuple(sorted(entries, key=lambda one: (one.document, one.id))))


def read_baseline(path: Path) -> Baseline:
    """The baseline at `path`.

    Raises:
        InputError: It is missing, or not a baseline of this format.
    """
    anew, data = "write it anew with --write-baseline", read_document(path).encode()
    baseline = validate(Baseline, data, f"{str(path)!r} is no baseline", anew)
    if baseline.format != FORMAT:
        raise InputError(f"{str(path)!r} has the format {baseline.format}, known is {FORMAT}", anew)
    return baseline
