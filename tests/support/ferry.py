"""A short document with findings of several kinds, and what it cites."""

from __future__ import annotations

from pathlib import Path

from foureyes.assembly.analysis import check
from foureyes.assembly.check_result import CheckResult
from foureyes.report.exports.model import ExaminedDocument

LOG = "# Log\n\nThe mean crossing took 45 minutes.\n\nThe ferry made 200 calls at Norrvik in May.\n"
DRAFT = (
    "# Ferry\n\nThe mean crossing took 65 minutes ([log](log.md)).\n\n"
    "The ferry made 200 calls at Norrvik in May ([log](log.md)).\n\n"
    "The crew numbers 34 people.\n\n"
    "The fund rose from 905 million to 1,460 million dinars,\nan increase of 72 per cent.\n"
)


def check_draft(folder: Path, draft: str = DRAFT) -> CheckResult:
    """`draft` checked against the log, which is put into `folder`."""
    (folder / "log.md").write_text(LOG, encoding="utf-8")
    return check(draft, sources=[folder / "log.md"], fetch="none")


def examined(checked: CheckResult, path: str = "docs/ferry.md") -> ExaminedDocument:
    """What the exports are made from, with a source that was not fetched."""
    return ExaminedDocument(
        path,
        checked.document.text,
        checked.report.ledger.entries,
        checked.findings,
        gate=checked.gate,
        sources={source.url: source for source in checked.sources},
        unfinished=("not fetched: https://example.org/\x1b[31m",),
    )
