"""Baseline of accepted findings, so that only new findings count."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from ..base.errors import InputError, mistake_text
from ..base.files import read_document
from ..base.vocabulary import Finding
from ..core.config import Config

FORMAT = 1
"""The version of the file's layout; another one is refused, so that nothing is accepted unread."""


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


NOTHING_ACCEPTED = Baseline()


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
    text = read_document(path)
    try:
        baseline = Baseline.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        place = "/".join(map(str, first["loc"])) or "the file"
        raise InputError(
            f"{str(path)!r} is no baseline: {place}: {mistake_text(first)}",
            "write it anew with --write-baseline",
        ) from error
    if baseline.format != FORMAT:
        raise InputError(
            f"{str(path)!r} has the format {baseline.format}, known is {FORMAT}",
            "write it anew with --write-baseline",
        )
    return baseline
