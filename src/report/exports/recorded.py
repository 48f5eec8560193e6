"""A run as other tools read it: what was found in the draft that it delivers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...base.errors import InputError
from ...base.vocabulary import ReviewCriterion
from ...verification.model import LedgerEntry
from ..html.run_files import RunFiles
from .model import ExaminedDocument


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
    told = gate is not None and gate.fail_code is not None
    findings = (one for one in outcome.findings if not (told and one.type is ReviewCriterion.GATE))
    return ExaminedDocument(
        f"iterations/analysis_iteration_{number}.md",
        files.draft(number),
        _RecordedEntries(files, number),
        tuple(findings),
        gate=gate,
        sources=files.cited(number),
        unfinished=(
            *(f"{critic}: {failure}" for critic, failure in outcome.failures.items()),
            *(f"not fetched: {url}" for url in outcome.not_fetched),
        ),
    )


@dataclass(frozen=True, slots=True)
class _RecordedEntries:
    """The ledger of an iteration, read anew whenever it is gone through."""

    files: RunFiles
    number: int

    def __iter__(self) -> Iterator[LedgerEntry]:
        return self.files.entries(self.number)
